// The timeline of an order of any kind.
import { sql } from 'kysely'
import type { Answer } from '../../../../contract/call.ts'
import type { Db } from '../../../../server/database/db.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { table, visible } from '../../../../server/resource/sql.ts'
import { alarmRoster } from '../../../alarms/alarm-rosters/contract.ts'
import { department } from '../../../people/departments/contract.ts'
import { user } from '../../../people/users/contract.ts'
import type { orderCalls } from '../contract.ts'

export const text = (actor: Actor, column: string) =>
  sql`to_char(${sql.raw(column)} at time zone ${actor.zone ?? actor.tenantZone}::text, 'YYYY-MM-DD HH24:MI:SS')`

const targets = [
  ['AssignUserId', user],
  ['TeamId', alarmRoster],
  ['DepartmentId', department],
] as const
/** Whether the actor sees the person, team or department of an entry. */
const isSeen = (actor: Actor, [field, of]: (typeof targets)[number]) =>
  sql`(h."TargetField" = ${field} and exists (select 1 from ${table(of)} n where n."Id" = h."TargetId" and ${visible(of, actor, 'n')}))`

type Entries = Answer<typeof orderCalls.history>['History']
/** The caller has checked access to the order. Invisible people appear as a dash; the server has an empty name. */
export const timelineOf = (db: Db, actor: Actor, id: number): Promise<Entries> =>
  db.rows<Entries[number]>(sql`
      select * from (select h."Id", h."Step", h."FromStatus", h."ToStatus", case when h."UserId" is null then '' else coalesce(t."UserName", '—') end as "UserName",
        case when ${sql.join(
          targets.map((target) => isSeen(actor, target)),
          sql` or `,
        )} then h."Target" else '' end as "TargetName",
        coalesce(h."Desc", '') as "Desc", h."Files", h."Meant", h."ClockOff", ${text(actor, 'h."ReceivedTime"')} as "ReceivedTime",
          ${text(actor, 'h."Time"')} as "Time"
      from mtn_order_history h left join "user" t on t."Id" = h."UserId" and ${visible(user, actor)} where h."OrderId" = ${id} order by h."Id" desc limit 500) last order by "Id"`)
