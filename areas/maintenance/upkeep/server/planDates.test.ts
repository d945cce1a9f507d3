import fc from 'fast-check'
import { expect, it } from 'vitest'
import { dayNumber } from '../../../../contract/days.ts'
import { byCounter } from '../contract.ts'
import { type Cycle, datesAfter, goingOnFrom } from '../planDates.ts'
import { forecastDays } from './planning.ts'

const cycle = (of: Partial<Cycle>): Cycle => ({
  ...{ CycleType: 3, CycleValue: 1, WeekDays: [], MonthDays: [], StartDate: '2026-01-31', EndDate: null },
  ...of,
})
const dayMs = 86_400_000
const at = (date: string) => new Date(`${date}T00:00:00Z`)
const lengthOf = (date: Date) => new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
const months = { 3: 1, 4: 3, 5: 6, 6: 12 } as Record<number, number>

/** Checks each day separately. */
const isDue = ({ CycleType, CycleValue, WeekDays, MonthDays, StartDate }: Cycle, day: Date) => {
  const start = at(StartDate)
  const days = Math.round((day.getTime() - start.getTime()) / dayMs)
  if (CycleType === 1) return days % CycleValue === 0
  if (CycleType === 2) {
    const sunday = (d: Date) => d.getTime() - d.getUTCDay() * dayMs
    const weeks = Math.round((sunday(day) - sunday(start)) / dayMs / 7)
    return weeks % CycleValue === 0 && (WeekDays.length ? WeekDays : [start.getUTCDay() + 1]).includes(day.getUTCDay() + 1)
  }
  const passed = (day.getUTCFullYear() - start.getUTCFullYear()) * 12 + day.getUTCMonth() - start.getUTCMonth()
  const wanted = MonthDays.length ? MonthDays : [start.getUTCDate()]
  return passed % (months[CycleType]! * CycleValue) === 0 && wanted.some((one) => Math.min(one, lengthOf(day)) === day.getUTCDate())
}

it('a plan is due on the days that a slow look at each day of 30 years finds', () => {
  const some = fc.record({
    CycleType: fc.integer({ min: 1, max: 6 }),
    CycleValue: fc.integer({ min: 1, max: 40 }),
    WeekDays: fc.uniqueArray(fc.integer({ min: 1, max: 7 })),
    MonthDays: fc.uniqueArray(fc.integer({ min: 1, max: 31 }), { maxLength: 5 }),
    start: fc.integer({ min: 0, max: 3000 }),
  })
  fc.assert(
    fc.property(some, ({ start, ...of }) => {
      const StartDate = new Date(at('2020-01-01').getTime() + start * dayMs).toISOString().slice(0, 10)
      const EndDate = new Date(at(StartDate).getTime() + 30 * 365 * dayMs).toISOString().slice(0, 10)
      const c = cycle({ ...of, StartDate, EndDate })
      const slow: string[] = []
      for (let t = at(StartDate).getTime(); t <= at(EndDate).getTime(); t += dayMs)
        if (isDue(c, new Date(t))) slow.push(new Date(t).toISOString().slice(0, 10))
      expect(datesAfter(c, null, 20_000)).toEqual(slow)
      const half = slow[Math.floor(slow.length / 2)]
      if (half) expect(datesAfter(c, half, 3)).toEqual(slow.slice(Math.floor(slow.length / 2) + 1).slice(0, 3))
    }),
    { numRuns: 40 },
  )
})

it('the 31st is the last day of a shorter month, and 29 February comes back on 28', () => {
  expect(datesAfter(cycle({}), null, 4)).toEqual(['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30'])
  expect(datesAfter(cycle({ CycleType: 6, StartDate: '2024-02-29' }), null, 3)).toEqual(['2024-02-29', '2025-02-28', '2026-02-28'])
  expect(datesAfter(cycle({ MonthDays: [30, 31], StartDate: '2026-02-01' }), null, 2)).toEqual(['2026-02-28', '2026-03-30'])
})

it('free days are skipped, and a plan that goes on from its last order counts from that day', () => {
  expect(datesAfter(cycle({ CycleType: 1 }), null, 2, (date) => date === '2026-01-31')).toEqual(['2026-02-01', '2026-02-02'])
  expect(goingOnFrom(cycle({}), '2026-01-30')).toBe('2026-02-28')
  expect(goingOnFrom(cycle({ CycleType: 2, CycleValue: 2 }), '2026-01-30')).toBe('2026-02-13')
  expect(goingOnFrom(cycle({ EndDate: '2026-02-10' }), '2026-01-30')).toBeUndefined()
})

it('a plan of long ago is looked at from the day that is asked for, and nothing is due after 2200', () => {
  const old = { StartDate: '0001-01-01', EndDate: '9999-12-31' }
  expect(datesAfter(cycle({ CycleType: 1, ...old }), '9998-12-31', 400)).toEqual([])
  expect(datesAfter(cycle({ CycleType: 6, CycleValue: 7, ...old }), '2026-01-01', 1)).toEqual(['2031-01-01'])
  expect(datesAfter(cycle({ CycleType: 2, CycleValue: 3, WeekDays: [1], ...old }), '2025-12-31', 2)).toEqual(['2026-01-04', '2026-01-25'])
})

it('a forecast has one date a day, however small the step, and ends with 2200', () => {
  const [from, to] = [dayNumber('2026-03-01'), dayNumber('2027-03-01')]
  const plan = { HourNext: '2026-03-12 16:00:00', HourPerDay: 1e4, CycleType: byCounter } as const
  for (const HourStep of [0.001, 1e-9]) {
    const days = forecastDays({ ...plan, HourStep }, from, to)
    expect([days.length, days[0], days.at(-1)]).toEqual([355, '2026-03-12', '2027-03-01'])
  }
  expect(forecastDays({ ...plan, HourStep: 25_000 }, from + 30, from + 34)).toEqual(['2026-04-01', '2026-04-03'])
  expect(forecastDays({ ...plan, HourStep: 1, CycleType: 1 }, from, to)).toEqual(['2026-03-12'])
  expect(forecastDays({ ...plan, HourStep: 1 }, dayNumber('9999-01-01'), dayNumber('9999-12-31'))).toEqual([])
})
