import fc from 'fast-check'
import { expect, test } from 'vitest'
import { succeeded } from '../http/wrapper.ts'
import { openClosedParts } from './store/duckdb/closed.ts'
import { openDuckDbStore } from './store/duckdb/duckdbStore.ts'
import { type Buckets, day, hour, minute } from './store/store.ts'
import { temporaryFolder } from './telemetry.fixture.ts'
import { keepText, sent, textBytes, written } from './written.ts'

const value = fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }))
const bucket = fc.tuple(fc.nat(8.64e15), value, value, value, value, value, fc.nat(), fc.nat())
const buckets = fc.tuple(fc.nat(), fc.array(bucket, { maxLength: 20 }), fc.boolean()).map(([point, rows, kept]) => {
  const column = (i: number) => rows.map((row) => row[i])
  const names = ['time', 'min', 'max', 'avg', 'first', 'last', 'count', 'rows']
  return { of: { point, ...Object.fromEntries(names.map((name, i) => [name, column(i)])) } as Buckets, kept }
})

test('an answer is the same text whether any of its series was kept as text or not', () => {
  fc.assert(
    fc.property(fc.array(buckets, { maxLength: 4 }), fc.string(), fc.nat(), (all, TimeZone, Start) => {
      for (const { of, kept } of all) if (kept) keepText(of)
      // Of single readings five columns are the same one.
      const single = ({ point, time, min, count }: Buckets) => {
        const same = { min, max: min, avg: min, first: min, last: min }
        return { ParaId: point, Raw: true, ...sent({ point, time: [...time], ...same, count, rows: count }) }
      }
      const Series = all.flatMap(({ of }) => [{ ParaId: of.point, Raw: false, ...sent(of) }, single(of)])
      const answer = succeeded({ Start, End: Start + 1, Step: 0, TimeZone, Series })
      expect(written(answer).toString()).toBe(JSON.stringify(answer))
    }),
  )
})

test('what closed files give is kept as text, from the first time it is asked for until a late reading comes', async () => {
  const { folder, remove } = await temporaryFolder('written')
  const start = Date.UTC(2026, 3, 1)
  const store = await openDuckDbStore({ folder, clock: () => start + 9 * day, log: (problem, error) => expect([problem, error]).toBe('') })
  const row = (time: number, value: number | null) => ({ point: 1, time, value, quality: value === null ? 2 : 0, live: true })
  await store.append(Array.from({ length: 2000 }, (_, i) => row(start + i * minute, i % 7 ? i / 8 : null)))
  // Rows of closed days are late ones first; the second time the store knows that they are not any more.
  await store.settle('now')
  await store.settle()
  const ask = async () => (await store.buckets([1], start, start + 2 * day, { ms: hour, origin: 0 }))[0]!
  const first = await ask()
  expect(textBytes(first)).toBe(JSON.stringify(sent(first)).length - 2)
  expect(await ask()).toBe(first)
  await store.append([row(start + minute, 9999)])
  const late = await ask()
  expect([late.max[0], textBytes(late)]).toEqual([9999, 0])
  await store.settle('now')
  const settled = await ask()
  expect(settled).toEqual(late)
  expect(textBytes(settled)).toBeGreaterThan(0)
  await store.close()
  await remove()
})

test('texts count among the bytes that are kept at most', () => {
  const closed = openClosedParts(400_000)
  const rows = Array.from({ length: 200 }, (_, i) => i)
  const column = rows.map((i) => Math.sqrt(i + 2))
  const all = Array.from({ length: 20 }, (_, point): Buckets => {
    const columns = { min: column, max: column, avg: column, first: column, last: column }
    return { point, time: [...rows], ...columns, count: rows, rows }
  })
  for (const one of all) closed.keepAnswer(`${one.point}`, [one])
  const kept = all.filter(({ point }) => closed.answerOf(`${point}`))
  // Half of the bytes are for answers; 8 columns of 200 numbers and their text each.
  expect(kept.length).toBe(Math.floor(200_000 / (500 + 8 * 8 * 200 + textBytes(all[0]!))))
  expect(kept).toEqual(all.slice(-kept.length))
})
