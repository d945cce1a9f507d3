import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Down } from '../../../../contract/gateway-protocol.ts'
import { openVault } from '../../../../server/identity/vault.ts'
import { configVersion } from '../../config-versions/contract.ts'
import { device } from '../../devices/contract.ts'
import { buildConfig } from '../../gateways/server/config.ts'
import { type Plant, startPlant } from '../../gateways/server/harness.ts'
import { point } from '../../points/contract.ts'
import { netProtocol, serialProtocol } from '../contract.ts'
import { dropUnusedSecrets } from './service.ts'

type Row = Record<string, unknown> & { Id: number; Secrets: { Key: string; Names: string[] } | null }
let plant: Plant
let gateway: Awaited<ReturnType<Plant['equip']>>
beforeAll(async () => {
  plant = await startPlant()
  gateway = await plant.equip(1)
})
afterAll(() => plant.close())

const call = (method: string, path: string, body?: object, as = 'owner') => plant.kit.call<Row>(as, method, path, body)
const fieldsOf = async (answer: ReturnType<typeof call>) => Object.keys(((await answer).Details as { Fields?: object })?.Fields ?? {})
const snmp = { ProtocolType: 100, Ip: '10.0.0.9', Port: 161, Settings: { Version: '2c', Community: 'a secret of the plant' } }
let count = 0
const newSnmp = (more: object = {}) =>
  plant.kit.data<Row>('owner', 'POST', netProtocol.path, { ...snmp, GatewayId: gateway.Id, ProtocolName: `ups ${++count}`, ...more })

describe('settings of a channel', () => {
  test('are those of its protocol, and each that is wrong is named', async () => {
    const add = (more: object) =>
      call('POST', netProtocol.path, { GatewayId: gateway.Id, ProtocolName: `line ${++count}`, Ip: '10.0.0.1', ...more })
    expect(await fieldsOf(add({ ProtocolType: 70, Settings: { Rack: 9, Slot: 1.5, Colour: 'red' } }))).toEqual([
      'Settings.Colour',
      'Settings.Rack',
      'Settings.Slot',
    ])
    expect(await fieldsOf(add({ ProtocolType: 0, Settings: { Rack: 0 } }))).toEqual(['Settings.Rack'])
    expect(await fieldsOf(add({ ProtocolType: 0, Mode: 1 }))).toEqual(['Mode'])
    expect((await add({ ProtocolType: 70, Settings: { Rack: 0, Slot: 2 } })).Data).toMatchObject({
      Settings: { Rack: 0, Slot: 2 },
      Secrets: null,
    })
    // A device that dials in is identified by its registration, and over UDP by its address.
    expect(await fieldsOf(add({ ProtocolType: 1, Mode: 1, Port: 9000 }))).toEqual(['Settings.Registration'])
    expect(await fieldsOf(add({ ProtocolType: 1, Mode: 1, Port: 9000, Settings: { Registration: 'a', Transport: 'udp' } }))).toEqual([
      'Settings.Networks',
    ])
    expect(await fieldsOf(add({ ProtocolType: 1, Settings: { Registration: 'a' } }))).toEqual(['Settings.Registration'])
    expect((await add({ ProtocolType: 1, Mode: 1, Port: 9000, Settings: { Registration: 'a' } })).Data).toMatchObject({ Mode: 1 })
    const serial = await call('POST', serialProtocol.path, {
      GatewayId: gateway.Id,
      ProtocolName: 'bus',
      SerialPort: 'COM1',
      ProtocolType: 70,
    })
    expect(serial.StatusCode).toBe(400)
  })

  test('that are secret never come out: not in an answer, a list, the history, a kept version or the table', async () => {
    const made = await newSnmp()
    expect(made).toMatchObject({ Settings: { Version: '2c' }, Secrets: { Names: ['Community'] } })
    const everything = [
      made,
      await plant.kit.data('owner', 'GET', `${netProtocol.path}/List?GatewayId=${gateway.Id}`),
      await plant.kit.db.rows(sql`select * from net_protocol`),
      await plant.kit.db.rows(sql`select * from change`),
    ]
    expect(JSON.stringify(everything)).not.toContain('a secret')
    const [sealed] = await plant.kit.db.rows<{ Value: Buffer }>(
      sql`select "Value" from sealed_secret where "Name" = ${`channel.${made.Secrets!.Key}`}`,
    )
    expect(sealed!.Value.toString('latin1')).not.toContain('a secret')
  })

  test('a secret stays until it is replaced or taken away, and does not follow to another address', async () => {
    const made = await newSnmp()
    const change = (body: object) => call('PUT', netProtocol.path, { Id: made.Id, ...body })
    expect((await change({ RetryCount: 1, Settings: { Version: '1' } })).StatusCode).toBe(400)
    const renamed = await change({ ProtocolName: `ups ${++count}`, Settings: { Version: '2c' } })
    expect(renamed.Data.Secrets).toEqual(made.Secrets)
    expect(await fieldsOf(change({ Ip: '10.6.6.6' }))).toEqual(['Settings.Community'])
    const moved = await change({ Ip: '10.6.6.6', Settings: { Version: '2c', Community: 'another one' } })
    expect(moved.Data.Secrets!.Names).toEqual(['Community'])
    expect(moved.Data.Secrets!.Key).not.toBe(made.Secrets!.Key)
    expect((await change({ Settings: { Version: '2c', Community: null } })).Data.Secrets).toBeNull()
  })

  test('another company reads and changes none of them', async () => {
    const made = await newSnmp()
    expect((await call('GET', `${netProtocol.path}?Id=${made.Id}`, undefined, 'stranger')).StatusCode).toBe(404)
    expect((await call('GET', `/V2/Project/Protocol/SelectList?GatewayId=${gateway.Id}`, undefined, 'stranger')).StatusCode).toBe(404)
    const vault = openVault(plant.kit.database, Buffer.alloc(32, 7))
    expect(await vault.get(plant.kit.enterprises.theirs, `channel.${made.Secrets!.Key}`)).toBeUndefined()
    expect(await vault.get(plant.kit.enterprises.ours, `channel.${made.Secrets!.Key}`)).toContain('a secret')
  })

  test('what no channel and no version refers to is dropped after a day, and nothing else', async () => {
    const [kept, gone] = [await newSnmp(), await newSnmp()]
    await plant.kit.data('owner', 'DELETE', `${netProtocol.path}?Id=${gone.Id}`)
    const names = async () =>
      (await plant.kit.db.rows<{ Name: string }>(sql`select "Name" from sealed_secret`)).map(({ Name }) => Name.replace('channel.', ''))
    await dropUnusedSecrets(plant.kit.database)
    expect(await names()).toEqual(expect.arrayContaining([kept.Secrets!.Key, gone.Secrets!.Key]))
    await dropUnusedSecrets(plant.kit.database, Date.now() + 2 * 86_400_000)
    expect(await names()).toContain(kept.Secrets!.Key)
    expect(await names()).not.toContain(gone.Secrets!.Key)
  })
})

describe('what a gateway can do', () => {
  type Choice = { ProtocolType: number; CommType: number; Name: string }
  const offered = async (id: number) =>
    (await plant.kit.data<Choice[]>('owner', 'GET', `/V2/Project/Protocol/SelectList?GatewayId=${id}`)).map(
      (c) => `${c.CommType}/${c.ProtocolType}`,
    )

  test('is the base protocol until its birth says more, and then what the birth says', async () => {
    const g = await plant.equip(1)
    expect(await offered(g.Id)).toEqual(['0/0', '0/1', '1/1'])
    const { report } = await plant.connect(g)
    await report('state', { Online: 1, Capabilities: ['config', 'modbus-tcp', 's7', 'snmp'] })
    await expect.poll(() => offered(g.Id), { timeout: 60_000 }).toEqual(['0/0', '0/70', '0/100'])
    const all = await plant.kit.data<Choice[]>('owner', 'GET', '/V2/Project/Protocol/TypeList')
    expect(all.length).toBeGreaterThan(15)
    expect(all.find((c) => c.ProtocolType === 70)).toMatchObject({
      Name: 'Siemens S7',
      Port: 102,
      Example: 'DB10.DBD4',
      Settings: ['Rack', 'Slot', 'LocalTsap', 'RemoteTsap'],
    })
  })

  test('a push of a protocol or a data type that it does not have is result 3, and it receives nothing', async () => {
    const g = await plant.equip(1)
    const { report, heard } = await plant.connect(g)
    await report('state', { Online: 1, Capabilities: ['config', 'modbus-tcp'] })
    const push = () =>
      plant.kit.data<{ Code: number; Detail: { Field: string; Reason: string }[] }>('owner', 'POST', '/Project/Protocol/OptionPush', {
        GatewayId: g.Id,
      })
    await plant.kit.data('owner', 'PUT', point.path, { Id: g.points[0], ParaDataType: 101 })
    expect(await push()).toMatchObject({ Code: 3, Detail: [{ Field: 'ParaDataType', Reason: expect.stringContaining('32 bits') }] })
    await plant.kit.data('owner', 'PUT', point.path, { Id: g.points[0], ParaDataType: 7 })
    await plant.kit.data('owner', 'PUT', netProtocol.path, { Id: g.net, ProtocolType: 70 })
    expect(await push()).toMatchObject({ Code: 3, Detail: [{ Field: 'ProtocolType' }] })
    expect(heard.filter(({ kind }) => kind === 'config')).toEqual([])
  })
})

test('a gateway whose channels ask nothing new receives the fields of before, and so hashes as before', async () => {
  const g = await plant.equip(1)
  const serial = await plant.create(serialProtocol, { GatewayId: g.Id, SerialPort: '/dev/ttyS1' })
  const meter = await plant.create(device, { GatewayId: g.Id, CommType: 1, SerialProtocolId: serial.Id })
  await plant.create(point, { DeviceId: meter.Id })
  const { Channels, Devices } = await buildConfig(plant.kit.db, g.Id)
  const shared = ['InterFrameMs', 'RetryCount']
  expect(Channels.map((row) => Object.keys(row).sort())).toEqual([
    ['CommType', 'Id', 'Ip', 'Port', 'ProtocolType', ...shared].sort(),
    ['BaudRate', 'CommType', 'DataBits', 'Id', 'Parity', 'ProtocolType', 'SerialPort', 'StopBits', ...shared].sort(),
  ])
  expect(Channels[1]).toMatchObject({ ProtocolType: 1 })
  for (const row of Devices) expect(Object.keys(row).sort()).toEqual(['ChannelId', 'CommType', 'DeviceName', 'Id', 'SlaveNumber'])
})

describe('a push with secrets', () => {
  const equipped = async () => {
    const g = await plant.equip(0)
    await plant.kit.data('owner', 'PUT', netProtocol.path, { Id: g.net, ...snmp })
    await plant.create(point, { DeviceId: g.device, Address: '1.3.6.1.2.1.1.3.0' })
    const parts: Down['config']['Data'][] = []
    const client = await plant.connect(g, (_kind, message) => {
      parts.push((message as Down['config']).Data)
      return { Code: 0, Msg: '' }
    })
    await client.report('state', { Online: 1, Capabilities: ['config', 'snmp', 'wide-types'] })
    await expect.poll(async () => (await plant.row(g.Id)).Capabilities, { timeout: 60_000 }).toContain('snmp')
    const push = () =>
      plant.kit.data<{ Code: number; Detail?: { Reason: string }[] }>('owner', 'POST', '/Project/Protocol/OptionPush', { GatewayId: g.Id })
    return { g, parts, push }
  }

  test('carries them to a gateway of this machine, and nothing that is kept of the push has them', async () => {
    const { g, parts, push } = await equipped()
    expect(await push()).toMatchObject({ Code: 0 })
    expect(parts[0]!.Channels).toMatchObject([{ ProtocolType: 100, Settings: { Version: '2c', Community: 'a secret of the plant' } }])
    const kept = [
      await plant.kit.db.rows(sql`select * from command`),
      await plant.kit.db.rows(sql`select * from config_content`),
      await plant.kit.data('owner', 'GET', `${configVersion.path}/List?GatewayId=${g.Id}`),
    ]
    expect(JSON.stringify(kept)).not.toContain('a secret')
    // The hash that was sent would let somebody guess a short one.
    expect(JSON.stringify(kept)).not.toContain(parts[0]!.Hash)
    expect(await plant.row(g.Id)).toMatchObject({ ConfigStatus: 0 })
    await plant.kit.data('owner', 'PUT', netProtocol.path, { Id: g.net, Settings: { Version: '2c', Community: 'a newer one' } })
    await expect.poll(async () => (await plant.row(g.Id)).ConfigStatus, { timeout: 60_000 }).toBe(1)
  })

  test('is refused over a line that others may read, unless the company allows it', async () => {
    const { g, parts, push } = await equipped()
    const uplink = plant.gateways.uplink
    const isPrivate = uplink.isPrivate
    uplink.isPrivate = () => false
    try {
      expect(await push()).toMatchObject({ Code: 15, Detail: [{ Reason: expect.stringContaining('TLS') }] })
      expect(parts).toEqual([])
      await plant.kit.data('owner', 'PUT', '/Project/Protocol/Policy', { SecretsInTheOpen: 1 })
      expect(await push()).toMatchObject({ Code: 0 })
      expect(g.Id).toBeGreaterThan(0)
    } finally {
      if (isPrivate) uplink.isPrivate = isPrivate
      await plant.kit.data('owner', 'PUT', '/Project/Protocol/Policy', { SecretsInTheOpen: 0 })
    }
  })

  test('is refused when a channel was moved by a door that does not ask for them again', async () => {
    const { g, parts, push } = await equipped()
    await plant.kit.db.rows(sql`update net_protocol set "Ip" = '10.6.6.6' where "Id" = ${g.net}`)
    expect(await push()).toMatchObject({ Code: 15, Detail: [{ Reason: expect.stringContaining('another address') }] })
    expect(parts).toEqual([])
  })
})
