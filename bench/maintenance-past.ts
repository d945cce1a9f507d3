// A company's past in maintenance: orders, articles, plans and rules.
import { sql } from 'kysely'
import type { RuleConfigure } from '../areas/alarms/alarm-rules/alarm-configure.ts'
import type { Database } from '../server/database/db.ts'
import { quantile, timed } from './figures.ts'
import type { Gateway } from './load/publisher.ts'
import { asOwner, seedPlant } from './world.ts'

export const orders = Number(process.env.BENCH_ORDERS ?? 1_000_000)
export const [articles, duePlans, calendarPlans] = [100_000, 10_000, 1000]
/** Of one company in a year. */
export const [yearOrders, yearAlarms] = [100_000, 1_000_000]
export const [gateways, points, tries] = [20, 10, 40]
/** Narrows the bench: lists, plans, alarms, figures. */
const asked = process.env.BENCH_PARTS?.split(',')
export const wants = (part: string) => !asked || asked.includes(part)
/** The server is up by then, ms after the plans were made. */
const untilDue = 45_000

export type Seeded = { plant: Gateway[]; user: number; dueAt: number; bare: Record<'mine' | 'part' | 'inserts' | 'year', number> }

export const words = ['bearing', 'valve', 'pump', 'leak', 'vibration', 'filter', 'pressure', 'motor', 'belt', 'sensor', 'oil', 'cable']
const word = (n: string, part: number) => sql.raw(`(array['${words.join("','")}'])[1 + (${n} * ${part} + ${n} / 7) % ${words.length}]`)

const seedOrders = async ({ system: db }: Database, url: string, user: number) => {
  await asOwner(url, 'alter table mtn_maintenance_order disable trigger mtn_order_number')
  // A statement may take 30 s.
  for (let from = 1; from <= orders; from += 50_000)
    await db.rows(sql`
      insert into mtn_maintenance_order ("EnterpriseId", "OrderNo", "Title", "ProjectId", "DeviceId", "Status", "ReportTime", "PlanFinishTime", "FinishTime", "AssignUserId", "Source", "Verified")
      select d."EnterpriseId", 'WX' || lpad(n::text, 12, '0'), 'Order ' || n, g."ProjectId", d."Id", case when n % 500 = 0 then 2 else 5 end,
        now() - make_interval(secs => n * 150), now() - make_interval(secs => n * 150) + interval '1 day', now() - make_interval(secs => n * 150) + interval '8 hours',
        case when n % 2500 = 0 then ${user}::bigint end, 1, 2
      from generate_series(${from}::int, ${Math.min(orders, from + 49_999)}::int) n
        cross join lateral (select * from device order by "Id" offset n % ${gateways} limit 1) d join gateway g on g."Id" = d."GatewayId"`)
  await asOwner(url, 'alter table mtn_maintenance_order enable trigger mtn_order_number')
}

/** A year of a separate company: 200 machines, repairs of which one in four is a failure, upkeep, alarms. */
const seedYear = async ({ system: db }: Database, url: string, { device }: Gateway) => {
  await db.rows(sql`
    insert into device ("EnterpriseId", "DeviceName", "GatewayId", "SlaveNumber") select "EnterpriseId", 'Machine ' || n, "GatewayId", 1 + n
    from device, generate_series(1, 199) n where "Id" = ${device}`)
  const machine = sql`(select array_agg("Id") as ids, min("GatewayId") as gateway, min("EnterpriseId") as tenant from device where "EnterpriseId" = (select "EnterpriseId" from device where "Id" = ${device})) d
    join project p on p."EnterpriseId" = d.tenant`
  await asOwner(url, 'alter table mtn_maintenance_order disable trigger mtn_order_number')
  for (let from = 1; from <= yearOrders; from += 25_000)
    await db.rows(sql`
      insert into mtn_maintenance_order ("EnterpriseId", "OrderNo", "Title", "ProjectId", "DeviceId", "Status", "ReportTime", "PlanFinishTime", "FinishTime", "CheckTime", "Source", "Verified",
        "CauseType", "StopHours", "LaborHours", "PartsCost", "LaborCost", "Rejects")
      select d.tenant, 'YX' || lpad(n::text, 12, '0'), 'Order ' || n, p."Id", d.ids[1 + n % 200], case when n % 500 = 0 then 2 else 5 end, now() - n * interval '315 s',
        now() - n * interval '315 s' + interval '10 hours', case when n % 500 > 0 then now() - n * interval '315 s' + (n % 12) * interval '1 hour' end, now() - n * interval '315 s' + interval '1 day', 1, 2,
        n % 7, case when n % 4 = 0 then (n % 9) / 2.0 end, 0.5 + n % 5, n % 300 * 1000000000::bigint, 45000000000, (n % 40 = 0)::int
      from generate_series(${from}::int, ${from + 24_999}::int) n, ${machine}`)
  await asOwner(url, 'alter table mtn_maintenance_order enable trigger mtn_order_number')
  await db.rows(sql`
    insert into mtn_up_keep_order ("EnterpriseId", "Title", "ProjectId", "PlanTime", "DueTime", "Status", "FinishTime")
    select d.tenant, 'Upkeep', p."Id", now() - n * interval '30 minutes', now(), 2, now() - n * interval '29 minutes' from generate_series(1, 17000) n, ${machine}`)
  for (let from = 1; from <= yearAlarms; from += 50_000)
    await db.rows(sql`
      insert into alarm_info ("EnterpriseId", "ProjectId", "AlmNo", "RuleName", "AlarmLevel", "GatewayId", "DeviceId", "StartTime", "IsActive", "HandleStatus", "Subject")
      select d.tenant, p."Id", '', 'Rule ' || n % 50, 1 + n % 3, d.gateway, d.ids[1 + n % 200], now() - n * interval '31 s', 0, 2, 'bench ' || n
      from generate_series(${from}::int, ${from + 49_999}::int) n, ${machine}`)
  await db.rows(sql`delete from notice_due`)
}

const seedArticles = async ({ system: db }: Database, tenant: number) => {
  for (let from = 1; from <= articles; from += 10_000)
    await db.rows(sql`
      insert into mtn_knowledge_base ("EnterpriseId", "Title", "Status", "Phenomenon", "Solution")
      select ${tenant}, initcap(${word('n', 1)}) || ' of unit ' || n, 1, 'The ' || ${word('n', 3)} || ' is worn, ' || ${word('n', 5)} || ' is low: case ' || md5(n::text),
        '<p>Replace the ' || ${word('n', 11)} || ' and check the ' || ${word('n', 7)} || '.</p>'
      from generate_series(${from}::int, ${from + 9999}::int) n`)
}

const seedPlans = async ({ system: db }: Database, user: number, dueAt: number) => {
  await db.rows(sql`
    insert into mtn_up_keep_plan ("EnterpriseId", "PlanName", "ProjectId", "DeviceIds", "PlanStatus", "CycleType", "StartDate", "NextTime", "AdvanceDays", "AssignUserId")
    select d."EnterpriseId", 'Plan ' || n, g."ProjectId", jsonb_build_array(d."Id"), 1, 6, to_char(now(), 'YYYY-MM-DD'), ${new Date(dueAt)}, 0, ${user}
    from generate_series(1, ${duePlans}::int) n cross join lateral (select * from device order by "Id" offset n % ${gateways} limit 1) d join gateway g on g."Id" = d."GatewayId"`)
  await db.rows(sql`
    insert into mtn_up_keep_plan ("EnterpriseId", "PlanName", "ProjectId", "DeviceIds", "PlanStatus", "CycleType", "CycleValue", "StartDate", "NextTime", "AdvanceDays", "AssignUserId")
    select d."EnterpriseId", 'Month ' || n, p."Id", jsonb_build_array(d."Id"), 1, 3, 1, to_char(now() + make_interval(days => 1 + n % 28), 'YYYY-MM-DD'), now() + make_interval(days => 1 + n % 28), 0, ${user}
    from generate_series(1, ${calendarPlans}::int) n, (select * from project where "ProjectName" = 'Calendar') p
      cross join lateral (select * from device order by "Id" limit 1) d where d."EnterpriseId" = p."EnterpriseId"`)
}

const above = (ParaId: number): RuleConfigure => ({
  ...{ LogicSymbol: 1, EnableType: 0 },
  RuleList: [
    {
      LogicSymbol: 1,
      Conditions: [{ TriggerStyle: 1, TriggerCondition: 1, OperateSymbol: 3, ParamValue: 150, AlarmParams: [{ ParaId }] }],
    },
  ],
})
/** Each point has a rule that opens an order and one that does not; both are off. */
const seedRules = async ({ system: db }: Database, plant: readonly Gateway[], user: number) => {
  const configures = JSON.stringify(plant.flatMap((g) => g.points.map(above)))
  for (const [name, actions] of [
    ['With', JSON.stringify([{ Type: 1, UserId: user }])],
    ['Without', '[]'],
  ])
    await db.rows(sql`
      insert into alarm_rule ("EnterpriseId", "ProjectId", "RuleName", "RuleNo", "RuleConfigure", "ActionExecution", "Status")
      select p."EnterpriseId", p."Id", ${name} || ' ' || n, '', c, ${actions}::jsonb, 0
      from project p, jsonb_array_elements(${configures}::jsonb) with ordinality as x (c, n) where p."ProjectName" = 'Works'`)
}

/** p95 of the same rows from PostgreSQL alone. */
const bareOf = async ({ system: db }: Database, tenant: number, user: number): Promise<Seeded['bare']> => {
  const p95 = async (ask: (i: number) => Promise<unknown>) => {
    const times: number[] = []
    for (let i = 0; i < tries; i++) times.push(await timed(() => ask(i)))
    return quantile(times, 0.95)
  }
  const mine = await p95(() =>
    db.rows(
      sql`select * from mtn_maintenance_order where "AssignUserId" = ${user} and "Status" not in (5, 6) order by "PlanFinishTime", "Id" limit 20`,
    ),
  )
  const part = await p95((i) =>
    db.rows(sql`
      select * from mtn_knowledge_base where "EnterpriseId" = ${tenant} and "Grams" @> penstock_grams(${partOf(i)}) and "Words" like ${`%${partOf(i)}%`}
      order by "UpdateTime" desc, "Id" desc limit 20`),
  )
  const year = await p95(() =>
    db.rows(sql`
      select "DeviceId", count(*), sum("Cost"), avg("LaborHours") from mtn_maintenance_order
      where "EnterpriseId" = (select "EnterpriseId" from project where "ProjectName" = 'Year') and "FinishTime" > now() - interval '1 year' group by 1`),
  )
  const inserts = await timed(() =>
    db.tx(async (db) => {
      for (let i = 0; i < duePlans; i += 100)
        await db.rows(sql`
          insert into mtn_up_keep_order ("EnterpriseId", "Title", "ProjectId", "PlanTime", "DueTime")
          select ${tenant}, 'Order', "Id", now(), now() from project, generate_series(1, 100) where "ProjectName" = 'Works'`)
      await db.rows(sql`delete from mtn_up_keep_order`)
    }),
  )
  return { mine, part, inserts, year }
}
/** Parts of words that some articles have. */
export const partOf = (i: number) => (i % 2 ? `unit ${1000 + i}` : words[i % words.length]!.slice(1, 5))

export const seed = async (database: Database, url: string): Promise<Seeded> => {
  const all = await seedPlant({ gateways: gateways + 1, points, ofOther: 1 })(database)
  const [plant, other] = [all.slice(0, gateways), all.at(-1)!]
  const db = database.system
  await db.rows(sql`update point set "AlarmLow" = null, "AlarmHigh" = null`)
  const [person] = await db.rows<{ Id: number; EnterpriseId: number }>(
    sql`select "Id", "EnterpriseId" from "user" where "UserNO" = 'manager1'`,
  )
  const { Id: user, EnterpriseId: tenant } = person!
  await db.rows(sql`insert into project ("EnterpriseId", "ProjectName") values (${tenant}, 'Calendar')`)
  if (wants('lists')) {
    await seedOrders(database, url, user)
    await seedArticles(database, tenant)
  }
  await db.rows(sql`update project set "ProjectName" = 'Year' where "EnterpriseId" <> ${tenant}`)
  if (wants('figures')) await seedYear(database, url, other)
  await seedRules(database, plant, user)
  // What autovacuum does within minutes of so many rows.
  await asOwner(url, 'vacuum analyze')
  const bare = await bareOf(database, tenant, user)
  const dueAt = Date.now() + untilDue
  if (wants('plans')) await seedPlans(database, user, dueAt)
  return { plant, user, dueAt, bare }
}
