import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { day, hour, minute } from '../store/store.ts'
import { type ShiftPlan, shiftPeriods, shiftsIn } from './shifts.ts'

const everyDay = new Set([0, 1, 2, 3, 4, 5, 6])
const three = (weekdays: ReadonlySet<number> = everyDay) => [
  { name: 'Early', start: 6 * 60, end: 14 * 60, weekdays },
  { name: 'Late', start: 14 * 60, end: 22 * 60, weekdays },
  { name: 'Night', start: 22 * 60, end: 30 * 60, weekdays },
]
const plan = (more: Partial<ShiftPlan> = {}): ShiftPlan => ({ from: 0, times: three(), holidays: new Set(), makeUps: new Map(), ...more })
const at = (text: string) => Date.parse(`${text}Z`)
const dayOf = (text: string) => at(`${text}T00:00`) / day
const hours = (shifts: readonly { start: number; end: number; name: string }[]) => shifts.map((s) => [s.name, (s.end - s.start) / hour])

describe('shifts around a change of the clock', () => {
  test('the night of spring has 7 hours and that of autumn 9, and no minute is counted twice or lost', () => {
    const spring = shiftsIn([plan()], at('2026-03-28T05:00'), at('2026-03-30T04:00'), 'Europe/Madrid')
    expect(hours(spring)).toEqual([
      ['Early', 8],
      ['Late', 8],
      ['Night', 7],
      ['Early', 8],
      ['Late', 8],
      ['Night', 8],
    ])
    const autumn = shiftsIn([plan()], at('2026-10-24T20:00'), at('2026-10-25T05:00'), 'Europe/Madrid')
    expect(hours(autumn)).toEqual([['Night', 9]])
    expect(autumn[0]!.day).toBe(dayOf('2026-10-24'))
  })
  test('a shift within the hour that is skipped does not take place', () => {
    const times = [{ name: 'Check', start: 130, end: 160, weekdays: everyDay }]
    const found = shiftsIn([plan({ times })], at('2026-03-27T23:00'), at('2026-03-30T22:00'), 'Europe/Madrid')
    expect(found.map((s) => s.day)).toEqual(['2026-03-28', '2026-03-30'].map(dayOf))
  })
})

test('holidays have no shifts, make-up days those of another day, and history keeps its old plan', () => {
  const weekdays = new Set([0, 1, 2, 3, 4])
  const old = plan({ times: [{ name: 'Day', start: 480, end: 960, weekdays }] })
  const now = plan({
    from: dayOf('2026-05-04'),
    times: three(weekdays),
    holidays: new Set([dayOf('2026-05-06')]),
    makeUps: new Map([[dayOf('2026-05-09'), 2]]),
  })
  const found = shiftsIn([now, old], at('2026-05-01T00:00'), at('2026-05-10T00:00'), 'UTC')
  expect(found.map((s) => `${new Date(s.day * day).toISOString().slice(8, 10)} ${s.name}`)).toEqual([
    '01 Day',
    ...['04', '05', '07', '08', '09'].flatMap((of) => [`${of} Early`, `${of} Late`, `${of} Night`]),
  ])
})

/** The wall clock of an instant: number of the local date, and the minute of the day. */
const wallOf = (zone: string) => {
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hourCycle: 'h23', ...parts })
  return (time: number) => {
    const of = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, value]))
    return { date: Date.parse(`${of.year}-${of.month}-${of.day}T00:00Z`) / day, minute: Number(of.hour) * 60 + Number(of.minute) }
  }
}

// Both days of a change of the clock: by an hour at night, by half an hour, at midnight, and a zone of quarters that never changes.
describe.each(['Europe/Madrid', 'Australia/Lord_Howe', 'America/Sao_Paulo', 'Asia/Kathmandu'])('%s', (zone) => {
  const wall = wallOf(zone)
  const starts = ['2018-02-15', '2018-11-02', '2026-03-27', '2026-04-03', '2026-10-02', '2026-10-23'].map((text) => at(`${text}T00:00`))
  test('three shifts around the clock leave no time out, and each moment is in the one that the wall clock names', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...starts),
        fc.integer({ min: 0, max: 4 * 24 * 4 }),
        fc.integer({ min: 4, max: 12 }),
        fc.integer({ min: 13, max: 20 }),
        (begin, quarters, early, late) => {
          const start = begin + quarters * 15 * minute
          const end = start + 2 * day
          const times = [
            { name: 'Early', start: early * 60, end: late * 60, weekdays: everyDay },
            { name: 'Late', start: late * 60, end: 22 * 60, weekdays: everyDay },
            { name: 'Night', start: 22 * 60, end: (24 + early) * 60, weekdays: everyDay },
          ]
          const { edges, shifts } = shiftPeriods(shiftsIn([plan({ times })], start, end, zone), start, end)
          expect([edges[0], edges.at(-1)]).toEqual([start, end])
          expect(shifts).not.toContain(null)
          for (const [i, shift] of shifts.entries()) {
            expect(edges[i + 1]! - edges[i]!).toBeGreaterThan(0)
            for (let time = edges[i]!; time < edges[i + 1]!; time += 15 * minute) {
              const { date, minute: of } = wall(time)
              const name = of >= early * 60 && of < late * 60 ? 'Early' : of >= late * 60 && of < 22 * 60 ? 'Late' : 'Night'
              expect([shift!.name, shift!.day]).toEqual([name, of < early * 60 ? date - 1 : date])
            }
          }
        },
      ),
      { numRuns: 60 },
    )
  })
})

test('days before the first plan have no shifts', () => {
  const from = dayOf('2026-03-10')
  expect(shiftsIn([plan({ from })], at('2026-03-08T00:00'), at('2026-03-10T14:00'), 'UTC').map((s) => [s.name, s.day])).toEqual([
    ['Early', from],
  ])
})

test('time between shifts is a part of no shift', () => {
  const times = [{ name: 'Day', start: 480, end: 960, weekdays: everyDay }]
  const [start, end] = [at('2026-05-04T12:00'), at('2026-05-05T10:00')]
  const { edges, shifts } = shiftPeriods(shiftsIn([plan({ times })], start, end, 'UTC'), start, end)
  expect(edges.map((edge) => new Date(edge).toISOString().slice(8, 13))).toEqual(['04T12', '04T16', '05T08', '05T10'])
  expect(shifts.map((shift) => shift?.name)).toEqual(['Day', undefined, 'Day'])
})
