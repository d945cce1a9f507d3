import { sql } from 'kysely'
import { joined } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { countable } from '../../../../server/resource/figures.ts'
import { column, titleOf, visible } from '../../../../server/resource/sql.ts'
import { alarmInfo, type groupings } from '../contract.ts'

export type Group = { Key: number; Name: string; Count: number; Unacknowledged: number; Level: number }

/** Active alarms that are not shelved, by source. A level has no name. */
export const groups = (db: Db, actor: Actor, by: (typeof groupings)[number], type?: number) => {
  const join = joined(alarmInfo).find(([, field]) => field === by)
  const name = join ? sql`coalesce(${titleOf([join[0], 'Key', join[2]], actor)}, '')` : sql`''`
  return db.rows<Group>(sql`
    select t.*, ${name} as "Name" from (
      select ${countable(actor, alarmInfo, by)} as "Key", count(*)::int as "Count", count(*) filter (where "AckStatus" = 0)::int as "Unacknowledged", max("AlarmLevel") as "Level"
      from alarm_info t where "IsActive" = 1 and "IsShelved" = 0 and ${column(by)} is not null
        and ${type ? sql`"AlarmType" = ${type}` : sql`true`} and ${visible(alarmInfo, actor)}
      group by 1 order by "Level" desc, "Count" desc, 1 limit 50) t`)
}
