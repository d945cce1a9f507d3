import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { Fault } from '../../../../server/http/faults.ts'
import { quotaOf } from '../../../system/files/server/service.ts'

const mb = 1024 * 1024

/**
 * Refuses another drawing, symbol or dashboard if the company's drawings, with drafts, versions, templates and removed
 * pictures, exceed its limit for files. Called after the drawing is stored, in the same transaction.
 */
export const assertRoom = async (db: Db, enterprise: number) => {
  const [row] = await db.rows<{ Bytes: number }>(sql`
    with c as (
      select "Id" from flowchart where "EnterpriseId" = ${enterprise} union all select "Id" from flowchart_removed where "EnterpriseId" = ${enterprise})
    select coalesce(sum(s.bytes), 0)::float8 as "Bytes" from (
      select pg_column_size(d."Scene") as bytes from c join flowchart_draft d on d."FlowchartId" = c."Id"
      union all select pg_column_size(v."Scene") from c join flowchart_version v on v."FlowchartId" = c."Id"
      union all select pg_column_size("Scene") from flowchart_removed where "EnterpriseId" = ${enterprise}
      union all select pg_column_size("Scene") from flow_chart_template where "EnterpriseId" = ${enterprise}
      union all select pg_column_size("Drawing") from picture_symbol where "EnterpriseId" = ${enterprise}
      union all select pg_column_size("Content") from visual_board where "EnterpriseId" = ${enterprise}
      union all select pg_column_size("Content") from visual_board_version where "EnterpriseId" = ${enterprise}) s`)
  const quota = await quotaOf(db, enterprise)
  if (row!.Bytes > quota) throw new Fault('quotaUsed', { megabytes: Math.floor(quota / mb) })
}
