// Charts may request half a million entries, several ranges at once, and their readers may leave them unread.
import net from 'node:net'
import { expect, test } from 'vitest'
import { ownServer } from '../faults/own-server.ts'
import { makePlant } from '../faults/plant.ts'
import { startSenders } from '../faults/senders.ts'
import { until } from '../front-door.ts'
import { latenessOf } from './least.ts'

const own = ownServer()
const lateness = latenessOf(own)
const hour = 3_600_000
type Answer = { Step: number; Series: { Time: number[] }[]; Compared?: Answer[] }

test('ranges that are compared share the entries of an answer', async () => {
  const [source] = await makePlant(own.door, 1, 100, 'SHARED')
  const End = Date.UTC(2026, 0, 31)
  const range = { ParaIds: source!.points, Start: End - 24 * hour, End, Buckets: 10_000 }
  const Compare = [1, 2, 3, 4, 5, 6, 7, 8].map((days) => range.Start - days * 24 * hour)
  for (const path of ['Data', 'CalculateData']) {
    const buckets = async (more: object) => {
      const { Step } = await own.door.data<Answer>('POST', `/DataCenter/ReportData/${path}`, { ...range, ...more })
      return (24 * hour) / Step
    }
    expect(await buckets({}), path).toBeLessThanOrEqual(5000)
    expect(await buckets({ Compare }), path).toBeLessThanOrEqual(556)
  }
}, 200_000)

test('nobody waits while large charts of a company are written', async () => {
  const [source] = await makePlant(own.door, 1, 100, 'LARGE')
  const base = Date.now() - hour
  const senders = startSenders([source!], { port: own.process.mqttPort, messagesPerSecond: 100, kind: 'history', base, stepMs: 1000 })
  await until('readings', () => senders.ackedCount() >= 800)
  await senders.stop()
  const Compare = Array.from({ length: 8 }, (_, i) => base - i - 1)
  const asked = (ParaIds: number[]) => ({
    ...{ ParaIds, Start: base, End: base + hour, Buckets: 5000 },
    ...(ParaIds.length > 1 ? { Compare } : {}),
  })
  const ask = (ParaIds: number[]) => own.door.data<Answer>('POST', '/DataCenter/ReportData/Data', asked(ParaIds))
  await until('all of them', async () => (await ask(source!.points.slice(0, 1))).Series[0]!.Time.length >= 800)
  const late = await lateness(150, async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask(source!.points)))
    for (const { Series, Compared } of answers) expect([Series.length, Compared?.length]).toEqual([100, 8])
  })
  expect(late).toBeLessThan(150)
  // One that stays unread keeps no turn.
  const body = JSON.stringify(asked(source!.points))
  const unread = net.connect(own.process.port, '127.0.0.1')
  const head = `POST /api/DataCenter/ReportData/Data HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${own.door.admin}`
  unread.write(`${head}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
  await new Promise((begun) => unread.once('data', begun))
  unread.pause()
  const began = performance.now()
  await ask(source!.points)
  expect(performance.now() - began).toBeLessThan(20_000)
  unread.destroy()
}, 400_000)
