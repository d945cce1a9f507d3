import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createOracle } from '../store/oracle.ts'
import { day, hour, minute } from '../store/store.ts'
import { curvesOf } from './consumption.ts'
import { type Answer, type CounterRules, countedIn, counterCurve, glitchMs } from './counter.ts'
import { periodsOf } from './periods.ts'

const t0 = Date.UTC(2026, 2, 27)
const rules = (more: Partial<CounterRules> = {}): CounterRules => ({
  ...{ maxReading: null, hourlyHigh: null, tolerance: 0.2, answers: new Map() },
  ...more,
})
const curveOf = (rows: readonly (readonly [at: number, value: number])[], more: Partial<CounterRules> = {}, now = t0 + 90 * day) =>
  counterCurve({ time: rows.map(([at]) => t0 + at), value: rows.map(([, value]) => value) }, rules(more), now)
const total = (...args: Parameters<typeof curveOf>) => (curveOf(...args).total.at(-1) ?? 0) / 1000
const kinds = (...args: Parameters<typeof curveOf>) => curveOf(...args).marks.map(({ kind, open }) => (open ? `${kind} open` : kind))

describe('a counter', () => {
  test('counts up, in whole thousandths', () => {
    expect(
      total([
        [0, 0.1],
        [minute, 0.3],
        [2 * minute, 1000.4],
      ]),
    ).toBe(1000.3)
  })
  test('that began anew after its highest reading goes on', () => {
    const over = [
      [0, 9990],
      [minute, 12],
      [2 * minute, 20],
    ] as const
    expect([total(over, { maxReading: 10_000 }), kinds(over, { maxReading: 10_000 })]).toEqual([30, ['rollover']])
  })
  test('that falls with each of its readings is reckoned once through', () => {
    const n = 300_000
    const { marks } = curveOf(Array.from({ length: n }, (_, i) => [i, n - i] as const))
    expect(marks.length).toBe(n - 1)
  })
  test('trembles by its resolution without counting anything twice', () => {
    const noise = [
      [0, 5],
      [minute, 5.1],
      [2 * minute, 5],
      [3 * minute, 5.1],
      [4 * minute, 4.9],
      [5 * minute, 5.3],
    ] as const
    expect([total(noise), kinds(noise)]).toEqual([0.3, []])
  })
  test('leaves out a fall that is undone within a quarter of an hour, and waits while that may still come', () => {
    const glitch = [
      [0, 100],
      [minute, 3],
      [10 * minute, 4],
      [minute + glitchMs, 101],
    ] as const
    expect([total(glitch), kinds(glitch)]).toEqual([1, ['glitch']])
    const later = [
      [0, 100],
      [minute, 3],
      [10 * minute, 4],
      [minute + glitchMs + 1, 101],
    ] as const
    // Counting restarts with the first reading after the fall; the event has no answer yet.
    expect([total(later), kinds(later)]).toEqual([98, ['event open']])
    expect(kinds(glitch.slice(0, 2), {}, t0 + 5 * minute)).toEqual([])
    expect(kinds(glitch.slice(0, 2), {}, t0 + hour)).toEqual(['event open'])
  })
  test.each([
    ['a restart counts from 0', { kind: 'restarted' }, 3 + 4],
    [
      'a replacement counts to the end of the old one and from the start of the new one',
      { kind: 'replaced', oldEnd: 105, newStart: 1 },
      5 + 2 + 4,
    ],
    ['wrong readings are left out until it is back', { kind: 'wrong' }, 9],
  ] as [string, Answer, number][])('%s', (_, answer, expected) => {
    const fall = [[0, 100], [hour, 3], [2 * hour, 7], ...(answer.kind === 'wrong' ? [[3 * hour, 109] as const] : [])] as const
    const answers = new Map([[t0 + hour, answer]])
    expect([total(fall, { answers }), kinds(fall, { answers })]).toEqual([expected, ['event']])
  })
  test('does not count a rise that no hour can have, until somebody confirms it', () => {
    const steep = [
      [0, 0],
      [hour, 10],
      [2 * hour, 500],
      [3 * hour, 510],
    ] as const
    expect([total(steep, { hourlyHigh: 50 }), kinds(steep, { hourlyHigh: 50 })]).toEqual([20, ['outlier open']])
    const answers = new Map([[t0 + 2 * hour, { kind: 'confirmed' } as const]])
    expect([total(steep, { hourlyHigh: 50, answers }), kinds(steep, { hourlyHigh: 50, answers })]).toEqual([510, ['outlier']])
  })
  test('says nothing before its first and after its last reading, and tells long gaps apart', () => {
    const curve = curveOf([
      [hour, 10],
      [2 * hour, 20],
      [12 * hour, 120],
    ])
    expect(countedIn(curve, t0, t0 + hour)).toBeNull()
    expect(countedIn(curve, t0 + 12 * hour, t0 + 13 * hour)).toBeNull()
    expect(countedIn(curve, t0, t0 + 3 * hour)).toEqual({ counted: 20_000, inGaps: 10_000 })
    expect(countedIn(curve, t0 + hour, t0 + 2 * hour)).toEqual({ counted: 10_000, inGaps: 0 })
  })
})

/** A true curve in tenths, read at odd moments over days; `at` in minutes. */
const truth = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 0, max: 60 })), { minLength: 3, maxLength: 60 })
  .map((steps) => {
    let [at, value] = [0, 0]
    return steps.map(([apart, more]) => {
      at += apart
      value += more
      return { at, value: value / 10 }
    })
  })
const spoilt = fc.record({
  place: fc.nat(),
  kind: fc.constantFrom('jitter', 'glitch', 'reset', 'replaced' as const),
})

test('whatever is placed in a true curve, what it counts is true outside of what is marked', () => {
  fc.assert(
    fc.property(truth, fc.array(spoilt, { maxLength: 3 }), (rows, spoils) => {
      const readings = rows.map(({ at, value }) => [at * minute, value + 1000] as [number, number])
      const answers = new Map<number, Answer>()
      let shift = 0
      const isNew = ({ kind }: { kind: string }) => kind === 'reset' || kind === 'replaced'
      // A fall is judged by earlier values, so there is one of these.
      const some = spoils.filter((s, i) => !isNew(s) || spoils.findIndex(isNew) === i)
      const places = new Map(some.map((s) => [1 + (s.place % (rows.length - 1)), s.kind]))
      const shown: [number, number][] = []
      for (const [i, [at, value]] of readings.entries()) {
        const kind = places.get(i)
        if (kind === 'jitter' && shown.length) shown.push([at - minute / 2, shown.at(-1)![1] - 0.1])
        if (kind === 'glitch' && shown.length) shown.push([at - minute / 2, 0])
        if (kind === 'reset') {
          // It stood at 0 when the last true value was read.
          shift = readings[i - 1]![1]
          answers.set(t0 + at, { kind: 'restarted' })
        }
        if (kind === 'replaced') {
          const last = shown.at(-1)![1]
          answers.set(t0 + at, { kind: 'replaced', oldEnd: last, newStart: 7 })
          shift = readings[i - 1]![1] - 7
        }
        shown.push([at, Math.round((value - shift) * 10) / 10])
      }
      // A counter that shows no less than before has not visibly fallen.
      fc.pre([...places].every(([i, kind]) => !['reset', 'replaced'].includes(kind) || shownFalls(shown, readings[i]![0])))
      expect(total(shown, { answers })).toBeCloseTo(readings.at(-1)![1] - readings[0]![1], 9)
      expect(kinds(shown, { answers }).filter((kind) => kind.endsWith('open'))).toEqual([])
    }),
    { numRuns: 200 },
  )
})
const shownFalls = (shown: readonly [number, number][], at: number) => {
  const i = shown.findIndex(([time]) => time === at)
  const top = Math.max(...shown.slice(0, i).map(([, value]) => value))
  const later = shown.slice(i).filter(([time]) => time - at <= glitchMs)
  return shown[i]![1] < top - 0.2 && later.every(([, value]) => value < top)
}

test('any cut of a range, over roll-ups or readings, changes no sum: parts are the whole in four zones over both changes', async () => {
  const value = fc.integer({ min: 0, max: 400 }).map((v) => v / 10)
  const rows = fc.array(fc.tuple(fc.integer({ min: 0, max: 4 * 24 * 60 }), value, fc.boolean()), { minLength: 1, maxLength: 60 })
  const zone = fc.constantFrom('Europe/Madrid', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'America/Sao_Paulo')
  await fc.assert(
    fc.asyncProperty(rows, zone, fc.constantFrom(null, 50), fc.integer({ min: 0, max: 900 }), async (given, tz, hourlyHigh, odd) => {
      const oracle = createOracle()
      // Mostly rising, with falls in between.
      const sorted = given.map(([at, v, wild]) => ({ at, value: wild ? v : v / 10 + at / 60 }))
      oracle.append(sorted.map(({ at, value }) => ({ point: 1, time: t0 + at * minute, value, quality: 0, live: true })))
      const store = {
        buckets: async (...args: Parameters<typeof oracle.buckets>) => oracle.buckets(...args),
        columns: async (...args: Parameters<typeof oracle.columns>) => oracle.columns(...args),
      }
      const now = t0 + 10 * day
      const [start, end] = [t0 + odd * minute, t0 + 3 * day + odd * minute]
      const [all] = oracle.columns([1], 0, now)
      const slow = counterCurve({ time: all!.time, value: all!.value as number[] }, rules({ hourlyHigh }), now)
      const sumOf = (parts: ReturnType<typeof countedIn>[]) => parts.reduce((sum, of) => sum + (of?.counted ?? 0), 0)
      const whole = sumOf([countedIn(slow, start, end)])
      for (const by of ['none', 'day', 'hour', 'week'] as const) {
        const { edges } = periodsOf(by, start, end, tz)
        const curve = (await curvesOf(store, [{ id: 1, counter: rules({ hourlyHigh }) }], edges, now)).get(1)!
        const parts = edges.slice(1).map((edge, i) => countedIn(curve, edges[i]!, edge))
        expect(sumOf(parts)).toBe(whole)
        expect(parts).toEqual(edges.slice(1).map((edge, i) => countedIn(slow, edges[i]!, edge)))
      }
    }),
    {
      numRuns: 150,
      examples: [
        [
          [
            [2506, 0, false],
            [0, 0, false],
            [2520, 0, false],
            [15, 0, false],
            [2386, 0, false],
          ],
          'Europe/Madrid',
          null,
          0,
        ],
      ],
    },
  )
})

test('a counter with more doubtful readings than can be looked at is refused', async () => {
  const asked = [t0, t0 + hour, 2_000_001] as const
  const store = {
    buckets: async (_points: readonly number[], start: number, end: number) =>
      [{ point: 1, time: [t0], min: [1], max: [9], avg: [5], first: [9], last: [1], count: [asked[2]], rows: [asked[2]] }].filter(
        () => start <= t0 && end > t0,
      ),
    columns: async () => {
      throw new Error('not read')
    },
  }
  await expect(curvesOf(store, [{ id: 1, counter: rules() }], [asked[0], asked[1]], t0 + day)).rejects.toMatchObject({
    key: 'rangeTooLong',
  })
})
