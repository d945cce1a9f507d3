import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { channelRow, pointRow, tableOf } from '../testing/plc.ts'
import { assembly, configHash } from './assembly.ts'
import { check, type Table } from './check.ts'
import { loadConfig, saveConfig } from './store.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'penstock-config-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const good = () => tableOf(502, [pointRow(1, 0), pointRow(2, 2, { ParaDataType: 7 }), pointRow(3, '9.3', { ParaDataType: 0 })])
const withPoint = (change: Partial<ReturnType<typeof pointRow>>): Table => tableOf(502, [pointRow(1, 0), pointRow(2, 5, change)])

test('a good table has nothing against it', () => {
  expect(check(good())).toBeUndefined()
})

test.each([
  ['a type that is none', { ParaDataType: 11 }, 'ParaDataType'],
  ['an address beyond the last', { Address: '65536' }, 'Address'],
  ['a value that reaches beyond the last register', { Address: '65535', ParaDataType: 7 }, 'Address'],
  ['a bit of a number', { Address: '5.1' }, 'Address'],
  ['a Bool in a register without its bit', { ParaDataType: 0 }, 'Address'],
  ['a number in a coil', { RegisterType: 0 }, 'ParaDataType'],
  ['a written input', { RegisterType: 3, ReadWriteType: 1 }, 'ReadWriteType'],
  ['a period that is too short', { CollectPeriod: 50 }, 'CollectPeriod'],
  ['a device that is not there', { DeviceId: 9 }, 'DeviceId'],
  ['a duplicate name', { ParaName: 'p1' }, 'ParaName'],
  ['a duplicate address', { Address: '0' }, 'Address'],
  ['a duplicate Id', { Id: 1 }, 'Id'],
  ['an upload mode that is none', { UploadMode: 2 }, 'UploadMode'],
  ['a slave number beyond 255', { SlaveNumber: 256 }, 'SlaveNumber'],
])('%s is named with its row and field', (_, change, Field) => {
  const verdict = check(withPoint(change))
  expect(verdict?.Code).toBe(10)
  expect(verdict?.Detail).toContainEqual(expect.objectContaining({ Row: 2, Field, Reason: expect.stringMatching(/./) }))
})

test.each([
  [9, 'a protocol that is not for serial lines', [channelRow(0, { CommType: 1, ProtocolType: 70, SerialPort: '/dev/ttyS1' })]],
  [9, 'a serial channel without its port', [channelRow(0, { CommType: 1, ProtocolType: 1 })]],
  [
    11,
    'two settings of one port',
    [9600, 19200].map((BaudRate, i) => channelRow(0, { Id: i + 1, CommType: 1, ProtocolType: 1, SerialPort: '/dev/ttyS1', BaudRate })),
  ],
  [3, 'a protocol that this gateway does not have', [channelRow(502, { ProtocolType: 201 })]],
  [13, 'a network channel without a port', [channelRow(502, { Port: undefined })]],
  [14, 'two channels to one place', [channelRow(502), channelRow(502, { Id: 2 })]],
  [9, 'a protocol that is none', [channelRow(502, { ProtocolType: 7 })]],
  [9, 'no channel for the device', []],
])('result code %i: %s', (Code, _, Channels) => {
  expect(check({ ...good(), Channels })).toMatchObject({ Code })
})

test('parts are put together only in order, complete, and with the right hash', () => {
  const table = good()
  const part = (Part: number, change: object = {}) => ({
    ConfigVersion: 3,
    Hash: configHash(table),
    Part,
    Parts: 2,
    HeartbeatPeriod: 30,
    Channels: Part === 1 ? table.Channels : [],
    Devices: Part === 1 ? table.Devices : [],
    Points: Part === 1 ? table.Points.slice(0, 1) : table.Points.slice(1),
    ...change,
  })
  const take = assembly()
  expect(take(part(2))).toMatchObject({ Code: 15 })
  expect(take(part(1))).toEqual({ Code: 0, Msg: 'part 1 of 2' })
  expect(take(part(2))).toMatchObject({ Code: 0, config: { ConfigVersion: 3, HeartbeatPeriod: 30, ...table } })
  take(part(1))
  expect(take(part(2, { Points: [] }))).toMatchObject({ Code: 15, Msg: expect.stringContaining('hash') })
  expect(take(part(2))).toMatchObject({ Code: 15 })
})

test('what was saved is loaded, and a damaged file is as none', async () => {
  const config = { ConfigVersion: 4, HeartbeatPeriod: 60, ...good() }
  expect(await loadConfig(folder)).toBeUndefined()
  await saveConfig(folder, config)
  expect(await loadConfig(folder)).toEqual(config)
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ ...config, ConfigVersion: 4, Points: [], Hash: configHash(config) }))
  expect(await loadConfig(folder)).toBeUndefined()
  writeFileSync(join(folder, 'config.json'), '{"Conf')
  expect(await loadConfig(folder)).toBeUndefined()
})
