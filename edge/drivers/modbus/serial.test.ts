import { afterEach, describe, expect, test } from 'vitest'
import { Channel } from '../../poll/channel.ts'
import type { Item } from '../../poll/taking.ts'
import { modbusWords } from '../../testing/modbusWords.ts'
import { channelRow, pointRow } from '../../testing/plc.ts'
import { hasPty, openPty } from '../../testing/pty.ts'
import type { Behaviour } from '../../testing/raw.ts'
import { conformance, type Peer } from '../conformance.ts'
import { openPorts, silenceOf, triedPort } from '../serial.ts'
import { modbus } from './driver.ts'
import { ascii, type Framing, rtu } from './frames.ts'

const timeout = 120
const row = (path: string, ProtocolType = 1) => channelRow(0, { CommType: 1, ProtocolType, SerialPort: path, BaudRate: 115_200 })

/** A meter on a serial line, with words 1 to 100; `echoes`: its adapter echoes requests. */
const startMeter = async (framing: Framing, { echoes = false } = {}) => {
  const { words, answer: answerOf, refusal } = modbusWords()
  let how: Behaviour = 'good'
  let received = Buffer.alloc(0)
  const answer = (pdu: Buffer) => (how === 'refused' ? refusal(pdu, 4) : answerOf(pdu))
  /** The first complete request: eight bytes of RTU, a line of ASCII. */
  const takeRequest = () => {
    const length = framing === rtu ? 8 : received.indexOf('\n') + 1
    if (!length || received.length < length) return undefined
    const request = received.subarray(0, length)
    received = received.subarray(length)
    return framing === rtu ? request.subarray(0, -2) : Buffer.from(request.toString('latin1', 1, length - 2), 'hex').subarray(0, -1)
  }
  const line = await openPty((bytes) => {
    if (echoes) line.say(bytes)
    received = Buffer.concat([received, bytes])
    for (let request = takeRequest(); request; request = takeRequest()) {
      if (request[0] !== 1 || how === 'silent') continue
      const frame = framing.wrap(1, answer(request.subarray(1)), 0)
      // Well before the line counts as quiet again: a busy machine delays it on its way.
      if (how === 'late') setTimeout(() => line.say(frame), timeout * 1.2)
      else if (how === 'cut') line.say(frame.subarray(0, -1))
      else {
        if (how === 'garbled') frame[frame.length - 3]! ^= 0x55
        line.say(frame)
      }
    }
  })
  const point = (n: number, change = {}) => pointRow(n, n, { ReadWriteType: 1, CollectPeriod: 20, Timeout: timeout, ...change })
  return {
    line,
    words,
    point,
    hung: (n: number) => point(n, { SlaveNumber: 2, DeviceId: 2 }),
    behave: (next: Behaviour) => {
      how = next
    },
  }
}
const startPeer = (framing: Framing, ProtocolType: number) => async (): Promise<Peer> => {
  const meter = await startMeter(framing)
  return {
    ...meter,
    channel: row(meter.line.path, ProtocolType),
    value: (n) => meter.words.get(n)!,
    // A line has no connection to lose; another test covers an unplugged port.
    cut: () => {},
    connections: openPorts,
    close: meter.line.close,
  }
}

test('the silence between frames is 3.5 characters, and 1.75 ms from 19,200 on', () => {
  expect([silenceOf(9600), silenceOf(19_200), silenceOf(115_200)]).toEqual([expect.closeTo(4.01, 2), 1.75, 1.75])
})

describe.skipIf(!hasPty)('on a serial line (skipped without python3)', () => {
  conformance('Modbus RTU', modbus, startPeer(rtu, 1))
  conformance('Modbus ASCII', modbus, startPeer(ascii, 2))

  const closing: (() => unknown)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
  })
  const start = async (options = {}) => {
    const meter = await startMeter(rtu, options)
    closing.push(meter.line.close)
    return meter
  }
  const run = (path: string, points: ReturnType<typeof pointRow>[], change: object = {}) => {
    const items: Item[] = []
    const told: [boolean, string][] = []
    const channel = { ...row(path), ...change }
    const polled = new Channel({
      channel,
      points,
      open: (changed) => modbus({ channel, changed }),
      now: Date.now,
      emit: (item) => void items.push(item),
      onChannel: (isUp, why) => void told.push([isUp, why]),
      onDevice: () => {},
      onFirst: () => {},
      reconnectMs: { min: 5, max: 20 },
    })
    closing.push(() => polled.close())
    polled.start()
    return { polled, items, told, last: (n: number) => items.findLast(({ V }) => n in V)?.V[n] }
  }
  const within = { timeout: 60_000, interval: 10 }

  test('two channels of one setting share a port, and one of another setting is refused', async () => {
    const meter = await start()
    const [a, b] = [run(meter.line.path, [meter.point(1)]), run(meter.line.path, [meter.point(2)], { Id: 2 })]
    await expect.poll(() => [a.last(1), b.last(2)], within).toEqual([1, 2])
    expect(openPorts()).toBe(1)
    const c = run(meter.line.path, [meter.point(3)], { Id: 3, BaudRate: 9600 })
    await expect.poll(() => c.told[0]?.[1], within).toMatch(/another setting/)
  })

  test('a port that is unplugged is told, and opens again when it is back', async () => {
    const meter = await start()
    const { last, told } = run(meter.line.path, [meter.point(1)])
    await expect.poll(() => last(1), within).toBe(1)
    await meter.line.unplug()
    await expect.poll(() => last(1), within).toBeNull()
    await expect.poll(() => told.at(-1)?.[0], within).toBe(false)
    await meter.line.plug()
    await expect.poll(() => last(1), within).toBe(1)
    await expect.poll(() => told.at(-1)?.[0], within).toBe(true)
  })

  test('an adapter that repeats what we send is understood, and its echo is no confirmation of a write', async () => {
    const meter = await start({ echoes: true })
    const { last, polled } = run(meter.line.path, [meter.point(1)])
    await expect.poll(() => last(1), within).toBe(1)
    expect(await polled.write(meter.point(5), 55, true)).toMatchObject({ value: 55, quality: 0 })
    meter.behave('silent')
    await expect(polled.write(meter.point(5), 66, false)).rejects.toMatchObject({ kind: 'silent' })
    expect(meter.words.get(5)).toBe(55)
  })

  test('a net test opens the port, and says why it cannot', async () => {
    const meter = await start()
    expect(await triedPort(meter.line.path)).toBeUndefined()
    expect(await triedPort(`${meter.line.path}9`)).toMatch(/No such file/)
    expect(openPorts()).toBe(0)
  })
})
