// Receivers of a push: the named people, those on duty, robots and the tenant's webhook.
import { sql } from 'kysely'
import type { Way } from '../../../../../../server/channels/prepare.ts'
import type { Db } from '../../../../../../server/database/db.ts'
import { isOf, mayReceive } from '../../../../../../server/identity/receivers.ts'
import type { Sql } from '../../../../../../server/resource/sql.ts'
import type { Shift } from '../../../../alarm-rosters/contract.ts'
import { type AlarmPush, PushMethod, type PushStep } from '../../../../alarm-rules/alarm-push.ts'
import { onDuty } from './hours.ts'

/** A person, with language and time zone if set. */
export type Listener = { Id: number; Language: string | null; Zone: string | null }
export type Target = { Method: Way; UserId?: number; RobotId?: number; TemplateId?: number } & Partial<Omit<Listener, 'Id'>>
type Named = Pick<PushStep, 'PushUsers' | 'PushRosters' | 'PushMethods'>

export const channels: Record<number, Way> = {
  [PushMethod.site]: 'site',
  [PushMethod.sms]: 'sms',
  [PushMethod.email]: 'email',
  [PushMethod.wechat]: 'wechat',
  [PushMethod.dingtalk]: 'dingtalk',
  [PushMethod.webhook]: 'webhook',
}

/** Step 0 is the audience of the rule itself. */
export const namedBy = (push: AlarmPush, step: number): Named => (step ? push.StepPush!.Steps[step - 1]! : push)

type About = { Id: number; EnterpriseId: number; ProjectId: number | null }

/** `nobody`: a method needs a person, but no named person is on duty, can sign in and sees the project. */
export const audienceOf = async (
  db: Db,
  { EnterpriseId: enterprise, ProjectId }: Omit<About, 'Id'>,
  named: Named,
  now: number,
): Promise<{ targets: Target[]; nobody: boolean }> => {
  const rosters = named.PushRosters?.length
    ? await db.rows<{ TimeZone: string; Shifts: Shift[] }>(
        sql`select "TimeZone", "Shifts" from alarm_roster where "Id" = any(${named.PushRosters}::bigint[]) and "EnterpriseId" = ${enterprise}`,
      )
    : []
  const wanted = [...new Set([...named.PushUsers, ...rosters.flatMap((r) => onDuty(r, now))])]
  const people = wanted.length
    ? await db.rows<Listener>(
        sql`select "Id", "Language", "TimeZoneKey" as "Zone" from "user" u where "Id" = any(${wanted}::bigint[]) and ${isOf('u', enterprise)}
          and ${mayReceive('u', sql`${ProjectId}`, new Date(now))} order by "Id"`,
      )
    : []
  const targets = named.PushMethods.flatMap(({ Method, TemplateId }): Target[] => {
    const way = channels[Method]
    if (!way) return []
    if (way === 'webhook') return [{ Method: way }]
    if (way === 'dingtalk') return [{ Method: way, RobotId: TemplateId ?? 0 }]
    return people.map(({ Id, ...his }) => ({ Method: way, UserId: Id, ...his, ...(TemplateId ? { TemplateId } : {}) }))
  })
  const toPeople = named.PushMethods.some(({ Method }) => Method !== PushMethod.webhook && Method !== PushMethod.dingtalk)
  return { targets, nobody: toPeople && !people.length }
}

const loggedOf = async (db: Db, alarm: About, push: AlarmPush, now: number, which: Sql): Promise<Target[]> => {
  const rows = await db.rows<{ Method: Way; UserId: number | null; Address: string } & Omit<Listener, 'Id'>>(sql`
    select distinct r."Method", r."UserId", case when r."UserId" is null then r."Address" else '' end as "Address", u."Language", u."TimeZoneKey" as "Zone"
    from alm_push_record r left join "user" u on u."Id" = r."UserId"
    where r."AlmInfoId" = ${alarm.Id} and r."EnterpriseId" = ${alarm.EnterpriseId} and r."AlarmWebhookId" is null and ${which}
      and (r."UserId" is null or ${mayReceive('u', sql`${alarm.ProjectId}`, new Date(now))}) order by 1, 2`)
  const methods = [push, ...(push.StepPush?.Steps ?? [])].flatMap((named) => named.PushMethods)
  return rows.map(({ Method, UserId, Address, ...his }) => {
    const template = Method === 'dingtalk' ? undefined : methods.find((m) => channels[m.Method] === Method)?.TemplateId
    const whom = UserId ? { UserId, ...his } : Method === 'dingtalk' ? { RobotId: Number(Address) } : {}
    return { Method, ...whom, ...(template ? { TemplateId: template } : {}) }
  })
}

/** Everyone notified of an alarm according to the log, including deferred messages, so that no one gets a recovery without its alarm. */
export const notified = (db: Db, alarm: About, push: AlarmPush, now: number) =>
  loggedOf(
    db,
    alarm,
    push,
    now,
    sql`r."Kind" in ('raised', 'step', 'reminder') and r."Address" <> '' and (r."SendStatus" <> 5 or r."ErrorText" = 'inDigest')`,
  )

/** People whose own settings suppressed the first message. */
export const unreachable = (db: Db, alarm: About, push: AlarmPush, now: number) =>
  loggedOf(db, alarm, push, now, sql`r."Kind" = 'raised' and r."ErrorText" = 'ownSetting'`)
