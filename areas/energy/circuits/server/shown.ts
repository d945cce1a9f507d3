// Derived fields of a circuit: the rules of its meter, and its formula in codes.
import { sql } from 'kysely'
import { Type } from 'typebox'
import { answerSchema, schemas } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { Listing } from '../../../../server/resource/list.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { treeStore } from '../../../../server/resource/tree.ts'
import { calDataType } from '../../../analysis/telemetry/server/service.ts'
import { point } from '../../../configuration/points/contract.ts'
import { energyInfo } from '../contract.ts'
import { circuitCheck } from './check.ts'
import { codesOf, inCodes } from './formulas.ts'

const maybe = { kind: 'number' } as const
export const shownRow = Type.Object({
  ...schemas(energyInfo).row.properties,
  MaxReading: Type.Optional(answerSchema(maybe)),
  HourlyHigh: Type.Optional(answerSchema(maybe)),
  IsCumulative: Type.Optional(answerSchema(maybe)),
})

type Circuit = { ParaId: number | null; Formula: string | null; FormulaIds: readonly number[] | null }
type Meter = { Id: number; MaxReading: number | null; HourlyHigh: number | null; CalDataType: number }

export const shown = async <T>(db: Db, actor: Actor, rows: readonly T[]): Promise<T[]> => {
  const circuits = rows as readonly (T & Circuit)[]
  const paraIds = [...new Set(circuits.flatMap(({ ParaId }) => ParaId ?? []))]
  const meters = paraIds.length
    ? await db.rows<Meter>(sql`
        select t."Id", m."MaxReading", m."HourlyHigh", ${calDataType} as "CalDataType" from point t left join point_meaning m on m."PointId" = t."Id"
        where t."Id" = any(${paraIds}::bigint[]) and ${visible(point, actor)}`)
    : []
  const byId = new Map(meters.map((meter) => [meter.Id, meter]))
  const codes = await codesOf(db, actor, [...new Set(circuits.flatMap(({ FormulaIds }) => FormulaIds ?? []))])
  return circuits.map((row) => {
    const meter = row.ParaId === null ? undefined : byId.get(row.ParaId)
    return {
      ...row,
      Formula: row.Formula && inCodes(row.Formula, codes),
      FormulaIds: (row.FormulaIds ?? []).filter((id) => codes.has(id)),
      MaxReading: meter?.MaxReading ?? null,
      HourlyHigh: meter?.HourlyHigh ?? null,
      IsCumulative: meter ? Number(meter.CalDataType === 1) : null,
    }
  })
}

const rows = treeStore(energyInfo, circuitCheck)
const one = async <T>(db: Db, actor: Actor, row: T) => (await shown(db, actor, [row]))[0]!

/** The work of the circuits' calls. */
export const circuits = {
  find: async (db: Db, actor: Actor, id: number) => one(db, actor, await rows.find(db, actor, id)),
  list: async (db: Db, actor: Actor, q: Listing) => {
    const page = await rows.list(db, actor, q)
    return { ...page, Items: await shown(db, actor, page.Items) }
  },
  create: async (db: Db, actor: Actor, draft: Record<string, unknown>) => one(db, actor, await rows.create(db, actor, draft)),
  update: async (db: Db, actor: Actor, id: number, change: Record<string, unknown>) =>
    one(db, actor, await rows.update(db, actor, id, change)),
  move: async (db: Db, actor: Actor, id: number, above: number | null, before: number | null) =>
    one(db, actor, await rows.move(db, actor, id, above, before)),
}
