import { sql } from 'kysely'
import type { PushKind } from '../../../../contract/push-reasons.ts'
import type { Db } from '../../../../server/database/db.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { store } from '../../../../server/resource/store.ts'
import { user } from '../../../people/users/contract.ts'
import { alarmInfo } from '../contract.ts'

const person = user
type Entry = {
  Id: number
  Kind: PushKind
  Step: number
  Method: string
  UserName: string
  Target: string
  SendStatus: number
  ErrorText: string
  Time: string
}

/** Pushes from the channels' log, and written points. Webhooks and notices of actions count as pushes. */
export const timeline = async (db: Db, actor: Actor, id: number) => {
  const { EnterpriseId } = await store(alarmInfo).find(db, actor, id)
  const shown = !actor.dataScope?.hidden.almPushRecord
  const text = (column: string) =>
    sql`to_char(${sql.raw(column)} at time zone ${actor.zone ?? actor.tenantZone}::text, 'YYYY-MM-DD HH24:MI:SS')`
  return db.rows<Entry>(sql`
    select "Id", "Kind", "Step", "Method", "UserName", "Target", "SendStatus", "ErrorText", ${text('"At"')} as "Time" from (
      select r."Id", coalesce(r."Kind", 'raised') as "Kind", coalesce(r."Step", 0) as "Step", r."Method", coalesce(t."UserName", g."UserName", '') as "UserName", case when r."UserId" is null or t."Id" is not null and ${shown} then r."Target" else '' end as "Target", r."SendStatus",
        coalesce(r."ErrorText", '') as "ErrorText", coalesce(r."SendTime", case when r."SendStatus" = 4 then r."NextTime" end, r."CreateTime") as "At", r."CreateTime" as "From"
      from alm_push_record r left join "user" t on t."Id" = r."UserId" and ${visible(person, actor)}
        left join penstock_platform_people(array(select p."UserId" from alm_push_record p where p."AlmInfoId" = ${id})) g on g."Id" = r."UserId"
      where r."AlmInfoId" = ${id} and r."EnterpriseId" = ${EnterpriseId}
      union all
      select c."Id", 'action', c."Place", 'write', '', coalesce(t."ParaName", '') || ' = ' || (c."Payload" ->> 'Value'), c."Status",
        coalesce(c."ErrorText", ''), coalesce(c."DoneTime", c."DueTime", c."CreateTime"), coalesce(c."DueTime", c."CreateTime")
      from alarm_action c left join point t on t."Id" = (c."Payload" ->> 'ParaId')::bigint where c."AlmInfoId" = ${id} and c."EnterpriseId" = ${EnterpriseId} and c."Kind" = 'write'
    ) e order by "At", "From", "Id" limit 1000`)
}
