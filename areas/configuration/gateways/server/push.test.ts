import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { canonical } from '../../../../contract/gateway-config.ts'
import type { Down } from '../../../../contract/gateway-protocol.ts'
import type { Vault } from '../../../../server/identity/vault.ts'
import { point } from '../../points/contract.ts'
import type { Commands } from './commands.ts'
import { buildConfig, configHash } from './config.ts'
import { type Plant, startPlant } from './harness.ts'
import type { Presence } from './presence.ts'
import { openPush } from './push.ts'

let plant: Plant
beforeAll(async () => {
  plant = await startPlant()
})
afterAll(() => plant.close())

const push = (id: number) =>
  plant.kit.data<{ Code: number; Msg: string; Detail?: Record<string, unknown>[] }>('owner', 'POST', '/Project/Protocol/OptionPush', {
    GatewayId: id,
  })
const status = async (id: number) => (await plant.row(id)).ConfigStatus
const becomes = (id: number, values: Record<string, unknown>) =>
  vi.waitFor(async () => expect(await plant.row(id)).toMatchObject(values), { timeout: 60_000, interval: 50 })

test('[gateway-link-option-push] a configuration arrives whole: parts in order, one hash, one version; then it is in sync until something changes', async () => {
  const g = await plant.equip(3, { ReadWriteType: 1 })
  const link = () => plant.kit.data('owner', 'GET', `/Project/Protocol/GatewayIsLink?GatewayId=${g.Id}`)
  expect(await link()).toEqual({ OnlineStatus: 2, ConfigStatus: 1 })
  const parts: Down['config']['Data'][] = []
  await plant.connect(g, (_kind, message) => {
    parts.push((message as Down['config']).Data)
    return { Code: 0, Msg: '' }
  })
  expect(await push(g.Id)).toEqual({ Code: 0, Msg: 'Done.' })
  const table = {
    Channels: parts.flatMap((p) => p.Channels),
    Devices: parts.flatMap((p) => p.Devices),
    Points: parts.flatMap((p) => p.Points),
  }
  expect(createHash('sha256').update(canonical(table)).digest('hex')).toBe(parts[0]!.Hash)
  expect(table.Points.map((p) => [p.Row, p.Id])).toEqual(g.points.map((id, i) => [i + 1, id]))
  expect(await plant.row(g.Id)).toMatchObject({ ConfigStatus: 0, ConfigVersion: 1, TargetConfigVersion: 1 })
  await vi.waitFor(async () => expect(await link()).toEqual({ OnlineStatus: 1, ConfigStatus: 0 }))
  expect((await plant.history(g.Id)).map((c) => [c.CmdType, c.Code, c.UserName])).toEqual([['config', 0, 'owner']])

  await plant.kit.data('owner', 'PUT', point.path, { Id: g.points[0], CollectPeriod: 5000 })
  await becomes(g.Id, { ConfigStatus: 1 })
  await plant.kit.data('owner', 'PUT', point.path, { Id: g.points[0], CollectPeriod: 1000 })
  await becomes(g.Id, { ConfigStatus: 0 })
  // State texts are not sent to a gateway.
  await plant.kit.data('owner', 'PUT', point.path, { Id: g.points[0], ZeroText: 'Closed', OneText: 'Open' })
  expect(await configHash(await buildConfig(plant.kit.db, g.Id))).toBe(parts[0]!.Hash)
  await plant.kit.data('owner', 'PUT', '/Project/Gateway', { Id: g.Id, HeartbeatPeriod: 30 })
  await becomes(g.Id, { ConfigStatus: 1 })
})

test('a gateway whose answers hold anything gets no server error, and its rows are shown as text', async () => {
  const g = await plant.equip(1, { ReadWriteType: 1 })
  const Detail = [null, 7, { Row: 1, ParaName: { a: 1 }, Reason: 'r'.repeat(1000) }, { Row: '__proto__', Field: ['x'] }]
  await plant.connect(g, () => ({ Code: 10, Msg: '', Data: { Detail, Values: [null, [], 'x'] } }))
  const empty = { Row: 0, ParaName: '', Field: '', Reason: '' }
  const shown = [empty, empty, { ...empty, Row: 1, Reason: 'r'.repeat(200) }, empty]
  expect(await push(g.Id)).toMatchObject({ Code: 10, Detail: shown })
  expect((await plant.history(g.Id)).map((c) => c.Code)).toEqual([10])
  expect(await plant.kit.data('owner', 'POST', '/Project/DevPara/Read', { ParaIds: g.points })).toMatchObject({ Code: 10, Values: [] })
})

test('the history keeps few of the details that a gateway answers with, however many and large they are', async () => {
  const g = await plant.equip(1, { ReadWriteType: 1 })
  const Detail = Array.from({ length: 500 }, (_, i) => ({ Row: i, ParaName: 'p', Field: 'f', Reason: 'r'.repeat(200) }))
  await plant.connect(g, () => ({ Code: 10, Msg: '', Data: { Detail, Values: [], Note: 'n'.repeat(100_000) } }))
  expect((await push(g.Id)).Detail).toHaveLength(500)
  await plant.kit.data('owner', 'POST', '/Project/DevPara/Read', { ParaIds: g.points })
  for (const kept of await plant.kit.db.rows(sql`select "Detail" from command where "GatewayId" = ${g.Id}`))
    expect(JSON.stringify(kept).length).toBeLessThan(20_000)
})

test('a large point table goes in parts that keep to the limit', async () => {
  const g = await plant.equip(0)
  await plant.kit.data('owner', 'POST', point.path, { DeviceId: g.device, ParaName: 'first', Address: '0' })
  await plant.kit.db.rows(sql`insert into point ("EnterpriseId", "DeviceId", "ParaName", "Address")
    select "EnterpriseId", "DeviceId", 'point ' || i, (2 * i)::text from point, generate_series(1, 1500) i where "DeviceId" = ${g.device}`)
  const parts: Down['config']['Data'][] = []
  await plant.connect(g, (_kind, message) => {
    parts.push((message as Down['config']).Data)
    return { Code: 0, Msg: '' }
  })
  expect(await push(g.Id)).toMatchObject({ Code: 0 })
  expect(parts.length).toBeGreaterThan(2)
  expect(parts.map((p) => [p.Part, p.Parts])).toEqual(parts.map((_, i) => [i + 1, parts.length]))
  for (const part of parts) expect(JSON.stringify(part).length).toBeLessThan(200 * 1024)
  expect(parts.flatMap((p) => p.Points).map((p) => p.Row)).toEqual(Array.from({ length: 1501 }, (_, i) => i + 1))
})

test('rows that the gateway refuses are named with point and device; the push has failed until the table changes', async () => {
  const g = await plant.equip(2)
  const Detail = [{ Row: 2, ParaName: 'x', Field: 'Address', Reason: 'not in this device' }]
  await plant.connect(g, () => ({ Code: 10, Msg: 'point parameter error', Data: { Detail } }))
  const answer = await push(g.Id)
  expect(answer.Code).toBe(10)
  expect(answer.Detail).toEqual([{ ...Detail[0], PointId: g.points[1], DeviceId: g.device, DeviceName: expect.any(String) }])
  expect(await plant.row(g.Id)).toMatchObject({ ConfigStatus: 3, ConfigVersion: null, TargetConfigVersion: 1 })
  await plant.kit.data('owner', 'PUT', point.path, { Id: g.points[1], Address: '7' })
  await becomes(g.Id, { ConfigStatus: 1 })
})

test('errors that need no gateway are returned without sending', async () => {
  const [bare, empty, twice, wrong] = [
    await plant.equip(0),
    await plant.equip(0),
    await plant.equip(2),
    await plant.equip(1, { ParaDataType: 0 }),
  ]
  await plant.kit.data('owner', 'DELETE', `/Project/Device?Id=${bare.device}`)
  await plant.kit.data('owner', 'DELETE', `/Project/Protocol/NetProtocol?Id=${bare.net}`)
  expect(await push(bare.Id)).toMatchObject({ Code: 999, Detail: [{ Field: 'NetProtocolId' }] })
  expect(await push(empty.Id)).toMatchObject({ Code: 999, Detail: [{ Field: 'Points' }] })
  await plant.kit.data('owner', 'PUT', point.path, { Id: twice.points[1], Address: '0' })
  expect(await push(twice.Id)).toMatchObject({ Code: 10, Detail: [{ Row: 2, Field: 'Address', PointId: twice.points[1] }] })
  expect(await push(wrong.Id)).toMatchObject({
    Code: 10,
    Detail: [{ Row: 1, Field: 'Address', Reason: 'A Bool in a register needs a bit, such as 100.3.' }],
  })
  await becomes(wrong.Id, { ConfigStatus: 3, TargetConfigVersion: 0 })
})

test('a gateway that is away answers nothing: code 2, in the history as well', async () => {
  const g = await plant.equip(1)
  expect(await push(g.Id)).toMatchObject({ Code: 2, Msg: expect.stringMatching(/did not answer/) })
  expect(await status(g.Id)).toBe(3)
  expect(await plant.history(g.Id)).toMatchObject([{ CmdType: 'config', Code: 2, AckTime: null }])
})

test('who pushes while a push is under way gets its result, and the gateway gets one configuration', async () => {
  const g = await plant.equip(1)
  const pushed = vi.fn(() => ({ Code: 0, Msg: '' }))
  await plant.connect(g, pushed)
  expect(await Promise.all([push(g.Id), push(g.Id), push(g.Id)])).toEqual(Array(3).fill({ Code: 0, Msg: 'Done.' }))
  expect(pushed).toHaveBeenCalledTimes(1)
})

test('a push that a restart of the server interrupted is distinguished from one that succeeded', async () => {
  const g = await plant.equip(1)
  await plant.kit.db.rows(sql`update gateway set "ConfigStatus" = 2, "TargetConfigVersion" = 1 where "Id" = ${g.Id}`)
  await plant.kit.db.rows(
    sql`insert into command ("EnterpriseId", "GatewayId", "CmdType", "MsgId") select "EnterpriseId", "Id", 'config', 'cut-short' from gateway where "Id" = ${g.Id}`,
  )
  await plant.restart()
  expect(await status(g.Id)).toBe(1)
  expect(await plant.history(g.Id)).toMatchObject([{ Code: 2 }])
})

test('a push that the gateway accepted while nobody heard its answer is recorded when it says that it runs the version', async () => {
  const g = await plant.equip(1)
  await plant.connect(g)
  await plant.kit.data('owner', 'POST', '/Project/Protocol/OptionPush', { GatewayId: g.Id, Note: 'New pump' })
  const list = async () =>
    (await plant.kit.data<{ Items: object[] }>('owner', 'GET', `/Project/Gateway/Version/List?GatewayId=${g.Id}`)).Items
  const recorded = { Version: 1, Note: 'New pump', UserName: 'owner', Devices: 1, Points: 1 }
  expect(await list()).toMatchObject([recorded])
  // As if the server had stopped between sending and recording.
  await plant.kit.db.rows(sql`delete from config_version where "GatewayId" = ${g.Id}`)
  await plant.kit.db.rows(sql`update command set "Code" = null, "AckTime" = null where "GatewayId" = ${g.Id}`)
  await plant.kit.db.rows(sql`update gateway set "ConfigStatus" = 2, "ConfigVersion" = null where "Id" = ${g.Id}`)
  Object.assign(plant.registry.gatewayById(g.Id)!, { ConfigVersion: null, OnlineStatus: 1 })
  await plant.restart()
  expect(await plant.history(g.Id)).toMatchObject([{ Code: 2 }])
  expect(await list()).toEqual([])
  let isBack = false
  const back = plant.gateways.returned(g.Id).then(() => {
    isBack = true
  })
  const { report, raw } = await plant.connect(g)
  // A late answer does not prove what the gateway runs, and may arrive before its birth.
  await raw('reply', JSON.stringify({ MsgId: 'late-1', Ts: plant.clock.now, Code: 0, Msg: '' }))
  await report('heartbeat', {})
  await pause(500)
  expect(isBack).toBe(false)
  await report('state', { Online: 1, ConfigVersion: 1 })
  await back
  expect(await list()).toMatchObject([recorded])
  await becomes(g.Id, { ConfigStatus: 0, ConfigVersion: 1 })
  expect(await plant.history(g.Id)).toMatchObject([{ Code: 0 }])
})

test('an accepted push and its version are recorded together, so that a kill leaves neither or both', async () => {
  const g = await plant.equip(1)
  await plant.connect(g)
  const pushed = await plant.kit.database.system.tx(async (db) => {
    await db.rows(sql`lock table config_version in share mode`)
    const pushed = push(g.Id)
    await vi.waitFor(async () => {
      const [waiting] = await db.rows<{ n: number }>(
        sql`select count(*)::int as n from pg_locks where relation = 'config_version'::regclass and not granted`,
      )
      expect(waiting!.n).toBe(1)
    })
    // The gateway has answered; until the version is recorded, the push counts as unanswered.
    expect(await plant.history(g.Id)).toMatchObject([{ Code: null }])
    return { answer: pushed }
  })
  expect(await pushed.answer).toMatchObject({ Code: 0 })
  expect(await plant.history(g.Id)).toMatchObject([{ Code: 0 }])
})

test('a gateway that reports another configuration than the accepted one is out of sync', async () => {
  const g = await plant.equip(1)
  const { report } = await plant.connect(g)
  await push(g.Id)
  await becomes(g.Id, { ConfigStatus: 0 })
  await report('state', { Online: 1, ConfigVersion: 0 })
  await becomes(g.Id, { ConfigStatus: 1, ConfigVersion: 0 })
  await report('state', { Online: 1, ConfigVersion: 1 })
  await becomes(g.Id, { ConfigStatus: 0 })
})

test('an import of many gateways has their states looked at a few at a time', async () => {
  const { kit, registry } = plant
  let [running, most, looked] = [0, 0, 0]
  const flush = async () => {
    most = Math.max(most, ++running)
    await pause(1)
    running--
    looked++
  }
  const presence = { flush, announce: () => undefined } as unknown as Presence
  const vault = { get: async () => undefined } as unknown as Vault
  const needs = { database: kit.database, vault, registry, presence, commands: {} as Commands, isPrivate: async () => true }
  const own = openPush(needs)
  for (let id = 1; id <= 200; id++) own.configChanged(1_000_000 + id, 0)
  await vi.waitFor(() => expect(looked).toBe(200), { timeout: 60_000 })
  expect(most).toBeLessThanOrEqual(4)
  own.close()
})
