import { expect, test } from 'vitest'
import type { Series } from '../../../../contract/telemetry.ts'
import type { Widget } from '../contract.ts'
import { arranged, repeatedRows, within } from './grid.ts'
import { binned, blocksOf, segmentsOf } from './past.ts'

const widget = (Id: string, X: number, Y: number, W = 6, H = 4): Widget => ({ Id, Kind: 'value', X, Y, W, H })
const places = (widgets: readonly Widget[]) => Object.fromEntries(widgets.map(({ Id, X, Y }) => [Id, `${X},${Y}`]))

test('widgets go up as far as they can and never overlap; the moved one stays where it was put', () => {
  const all = [widget('a', 0, 0), widget('b', 6, 0), widget('c', 0, 4)]
  expect(places(arranged(all))).toEqual({ a: '0,0', b: '6,0', c: '0,4' })
  expect(places(arranged(all.map((w) => (w.Id === 'c' ? { ...w, Y: 20 } : w))))).toEqual({ a: '0,0', b: '6,0', c: '0,4' })
  expect(
    places(
      arranged(
        all.map((w) => (w.Id === 'c' ? { ...w, X: 3, Y: 0 } : w)),
        'c',
      ),
    ),
  ).toEqual({ a: '0,4', b: '6,4', c: '3,0' })
  expect(
    places(
      arranged(
        all.map((w) => (w.Id === 'a' ? { ...w, Y: 3 } : w)),
        'a',
        true,
      ),
    ),
  ).toEqual({ a: '0,4', b: '6,0', c: '0,0' })
})

test('no widget leaves the 24 columns or gets too small to read', () => {
  expect(within({ X: 22, Y: -3, W: 6, H: 1 })).toEqual({ X: 18, Y: 0, W: 6, H: 2 })
  expect(within({ X: 0, Y: 0, W: 40, H: 90 })).toEqual({ X: 0, Y: 0, W: 24, H: 60 })
})

const series = (Time: number[], value: (number | null)[], more: Partial<Series> = {}): Series => ({
  ...{ ParaId: 1, Raw: true, Time, Min: value, Max: value, Avg: value, First: value, Last: value, Count: Time.map(() => 1) },
  ...more,
})

test('bars and heat maps weigh means by their readings, and show nothing where nothing was read', () => {
  const bins = binned(series([0, 5, 25], [10, 20, 7], { Count: [1, 3, 1] }), { start: 0, end: 30 }, 3)
  expect(bins.map((b) => b.value)).toEqual([17.5, null, 7])
})

test('a state lasts until the next one; silence and bad readings are gaps, never a state', () => {
  const range = { start: 0, end: 100_000 }
  const point = { ExpectedMs: 1000 }
  const found = segmentsOf(series([0, 1000, 2000, 3000, 50_000, 51_000], [1, 1, 0, null, 1, 1]), point, range, 0)
  expect(found.map((s) => [s.start, s.end, s.value])).toEqual([
    [0, 2000, 1],
    [2000, 3000, 0],
    [50_000, 55_000, 1],
  ])
  const mixed = series([0, 1000], [0.5, 0.5], { Raw: false, Min: [0, 1], Max: [1, 1] })
  expect(segmentsOf(mixed, point, { start: 0, end: 2000 }, 1000).map((s) => s.value)).toEqual(['mixed', 1])
})

test('text knows headings, items and bold, and leaves everything else as it is, HTML included', () => {
  expect(blocksOf('# Pumps\n- **P1** runs\n<script>alert(1)</script>\n2 ** 3')).toEqual([
    { kind: 'heading', spans: [{ text: 'Pumps', bold: false }] },
    {
      kind: 'item',
      spans: [
        { text: 'P1', bold: true },
        { text: ' runs', bold: false },
      ],
    },
    { kind: 'line', spans: [{ text: '<script>alert(1)</script>', bold: false }] },
    { kind: 'line', spans: [{ text: '2 ** 3', bold: false }] },
  ])
})

test('rows of the chosen device are repeated for each of several devices, and what lies below gives way', () => {
  const widgets = [widget('t', 0, 0, 24, 2), widget('a', 0, 2, 12, 3), widget('b', 12, 3, 12, 4), widget('z', 0, 7, 24, 2)]
  const places = (devices: number[]) =>
    repeatedRows(widgets, devices, ({ Id }) => Id === 'b').map(({ device, head, widgets: row }) => [
      device,
      head,
      row.map(({ Id, Y }) => `${Id}${Y}`).join(' '),
    ])
  const once = [
    [undefined, 0, 't0'],
    [undefined, 2, 'a2 b3'],
    [undefined, 7, 'z7'],
  ]
  expect(places([])).toEqual(once)
  expect(places([5])).toEqual(once)
  expect(places([5, 6, 7])).toEqual([
    [undefined, 0, 't0'],
    [5, 2, 'a3 b4'],
    [6, 8, 'a9 b10'],
    [7, 14, 'a15 b16'],
    [undefined, 20, 'z20'],
  ])
})
