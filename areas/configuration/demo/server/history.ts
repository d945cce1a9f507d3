import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { demoPlant, mappingWeekBefore, vaccineRoom } from '../../../../contract/demo-plant.ts'
import type { Database, Db } from '../../../../server/database/db.ts'
import { serverActor } from '../../../../server/identity/actor.ts'
import type { PointMeta, Sample } from '../../../../server/telemetry/sample.ts'
import { day } from '../../../../server/telemetry/store/store.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { judgePast, type PastRule, pastRules, savePast } from '../../../alarms/alarms/server/service.ts'
import { demoAccounts, seedCompany, unknownPassword } from './company.ts'
import { handleAlarms } from './handled.ts'

type AskedDay = { start: number; until: number; fine: boolean; mapped: boolean }
/** A day of the plant as triples: index of the point in the table, epoch s, value. Times in epoch s; `until` is excluded. */
export type AskPlant = (asked: AskedDay) => Promise<Float64Array>
/** Progress, epoch ms: the history reaches from `since` to `until`; everything after `next` is written. */
type Progress = { since: number; until: number; next: number; offsets?: Offsets }
/** Offset of each total between an older plant and the current one, by point. */
type Offsets = Record<number, number>
/**
 * `isNew`: the installed version also seeds people and rules. `devices`: number of seeded devices of the table. `added`: devices added by
 * upgrades, each with its own history.
 */
type State = { isNew?: boolean; isFurnished?: boolean; progress?: Progress | undefined; devices?: number; added?: Added[] }
type Added = { names: readonly string[]; progress?: Progress | undefined }
/** Number of demo devices before versions were recorded. */
const firstDevices = 12

const name = 'demoHistory'
const saveState = (db: Db, enterprise: number, state: State) =>
  db.rows(sql`
    insert into tenant_config ("EnterpriseId", "Name", "Config") values (${enterprise}, ${name}, ${JSON.stringify(state)}::jsonb)
    on conflict ("EnterpriseId", "Name") do update set "Config" = excluded."Config"`)
const readState = async (db: Db, enterprise: number): Promise<State> => {
  const [row] = await db.rows<{ Config: State }>(
    sql`select "Config" from tenant_config where "EnterpriseId" = ${enterprise} and "Name" = ${name}`,
  )
  return row?.Config ?? {}
}
/** Set while the company is being created. */
export const markNew = (db: Db, enterprise: number) => saveState(db, enterprise, { isNew: true, devices: demoPlant.length })
/** Demo devices added since the company was seeded, without those whose name is taken. Marks them as seeded. */
export const takeNewDevices = async (db: Db, enterprise: number, existing: ReadonlySet<string>) => {
  const { devices = firstDevices, added = [], ...state } = await readState(db, enterprise)
  const missing = demoPlant.slice(devices).filter(({ DeviceName }) => !existing.has(DeviceName))
  const names = missing.map(({ DeviceName }) => DeviceName)
  if (devices < demoPlant.length)
    await saveState(db, enterprise, { ...state, devices: demoPlant.length, added: [...added, ...(names.length ? [{ names }] : [])] })
  return missing
}
/** Days prefetched from the plant. */
const ahead = 31

/** Points of the table that still exist under their names, in order. Points added by users have no history. */
export const demoPoints = async (database: Database, gateway: number): Promise<(number | undefined)[]> => {
  const rows = await database.system.rows<{ Id: number; DeviceName: string; ParaName: string }>(sql`
    select p."Id", d."DeviceName", p."ParaName" from point p join device d on d."Id" = p."DeviceId" where d."GatewayId" = ${gateway}`)
  const ids = new Map(rows.map((r) => [`${r.DeviceName}/${r.ParaName}`, r.Id]))
  return demoPlant.flatMap(({ DeviceName, Points }) => Points.map((p) => ids.get(`${DeviceName}/${p.ParaName}`)))
}

const hasLimit = ({ AlarmLow, AlarmHigh }: PointMeta) => AlarmLow !== null || AlarmHigh !== null
const pointsOf = ({ RuleConfigure }: PastRule) =>
  RuleConfigure.RuleList.flatMap((g) => g.Conditions.flatMap((c) => c.AlarmParams.flatMap((p) => p.ParaId ?? [])))

const month = (time: number) => {
  const date = new Date(time)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
}

type Days = { start: number; days: AskedDay[] }
/** Batches to load, newest first: days of this month and the previous one while that may be open, otherwise months. */
const piecesOf = ({ since, until, next }: Progress, fineDays: number, now: number): Days[] => {
  const pieces: Days[] = []
  const week = mappingWeekBefore(until)
  for (let start = Math.floor((next - 1) / day) * day; start > since - day; start -= day) {
    const [fine, mapped] = [start >= until - fineDays * day, start >= week.start && start < week.end]
    const asked = { start, until: Math.min(next, start + day), fine, mapped }
    const last = pieces.at(-1)
    // A day is closed some minutes after its end.
    const isOver = month(start) < month(now - day)
    if (last && isOver && month(last.start) === month(start)) Object.assign(last, { start, days: [...last.days, asked] })
    else pieces.push({ start, days: [asked] })
  }
  return pieces
}

/** The device of each point of the table. */
const deviceOf = demoPlant.flatMap(({ DeviceName, Points }) => Points.map(() => DeviceName))
const names = demoPlant.flatMap(({ Points }) => Points.map((p) => p.ParaName))
const isTotal = (i: number) => /( total| hours| energy| backwashes)$/i.test(names[i]!)

/** Offsets between recorded and simulated totals, so that the history ends at the recorded value. `rows`: the last day before. */
const offsetsOf = async (telemetry: Telemetry, points: readonly (number | undefined)[], rows: Float64Array, until: number) => {
  const last = new Map<number, number>()
  for (let at = 0; at < rows.length; at += 3) {
    const point = points[rows[at]!]
    if (point !== undefined && isTotal(rows[at]!)) last.set(point, rows[at + 2]!)
  }
  const offsets: Offsets = {}
  const first = last.size ? await telemetry.read([...last.keys()], until, until + 600_000) : []
  for (const { point, value } of first) if (value !== null) offsets[point] ??= value - last.get(point)!
  return offsets
}

/** Readings in their stored form. Drops those of a total before it started at 0. */
const samplesOf = (rows: Float64Array, points: readonly (number | undefined)[], offsets: Offsets) => {
  const samples: Sample[] = []
  for (let at = 0; at < rows.length; at += 3) {
    const point = points[rows[at]!]
    const offset = point === undefined ? 0 : (offsets[point] ?? 0)
    const value = rows[at + 2]! + offset
    if (point !== undefined && (offset >= 0 || value >= 0)) samples.push({ point, time: rows[at + 1]! * 1000, value, quality: 0 })
  }
  return samples
}

/**
 * Sets the expected intervals, and thereby how long a value holds: a minute in recent days, a quarter of an hour before. The second
 * cold room has a reading per minute during its mapping.
 */
const noteIntervals = (db: Db, points: readonly number[], until: number, fineDays: number) => {
  const fine = Math.ceil(until / day - fineDays) * day
  const week = mappingWeekBefore(until)
  return db.rows(sql`
    insert into point_interval ("PointId", "EnterpriseId", "Until", "ExpectedMs")
    select p."Id", p."EnterpriseId", to_timestamp(t.until / 1000.0), greatest(t.ms, penstock_expected_ms(p))
    from point p join device d on d."Id" = p."DeviceId"
      join (values (${until}::bigint, 60000, false), (${fine}::bigint, 900000, false),
        (${week.end}::bigint, 60000, true), (${week.start}::bigint, 900000, true)) t (until, ms, is_room)
        on not t.is_room or d."DeviceName" = ${vaccineRoom}
    where p."Id" = any(${points}::bigint[]) on conflict do nothing`)
}

/** Marks the plant's totals as counters: users query consumption, not means. The meter of the treatment rolls over. */
const noteCounters = (db: Db, points: readonly (number | undefined)[]) =>
  db.rows(sql`
    insert into point_meaning ("PointId", "EnterpriseId", "CalDataType", "MaxReading")
    select p."Id", p."EnterpriseId", 1, case when d."DeviceName" = 'Treatment power meter' then 100000 end
    from point p join device d on d."Id" = p."DeviceId"
    where p."Id" = any(${points.filter((id, i) => id !== undefined && isTotal(i))}::bigint[]) on conflict do nothing`)

type Needs = { database: Database; telemetry: Telemetry; registry: Parameters<typeof judgePast>[0]; clock: () => number }

/** Seeds the extras of a new demo company. Leaves existing ones alone. */
const furnish = async ({ database }: Needs, state: State, enterprise: number, points: readonly (number | undefined)[]): Promise<State> => {
  if (!state.isNew || state.isFurnished) return state
  const hash = await unknownPassword()
  const furnished = { ...state, isFurnished: true }
  await database.system.tx(async (db) => {
    await seedCompany(db, serverActor(enterprise), points, hash)
    await saveState(db, enterprise, furnished)
  })
  return furnished
}

/** Judges history day by day. Saves alarms together with the progress. */
const judging = async ({ database, registry, clock }: Needs, enterprise: number, points: readonly (number | undefined)[]) => {
  const named = new Map(
    demoPlant.flatMap(({ Points }) => Points).flatMap((p, i) => (points[i] === undefined ? [] : [[points[i], p.ParaName] as const])),
  )
  for (const id of named.keys()) while (!registry.get(id)) await sleep(50)
  const rules = await pastRules(database.system, enterprise)
  const people = await database.system.rows<{ Id: number }>(
    sql`select "Id" from "user" where "EnterpriseId" = ${enterprise} and "UserNO" = any(${demoAccounts}::text[]) and "UserNO" not like '%elena' and "UserNO" not like '%david'`,
  )
  const watched = new Set([...rules.flatMap(pointsOf), ...[...named.keys()].filter((id) => hasLimit(registry.get(id)!))])
  let changes: ReturnType<typeof judgePast> = []
  return {
    judge: (readings: readonly Sample[], start: number) => {
      const some = readings.filter((r) => watched.has(r.point))
      changes.push(...judgePast(registry, rules, some, start))
    },
    save: async (db: Db) => {
      const alarms = await savePast(db, changes)
      changes = []
      const ids = people.map(({ Id }) => Id)
      if (alarms.length) await handleAlarms(db, enterprise, alarms, ids, named, clock())
    },
  }
}

type Given = {
  gateway: number
  enterprise: number
  days: number
  /** Number of these days with a reading per minute. */
  fineDays?: number
}
type Past = {
  points: readonly (number | undefined)[]
  progress: Progress
  fineDays: number
  enterprise: number
  save(db: Db, progress: Progress): Promise<unknown>
}

/** Writes the remaining history with its alarms, newest first. */
const writePast = async (
  needs: Needs,
  { points, progress, fineDays, enterprise, save }: Past,
  ask: AskPlant,
  stopped: () => boolean,
): Promise<void> => {
  const { database, telemetry, clock } = needs
  const pieces = piecesOf(progress, fineDays, clock())
  if (!pieces.length) return
  const alarms = await judging(needs, enterprise, points)
  const queue = pieces.flatMap((piece) => piece.days)
  const asked: { start: number; answer: Promise<Float64Array> }[] = []
  let at = progress
  const answers = async function* (count: number): AsyncGenerator<Sample[]> {
    for (let i = 0; i < count; i++) {
      while (asked.length < ahead && queue.length) {
        const { start, until, fine, mapped } = queue.shift()!
        const answer = ask({ start: start / 1000, until: until / 1000, fine, mapped })
        answer.catch(() => {})
        asked.push({ start, answer })
      }
      const { start, answer } = asked.shift()!
      const rows = await answer
      if (stopped()) throw new Error('stopped')
      at.offsets ??= await offsetsOf(telemetry, points, rows, at.until)
      const samples = samplesOf(rows, points, at.offsets)
      alarms.judge(samples, start)
      yield samples
    }
  }
  for (const piece of pieces) {
    if (stopped() || telemetry.disk().full) return
    await telemetry.load(answers(piece.days.length))
    at = { ...at, next: piece.start }
    await database.system.tx(async (db) => {
      await alarms.save(db)
      await save(db, at)
    })
  }
}

/** Seeds the history of devices added by an upgrade. Existing devices keep theirs. */
const seedAdded = async (needs: Needs, { gateway, enterprise, days }: Given, fineDays: number, ask: AskPlant, stopped: () => boolean) => {
  const { database, telemetry, clock } = needs
  const { added = [] } = await readState(database.system, enterprise)
  const all = await demoPoints(database, gateway)
  for (const [i, { names, ...of }] of added.entries()) {
    const points = all.map((id, k) => (names.includes(deviceOf[k]!) ? id : undefined))
    const known = points.filter((id) => id !== undefined)
    const save = async (db: Db, progress: Progress) => {
      const state = await readState(db, enterprise)
      await saveState(db, enterprise, { ...state, added: state.added!.with(i, { names, progress }) })
    }
    let { progress } = of
    if (!progress) {
      const now = clock()
      const first = (await telemetry.first(known, now - days * day)) ?? now
      progress = { since: now - days * day, until: first, next: first }
      await noteIntervals(database.system, known, first, fineDays)
      await noteCounters(database.system, points)
      await save(database.system, progress)
    }
    await writePast(needs, { points, progress, fineDays, enterprise, save }, ask, stopped)
  }
}

/**
 * Writes the history before the demo plant's first reading, once, newest first. After a kill, the next start resumes where the previous
 * one ended. `stopped` ends it early.
 */
export const seedHistory = async (
  needs: Needs,
  given: Given,
  ask: AskPlant,
  stopped: () => boolean,
  /** Runs in the background once people, rules and counters are seeded. */
  beside: () => Promise<unknown> = async () => undefined,
) => {
  const { gateway, enterprise, days, fineDays = Math.min(3, Math.ceil(days / 4)) } = given
  if (days <= 0) return
  const { database, telemetry, clock } = needs
  const all = await demoPoints(database, gateway)
  const state = await furnish(needs, await readState(database.system, enterprise), enterprise, all)
  const later = new Set((state.added ?? []).flatMap(({ names }) => names))
  const points = all.map((id, i) => (later.has(deviceOf[i]!) ? undefined : id))
  const known = points.filter((id) => id !== undefined)
  const save = async (db: Db, progress: Progress) => saveState(db, enterprise, { ...(await readState(db, enterprise)), progress })
  let { progress } = state
  if (!progress) {
    const now = clock()
    const until = (await telemetry.first(known, now - days * day)) ?? now
    progress = { since: now - days * day, until, next: until }
    await noteIntervals(database.system, known, until, fineDays)
    await noteCounters(database.system, points)
    await save(database.system, progress)
  }
  const others = beside()
  others.catch(() => undefined)
  await writePast(needs, { points, progress, fineDays, enterprise, save }, ask, stopped)
  if (!stopped()) await seedAdded(needs, given, fineDays, ask, stopped)
  return others
}
