import { describe, expect, test } from 'vitest'
import { day, hour, quarter } from '../store/store.ts'
import { type By, periodsOf } from './periods.ts'

// Both days of a change of the clock: by an hour at night, by half an hour, at midnight, and a zone of quarters that never changes.
const zones = ['Europe/Madrid', 'Australia/Lord_Howe', 'America/Sao_Paulo', 'Asia/Kathmandu']
const ranges = [
  ['2018-02-16T05:10', '2018-02-20T17:00'],
  ['2018-11-02T00:00', '2018-11-06T00:00'],
  ['2026-03-28T11:23', '2026-04-01T01:00'],
  ['2026-04-03T23:00', '2026-04-06T01:00'],
  ['2026-10-02T12:00', '2026-10-05T03:00'],
  ['2026-10-24T00:00', '2026-10-26T03:00'],
].map(([start, end]) => [Date.parse(`${start}Z`), Date.parse(`${end}Z`)] as const)

const formats = new Map<string, Intl.DateTimeFormat>()
const wall = (zone: string, at: number) => {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      weekday: 'short',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      timeZoneName: 'longOffset',
      hourCycle: 'h23',
    })
  formats.set(zone, format)
  return Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]))
}
const dateOf = ({ year, month, day: of }: Record<string, string>) => Date.parse(`${year}-${month}-${of}T00:00Z`) / day
/** The calendar's name of the unit that holds a moment. */
const label: Record<Exclude<By, 'none'>, (zone: string, at: number) => string> = {
  hour: (zone, at) => JSON.stringify(wall(zone, at)),
  day: (zone, at) => `${dateOf(wall(zone, at))}`,
  week: (zone, at) => `${Math.floor((dateOf(wall(zone, at)) + 3) / 7)}`,
  month: (zone, at) => `${wall(zone, at).year} ${wall(zone, at).month}`,
  quarter: (zone, at) => `${wall(zone, at).year} ${Math.floor((Number(wall(zone, at).month) - 1) / 3)}`,
  year: (zone, at) => `${wall(zone, at).year}`,
  'weekday-hour': (zone, at) => JSON.stringify(wall(zone, at)),
}

describe.each(zones)('%s', (zone) => {
  test.each(Object.keys(label) as (keyof typeof label)[])('every part is one %s, and each begins where the calendar says', (by) => {
    for (const [start, end] of ranges) {
      const { edges } = periodsOf(by, start, end, zone)
      expect([edges[0], edges.at(-1)]).toEqual([start, end])
      const changes = new Set<number>()
      let before = label[by](zone, start)
      for (let at = Math.ceil((start + 1) / quarter) * quarter; at < end; at += quarter) {
        const name = label[by](zone, at)
        if (name !== before) changes.add(at)
        before = name
      }
      expect(edges.slice(1, -1)).toEqual([...changes])
    }
  })
  test('hours of the week are named by the wall clock', () => {
    const names = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
    for (const [start, end] of ranges) {
      const { edges, groups } = periodsOf('weekday-hour', start, end, zone)
      for (const [i, group] of groups!.entries()) {
        const { weekday, hour: of } = wall(zone, edges[i]!)
        expect([names[Math.floor(group / 24)], group % 24]).toEqual([weekday, Number(of)])
      }
    }
  })
})

test('days of a change have 23 and 25 hours', () => {
  const at = (text: string) => Date.parse(`${text}Z`)
  const lengths = (start: string, end: string) => {
    const { edges } = periodsOf('day', at(start), at(end), 'Europe/Madrid')
    return edges.slice(1).map((edge, i) => (edge - edges[i]!) / hour)
  }
  expect(lengths('2026-03-27T23:00', '2026-03-30T22:00')).toEqual([24, 23, 24])
  expect(lengths('2026-10-23T22:00', '2026-10-26T23:00')).toEqual([24, 25, 24])
})
