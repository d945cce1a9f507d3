import { sql } from 'kysely'
import type { Language } from '../../../../contract/languages.ts'
import type { ParaInfo } from '../../../../contract/telemetry.ts'
import type { Db } from '../../../../server/database/db.ts'
import { notFound } from '../../../../server/http/faults.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { and, or, visible } from '../../../../server/resource/sql.ts'
import type { Formula } from '../../../../server/telemetry/meaning/formula.ts'
import { device } from '../../../configuration/devices/contract.ts'
import { point } from '../../../configuration/points/contract.ts'
import { formulasOf } from '../../formulas/server/service.ts'
import { describedFormulas } from './describedFormulas.ts'
import { distributionOf } from './distribution.ts'
import { divided, nameOfShift } from './divided.ts'
import { calDataType, formulasAmong, meaningsOf } from './meaning.ts'
import { reckonInTurn } from './reckoning.ts'
import { withColumns } from './series.ts'

export { engineOf, rowOf } from './analysis.ts'
export { calDataType, describedFormulas, distributionOf, divided, meaningsOf, nameOfShift, reckonInTurn, withColumns }

const points = point
const devices = device
/** Points that one answer describes at most. */
export const mostDescribed = 10_000

/** Those of the ids that the actor may see. */
export const visiblePoints = async (db: Db, actor: Actor, ids: readonly number[]): Promise<number[]> =>
  (await db.rows<{ Id: number }>(sql`select "Id" from point t where "Id" = any(${ids}::bigint[]) and ${visible(points, actor)}`)).map(
    (r) => r.Id,
  )

/** Every id must be a point the actor sees, or the call is 404 (findings 26); answers the tenant's zone, in which days are days, digits by point, and the formula points among them. */
export const chartedPoints = async (db: Db, actor: Actor, ids: readonly number[]) => {
  const rows = await db.rows<{ Id: number; Zone: string; DecimalDigits: number }>(sql`
    select t."Id", t."DecimalDigits", e."TimeZoneKey" as "Zone" from point t join enterprise e on e."Id" = t."EnterpriseId"
    where t."Id" = any(${ids}::bigint[]) and ${visible(points, actor)}`)
  const formulas = await formulasAmong(db, actor, [...new Set(ids)], new Set(rows.map((row) => row.Id)))
  return {
    zone: (rows[0] ?? formulas[0])!.Zone,
    digits: new Map([...rows, ...formulas].map((row) => [row.Id, row.DecimalDigits])),
    formulas: formulas.length ? await formulasOf(db, actor, formulas) : new Map<number, Formula>(),
  }
}

/** What charts need to know of these points, of those that the actor sees. */
export const describedPoints = async (db: Db, actor: Actor, language: Language, pointIds: readonly number[]) =>
  pointIds.length
    ? [...(await paraInfo(db, actor, language, { pointIds })), ...(await describedFormulas(db, actor, language, { pointIds }))]
    : []

/** Points that a chooser shows. */
const mostFound = 100

/** Points that the actor may choose: by parts of their name, their device's or its model's, of a device, or by Id. Those out of his sight are left out. */
export const findPoints = async (db: Db, actor: Actor, language: Language, { search, ...of }: Narrowed & { search?: string }) => {
  const points = await paraInfo(db, actor, language, { ...of, ...(search ? { search } : {}), most: mostFound + 1 })
  // Formulas are of no device.
  const isOfDevice = of.deviceIds !== undefined || of.codes !== undefined || of.common !== undefined || of.reports === 2
  const formulas = isOfDevice ? [] : await describedFormulas(db, actor, language, { ...of, words: wordsIn(search ?? '') })
  const Items = search || of.pointIds || of.computed ? [...formulas, ...points] : [...points, ...formulas]
  return { Items: Items.slice(0, mostFound), More: Number(Items.length > mostFound) }
}

type Described = Omit<ParaInfo, 'ParaDataTypeName'> & { ParaDataType: number }

/** `states`: only points whose values are states. */
type Narrowed = {
  deviceIds?: readonly number[]
  projectId?: number
  pointIds?: readonly number[]
  states?: true
  common?: true
  /** 1: those that reports offer; 2: those that they preselect. */
  reports?: number
  computed?: true
  /** Codes of standard parameters, or how they begin. */
  codes?: readonly string[]
  modelId?: number
  standardId?: number
}
const ofCodes = (codes: readonly string[]) => {
  const begins = codes.map((code) => sql`(s."Code" = ${code} or starts_with(s."Code", ${`${code}.`}))`)
  return sql`t."StandardParaId" in (select s."Id" from standard_para s where ${or(begins)})`
}
export const wordsIn = (text: string) => text.toLocaleLowerCase('en').split(/\s+/).filter(Boolean).slice(0, 8)

/** Where Ids of points, Ids of devices or the project narrow it: what charts and tables need to know of a point. */
export const paraInfo = async (
  db: Db,
  actor: Actor,
  language: Language,
  {
    deviceIds,
    projectId,
    pointIds,
    states,
    common,
    reports,
    computed,
    codes,
    modelId,
    standardId,
    search,
    most = mostDescribed,
  }: Narrowed & { search?: string; most?: number },
): Promise<ParaInfo[]> => {
  if (deviceIds) {
    const seen = await db.rows(sql`select 1 from device t where "Id" = any(${deviceIds}::bigint[]) and ${visible(devices, actor)}`)
    if (seen.length !== new Set(deviceIds).size) throw notFound()
  }
  const rows = await db.rows<Described>(sql`
    select t."Id" as "ParaId", t."ParaName", coalesce(t."ParaUnitName", '') as "ParaUnitName", t."ParaDataType", t."AxisMin", t."AxisMax", t."IsChartShow",
      t."DecimalDigits", t."AlarmLow", t."AlarmHigh", t."ReadWriteType",
      coalesce(t."ZeroText", '') as "ZeroText", coalesce(t."OneText", '') as "OneText", d."Id" as "DeviceId", d."DeviceName", d."Status" as "DeviceStatus",
      penstock_expected_ms(t) as "ExpectedMs", ${calDataType} as "CalDataType"
    from point t join device d on d."Id" = t."DeviceId" left join point_meaning m on m."PointId" = t."Id"
      ${search ? sql`left join pro_model pm on pm."Id" = d."ModelId"` : sql``}
    where ${visible(points, actor)} and ${pointIds ? sql`t."Id" = any(${pointIds}::bigint[])` : sql`true`}
      and ${deviceIds ? sql`t."DeviceId" = any(${deviceIds}::bigint[])` : sql`true`}
      and ${projectId ? sql`d."GatewayId" in (select "Id" from gateway where "ProjectId" = ${projectId})` : sql`true`}
      and ${states ? sql`${calDataType} = 3` : sql`true`} and ${computed ? sql`${calDataType} in (1, 2, 4)` : sql`true`}
      and ${common ? sql`t."IsChartShow" = 2` : sql`true`} and ${reports ? sql`t."IsReportShow" >= ${reports}` : sql`true`} and ${codes ? ofCodes(codes) : sql`true`}
      and ${modelId ? sql`d."ModelId" = ${modelId}` : sql`true`} and ${standardId ? sql`t."StandardParaId" = ${standardId}` : sql`true`}
      and ${search ? and(wordsIn(search).map((text) => sql`position(${text} in lower(concat_ws(' ', d."DeviceName", t."ParaName", pm."ModelName"))) > 0`)) : sql`true`}
    order by d."DeviceName", t."Id" limit ${most}`)
  return rows.map(({ ParaDataType, ...row }) => ({ ...row, ParaDataTypeName: word(language, `point.ParaDataType.${ParaDataType}`) }))
}

/** How many points there are, where an answer holds a part of them. */
export const countPoints = async (db: Db, actor: Actor, { projectId, pointIds }: Pick<Narrowed, 'projectId' | 'pointIds'>) => {
  const [row] = await db.rows<{ Count: number }>(sql`
    select count(*)::int as "Count" from point t join device d on d."Id" = t."DeviceId"
    where ${visible(points, actor)} and ${pointIds ? sql`t."Id" = any(${pointIds}::bigint[])` : sql`true`}
      and ${projectId ? sql`d."GatewayId" in (select "Id" from gateway where "ProjectId" = ${projectId})` : sql`true`}`)
  return row!.Count
}
