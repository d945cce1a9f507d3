import { sql } from 'kysely'
import type { Row } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { named, table, visible } from '../../../../server/resource/sql.ts'
import { viewing } from '../../../pictures/flowcharts/contract.ts'
import type { user } from '../contract.ts'

/** Refuses a picture that is unpublished or invisible to the person. */
export const assertStartPicture = async (db: Db, { Id, IndexFlowchartId }: Pick<Row<typeof user>, 'Id' | 'IndexFlowchartId'>) => {
  if (!IndexFlowchartId) return
  const roles = sql`user_role x join role r on r."Id" = x."RoleId" and r."Status" = 1 where x."UserId" = ${Id}`
  const [seen] = await db.rows(sql`
    select 1 from flowchart f where f."Id" = ${IndexFlowchartId} and f."State" = 1
      and exists (select 1 from ${roles} and (r."IsPlatform" = 1 or ${viewing} = any(r."MenuCodes")))
      and exists (select 1 from ${roles} and (r."IsPlatform" = 1 or r."ProjectIds" is null or f."ProjectId" = any(r."ProjectIds")))`)
  if (!seen) throw new FieldFaults([{ field: 'IndexFlowchartId', rule: 'user.pictureUnseen' }])
}

/** The picture that replaces the dashboard for a person, while it is published and visible. */
export const startPicture = async (db: Db, actor: Actor): Promise<{ Id: number } | null> => {
  if (!actor.may.has(viewing)) return null
  const flowchart = named('flowchart')
  const [found] = await db.rows<{ Id: number }>(sql`
    select t."Id" from ${table(flowchart)} t join "user" u on u."IndexFlowchartId" = t."Id"
    where u."Id" = ${actor.UserId} and t."State" = 1 and ${visible(flowchart, actor)}`)
  return found ?? null
}
