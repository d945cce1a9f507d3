import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { Fault } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { organ } from '../../organs/contract.ts'

/** Enterprise 1 is the platform (ruling 21). */
const platform = 1

type Place = { EnterpriseId?: number | undefined; BelongOrganId?: number | undefined }

/** Key of the online map for a tenant or one of its organisations, in the caller's scope; falls back to the installation's (ruling 40). */
export const mapKeyOf = async (db: Db, system: Db, actor: Actor, { EnterpriseId, BelongOrganId }: Place) => {
  const [tenant] = await db.rows<{ BaiduKey: string | null }>(sql`
    select "BaiduKey" from enterprise e where "Id" = ${EnterpriseId ?? actor.EnterpriseId}
    and (${BelongOrganId ?? null}::bigint is null
      or exists (select 1 from organ t where t."EnterpriseId" = e."Id" and t."Id" = ${BelongOrganId ?? null}::bigint and ${visible(organ, actor)}))`)
  if (!tenant) throw new Fault('notFound')
  if (tenant.BaiduKey) return { BaiduKey: tenant.BaiduKey }
  const [own] = await system.rows<{ BaiduKey: string | null }>(sql`select "BaiduKey" from enterprise where "Id" = ${platform}`)
  return { BaiduKey: own?.BaiduKey ?? '' }
}
