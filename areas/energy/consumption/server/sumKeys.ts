// What stored sums of a circuit's month depend on: meters and their rules, readings, formulas, prices, holidays. Sums under another key are outdated.
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { day } from '../../../../server/telemetry/store/store.ts'
import { shiftPlansIn } from '../../../analysis/shifts/server/service.ts'
import { fromEntries, fromFormula } from '../../circuits/contract.ts'
import { tiered } from '../../tariffs/prices.ts'
import { calendarOf, type IsHoliday, type PriceVersion, tariffsOfCircuits } from '../../tariffs/server/service.ts'
import { type Circuit, segmentsOf } from './circuits.ts'
import { statesOf } from './days.ts'
import { ordered } from './quarterHours.ts'
import type { Keys } from './ranges.ts'

const hash = (text: string) => createHash('sha1').update(text).digest('base64')
/** Months since the year 0. */
export const monthOfKey = (key: number) => {
  const date = new Date(key * day)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}
/** The days of a month, since 1970, both included. */
export const daysOfMonth = (month: number): Keys => {
  const [year, of] = [Math.floor(month / 12), month % 12]
  return { from: Date.UTC(year, of, 1) / day, to: Date.UTC(year, of + 1, 1) / day - 1 }
}
export const monthText = (month: number) => new Date(daysOfMonth(month).from * day).toISOString().slice(0, 10)

type Closure = { text: string; leaves: ReadonlySet<number>; until: number }
/** Of a circuit, the meters that it counts from, and up to when their days are derived. What people enter is not stored. */
const closuresOf = async (db: Db, needed: readonly Circuit[]) => {
  const metered = await segmentsOf(db, needed)
  const states = new Map((await statesOf(db, [...metered.keys()])).map((state) => [state.EnergyInfoId, state]))
  const closures = new Map<number, Closure>()
  for (const { Id, Source, Formula, FormulaIds } of needed) {
    if (Source === fromFormula) {
      const parts = FormulaIds.flatMap((id) => closures.get(id) ?? [])
      closures.set(Id, {
        text: hash(`${Formula} ${parts.map(({ text }) => text).join(' ')}`),
        leaves: new Set(parts.flatMap(({ leaves }) => [...leaves])),
        until: parts.length === new Set(FormulaIds).size && parts.length ? Math.min(...parts.map(({ until }) => until)) : 0,
      })
    } else if (Source === fromEntries) closures.set(Id, { text: '', leaves: new Set(), until: 0 })
    else {
      const [own, state] = [metered.get(Id), states.get(Id)]
      const isDerived = own !== undefined && state?.Fingerprint === own.fingerprint
      const text = hash(`${own?.fingerprint} ${state?.DerivedFrom}`)
      closures.set(Id, { text, leaves: new Set([Id]), until: isDerived ? state.DerivedUntil : 0 })
    }
  }
  return closures
}

const revisionsOf = async (db: Db, leaves: readonly number[]) => {
  const rows = await db.rows<{ EnergyInfoId: number; Month: number; Revision: number }>(sql`
    select "EnergyInfoId", (extract(year from "Month") * 12 + extract(month from "Month") - 1)::int as "Month", "Revision"::float8 as "Revision"
    from energy_revision where "EnergyInfoId" = any(${[...leaves]}::bigint[])`)
  return new Map(rows.map(({ EnergyInfoId, Month, Revision }) => [`${EnergyInfoId} ${Month}`, Revision]))
}

/** Texts of prices; circuits with the same tariffs share their list. */
const priceTexts = () => {
  const known = new WeakMap<readonly PriceVersion[], string>()
  return (versions: readonly PriceVersion[] | undefined) => {
    if (!versions) return '-'
    const found = known.get(versions) ?? hash(JSON.stringify(versions, (_, one) => (typeof one === 'bigint' ? String(one) : one)))
    known.set(versions, found)
    return found
  }
}

const holidaysOf = (isHoliday: IsHoliday, { from, to }: Keys) => {
  let bits = 0
  for (let key = from; key <= to; key++) if (isHoliday(key)) bits += 2 ** (key - from)
  return bits.toString(36)
}

export type SumKeys = {
  keyOf: (id: number, month: number) => string
  /** Before this moment, days of the circuit are derived; 0: its sums are not stored. */
  untilOf: (id: number) => number
}
export const sumKeysOf = async (db: Db, asked: readonly Circuit[], all: readonly Circuit[]): Promise<SumKeys> => {
  const needed = ordered(asked, new Map(all.map((circuit) => [circuit.Id, circuit])))
  const closures = await closuresOf(db, needed)
  const revisions = await revisionsOf(db, [...new Set([...closures.values()].flatMap(({ leaves }) => [...leaves]))])
  const tariffs = await tariffsOfCircuits(
    db,
    asked.map(({ Id }) => Id),
  )
  const projects = [...new Set(asked.map(({ ProjectId }) => ProjectId))]
  const closed = await db.rows<{ Place: string; Text: string }>(sql`
    select "ProjectId" || ' ' || "Month" as "Place", md5("Prices"::text) as "Text" from energy_month where "ProjectId" = any(${projects}::bigint[])`)
  const frozen = new Map(closed.map(({ Place, Text }) => [Place, Text]))
  const calendars = new Map<number, IsHoliday>()
  for (const project of projects) calendars.set(project, calendarOf(await shiftPlansIn(db, project)))
  const [priceText, byId] = [priceTexts(), new Map(asked.map((circuit) => [circuit.Id, circuit]))]
  const monthTexts = new Map<string, string>()
  const monthTextOf = (project: number, month: number) => {
    const place = `${project} ${month}`
    const text =
      monthTexts.get(place) ??
      `${frozen.get(`${project} ${monthText(month).slice(0, 7)}`) ?? '-'} ${holidaysOf(calendars.get(project)!, daysOfMonth(month))}`
    monthTexts.set(place, text)
    return text
  }
  const revision = (leaves: ReadonlySet<number>, month: number) => {
    let sum = 0
    for (const leaf of leaves) for (let at = month - 1; at <= month + 1; at++) sum += revisions.get(`${leaf} ${at}`) ?? 0
    return sum
  }
  return {
    keyOf: (id, month) => {
      const { text, leaves } = closures.get(id)!
      const { ProjectId, Zone } = byId.get(id)!
      return `${text} ${revision(leaves, month)} ${priceText(tariffs.get(id))} ${monthTextOf(ProjectId, month)} ${Zone}`
    },
    // Tiers depend on the months before.
    untilOf: (id) => (tariffs.get(id)?.some(({ type }) => type === tiered) ? 0 : (closures.get(id)?.until ?? 0)),
  }
}
