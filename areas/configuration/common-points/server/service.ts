import { sql } from 'kysely'
import type { Language } from '../../../../contract/languages.ts'
import type { Row } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { columns, table, visible } from '../../../../server/resource/sql.ts'
import { addDescribed } from '../../models/server/service.ts'
import { commonPara } from '../contract.ts'

type Given = { Ids: readonly number[]; DeviceIds: readonly number[]; Preview?: 0 | 1 | undefined }

/** Adds common points to devices, all or none. Points and devices belong to one company. */
export const addToDevices = async (db: Db, actor: Actor, { Ids, ...given }: Given, language: Language) => {
  const described = await db.rows<Row<typeof commonPara>>(sql`
    select ${columns(commonPara, actor)} from ${table(commonPara)} t where "Id" = any(${Ids}::bigint[]) and ${visible(commonPara, actor)} order by "ParaName"`)
  const [first] = described
  if (!first || described.length < new Set(Ids).size || described.some((row) => row.EnterpriseId !== first.EnterpriseId)) throw notFound()
  return addDescribed(db, actor, first.EnterpriseId, { ...given, described, language })
}
