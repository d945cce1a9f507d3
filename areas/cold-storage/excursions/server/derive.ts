// Works out the excursions of a sensor from its readings, and keeps what people decided about earlier ones.
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { corrected, offsetAt } from '../../rooms/server/service.ts'
import { apartMs, type Band, type Excursion, excursionsOf, holdMs, type Reading } from '../excursions.ts'
import { type Judged, ms } from './sensors.ts'

/** A month of minutes at a time. */
const pieceMs = 31 * 86_400_000
type Store = { aside: Pick<Telemetry['aside'], 'columns'> }

/** The band at a time. They are in order of time, and readings are many: it halves them instead of walking through all. */
export const bandAt =
  ({ bands }: Pick<Judged, 'bands'>) =>
  (time: number): Band => {
    let [low, high] = [0, bands.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (bands[middle]!.from <= time) low = middle + 1
      else high = middle
    }
    return bands[low - 1] ?? bands[0] ?? { low: null, high: null }
  }

const readingsOf = async ({ aside }: Store, { ParaId, steps, until }: Judged, start: number, now: number): Promise<Reading[]> => {
  const found: Reading[] = []
  const end = Math.min(until, now)
  for (let from = start; from < end; from += pieceMs) {
    const [column] = await aside.columns([ParaId], from, Math.min(end, from + pieceMs))
    if (!column) continue
    for (const [i, time] of column.time.entries()) {
      const value = column.quality[i] === 0 ? (column.value[i] ?? null) : null
      found.push({ time, value: value === null ? null : corrected(value, offsetAt(steps, time)) })
    }
  }
  return found
}

/** Start of the range that a change at a time can affect: the start of an excursion that may reach it, or a time without one. */
const startOf = async (db: Db, { Id, from }: Judged, time: number) => {
  const [row] = await db.rows<{ At: number | null }>(sql`
    select ${ms('min("BeginTime")')} as "At" from cold_excursion
    where "SensorBindId" = ${Id} and "KnownTime" >= ${new Date(Math.max(0, time - holdMs - apartMs))}`)
  return Math.max(from, Math.min(time - holdMs, row?.At ?? Number.POSITIVE_INFINITY))
}

type Kept = Record<'Id' | 'Side' | 'begin' | 'known' | 'Disposition' | 'Ended' | 'IsVoid' | 'PeakValue' | 'DegreeMinutes', number>
/** What goes on is written once a minute, unless it gets worse. */
const goingOnMs = 60_000
const isSame = (row: Kept, of: Excursion) => {
  const isAlike = row.begin === of.begin && row.Ended === of.ended && row.PeakValue === of.peak && row.IsVoid === 0
  if (of.ended === 0 && of.end - row.known < goingOnMs && of.end >= row.known) return isAlike
  return isAlike && row.known === of.end && row.DegreeMinutes === of.degreeMinutes
}

const valuesOf = ({ SensorType }: Judged, of: Excursion): Record<string, unknown> => ({
  BeginTime: new Date(of.begin),
  EndTime: of.ended === 0 ? null : new Date(of.end),
  KnownTime: new Date(of.end),
  Ended: of.ended,
  Minutes: Math.round(of.outsideMs / 60) / 1000,
  PeakValue: of.peak,
  PeakTime: new Date(of.peakAt),
  LimitValue: of.limit,
  DegreeMinutes: of.degreeMinutes,
  Mkt: SensorType === 1 ? of.mkt : null,
})

/** Pairs what is stored with what was found where they overlap; a row that somebody decided about comes first. */
const paired = (rows: readonly Kept[], found: readonly Excursion[]) => {
  const free = new Set(rows)
  const pairs = found.map((of) => {
    const over = [...free].filter((row) => row.Side === of.side && row.begin < of.end && row.known > of.begin)
    const row = over.find(({ Disposition }) => Disposition > 0) ?? over[0]
    if (row) free.delete(row)
    return { of, row }
  })
  return { pairs, gone: [...free] }
}

const column = (name: string) => sql.raw(`"${name}"`)
const write = async (db: Db, sensor: Judged, of: Excursion, row: Kept | undefined) => {
  const all = Object.entries(valuesOf(sensor, of))
  if (row) {
    const set = sql.join(all.map(([name, value]) => sql`${column(name)} = ${value}`))
    await db.rows(sql`
      update cold_excursion set ${set}, "IsVoid" = 0, "IsChanged" = case when "Disposition" > 0 then 1 else 0 end, "UpdateTime" = now()
      where "Id" = ${row.Id}`)
    return row.Id
  }
  const [made] = await db.rows<{ Id: number }>(sql`
    insert into cold_excursion ("EnterpriseId", "ColdStorageId", "SensorBindId", "SensorType", "Side", ${sql.join(all.map(([name]) => column(name)))})
    values (${sensor.EnterpriseId}, ${sensor.RoomId}, ${sensor.Id}, ${sensor.SensorType}, ${of.side}, ${sql.join(all.map(([, value]) => sql`${value}`))})
    returning "Id"`)
  return made!.Id
}

/** Rows that newer readings deny: they go, unless somebody decided about them. */
const deny = async (db: Db, gone: readonly Kept[]) => {
  const removed = gone.filter(({ Disposition }) => Disposition === 0).map(({ Id }) => Id)
  if (removed.length) await db.rows(sql`delete from cold_excursion where "Id" = any(${removed}::bigint[])`)
  const voided = gone.filter(({ Disposition, IsVoid }) => Disposition > 0 && IsVoid === 0).map(({ Id }) => Id)
  if (voided.length)
    await db.rows(sql`update cold_excursion set "IsVoid" = 1, "IsChanged" = 1, "UpdateTime" = now() where "Id" = any(${voided}::bigint[])`)
  return [...removed, ...voided]
}

/** Recalculates the excursions of a sensor from a time on. Returns the Ids of rows that changed. */
export const deriveFrom = async (db: Db, telemetry: Store, sensor: Judged, time: number, now: number): Promise<number[]> => {
  const start = await startOf(db, sensor, time)
  const found = excursionsOf(await readingsOf(telemetry, sensor, start, now), bandAt(sensor), Math.min(sensor.until, now))
  return db.tx(async (db) => {
    const rows = await db.rows<Kept>(sql`
      select "Id", "Side", ${ms('"BeginTime"')} as begin, ${ms('"KnownTime"')} as known, "Disposition", "Ended", "IsVoid", "PeakValue", "DegreeMinutes"
      from cold_excursion where "SensorBindId" = ${sensor.Id} and "BeginTime" >= ${new Date(start)} order by "BeginTime" for no key update`)
    const { pairs, gone } = paired(rows, found)
    const changed = await deny(db, gone)
    // An earlier start may belong to the next row.
    for (const { of, row } of pairs) if (!row || !isSame(row, of)) changed.push(await write(db, sensor, of, row))
    return changed
  })
}
