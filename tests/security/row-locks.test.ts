// Rows that one tenant locks, such as by repeatedly removing a thousand records and an unknown one, do not delay others' alarms
// and gateway states.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type House, startHouse } from '../house.ts'
import { connectGateway, reading } from '../two-tenants.ts'

type Place = { project: number; gateway: number; device: number; point: number; client: Awaited<ReturnType<typeof connectGateway>> }
let house: House
let [attacker, neighbour]: [Place | undefined, Place | undefined] = [undefined, undefined]
let rule: number

const place = async (SN: string): Promise<Place> => {
  const made = await house.newGateway(SN, 1)
  const point = await house.data('POST', '/Project/DevPara', { DeviceId: made.device, ParaName: SN, Address: '0', AlarmHigh: 10 })
  return { ...made, point: point.Id, client: await connectGateway(house, made) }
}
const say = ({ client, device, point }: Place, SN: string, value: number) =>
  client.publishAsync(`iot/v1/${SN}/up/data`, reading(device, point, value), { qos: 1 })
const heartbeat = ({ client, device }: Place, SN: string, Status: number) => {
  const Data = { Devices: [{ DeviceId: device, Status, OkCount: 1, ErrCount: 1 }] }
  return client.publishAsync(`iot/v1/${SN}/up/heartbeat`, JSON.stringify({ MsgId: crypto.randomUUID(), Ts: Date.now(), Data }), { qos: 1 })
}
const statusOf = async ({ device }: Place) => (await house.data<{ Status: number }>('GET', `/Project/Device?Id=${device}`)).Status
const alarmsOf = async ({ device }: Place) =>
  (await house.data<{ Items: { DeviceId: number; AlmRuleId: number | null }[] }>('GET', '/Alarm/AlarmInfo/List?PageSize=50')).Items.filter(
    (alarm) => alarm.DeviceId === device,
  )
const lastTrigger = async () => (await house.data<{ LastTriggerTime: string | null }>('GET', `/Alarm/AlarmRule?Id=${rule}`)).LastTriggerTime

beforeAll(async () => {
  house = await startHouse()
  attacker = await place('LOCKER00')
  neighbour = await place('NEIGHB00')
  const condition = { TriggerStyle: 1, TriggerCondition: 1, OperateSymbol: 3, ParamValue: 5, AlarmParams: [{ ParaId: attacker.point }] }
  const RuleConfigure = { LogicSymbol: 1, EnableType: 0, RuleList: [{ LogicSymbol: 1, Conditions: [condition] }] }
  rule = (await house.data('POST', '/Alarm/AlarmRule', { RuleName: 'Locked', Status: 1, ProjectId: attacker.project, RuleConfigure })).Id
})
afterAll(async () => {
  for (const one of [attacker, neighbour]) await one?.client.endAsync(true)
  await house?.close()
})

it('alarms and states of others are written while the rows of one are locked, and his own once they are free', async () => {
  const { promise: until, resolve: release } = Promise.withResolvers<void>()
  const { promise: locked, resolve: isLocked } = Promise.withResolvers<void>()
  const holding = house.database.system.tx(async (db) => {
    await db.rows(sql`select 1 from alarm_rule where "Id" = ${rule} for update`)
    await db.rows(sql`select 1 from device where "Id" = ${attacker!.device} for update`)
    await db.rows(sql`select 1 from gateway where "Id" = ${attacker!.gateway} for update`)
    isLocked()
    await until
  })
  await locked
  try {
    await Promise.all([say(attacker!, 'LOCKER00', 7), heartbeat(attacker!, 'LOCKER00', 2)])
    await Promise.all([say(neighbour!, 'NEIGHB00', 99), heartbeat(neighbour!, 'NEIGHB00', 2)])
    await expect.poll(() => statusOf(neighbour!)).toBe(2)
    await expect.poll(() => alarmsOf(neighbour!)).toHaveLength(1)
    await expect.poll(() => alarmsOf(attacker!)).toMatchObject([{ AlmRuleId: rule }])
    expect([await statusOf(attacker!), await lastTrigger()]).toEqual([3, null])
  } finally {
    release()
    await holding
  }
  await expect.poll(() => statusOf(attacker!)).toBe(2)
  // It ends with the next step of the engine.
  await say(neighbour!, 'NEIGHB00', 1)
  await expect.poll(lastTrigger).not.toBeNull()
})

it('a removal of many that names an unknown record locks none of them', async () => {
  const { promise: until, resolve: release } = Promise.withResolvers<void>()
  const { promise: locked, resolve: isLocked } = Promise.withResolvers<void>()
  const other = (await house.data('POST', '/Project/Project', { ProjectName: 'Other' })).Id
  const holding = house.database.system.tx(async (db) => {
    await db.rows(sql`select 1 from project where "Id" = ${other} for update`)
    isLocked()
    await until
  })
  await locked
  const answer = await house.call(house.admin, 'DELETE', '/Project/Project', { Ids: [other, 999_999_999] })
  release()
  await holding
  expect(answer).toMatchObject({ StatusCode: 404 })
})
