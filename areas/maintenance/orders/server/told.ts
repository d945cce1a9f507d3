// Queries pending notification events: repairs, upkeep, patrols and low stock. A changed due date is a new event.
import { type RawBuilder, sql } from 'kysely'

type Sql = RawBuilder<unknown>
/** Events older than this were missed during downtime and are not sent. Escalation ends a week after its event. */
const [newsDays, stepDays] = [2, 7]

type Kind = {
  kind: number
  table: string
  urgency: Sql
  /** Not yet accepted or started, so escalation continues. */
  waits: Sql
  made: Sql
  /** Due dates of unfinished work. */
  clocks: { name: string; due: Sql; open: Sql }[]
  done: { at: Sql; when: Sql }
}
const planned = (kind: number, table: string): Kind => ({
  ...{ kind, table, urgency: sql`1`, waits: sql`o."Status" = 0`, made: sql`o."ReportTime"` },
  clocks: [{ name: 'finish', due: sql`o."DueTime"`, open: sql`o."Status" in (0, 1)` }],
  done: { at: sql`o."FinishTime"`, when: sql`o."Status" in (2, 3)` },
})
const kinds: readonly Kind[] = [
  {
    ...{ kind: 1, table: 'mtn_maintenance_order', urgency: sql`o."Urgency"`, waits: sql`o."Status" in (0, 1)`, made: sql`o."ReportTime"` },
    clocks: [
      { name: 'finish', due: sql`o."PlanFinishTime"`, open: sql`o."Status" not in (5, 6)` },
      { name: 'respond', due: sql`o."RespondDue"`, open: sql`o."Status" in (0, 1)` },
      { name: 'arrive', due: sql`o."ArriveDue"`, open: sql`o."Status" in (0, 1, 2) and o."ArriveTime" is null` },
    ],
    done: { at: sql`o."CheckTime"`, when: sql`o."Status" = 5` },
  },
  planned(2, 'mtn_up_keep_order'),
  planned(3, 'mtn_check_order'),
]
const passed: readonly [event: number, step: string][] = [
  [5, 'dispatch'],
  [6, 'handOver'],
  [7, 'reject'],
]

/** Whether quiet hours apply now, in the company's zone. Critical orders pass. */
const quiet = (now: Sql, urgency: Sql) => {
  const [start, end] = [sql`x."AlarmPush" -> 'NoDisturb' ->> 'Start'`, sql`x."AlarmPush" -> 'NoDisturb' ->> 'End'`]
  const local = sql`to_char(${now} at time zone e."TimeZoneKey", 'HH24:MI')`
  return sql`(x."AlarmPush" -> 'NoDisturb' ->> 'Enabled' = '1' and ${urgency} < 3
    and case when ${start} < ${end} then ${local} >= ${start} and ${local} < ${end} else ${local} >= ${start} or ${local} < ${end} end)`
}
/** The audience (0) and escalation steps while nobody has accepted. */
const steps = (waits: Sql) => sql`cross join lateral (
  select 0 as step, 0 as delay union all
  select n, (s ->> 'Delay')::int from jsonb_array_elements(case when x."AlarmPush" -> 'StepPush' ->> 'Enabled' = '1' then x."AlarmPush" -> 'StepPush' -> 'Steps' else '[]' end)
    with ordinality as q (s, n) where ${waits}) st`

type Event = { event: number; clock?: string; at: Sql; due?: Sql; when: Sql; join?: Sql; target?: Sql; waits: Sql }
const select = (now: Sql, { kind, table, urgency }: Pick<Kind, 'kind' | 'table' | 'urgency'>, of: Event) => {
  const at = sql`(${of.at} + make_interval(mins => st.delay))`
  const news = sql`${now} - make_interval(days => ${newsDays})`
  return sql`
    select o."Id" as "OrderId", o."EnterpriseId", o."ProjectId", o."OrderNo", o."Title", ${of.event}::int as "Event", ${kind}::int as "Kind", ${of.clock ?? ''}::text as "Clock",
      coalesce(${of.target ?? sql`null`}, '')::text as "Target", st.step::int as "Step", x."Id" as "TemplateId", x."AlarmPush", e."Language",
      ${of.due ?? sql`'-infinity'::timestamptz`} as "For", ${quiet(now, urgency)} is true and x."AlarmPush" -> 'NoDisturb' ->> 'Mode' = '1' as "Dropped"
    from mtn_alm_template x join enterprise e on e."Id" = x."EnterpriseId" join ${sql.table(table)} o on o."EnterpriseId" = x."EnterpriseId" ${of.join ?? sql``} ${steps(of.waits)}
    where x."OrderKind" = ${kind} and x."Enabled" = 1 and x."Event" = ${of.event} and ${of.when}
      and ${of.at} > ${news} - make_interval(days => ${stepDays}) and ${of.at} <= ${now} and ${at} > ${news} and ${at} <= ${now}
      and not (${quiet(now, urgency)} is true and x."AlarmPush" -> 'NoDisturb' ->> 'Mode' = '2')`
}

const lowStock = (now: Sql) => sql`
  select o."Id" as "OrderId", o."EnterpriseId", null::bigint as "ProjectId", o."ComponentNo" as "OrderNo", o."ComponentName" as "Title", 8 as "Event", 0 as "Kind", ''::text as "Clock",
    trim_scale(o."StockQty")::text || ' ' || o."Unit" as "Target", 0 as "Step", x."Id" as "TemplateId", x."AlarmPush", e."Language",
    o."LowTime" as "For", ${quiet(now, sql`1`)} is true and x."AlarmPush" -> 'NoDisturb' ->> 'Mode' = '1' as "Dropped"
  from mtn_alm_template x join enterprise e on e."Id" = x."EnterpriseId" join mtn_component o on o."EnterpriseId" = x."EnterpriseId"
  where x."Enabled" = 1 and x."Event" = 8 and o."LowTime" > greatest(x."CreateTime", ${now} - make_interval(days => ${newsDays})) and o."LowTime" <= ${now}
    and not (${quiet(now, sql`1`)} is true and x."AlarmPush" -> 'NoDisturb' ->> 'Mode' = '2')`

const eventsOf = (now: Sql, { clocks, waits, made, done }: Kind): Event[] => {
  const isNew = (at: Sql) => sql`${at} > x."CreateTime"`
  const [finish] = clocks
  return [
    { event: 1, at: made, when: isNew(made), waits },
    {
      ...{ event: 2, due: finish!.due, waits },
      at: sql`(${finish!.due} - make_interval(mins => x."LeadTime"))`,
      when: sql`${finish!.open} and ${finish!.due} > ${now}`,
    },
    ...clocks.map(({ name, due, open }) => ({ event: 3, clock: name, at: due, due, when: open, waits })),
    { event: 4, at: done.at, when: sql`${done.when} and ${isNew(done.at)}`, waits: sql`false` },
    ...passed.map(([event, step]) => ({
      ...{ event, at: sql`h."Time"`, due: sql`h."Time"`, target: sql`h."Target"`, waits },
      join: sql`join mtn_order_history h on h."EnterpriseId" = x."EnterpriseId" and h."OrderId" = o."Id" and h."Step" = ${sql.lit(step)}`,
      when: isNew(sql`h."Time"`),
    })),
  ]
}

/** An event of a kind of orders that push settings name; stock is of no kind. */
export type Told = { OrderKind: number; Event: number }
/**
 * Pending events of orders and parts due at `now`, of the kinds that `told` names; undefined when it names none. All kinds in one statement
 * would take the database 0.1 s to plan.
 */
export const dueEvents = (now: Sql, told: readonly Told[]) => {
  const ofOrders = kinds.flatMap((kind) =>
    eventsOf(now, kind)
      .filter(({ event }) => told.some((t) => t.OrderKind === kind.kind && t.Event === event))
      .map((event) => select(now, kind, event)),
  )
  const all = told.some(({ Event }) => Event === 8) ? [...ofOrders, lowStock(now)] : ofOrders
  if (!all.length) return undefined
  return sql`select * from (${sql.join(all, sql` union all `)}) d where not exists (
    select 1 from mtn_order_told n where n."OrderId" = d."OrderId" and n."TemplateId" = d."TemplateId" and n."Event" = d."Event" and n."For" = d."For" and n."Step" = d."Step")`
}
