// The sensors of rooms that are ready, with what their readings are judged by over time.
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { offsetsOf } from '../../rooms/server/service.ts'
import type { Band } from '../excursions.ts'

export type Judged = {
  Id: number
  EnterpriseId: number
  ProjectId: number
  RoomId: number
  SensorType: 1 | 2
  ParaId: number
  from: number
  /** Infinity while it is bound. */
  until: number
  steps: readonly { at: number; offset: number }[]
  bands: readonly (Band & { from: number })[]
  /** Changes when its readings must be recalculated. */
  fingerprint: string
}

type Row = Pick<Judged, 'Id' | 'EnterpriseId' | 'ProjectId' | 'RoomId' | 'SensorType' | 'ParaId' | 'from'> & { until: number | null }
type BandRow = {
  RoomId: number
  from: number
  TempLow: number | null
  TempHigh: number | null
  HumLow: number | null
  HumHigh: number | null
}
/** A moment as epoch ms. */
export const ms = (column: string) => sql.raw(`(extract(epoch from ${column}) * 1000)::float8`)

/** Bands that a fingerprint contains in full; longer lists are hashed. */
const mostText = 4000
/** Bands of rooms by kind of sensor, made once for all sensors of a room. */
const bandsByKind = (bands: ReadonlyMap<number, readonly BandRow[]>) => {
  const known = new Map<string, { bands: Judged['bands']; text: string }>()
  return ({ RoomId, SensorType }: Pick<Row, 'RoomId' | 'SensorType'>) => {
    const key = `${RoomId} ${SensorType}`
    const found = known.get(key)
    if (found) return found
    const own = (bands.get(RoomId) ?? []).map(({ from, ...of }) =>
      SensorType === 1 ? { from, low: of.TempLow, high: of.TempHigh } : { from, low: of.HumLow, high: of.HumHigh },
    )
    const text = JSON.stringify(own)
    const made = { bands: own, text: text.length > mostText ? `"${createHash('sha256').update(text).digest('hex')}"` : text }
    known.set(key, made)
    return made
  }
}

export const judgedSensors = async (db: Db): Promise<Judged[]> => {
  const rows = await db.rows<Row>(sql`
    select b."Id", b."EnterpriseId", r."ProjectId", r."Id" as "RoomId", b."SensorType", b."ParaId", ${ms('b."BindTime"')} as "from", ${ms('b."UnbindTime"')} as "until"
    from cold_sensor_bind b join cold_storage r on r."Id" = b."ColdStorageId"
    where b."SensorType" in (1, 2) and b."ParaId" is not null and r."InitStatus" = 2 order by b."Id"`)
  if (!rows.length) return []
  const stepsOf = await offsetsOf(
    db,
    rows.map(({ Id }) => Id),
  )
  const bands = Map.groupBy(
    await db.rows<BandRow>(sql`
      select "ColdStorageId" as "RoomId", ${ms('cold_band."From"')} as "from", "TempLow"::float8 as "TempLow", "TempHigh"::float8 as "TempHigh",
        "HumLow"::float8 as "HumLow", "HumHigh"::float8 as "HumHigh" from cold_band order by "ColdStorageId", cold_band."From"`),
    ({ RoomId }) => RoomId,
  )
  const bandsOf = bandsByKind(bands)
  return rows.map((row) => {
    const own = bandsOf(row)
    const steps = stepsOf(row.Id)
    const rest = JSON.stringify([row.ParaId, row.from, row.until, steps.map(({ at, offset }) => [at, offset])])
    return {
      ...row,
      until: row.until ?? Number.POSITIVE_INFINITY,
      steps,
      bands: own.bands,
      fingerprint: `${rest.slice(0, -1)},${own.text}]`,
    }
  })
}

/** Stores each sensor's fingerprint and the arrival number up to which its excursions are derived. */
export const saveJudged = (db: Db, of: readonly Judged[], arrived: number) =>
  db.rows(sql`
    insert into cold_excursion_state ("SensorBindId", "EnterpriseId", "Fingerprint", "Arrived")
    select * from unnest(${of.map(({ Id }) => Id)}::bigint[], ${of.map(({ EnterpriseId }) => EnterpriseId)}::bigint[],
      ${of.map(({ fingerprint }) => fingerprint)}::text[], ${of.map(() => arrived)}::bigint[])
    on conflict ("SensorBindId") do update set "Fingerprint" = excluded."Fingerprint", "Arrived" = excluded."Arrived"`)
