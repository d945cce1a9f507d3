import { day, sumsBefore } from './conditions.ts'
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
  by: 'demand' | 'rain' | 'days'
}
const counter = (
  device: string,
  point: string,
  of: (w: World) => object,
  key: string,
  base: number,
  perDay: number,
  by: Counter['by'] = 'demand',
): Counter => ({ device, point, of: of as Counter['of'], key, base, perDay, by })

const pumps = (device: string, of: (w: World) => object[], rows: [base: number, perDay: number][]) =>
  rows.map(([base, perDay], i) => counter(device, `Pump ${i + 1} hours`, (w) => of(w)[i]!, 'hours', base, perDay))
const energy = (device: string, of: (w: World) => object, base: number, active: number, reactive: number) => [
  counter(device, 'Active energy', of, 'activeEnergy', base, active),
  counter(device, 'Reactive energy', of, 'reactiveEnergy', base * 0.5, reactive),
]

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
  ...energy('Intake power meter', (w) => w.intakeMeter, 184_320, 354, 146),
  ...energy('Delivery power meter', (w) => w.deliveryMeter, 402_771, 1467, 671),
  counter('Cold room', 'Compressor energy', (w) => w.coldRoom, 'energyKwh', 41_250, 34.4, 'days'),
  counter('Cold room', 'Compressor hours', (w) => w.coldRoom, 'hours', 6120, 7.1, 'days'),
  counter('Weather station', 'Rain total', (w) => w.weather, 'rainTotal', 512, 1, 'rain'),
]

export const total = (w: World, { of, key }: Counter) => of(w)[key] as number
export const setTotal = (w: World, { of, key }: Counter, value: number) => {
  of(w)[key] = value
}

/** What a total shows at 00:00 UTC of a day (counted from 1970). */
export const totalBefore = ({ base, perDay, by }: Counter, epochDay: number) => {
  const days = epochDay - 19_723
  return base + perDay * (by === 'days' ? days : sumsBefore(epochDay)[by])
}

/** The same at any moment, as if the day were even: what went by while nobody looked. */
export const totalAt = (of: Counter, seconds: number) => {
  const epochDay = Math.floor(seconds / day)
  const before = totalBefore(of, epochDay)
  return before + (seconds / day - epochDay) * (totalBefore(of, epochDay + 1) - before)
}
