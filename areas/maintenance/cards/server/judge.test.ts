import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ShiftPlan, shiftsIn } from '../../../../server/telemetry/meaning/shifts.ts'
import { type Duty, judgeDuty, metresBetween, type Reading, withWindows } from './judge.ts'

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
const at = (text: string) => Date.parse(`${text}:00Z`)
const read = (time: number, more: Partial<Reading> = {}): Reading => ({ at: time, RfidId: 1, Longitude: null, Latitude: null, ...more })
const early = { start: at('2026-03-02T06:00'), end: at('2026-03-02T14:00') }
const duty = (more: Partial<Duty> = {}): Duty => ({
  ...withWindows([{ UserId: 1, Day: '2026-03-02', ShiftName: 'Early', ...early, grace: 5 * minute, place: null, isWatched: true }])[0]!,
  ...more,
})
const judged = (times: readonly string[], now: string, more: Partial<Duty> = {}) =>
  judgeDuty(
    duty(more),
    times.map((time) => read(at(`2026-03-02T${time}`))),
    at(now),
  ).map(({ PunchType, Status }) => `${PunchType}:${Status}`)

describe('a person in a shift from 06:00 to 14:00 with five minutes of grace', () => {
  const after = '2026-03-03T00:00'
  const cases: [name: string, times: string[], now: string, punches: string[]][] = [
    ['is normal when both readings are within the grace', ['06:05', '13:55'], after, ['1:0', '2:0']],
    ['is late after the grace', ['06:06', '14:10'], after, ['1:1', '2:0']],
    ['leaves early before the grace', ['05:50', '13:54'], after, ['1:0', '2:2']],
    ['is missing at both ends without a reading', [], after, ['1:4', '2:4']],
    ['is not missing while the grace runs', [], '2026-03-02T06:05', []],
    ['is missing as soon as the grace is over', [], '2026-03-02T06:06', ['1:4']],
    ['has not left at noon, whatever was read', ['06:00', '12:00'], '2026-03-02T12:30', ['1:0']],
    ['has left early at noon once the shift is over', ['06:00', '12:00'], after, ['1:0', '2:2']],
    ['with one reading in the morning has not punched out', ['06:00'], after, ['1:0', '2:4']],
    ['with one reading in the afternoon has not punched in', ['14:02'], after, ['1:4', '2:0']],
  ]
  it.each(cases)('%s', (_, times, now, punches) => {
    expect(judged(times, now)).toEqual(punches)
  })

  it('assigned after the shift began is not missing in it', () => {
    expect(judged([], after, { isWatched: false })).toEqual([])
  })

  it('is outside of the area beyond the radius, and not judged where a position is unknown', () => {
    const place = { Longitude: 2, Latitude: 41, RadiusM: 200 }
    const status = (Latitude: number | null) =>
      judgeDuty(duty({ place }), [read(early.start, { Longitude: 2, Latitude })], early.start + hour).map(({ Status, metres }) => [
        Status,
        metres,
      ])
    expect(status(41.001)).toEqual([[0, 111]])
    expect(status(41.002)).toEqual([[3, 222]])
    expect(status(null)).toEqual([[0, null]])
    expect(metresBetween(place, { Longitude: 2, Latitude: 41 })).toBe(0)
  })
})

describe('windows of shifts', () => {
  const plan: ShiftPlan[] = [
    {
      ...{ from: 0, holidays: new Set<number>(), makeUps: new Map() },
      times: [{ name: 'Night', start: 22 * 60, end: 30 * 60, weekdays: new Set([0, 1, 2, 3, 4, 5, 6]) }],
    },
  ]
  const nights = (start: number, end: number) =>
    withWindows(
      shiftsIn(plan, start, end, 'Europe/Madrid').map((shift) => ({
        ...{ UserId: 1, ShiftName: shift.name, Day: String(shift.day), start: shift.start, end: shift.end },
        ...{ grace: 5 * minute, place: null, isWatched: true },
      })),
    )

  it.each([
    ['spring', '2026-03-28', 7],
    ['autumn', '2026-10-24', 9],
  ])('a night shift over the change of the clock in %s ends when the wall clock says so', (_, text, hours) => {
    const midnight = at(`${text}T00:00`)
    const [night] = nights(midnight, midnight + 2 * day).filter(({ Day }) => Number(Day) === midnight / day)
    expect((night!.end - night!.start) / hour).toBe(hours)
    const leaves = (after: number) => judgeDuty(night!, [read(night!.start), read(night!.end + after)], night!.to)
    expect(leaves(0).map(({ Status }) => Status)).toEqual([0, 0])
    expect(leaves(-hour).map(({ Status }) => Status)).toEqual([0, 2])
  })

  it('never overlap for a person, hold the shift, and every reading belongs to one at most', () => {
    const shift = fc.record({ gap: fc.integer({ min: 0, max: 1200 }), length: fc.integer({ min: 1, max: 900 }) })
    fc.assert(
      fc.property(fc.array(shift, { minLength: 1, maxLength: 12 }), (shifts) => {
        let end = 0
        const duties = withWindows(
          shifts.map(({ gap, length }, i) => {
            const start = end + gap * minute
            end = start + length * minute
            return { UserId: 1, Day: String(i), ShiftName: 'S', start, end, grace: 0, place: null, isWatched: true }
          }),
        )
        for (const [i, one] of duties.entries()) {
          expect(one.from <= one.start && one.end <= one.to).toBe(true)
          if (i) expect(duties[i - 1]!.to).toBeLessThanOrEqual(one.from)
        }
      }),
    )
  })

  it('of one day make one duty, also where a shift of the next day begins in between', () => {
    const of = { UserId: 1, ShiftName: 'S', grace: 0, place: null, isWatched: true }
    const shift = (Day: string, start: number) => ({ ...of, Day, start: start * hour, end: (start + 1) * hour })
    expect(withWindows([shift('1', 22), shift('2', 29), shift('1', 30)]).map(({ Day }) => Day)).toEqual(['1', '2'])
  })

  it('of two shifts on a day make one duty', () => {
    const of = { UserId: 1, Day: '1', grace: 0, place: null, isWatched: true }
    expect(
      withWindows([
        { ...of, ShiftName: 'B', start: 10 * hour, end: 12 * hour },
        { ...of, ShiftName: 'A', start: 5 * hour, end: 9 * hour },
      ]),
    ).toMatchObject([{ ShiftName: 'A, B', start: 5 * hour, end: 12 * hour }])
  })
})
