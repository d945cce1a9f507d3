import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Database } from '../../../../server/database/db.ts'
import { csvRows } from '../../../../server/files/csvReader.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import { platformEnterprise } from '../../../../server/identity/setup.ts'
import type { Check } from '../../../../server/resource/store.ts'
import type { standardPara } from '../contract.ts'

/** Refuses codes that the platform uses, and empty plausible ranges. */
export const checkStandard: Check<typeof standardPara> = async (db, actor, given, held) => {
  const low = given.RangeLow ?? held?.RangeLow
  const high = given.RangeHigh ?? held?.RangeHigh
  if (typeof low === 'number' && typeof high === 'number' && low >= high)
    throw new FieldFaults([{ field: 'RangeHigh', rule: 'above', values: { low } }])
  if (given.Code !== undefined && given.Code !== held?.Code && !actor.platform) {
    const shared = await db.rows(sql`select 1 from standard_para where "EnterpriseId" = ${platformEnterprise} and "Code" = ${given.Code}`)
    if (shared.length) throw new FieldFaults([{ field: 'Code', rule: 'taken' }])
  }
  return given
}

/** Imports the shipped library for the platform, unless it has one. */
export const seedStandardPoints = async ({ system }: Database) => {
  const [there] = await system.rows(sql`select 1 from standard_para where "EnterpriseId" = ${platformEnterprise} limit 1`)
  if (there) return
  const lines = await Array.fromAsync(csvRows(readFileSync(join(import.meta.dirname, '../library.csv'))))
  const [names, ...rows] = lines.flat().map(({ cells }) => cells) as [string[], ...unknown[][]]
  const values = rows.map((cells) => Object.fromEntries(names.map((name, i) => [name, cells[i]])))
  const list = sql.join(names.map((name) => sql.ref(name)))
  await system.rows(sql`
    insert into standard_para ("EnterpriseId", ${list})
    select ${platformEnterprise}, ${list} from jsonb_populate_recordset(null::standard_para, ${JSON.stringify(values)}::jsonb)`)
}
