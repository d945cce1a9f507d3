import { day, sumsBefore } from './conditions.ts'
import { losses } from './meter.ts'
import type { World } from './world.ts'

type Totals = { [key: string]: unknown }
/** One total of the plant: where it lives, what it showed on 1 January 2024, and what a mean day adds. */
export type Counter = {
  device: string
  point: string
  of: (w: World) => Totals
  key: string
  base: number
  perDay: number
  /** What it grows with. */
  by: 'demand' | 'rain' | 'building' | 'days'
  /** The readings of its feeders, whose losses it counts on top. */
  sum?: readonly Counter[]
  /** The reading at which it begins again at 0. */
  rollsAt?: number
  /** Epoch days on which the meter was replaced by one that shows 0, ascending. */
  replaced?: readonly number[]
}
const counter = (
  device: string,
  point: string,
  of: (w: World) => object,
  key: string,
  base: number,
  perDay: number,
  by: Counter['by'] = 'demand',
  more: Pick<Counter, 'sum' | 'rollsAt' | 'replaced'> = {},
): Counter => ({ device, point, of: of as Counter['of'], key, base, perDay, by, ...more })

const pumps = (device: string, of: (w: World) => object[], rows: [base: number, perDay: number][]) =>
  rows.map(([base, perDay], i) => counter(device, `Pump ${i + 1} hours`, (w) => of(w)[i]!, 'hours', base, perDay))
type More = Parameters<typeof counter>[7]
const energy = (
  device: string,
  of: (w: World) => object,
  [base, active, reactive]: readonly [base: number, active: number, reactive: number],
  by: Counter['by'] = 'demand',
  more: More = {},
) => [
  counter(device, 'Active energy', of, 'activeEnergy', base, active, by, more),
  counter(device, 'Reactive energy', of, 'reactiveEnergy', base * 0.5, reactive, by, more),
]

const intake = energy('Intake power meter', (w) => w.intakeMeter, [184_320, 354, 146])
const delivery = energy('Delivery power meter', (w) => w.deliveryMeter, [402_771, 1467, 671])
/** Replaced every 14 April, so each year of history contains one replacement. */
const aprils = Array.from({ length: 30 }, (_, i) => Date.UTC(2024 + i, 3, 14) / 86_400_000)
const building = energy('Building power meter', (w) => w.buildingMeter, [31_440, 1, 0.4], 'building', { replaced: aprils })
const incomer = [0, 1].map((i) =>
  counter(
    'Main incomer meter',
    ['Active energy', 'Reactive energy'][i]!,
    (w) => w.incomerMeter,
    ['activeEnergy', 'reactiveEnergy'][i]!,
    [640_200, 331_000][i]!,
    24 * [losses.idle, losses.idleReactive][i]!,
    'days',
    { sum: [intake[i]!, delivery[i]!, building[i]!] },
  ),
)

export const counters: readonly Counter[] = [
  counter('Raw water intake', 'Raw water total', (w) => w.water, 'rawTotal', 2_812_400, 5900),
  ...pumps('Raw water intake', (w) => w.water.intake, [
    [8210, 9.8],
    [7655, 10],
  ]),
  counter('Settling basin', 'Coagulant total', (w) => w.treatment.coagulant, 'total', 61_200, 189),
  ...[0, 1, 2].map((i) => counter('Filters', `Filter ${i + 1} backwashes`, (w) => w.water.filters[i]!, 'backwashes', 210, 1, 'days')),
  counter('Clear water tank', 'Clear water total', (w) => w.water, 'clearTotal', 2_790_120, 5900),
  counter('Chlorine dosing', 'Hypochlorite total', (w) => w.treatment.chlorine, 'total', 15_830, 35.5),
  counter('UV reactor', 'Lamp hours', (w) => w.treatment.uv, 'hours', 1420, 24, 'days'),
  ...pumps('High service pumps', (w) => w.water.delivery, [
    [12_904, 9],
    [11_377, 9.7],
    [9020, 11.6],
  ]),
  counter('Outlet and tower', 'Outlet total', (w) => w.water, 'outletTotal', 2_771_030, 5900),
  ...intake,
  ...delivery,
  ...energy('Treatment power meter', (w) => w.treatmentMeter, [72_310, 290, 63], 'days', { rollsAt: 100_000 }),
  ...energy('Cold store power meter', (w) => w.coldStoreMeter, [43_900, 36.8, 19.4], 'days'),
  ...building,
  ...incomer,
  counter('Cold room', 'Compressor energy', (w) => w.coldRoom, 'energyKwh', 41_250, 34.4, 'days'),
  counter('Cold room', 'Compressor hours', (w) => w.coldRoom, 'hours', 6120, 7.1, 'days'),
  counter('Weather station', 'Rain total', (w) => w.weather, 'rainTotal', 512, 1, 'rain'),
]

export const total = (w: World, { of, key }: Counter) => of(w)[key] as number
export const setTotal = (w: World, { of, key }: Counter, value: number) => {
  of(w)[key] = value
}

/** What has been counted from 1 January 2024 to 00:00 UTC of a day (epoch days), whatever the meter shows. */
export const countedBefore = ({ perDay, by, sum }: Counter, epochDay: number): number => {
  const own = perDay * (by === 'days' ? epochDay - 19_723 : sumsBefore(epochDay)[by])
  return own + (sum?.reduce((all, of) => all + countedBefore(of, epochDay), 0) ?? 0) * (1 + losses.share)
}

/** What the meter shows after it has counted so much, at a moment of that day. */
export const shownAt = (of: Counter, counted: number, epochDay: number) => {
  const since = of.replaced?.findLast((at) => at <= epochDay)
  const shown = since === undefined ? of.base + counted : counted - countedBefore(of, since)
  return of.rollsAt === undefined ? shown : shown % of.rollsAt
}

/** What has been counted at any moment, as if the day were even. */
export const countedAt = (of: Counter, seconds: number) => {
  const epochDay = Math.floor(seconds / day)
  const before = countedBefore(of, epochDay)
  return before + (seconds / day - epochDay) * (countedBefore(of, epochDay + 1) - before)
}
