import { sql } from 'kysely'
import type { Db } from '../database/db.ts'

/** Names in lower case, as neither side minds the case. The process has one database, so they are learnt once. */
let ofDatabase: ReadonlySet<string> = new Set()
const known = new Map<string, boolean>()

const ofRuntime = (name: string) => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

/**
 * True for a name of the IANA time zone database that both this run-time and PostgreSQL know: moments are converted by either. An
 * offset such as +05:30 is no name; PostgreSQL would read it with the sign reversed.
 */
export const isZone = (name: string): boolean => {
  const cached = known.get(name)
  if (cached !== undefined) return cached
  const good = ofDatabase.has(name.toLowerCase()) && ofRuntime(name)
  if (known.size < 2000) known.set(name, good)
  return good
}
/** Unknown and removed zone names count as UTC. */
export const zoneOrUtc = (name: string): string => (isZone(name) ? name : 'UTC')

/** Reads the zones of the database, and replaces stored names that are none: statements with such a name fail. */
export const openZones = async (db: Db) => {
  const names = await db.rows<{ name: string }>(sql`select lower(name) as name from pg_timezone_names`)
  ofDatabase = new Set(names.map((row) => row.name))
  known.clear()
  const stored = await db.rows<{ name: string }>(
    sql`select "TimeZoneKey" as name from enterprise union select "TimeZoneKey" from "user" where "TimeZoneKey" is not null`,
  )
  const unknown = stored.map((row) => row.name).filter((name) => !isZone(name))
  if (!unknown.length) return
  await db.rows(sql`update enterprise set "TimeZoneKey" = 'UTC' where "TimeZoneKey" = any(${unknown}::text[])`)
  await db.rows(sql`update "user" set "TimeZoneKey" = null where "TimeZoneKey" = any(${unknown}::text[])`)
}

/** Minutes east of UTC at a moment. */
export const offsetMinutes = (zone: string, at: Date): number => {
  const name = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
    .formatToParts(at)
    .find((p) => p.type === 'timeZoneName')!.value
  const [, sign, h, m] = /GMT([+-])(\d\d):(\d\d)/.exec(name) ?? []
  return sign ? (sign === '-' ? -1 : 1) * (Number(h) * 60 + Number(m)) : 0
}

/** What the wall shows, as minutes since midnight. */
export const wallMinutes = (zone: string, at: Date): number => {
  const minute = Math.floor(at.getTime() / 60_000) + offsetMinutes(zone, at)
  return ((minute % 1440) + 1440) % 1440
}
