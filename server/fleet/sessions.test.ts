import { expect, test } from 'vitest'
import type { OpenSession, SessionsFrame } from './frames.ts'
import { hearSessions } from './heardSessions.ts'
import { tellSessions } from './toldSessions.ts'

const opened = (lost: (frame: SessionsFrame) => boolean = () => false) => {
  const clock = { now: 0 }
  const [asked, cuts, foreign, sizes]: [string[], string[], string[], number[]] = [[], [], [], []]
  const heard = hearSessions(
    {
      askAll: (process) => void asked.push(process),
      opened: () => undefined,
      cut: (process, sn, session) => void cuts.push(`${process} ${sn} ${session}`),
      foreign: (process, { session, kinds }) => void foreign.push(`${process}/${session} ${kinds ?? 'closed'}`),
    },
    () => clock.now,
  )
  const teller = (process: string) =>
    tellSessions(process, (frame) => {
      sizes.push(JSON.stringify(frame).length)
      if (!lost(frame)) heard.frame(frame)
    })
  return { clock, asked, cuts, foreign, sizes, heard, teller }
}
const session = (number: number, sn: string, more: Partial<OpenSession> = {}): OpenSession => ({
  session: number,
  sn,
  kinds: ['#'],
  ...more,
})

test('after a frame was lost the process is asked for everything, and what it tells is all there is', () => {
  let isLost = false
  const { asked, heard, teller } = opened(() => isLost)
  const process = teller('a')
  process.tellAll()
  process.changed(session(1, 'ONE'))
  isLost = true
  process.changed({ session: 1, sn: 'ONE' })
  isLost = false
  process.changed(session(2, 'TWO'))
  expect([asked, heard.hears('ONE', 'write'), heard.hears('TWO', 'write')]).toEqual([['a'], true, false])
  process.tellAll()
  expect([heard.hears('ONE', 'write'), heard.hears('TWO', 'write')]).toEqual([false, true])
  // A heartbeat with another number reveals a lost frame as well.
  heard.beat({ process: 'a', protocol: 1, seq: process.seq() + 1, counters: { connected: 1, messages: {}, refused: {} }, waiting: 0 })
  expect(asked).toEqual(['a', 'a'])
})

test('a gateway is where it connected last; what an older process tells again takes it from nobody', () => {
  const { cuts, heard, teller } = opened()
  const [before, after] = [teller('a'), teller('b')]
  for (const each of [before, after]) each.tellAll()
  before.changed(session(1, 'ONE'))
  after.changed(session(1, 'ONE'))
  expect([cuts, heard.isOld('a', 1, 'ONE'), heard.isOld('b', 1, 'ONE')]).toEqual([['a ONE 1'], true, false])
  before.tellAll()
  expect(heard.of('ONE')).toMatchObject({ process: 'b' })
  before.changed({ session: 1, sn: 'ONE' })
  expect(heard.hears('ONE', 'write')).toBe(true)
  after.changed({ session: 1, sn: 'ONE' })
  expect(heard.hears('ONE', 'write')).toBe(false)
})

test('a process that is silent is gone, with its sessions; what it counted stays', () => {
  const { clock, foreign, heard, teller } = opened()
  const process = teller('a')
  process.tellAll()
  process.changed(session(1, 'ONE', { isForeign: true, kinds: ['v1/#'] }))
  heard.beat({ process: 'a', protocol: 1, seq: process.seq(), counters: { connected: 1, messages: { data: 5 }, refused: {} }, waiting: 7 })
  expect([heard.counters(), heard.waiting()]).toEqual([{ connected: 1, messages: { data: 5 }, refused: {} }, 7])
  clock.now = 6001
  expect(heard.tick()).toEqual(['a'])
  expect(heard.counters()).toEqual({ connected: 0, messages: { data: 5 }, refused: {} })
  expect([heard.processes(), foreign]).toEqual([[], ['a/1 v1/#', 'a/1 closed']])
})

test('many sessions, and long filters, go in frames that NATS takes', () => {
  const { sizes, heard, teller } = opened()
  const process = teller('a')
  for (let i = 0; i < 5000; i++) process.changed(session(i, `GATEWAY${i}`))
  for (let i = 5000; i < 5020; i++) process.changed(session(i, `SENDER${i}`, { isForeign: true, kinds: ['x'.repeat(100_000)] }))
  // As JSON, each of these characters takes six bytes.
  for (let i = 5020; i < 5120; i++) process.changed(session(i, `SENDER${i}`, { isForeign: true, kinds: ['\u0001'.repeat(8000)] }))
  process.tellAll()
  expect(Math.max(...sizes)).toBeLessThan(1024 * 1024)
  expect([heard.hears('GATEWAY0', 'write'), heard.hears('GATEWAY4999', 'write')]).toEqual([true, true])
})

test('after a lost frame, the changes that follow ask for everything once, until it comes or is late', () => {
  let isLost = true
  const { asked, clock, teller } = opened(() => isLost)
  const process = teller('a')
  process.tellAll()
  isLost = false
  for (let i = 0; i < 100; i++) process.changed(session(i, `GATEWAY${i}`))
  expect(asked).toEqual(['a'])
  clock.now = 1000
  process.changed(session(100, 'GATEWAY100'))
  expect(asked).toEqual(['a', 'a'])
})
