// The payload of a webhook: names as on the wire, times as ISO 8601 in UTC, texts in the tenant's language.

import { type RawBuilder, sql } from 'kysely'
import { firstLanguage } from '../../../../../../contract/languages.ts'
import type { Message } from '../../../../../../server/channels/prepare.ts'
import type { Db } from '../../../../../../server/database/db.ts'
import type { AlarmEvent } from '../../../../alarm-webhooks/contract.ts'
import { factsOfAlarm, type MessageFacts, nameIn } from '../names.ts'
import { messageOf } from '../push/message.ts'

type Due = {
  EventId: number
  EnterpriseId: number
  AlarmWebhookId: number
  Event: AlarmEvent
  /** The level at that time. */
  Level: number
  Time: string
  Language: string | null
  Facts: MessageFacts
  Zoned: { Time: string; RecoverTime: string; TenantZone: string }
  Alarm: {
    Id: number
    AlmNo: string
    AlmRuleId: number | null
    RuleName: string
    AlarmType: number
    GatewayFault: number | null
    ProjectId: number | null
    ProjectName: string | null
    DeviceName: string | null
    GatewayName: string | null
  } & Record<string, unknown>
}

const iso = (column: string) => sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)
const local = (column: string) => sql.raw(`coalesce(to_char(${column} at time zone t."TimeZoneKey", 'YYYY-MM-DD HH24:MI:SS'), '')`)

/** The next events of each webhook, oldest first; at most as many as keep `waiting` of its messages in the queue. */
export const dueEvents = (db: Db, waiting: number): Promise<Due[]> =>
  db.rows<Due>(
    described(sql`
    select e.* from alarm_webhook h cross join lateral (
      select * from alarm_webhook_event e where e."AlarmWebhookId" = h."Id" order by e."Id"
      limit greatest(0, ${waiting} - (select count(*) from alm_push_record r where r."AlarmWebhookId" = h."Id" and r."SendStatus" = 0))) e
    where h."Enabled" = 1`),
  )

const described = (events: RawBuilder<unknown>) => sql<Due>`
  select e."Id" as "EventId", e."EnterpriseId", e."AlarmWebhookId", e."Event", e."AlarmLevel" as "Level", ${iso('e."Time"')} as "Time", t."Language", ${factsOfAlarm} as "Facts",
    jsonb_build_object('Time', ${local('a."StartTime"')}, 'RecoverTime', ${local('a."RecoverTime"')}, 'TenantZone', t."TimeZoneKey") as "Zoned",
    jsonb_build_object('Id', a."Id", 'AlmNo', a."AlmNo", 'AlmRuleId', a."AlmRuleId", 'RuleName', a."RuleName", 'AlarmType', a."AlarmType", 'GatewayFault', a."GatewayFault",
      'ProjectId', a."ProjectId", 'ProjectName', p."ProjectName", 'GatewayId', a."GatewayId", 'GatewayName', g."GatewayName", 'SN', g."SN", 'DeviceId', a."DeviceId",
      'DeviceName', d."DeviceName", 'ParaId', a."ParaId", 'ParaName', m."ParaName", 'ParaUnitName', coalesce(a."ParaUnitName", m."ParaUnitName"),
      'Limit', a."Limit", 'TriggerStyle', a."TriggerStyle", 'OperateSymbol', a."OperateSymbol", 'LimitValue', a."LimitValue", 'LimitValue2', a."LimitValue2",
      'TriggerValue', a."TriggerValue", 'StartTime', ${iso('a."StartTime"')})
      || case when e."Event" = 'acknowledged' then jsonb_build_object('AckTime', ${iso('a."AckTime"')}, 'AckUserName', ack."UserName") else '{}' end
      || case when e."Event" = 'handled' then jsonb_build_object('HandleTime', ${iso('a."HandleTime"')}, 'HandleUserName', han."UserName", 'HandleDesc', a."HandleDesc") else '{}' end
      || case when e."Event" = 'recovered' then jsonb_build_object('RecoverTime', ${iso('a."RecoverTime"')}, 'LastValue', a."LastValue", 'ExtremeValue', a."ExtremeValue") else '{}' end as "Alarm"
  from (${events}) e join alarm_info a on a."Id" = e."AlmInfoId" join enterprise t on t."Id" = e."EnterpriseId"
    left join project p on p."Id" = a."ProjectId" left join gateway g on g."Id" = a."GatewayId" left join device d on d."Id" = a."DeviceId"
    left join point m on m."Id" = a."ParaId" left join "user" ack on ack."Id" = a."AckUserId" left join "user" han on han."Id" = a."HandleUserId"
  order by e."Id"`

export const messageFor = ({ EventId, EnterpriseId, AlarmWebhookId, Event, Level, Time, Language, Facts, Zoned, Alarm }: Due): Message => {
  const facts = {
    ...{ Id: Alarm.Id, EnterpriseId, AlmRuleId: Alarm.AlmRuleId, RuleName: Alarm.RuleName, AlarmLevel: Level, AlarmType: Alarm.AlarmType },
    ...{ GatewayFault: Alarm.GatewayFault, ProjectId: Alarm.ProjectId, Language, ...Zoned },
    Facts,
    DeviceName: Alarm.DeviceName ?? Alarm.GatewayName ?? '-',
    ProjectName: Alarm.ProjectName ?? '-',
  }
  const language = firstLanguage(Language)
  const { values } = messageOf(facts, Event, 0, language)
  return {
    EnterpriseId,
    BizType: Alarm.AlarmType === 2 ? 2 : 1,
    Method: 'webhook',
    AlarmWebhookId,
    AlmInfoId: Alarm.Id,
    about: { Kind: Event, Step: 0, AlmRuleId: Alarm.AlmRuleId },
    values,
    body: {
      Event,
      Time,
      Title: values.title,
      Content: values.content,
      Alarm: { ...Alarm, AlarmLevel: Level, RuleName: nameIn(language, Alarm) },
    },
    Source: `webhook/${EventId}`,
  }
}
