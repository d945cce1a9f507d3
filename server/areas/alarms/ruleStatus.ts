// Rules are switched many at a time: four statements, however many they are.
import { sql } from 'kysely'
import { alarmRule } from '../../../contract/areas/alarm-rules.ts'
import type { Row } from '../../../contract/base/resource.ts'
import type { Db } from '../../database/db.ts'
import { notFound } from '../../http/faults.ts'
import type { Actor } from '../../identity/actor.ts'
import { columns, visible } from '../../resource/sql.ts'
import { seenBy } from '../../resource/store.ts'

type Rule = Row<typeof alarmRule>

/** All or none, each with its change entry; answers how many were not so already. */
export const setStatus = (db: Db, actor: Actor, given: readonly number[], Status: 0 | 1) =>
  db.tx(async (db) => {
    const ids = [...new Set(given)]
    const read = (some: readonly number[], lock = sql``) =>
      db.rows<Rule>(sql`
        select ${columns(alarmRule, actor.zone ?? actor.tenantZone, actor.sight?.hidden[alarmRule.name])} from alarm_rule t
        where t."Id" = any(${some}::bigint[]) and ${visible(alarmRule, actor)} order by t."Id" ${lock}`)
    const held = await read(ids, sql`for update of t`)
    if (held.length < ids.length) throw notFound()
    // Nobody writes what he does not see.
    const changed = 'Status' in seenBy(alarmRule, actor).fields ? held.filter((rule) => rule.Status !== Status) : []
    if (!changed.length) return { Changed: 0 }
    const of = changed.map((rule) => rule.Id)
    await db.rows(sql`update alarm_rule set "Status" = ${Status}, "UpdateTime" = now() where "Id" = any(${of}::bigint[])`)
    const after = await read(of)
    const entries = after.map((rule, i) => ({ Id: rule.Id, EnterpriseId: rule.EnterpriseId, Before: changed[i], After: rule }))
    await db.rows(sql`
      insert into change ("EnterpriseId", "UserId", "Resource", "RecordId", "Verb", "Before", "After", "RequestId", "Ip")
      select e."EnterpriseId", ${actor.UserId || null}, ${alarmRule.name}, e."Id", 'update', e."Before", e."After", ${actor.origin?.requestId}, ${actor.origin?.ip}
      from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as e ("Id" bigint, "EnterpriseId" bigint, "Before" jsonb, "After" jsonb)`)
    for (const { Id, EnterpriseId, ProjectId } of after)
      db.tell({ resource: alarmRule.name, id: Id, verb: 'update', EnterpriseId, ProjectId })
    return { Changed: after.length }
  })
