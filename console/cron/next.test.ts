// croner parses our rewritten expressions. A separate enumeration, straight from the rules of Quartz, checks the result.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cronDefault, cronFault, cronParts, cronPresets, forCroner } from '../../contract/cron.ts'
import { passes, violation } from '../../contract/validators.ts'
import { nextFires } from './next.ts'

const from = Date.UTC(2026, 10, 21, 7, 0, 0)
const day = 86_400_000
const word = (text: string) =>
  'SUN MON TUE WED THU FRI SAT'.split(' ').indexOf(text) + 1 ||
  'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ').indexOf(text) + 1 ||
  Number(text)

/** Values a part without letters of its own names, one by one. */
const listed = (text: string, [min, max]: readonly [number, number]) => {
  const values = new Set<number>()
  for (const item of text.split(',')) {
    const [range = '', step = '1'] = item.split('/')
    const [a = '', b] = range.split('-')
    const first = a === '*' ? min : word(a)
    const last = b !== undefined ? word(b) : a === '*' || item.includes('/') ? max : first
    const end = last < first ? last + (max - min + 1) : last
    for (let v = first; v <= end; v += Number(step)) values.add(v > max ? v - (max - min + 1) : v)
  }
  return values
}

const isDay = (date: Date, dayText: string, weekdayText: string) => {
  const weekday = date.getUTCDay() + 1
  const of = date.getUTCDate()
  const days = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  const weekdayAt = (n: number) => new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), n)).getUTCDay()
  const isWork = (n: number) => n >= 1 && n <= days && weekdayAt(n) > 0 && weekdayAt(n) < 6
  if (dayText === 'L') return of === days
  if (dayText === 'LW') return of === [0, 1, 2].map((n) => days - n).find(isWork)
  if (dayText.endsWith('W')) {
    const n = Number.parseInt(dayText, 10)
    return n <= days && of === [0, -1, 1, 2, -2].map((d) => n + d).find(isWork)
  }
  if (dayText !== '?' && dayText !== '*') return listed(dayText, cronParts.day).has(of)
  if (weekdayText === '?' || weekdayText === '*') return true
  if (weekdayText === 'L') return weekday === 7
  if (weekdayText.endsWith('L')) return weekday === word(weekdayText.slice(0, -1)) && of > days - 7
  const [name = '', nth] = weekdayText.split('#')
  if (nth) return weekday === word(name) && Math.ceil(of / 7) === Number(nth)
  return listed(weekdayText, cronParts.weekday).has(weekday)
}

const enumerated = (expression: string, count: number) => {
  const [second = '', minute = '', hour = '', dayText = '', month = '', weekdayText = '', year = '*'] = expression.split(' ')
  const times = [...listed(hour, cronParts.hour)].flatMap((h) =>
    [...listed(minute, cronParts.minute)].flatMap((m) => [...listed(second, cronParts.second)].map((s) => (h * 3600 + m * 60 + s) * 1000)),
  )
  times.sort((a, b) => a - b)
  const found: number[] = []
  for (let midnight = Math.floor(from / day) * day; found.length < count && midnight < Date.UTC(2100, 0, 1); midnight += day) {
    const date = new Date(midnight)
    if (!listed(year, cronParts.year).has(date.getUTCFullYear()) || !listed(month, cronParts.month).has(date.getUTCMonth() + 1)) continue
    if (isDay(date, dayText, weekdayText)) found.push(...times.map((t) => midnight + t).filter((t) => t > from))
  }
  return found.slice(0, count)
}

const sixty = [
  ...Object.values(cronPresets),
  ...['0/7 * * * * ?', '5/20 * * * * ?', '*/15 * * * * ?', '0 15/10 * * * ?', '0 7 3/5 * * ?', '59 59 23 * * ?', '0,30 0,30 0 * * ?'],
  ...['0 0 22-2 * * ?', '0 50-10/5 * * * ?', '0 0 22-4/3 * * ?', '10-20/3 0 12 * * ?', '0 0 8-18 ? * MON-FRI', '0 0 9 ? * FRI-MON'],
  ...['0 0 12 1/5 * ?', '0 0 12 */10 * ?', '0 0 12 31 * ?', '0 0 12 29 2 ?', '0 0 12 30 2 ?', '0 0 12 1,15 * ?', '0 0 12 28-3 * ?'],
  ...['0 0 12 LW * ?', '0 0 12 15W * ?', '0 0 12 1W * ?', '0 0 12 31W * ?', '0 30 10 L 2 ?', '0 0 12 L JAN-MAR ?'],
  ...[
    '0 0 12 ? * 1',
    '0 0 12 ? * 7',
    '0 0 12 ? * L',
    '0 0 12 ? * 6L',
    '0 0 12 ? * FRI#3',
    '0 0 12 ? * 2#1',
    '0 0 12 ? * 1#5',
    '0 0 12 ? * 7L',
  ],
  ...['0 0 12 ? * SUN,SAT', '0 0 12 ? * 2/2', '0 0 12 ? * */3', '0 0 12 * * 2', '0 0 0 ? NOV-FEB 2', '0 0 0 1 1/3 ?', '0 0 0 1 */5 ?'],
  ...[
    '0 0 0 1 1 ? 2030',
    '0 0 0 1 1 ? 2027-2099/7',
    '0 0 0 1 1 ? 2020/4',
    '0 0 0 ? 12 6#2 2026,2028',
    '0 0 0 29 2 ? */2',
    '0 0 0 1 1 ? 2025',
  ],
]

describe('next fire times', () => {
  it('are sixty times those of an enumeration of our own', () => {
    expect(new Set(sixty).size).toBeGreaterThanOrEqual(60)
    for (const expression of sixty)
      expect([expression, nextFires(expression, 'UTC', from, 10)]).toEqual([expression, enumerated(expression, 10)])
  })

  it('are those of an enumeration for whatever the rules can make', () => {
    const value = (part: keyof typeof cronParts) => fc.integer({ min: cronParts[part][0], max: cronParts[part][1] })
    const item = (part: keyof typeof cronParts) =>
      fc.oneof(
        value(part).map(String),
        fc.tuple(value(part), value(part)).map(([a, b]) => `${a}-${b}`),
        fc.tuple(value(part), fc.integer({ min: 1, max: 7 })).map(([a, n]) => `${a}/${n}`),
        fc.tuple(value(part), value(part), fc.integer({ min: 1, max: 7 })).map(([a, b, n]) => `${a}-${b}/${n}`),
      )
    const part = (name: keyof typeof cronParts) =>
      fc.oneof(fc.constant('*'), fc.array(item(name), { minLength: 1, maxLength: 3 }).map(String))
    const days = fc.oneof(
      part('day').map((d) => [d, '?']),
      part('weekday').map((w) => ['?', w]),
    )
    fc.assert(
      fc.property(value('second'), part('minute'), part('hour'), days, part('month'), (s, m, h, [d, w], mo) => {
        const expression = `${s} ${m} ${h} ${d} ${mo} ${w}`
        expect(cronFault(expression)).toBeUndefined()
        expect(nextFires(expression, 'UTC', from, 8)).toEqual(enumerated(expression, 8))
      }),
      { numRuns: 60 },
    )
  })

  it('follow the clock of the zone: one every day through both changes of it, and what the clock leaps over fires when it goes on', () => {
    const daily = nextFires('0 30 8 * * ?', 'Europe/Madrid', Date.UTC(2026, 9, 23, 12), 4)
    expect(daily.map((t) => new Date(t).toISOString().slice(8, 16))).toEqual(['24T06:30', '25T07:30', '26T07:30', '27T07:30'])
    const spring = nextFires('0 30 2 * * ?', 'Europe/Madrid', Date.UTC(2026, 2, 28, 12), 2)
    expect(spring.map((t) => new Date(t).toISOString().slice(8, 16))).toEqual(['29T01:00', '30T00:30'])
    const autumn = nextFires('0 30 2 * * ?', 'Europe/Madrid', Date.UTC(2026, 9, 24, 12), 2)
    expect(autumn.map((t) => new Date(t).toISOString().slice(8, 16))).toEqual(['25T00:30', '26T01:30'])
    expect(nextFires('0 0 0 * * ?', 'Asia/Kathmandu', from, 1)).toEqual([Date.UTC(2026, 10, 21, 18, 15)])
  })
})

describe('cron expressions', () => {
  it('[cron-parts] have 6 or 7 parts, otherwise the format is said to be incorrect', () => {
    for (const text of ['', '*', '* * * * *', '* * * * * ? * *', '0 0 12'])
      expect(cronFault(text)).toEqual({ key: 'validator.cron', values: {} })
    for (const text of ['* * * * * ?', '* * * * * ? *', '  0   0 12 * * ?  ', '0 0 12 ? * mon']) expect(cronFault(text)).toBeUndefined()
    expect(violation('cron', '* * * * *')).toEqual({ key: 'validator.cron', values: {} })
    expect(violation('cron', '60 * * * * ?')).toEqual({ key: 'cron.fault.second', values: {} })
    expect(passes('cron', cronDefault)).toBe(true)
  })

  it('[cron-default] fire every second by default', () => {
    expect(nextFires(cronDefault, 'UTC', from, 3)).toEqual([from + 1000, from + 2000, from + 3000])
  })

  it('[cron-presets] come in 17 ready-made forms, among them every second, every 30 minutes and weekdays at noon', () => {
    expect(Object.values(cronPresets).map(cronFault)).toEqual(Array(17).fill(undefined))
    expect(nextFires(cronPresets.every30Minutes, 'UTC', from, 2)).toEqual([from + 1_800_000, from + 3_600_000])
    const noons = nextFires(cronPresets.weekdaysAt12, 'UTC', from, 6).map((t) => new Date(t))
    expect(noons.map((d) => d.getUTCDay())).toEqual([1, 2, 3, 4, 5, 1])
    expect(noons.every((d) => d.getUTCHours() === 12)).toBe(true)
    expect(new Date(nextFires(cronPresets.lastOfMonth, 'UTC', from, 1)[0]!).toISOString()).toBe('2026-11-30T23:59:00.000Z')
  })

  it('[cron-years] run from 2020 to 2099', () => {
    for (const year of ['2020', '2099', '2020-2099', '2030/5', '*']) expect(cronFault(`0 0 0 1 1 ? ${year}`), year).toBeUndefined()
    for (const year of ['2019', '2100', '1970-2099', '2030-2100', '30', '?'])
      expect(cronFault(`0 0 0 1 1 ? ${year}`)?.key).toBe('cron.fault.year')
    expect(nextFires('0 0 0 1 1 ?', 'UTC', Date.UTC(2098, 5), 5)).toEqual([Date.UTC(2099, 0, 1)])
  })

  it('[cron-dow] count weekdays from 1 = Sunday to 7 = Saturday', () => {
    for (let n = 1; n <= 7; n++) expect(new Date(nextFires(`0 0 12 ? * ${n}`, 'UTC', from, 1)[0]!).getUTCDay()).toBe(n - 1)
    for (const text of ['0', '8', '1-8']) expect(cronFault(`0 0 12 ? * ${text}`)?.key).toBe('cron.fault.weekday')
  })

  it('that Quartz would not take are refused, with the part that is wrong', () => {
    const wrong = {
      second: [
        '60 * * * * ?',
        '0/60 * * * * ?',
        '0/0 * * * * ?',
        '-1 * * * * ?',
        '1- * * * * ?',
        '*,1 * * * * ?',
        '? * * * * ?',
        '*-5 * * * * ?',
      ],
      minute: ['0 60 * * * ?', '0 1.5 * * * ?', '0 a * * * ?'],
      hour: ['0 0 24 * * ?', '0 0 0/24 * * ?'],
      day: [
        '0 0 0 0 * ?',
        '0 0 0 32 * ?',
        '0 0 0 L-3 * ?',
        '0 0 0 1W,15W * ?',
        '0 0 0 0W * ?',
        '0 0 0 W * ?',
        '0 0 0 L,15 * ?',
        '0 0 0 SUN * ?',
      ],
      month: ['0 0 0 1 13 ?', '0 0 0 1 0 ?', '0 0 0 1 FOO ?', '0 0 0 1 JANUARY ?'],
      weekday: ['0 0 0 ? * 6#6', '0 0 0 ? * 6#0', '0 0 0 ? * 8L', '0 0 0 ? * MON#', '0 0 0 ? * JAN'],
      twoDays: ['0 0 0 1 * 2'],
      noDay: ['0 0 0 ? * ?'],
    }
    for (const [part, texts] of Object.entries(wrong))
      for (const text of texts) expect([text, cronFault(text)?.key]).toEqual([text, `cron.fault.${part}`])
  })

  it('are judged without throwing, whatever comes, and what passes croner takes', () => {
    const piece = fc.constantFrom('*', '?', 'L', 'W', '#', '/', '-', ',', '0', '1', '15', '31', '59', '2030', 'MON', 'JAN', ' ', ' ', ' ')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 24 }), (pieces) => {
        const text = pieces.join('')
        if (cronFault(text)) expect(() => forCroner(text)).toThrow(RangeError)
        else expect(nextFires(text, 'UTC', from, 1).length).toBeLessThanOrEqual(1)
      }),
      { numRuns: 2000 },
    )
  })
})
