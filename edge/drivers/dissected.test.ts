// Frames of our drivers as Wireshark's dissectors read them: none malformed, and what they name is what was asked for.
import { afterEach, expect, test } from 'vitest'
import { analogOutput, startBacnet } from '../testing/bacnet-device.ts'
import { type Dissected, dissect, hasTshark, tapTcp, tapUdp } from '../testing/capture.ts'
import { asdu, scaled, startStation } from '../testing/outstation.ts'
import { channelRow, pointRow, readAll } from '../testing/rows.ts'
import { startS7 } from '../testing/s7-plc.ts'
import { startSnmpAgent, whole } from '../testing/snmp-agent.ts'
import { bacnet } from './bacnet/driver.ts'
import type { DeviceRow, OpenDriver, PointRow } from './driver.ts'
import { iec104 } from './iec104/driver.ts'
import { s7 } from './s7/driver.ts'
import { snmp } from './snmp/driver.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})
const closed = <T extends { close(): unknown }>(opened: T): T => {
  closing.push(() => opened.close())
  return opened
}
type Given = { type: number; port: number; settings?: Record<string, string | number>; devices?: DeviceRow[] }
const open = async (openDriver: OpenDriver, { type, port, settings, devices = [] }: Given) => {
  const channel = channelRow(port, { ProtocolType: type, ...(settings && { Settings: settings }) })
  const driver = closed(openDriver({ channel, devices, now: Date.now, changed: () => {} }))
  await driver.connect()
  return driver
}
const deviceOf = (Settings: NonNullable<DeviceRow['Settings']>): DeviceRow => ({
  ...{ Id: 1, DeviceName: 'Device', CommType: 0, ChannelId: 1, SlaveNumber: 1, Settings },
})
/** Of each frame: none is malformed, and all are of the protocol; answers with the values of the fields. */
const sound = (frames: readonly Dissected[], protocol: string) => {
  expect(frames.length).toBeGreaterThan(0)
  expect(frames.filter(({ isMalformed, protocols }) => isMalformed || !protocols.includes(protocol))).toEqual([])
  return frames.map(({ fields }) => fields)
}
const dissected = test.skipIf(!hasTshark)

dissected('S7: frames that open, read and write (skipped without tshark)', async () => {
  const plc = closed(await startS7())
  const tap = closed(await tapTcp(plc.port))
  plc.area(0x84, 7, Buffer.alloc(120))
  plc.area(0x83, 0, Buffer.alloc(20))
  const driver = await open(s7, { type: 70, port: tap.port })
  const real = pointRow(2, 'DB7.DBD100', { ParaDataType: 7, ReadWriteType: 1 })
  const bit = pointRow(4, 'DB7.DBX0.3', { ParaDataType: 0, ReadWriteType: 1 })
  const points: PointRow[] = [pointRow(1, 'DB7.DBW8'), real, pointRow(3, 'MW2'), bit]
  expect((await readAll(driver, points)).map((one) => one?.[1])).toEqual([0, 0, 0, 0])
  await driver.write(real, 21.5)
  await driver.write(bit, 1)
  const frames = dissect(tap, 'tcp', 102, ['s7comm.param.func', 's7comm.param.item.db', 's7comm.param.item.address.byte'])
  expect(frames[0]!.protocols).toContain('cotp')
  const [, setup, ...others] = [[], ...sound(frames.slice(1), 's7comm')]
  expect(setup![0]).toEqual(['0xf0'])
  expect(others.map(([func]) => func)).toEqual([['0x04'], ['0x05'], ['0x05']])
  const [read, ...writes] = others
  expect([...new Set(read![1])]).toContain('7')
  expect(writes.map(([, db, at]) => [db, at])).toEqual([
    [['7'], ['100']],
    [['7'], ['0']],
  ])
})

dissected('BACnet: who-is, reading many, writing with a priority, and the change of values (skipped without tshark)', async () => {
  const device = closed(await startBacnet())
  const tap = closed(await tapUdp(device.port))
  for (let n = 1; n <= 30; n++) device.real(n, n, analogOutput)
  const devices = [deviceOf({ Instance: device.instance, WritePriority: 9 })]
  const driver = await open(bacnet, { type: 90, port: tap.port, settings: { LocalPort: 0 }, devices })
  const points = Array.from({ length: 30 }, (_, i) => pointRow(i + 1, `analogOutput:${i + 1}`, { ReadWriteType: 1 }))
  expect((await readAll(driver, points)).map((one) => one?.[0])).toEqual(points.map((_, i) => i + 1))
  await driver.write(points[4]!, 12.5)
  await driver.listen?.([pointRow(40, 'analogOutput:2', { CollectType: 2 })], () => undefined)
  await driver.browse?.()
  const fields = ['bacapp.unconfirmed_service', 'bacapp.confirmed_service', 'bacapp.instance_number', 'bacapp.present_value.real']
  const frames = sound(dissect(tap, 'udp', 47_808, fields), 'bacapp')
  expect(frames[0]![0]).toEqual(['8'])
  const of = (service: string) => frames.filter(([, confirmed]) => confirmed?.[0] === service)
  const read = new Set(of('14').flatMap(([, , instances]) => instances))
  expect(points.filter((_, i) => !read.has(String(i + 1)))).toEqual([])
  expect(of('15').map(([, , instances, value]) => [instances, value])).toEqual([[['5'], ['12.5']]])
})

dissected('IEC 104: start, interrogation, test and acknowledgement (skipped without tshark)', async () => {
  const station = closed(await startStation({ answer: () => [asdu(11, 20, 3, [scaled(1, 17), scaled(2, 18)])] }))
  const tap = closed(await tapTcp(station.port))
  const settings = { T0: 2, T1: 2, T2: 1, T3: 1, CounterMinutes: 1 }
  const driver = await open(iec104, { type: 50, port: tap.port, settings, devices: [deviceOf({ CommonAddress: 3 })] })
  const heard: (number | null)[] = []
  await driver.listen?.([pointRow(1, 1), pointRow(2, 2)], (readings) => void heard.push(...readings.map(({ reading }) => reading.value)))
  await expect.poll(() => heard).toEqual(expect.arrayContaining([17, 18]))
  const frames = () => dissect(tap, 'tcp', 2404, ['iec60870_104.type', 'iec60870_asdu.typeid', 'iec60870_asdu.addr', 'iec60870_104.utype'])
  // The acknowledgement and the test come once the line has been silent.
  await expect.poll(() => frames().flatMap(({ fields }) => fields[0]), { timeout: 60_000, interval: 500 }).toContain('0x00000001')
  const read = sound(frames(), 'iec60870_104')
  expect(read[0]![3]).toEqual(['0x00000001'])
  const commands = read.flatMap(([, types, addresses]) => (types?.length ? [[types, addresses]] : []))
  expect(commands[0]).toEqual([['100'], ['3']])
})

dissected('SNMP: requests of v1 and v2c, and a set (skipped without tshark)', async () => {
  for (const version of ['1', '2c'] as const) {
    const agent = closed(await startSnmpAgent({ version: version === '1' ? 0 : 1 }))
    const tap = closed(await tapUdp(agent.port))
    const oid = (n: number) => `1.3.6.1.4.1.99999.1.${n}`
    for (let n = 1; n <= 45; n++) agent.variables.set(oid(n), whole(n))
    const settings = { Version: version, Community: 'dissected' }
    const driver = await open(snmp, { type: 100, port: tap.port, settings })
    const points = Array.from({ length: 45 }, (_, i) => pointRow(i + 1, oid(i + 1), { ReadWriteType: 1 }))
    await readAll(driver, points)
    await driver.write(points[6]!, 77)
    await driver.browse?.('1.3.6.1.4.1.99999.1')
    const frames = sound(dissect(tap, 'udp', 161, ['snmp.community', 'snmp.name', 'snmp.data', 'snmp.value.int']), 'snmp')
    expect([...new Set(frames.flatMap(([community]) => community))]).toEqual(['dissected'])
    const names = new Set(frames.flatMap(([, name]) => name))
    expect(points.filter(({ Address }) => !names.has(Address))).toEqual([])
    const sets = frames.filter(([, , kind]) => kind?.[0] === '3')
    expect(sets.map(([, name, , value]) => [name, value])).toEqual([[[oid(7)], ['77']]])
  }
})
