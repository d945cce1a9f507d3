// Points of a project that count energy, as the circuits that they would be.
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import { assertHolds } from '../../../../server/http/serve.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { recordAll, store } from '../../../../server/resource/store.ts'
import { checkPlace } from '../../../../server/resource/tree.ts'
import { calDataType } from '../../../analysis/telemetry/server/service.ts'
import { point } from '../../../configuration/points/contract.ts'
import { project } from '../../../configuration/projects/contract.ts'
import { type EnergyType, energyInfo, mostProposed } from '../contract.ts'
import { circuitCheck } from './check.ts'
import { freeCodes } from './checks.ts'
import { circuits } from './shown.ts'

type Meaning = { type: EnergyType; unit: string; factor: number }
/** Units of energy and of what is metered like it, in the unit that a circuit has; `factor` turns one into the other. */
const units: Readonly<Record<string, Meaning>> = {
  wh: { type: 1, unit: 'kWh', factor: 0.001 },
  kwh: { type: 1, unit: 'kWh', factor: 1 },
  mwh: { type: 1, unit: 'kWh', factor: 1000 },
  gj: { type: 5, unit: 'GJ', factor: 1 },
  mj: { type: 5, unit: 'GJ', factor: 0.001 },
  m3: { type: 2, unit: 'm³', factor: 1 },
  l: { type: 2, unit: 'm³', factor: 0.001 },
  nm3: { type: 9, unit: 'm³', factor: 1 },
}
const plain = (unit: string) => unit.trim().toLowerCase().replace('³', '3').replace('㎥', 'm3').replace(/[·\s]/g, '')
/** Words in names and standard parameters that are more specific than the unit. */
const words: readonly [RegExp, EnergyType][] = [
  [/steam|蒸汽|蒸気|vapor/i, 4],
  [/cold|chill|cool|冷量|冷熱|frío/i, 6],
  [/heat|热量|熱量|calor/i, 5],
  [/compressed|air|压缩|圧縮|aire/i, 9],
  [/(natural|town|fuel|city)?.?gas\b|燃气|天然气|ガス|gas\b/i, 3],
]

type Row = {
  ParaId: number
  ParaName: string
  DeviceName: string
  Unit: string
  Code: string | null
  CalDataType: number
}
const meaningOf = ({ Unit, ParaName, Code }: Row): Meaning | undefined => {
  const found = units[plain(Unit)]
  if (!found || found.type === 1) return found
  const said = words.find(([word]) => word.test(`${Code ?? ''} ${ParaName}`))?.[1]
  const suits = said !== undefined && (found.unit === 'm³' ? [3, 9].includes(said) : [5, 6].includes(said))
  return suits ? { ...found, type: said } : found
}

/** Counters, and points whose standard parameter is a counter difference. Points that already belong to a circuit are left out. */
const candidates = (db: Db, actor: Actor, ProjectId: number, ids?: readonly number[]) =>
  db.rows<Row>(sql`
    select t."Id" as "ParaId", t."ParaName", d."DeviceName", t."ParaUnitName" as "Unit", s."Code", ${calDataType} as "CalDataType"
    from point t join device d on d."Id" = t."DeviceId" join gateway g on g."Id" = d."GatewayId"
      left join point_meaning m on m."PointId" = t."Id" left join standard_para s on s."Id" = t."StandardParaId"
    where g."ProjectId" = ${ProjectId} and ${visible(point, actor)} and t."ParaUnitName" is not null
      and (${calDataType} = 1 or ${calDataType} = 0 and s."Aggregation" = 4)
      and lower(translate(t."ParaUnitName", '³ ', '3')) = any(${Object.keys(units)}::text[])
      and not exists (select 1 from energy_source e where e."ParaId" = t."Id" and e."EnterpriseId" = t."EnterpriseId")
      ${ids ? sql`and t."Id" = any(${ids}::bigint[])` : sql``}
    order by d."DeviceName", t."Id" limit ${mostProposed + 1}`)

const projects = store(project)
export const propose = async (db: Db, actor: Actor, ProjectId: number, ids?: readonly number[]) => {
  const { EnterpriseId } = await projects.find(db, actor, ProjectId)
  const rows = await candidates(db, actor, ProjectId, ids)
  const shown = rows.slice(0, mostProposed).flatMap((row) => {
    const meaning = meaningOf(row)
    return meaning ? [{ row, meaning }] : []
  })
  const letters = Map.groupBy(shown, ({ meaning }) => meaning.type)
  const codes = new Map<EnergyType, string[]>()
  for (const [type, all] of letters) codes.set(type, await freeCodes(db, EnterpriseId, 'EWGSHCKOA'[type - 1]!, all.length))
  return {
    Items: shown.map(({ row, meaning }) => ({
      ...{ ParaId: row.ParaId, ParaName: row.ParaName, DeviceName: row.DeviceName },
      EnergyName: `${row.DeviceName} ${row.ParaName}`.slice(0, 60),
      EnergyCode: codes.get(meaning.type)!.shift()!,
      ...{ EnergyType: meaning.type, Unit: meaning.unit, Multiplier: meaning.factor },
      IsCumulative: Number(row.CalDataType === 1 || row.CalDataType === 0),
    })),
    More: rows.length > mostProposed,
  }
}

/** A point that is only called a counter by its standard parameter is made one: without that, nothing would be counted. */
type Of = { EnterpriseId: number; ProjectId: number }
const makeCounters = async (db: Db, actor: Actor, { EnterpriseId, ProjectId }: Of, ids: readonly number[]) => {
  const made = await db.rows<{ Id: number }>(sql`
    insert into point_meaning ("PointId", "EnterpriseId", "CalDataType")
    select t."Id", t."EnterpriseId", 1 from point t where t."Id" = any(${ids}::bigint[]) and t."EnterpriseId" = ${EnterpriseId}
    on conflict ("PointId") do update set "CalDataType" = 1, "UpdateTime" = now() where point_meaning."CalDataType" = 0
    returning "PointId" as "Id"`)
  if (!made.length) return
  // Counter settings change the figures of a point, so this needs the right to change points.
  assertHolds(actor, [`${point.permission}.edit`])
  const entries = made.map(({ Id }) => ({ Id, EnterpriseId, Before: { CalDataType: 0, ProjectId }, After: { CalDataType: 1, ProjectId } }))
  await recordAll(db, actor, point, 'update', entries)
}

type Chosen = { ProjectId: number; ParentId?: number | null; ParaIds: readonly number[] }
/** Locks the tree once, before anything else: waiting for the queue of single inserts inside a transaction could deadlock. */
const made = store(energyInfo, circuitCheck)
export const addProposed = (db: Db, actor: Actor, { ProjectId, ParentId = null, ParaIds }: Chosen) =>
  db.tx(async (db) => {
    if (ParentId !== null) await circuits.find(db, actor, ParentId)
    const { EnterpriseId } = await projects.find(db, actor, ProjectId)
    await checkPlace(db, energyInfo, EnterpriseId, { ProjectId, ParentId })
    const { Items } = await propose(db, actor, ProjectId, ParaIds)
    const missing = ParaIds.map((id) => Items.some(({ ParaId }) => ParaId === id)).indexOf(false)
    if (missing >= 0) throw new FieldFaults([{ field: `ParaIds.${missing}`, rule: 'unknownReference' }])
    await makeCounters(db, actor, { EnterpriseId, ProjectId }, ParaIds)
    for (const { ParaName: _, DeviceName: __, IsCumulative: ___, ...item } of Items)
      await made.create(db, actor, { ...item, ProjectId, ParentId, Source: 1 })
    return { Added: Items.length }
  }, `${energyInfo.name} of ${actor.EnterpriseId}`)
