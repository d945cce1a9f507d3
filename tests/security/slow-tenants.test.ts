// What is slow for one tenant holds up no other: a webhook that never answers, gateways that do not reply, messages that cannot be queued.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type House, startHouse } from '../house.ts'
import { openRawGateway, type RawGateway } from '../raw-gateway.ts'
import { person } from '../two-tenants.ts'

type Place = { point: number; raw: RawGateway; says: (value: number) => Promise<void> }
type Tenant = { Id: number; token: string; project: number }
let house: House
let [slow, quick]: Tenant[] = []
const gateways: RawGateway[] = []
const servers: Server[] = []

const openTenant = async (Name: string): Promise<Tenant> => {
  const { Id } = await house.data('POST', '/System/Enterprise', { Name, ManagerNO: `${Name}Manager`, ManagerName: Name })
  const token = await person(house, Id, `${Name}Boss`, 'Boss', 'Company manager')
  return { Id, token, project: (await house.data('POST', '/Project/Project', { ProjectName: Name }, token)).Id }
}
const make = async (tenant: Tenant | undefined, path: string, body: object) => (await house.data('POST', path, body, tenant!.token)).Id
const place = async (tenant: Tenant | undefined, SN: string, replies: boolean): Promise<Place> => {
  const gateway = await make(tenant, '/Project/Gateway', { GatewayName: SN, SN, ProjectId: tenant!.project })
  const channel = await make(tenant, '/Project/Protocol/NetProtocol', { ProtocolName: 'Net', GatewayId: gateway, Ip: '127.0.0.1', Port: 1 })
  const device = await make(tenant, '/Project/Device', { DeviceName: SN, GatewayId: gateway, NetProtocolId: channel })
  const point = await make(tenant, '/Project/DevPara', { DeviceId: device, ParaName: 'P', Address: '0', ReadWriteType: 1, ParaDataType: 2 })
  const { Key } = await house.data<{ Key: string }>('POST', '/Project/Gateway/ResetKey', { Id: gateway }, tenant!.token)
  const raw = await openRawGateway(house.mqttPort, { SN, Key })
  gateways.push(raw)
  await raw.connack()
  await raw.subscribe(`iot/v1/${SN}/down/+`)
  raw.answer(({ kind }) => (kind === 'write' && replies ? { Code: 0 } : undefined))
  let said = 0
  const says = async (value: number) => {
    const MsgId = `m${++said}`
    await raw.say('data', { MsgId, Ts: Date.now(), Data: { Items: [{ D: device, T: Date.now(), V: { [point]: value } }] } })
    await raw.acked(MsgId)
  }
  return { point, raw, says }
}
const over = (ParaId: number) => {
  const condition = { TriggerStyle: 1, TriggerCondition: 1, OperateSymbol: 3, ParamValue: 5, AlarmParams: [{ ParaId }] }
  return { LogicSymbol: 1, EnableType: 0, RuleList: [{ LogicSymbol: 1, Conditions: [condition] }] }
}
const rule = (tenant: Tenant | undefined, RuleName: string, ParaId: number, more: object) =>
  make(tenant, '/Alarm/AlarmRule', { RuleName, Status: 1, RuleConfigure: over(ParaId), ...more })
const writes = ({ raw }: Place) => raw.heard.filter(({ kind }) => kind === 'write').length
/** A receiver of webhooks, and how many calls it has got. */
const receiver = async (answers: boolean) => {
  const got = { calls: 0 }
  const server = createServer((_, reply) => {
    got.calls++
    if (answers) reply.end('ok')
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  servers.push(server)
  return { got, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}
const setWebhook = (tenant: Tenant | undefined, WebhookUrl: string) =>
  house.data('PUT', '/System/WechatConfig/MessagePush', { WebhookOn: 1, WebhookUrl }, tenant!.token)
const test = (tenant: Tenant | undefined) =>
  house.data('POST', '/System/WechatConfig/MessagePush/Test', { Method: 'webhook' }, tenant!.token)

beforeAll(async () => {
  house = await startHouse({ PENSTOCK_OUTBOUND: '127.0.0.1/32' })
  slow = await openTenant('slow')
  quick = await openTenant('quick')
})
afterAll(async () => {
  for (const raw of gateways) raw.close()
  for (const server of servers) server.closeAllConnections()
  for (const server of servers) server.close()
  await house?.close()
})

it('messages of one tenant are sent while the webhook of another does not answer', async () => {
  const [never, healthy] = [await receiver(false), await receiver(true)]
  await setWebhook(slow, never.url)
  await setWebhook(quick, healthy.url)
  for (let i = 0; i < 30; i++) await test(slow)
  await expect.poll(() => never.got.calls).toBe(1)
  await test(quick)
  // Far less than the 10 s that each call to the other address takes.
  await expect.poll(() => healthy.got.calls, { timeout: 60_000 }).toBe(1)
})

it('rules of one tenant, and of one gateway, write while a gateway does not reply', async () => {
  const [dead, alive, other] = [
    await place(slow, 'SLOWDEAD', false),
    await place(slow, 'SLOWLIVE', true),
    await place(quick, 'QUICK001', true),
  ]
  const control = ({ point }: Place, count: number) => ({
    DeviceControl: Array.from({ length: count }, (_, i) => ({ ParaId: point, Value: i % 2 })),
  })
  await rule(slow, 'dead', dead.point, control(dead, 20))
  await rule(slow, 'alive', alive.point, control(alive, 1))
  await rule(quick, 'other', other.point, control(other, 1))
  await dead.says(9)
  await expect.poll(() => writes(dead)).toBe(1)
  await Promise.all([alive.says(9), other.says(9)])
  await expect.poll(() => [writes(alive), writes(other)], { timeout: 60_000 }).toEqual([1, 1])
  expect(writes(dead)).toBe(1)
})

it('alarms of one tenant are pushed while those of another cannot be queued', async () => {
  const [stuck, other] = [await place(slow, 'SLOWPUSH', true), await place(quick, 'QUICKPSH', true)]
  const receiverOf = async ({ Id }: Tenant) =>
    (await house.database.system.rows<{ Id: number }>(sql`select min("Id") as "Id" from "user" where "EnterpriseId" = ${Id}`))[0]!.Id
  const [hisUser, ourUser] = [await receiverOf(slow!), await receiverOf(quick!)]
  const push = (user: number) => ({ IsSend: 1, AlarmPush: { PushUsers: [user], PushMethods: [{ Method: 1 }] } })
  await rule(slow, 'stuck', stuck.point, { Priority: 1, ...push(hisUser) })
  await rule(quick, 'pushed', other.point, { Priority: 3, ...push(ourUser) })
  const records = () =>
    house.database.system.rows(sql`select 1 from alm_push_record where "EnterpriseId" = ${quick!.Id} and "AlmInfoId" is not null`)
  const { promise: until, resolve: release } = Promise.withResolvers<void>()
  const { promise: locked, resolve: isLocked } = Promise.withResolvers<void>()
  const holding = house.database.system.tx(async (db) => {
    await db.rows(sql`select 1 from "user" where "Id" = ${hisUser} for update`)
    isLocked()
    await until
  })
  await locked
  await stuck.says(9)
  await expect.poll(() => house.database.system.rows(sql`select 1 from pg_locks where not granted`)).not.toEqual([])
  await other.says(9)
  await expect.poll(records, { timeout: 60_000 }).toHaveLength(1)
  release()
  await holding
})

it('long exports of one tenant do not delay another', async () => {
  const people = [slow!.token, await person(house, slow!.Id, 'slowSecond', 'S', 'Company manager')]
  people.push(await person(house, slow!.Id, 'slowThird', 'T', 'Company manager'))
  await house.database.system.rows(
    sql`insert into region ("EnterpriseId", "RegionName") select ${slow!.Id}, 'Region ' || n from generate_series(1, 20000) n`,
  )
  const task = (token: string) => house.data('POST', '/Project/ImportExportTask', { Resource: 'region', Format: 'csv' }, token)
  const tasks = async (token: string) =>
    (await house.data<{ Items: { Status: number }[] }>('GET', '/Project/ImportExportTask/List', undefined, token)).Items
  for (const token of people) for (let i = 0; i < 4; i++) await task(token)
  await task(quick!.token)
  await vi.waitFor(async () => expect(await tasks(quick!.token)).toMatchObject([{ Status: 2 }]), { interval: 20 })
  const states = (await Promise.all(people.map(tasks))).flat().map(({ Status }) => Status)
  expect(states.filter((state) => state === 0).length).toBeGreaterThan(4)
})

it('readings of one tenant go on while hundreds of receivers of another do not answer', async () => {
  const [never, healthy] = [await receiver(false), await receiver(true)]
  const [full, other] = [await place(slow, 'SLOWSENT', true), await place(quick, 'QUICKSNT', true)]
  await full.says(1)
  await other.says(1)
  await house.database.system.rows(sql`
    insert into third_party_access ("EnterpriseId", "ProjectId", "AccessName", "Url", "Period")
    select ${slow!.Id}, ${slow!.project}, 'Receiver ' || n, ${never.url}, 10 from generate_series(1, 600) n`)
  const access = { AccessName: 'Authority', ProjectId: quick!.project, Url: healthy.url }
  await expect.poll(() => never.got.calls).toBeGreaterThan(0)
  await make(quick, '/Project/ThirdPartyAccess', access)
  await expect.poll(() => healthy.got.calls, { timeout: 60_000 }).toBe(1)
})
