import { expect, test } from 'vitest'
import type { ParaInfo, Series } from '../../../../../contract/telemetry.ts'
import type { IoRun } from '../../../telemetry/contract.ts'
import { outlookOf, sinceCharge, slopeOf } from './battery.ts'
import { dewPoint, dewPoints, pairsOf } from './climate.ts'
import { byHour, doorSummary, openingsOf, outsideHours } from './doors.ts'

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
const zone = 'Europe/Madrid'
const hours = { from: '07:00', to: '19:00', weekend: false }
/** Friday, 27 March 2026, in the company's zone; on the Sunday its clocks go forward. */
const friday = Date.parse('2026-03-27T00:00:00+01:00')

test('time outside of the usual hours is what a minute-by-minute count says, over a change of the clocks too', () => {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  const inside = (at: number, { from, to, weekend }: typeof hours) => {
    const part = Object.fromEntries(parts.formatToParts(at).map((p) => [p.type, p.value]))
    const clock = `${part.hour}:${part.minute}`
    return clock >= from && clock < to && (weekend || !['Sat', 'Sun'].includes(part.weekday!))
  }
  for (const [start, length] of [
    [friday + 6 * hour, 2 * hour],
    [friday + 18 * hour, 60 * hour],
    [friday + 20 * hour, 5 * minute],
    [friday - 3 * day, 9 * day],
  ] as const)
    for (const weekend of [false, true]) {
      const end = start + length
      let outside = 0
      for (let at = start; at < end; at += minute) if (!inside(at, { ...hours, weekend })) outside += minute
      expect(outsideHours({ start, end }, { ...hours, weekend }, zone)).toBe(outside)
    }
})

test('openings begin where one saw them begin; what is open at the start or after a gap counts as time alone', () => {
  const at = (h: number) => friday + h * hour
  const run = (from: number, to: number, Value: number | null): IoRun => ({ ParaId: 1, Start: at(from), End: at(to), Value })
  const runs = [
    run(0, 1, 1),
    run(1, 8, 0),
    run(8, 8.5, 1),
    run(8.5, 8.6, 2),
    run(8.6, 20, 0),
    run(20, 22, 1),
    run(22, 23, null),
    run(23, 24, 1),
  ]
  const openings = openingsOf(runs, hours, zone)
  const { count, longest, outCount, outMs, last } = doorSummary(openings)
  expect([openings.length, count, outCount]).toEqual([4, 2, 3])
  expect([longest!.start, last!.start, outMs]).toEqual([at(20), at(23), 4 * hour])
  expect(byHour(openings, zone).flatMap((n, h) => (n ? [[h, n]] : []))).toEqual([
    [8, 1],
    [20, 1],
  ])
})

test('the dew point is that of tables, and of the buckets that have both', () => {
  expect(dewPoint(20, 50)).toBeCloseTo(9.26, 1)
  expect(dewPoint(30, 100)).toBeCloseTo(30, 9)
  expect(dewPoint(20, 0)).toBeNull()
  const series = (Time: number[], Mean: (number | null)[]) => ({ Time, Mean }) as unknown as Series
  expect(dewPoints(series([0, 1, 2], [20, 20, null]), series([1, 2, 3], [50, 50, 50])).Time).toEqual([1])
  const point = (ParaId: number, DeviceId: number, ParaUnitName: string) => ({ ParaId, DeviceId, ParaUnitName }) as ParaInfo
  const pairs = pairsOf([point(1, 1, '°C'), point(2, 2, '°C'), point(3, 1, '%RH'), point(4, 1, '°C')])
  expect(pairs.map(({ temperature, humidity }) => [temperature.ParaId, humidity.ParaId])).toEqual([[1, 3]])
})

test('a battery lasts as long as its slope since it was charged says, with the spread of that slope', () => {
  const levels = Array.from({ length: 60 }, (_, i) => ({ time: i * day, value: i < 20 ? 90 - i : 100 - (i - 20) + (i % 2 ? 0.3 : -0.3) }))
  const since = sinceCharge(levels)
  expect(since.charged).toBe(20 * day)
  const line = slopeOf(since.levels)!
  expect(line.slope).toBeCloseTo(-1, 1)
  const outlook = outlookOf(60, 20, line)
  expect(outlook.is).toBe('falling')
  if (outlook.is !== 'falling') return
  expect(outlook.days).toBeCloseTo(40 / -line.slope, 9)
  expect(outlook.earliest).toBeLessThan(outlook.days)
  expect(outlook.latest).toBeGreaterThan(outlook.days)
  // Trembling around one level is no trend, and two readings are none.
  const flat = slopeOf(levels.map(({ time }, i) => ({ time, value: 50 + (i % 3) })))
  expect(outlookOf(50, 20, flat).is).toBe('steady')
  expect(outlookOf(50, 20, slopeOf(levels.slice(0, 2))).is).toBe('unknown')
  expect(outlookOf(19, 20, line).is).toBe('empty')
})
