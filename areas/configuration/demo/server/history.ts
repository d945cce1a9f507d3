import { sql } from 'kysely'
import { demoPlant } from '../../../../contract/demo-plant.ts'
import type { Database } from '../../../../server/database/db.ts'
import type { Sample } from '../../../../server/telemetry/sample.ts'
import { day } from '../../../../server/telemetry/store/store.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'

/** Readings of a day of the plant as triples: index of the point in the table, epoch s, value. Times in epoch s; `until` is excluded. */
export type AskPlant = (asked: { start: number; until: number; fine: boolean }) => Promise<Float64Array>
/** How far it has come, epoch ms: the past reaches from `since` to `until`, and what lies after `next` is there. */
type Progress = { since: number; until: number; next: number }

const name = 'demoHistory'
/** Days that the plant is asked for before they are needed. */
const ahead = 8

/** Points of the table that are still there under their names, in its order; what people have added has no past. */
export const demoPoints = async (database: Database, gateway: number): Promise<(number | undefined)[]> => {
  const rows = await database.system.rows<{ Id: number; DeviceName: string; ParaName: string }>(sql`
    select p."Id", d."DeviceName", p."ParaName" from point p join device d on d."Id" = p."DeviceId" where d."GatewayId" = ${gateway}`)
  const ids = new Map(rows.map((r) => [`${r.DeviceName}/${r.ParaName}`, r.Id]))
  return demoPlant.flatMap(({ DeviceName, Points }) => Points.map((p) => ids.get(`${DeviceName}/${p.ParaName}`)))
}

const month = (time: number) => {
  const date = new Date(time)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
}

type Days = { start: number; days: { start: number; until: number; fine: boolean }[] }
/** Pieces that are loaded in one go, the newest first: days of this month and the one before it that may be open, else months. */
const piecesOf = ({ since, until, next }: Progress, fineDays: number, now: number): Days[] => {
  const pieces: Days[] = []
  for (let start = Math.floor((next - 1) / day) * day; start > since - day; start -= day) {
    const asked = { start, until: Math.min(next, start + day), fine: start >= until - fineDays * day }
    const last = pieces.at(-1)
    // A day is closed some minutes after its end.
    const isOver = month(start) < month(now - day)
    if (last && isOver && month(last.start) === month(start)) Object.assign(last, { start, days: [...last.days, asked] })
    else pieces.push({ start, days: [asked] })
  }
  return pieces
}

/**
 * Gives the demo company's plant the past that it would have had, once: what lies before its first reading, the newest first. A start
 * after a kill goes on where the one before has ended. `stopped` ends it early.
 */
export const seedHistory = async (
  { database, telemetry, clock }: { database: Database; telemetry: Telemetry; clock: () => number },
  {
    gateway,
    enterprise,
    days,
    fineDays = 7,
  }: { gateway: number; enterprise: number; days: number /** Of these, so many have a reading a minute. */; fineDays?: number },
  ask: AskPlant,
  stopped: () => boolean,
) => {
  if (days <= 0) return
  const points = await demoPoints(database, gateway)
  const known = points.filter((id) => id !== undefined)
  const [held] = await database.system.rows<{ Config: Progress }>(
    sql`select "Config" from tenant_config where "EnterpriseId" = ${enterprise} and "Name" = ${name}`,
  )
  const save = (progress: Progress) =>
    database.system.rows(sql`
      insert into tenant_config ("EnterpriseId", "Name", "Config") values (${enterprise}, ${name}, ${JSON.stringify(progress)}::jsonb)
      on conflict ("EnterpriseId", "Name") do update set "Config" = excluded."Config"`)
  let progress = held?.Config
  if (!progress) {
    const now = clock()
    const until = (await telemetry.first(known, now - days * day)) ?? now
    progress = { since: now - days * day, until, next: until }
    await save(progress)
  }
  const pieces = piecesOf(progress, fineDays, clock())
  const queue = pieces.flatMap((piece) => piece.days)
  const asked: Promise<Float64Array>[] = []
  const answers = async function* (count: number): AsyncGenerator<Sample[]> {
    for (let i = 0; i < count; i++) {
      while (asked.length < ahead && queue.length) {
        const { start, until, fine } = queue.shift()!
        const answer = ask({ start: start / 1000, until: until / 1000, fine })
        answer.catch(() => {})
        asked.push(answer)
      }
      const rows = await asked.shift()!
      if (stopped()) throw new Error('stopped')
      const samples: Sample[] = []
      for (let at = 0; at < rows.length; at += 3) {
        const point = points[rows[at]!]
        if (point !== undefined) samples.push({ point, time: rows[at + 1]! * 1000, value: rows[at + 2]!, quality: 0 })
      }
      yield samples
    }
  }
  for (const piece of pieces) {
    if (stopped() || telemetry.disk().full) return
    await telemetry.load(answers(piece.days.length))
    progress = { ...progress, next: piece.start }
    await save(progress)
  }
}
