// Circuits with what their amounts come from.
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { serverActor } from '../../../../server/identity/actor.ts'
import type { Segment } from '../../../../server/telemetry/meaning/quarters.ts'
import type { Meaning } from '../../../../server/telemetry/meaning/statistics.ts'
import { meaningsOf } from '../../../analysis/telemetry/server/service.ts'
import { beginningOfSources, fromMeter } from '../../circuits/contract.ts'

export type Circuit = {
  Id: number
  EnterpriseId: number
  ProjectId: number
  ProjectName: string
  EnergyName: string
  EnergyCode: string
  EnergyType: number
  Unit: string
  ParentId: number | null
  RegionId: number | null
  RegionName: string | null
  Source: number
  Formula: string | null
  /** The circuits that its formula names. */
  FormulaIds: number[]
  AreaM2: number | null
  ProductInfoId: number | null
  ReactiveInfoId: number | null
  CountInTotal: number
  /** The company's, in which days are days. */
  Zone: string
  /** Whether the reader sees it. */
  Seen: boolean
}

/** Circuits that a condition on `t` names. */
export const circuitsWhere = (db: Db, condition: ReturnType<typeof sql>, seen: ReturnType<typeof sql> = sql`true`) =>
  db.rows<Circuit>(sql`
    select t."Id", t."EnterpriseId", t."ProjectId", p."ProjectName", t."EnergyName", t."EnergyCode", t."EnergyType", coalesce(t."Unit", '') as "Unit",
      t."ParentId", t."RegionId", r."RegionName", t."Source", t."Formula", t."FormulaIds", t."AreaM2", t."ProductInfoId", t."ReactiveInfoId", t."CountInTotal",
      e."TimeZoneKey" as "Zone", ${seen} as "Seen"
    from energy_info t join project p on p."Id" = t."ProjectId" join enterprise e on e."Id" = t."EnterpriseId" left join region r on r."Id" = t."RegionId"
    where ${condition} order by t."Sort", t."EnergyCode"`)

type Source = {
  EnergyInfoId: number
  EnterpriseId: number
  From: number
  ParaId: number
  Multiplier: number
  StartReading: number | null
  EndReading: number | null
  IsThere: boolean
}
const sourcesOf = (db: Db, ids: readonly number[]) =>
  db.rows<Source>(sql`
    select s."EnergyInfoId", s."EnterpriseId", (extract(epoch from s."From") * 1000)::float8 as "From", s."ParaId", s."Multiplier"::float8 as "Multiplier",
      s."StartReading"::float8 as "StartReading", s."EndReading"::float8 as "EndReading", p."Id" is not null as "IsThere"
    from energy_source s left join point p on p."Id" = s."ParaId" where s."EnergyInfoId" = any(${[...ids]}::bigint[]) order by s."EnergyInfoId", s."From"`)

/** Counting rules outlive the point, so its quarter-hours can still be derived later. */
type Kept = Omit<Meaning, 'counter' | 'expected'> & {
  counter: Omit<Meaning['counter'], 'answers'> & { answers: [number, unknown][] }
  expected: { until: number | null; ms: number }[]
}
const keep = ({ counter, expected, ...of }: Meaning): Kept => ({
  ...of,
  counter: { ...counter, answers: [...counter.answers] },
  expected: expected.map(({ until, ms }) => ({ until: Number.isFinite(until) ? until : null, ms })),
})
const kept = ({ counter, expected, ...of }: Kept): Meaning => ({
  ...of,
  counter: { ...counter, answers: new Map(counter.answers as [number, never][]) },
  expected: expected.map(({ until, ms }) => ({ until: until ?? Number.POSITIVE_INFINITY, ms })),
})

/** Meanings of points by Id: present ones as they are now, deleted ones as they were when they were last looked at. */
const meaningsIn = async (db: Db, EnterpriseId: number, sources: readonly Source[]) => {
  const ids = (isThere: boolean) => [...new Set(sources.filter((one) => one.IsThere === isThere).map(({ ParaId }) => ParaId))]
  const [present, gone] = [ids(true), ids(false)]
  const found = present.length ? (await meaningsOf(db, serverActor(EnterpriseId), present)).meanings : []
  const old = gone.length
    ? await db.rows<{ Rules: Kept }>(sql`select "Rules" from energy_meter where "PointId" = any(${gone}::bigint[])`)
    : []
  return new Map([...found, ...old.map(({ Rules }) => kept(Rules))].map((meaning) => [meaning.id, meaning]))
}

export type Metered = { segments: Segment[]; fingerprint: string }

/** Segments of circuits with meters, by circuit. The caller's handle sees the tenant. */
export const segmentsOf = async (db: Db, circuits: readonly Pick<Circuit, 'Id' | 'Source' | 'EnterpriseId'>[]) => {
  const answer = new Map<number, Metered>()
  const metered = circuits.filter(({ Source }) => Source === fromMeter)
  if (!metered.length) return answer
  const sources = (
    await sourcesOf(
      db,
      metered.map(({ Id }) => Id),
    )
  ).filter(({ ParaId }) => ParaId !== null)
  const meanings = new Map<number, Meaning>()
  for (const [EnterpriseId, own] of Map.groupBy(sources, (one) => one.EnterpriseId))
    for (const [id, meaning] of await meaningsIn(db, EnterpriseId, own)) meanings.set(id, meaning)
  const bySource = Map.groupBy(sources, (one) => one.EnergyInfoId)
  for (const { Id } of metered) {
    const own = bySource.get(Id) ?? []
    const segments = own.flatMap(({ From, ParaId, Multiplier, StartReading, EndReading }, i): Segment[] => {
      const meaning = meanings.get(ParaId)
      const from = From <= beginningOfSources ? Number.NEGATIVE_INFINITY : From
      const to = own[i + 1]?.From ?? Number.POSITIVE_INFINITY
      return meaning ? [{ meaning, factor: Multiplier, from, to, startReading: StartReading, endReading: EndReading }] : []
    })
    const text = JSON.stringify(segments.map((one) => ({ ...one, meaning: keep(one.meaning) })))
    answer.set(Id, { segments, fingerprint: createHash('sha256').update(text).digest('base64') })
  }
  return answer
}

/** Remembers what present meters count by. */
export const keepMeanings = async (db: Db, EnterpriseId: number, meanings: readonly Meaning[]) => {
  if (!meanings.length) return
  const rows = JSON.stringify(meanings.map((meaning) => ({ PointId: meaning.id, Rules: keep(meaning) })))
  await db.rows(sql`
    insert into energy_meter ("PointId", "EnterpriseId", "Rules")
    select "PointId", ${EnterpriseId}, "Rules" from jsonb_to_recordset(${rows}::jsonb) as r("PointId" bigint, "Rules" jsonb)
    on conflict ("PointId") do update set "Rules" = excluded."Rules" where energy_meter."Rules" <> excluded."Rules"`)
}
