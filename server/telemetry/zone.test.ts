import { describe, expect, test } from 'vitest'
import { hour } from './store/store.ts'
import { ceilTo, floorTo, keyOf, offsets } from './zone.ts'

const utc = (text: string) => Date.parse(`${text}Z`)
/** Starts of the units from one instant to another. */
const starts = (unit: 'hour' | 'day', zone: string, from: number, to: number) => {
  const spans = offsets(zone, from, to)
  const found = []
  for (let at = ceilTo(unit, spans, from); at < to; at = ceilTo(unit, spans, at + 1)) found.push(at)
  return found
}
const lengths = (times: number[]) => times.slice(1).map((t, i) => (t - times[i]!) / hour)

describe('units of a zone', () => {
  test('days of New York are 23 hours in March and 25 in November', () => {
    expect(lengths(starts('day', 'America/New_York', utc('2026-03-07T05:00'), utc('2026-03-11T00:00')))).toEqual([24, 23, 24])
    expect(lengths(starts('day', 'America/New_York', utc('2026-10-31T04:00'), utc('2026-11-04T00:00')))).toEqual([24, 25, 24])
  })
  test('days begin at local midnight in zones of half and quarter hours', () => {
    expect(starts('day', 'Asia/Kathmandu', utc('2026-01-01T00:00'), utc('2026-01-02T00:00'))).toEqual([utc('2026-01-01T18:15')])
    expect(starts('day', 'Asia/Kolkata', utc('2026-01-01T00:00'), utc('2026-01-02T00:00'))).toEqual([utc('2026-01-01T18:30')])
    expect(starts('day', 'Asia/Shanghai', utc('2026-01-01T00:00'), utc('2026-01-02T00:00'))).toEqual([utc('2026-01-01T16:00')])
  })
  test('a day without midnight begins when the clock is set', () => {
    // Cairo sets its clocks from 00:00 to 01:00 on 24 April 2026.
    const days = starts('day', 'Africa/Cairo', utc('2026-04-22T22:00'), utc('2026-04-26T00:00'))
    expect(days).toEqual([utc('2026-04-22T22:00'), utc('2026-04-23T22:00'), utc('2026-04-24T21:00'), utc('2026-04-25T21:00')])
  })
  test('a day whose last hour runs twice stays one day', () => {
    // Cairo sets them back from 24:00 to 23:00 at the end of 29 October 2026.
    expect(lengths(starts('day', 'Africa/Cairo', utc('2026-10-28T21:00'), utc('2026-11-01T00:00')))).toEqual([25, 24, 24])
  })
  test('the repeated hour of autumn counts twice, the skipped one of spring not at all', () => {
    const autumn = starts('hour', 'America/New_York', utc('2026-11-01T04:00'), utc('2026-11-01T09:00'))
    expect(lengths(autumn)).toEqual([1, 1, 1, 1])
    expect(new Set(autumn.map((t) => keyOf('hour', offsets('America/New_York', t, t), t))).size).toBe(5)
  })
  test('a change by half an hour leaves short hours, never a gap', () => {
    const from = utc('2026-04-04T12:00')
    const to = utc('2026-04-04T19:00')
    const hours = starts('hour', 'Australia/Lord_Howe', from, to)
    expect(lengths(hours)).toEqual([1, 1, 1, 0.5, 1, 1, 1])
    const spans = offsets('Australia/Lord_Howe', from, to)
    for (const [i, at] of hours.entries()) {
      expect(floorTo('hour', spans, at)).toBe(at)
      if (hours[i + 1]) expect(floorTo('hour', spans, hours[i + 1]! - 1)).toBe(at)
    }
  })
})
