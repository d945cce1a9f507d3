// Loads accesses for the sender, and the points of each.
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { mostSentPoints } from '../contract.ts'
import type { SentPoint } from './format.ts'
import type { To } from './targets.ts'

export type Due = Omit<To, 'secret' | 'certificate' | 'within' | 'clock'> & {
  EnterpriseId: number
  ProjectId: number
  ModelId: number | null
  StandardParaId: number | null
  Mode: number
  Period: number
  Failures: number
  Cursor: number | null
  LostBefore: number
  /** With microseconds, which a Date does not have. */
  UpdateTime: string
}

export const pointsOf = (db: Db, { Id, ProjectId, ModelId, StandardParaId }: Due) =>
  db.rows<SentPoint>(sql`
    select t."Id", d."DeviceName", t."ParaName", t."Address" from point t join device d on d."Id" = t."DeviceId" join gateway g on g."Id" = d."GatewayId"
    where g."ProjectId" = ${ProjectId} and (${ModelId}::bigint is null or d."ModelId" = ${ModelId})
      and (${StandardParaId}::bigint is null or t."StandardParaId" = ${StandardParaId})
      and (not exists (select 1 from third_party_access_point l where l."ThirdPartyAccessId" = ${Id})
        or exists (select 1 from third_party_access_point l where l."ThirdPartyAccessId" = ${Id} and l."PointId" = t."Id"))
    order by t."Id" limit ${mostSentPoints}`)

export const readAccesses = (db: Db, where: ReturnType<typeof sql>) =>
  db.rows<Due>(sql`
    select a."Id", a."EnterpriseId", a."ProjectId", p."ProjectName", a."Target", a."Url", a."Format", a."Topic", a."UserName", a."MN", a."SystemCode", a."Mode",
      a."Period", a."ModelId", a."StandardParaId", a."NameRule", a."Failures", a."Cursor", a."LostBefore", a."UpdateTime"::text, e."TimeZoneKey" as "Zone"
    from third_party_access a join project p on p."Id" = a."ProjectId" join enterprise e on e."Id" = a."EnterpriseId" where ${where}`)
