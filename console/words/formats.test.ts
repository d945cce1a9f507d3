import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isStale } from '../../contract/telemetry.ts'
import {
  ageText,
  agoText,
  dayText,
  epochOf,
  isOvernight,
  none,
  numberText,
  setUserZone,
  shareText,
  shortText,
  shortTimeText,
  timeHint,
  timeText,
  wallToEpoch,
  zoneOffset,
  zoneText,
} from './formats.ts'

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

  it('[number-units] are shortened with k, M, G, T, P and E', () => {
    expect(['', 'k', 'M', 'G', 'T', 'P', 'E'].map((unit, at) => [unit, shortText(2.5 * 1000 ** at, 'en')])).toEqual([
      ['', '3'],
      ...['k', 'M', 'G', 'T', 'P', 'E'].map((unit) => [unit, `2.5 ${unit}`]),
    ])
    expect(shortText(999, 'en')).toBe('999')
    expect(shortText(1000, 'en')).toBe('1 k')
    expect(shortText(1_234_567, 'en')).toBe('1.2 M')
    expect(shortText(-1500, 'en')).toBe('-1.5 k')
    expect(shortText(0, 'en')).toBe('0')
    expect(shortText(Number.NaN, 'en')).toBe(none)
  })

  it('[number-units] never show a thousand of a unit that has a next one, and never are off by more than half a tenth', () => {
    expect(shortText(999_949, 'en')).toBe('999.9 k')
    expect(shortText(999_950, 'en')).toBe('1 M')
    const factors: Record<string, number> = { '': 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, E: 1e18 }
    fc.assert(
      fc.property(fc.double({ min: 0, max: 9e20, noNaN: true }), (value) => {
        const [figures = '', unit = ''] = shortText(value, 'en').split(' ')
        const shown = Number(figures.replaceAll(',', ''))
        expect(unit === 'E' || shown < 1000).toBe(true)
        expect(Math.abs(shown * factors[unit]! - value)).toBeLessThanOrEqual(factors[unit]! * (unit ? 0.0501 : 0.5))
      }),
    )
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

describe('moments', () => {
  it('[timestamps-epoch] of 10 digits are seconds, of 13 digits milliseconds since 1970, as text or number', () => {
    const moment = Date.UTC(2026, 10, 21, 7, 0, 1)
    for (const given of [moment, moment / 1000, String(moment), String(moment / 1000), ` ${moment} `]) expect(epochOf(given)).toBe(moment)
    expect(epochOf('2026-11-21 08:00:01', 'Europe/Madrid')).toBe(moment)
    for (const other of ['12345678901', '123456789', '-1234567890', 'soon', '']) expect(epochOf(other)).toBeNaN()
    fc.assert(
      fc.property(
        fc.integer({ min: 1e12, max: 9_999_999_999_999 }),
        (ms) => epochOf(ms) === ms && epochOf(Math.floor(ms / 1000)) === Math.floor(ms / 1000) * 1000,
      ),
    )
  })

  it('[timezone-offset] are offset by the TimeZoneVal of the person, else by the browser', () => {
    expect(zoneOffset({ TimeZoneVal: 345 })).toBe(345)
    expect(zoneOffset({ TimeZoneVal: 0 })).toBe(0)
    const browser = -new Date().getTimezoneOffset()
    for (const user of [undefined, {}, { TimeZoneVal: null }]) expect(zoneOffset(user)).toBe(browser)
  })

  it('[time-hint] a start that is not earlier than the end means today to the next day', () => {
    const said = (key: string, values?: object) => `${key} ${JSON.stringify(values)}`
    const hint = 'time.overnight {"start":"22:00","end":"06:00"}'
    expect(timeHint('22:00', '06:00', said)).toBe(hint)
    expect(timeHint('08:00', '10:00', said)).toBeUndefined()
    expect(timeHint(null, '10:00', said)).toBeUndefined()
    expect(isOvernight('08:00', '08:00')).toBe(true)
    expect(isOvernight('08:00', '08:00:01')).toBe(false)
    expect(isOvernight('08:00:01', '08:00')).toBe(true)
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

describe('moments of lists', () => {
  it('are ages in each language, and never in the future', () => {
    expect(['en', 'zh', 'es', 'ja'].map((l) => agoText(2000, l))).toEqual(['2s ago', '2秒前', 'hace 2 s', '2秒前'])
    expect([0, -5000, 999, 59_999, 3_600_000, 25 * 3_600_000].map((ms) => agoText(ms, 'en'))).toEqual([
      'now',
      'now',
      'now',
      '59s ago',
      '1h ago',
      '1d ago',
    ])
  })

  it('are the clock on this day of the reader, else date and minutes', () => {
    setUserZone('Asia/Tokyo')
    const today = dayText(Date.UTC(2026, 10, 22, 23))
    setUserZone('UTC')
    expect([today, dayText(Date.UTC(2026, 10, 22, 23))]).toEqual(['2026-11-23', '2026-11-22'])
    expect(shortTimeText('2026-11-23 12:01:36', today)).toBe('12:01:36')
    expect(shortTimeText('2026-11-22 12:01:36', today)).toBe('2026-11-22 12:01')
  })

  it('name a zone that is not the reader’s own', () => {
    expect([zoneText('UTC', 'Europe/Madrid'), zoneText('UTC', 'UTC'), zoneText(undefined)]).toEqual([' (UTC)', '', ''])
  })
})

describe('staleness', () => {
  it('begins after two expected readings and a second', () => {
    expect(isStale(0, 1000, 3000)).toBe(false)
    expect(isStale(0, 1000, 3001)).toBe(true)
  })
})

it.each([
  [1, '100.0 %'],
  [0.9997, '99.9 %'],
  [0.99949, '99.9 %'],
  [0.5, '50.0 %'],
  [0, '0.0 %'],
  [1.25, '125.0 %'],
  [null, none],
])('a share of %s reads as %s: what is not whole never as 100 %%', (share, text) => {
  expect(shareText(share, 'en')).toBe(text)
})
