import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { Check } from '../../../../server/resource/store.ts'
import { checkMeter } from '../../../energy/circuits/server/service.ts'
import { fromPoint } from '../contract.ts'

type Values = Record<string, unknown>
/** Points of a chemical. Those in `counts` must be counters, amounts or rates. */
const points: Readonly<Record<string, (of: Values) => boolean>> = {
  ...{ ParaId: ({ Source }) => Source === fromPoint, WaterParaId: () => true },
  ...{ RunParaId: () => false, TankParaId: () => false },
  ...{ FlowParaId: () => false, TurbidityParaId: () => false, ResidualParaId: () => false },
}

/** Points belong to the project and have the required type. The device is that of the point that counts the dose. */
export const drugCheck: Check = async (db, actor, given, held) => {
  const now: Values = { ...held, ...given }
  const made: Values = { ...given }
  for (const [field, counts] of Object.entries(points)) {
    const [before, id] = [(held as Values | undefined)?.[field], now[field]]
    const isAsked = given[field] !== undefined || (field === 'ParaId' && given.Source !== undefined)
    if (!isAsked || typeof id !== 'number' || (id === before && now.Source === (held as Values | undefined)?.Source)) continue
    const device = await checkMeter(db, actor, id, Number(now.ProjectId), { field, counts: counts(now) })
    if (field === 'ParaId') made.DeviceId = device
  }
  if (given.ParaId === null) made.DeviceId = null
  return made
}

/** Letters of codes, by kind. */
const letters = ['CO', 'FL', 'DI', 'CA', 'AC', 'SC', 'CH']
/** The next free code of a kind: CO01, CO02. */
export const nextCode = async (db: Db, { EnterpriseId }: Actor, kind = 7) => {
  const start = letters[kind - 1]!
  const rows = await db.rows<{ DrugCode: string }>(
    sql`select "DrugCode" from drug_info where "EnterpriseId" = ${EnterpriseId} and starts_with("DrugCode", ${start})`,
  )
  const taken = new Set(rows.map(({ DrugCode }) => DrugCode))
  for (let n = 1; ; n++) {
    const code = `${start}${String(n).padStart(2, '0')}`
    if (!taken.has(code)) return code
  }
}
