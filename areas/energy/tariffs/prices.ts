// What a tariff asks for: shapes, and what must be true of them. The form shows the same faults while people type.
import { type Static, Type } from 'typebox'
import { isDay } from '../../../contract/days.ts'
import { quartersOfDay } from './quarterHours.ts'

/** Prices of a unit have six decimals: with energy in thousandths each amount is then a whole number of billionths. */
export const mostPrice = 1e6
const Price = Type.Number({ minimum: 0, maximum: mostPrice })
const Name = Type.String({ minLength: 1, maxLength: 60 })
const start = '^([01]\\d|2[0-3]):(00|15|30|45)$'
const end = '^((0[1-9]|1\\d|2[0-3]):(00|15|30|45)|00:(15|30|45)|24:00)$'
const closed = { additionalProperties: false } as const

export const Period = Type.Object(
  {
    Start: Type.String({ pattern: start }),
    End: Type.String({ pattern: end }),
    Level: Type.Integer({ minimum: 1, maximum: 5 }),
    Price,
  },
  closed,
)
export type Period = Static<typeof Period>
export const allDays = 0
export const workdays = 1
export const holidays = 2
export const Season = Type.Object(
  {
    Name: Type.Optional(Type.String({ maxLength: 40 })),
    Months: Type.Array(Type.Integer({ minimum: 1, maximum: 12 }), { minItems: 1, maxItems: 12, uniqueItems: true }),
    /** 0 all days, 1 workdays, 2 holidays and weekends, by the calendar of the project's shifts. */
    Days: Type.Union([Type.Literal(allDays), Type.Literal(workdays), Type.Literal(holidays)]),
    Periods: Type.Array(Period, { minItems: 1, maxItems: quartersOfDay }),
  },
  closed,
)
export type Season = Static<typeof Season>
export const Tier = Type.Object(
  {
    /** Units of the month or year up to which its price holds; the last tier has none. */
    UpTo: Type.Union([Type.Number({ exclusiveMinimum: 0, maximum: 1e12 }), Type.Null()]),
    Price,
  },
  closed,
)
export type Tier = Static<typeof Tier>
export const perMonth = 1
export const perDay = 2
/** A fixed charge; a discount is negative. */
export const Charge = Type.Object(
  {
    Name,
    Amount: Type.Number({ minimum: -1e9, maximum: 1e9 }),
    Per: Type.Union([Type.Literal(perMonth), Type.Literal(perDay)]),
  },
  closed,
)
export type Charge = Static<typeof Charge>
/** Of all charges; with `OnTaxes` also of the taxes before it, as VAT is. */
export const Tax = Type.Object(
  {
    Name,
    Percent: Type.Number({ minimum: 0, maximum: 100 }),
    OnTaxes: Type.Optional(Type.Union([Type.Literal(0), Type.Literal(1)])),
  },
  closed,
)
export type Tax = Static<typeof Tax>

export const [single, timeOfUse, tiered] = [1, 2, 3] as const
export const [noDemand, byKva, byPeak] = [0, 1, 2] as const

/** The parts of a tariff that its rules are about; a draft of a form may lack any. */
export type Prices = {
  TariffType?: number | null | undefined
  BasePrice?: number | null | undefined
  Seasons?: readonly Season[] | null | undefined
  Tiers?: readonly Tier[] | null | undefined
  DemandType?: number | null | undefined
  DemandPrice?: number | null | undefined
  DemandKva?: number | null | undefined
  Charges?: readonly Charge[] | null | undefined
  Taxes?: readonly Tax[] | null | undefined
  ValidFrom?: string | null | undefined
  ValidTo?: string | null | undefined
}
/** Words at `fault.field.<rule>`, or at the rule where it has a dot. Field: a path such as `Seasons.1.Periods.3`. */
export type PriceFault = { field: string; rule: string; values?: Record<string, string | number> }

/** Quarter-hours from midnight. */
export const quarterOf = (clock: string) => Number(clock.slice(0, 2)) * 4 + Math.floor(Number(clock.slice(3)) / 15)
export const clockOf = (quarter: number) =>
  `${String(Math.floor(quarter / 4)).padStart(2, '0')}:${String((quarter % 4) * 15).padStart(2, '0')}`

const hasDecimals = (value: number, most: number) => Math.abs(value * 10 ** most - Math.round(value * 10 ** most)) < 1e-3
export const seasonName = ({ Name }: Pick<Season, 'Name'>, at: number) => Name || `#${at + 1}`

/** Gaps and overlaps in the periods of a season. */
const faultsOfPeriods = (season: Season, at: number): PriceFault[] => {
  const name = seasonName(season, at)
  const found: PriceFault[] = []
  const place = (i: number) => `Seasons.${at}.Periods.${i}`
  const inOrder = season.Periods.map((period, i) => ({ ...period, i, start: quarterOf(period.Start), end: quarterOf(period.End) })).sort(
    (a, b) => a.start - b.start,
  )
  let until = 0
  for (const { i, start, end, Price } of inOrder) {
    if (!hasDecimals(Price, 6)) found.push({ field: `${place(i)}.Price`, rule: 'tariff.decimals', values: { most: 6 } })
    const between = { season: name, from: clockOf(Math.min(start, until)), to: clockOf(Math.max(start, until)) }
    if (end <= start) found.push({ field: place(i), rule: 'tariff.backwards', values: { season: name, from: clockOf(start) } })
    else if (start > until) found.push({ field: place(i), rule: 'tariff.hole', values: between })
    else if (start < until) {
      found.push({ field: place(i), rule: 'tariff.overlap', values: { ...between, to: clockOf(Math.min(until, end)) } })
    }
    until = Math.max(until, end)
  }
  if (until < quartersOfDay)
    found.push({
      field: `Seasons.${at}.Periods.${season.Periods.length - 1}`,
      rule: 'tariff.hole',
      values: { season: name, from: clockOf(until), to: '24:00' },
    })
  return found
}

/** Each month has one season for its workdays and one for its holidays; a season of all days is both. */
const faultsOfMonths = (seasons: readonly Season[]): PriceFault[] =>
  Array.from({ length: 12 }, (_, i) => i + 1).flatMap((month) =>
    [workdays, holidays].flatMap((days): PriceFault[] => {
      const of = seasons.flatMap((s, at) => (s.Months.includes(month) && (s.Days === allDays || s.Days === days) ? [at] : []))
      if (of.length === 1) return []
      const rule = `tariff.${of.length ? 'monthTwice' : 'monthMissing'}.${days === workdays ? 'work' : 'holiday'}`
      return [{ field: of.length ? `Seasons.${of[1]}.Months` : 'Seasons', rule, values: { month } }]
    }),
  )

const faultsOfTiers = (tiers: readonly Tier[]): PriceFault[] =>
  tiers.flatMap(({ UpTo, Price }, i): PriceFault[] => {
    const isLast = i === tiers.length - 1
    const below = tiers[i - 1]?.UpTo ?? 0
    return [
      ...((UpTo === null) === isLast ? [] : [{ field: `Tiers.${i}.UpTo`, rule: isLast ? 'tariff.lastTier' : 'required' }]),
      ...(UpTo !== null && UpTo <= below ? [{ field: `Tiers.${i}.UpTo`, rule: 'tariff.tierOrder' }] : []),
      ...(UpTo !== null && !hasDecimals(UpTo, 3) ? [{ field: `Tiers.${i}.UpTo`, rule: 'tariff.decimals', values: { most: 3 } }] : []),
      ...(hasDecimals(Price, 6) ? [] : [{ field: `Tiers.${i}.Price`, rule: 'tariff.decimals', values: { most: 6 } }]),
    ]
  })

const needed = (field: string, value: unknown): PriceFault[] =>
  value === null || value === undefined || (Array.isArray(value) && !value.length) ? [{ field, rule: 'required' }] : []

/** Everything that is wrong with a tariff, by field and place. */
export const faultsOf = (t: Prices): PriceFault[] => [
  ...((t.TariffType ?? single) === single ? needed('BasePrice', t.BasePrice) : []),
  ...(typeof t.BasePrice === 'number' && !hasDecimals(t.BasePrice, 6)
    ? [{ field: 'BasePrice', rule: 'tariff.decimals', values: { most: 6 } }]
    : []),
  ...(t.TariffType === timeOfUse ? needed('Seasons', t.Seasons) : []),
  ...(t.Seasons?.length ? [...t.Seasons.flatMap(faultsOfPeriods), ...faultsOfMonths(t.Seasons)] : []),
  ...(t.TariffType === tiered ? needed('Tiers', t.Tiers) : []),
  ...faultsOfTiers(t.Tiers ?? []),
  ...(t.DemandType ? needed('DemandPrice', t.DemandPrice) : []),
  ...(t.DemandType === byKva ? needed('DemandKva', t.DemandKva) : []),
  ...(t.Taxes ?? []).flatMap(({ Percent }, i) =>
    hasDecimals(Percent, 4) ? [] : [{ field: `Taxes.${i}.Percent`, rule: 'tariff.decimals', values: { most: 4 } }],
  ),
  ...(t.Charges ?? []).flatMap(({ Amount }, i) =>
    hasDecimals(Amount, 6) ? [] : [{ field: `Charges.${i}.Amount`, rule: 'tariff.decimals', values: { most: 6 } }],
  ),
  ...(['ValidFrom', 'ValidTo'] as const).flatMap((field) => (t[field] && !isDay(t[field]) ? [{ field, rule: 'noSuchDay' }] : [])),
  ...(t.ValidFrom && t.ValidTo && t.ValidTo < t.ValidFrom ? [{ field: 'ValidTo', rule: 'tariff.endsBefore' }] : []),
]
