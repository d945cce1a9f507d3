import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { ApplicationTag } from '@bacnet-js/client'
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import {
  analogInput,
  analogOutput,
  binaryValue,
  deviceObject,
  multiStateValue,
  objectList,
  objectName,
  presentValue,
  startBacnet,
  units,
} from '../../testing/bacnet-device.ts'
import { channelRow, pointRow, readAll } from '../../testing/rows.ts'
import { conformance, type Peer } from '../conformance.ts'
import type { Arrived, DeviceRow, PointRow } from '../driver.ts'
import { bacnet } from './driver.ts'
import { meaningOf, readAnswer, readMessage, readMultipleAnswer } from './frames.ts'
import { Garbled } from './tags.ts'

const timeout = 60
const deviceRow = (Instance: number, more: Record<string, number> = {}): DeviceRow => ({
  ...{ Id: 1, DeviceName: 'controller', CommType: 0, ChannelId: 1, SlaveNumber: 1 },
  Settings: { Instance, ...more },
})
const startPeer = async (): Promise<Peer> => {
  // A second device, which is found and then never answers.
  const mute = createSocket('udp4').bind(0, '127.0.0.1')
  await once(mute, 'listening')
  const device = await startBacnet({ lateMs: timeout * 1.5, beside: { instance: 1002, port: mute.address().port } })
  for (let n = 1; n <= 100; n++) device.real(n, n, analogOutput)
  return {
    ...device,
    channel: { ProtocolType: 90, Ip: '127.0.0.1', Port: device.port, Settings: { LocalPort: 0 } },
    devices: [deviceRow(device.instance), { ...deviceRow(1002), Id: 2 }],
    close: () => {
      mute.close()
      device.close()
    },
    hung: (n) => pointRow(n, 'analogOutput:1', { CollectPeriod: 20, Timeout: timeout, DeviceId: 2 }),
    point: (n, change = {}) => pointRow(n, `analogOutput:${n}`, { ReadWriteType: 1, CollectPeriod: 20, Timeout: timeout, ...change }),
    value: (n) => Number(device.held(analogOutput, n)),
  }
}
conformance('BACnet/IP', bacnet, startPeer)

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})
const open = async (options: Parameters<typeof startBacnet>[0] = {}, settings: Record<string, number> = {}) => {
  const device = await startBacnet(options)
  closing.push(device.close)
  const channel = channelRow(device.port, { ProtocolType: 90, Settings: { LocalPort: 0 } })
  const driver = bacnet({ channel, devices: [deviceRow(device.instance, settings)], now: Date.now, changed: () => {} })
  closing.push(() => driver.close())
  await driver.connect()
  const read = (...points: PointRow[]) => readAll(driver, points)
  return { device, driver, read }
}

test('reads values of every type with the flags of their objects, and properties by name', async () => {
  const { device, read } = await open()
  device.real(1, 21.7)
  device.flags(analogInput, 1, 0)
  device.real(2, 5)
  device.flags(analogInput, 2, 0b0010)
  device.real(3, 6)
  device.flags(analogInput, 3, 0b1000)
  device.set(binaryValue, 1, presentValue, { type: ApplicationTag.ENUMERATED, value: 1 })
  device.set(multiStateValue, 1, presentValue, { type: ApplicationTag.UNSIGNED_INTEGER, value: 70_000 })
  device.set(45, 1, presentValue, { type: ApplicationTag.SIGNED_INTEGER, value: -7 })
  device.set(46, 1, presentValue, { type: ApplicationTag.DOUBLE, value: 1.25 })
  device.set(40, 1, presentValue, { type: ApplicationTag.CHARACTER_STRING, value: '21.5 °C' })
  device.set(analogInput, 1, 103, { type: ApplicationTag.ENUMERATED, value: 4 })
  device.set(analogInput, 1, 81, { type: ApplicationTag.BOOLEAN, value: true })
  const addresses = [
    ...['analogInput:1', 'analogInput:2', 'analogInput:3', 'binaryValue:1', 'multiStateValue:1', 'integerValue:1', 'largeAnalogValue:1'],
    ...['characterstringValue:1', 'analogInput:1/reliability', 'analogInput:1/outOfService', 'analogInput:3/statusFlags'],
    ...['analogInput:9', 'analogInput:1/highLimit'],
  ]
  expect(await read(...addresses.map((address, i) => pointRow(i + 1, address)))).toEqual([
    ...[
      [21.7, 0],
      [null, 3],
      [6, 1],
      [1, 0],
      [70_000, 0],
      [-7, 0],
      [1.25, 0],
      [21.5, 0],
      [4, 0],
      [1, 0],
      [8, 0],
    ],
    ...[
      [null, 4],
      [null, 4],
    ],
  ])
})

test('asks for less where an answer does not fit, and for one property at a time where the device knows no more', async () => {
  const points = Array.from({ length: 20 }, (_, i) => pointRow(i + 1, `analogInput:${i + 1}`))
  const fill = (device: { real(n: number, value: number): void }) => {
    for (const { Id } of points) device.real(Id, Id)
  }
  const small = await open({ largest: 10 })
  fill(small.device)
  expect(await small.read(...points)).toEqual(points.map(({ Id }) => [Id, 0]))
  expect(small.device.asked).toEqual([40, 20, 10, 10, 10, 10])
  const simple = await open({ isSimple: true })
  fill(simple.device)
  expect(await simple.read(...points, pointRow(99, 'analogInput:99'))).toEqual([...points.map(({ Id }) => [Id, 0]), [null, 4]])
  expect(new Set(simple.device.asked)).toEqual(new Set([1]))
})

test('writes in the type that the property has, with the priority of the device', async () => {
  const { device, driver } = await open({}, { WritePriority: 8 })
  device.real(1, 0, analogOutput)
  device.set(binaryValue, 1, presentValue, { type: ApplicationTag.ENUMERATED, value: 0 })
  device.set(multiStateValue, 1, presentValue, { type: ApplicationTag.UNSIGNED_INTEGER, value: 1 })
  await driver.write(pointRow(1, 'analogOutput:1'), 12.5)
  await driver.write(pointRow(1, 'binaryValue:1'), 1)
  await driver.write(pointRow(1, 'multiStateValue:1'), 300)
  expect(device.written.map(({ value, priority }) => [value, priority])).toEqual([
    [12.5, 8],
    [1, 8],
    [300, 8],
  ])
  await expect(driver.write(pointRow(1, 'multiStateValue:1'), -1)).rejects.toThrow(RangeError)
  await expect(driver.write(pointRow(1, 'analogOutput:9'), 1)).rejects.toMatchObject({ kind: 'address' })
  device.behave('refused')
  await expect(driver.write(pointRow(1, 'analogOutput:1'), 1)).rejects.toMatchObject({ kind: 'refused' })
})

test('values that change come by themselves, and are asked for where a device tells none', async () => {
  const changing = (n: number) => pointRow(n, `analogInput:${n}`, { CollectType: 2, CollectPeriod: 100, Timeout: 200 })
  const { device, driver } = await open()
  device.real(1, 5)
  device.real(2, 6)
  expect([changing(1), pointRow(1, 'analogInput:1')].map((point) => driver.listens!(point))).toEqual([true, false])
  const arrived: Arrived[] = []
  const last = (n: number) => arrived.findLast(({ point }) => point.Id === n)?.reading
  await driver.listen!([changing(1), changing(2), changing(3)], (some) => void arrived.push(...some))
  await expect
    .poll(() => [last(1), last(2), last(3)])
    .toEqual([
      { value: 5, quality: 0 },
      { value: 6, quality: 0 },
      { value: null, quality: 4 },
    ])
  device.real(1, 5.5)
  await expect.poll(() => last(1)?.value).toBe(5.5)
  device.real(3, 7)
  await expect.poll(() => last(3)?.value).toBe(7)
  const before = arrived.length
  driver.close()
  device.real(1, 9)
  await new Promise((resolve) => setTimeout(resolve, 150))
  expect(arrived.length).toBe(before)
})

test('objects of a device are listed with their names, units and what can be written', async () => {
  const { device, driver } = await open()
  const list = [
    [deviceObject, 1001],
    [analogInput, 3],
    [binaryValue, 1],
  ].map(([type, instance]) => ({ type: ApplicationTag.OBJECTIDENTIFIER, value: { type, instance } }))
  device.set(deviceObject, device.instance, objectList, ...list)
  device.real(3, 1)
  device.set(analogInput, 3, objectName, { type: ApplicationTag.CHARACTER_STRING, value: 'Supply air' })
  device.set(analogInput, 3, units, { type: ApplicationTag.ENUMERATED, value: 62 })
  expect(await driver.browse!()).toEqual([{ id: 'device:1001', name: 'device:1001', hasMore: true }])
  expect(await driver.browse!('device:1001')).toEqual([
    { id: 'device:1001/analogInput:3', name: 'Supply air', hasMore: false, address: 'analogInput:3', isWritable: false, unit: '°C' },
    { id: 'device:1001/binaryValue:1', name: 'binaryValue:1', hasMore: false, address: 'binaryValue:1', isWritable: true },
  ])
  await expect(driver.browse!('device:7')).rejects.toMatchObject({ kind: 'address' })
})

test('registers with a BBMD and looks for its devices through it, behind a router too', async () => {
  const device = await startBacnet({ instance: 77 })
  device.real(1, 4)
  const bbmd = createSocket('udp4').bind(0, '127.0.0.1')
  await once(bbmd, 'listening')
  closing.push(() => bbmd.close(), device.close)
  const heard: number[] = []
  bbmd.on('message', (bytes, from) => {
    heard.push(bytes[1]!)
    if (bytes[1] === 5) bbmd.send(Buffer.of(0x81, 0, 0, 6, 0, 0), from.port, from.address)
    if (bytes[1] !== 9) return
    const iAm = Buffer.from('0100 1000 c402 0000 4d 2205c4 9103 21 0a'.replaceAll(' ', ''), 'hex')
    const head = Buffer.of(0x81, 4, 0, 10 + iAm.length, 127, 0, 0, 1, device.port >> 8, device.port & 255)
    bbmd.send(Buffer.concat([head, iAm]), from.port, from.address)
  })
  const channel = channelRow(bbmd.address().port, { ProtocolType: 90, Settings: { LocalPort: 0, IsForeign: 1 } })
  const driver = bacnet({ channel, devices: [deviceRow(77)], now: Date.now, changed: () => {} })
  closing.push(() => driver.close())
  await driver.connect()
  expect(heard).toEqual([5, 9])
  expect(await driver.read(driver.plan([pointRow(1, 'analogInput:1')])[0]!)).toEqual([{ value: 4, quality: 0 }])
  // I am 5 of a device with address 7 on network 300, from its router.
  const routed = readMessage(Buffer.from('810b0018 0108 012c 01 07 1000 c402000005 2205c4 9103 210a'.replaceAll(' ', ''), 'hex'))
  expect(routed).toEqual({ kind: 'iAm', instance: 5, place: { network: 300, address: Buffer.of(7) } })
})

test('a BBMD that refuses is a reason', async () => {
  const bbmd = createSocket('udp4').bind(0, '127.0.0.1')
  await once(bbmd, 'listening')
  closing.push(() => bbmd.close())
  bbmd.on('message', (_bytes, from) => bbmd.send(Buffer.of(0x81, 0, 0, 6, 0, 0x30), from.port, from.address))
  const channel = channelRow(bbmd.address().port, { ProtocolType: 90, Settings: { LocalPort: 0, IsForeign: 1 } })
  const driver = bacnet({ channel, devices: [deviceRow(77)], now: Date.now, changed: () => {} })
  await expect(driver.connect()).rejects.toMatchObject({ kind: 'down', message: expect.stringContaining('refuses to register') })
  expect(driver.connected).toBe(false)
})

test('bytes of any kind are a message or garbage, with a meaning', () => {
  const answer = Buffer.from('810a001f010030010e0c000000011e29554e444142000000 4f2955 4e44 1f'.replaceAll(' ', ''), 'hex')
  const told = vi.fn()
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), fc.nat(answer.length), (bytes, kept) => {
      const given = Buffer.concat([answer.subarray(0, kept), bytes])
      if (kept >= 4) given.writeUInt16BE(given.length, 2)
      expect(meaningOf(given, kept % 2 === 0).length).toBeGreaterThan(3)
      try {
        const message = readMessage(given)
        if (message.kind === 'ack') (message.choice === 14 ? readMultipleAnswer : readAnswer)(message.body)
        told()
      } catch (error) {
        expect(error).toBeInstanceOf(Garbled)
      }
    }),
    { numRuns: 4000 },
  )
  expect(told).toHaveBeenCalled()
})
