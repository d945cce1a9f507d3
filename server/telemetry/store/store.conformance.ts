import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { unpacking } from './columns.ts'
import { marksBeside } from './marks.conformance.ts'
import { createOracle } from './oracle.ts'
import { day, hour, type Incoming, minute, quarter, type Step, type Store } from './store.ts'

/** A store of one test: `reopen` closes it and opens the same data again, under the same clock. */
export type Bench = { store: Store; reopen: () => Promise<Store>; now: number; remove: () => Promise<void> }

const utc = (text: string) => Date.parse(`${text}Z`)
const row = (point: number, time: number, value: number | null, live = true): Incoming => ({
  point,
  time,
  value,
  quality: value === null ? 2 : 0,
  live,
})
const plain = (rows: { point: number; time: number; value: number | null; quality: number }[]) =>
  rows.map(({ point, time, value, quality }) => ({ point, time, value, quality }))

/** What every store has to hold to. `runs` = random histories to compare with the oracle. */
export const storeConformance = (open: () => Promise<Bench>, runs: number, more: readonly ((bench: () => Bench) => void)[] = []) => {
  let bench: Bench
  beforeEach(async () => {
    bench = await open()
  }, 400_000)
  afterEach(async () => {
    await bench.store.close()
    await bench.remove()
  })
  const t0 = utc('2026-03-01T00:00')

  describe('rows', () => {
    test('come back as they went in, ordered by point and time', async () => {
      bench.now = t0 + hour
      const { first } = await bench.store.append([
        row(2, t0 + 5, -0.1),
        row(1, t0 + 7, 1e300),
        row(1, t0 + 3, null),
        { ...row(1, t0 + 4, 5), quality: 1 },
      ])
      expect(await bench.store.read([1, 2, 3], t0, t0 + day)).toEqual([
        { point: 1, time: t0 + 3, value: null, quality: 2, n: first + 2 },
        { point: 1, time: t0 + 4, value: 5, quality: 1, n: first + 3 },
        { point: 1, time: t0 + 7, value: 1e300, quality: 0, n: first + 1 },
        { point: 2, time: t0 + 5, value: -0.1, quality: 0, n: first },
      ])
    })
    test('outside the range or of other points stay away, and the end is excluded', async () => {
      await bench.store.append([row(1, t0 - 1, 1), row(1, t0, 2), row(1, t0 + 9, 3), row(1, t0 + 10, 4), row(2, t0, 5)])
      expect(plain(await bench.store.read([1], t0, t0 + 10))).toEqual(plain([row(1, t0, 2), row(1, t0 + 9, 3)]))
    })
    test('of one point and time: the newest arrival holds, a null one too, before and after settling', async () => {
      bench.now = t0 + 3 * day
      await bench.store.append([row(1, t0, 1), row(1, t0, 2), row(2, t0, 7)])
      await bench.store.append([row(2, t0, null)])
      const expected = plain([row(1, t0, 2), row(2, t0, null)])
      expect(plain(await bench.store.read([1, 2], t0, t0 + 1))).toEqual(expected)
      await bench.store.settle('now')
      expect(plain(await bench.store.read([1, 2], t0, t0 + 1))).toEqual(expected)
      await bench.store.append([row(1, t0, 3)])
      expect(plain(await bench.store.read([1], t0, t0 + 1))).toEqual(plain([row(1, t0, 3)]))
      await bench.store.settle('now')
      expect(plain(await bench.store.read([1], t0, t0 + 1))).toEqual(plain([row(1, t0, 3)]))
    })
    test('replacements are reported by index, also within one call and after settling', async () => {
      bench.now = t0 + day
      await bench.store.append([row(1, t0, 1), row(1, t0 + 1, 1)])
      const again = [row(1, t0 + 1, 2), row(1, t0 + 2, 2), row(1, t0 + 2, 3), row(2, t0, 1)]
      expect((await bench.store.append(again, [0, 1, 2, 3])).replaced.toSorted()).toEqual([0, 2])
      await bench.store.settle('now')
      expect((await bench.store.append([row(1, t0, 9), row(3, t0, 1)], [0, 1])).replaced).toEqual([0])
    })
    test('survive a restart, with arrival numbers that go on growing', async () => {
      const { first } = await bench.store.append([row(1, t0, 1)])
      await bench.store.settle('now')
      await bench.store.append([row(1, t0 + 1, 2)])
      const store = await bench.reopen()
      expect(plain(await store.read([1], t0, t0 + day))).toEqual(plain([row(1, t0, 1), row(1, t0 + 1, 2)]))
      expect((await store.append([row(1, t0 + 2, 3)])).first).toBeGreaterThan(first + 1)
    })
  })

  test('latest is the reading with the newest time of each point, wherever it lies', async () => {
    bench.now = t0 + 5 * day
    await bench.store.append([row(1, t0 + 10, 1), row(2, t0 + 10, 2)])
    await bench.store.settle('now')
    await bench.store.append([row(1, t0 + 5, 9), row(3, t0, null)])
    await bench.store.append([row(2, t0 + 10, 8)])
    const expected = plain([row(1, t0 + 10, 1), row(2, t0 + 10, 8), row(3, t0, null)])
    const found = async (store: Store) => plain(await store.latest()).sort((a, b) => a.point - b.point)
    expect(await found(bench.store)).toEqual(expected)
    expect(await found(await bench.reopen())).toEqual(expected)
  })

  test('what returned from the future is the newest live reading that came after the last one of there', async () => {
    const now = t0 + 5 * day
    bench.now = now
    const later = now + 3_600_000
    await bench.store.append([row(1, now - 50, 1), row(1, later, 2), row(2, later, 3), row(3, now, 4)])
    await bench.store.append([row(1, now - 20, 5), row(1, now - 30, 6), row(1, now - 10, 7, false), row(2, now, 8, false)])
    const found = async (store: Store) => plain(await store.returned([1, 2, 3], now + 60_000))
    expect(await found(bench.store)).toEqual(plain([row(1, now - 20, 5)]))
    expect(await found(await bench.reopen())).toEqual(plain([row(1, now - 20, 5)]))
  })

  test('since answers live rows above a number in order of arrival, page by page, settled ones too', async () => {
    bench.now = t0 + 2 * day
    const { first } = await bench.store.append([row(1, t0, 1), row(1, t0 - day, 2, false), row(2, t0, 3)])
    await bench.store.settle('now')
    await bench.store.append([row(1, t0 + 1, 4)])
    expect((await bench.store.since(first)).map((s) => s.value)).toEqual([3, 4])
    const page = await bench.store.since(first - 1, 2)
    expect(page.map((s) => s.value)).toEqual([1, 3])
    expect((await bench.store.since(page.at(-1)!.n)).map((s) => s.value)).toEqual([4])
  })

  test('arrivals of some points come with back-fill, in order of arrival, page by page, wherever they lie by now', async () => {
    bench.now = t0 + 2 * day
    const { first } = await bench.store.append([row(1, t0, 1), row(1, t0 - day, 2, false), row(2, t0, 3)])
    await bench.store.settle('now')
    await bench.store.append([row(1, t0 + 1, 4), row(3, t0, 5)])
    const ask = async (store: Store, n: number, limit = 10, from = 0) => (await store.arrivals([1, 3], n, from, limit)).map((s) => s.value)
    for (const open of [async () => bench.store, bench.reopen]) {
      const store = await open()
      expect(await ask(store, first - 1)).toEqual([1, 2, 4, 5])
      expect(await ask(store, first - 1, 2)).toEqual([1, 2])
      expect(await ask(store, first + 1)).toEqual([4, 5])
      expect(await ask(store, first - 1, 10, t0)).toEqual([1, 4, 5])
      expect(await store.arrived([1, 3], first - 1, 0, t0)).toEqual({ count: 1, earliest: t0 - day })
      expect(await store.arrived([], 0, 0, t0)).toEqual({ count: 0, earliest: null })
      expect(await ask(store, store.top())).toEqual([])
    }
  })

  test('a past that is loaded is there once, older than what arrived, with its roll-ups, and again after a restart', async () => {
    bench.now = t0 + 40 * day + hour
    const sample = (point: number, time: number, value: number) => ({ point, time, value, quality: 0 })
    const { first } = await bench.store.append([row(1, t0 + quarter, 9), row(3, t0, 1)])
    const load = (...batches: ReturnType<typeof sample>[][]) =>
      bench.store.load(
        (async function* () {
          yield* batches
        })(),
      )
    // A month that is over, a day that is closed, and today.
    for (const start of [t0, t0 + 32 * day, t0 + 40 * day])
      for (let again = 0; again < 2; again++)
        await load([sample(1, start, 4), sample(1, start + quarter, 5)], [sample(2, start + 5 * minute, 6)])
    const settled = async (store: Store) => {
      expect((await store.read([1, 2], t0, t0 + day)).map((r) => [r.point, r.value])).toEqual([
        [1, 4],
        [1, 9],
        [2, 6],
      ])
      const of = await store.buckets([1, 2], t0, t0 + 50 * day, { ms: day, origin: 0 })
      expect(of.map((b) => b.count)).toEqual([
        [2, 2, 2],
        [1, 1, 1],
      ])
      expect(of[0]!.avg).toEqual([6.5, 4.5, 4.5])
      expect((await store.since(first - 1)).map((r) => r.value)).toEqual([9, 1])
    }
    await settled(bench.store)
    await bench.store.settle('now')
    await settled(await bench.reopen())
  })

  test('retention removes old readings of the points it names and nothing else', async () => {
    bench.now = t0 + 40 * day
    await bench.store.append([row(1, t0, 1), row(2, t0, 2), row(1, t0 + 39 * day, 3)])
    await bench.store.settle('now')
    await bench.store.retain([{ points: [1], before: utc('2026-04-05T00:00') }])
    expect(plain(await bench.store.read([1, 2], 0, t0 + 50 * day))).toEqual(plain([row(1, t0 + 39 * day, 3), row(2, t0, 2)]))
    expect((await bench.store.buckets([1, 2], t0 - day, t0 + 50 * day, { ms: 100 * day, origin: 0 })).map((b) => b.count)).toEqual([
      [1],
      [1],
    ])
    await bench.store.drop([2])
    expect((await bench.store.read([1, 2], 0, t0 + 50 * day)).map((s) => s.point)).toEqual([1])
    expect((await bench.store.latest()).map((s) => s.point)).toEqual([1])
  })

  const zones = ['Asia/Shanghai', 'America/New_York', 'Asia/Kathmandu', 'Asia/Kolkata', 'Africa/Cairo', 'Australia/Lord_Howe']
  // All zones over one store: to open and close one for each costs more than to ask it.
  test('hours and days of every zone are right around both changes of its clocks', async () => {
    const oracle = createOracle()
    const ranges = ['2026-03-07', '2026-03-07', '2026-04-03', '2026-04-23', '2026-10-02', '2026-10-28', '2026-10-31'].map((d) =>
      utc(`${d}T00:00`),
    )
    const rows = ranges.flatMap((start) => Array.from({ length: 96 * 3 }, (_, i) => row(1, start + i * quarter + (i % 7), i % 50)))
    bench.now = utc('2026-11-02T12:00')
    for (const [i, part] of [rows.filter((_, i) => i % 3), rows.filter((_, i) => i % 3 === 0)].entries()) {
      oracle.append(part)
      await bench.store.append(part)
      if (i === 0) await bench.store.settle('now')
    }
    for (const zone of zones)
      for (const unit of ['hour', 'day'] as const)
        for (const start of new Set(ranges))
          expect(await bench.store.buckets([1], start, start + 3 * day, { unit, zone }), zone).toEqual(
            oracle.buckets([1], start, start + 3 * day, { unit, zone }),
          )
  })

  for (const suite of more) suite(() => bench)

  test.each([
    { kind: 'any', grain: 7 * minute, offsets: [0, 1, 59_999], share: 1 },
    // Most readings at the beginning of their quarter-hour.
    { kind: 'a regular', grain: quarter, offsets: [...Array(11).fill(0), 59_999], share: 0.3 },
  ])(
    '$kind history gives the buckets and rows of the naive computation',
    async ({ grain, offsets, share }) => {
      const origin = utc('2026-02-27T21:00')
      // Times crowd together so that points meet again: eighths of values keep sums exact in any order.
      const time = fc
        .tuple(fc.constantFrom(0, 1, 2, 5, 33), fc.integer({ min: 0, max: 40 }), fc.constantFrom(...offsets))
        .map(([days, grains, ms]) => origin + days * day + grains * grain + ms)
      const value = fc.oneof(
        { weight: 5, arbitrary: fc.integer({ min: -800, max: 800 }).map((v) => v / 8) },
        { weight: 1, arbitrary: fc.constant(null) },
      )
      const rows = fc.array(
        fc.tuple(fc.integer({ min: 1, max: 3 }), time, value, fc.boolean()).map((r) => row(...r)),
        { minLength: 1, maxLength: 40 },
      )
      const act = fc.oneof(
        { weight: 4, arbitrary: rows },
        { weight: 1, arbitrary: fc.constantFrom('settle' as const, 'now' as const, 'reopen' as const) },
        { weight: 1, arbitrary: fc.integer({ min: 1, max: 40 * 24 }) },
      )
      const step: fc.Arbitrary<Step> = fc.oneof(
        fc
          .constantFrom(1000, minute, 5 * minute, quarter, hour, day, 7 * day)
          .map((ms) => ({ ms, origin: Math.floor((origin - 9 * day) / ms) * ms })),
        fc.record({ unit: fc.constantFrom('hour' as const, 'day' as const), zone: fc.constantFrom(...zones) }),
      )
      const range = fc
        .tuple(time, time, fc.constantFrom(0, 30_000, 3 * day))
        .map(([a, b, more]) => [Math.min(a, b), Math.max(a, b) + 1 + more] as const)
      await fc.assert(
        fc.asyncProperty(
          fc.array(act, { minLength: 1, maxLength: 12 }),
          fc.array(fc.tuple(range, step, fc.constantFrom(0, 1, 3, 8, 1000)), { minLength: 3, maxLength: 6 }),
          async (acts, asked) => {
            const oracle = createOracle()
            const check = async ([[start, end], s, few]: (typeof asked)[number]) => {
              expect(plain(await bench.store.read([3, 1, 2], start, end))).toEqual(oracle.read([3, 1, 2], start, end))
              const packed = await bench.store.aside.packed([3, 1, 2], start, end)
              expect(packed.map(unpacking)).toEqual(await bench.store.columns([3, 1, 2], start, end))
              const inColumns = (await bench.store.columns([3, 1, 2], start, end)).flatMap(({ point, time, value, quality }) =>
                time.map((at, i) => ({ point, time: at, value: value[i]!, quality: quality[i]! })),
              )
              expect(inColumns).toEqual(oracle.read([3, 1, 2], start, end))
              const [marks, expected] = await marksBeside(bench.store, oracle, [start, end])
              expect(marks).toEqual(expected)
              // Twice: the second answer may come from a cache.
              for (let i = 0; i < 2; i++)
                expect(await bench.store.buckets([1, 3, 2], start, end, s)).toEqual(oracle.buckets([1, 3, 2], start, end, s))
              // At once, the same points in ranges that differ a little: a store may answer together what waits together. Points with few
              // readings bring them along.
              const several = [
                [[1, 3, 2], start, end],
                [[2], start, end + 1],
                [[3, 1], start - 1, end],
                [[2, 3], start - 30_000, end + 30_000],
              ] as const
              expect(await Promise.all(several.map(([points, from, to]) => bench.store.buckets(points, from, to, s, few)))).toEqual(
                several.map(([points, from, to]) => oracle.buckets(points, from, to, s, few)),
              )
            }
            await bench.store.drop([1, 2, 3])
            bench.now = origin + 12 * hour
            for (const a of acts) {
              if (a === 'reopen') await bench.reopen()
              else if (typeof a === 'number') bench.now += a * hour
              else if (typeof a === 'string') await bench.store.settle(a === 'now' ? 'now' : undefined)
              else {
                const seen = new Set(oracle.rows.map((r) => `${r.point} ${r.time}`))
                const repeats = a.flatMap((r, i) => (seen.has(`${r.point} ${r.time}`) || !seen.add(`${r.point} ${r.time}`) ? [i] : []))
                oracle.append(a)
                const places = a.map((_, i) => i)
                expect((await bench.store.append(a, places)).replaced.toSorted((x, y) => x - y)).toEqual(repeats)
              }
              // What a store keeps of what it has read must not outlive the next write.
              await check(asked[0]!)
            }
            for (const range of asked) await check(range)
          },
        ),
        { numRuns: Math.ceil(share * runs) },
      )
    },
    600_000,
  )
}
