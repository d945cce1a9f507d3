import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvLine } from '../../contract/csv.ts'
import type { ParaInfo, Series } from '../../contract/telemetry.ts'
import { assemble, type Line, spread, valueAt } from './assemble.ts'
import { columnsOf } from './columns.ts'
import { rowsOf } from './exports.ts'
import { bucketCount, bucketWidth, pan, within, zoom } from './ranges.ts'

const series = (over: Partial<Series>): Series => ({
  ParaId: 1,
  Raw: true,
  Time: [],
  Min: [],
  Max: [],
  Avg: [],
  First: [],
  Last: [],
  Count: [],
  ...over,
})

describe('buckets', () => {
  it('are two a pixel, within what the server takes', () => {
    expect(bucketCount(800)).toBe(1600)
    expect(bucketCount(10)).toBe(100)
    expect(bucketCount(1e6)).toBe(10_000)
    expect(bucketWidth({ start: 0, end: 3_600_000 }, 1600)).toBe(2250)
  })
})

describe('a range', () => {
  it('panned there and back is where it was', () => {
    expect(pan(pan({ start: 1000, end: 3000 }, 0.25), -0.25)).toEqual({ start: 1000, end: 3000 })
  })

  it('zoomed keeps the moment under the pointer where it is', () => {
    const moment = fc.integer({ min: Date.UTC(2001, 0, 1), max: Date.UTC(2030, 0, 1) })
    fc.assert(
      fc.property(
        moment,
        fc.integer({ min: 10_000, max: 1e10 }),
        fc.double({ min: 0.2, max: 5, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (start, span, factor, part) => {
          const range = { start, end: start + span }
          const about = start + span * part
          const after = zoom(range, factor, about)
          expect((about - after.start) / (after.end - after.start)).toBeCloseTo(part, 3)
        },
      ),
    )
  })

  it('never reaches past the coming day and never lies before 2000', () => {
    const now = Date.UTC(2026, 0, 1)
    expect(within({ start: now, end: now + 1e12 }, now).end).toBe(now + 86_400_000)
    expect(within({ start: -1e15, end: Date.UTC(2000, 0, 2) }, now).start).toBe(Date.UTC(2000, 0, 1))
  })
})

describe('a line', () => {
  it('has a hole where nothing was heard, and nowhere else', () => {
    const line = assemble(series({ Time: [0, 1000, 2000, 60_000], Last: [1, 2, 3, 4] }), { ExpectedMs: 1000 }, 0)
    expect(line.Value).toEqual([1, 2, 3, null, 4])
    expect(line.Low).toBeUndefined()
  })

  it('connects coarser history, but leaves its gaps open', () => {
    const minutes = Array.from({ length: 20 }, (_, i) => i * 60_000).filter((at) => at < 540_000 || at > 900_000)
    const seconds = Array.from({ length: 30 }, (_, i) => minutes.at(-1)! + (i + 1) * 1000)
    const time = [...minutes, ...seconds, seconds.at(-1)! + 90_000, seconds.at(-1)! + 180_000]
    const line = assemble(series({ Time: time, Last: time.map(() => 1) }), { ExpectedMs: 1000 }, 0)
    const holes = line.Time.filter((_, i) => line.Value[i] === null)
    expect(holes).toEqual([720_000, seconds.at(-1)! + 45_000, seconds.at(-1)! + 135_000])
  })

  it('keeps bad readings as holes', () => {
    expect(assemble(series({ Time: [0, 1000], Last: [1, null] }), { ExpectedMs: 1000 }, 0).Value).toEqual([1, null])
  })

  it('of buckets carries its lowest and highest', () => {
    const line = assemble(series({ Raw: false, Time: [0, 5000], Avg: [2, 3], Min: [1, 2], Max: [3, 9] }), { ExpectedMs: 1000 }, 5000)
    expect([line.Low, line.High]).toEqual([
      [1, 2],
      [3, 9],
    ])
  })

  it('goes on with what came in live, once', () => {
    const tail = [
      { Time: 1000, Value: 9, Quality: 0 },
      { Time: 2000, Value: 8, Quality: 0 },
    ]
    expect(assemble(series({ Time: [0, 1000], Last: [1, 2] }), { ExpectedMs: 1000 }, 0, tail).Value).toEqual([1, 2, 8])
  })

  it('says what it was at a moment, and nothing inside a gap', () => {
    const line = { ParaId: 1, Time: [0, 1000, 30_000, 60_000], Value: [1, 2, null, 4] }
    expect([-1, 0, 1500, 40_000, 70_000].map((at) => valueAt(line, at))).toEqual([null, 1, 2, null, 4])
  })
})

describe('columns of a plot', () => {
  it('keep the gap of one line where another has readings within it', () => {
    const [time, first] = columnsOf([
      { ParaId: 1, Time: [0, 5, 10], Value: [1, null, 2] },
      { ParaId: 2, Time: [4, 6, 8], Value: [7, 7, 7] },
    ])
    expect(time).toEqual([0, 4, 5, 6, 8, 10])
    expect(first).toEqual([1, null, null, null, null, 2])
  })

  it('draw through moments that only other lines have', () => {
    const [, first] = columnsOf([
      { ParaId: 1, Time: [0, 10], Value: [1, 2] },
      { ParaId: 2, Time: [5], Value: [7] },
    ])
    expect(first).toEqual([1, undefined, 2])
  })
})

describe('labels', () => {
  it('never cover each other as long as there is room', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 7 }), (wanted) => {
        const ys = spread(wanted, 16, 0, 400).toSorted((a, b) => a - b)
        ys.forEach((y, i) => {
          if (i) expect(y - ys[i - 1]!).toBeGreaterThanOrEqual(16)
        })
      }),
    )
  })
})

it('a name in the file of a chart ends no cell and no line, and begins no formula', () => {
  const names = ['=1+1', 'a;=1+1;b', 'a\r=1+1', '＝1+1'].map((DeviceName) => ({ DeviceName, ParaName: 'p', ParaUnitName: '' }) as ParaInfo)
  const lines = names.map(() => ({ Time: [0], Value: [-1] }) as unknown as Line)
  const [titles, values] = rowsOf(names, lines, 'Time').map(csvLine)
  expect(
    titles!
      .slice(0, -2)
      .split(',')
      .slice(1)
      .filter((cell) => !/^(".*"|'.*)$/s.test(cell)),
  ).toEqual([])
  expect(values).toMatch(/,-1,-1,-1,-1\r\n$/)
})
