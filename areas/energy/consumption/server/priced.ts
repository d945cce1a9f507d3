// Price levels and costs of quarter-hours, by the tariff of each circuit and the holidays of its project.
import type { Db } from '../../../../server/database/db.ts'
import { day } from '../../../../server/telemetry/store/store.ts'
import { keyOf, offsets, startOfKey } from '../../../../server/telemetry/zone.ts'
import { shiftPlansIn } from '../../../analysis/shifts/server/service.ts'
import { tiered } from '../../tariffs/prices.ts'
import { type Before, calendarOf, type IsHoliday, type PriceVersion, price, TooLarge, tariffsOf } from '../../tariffs/server/service.ts'
import type { Circuit } from './circuits.ts'
import type { Deriving, Span } from './days.ts'
import { type Quarters, quartersOf } from './quarterHours.ts'

export type Priced = { level: Uint8Array; cost: BigInt64Array }
export type Tariffs = { versions: ReadonlyMap<number, PriceVersion[]>; holidays: ReadonlyMap<number, IsHoliday> }

/** Tariffs of circuits, and the calendars of their projects. */
export const tariffsFor = async (db: Db, circuits: readonly Circuit[]): Promise<Tariffs> => {
  const ids = [...new Set(circuits.flatMap(({ PriceStandardId }) => PriceStandardId ?? []))]
  const projects = [...new Set(circuits.filter(({ PriceStandardId }) => PriceStandardId).map(({ ProjectId }) => ProjectId))]
  const versions = ids.length ? await tariffsOf(db, ids) : new Map<number, PriceVersion[]>()
  const holidays = new Map<number, IsHoliday>()
  for (const project of projects) holidays.set(project, calendarOf(await shiftPlansIn(db, project)))
  return { versions, holidays }
}

const isTiered = (versions: readonly PriceVersion[]) => versions.some(({ type }) => type === tiered)
/** The start of the local month and year that hold a moment. */
const beginnings = (zone: string, time: number) => {
  const spans = offsets(zone, time - 370 * day, time)
  const today = new Date(keyOf('day', spans, time) * day)
  const at = (month: number) => startOfKey('day', spans, Date.UTC(today.getUTCFullYear(), month, 1) / day)
  return { month: at(today.getUTCMonth()), year: at(0) }
}

/** What circuits with tiers used since their month and their year began. */
const beforeOf = async (db: Db, deriving: Deriving, circuits: readonly Circuit[], all: readonly Circuit[], { start }: Span) => {
  const before = new Map<number, Before>()
  const [one] = circuits
  if (!one) return before
  const { month, year } = beginnings(one.Zone, start)
  const found = year < start ? await quartersOf(db, deriving, circuits, all, { start: year, end: start }) : new Map<number, Quarters>()
  for (const { Id } of circuits) {
    const value = found.get(Id)?.value ?? new BigInt64Array(0)
    const sum = (from: number) => value.subarray(Math.round((from - year) / 900_000)).reduce((total, one) => total + one, 0n)
    before.set(Id, { month: sum(month), year: sum(year) })
  }
  return before
}

/** An implausible amount, such as a typo, gets no cost and does not affect other circuits. */
const pricedOrNone = <T>(work: () => T): T | undefined => {
  try {
    return work()
  } catch (error) {
    if (error instanceof TooLarge) return undefined
    throw error
  }
}

/** Levels and costs by circuit; circuits without a tariff have none. An amount of a whole day or month belongs to no level. */
export const pricedOf = async (
  db: Db,
  deriving: Deriving,
  {
    circuits,
    all,
    quarters,
    span,
  }: { circuits: readonly Circuit[]; all: readonly Circuit[]; quarters: ReadonlyMap<number, Quarters>; span: Span },
): Promise<Map<number, Priced>> => {
  const tariffs = await tariffsFor(db, circuits)
  const versionsOf = ({ PriceStandardId }: Circuit) => (PriceStandardId ? tariffs.versions.get(PriceStandardId) : undefined) ?? []
  const before = await beforeOf(
    db,
    deriving,
    circuits.filter((circuit) => isTiered(versionsOf(circuit))),
    all,
    span,
  )
  const answer = new Map<number, Priced>()
  for (const circuit of circuits) {
    const versions = versionsOf(circuit)
    const of = quarters.get(circuit.Id)
    if (!versions.length || !of) continue
    const found = pricedOrNone(() => price(versions, circuit.Zone, tariffs.holidays.get(circuit.ProjectId)!, of, before.get(circuit.Id)))
    if (!found) continue
    const { level, cost } = found
    if (of.coarse) for (let i = 0; i < level.length; i++) if (of.coarse[i]) level[i] = 0
    answer.set(circuit.Id, { level, cost })
  }
  return answer
}
