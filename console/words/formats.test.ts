import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ageText, isStale, none, numberText, shortText, timeText, wallToEpoch } from './formats.ts'

describe('numbers', () => {
  it('carry exactly the decimals of their point', () => {
    expect(numberText(3, 2, 'en')).toBe('3.00')
    expect(numberText(1234.567, 1, 'en')).toBe('1,234.6')
    expect(numberText(2.71999, 2, 'es')).toBe('2,72')
  })

  it('show the decimals a limit needs beyond those of its point', () => {
    expect(numberText(0.5, 0, 'en', 3)).toBe('0.5')
    expect(numberText(15, 2, 'en', 3)).toBe('15.00')
  })

  it('that are missing or not finite show a dash', () => {
    for (const value of [null, undefined, Number.NaN, Number.POSITIVE_INFINITY]) expect(numberText(value)).toBe(none)
  })

  it('are shortened by powers of a thousand', () => {
    expect(shortText(999, 'en')).toBe('999')
    expect(shortText(1_234_567, 'en')).toBe('1.2 M')
    expect(shortText(0, 'en')).toBe('0')
  })
})

describe('times', () => {
  it('are shown in the zone that is asked for', () => {
    expect(timeText(Date.UTC(2026, 0, 1, 0, 0, 0), 'Asia/Shanghai')).toBe('2026-01-01 08:00:00')
    expect(timeText(Date.UTC(2026, 6, 1, 0, 0, 0), 'America/New_York')).toBe('2026-06-30 20:00:00')
  })

  it('come back from their wall time in every zone', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: Date.UTC(2001, 0, 1) / 1000, max: Date.UTC(2060, 0, 1) / 1000 }),
        fc.constantFrom('Asia/Kathmandu', 'Europe/Madrid', 'America/St_Johns', 'Asia/Tokyo', 'UTC'),
        (second, zone) => timeText(wallToEpoch(timeText(second * 1000, zone), zone), zone) === timeText(second * 1000, zone),
      ),
      { numRuns: 200 },
    )
  })

  it('that are not times are not a number', () => {
    expect(wallToEpoch('yesterday', 'UTC')).toBeNaN()
  })
})

describe('ages', () => {
  it('use the largest unit that fits', () => {
    expect(ageText(400, 'en')).toBe('0s')
    expect(ageText(12_900, 'en')).toBe('12s')
    expect(ageText(3 * 60_000, 'en')).toBe('3m')
    expect(ageText(49 * 3_600_000, 'en')).toBe('2d')
  })

  it('of a clock that runs behind are zero', () => {
    expect(ageText(-5000, 'en')).toBe('0s')
  })
})

describe('staleness', () => {
  it('begins after two expected readings and a second', () => {
    expect(isStale(0, 1000, 3000)).toBe(false)
    expect(isStale(0, 1000, 3001)).toBe(true)
  })
})
