// An alarm becomes an order by its rule, once, whatever dies in between; the order's steps come back to the alarm.
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { type PushArea, startPushArea } from '../../../../main/testing/alarmPushes.ts'
import { verifyDue } from './proof.ts'
import { orderRoutes } from './routes.ts'
import { startOrders } from './worker.ts'

type Order = {
  Id: number
  Status: number
  AlarmCount: number
  Verified: number
  Urgency: number
  AssignUserId: number | null
  CameBackOfId: number | null
  Title: string
  OrderNo: string
  Source: number
}
type AlarmRow = {
  Id: number
  OrderId: number | null
  AckStatus: number
  HandleStatus: number
  HandleDesc: string | null
  HandleUserId: number | null
}

let area: PushArea
let p: number
let worker: ReturnType<typeof startOrders>
let me: number
beforeAll(async () => {
  area = await startPushArea([orderRoutes])
  p = await area.makePoint({ AlarmLow: null, AlarmHigh: null, ParaName: 'Bearing' })
  me = area.kit.people.get('owner')!.id
})
beforeEach(async () => {
  await area.settle()
  start()
})
afterEach(async () => {
  await worker.stop()
  await area.kit.db.rows(sql`delete from mtn_order_history`)
  await area.kit.db.rows(sql`delete from mtn_maintenance_order`)
  await area.fresh()
})
afterAll(() => area?.close())

const start = () => {
  worker = startOrders({
    database: area.kit.database,
    clock: area.clock,
    log: { warn: (...given: unknown[]) => console.error(...given) },
    pollMs: 3_600_000,
  })
}
const orders = () => area.kit.db.rows<Order>(sql`select * from mtn_maintenance_order order by "Id"`)
const alarms = () => area.kit.db.rows<AlarmRow>(sql`select * from alarm_info order by "Id"`)
const step = (name: string, OrderId: number, more: object = {}) =>
  area.kit.call('owner', 'POST', name === 'finish' ? '/Maintenance/MtnMyOrder/OrderFinish' : `/Maintenance/MtnMaintenanceOrder/${name}`, {
    OrderId,
    ...more,
  })
const raise = async () => {
  await area.reads(p, 50)
  await worker.settle()
}

it('an action opens one order in state 1 for whom it names; further alarms attach, and nothing is acknowledged', async () => {
  await area.rule(p, { RuleName: 'Bearing runs hot', AlarmLevel: 3, ActionExecution: [{ Type: 1, UserId: me }] })
  await raise()
  expect(await orders()).toMatchObject([{ Status: 1, Title: 'Bearing runs hot', Urgency: 3, AssignUserId: me, AlarmCount: 1, Source: 2 }])
  await area.reads(p, 5)
  await raise()
  const [order, ...others] = await orders()
  expect(others).toEqual([])
  expect(order).toMatchObject({ AlarmCount: 2 })
  expect(await alarms()).toMatchObject([
    { OrderId: order!.Id, AckStatus: 0 },
    { OrderId: order!.Id, AckStatus: 0 },
  ])
  expect(await step('Accept', order!.Id)).toMatchObject({ Succeeded: true })
  expect(await alarms()).toMatchObject([{ AckStatus: 1 }, { AckStatus: 1 }])
})

it('a rule of maintenance always opens one; closing handles what stands, and coming back is linked and counted', async () => {
  await area.rule(p, { RuleName: 'Oil is due', RuleType: 2 })
  await raise()
  const [order] = await orders()
  expect(order).toMatchObject({ Status: 0, AssignUserId: null })
  await area.kit.person('chief', area.kit.enterprises.ours)
  await area.kit.data('owner', 'POST', '/Maintenance/MtnMaintenanceOrder/Dispatch', { OrderId: order!.Id, UserId: me })
  await step('Accept', order!.Id)
  await step('finish', order!.Id, { Desc: 'Oil changed' })
  expect(await area.kit.call('chief', 'POST', '/Maintenance/MtnMaintenanceOrder/Check', { OrderId: order!.Id })).toMatchObject({
    Succeeded: true,
  })
  const chief = area.kit.people.get('chief')!.id
  expect(await alarms()).toMatchObject([{ HandleStatus: 2, HandleUserId: chief, HandleDesc: `${order!.OrderNo}: Oil changed` }])
  // The clock of the plant is not the server's: the order was finished just before the next alarm.
  await area.kit.db.rows(sql`update mtn_maintenance_order set "FinishTime" = ${new Date(area.clock() + 1000)}`)
  await area.after(60)
  await area.reads(p, 5)
  await raise()
  const [first, second] = await orders()
  expect(first).toMatchObject({ Status: 5, Verified: 3 })
  expect(second).toMatchObject({ Status: 0, CameBackOfId: first!.Id, AlarmCount: 1 })
})

it('is verified when its alarms have recovered and none was raised again for a day', async () => {
  await area.rule(p, { ActionExecution: [{ Type: 1 }] })
  await raise()
  await area.kit.db.rows(sql`update mtn_maintenance_order set "Status" = 5, "FinishTime" = ${new Date(area.clock() + 60_000)}`)
  expect(await verifyDue(area.kit.database, area.clock() + 86_000_000)).toBe(0)
  expect(await verifyDue(area.kit.database, area.clock() + 87_000_000)).toBe(0)
  await area.reads(p, 5)
  // The proof period of a late finish starts at its arrival.
  const [order] = await orders()
  const arrived = new Date(area.clock() + 600_000)
  await area.kit.db.rows(sql`
    insert into mtn_order_history ("EnterpriseId", "OrderId", "Step", "FromStatus", "ToStatus", "ReceivedTime")
    select "EnterpriseId", "Id", 'finish', 2, 4, ${arrived} from mtn_maintenance_order where "Id" = ${order!.Id}`)
  expect(await verifyDue(area.kit.database, area.clock() + 86_800_000)).toBe(0)
  expect(await verifyDue(area.kit.database, area.clock() + 87_000_000)).toBe(1)
  expect(await orders()).toMatchObject([{ Verified: 1 }])
})

it('follows from the alarm after any pause, exactly once, and an alarm never waits for it', async () => {
  await worker.stop()
  await area.rule(p, { ActionExecution: [{ Type: 1 }] })
  await area.reads(p, 50)
  expect(await orders()).toEqual([])
  await area.after(7200)
  // Two at a time, as when one process takes over from another.
  start()
  const second = startOrders({ database: area.kit.database, clock: area.clock, log: { warn: () => {} }, pollMs: 3_600_000 })
  await Promise.all([worker.settle(), second.settle()])
  await second.stop()
  expect(await orders()).toMatchObject([{ AlarmCount: 1 }])
})

it('a person opens one from the alarm, which is acknowledged in his name; the second time it is the same order', async () => {
  await area.rule(p, { RuleName: 'Hot' })
  await raise()
  const [alarm] = await alarms()
  const ask = () =>
    area.kit.data<{ Id: number; Attached: number }>('owner', 'POST', '/Maintenance/MtnMaintenanceOrder/FromAlarm', {
      AlmInfoId: alarm!.Id,
      UserId: me,
    })
  const made = await ask()
  expect(made.Attached).toBe(1)
  expect(await ask()).toMatchObject({ Id: made.Id, Attached: 0 })
  expect(await orders()).toMatchObject([{ Id: made.Id, Status: 1, AlarmCount: 1, AssignUserId: me }])
  expect(await alarms()).toMatchObject([{ AckStatus: 1, AckUserId: me, OrderId: made.Id, AssigneeId: me }])
  expect(await area.kit.call('stranger', 'POST', '/Maintenance/MtnMaintenanceOrder/FromAlarm', { AlmInfoId: alarm!.Id })).toMatchObject({
    StatusCode: 400,
  })
})

it('a rule names one order at most, and only people and teams of its company', async () => {
  const refused = async (ActionExecution: object[]) => {
    return area.rule(p, { ActionExecution }).then(
      () => '',
      (error: Error) => error.message,
    )
  }
  expect(await refused([{ Type: 1 }, { Type: 1 }])).toContain('ActionExecution.1.Type')
  expect(await refused([{ Type: 1, UserId: area.kit.people.get('stranger')!.id }])).toContain('ActionExecution.0.UserId')
  expect(await refused([{ Type: 1, UserId: me, TeamId: 1 }])).toContain('ActionExecution.0.TeamId')
})
