import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { Channel } from '../../poll/channel.ts'
import type { Item } from '../../poll/taking.ts'
import { asdu, cp56, object, scaled, startStation } from '../../testing/outstation.ts'
import { channelRow, pointRow } from '../../testing/rows.ts'
import { conformance, type Peer } from '../conformance.ts'
import type { PointRow } from '../driver.ts'
import { iec104 } from './driver.ts'
import { commandAsdu, Garbled, iFrame, meaningOf, readAsdu, sFrame, takeApdu, uFrame } from './frames.ts'

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex')
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})
const within = { timeout: 60_000, interval: 10 }
const station = (Id: number, CommonAddress: number) => ({
  ...{ Id, DeviceName: `Station ${CommonAddress}`, CommType: 0, ChannelId: 1, SlaveNumber: 1 },
  Settings: { CommonAddress },
})
const quick = { T0: 1, T1: 1, T2: 1, T3: 1, CounterMinutes: 0 }

const peer = async (): Promise<Peer> => {
  const values = Array.from({ length: 100 }, (_, i) => i + 1)
  const slices = [values.slice(0, 40), values.slice(40, 80), values.slice(80)]
  const made = await startStation({
    answer: () =>
      slices.map((some) =>
        asdu(
          11,
          20,
          1,
          some.map((n) => scaled(n, n)),
        ),
      ),
  })
  return {
    ...made,
    channel: { ProtocolType: 50, Ip: '127.0.0.1', Port: made.port, Settings: quick },
    devices: [station(1, 1)],
    point: (n, change = {}) => pointRow(n, n, { Timeout: 300, ...change }),
    value: (n) => n,
  }
}
// A station refuses commands, of which there are none here; what is garbled ends the connection.
conformance('IEC 104', iec104, peer, { without: ['refused', 'garbled'], isReadOnly: true })

describe('frames', () => {
  test('are those of the standard', () => {
    expect(uFrame(7)).toEqual(bytes('68 04 07 00 00 00'))
    expect(sFrame(8)).toEqual(bytes('68 04 01 00 10 00'))
    const interrogation = iFrame(0, 0, commandAsdu(100, 1, 0))
    expect(interrogation).toEqual(bytes('68 0e 00 00 00 00 64 01 06 00 01 00 00 00 00 14'))
    expect(takeApdu(interrogation)).toMatchObject({ kind: 'I', sent: 0, received: 0, length: 16 })
    expect(meaningOf(takeApdu(interrogation)!)).toBe('0: interrogation, cause 6, common address 1')
    expect(takeApdu(interrogation.subarray(0, 9))).toBeUndefined()
    for (const wrong of ['69 04', '68 03', '68 fe']) expect(() => takeApdu(bytes(wrong))).toThrow(Garbled)
  })

  test.each([
    ['single point', 1, '01', 1, 0],
    ['single point, invalid', 1, '81', null, 3],
    ['single point, blocked', 1, '11', 1, 1],
    ['double point, on', 3, '02', 2, 0],
    ['double point, on its way', 3, '00', 0, 1],
    ['normalized', 9, '00 c0 00', -0.5, 0],
    ['scaled, not topical', 11, 'fe ff 40', -2, 1],
    ['scaled, substituted', 11, '02 00 20', 2, 1],
    ['scaled, overflow', 11, 'ff 7f 01', 32_767, 1],
    ['float', 13, '00 00 48 41 00', 12.5, 0],
    ['float, not a number', 13, '00 00 c0 7f 00', null, 3],
    ['counter', 15, '40 e2 01 00 05', 123_456, 0],
    ['counter, invalid', 15, '40 e2 01 00 80', null, 3],
  ])('%s', (_, type, element, value, quality) => {
    expect(readAsdu(asdu(type, 3, 1, [object(16_385, element)])).values).toEqual([{ address: 16_385, value, quality }])
  })

  test('values in a row share an address, those with a time have it, and what is for a test is none', () => {
    const row = Buffer.concat([bytes('01 83 14 00 01 00'), bytes('e8 03 00'), bytes('01 00 01')])
    expect(readAsdu(row).values.map(({ address, value }) => [address, value])).toEqual([
      [1000, 1],
      [1001, 0],
      [1002, 1],
    ])
    const at = Date.UTC(2026, 10, 24, 17, 45, 59, 123)
    expect(readAsdu(asdu(36, 3, 1, [object(7, `00004841 00 ${cp56(at)}`)])).values).toEqual([
      { address: 7, value: 12.5, quality: 0, time: at },
    ])
    const local = readAsdu(asdu(30, 3, 1, [object(7, `01 ${cp56(at)}`)]), true).values[0]!
    expect(local.time).toBe(new Date(2026, 10, 24, 17, 45, 59, 123).getTime())
    expect(readAsdu(asdu(30, 3, 1, [object(7, '01 0000 80 00 01 01 1a')])).values[0]).not.toHaveProperty('time')
    expect(readAsdu(asdu(1, 0x83, 1, [object(7, '01')])).values).toEqual([])
    expect(() => readAsdu(asdu(1, 3, 1, [object(7, '01 00')]))).toThrow(Garbled)
  })

  test('any bytes are a frame, the beginning of one, or garbage', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.constantFrom(0, 1, 2, 6), (given, known) => {
        const stream = Buffer.concat([bytes('68 0e 00 00 00 00 64').subarray(0, known), Buffer.from(given)])
        try {
          const apdu = takeApdu(stream)
          if (!apdu) return
          expect(apdu.length).toBeLessThanOrEqual(stream.length)
          expect(meaningOf(apdu)).not.toBe('')
          if (apdu.kind === 'I') readAsdu(apdu.asdu)
        } catch (error) {
          expect(error).toBeInstanceOf(Garbled)
        }
      }),
      { numRuns: 2000 },
    )
  })
})

type Answer = Parameters<typeof startStation>[0]['answer']
const run = async (answer: Answer, points: PointRow[], settings: object = {}) => {
  const made = await startStation({ answer })
  closing.push(made.close)
  const items: Item[] = []
  const told: [boolean, string][] = []
  const channel = channelRow(made.port, { ProtocolType: 50, Settings: { ...quick, T3: 20, ...settings } })
  const devices = [station(1, 1), station(2, 2)]
  const polled = new Channel({
    ...{ channel, points, now: Date.now, onDevice: () => {}, onFirst: () => {}, reconnectMs: { min: 5, max: 20 } },
    open: (changed) => iec104({ channel, devices, now: Date.now, changed }),
    emit: (item) => void items.push(item),
    onChannel: (isUp, why) => void told.push([isUp, why]),
  })
  closing.push(() => polled.close())
  polled.start()
  const last = (n: number) => {
    const found = items.findLast(({ V }) => n in V)
    return found && [found.V[n], found.Q?.[n] ?? 0]
  }
  const interrogations = (type = 100) => made.heard.filter((frame) => frame[6] === type).length
  return { ...made, items, told, last, interrogations }
}

describe('a station', () => {
  const counters = asdu(15, 37, 1, [object(9, '40e20100 00')])
  const answer: Answer = (type) => (type === 101 ? [counters] : [asdu(11, 20, 1, [scaled(7, 42)])])

  test('is interrogated, with its counters, and then tells changes by itself with their time', async () => {
    const { last, tell, items, interrogations } = await run(answer, [pointRow(1, 7), pointRow(2, 9), pointRow(3, 8)], {
      CounterMinutes: 15,
    })
    await expect
      .poll(() => [last(1), last(2), last(3)], within)
      .toEqual([
        [42, 0],
        [123_456, 0],
        [null, 4],
      ])
    const at = Date.now() - 2000
    tell(asdu(35, 3, 1, [object(7, `2b00 00 ${cp56(at)}`), object(8, `0100 00 ${cp56(at)}`)]))
    await expect
      .poll(() => [last(1), last(3)], within)
      .toEqual([
        [43, 0],
        [1, 0],
      ])
    expect(items.findLast(({ V }) => 1 in V)!.T).toBe(at)
    expect([interrogations(), interrogations(101)]).toEqual([1, 1])
  })

  test('that has lost a frame is left, connected anew and interrogated', async () => {
    const { last, tell, skip, told, interrogations } = await run(answer, [pointRow(1, 7)])
    await expect.poll(() => last(1), within).toEqual([42, 0])
    skip()
    tell(asdu(11, 3, 1, [scaled(7, 99)]))
    await expect.poll(() => interrogations(), within).toBe(2)
    await expect.poll(() => last(1), within).toEqual([42, 0])
    expect(told.every(([isUp]) => isUp)).toBe(true)
  })

  test('has its frames acknowledged after w of them or t2, and is tested after silence', async () => {
    const { heard, tell, last } = await run(answer, [pointRow(1, 7)], { W: 4, T3: 1 })
    await expect.poll(() => last(1), within).toEqual([42, 0])
    const acknowledged = () => heard.filter((frame) => frame[2] === 1).map((frame) => frame.readUInt16LE(4) >> 1)
    // Three of the interrogation, and one more.
    tell(asdu(11, 3, 1, [scaled(7, 1)]))
    await expect.poll(acknowledged, within).toEqual([4])
    tell(asdu(11, 3, 1, [scaled(7, 2)]))
    await expect.poll(acknowledged, within).toEqual([4, 5])
    await expect.poll(() => heard.some((frame) => frame[2] === 0x43), within).toBe(true)
    expect(last(1)).toEqual([2, 0])
  })

  test('that is unknown or refuses spoils none beside it', async () => {
    const points = [pointRow(1, 7), pointRow(2, 7, { DeviceId: 2 })]
    const unknown = await run((type, common) => (common === 2 ? { cause: 46 } : answer(type, common)), points)
    await expect
      .poll(() => [unknown.last(1), unknown.last(2)], within)
      .toEqual([
        [42, 0],
        [null, 4],
      ])
    const refusing = await run((type, common) => (common === 2 ? { cause: 0x47 } : answer(type, common)), points)
    await expect
      .poll(() => [refusing.last(1), refusing.last(2)], within)
      .toEqual([
        [42, 0],
        [null, 3],
      ])
  })

  test('that says garbage, or acknowledges what was never sent, is connected anew', async () => {
    const { last, blurt, interrogations } = await run(answer, [pointRow(1, 7)])
    await expect.poll(() => last(1), within).toEqual([42, 0])
    blurt(bytes('00 01 02'))
    await expect.poll(() => interrogations(), within).toBe(2)
    await expect.poll(() => last(1), within).toEqual([42, 0])
    blurt(sFrame(9))
    await expect.poll(() => interrogations(), within).toBe(3)
  })
})
