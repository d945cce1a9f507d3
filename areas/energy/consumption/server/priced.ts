// Price levels and costs of quarter-hours, by the tariff of each circuit and the holidays of its project.
import type { Db } from '../../../../server/database/db.ts'
import { pausing } from '../../../../server/jobs/ownTurn.ts'
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
  type TariffVersion,
  TooLarge,
  tariffsOfCircuits,
} from '../../tariffs/server/service.ts'
import type { Circuit } from './circuits.ts'
import type { Deriving, Span } from './days.ts'
import { calendarWithClosed, closedPricesIn, withClosed } from './frozenPrices.ts'
import { type Quarters, quartersOf } from './quarterHours.ts'
import type { Keys } from './ranges.ts'

export type Priced = { level: Uint8Array; cost: BigInt64Array }

type Tariffs = { versions: ReadonlyMap<number, readonly PriceVersion[]>; calendars: ReadonlyMap<number, IsHoliday> }
/** Prices of circuits on some days, and the calendars of their projects; in closed months those that were frozen. */
export const tariffsIn = async (db: Db, circuits: readonly Circuit[], days: Keys, draft?: TariffVersion): Promise<Tariffs> => {
  const ids = circuits.map(({ Id }) => Id)
  const projects = [...new Set(circuits.map(({ ProjectId }) => ProjectId))]
  const [now, closed] = await Promise.all([tariffsOfCircuits(db, ids, draft), closedPricesIn(db, projects, days)])
  const calendars = new Map<number, IsHoliday>()
  for (const project of projects)
    calendars.set(project, calendarWithClosed(calendarOf(await shiftPlansIn(db, project)), closed.get(project) ?? []))
  const versions = new Map(
    circuits.flatMap(({ Id, ProjectId }): [number, readonly PriceVersion[]][] => {
      const of = withClosed(now.get(Id) ?? [], closed.get(ProjectId) ?? [], Id)
      return of.length ? [[Id, of]] : []
    }),
  )
  return { versions, calendars }
}

const isTiered = (versions: readonly PriceVersion[]) => versions.some(({ type }) => type === tiered)
/** The start of the local month and year that hold a moment. */
const beginnings = (zone: string, time: number) => {
  const spans = offsets(zone, time - 370 * day, time)
  const today = new Date(keyOf('day', spans, time) * day)
  const at = (month: number) => startOfKey('day', spans, Date.UTC(today.getUTCFullYear(), month, 1) / day)
  return { month: at(today.getUTCMonth()), year: at(0) }
}

type Priceable = { circuits: readonly Circuit[]; versions: Tariffs['versions']; all: readonly Circuit[]; span: Span }
/** What circuits with tiers used since their month and their year began. */
export const beforeOf = async (db: Db, deriving: Deriving, { circuits: some, versions, all, span: { start } }: Priceable) => {
  const circuits = some.filter(({ Id }) => isTiered(versions.get(Id) ?? []))
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

/** Prices of circuits of one zone in a range. */
export const tariffsOver = (db: Db, circuits: readonly Circuit[], { start, end }: Span) => {
  const spans = offsets(circuits[0]?.Zone ?? 'UTC', start, end)
  return tariffsIn(db, circuits, { from: keyOf('day', spans, start), to: keyOf('day', spans, Math.max(start, end - 1)) })
}

type Pricing = {
  circuits: readonly Circuit[]
  all: readonly Circuit[]
  quarters: ReadonlyMap<number, Quarters>
  span: Span
  tariffs?: Tariffs
}
/** Levels and costs by circuit; circuits without a tariff have none. An amount of a whole day or month belongs to no level. */
export const pricedOf = async (
  db: Db,
  deriving: Deriving,
  { circuits, all, quarters, span, tariffs }: Pricing,
): Promise<Map<number, Priced>> => {
  const { versions, calendars } = tariffs ?? (await tariffsOver(db, circuits, span))
  const withTariff = circuits.filter(({ Id }) => versions.has(Id))
  const before = await beforeOf(db, deriving, { circuits: withTariff, versions, all, span })
  const answer = new Map<number, Priced>()
  const pause = pausing()
  for (const { Id, Zone, ProjectId } of withTariff) {
    const of = quarters.get(Id)
    const found = of && pricedOrNone(() => price(versions.get(Id)!, Zone, calendars.get(ProjectId)!, of, before.get(Id)))
    if (!found) continue
    const { level, cost } = found
    if (of.coarse) for (let i = 0; i < level.length; i++) if (of.coarse[i]) level[i] = 0
    answer.set(Id, { level, cost })
    await pause()
  }
  return answer
}
