// Sends notifications for orders and low stock according to the push settings. Sent events are recorded, so each is sent once.
import { sql } from 'kysely'
import { firstLanguage } from '../../../../contract/languages.ts'
import type { Delivery } from '../../../../server/channels/delivery.ts'
import type { Database, Db } from '../../../../server/database/db.ts'
import { word } from '../../../../server/http/words.ts'
import type { AlarmPush } from '../../../alarms/alarm-rules/alarm-push.ts'
import { audienceOf } from '../../../alarms/alarms/server/service.ts'
import { notify } from '../../../system/notices/server/service.ts'
import { mtnCheckOrder } from '../../patrols/contract.ts'
import { mtnComponent } from '../../spare-parts/contract.ts'
import { mtnUpKeepOrder } from '../../upkeep/contract.ts'
import { mtnMaintenanceOrder } from '../contract.ts'
import { BizType } from './tell.ts'
import { dueEvents, type Told } from './told.ts'

type Due = {
  /** An event of an order or a part. */
  OrderId: number
  EnterpriseId: number
  ProjectId: number | null
  /** 1 repair, 2 upkeep, 3 patrol, 0 stock. */
  Kind: number
  Clock: string
  Target: string
  /** 0: the audience itself; otherwise the escalation step. */
  Step: number
  /** True within quiet hours that drop the event. */
  Dropped: boolean
  OrderNo: string
  Title: string
  Event: number
  TemplateId: number
  AlarmPush: AlarmPush
  Language: string | null
}
/** Records due events that were not sent yet, and returns them. */
const claim = async (db: Db, now: Date) => {
  const told = await db.rows<Told>(sql`select distinct "OrderKind", "Event" from mtn_alm_template where "Enabled" = 1`)
  const events = dueEvents(sql`${now}::timestamptz`, told)
  if (!events) return []
  return db.rows<Due>(sql`
    with due as (${events} limit 200),
    told as (insert into mtn_order_told ("EnterpriseId", "OrderId", "TemplateId", "Event", "For", "Step") select "EnterpriseId", "OrderId", "TemplateId", "Event", "For", "Step" from due
      on conflict do nothing returning "OrderId", "TemplateId", "Event", "For", "Step")
    select d.* from due d join told using ("OrderId", "TemplateId", "Event", "For", "Step")`)
}

const wordings: Record<number, string> = {
  ...{ 1: 'orderOpened', 2: 'orderDueSoon', 3: 'orderOverdue', 4: 'orderCompleted' },
  ...{ 5: 'orderGiven', 6: 'orderPassedOn', 7: 'orderSentBack', 8: 'stockIsLow' },
}
const late: Record<string, string> = { respond: 'orderNotAccepted', arrive: 'orderNobodyThere' }
const wordingOf = ({ Event, Clock, Step }: Due) => (Step ? 'orderWaits' : (late[Clock] ?? wordings[Event]!))
const about = (d: Due) => {
  const ObjectType = [mtnComponent, mtnMaintenanceOrder, mtnUpKeepOrder, mtnCheckOrder][d.Kind]!.name
  return { ObjectType, ObjectId: d.OrderId, ...(d.ProjectId ? { ProjectId: d.ProjectId } : {}) }
}

const send = async (db: Db, { deliver }: Pick<Delivery, 'deliver'>, d: Due, now: number) => {
  if (d.Dropped) return
  const { PushUsers, PushRosters, PushMethods } = d.Step ? d.AlarmPush.StepPush!.Steps[d.Step - 1]! : d.AlarmPush
  const { targets } = await audienceOf(db, d, { PushUsers, PushRosters, PushMethods }, now)
  const Wording = wordingOf(d)
  const WordValues = { OrderNo: d.OrderNo ?? '', Title: d.Title, Target: d.Target }
  const Source = `order/${d.OrderId}/template/${d.TemplateId}/${d.Event}/${d.Step}/${d.Clock}/${now}`
  for (const { Method, Language, Zone: _, ...target } of targets) {
    if (Method === 'site') {
      await notify(db, {
        EnterpriseId: d.EnterpriseId,
        BizType,
        Wording,
        WordValues,
        Source: `${Source}/u${target.UserId}`,
        UserIds: [target.UserId!],
        ...about(d),
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

/** Sends all events due at `now`, epoch ms; returns their number. The messages are queued in the transaction that records the event. */
export const tellDue = async (database: Database, delivery: Pick<Delivery, 'deliver'>, now: number): Promise<number> =>
  database.system.tx(async (db) => {
    const events = await claim(db, new Date(now))
    for (const event of events) await send(db, delivery, event, now)
    return events.length
  })
