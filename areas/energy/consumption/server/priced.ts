// Price levels and costs of quarter-hours, by the tariff of each circuit and the holidays of its project.
import type { Db } from '../../../../server/database/db.ts'
import { day } from '../../../../server/telemetry/store/store.ts'
import { keyOf, offsets, startOfKey } from '../../../../server/telemetry/zone.ts'
import { shiftPlansIn } from '../../../analysis/shifts/server/service.ts'
import { tiered } from '../../tariffs/prices.ts'
import {
  type Before,
  calendarOf,
  type IsHoliday,
  type PriceVersion,
  price,
  TooLarge,
  tariffsOfCircuits,
} from '../../tariffs/server/service.ts'
import type { Circuit } from './circuits.ts'
import type { Deriving, Span } from './days.ts'
import { type Quarters, quartersOf } from './quarterHours.ts'

export type Priced = { level: Uint8Array; cost: BigInt64Array }

/** Calendars of the projects of circuits. */
const calendarsOf = async (db: Db, circuits: readonly Circuit[]) => {
  const calendars = new Map<number, IsHoliday>()
  for (const project of new Set(circuits.map(({ ProjectId }) => ProjectId)))
    calendars.set(project, calendarOf(await shiftPlansIn(db, project)))
  return calendars
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
  const tariffs = await tariffsOfCircuits(
    db,
    circuits.map(({ Id }) => Id),
  )
  const withTariff = circuits.filter(({ Id }) => tariffs.get(Id)?.length)
  const calendars = await calendarsOf(db, withTariff)
  const withTiers = withTariff.filter(({ Id }) => isTiered(tariffs.get(Id)!))
  const before = await beforeOf(db, deriving, withTiers, all, span)
  const answer = new Map<number, Priced>()
  for (const { Id, Zone, ProjectId } of withTariff) {
    const of = quarters.get(Id)
    const found = of && pricedOrNone(() => price(tariffs.get(Id)!, Zone, calendars.get(ProjectId)!, of, before.get(Id)))
    if (!found) continue
    const { level, cost } = found
    if (of.coarse) for (let i = 0; i < level.length; i++) if (of.coarse[i]) level[i] = 0
    answer.set(Id, { level, cost })
  }
  return answer
}
