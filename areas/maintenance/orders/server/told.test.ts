// What the push settings say is told: once, to whom they name, also after a restart.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import type { Message } from '../../../../server/channels/prepare.ts'
import { project as projects } from '../../../configuration/projects/contract.ts'
import { orderRoutes } from './routes.ts'
import { tellDue } from './templates.ts'

let kit: Kit
let ProjectId: number
const sent: Message[] = []
const delivery = { deliver: async (_: unknown, message: Message) => void sent.push(message) } as never
beforeAll(async () => {
  kit = await startKit({ areas: () => [orderRoutes] })
  ProjectId = (await maker(kit).create(projects)).Id
  await kit.db.rows(sql`update "user" set "Language" = 'en'`)
})
afterAll(() => kit?.close())

const titles = () =>
  kit.db
    .rows<{ Wording: string }>(sql`select "Wording" from notice where "Source" like 'order/%/template/%' order by "Id"`)
    .then((rows) => rows.map((r) => r.Wording))

it('opened, due soon, overdue and completed are told once each; a date that moves is told again', async () => {
  const owner = kit.people.get('owner')!.id
  const template = (Event: number, Methods: number[]) =>
    kit.data('owner', 'POST', '/Maintenance/MtnAlmTemplate', {
      ...{ TemplateName: `Event ${Event}`, OrderKind: 1, Event, LeadTime: 60 },
      AlarmPush: { PushUsers: [owner], PushMethods: Methods.map((Method) => ({ Method })) },
    })
  for (const event of [1, 2, 3, 4]) await template(event, event === 1 ? [1, 3] : [1])
  const { Id } = await kit.data<{ Id: number }>('owner', 'POST', '/Maintenance/MtnMaintenanceOrder', { Title: 'Leak', ProjectId })
  const now = Date.now()
  const hour = 3_600_000
  const plan = (at: number) => kit.db.rows(sql`update mtn_maintenance_order set "PlanFinishTime" = ${new Date(at)} where "Id" = ${Id}`)
  const tell = async (at: number) => {
    while (await tellDue(kit.database, delivery, at));
    return titles()
  }
  await plan(now + 3 * hour)
  expect(await tell(now)).toEqual(['orderOpened'])
  expect(sent).toMatchObject([{ Method: 'email', UserId: owner, values: { title: 'New order: Leak' } }])
  expect(await tell(now + 1000)).toEqual(['orderOpened'])
  expect(await tell(now + 2.5 * hour)).toEqual(['orderOpened', 'orderDueSoon'])
  expect(await tell(now + 4 * hour)).toEqual(['orderOpened', 'orderDueSoon', 'orderOverdue'])
  await plan(now + 6 * hour)
  expect((await tell(now + 7 * hour)).at(-1)).toBe('orderOverdue')
  expect(await titles()).toHaveLength(4)
  await kit.db.rows(sql`update mtn_maintenance_order set "Status" = 5, "CheckTime" = now() where "Id" = ${Id}`)
  expect((await tell(now + 8 * hour)).at(-1)).toBe('orderCompleted')
  expect((await tell(now + 9 * hour)).filter((w) => w === 'orderCompleted')).toHaveLength(1)
})

it('steps go on until somebody accepts, quiet hours hold or drop, and low stock and each clock are told', async () => {
  const owner = kit.people.get('owner')!.id
  const to = { PushUsers: [owner], PushMethods: [{ Method: 1 }] }
  await kit.db.rows(sql`delete from mtn_alm_template`)
  const template = (Event: number, push: object) =>
    kit.data('owner', 'POST', '/Maintenance/MtnAlmTemplate', { TemplateName: `More ${Event}`, Event, AlarmPush: { ...to, ...push } })
  const quiet = (Mode: number) => ({ NoDisturb: { Enabled: 1, Start: '00:00', End: '23:59', Mode } })
  await template(1, { StepPush: { Enabled: 1, Steps: [5, 10].map((Delay) => ({ Delay, ...to })) } })
  await template(3, {})
  await template(5, quiet(1))
  await template(8, {})
  await kit.data('owner', 'PUT', '/Maintenance/OrderClocks', {
    ...{ Respond2: 30, Finish2: 60, HoldReasons: [{ Name: 'Waiting for parts', Pauses: 1 }] },
  })
  await kit.db.rows(sql`delete from notice`)
  const { Id, ...order } = await kit.data<Record<string, unknown> & { Id: number }>('owner', 'POST', '/Maintenance/MtnMaintenanceOrder', {
    ...{ Title: 'Hot bearing', ProjectId, Urgency: 2, AssignUserId: owner },
  })
  const minutes = (a: unknown, b: unknown) => (Date.parse(`${a}Z`.replace(' ', 'T')) - Date.parse(`${b}Z`.replace(' ', 'T'))) / 60_000
  expect(minutes(order.RespondDue, order.ReportTime)).toBe(30)
  expect(minutes(order.PlanFinishTime, order.ReportTime)).toBe(60)
  const now = Date.now()
  const tell = async (minute: number) => {
    while (await tellDue(kit.database, delivery, now + minute * 60_000));
    return titles()
  }
  // The event falls into quiet hours that drop it.
  expect(await tell(1)).toEqual(['orderOpened'])
  expect(await tell(6)).toEqual(['orderOpened', 'orderWaits'])
  expect((await tell(31)).slice(2)).toEqual(expect.arrayContaining(['orderWaits', 'orderNotAccepted']))
  const step = (name: string, more: object = {}) =>
    kit.data('owner', 'POST', `/Maintenance/MtnMaintenanceOrder/${name}`, { OrderId: Id, ...more })
  await step('Accept')
  await step('Suspend', { Reason: 'Waiting for parts', Desc: 'Seal' })
  const find = () => kit.data<Record<string, unknown>>('owner', 'GET', `/Maintenance/MtnMaintenanceOrder?Id=${Id}`)
  expect(await find()).toMatchObject({ PlanFinishTime: null, HoldReason: 'Waiting for parts' })
  expect(await tell(90)).toHaveLength(4)
  await kit.db.rows(
    sql`update mtn_maintenance_order set "Holds" = jsonb_build_array(jsonb_build_object('start', ("Holds" -> 0 ->> 'start')::float8 - 1200000, 'end', null)) where "Id" = ${Id}`,
  )
  await step('Resume')
  const held = await find()
  expect(held.HoldReason).toBeNull()
  expect(minutes(held.PlanFinishTime, held.ReportTime)).toBeGreaterThanOrEqual(60)
  expect((await tell(90)).at(-1)).toBe('orderOverdue')
  const refused = await kit.call('owner', 'POST', '/Maintenance/MtnMaintenanceOrder/Suspend', { OrderId: Id, Reason: 'Lunch', Desc: 'x' })
  expect(refused.Details?.Fields).toHaveProperty('Reason')
  await kit.db.rows(sql`
    insert into mtn_component ("EnterpriseId", "ComponentNo", "ComponentName", "Unit", "LowTime") values (${kit.enterprises.ours}, 'B1', 'Bearing', 'pcs', now() + interval '2 hours')`)
  expect((await tell(130)).at(-1)).toBe('stockIsLow')
})
