import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dataTypes } from '../../../../contract/data-types.ts'
import { canonical } from '../../../../contract/gateway-config.ts'
import { type Channel, type Config, configHash, type Device, type Part, type Point, partsOf } from './config.ts'
import { fits } from './points.ts'
import { precheck } from './precheck.ts'

const net = (Id: number, more: Partial<Channel> = {}): Channel => ({
  ...{ Id, CommType: 0, ProtocolType: 0, Ip: `10.0.0.${Id}`, Port: 502, InterFrameMs: 0, RetryCount: 3 },
  ...more,
})
const serial = (Id: number, more: Partial<Channel> = {}): Channel => ({
  ...{
    Id,
    CommType: 1,
    ProtocolType: 1,
    SerialPort: '/dev/ttyS0',
    BaudRate: 9600,
    DataBits: 8,
    StopBits: 1,
    Parity: 0,
    InterFrameMs: 0,
    RetryCount: 3,
  },
  ...more,
})
const device = (Id: number, channel: Channel, more: Partial<Device> = {}): Device => ({
  ...{ Id, DeviceName: `device ${Id}`, CommType: channel.CommType, ChannelId: channel.Id, SlaveNumber: 1 },
  ...more,
})
const point = (Id: number, DeviceId: number, more: Partial<Point> = {}): Point => ({
  ...{
    Row: Id,
    Id,
    DeviceId,
    ParaName: `point ${Id}`,
    ReadWriteType: 0,
    RegisterType: 4,
    ParaDataType: 7,
    Address: String(2 * Id),
    SlaveNumber: 1,
  },
  ...{ SampleLow: null, SampleHigh: null, ProjectLow: null, ProjectHigh: null, DecimalDigits: 2, UploadMode: 1, CollectPeriod: 1000 },
  ...{ IntervalTime: 0, Timeout: 1000, UploadPeriod: 60, CollectType: 0, IsCache: 0 },
  ...more,
})
const config = (Channels: Channel[], Devices: Device[], Points: Point[]): Config => ({
  HeartbeatPeriod: 60,
  ...{ Channels, Devices, Points },
  names: new Map(Channels.map((c) => [`${c.CommType}/${c.Id}`, `channel ${c.Id}`])),
  hasChannels: Channels.length > 0,
  capabilities: null,
  sealed: new Map(),
})
const both = (a: Channel, b: Channel) => config([a, b], [device(1, a), device(2, b)], [point(1, 1), point(2, 2)])
const verdict = (c: Config) => {
  const found = precheck(c)
  return found ? [found.Code, ...found.Detail.map((d) => [d.Row, d.Field, d.Reason])] : 'fine'
}

test('two channels, two devices, two points are fine', () => {
  expect(verdict(both(net(1), net(2)))).toBe('fine')
  expect(verdict(both(net(1), serial(1)))).toBe('fine')
  expect(verdict(both(serial(1), serial(2)))).toBe('fine')
})

test('each result code of the specification has its cause', () => {
  expect(verdict(config([], [], []))).toEqual([999, [0, 'NetProtocolId', 'noChannel']])
  expect(verdict(config([net(1)], [], []))).toEqual([999, [0, 'Points', 'noPoints']])
  expect(verdict(both(net(1), net(2, { Ip: '' })))).toEqual([13, [0, 'Ip', 'noAddress']])
  expect(verdict(both(net(1), net(2, { Ip: '10.0.0.1' })))).toEqual([14, [0, 'Ip', 'targetTwice']])
  expect(verdict(both(net(1), net(2, { Ip: '10.0.0.1', Port: 503 })))).toBe('fine')
  expect(verdict(both(serial(1), serial(2, { Parity: 2 })))).toEqual([11, [0, 'SerialPort', 'portTwice']])
  expect(verdict(both(serial(1), serial(2, { SerialPort: '/dev/ttyS1', Parity: 2 })))).toBe('fine')
  expect(verdict(both(serial(1), serial(2, { SerialPort: '/dev/ttyS1', BaudRate: 12345 })))).toEqual([9, [0, 'BaudRate', 'badBaudRate']])
  const c = net(1)
  expect(verdict(config([c], [device(1, c), device(2, c, { ChannelId: 0 })], [point(1, 1), point(2, 2)]))).toEqual([
    9,
    [0, 'NetProtocolId', 'deviceWithoutChannel'],
  ])
})

test('rows are named by their place, with each thing that is wrong', () => {
  const c = net(1)
  const rows: [string, Partial<Point>][] = [
    ['ParaDataType', { RegisterType: 0, ParaDataType: 7 }],
    ['Address', { RegisterType: 1, ParaDataType: 0, Address: '5.1' }],
    ['Address', { ParaDataType: 0, Address: '100' }],
    ['Address', { ParaDataType: 1, Address: '101.3' }],
    ['Address', { ParaDataType: 3, Address: '65535' }],
    ['ReadWriteType', { RegisterType: 3, ReadWriteType: 1 }],
  ]
  const points = rows.map(([, wrong], i) => point(i + 1, 1, wrong))
  expect(verdict(config([c], [device(1, c)], points))).toEqual([10, ...rows.map(([field], i) => [i + 1, field, expect.any(String)])])
})

test('one address is read once on a bus, by two devices as well; other slaves, types and bits are other places', () => {
  const c = net(1)
  const devices = [device(1, c), device(2, c)]
  const pair = (a: Partial<Point>, b: Partial<Point>) =>
    verdict(config([c], devices, [point(1, 1, { Address: '8', ...a }), point(2, 2, { Address: '8', ...b })]))
  expect(pair({}, {})).toEqual([10, [2, 'Address', 'addressTwice']])
  expect(pair({}, { SlaveNumber: 2 })).toBe('fine')
  expect(pair({}, { RegisterType: 3 })).toBe('fine')
  expect(pair({ ParaDataType: 0, Address: '8.1' }, { ParaDataType: 0, Address: '8.2' })).toBe('fine')
})

test('parts hold everything once, in order, and keep to their size whatever the sizes are', async () => {
  const c = net(1)
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ maxLength: 50 }), { maxLength: 200 }),
      fc.integer({ min: 600, max: 20_000 }),
      async (names, most) => {
        const whole: Part = { Channels: [c], Devices: [device(1, c)], Points: names.map((ParaName, i) => point(i + 1, 1, { ParaName })) }
        const parts = partsOf(whole, most)
        const joined = {
          Channels: parts.flatMap((p) => p.Channels),
          Devices: parts.flatMap((p) => p.Devices),
          Points: parts.flatMap((p) => p.Points),
        }
        expect(joined).toEqual(whole)
        expect(await configHash(joined)).toBe(createHash('sha256').update(canonical(whole)).digest('hex'))
        for (const part of parts) expect(Buffer.byteLength(JSON.stringify(part))).toBeLessThan(Math.max(most, 1200) + 60)
      },
    ),
  )
})

test('a value fits when its raw number is one of the type', () => {
  const range = { SampleLow: 4, SampleHigh: 20, ProjectLow: 0, ProjectHigh: 160 }
  const none = { SampleLow: null, SampleHigh: null, ProjectLow: null, ProjectHigh: null }
  const at = (ParaDataType: (typeof dataTypes)[number], value: number, scaling: object = none) =>
    fits({ ...none, ...scaling, ParaDataType }, value)
  expect([at(0, 0), at(0, 1), at(0, 2), at(0, 0.5)]).toEqual([true, true, false, false])
  expect([at(1, -32768), at(1, -32769), at(31, 32767), at(31, 32768)]).toEqual([true, false, true, false])
  expect([at(2, 65535), at(32, 65536), at(2, -1)]).toEqual([true, false, false])
  expect([at(3, 2 ** 31 - 1), at(6, 2 ** 31), at(33, 2 ** 32 - 1), at(36, 2 ** 32)]).toEqual([true, false, true, false])
  expect([at(7, 3.4e38), at(10, 3.5e38), at(8, -3.5e38)]).toEqual([true, false, false])
  expect([at(2, 160, range), at(2, -40, range), at(2, -46, range)]).toEqual([true, true, false])
})

test('what fits a type scales back to it, for every type', () => {
  fc.assert(
    fc.property(fc.constantFrom(...dataTypes), fc.double({ min: -1e10, max: 1e10, noNaN: true }), (ParaDataType, value) => {
      const isWhole = ParaDataType !== 0 && (ParaDataType < 7 || ParaDataType > 10)
      const wide = { ParaDataType, SampleLow: 0, SampleHigh: 100, ProjectLow: 0, ProjectHigh: 1 }
      const plain = { ParaDataType, SampleLow: null, SampleHigh: null, ProjectLow: null, ProjectHigh: null }
      if (isWhole) expect(fits(wide, value / 100)).toBe(fits(plain, Math.round((value / 100) * 100)))
    }),
  )
})

test('the hash of a large configuration lets other calls run', async () => {
  const c = net(1)
  const Points = Array.from({ length: 20_000 }, (_, i) => point(i + 1, 1, { ParaName: `P${i}` }))
  let turns = 0
  let isDone = false
  const turn = () => {
    turns++
    if (!isDone) setImmediate(turn)
  }
  setImmediate(turn)
  await configHash({ Channels: [c], Devices: [device(1, c)], Points })
  isDone = true
  expect(turns).toBeGreaterThan(15)
})
