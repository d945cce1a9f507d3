// Tells people of orders as the push settings say: when one is opened, due soon, overdue, completed. What was told is kept, so each is told once.
import { type RawBuilder, sql } from 'kysely'
import { firstLanguage } from '../../../../contract/languages.ts'
import type { Delivery } from '../../../../server/channels/delivery.ts'
import type { Database, Db } from '../../../../server/database/db.ts'
import { word } from '../../../../server/http/words.ts'
import type { AlarmPush } from '../../../alarms/alarm-rules/alarm-push.ts'
import { audienceOf } from '../../../alarms/alarms/server/service.ts'
import { notify } from '../../../system/notices/server/service.ts'
import { mtnMaintenanceOrder } from '../contract.ts'
import { BizType } from './tell.ts'

const repairs = 1
type Due = {
  OrderId: number
  EnterpriseId: number
  ProjectId: number
  OrderNo: string
  Title: string
  Event: number
  TemplateId: number
  AlarmPush: AlarmPush
  Language: string | null
}
/** What is older was missed by a server that stood still, and is no news. */
const newsDays = 2

/** What is due at `now`; a moved date is another one. Each event has an index: of a million orders only those that matter are looked at. */
const due = (now: RawBuilder<unknown>) => {
  const news = sql`${now} - make_interval(days => ${newsDays})`
  const of = (event: number, when: RawBuilder<unknown>) => sql`
    select o."Id" as "OrderId", o."EnterpriseId", o."ProjectId", o."OrderNo", o."Title", x."Event", x."Id" as "TemplateId", x."AlarmPush", e."Language",
      ${event === 2 || event === 3 ? sql`o."PlanFinishTime"` : sql`'-infinity'::timestamptz`} as "For"
    from mtn_alm_template x join enterprise e on e."Id" = x."EnterpriseId" join mtn_maintenance_order o on o."EnterpriseId" = x."EnterpriseId"
    where x."OrderKind" = ${repairs} and x."Enabled" = 1 and x."Event" = ${event} and ${when}`
  const isOpen = sql`o."Status" not in (5, 6)`
  return sql`select * from (${sql.join(
    [
      of(1, sql`o."ReportTime" > greatest(x."CreateTime", ${news})`),
      of(2, sql`${isOpen} and o."PlanFinishTime" > ${now} and o."PlanFinishTime" <= ${now} + make_interval(mins => x."LeadTime")`),
      of(3, sql`${isOpen} and o."PlanFinishTime" between ${news} and ${now}`),
      of(4, sql`o."Status" = 5 and o."CheckTime" > greatest(x."CreateTime", ${news})`),
    ],
    sql` union all `,
  )}) d where not exists (
    select 1 from mtn_order_told n where n."OrderId" = d."OrderId" and n."TemplateId" = d."TemplateId" and n."Event" = d."Event" and n."For" = d."For")`
}

/** Notes what is due and not told yet, and answers it. */
const claim = (db: Db, now: Date) =>
  db.rows<Due>(sql`
    with due as (${due(sql`${now}::timestamptz`)} limit 200),
    told as (insert into mtn_order_told ("EnterpriseId", "OrderId", "TemplateId", "Event", "For") select "EnterpriseId", "OrderId", "TemplateId", "Event", "For" from due
      on conflict do nothing returning "OrderId", "TemplateId", "Event")
    select d.* from due d join told using ("OrderId", "TemplateId", "Event")`)

const wordings: Record<number, string> = { 1: 'orderOpened', 2: 'orderDueSoon', 3: 'orderOverdue', 4: 'orderCompleted' }

const send = async (db: Db, { deliver }: Pick<Delivery, 'deliver'>, d: Due, now: number) => {
  const { targets } = await audienceOf(
    db,
    d,
    { PushUsers: d.AlarmPush.PushUsers, PushRosters: d.AlarmPush.PushRosters, PushMethods: d.AlarmPush.PushMethods },
    now,
  )
  const Wording = wordings[d.Event]!
  const WordValues = { OrderNo: d.OrderNo, Title: d.Title }
  const Source = `order/${d.OrderId}/template/${d.TemplateId}/${d.Event}/${now}`
  for (const { Method, Language, Zone: _, ...target } of targets) {
    if (Method === 'site') {
      const about = { ObjectType: mtnMaintenanceOrder.name, ObjectId: d.OrderId, ProjectId: d.ProjectId }
      await notify(db, {
        EnterpriseId: d.EnterpriseId,
        BizType,
        Wording,
        WordValues,
        Source: `${Source}/u${target.UserId}`,
        UserIds: [target.UserId!],
        ...about,
      })
      continue
    }
    const language = firstLanguage(Language, d.Language)
    const text = (suffix: string) => word(language, `notice.made.${Wording}${suffix}`, WordValues)
    await deliver(db, {
      EnterpriseId: d.EnterpriseId,
      Method,
      BizType,
      ...target,
      values: { title: text(''), content: text('.text') },
      Source,
    })
  }
}

/** Tells all that is due at `now`, epoch ms; answers how many events. What is taken on commits with the note that it was told. */
export const tellDue = async (database: Database, delivery: Pick<Delivery, 'deliver'>, now: number): Promise<number> =>
  database.system.tx(async (db) => {
    const events = await claim(db, new Date(now))
    for (const event of events) await send(db, delivery, event, now)
    return events.length
  })
