// From answers of the server to charts, each with the table behind it. Pure.
import { namesOf } from '../../../../../console/chart/names.ts'
import { timeText } from '../../../../../console/words/formats.ts'
import type { Words } from '../../../../../console/words/words.ts'
import type { Answer } from '../../../../../contract/call.ts'
import type { Cell } from '../../../../../contract/cell.ts'
import type { ParaInfo } from '../../../../../contract/telemetry.ts'
import type { ChartKind, ChartUnit } from '../../../charts/contract.ts'
import { paintBars, paintBoxes, paintPareto, paintStacked } from '../../../reports/bars.ts'
import { paintGrid, paintPie } from '../../../reports/maps.ts'
import { paintCurves, paintHistogram } from '../../../reports/spread.ts'
import { type analysisCalls, quantileShares, type StatisticsRow } from '../../../telemetry/contract.ts'
import { digitsOf, shownFigure, unitOf, withUnit } from '../figures.tsx'
import type { Paint } from './ChartPanel.tsx'

export type Built = { key: string; title: string; paint: Paint; table: Cell[][]; height?: number }
type Statistics = Answer<typeof analysisCalls.statistics>
type Distribution = Answer<typeof analysisCalls.distribution>

type Part = Pick<StatisticsRow, 'Start' | 'Shift' | 'Day'>
const lengths = { hour: [5, 16], day: [5, 10], week: [5, 10], month: [0, 7], shift: [0, 0] } as const
/** A part of the time as a chart names it: the company's day, hour or month, or a shift. */
export const partText = ({ Start, Shift, Day }: Part, unit: ChartUnit, zone: string) =>
  Shift ? `${Day?.slice(5)} ${Shift}` : timeText(Start, zone).slice(...lengths[unit])

/** Distinguishable series colours. */
const mostSeries = 7
type Named = { point: ParaInfo; name: string }
/** Points that one scale can hold together. */
const byUnit = (points: readonly ParaInfo[], of: (p: ParaInfo) => string): { unit: string; of: Named[] }[] => {
  const names = namesOf(points)
  const named = points.map((point, i) => ({ point, name: names[i]! }))
  return [...Map.groupBy(named, ({ point }) => of(point))].flatMap(([unit, all]) =>
    Array.from({ length: Math.ceil(all.length / mostSeries) }, (_, i) => ({ unit, of: all.slice(i * mostSeries, (i + 1) * mostSeries) })),
  )
}
const titleOf = (of: readonly Named[], unit: string) => withUnit(of.map(({ name }) => name).join(', '), unit)
const fixed = (value: number | null | undefined, p: ParaInfo) =>
  value === null || value === undefined ? null : Number(value.toFixed(digitsOf(p) + 1))

const barsOf = (
  kind: 'bars' | 'stacked',
  points: readonly ParaInfo[],
  { Points, TimeZone }: Statistics,
  unit: ChartUnit,
  t: Words,
): Built[] =>
  byUnit(points, unitOf).map((group, i) => {
    const rowsOf = group.of.map(({ point }) => Points.find(({ ParaId }) => ParaId === point.ParaId)?.Rows ?? [])
    const starts = [...new Map(rowsOf.flat().map((row) => [row.Start, row])).values()].sort((a, b) => a.Start - b.Start)
    const partial = starts.map((row) => row.Partial === 1)
    const labels = starts.map((row) => partText(row, unit, TimeZone))
    const values = rowsOf.map((rows, s) => {
      const at = new Map(rows.map((row) => [row.Start, fixed(shownFigure(group.of[s]!.point, row), group.of[s]!.point)]))
      return starts.map(({ Start }) => at.get(Start) ?? null)
    })
    const bars = { names: group.of.map(({ name }) => name), labels, values, unit: group.unit, partial }
    const head = [t('explore.period'), ...bars.names.map((name) => withUnit(name, group.unit))]
    return {
      ...{ key: `${i}`, title: titleOf(group.of, group.unit) },
      paint: (look) => (kind === 'bars' ? paintBars : paintStacked)(bars, look),
      table: [
        head,
        ...labels.map((label, k): Cell[] => [partial[k] ? `${label} (${t('explore.partial')})` : label, ...values.map((of) => of[k]!)]),
      ],
    }
  })

/** Parts of a whole: what was counted, added up or on. Means have no whole. */
const partsOf = (kind: 'pareto' | 'pie', points: readonly ParaInfo[], { Points }: Statistics, t: Words): Built[] =>
  byUnit(
    points.filter((p) => p.CalDataType !== 0),
    unitOf,
  ).map((group, i) => {
    const parts = group.of
      .map(({ point, name }) => ({
        name,
        value: Math.max(0, fixed(shownFigure(point, Points.find(({ ParaId }) => ParaId === point.ParaId)?.Rows[0]), point) ?? 0),
      }))
      .sort((a, b) => b.value - a.value)
    const all = parts.reduce((sum, { value }) => sum + value, 0)
    const share = (value: number) => (all ? Number(((100 * value) / all).toFixed(1)) : 0)
    const bars = { names: ['one'], labels: parts.map(({ name }) => name), values: [parts.map(({ value }) => value)], unit: group.unit }
    return {
      ...{ key: `${i}`, title: titleOf(group.of, group.unit) },
      paint: (look) =>
        kind === 'pareto'
          ? paintPareto(bars, look)
          : paintPie(
              parts.map(({ name, value }) => ({
                name,
                value,
                title: `${name}: ${look.number(value)} ${group.unit} · ${look.number(share(value))} %`,
              })),
              look,
            ),
      table: [
        [t('point'), withUnit(t('chart.amount'), group.unit), '%'],
        ...parts.map(({ name, value }): Cell[] => [name, value, share(value)]),
      ],
    }
  })

const weekdays = (locale: string) =>
  Array.from({ length: 7 }, (_, i) =>
    new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' }).format(Date.UTC(2024, 0, 1 + i)),
  )
const dayMs = 86_400_000

type Cells = {
  rows: string[]
  columns: string[]
  at: (r: number, c: number) => StatisticsRow | undefined
  place: (r: number, c: number) => string
}
const gridOf = ({ point, name }: Named, key: string, { rows, columns, at, place }: Cells, t: Words): Built => {
  const value = (r: number, c: number) => fixed(shownFigure(point, at(r, c)), point)
  const cells = (number: (value: number) => string) =>
    rows.map((_, r) =>
      columns.map((__, c) => {
        const found = value(r, c)
        return { value: found, title: `${place(r, c)}: ${found === null ? t('explore.noData') : `${number(found)} ${unitOf(point)}`}` }
      }),
    )
  const known = rows.flatMap((_, r) => columns.flatMap((__, c) => value(r, c) ?? []))
  // Lower and upper end of the colour scale.
  const ends = known.length ? ` · ${Math.min(...known)} … ${Math.max(...known)}` : ''
  return {
    ...{ key, title: `${withUnit(name, unitOf(point))}${ends}`, height: 230 },
    paint: (look) => paintGrid({ rows, columns, cells: cells(look.number) }, look),
    table: [['', ...columns], ...rows.map((row, r): Cell[] => [row, ...columns.map((_, c) => value(r, c))])],
  }
}

const gridsOf = (
  kind: 'heat' | 'calendar',
  points: readonly ParaInfo[],
  { Points, TimeZone }: Statistics,
  t: Words,
  locale: string,
): Built[] => {
  const names = namesOf(points)
  const days = weekdays(locale)
  return points.map((point, i) => {
    const found = Points.find(({ ParaId }) => ParaId === point.ParaId)?.Rows ?? []
    const named = { point, name: names[i]! }
    if (kind === 'heat') {
      const at = new Map(found.map((row) => [row.Start, row]))
      const columns = Array.from({ length: 24 }, (_, h) => String(h).padStart(2, '0'))
      return gridOf(
        named,
        `${i}`,
        { rows: days, columns, at: (r, c) => at.get(r * 24 + c), place: (r, c) => `${days[r]} ${columns[c]}:00` },
        t,
      )
    }
    // A day by its number, so that weeks begin on Monday.
    const number = (row: StatisticsRow) => Math.floor(Date.parse(`${timeText(row.Start, TimeZone).slice(0, 10)}T00:00:00Z`) / dayMs)
    const at = new Map(found.map((row) => [number(row), row]))
    const [first, last] = [Math.min(...at.keys()), Math.max(...at.keys())]
    const monday = first - ((first + 3) % 7)
    const columns = found.length ? Array.from({ length: Math.floor((last - monday) / 7) + 1 }, (_, w) => dayText(monday + 7 * w)) : []
    const place = (r: number, c: number) => dayText(monday + 7 * c + r, 0)
    return gridOf(named, `${i}`, { rows: days, columns, at: (r, c) => at.get(monday + 7 * c + r), place }, t)
  })
}
const dayText = (day: number, from = 5) => new Date(day * dayMs).toISOString().slice(from, 10)

export const builtOfStatistics = (
  kind: ChartKind,
  points: readonly ParaInfo[],
  data: Statistics,
  unit: ChartUnit,
  t: Words,
  locale: string,
) => {
  if (kind === 'bars' || kind === 'stacked') return barsOf(kind, points, data, unit, t)
  if (kind === 'pareto' || kind === 'pie') return partsOf(kind, points, data, t)
  return kind === 'heat' || kind === 'calendar' ? gridsOf(kind, points, data, t, locale) : []
}

const ofPoint = (data: Distribution, p: ParaInfo) => data.Points.find(({ ParaId }) => ParaId === p.ParaId)

const boxesOf = (points: readonly ParaInfo[], data: Distribution, unit: ChartUnit, t: Words): Built[] =>
  byUnit(points, (p) => p.ParaUnitName).map((group, i) => {
    const rowsOf = group.of.map(({ point }) => ofPoint(data, point)?.Rows ?? [])
    const starts = [...new Map(rowsOf.flat().map((row) => [row.Start, row])).values()].sort((a, b) => a.Start - b.Start)
    const labels = starts.map((row) => partText(row, unit, data.TimeZone))
    const boxes = rowsOf.map((rows) => {
      const at = new Map(rows.map((row) => [row.Start, row.Box]))
      return starts.map(({ Start }) => {
        const [low, quarter, middle, threeQuarters, high] = at.get(Start) ?? []
        return low === undefined ? null : { low, quarter: quarter!, middle: middle!, threeQuarters: threeQuarters!, high: high! }
      })
    })
    const names = group.of.map(({ name }) => name)
    const head = [
      t('explore.period'),
      t('point'),
      ...['min', 'quarter', 'median', 'threeQuarters', 'max'].map((name) => t(`chart.${name}`)),
    ]
    const table = boxes.flatMap((of, s) =>
      of.flatMap((box, k): Cell[][] =>
        box ? [[labels[k]!, names[s]!, box.low, box.quarter, box.middle, box.threeQuarters, box.high]] : [],
      ),
    )
    return {
      ...{ key: `${i}`, title: titleOf(group.of, group.unit) },
      paint: (look) => paintBoxes({ names, labels, boxes, unit: group.unit }, look),
      table: [head, ...table],
    }
  })

export const builtOfDistribution = (
  kind: ChartKind,
  points: readonly ParaInfo[],
  data: Distribution,
  unit: ChartUnit,
  t: Words,
): Built[] => {
  if (kind === 'box') return boxesOf(points, data, unit, t)
  const names = namesOf(points)
  if (kind === 'histogram')
    return points.map((point, i) => {
      const { Bins, HeldMs } = ofPoint(data, point) ?? { Bins: { Low: 0, Width: 1, Ms: [] }, HeldMs: 0 }
      const shares = Bins.Ms.map((ms) => (HeldMs ? ms / HeldMs : 0))
      const edge = (k: number) => Number((Bins.Low + k * Bins.Width).toPrecision(12))
      const unit = point.ParaUnitName
      return {
        ...{ key: `${i}`, title: withUnit(names[i]!, unit) },
        paint: (look) => paintHistogram({ name: names[i]!, unit, low: Bins.Low, width: Bins.Width, shares }, look),
        table: [
          [withUnit(t('io.from'), unit), withUnit(t('io.to'), unit), t('chart.shareOfTime')],
          ...shares.map((share, k): Cell[] => [edge(k), edge(k + 1), Number((100 * share).toFixed(2))]),
        ],
      }
    })
  return byUnit(points, (p) => p.ParaUnitName).map((group, i) => {
    const curves = group.of.map(({ point, name }) => {
      const quantiles = ofPoint(data, point)?.Quantiles ?? []
      // Sorted from the highest: after x % of the time the value is reached no more.
      return { name, unit: group.unit, x: quantiles.map((_, k) => 100 * quantileShares[k]!), y: quantiles.toReversed() }
    })
    return {
      ...{ key: `${i}`, title: titleOf(group.of, group.unit) },
      paint: (look) => paintCurves(curves, look),
      table: [
        [t('chart.reachedFor'), ...curves.map(({ name }) => withUnit(name, group.unit))],
        ...quantileShares.map((share, k): Cell[] => [Math.round(100 * share), ...curves.map(({ y }) => y[k] ?? null)]),
      ],
    }
  })
}
