import { describe, expect, it } from 'vitest'
import { onDuty, quietHours } from './hours.ts'

const at = (text: string) => Date.parse(text)
const push = (Start: string, End: string, Mode: 1 | 2 = 2) => ({
  PushUsers: [],
  PushMethods: [],
  NoDisturb: { Enabled: 1 as const, Start, End, Mode },
})

describe('quiet hours', () => {
  // Berlin switches to summer time on 29 March 2026 at 01:00 UTC, and back on 25 October at 01:00 UTC.
  const cases: [what: string, zone: string, start: string, end: string, time: string, until: string | 'now'][] = [
    ['before', 'UTC', '08:00', '10:00', '2026-06-01T07:59:59Z', 'now'],
    ['the first moment', 'UTC', '08:00', '10:00', '2026-06-01T08:00:00Z', '2026-06-01T10:00:00Z'],
    ['the last moment', 'UTC', '08:00', '10:00', '2026-06-01T09:59:59Z', '2026-06-01T10:00:00Z'],
    ['the end itself', 'UTC', '08:00', '10:00', '2026-06-01T10:00:00Z', 'now'],
    ['by the clock of its zone', 'Asia/Shanghai', '08:00', '10:00', '2026-06-01T00:30:00Z', '2026-06-01T02:00:00Z'],
    ['a zone with half hours', 'Asia/Kolkata', '08:00', '10:00', '2026-06-01T02:30:00Z', '2026-06-01T04:30:00Z'],
    ['over midnight, before it', 'UTC', '22:00', '06:00', '2026-06-01T23:00:00Z', '2026-06-02T06:00:00Z'],
    ['over midnight, after it', 'UTC', '22:00', '06:00', '2026-06-02T05:59:59Z', '2026-06-02T06:00:00Z'],
    ['the short night', 'Europe/Berlin', '22:00', '06:00', '2026-03-28T22:00:00Z', '2026-03-29T04:00:00Z'],
    ['the long night', 'Europe/Berlin', '22:00', '06:00', '2026-10-24T22:00:00Z', '2026-10-25T05:00:00Z'],
    ['an end that is skipped', 'Europe/Berlin', '01:00', '02:30', '2026-03-29T00:30:00Z', '2026-03-29T01:00:00Z'],
    ['an end that comes twice lasts until the second', 'Europe/Berlin', '01:00', '02:30', '2026-10-25T00:45:00Z', '2026-10-25T01:30:00Z'],
    ['between the two', 'Europe/Berlin', '01:00', '02:30', '2026-10-25T01:15:00Z', '2026-10-25T01:30:00Z'],
    ['wholly in the gap: not that day', 'Europe/Berlin', '02:10', '02:50', '2026-03-29T01:00:00Z', 'now'],
  ]
  it.each(cases)('%s', (_, zone, start, end, time, until) => {
    expect(quietHours(push(start, end), zone, 2, at(time))).toBe(until === 'now' ? 'now' : at(until))
    expect(quietHours(push(start, end, 1), zone, 2, at(time))).toBe(until === 'now' ? 'now' : 'drop')
    expect(quietHours(push(start, end), zone, 3, at(time))).toBe('now')
  })
  it('switched off, or not given, nothing is quiet', () => {
    const off = push('08:00', '10:00')
    expect(quietHours({ ...off, NoDisturb: { ...off.NoDisturb, Enabled: 0 } }, 'UTC', 1, at('2026-06-01T09:00:00Z'))).toBe('now')
    expect(quietHours({ PushUsers: [], PushMethods: [] }, 'UTC', 1, at('2026-06-01T09:00:00Z'))).toBe('now')
  })
})

describe('who is on duty', () => {
  const roster = {
    TimeZone: 'Europe/Berlin',
    Shifts: [
      { Start: '06:00', End: '14:00', Weeks: [2, 3, 4, 5, 6], Users: [1] },
      { Start: '14:00', End: '22:00', Weeks: [2, 3, 4, 5, 6], Users: [2] },
      { Start: '22:00', End: '06:00', Weeks: [2, 3, 4, 5, 6], Users: [3, 4] },
      { Start: '08:00', End: '12:00', Users: [5, 1] },
    ],
  }
  it.each([
    ['Monday morning', '2026-06-01T04:00:00Z', [1]],
    ['Monday forenoon, with the early shift', '2026-06-01T06:00:00Z', [1, 5]],
    ['Monday at the change', '2026-06-01T12:00:00Z', [2]],
    ['Friday night', '2026-06-05T21:00:00Z', [3, 4]],
    ['Saturday, still the shift that began on Friday', '2026-06-06T03:59:59Z', [3, 4]],
    ['Saturday forenoon', '2026-06-06T07:00:00Z', [5, 1]],
    ['Sunday night: nobody', '2026-06-07T21:00:00Z', []],
    ['the long night of October', '2026-10-23T22:30:00Z', [3, 4]],
  ] as [string, string, number[]][])('%s', (_, time, people) => {
    expect(onDuty(roster, at(time)).toSorted()).toEqual(people.toSorted())
  })
})
