import { sql } from 'kysely'
import { filledBy } from '../../../../contract/fills.ts'
import { standardRef } from '../../../../contract/point-fields.ts'
import { pointRules } from '../../../../contract/point-rules.ts'
import { brokenRules } from '../../../../contract/rules.ts'
import type { Db } from '../../../../server/database/db.ts'
import type { Values } from './plan.ts'

type Standard = Values & { Id: number; Code: string }

export const standardsOf = async (db: Db, ids: readonly unknown[]) => {
  const known = [...new Set(ids.filter((id) => typeof id === 'number'))]
  const rows = known.length ? await db.rows<Standard>(sql`select * from standard_para where "Id" = any(${known}::bigint[])`) : []
  return new Map<unknown, Standard>(rows.map((row) => [row.Id, row]))
}

/** Fills empty columns from standard parameters, unless the result breaks a rule. Drops references to deleted ones. */
export const withStandards = async <T extends Values>(db: Db, rows: readonly T[]): Promise<T[]> => {
  const standards = await standardsOf(
    db,
    rows.map((row) => row.StandardParaId),
  )
  return rows.map((row) => {
    const standard = standards.get(row.StandardParaId)
    if (!standard) return { ...row, StandardParaId: null }
    const filled = filledBy(standardRef, standard, row, 'en')
    const isWrong = brokenRules(pointRules, { ...row, ...filled }, Object.keys(filled)).length > 0
    return isWrong ? row : { ...row, ...filled }
  })
}
