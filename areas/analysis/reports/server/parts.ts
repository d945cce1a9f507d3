import { FieldFaults } from '../../../../server/http/faults.ts'
import { word } from '../../../../server/http/words.ts'
import { ownTurn } from '../../../../server/jobs/ownTurn.ts'
import { periodsOf } from '../../../../server/telemetry/meaning/periods.ts'
import { divided } from '../../telemetry/server/service.ts'
import type { Block, Column, Part, ReportCell } from '../blocks.ts'
import { coverageOf, digitsOf, type Making, meanOf, shortNames, shownOf, taken, unitOf, withUnit } from './making.ts'
import { before } from './periods.ts'

/** Rows of a table, and tiles. */
export const most = { rows: 800, tiles: 24, divisions: 20_000 }

const whole = ({ span }: Pick<Making, 'span'>) => ({ edges: [span.start, span.end] })
type Table = Extract<Part, { Is: 'table' }>
const table = (Title: string, Columns: Column[], all: ReportCell[][]): Table => ({
  ...{ Is: 'table', Title, Columns, Rows: all.slice(0, most.rows), More: Math.max(0, all.length - most.rows) },
})
const text = (making: Making, key: string): Column => ({ Title: word(making.language, key), Is: 'text' })
const number = (Title: string, Digits: number): Column => ({ Title, Is: 'number', Digits })
const percent = (Title: string): Column => ({ Title, Is: 'percent', Digits: 1 })

/** Large figures, each with how much of the time its readings cover. */
export const figuresPart = async (making: Making, block: Block, Title: string): Promise<Part> => {
  const { points, meanings } = taken(making, block)
  const names = shortNames(points)
  const found = await making.figures(meanings.slice(0, most.tiles), whole(making))
  return {
    ...{ Is: 'figures', Title },
    Figures: found.map(({ parts: [part], timed }, i) => ({
      ...{ Name: names[i]!, Unit: unitOf(points[i]!, making.language), Digits: digitsOf(points[i]!) },
      ...{ Value: shownOf(points[i]!, part), Coverage: coverageOf(making, part, timed) },
    })),
  }
}

type Division = { edges: readonly number[]; heads: Column[]; headOf: (start: number, end: number) => ReportCell[] | null }

/** Shifts of the points' project; what lies between them is no row. */
const byShift = async ({ db, points, span, zone, now, language }: Making): Promise<Division> => {
  const ids = points.filter((p) => p.DeviceId > 0).map((p) => p.ParaId)
  const of = await divided(db, { ids, Start: span.start, End: span.end, By: 'shift' }, zone, now)
  return {
    edges: of?.periods.edges ?? [span.start, span.end],
    heads: ['explore.time', 'shift'].map((key) => ({ Title: word(language, key), Is: 'text' })),
    headOf: (start, end) => {
      const name = of?.nameOf({ start, end })
      return name ? [name.Day ?? '', name.Shift ?? ''] : null
    },
  }
}
const divisionOf = (making: Making, unit: NonNullable<Block['Unit']>): Division | Promise<Division> => {
  if (unit === 'shift') return byShift(making)
  const { edges } = periodsOf(unit, making.span.start, making.span.end, making.zone)
  // A table shows some hundred rows: no more are worked out.
  if (edges.length > most.divisions) throw new FieldFaults([{ field: 'Unit', rule: 'coarser.day' }], 'rangeTooLong')
  return {
    edges,
    heads: [{ Title: word(making.language, 'explore.time'), Is: unit === 'hour' ? 'time' : 'day' }],
    headOf: (start) => [start],
  }
}

/** One row per hour, day, week, month or shift. Many points are split over several tables; only rows that are shown are worked out. */
const byTime = async (making: Making, block: Block, title: string): Promise<Part[]> => {
  const { points, meanings } = taken(making, block)
  const { edges, heads, headOf } = await divisionOf(making, block.Unit ?? 'day')
  const divisions = edges.slice(0, -1).flatMap((start, at) => {
    const head = headOf(start, edges[at + 1]!)
    return head ? [{ at, head }] : []
  })
  const shown = divisions.slice(0, most.rows)
  const names = shortNames(points)
  const parts: Part[] = []
  for (let at = 0; at < points.length; at += making.columns) {
    await ownTurn()
    const some = points.slice(at, at + making.columns)
    const columns: Column[] = [...heads, ...some.map((p, i) => number(withUnit(names[at + i]!, unitOf(p, making.language)), digitsOf(p)))]
    const periods = { edges: edges.slice(0, (shown.at(-1)?.at ?? 0) + 2) }
    const found = shown.length ? await making.figures(meanings.slice(at, at + making.columns), periods) : []
    const rows = shown.map(({ at: row, head }) => [...head, ...some.map((p, i) => shownOf(p, found[i]!.parts[row]))])
    parts.push({ ...table(title, columns, rows), More: divisions.length - shown.length })
  }
  return parts
}

/** A row for each device; a name that several devices have is one column. */
const byDevice = async (making: Making, block: Block, title: string): Promise<Part[]> => {
  const { points, meanings } = taken(making, block)
  const found = await making.figures(meanings, whole(making))
  const names = [...new Set(points.map((p) => p.ParaName))]
  const devices = [
    ...Map.groupBy(
      points.map((p, i) => ({ p, value: shownOf(p, found[i]!.parts[0]) })),
      ({ p }) => p.DeviceId,
    ).values(),
  ]
  const parts: Part[] = []
  for (let at = 0; at < names.length; at += making.columns) {
    const some = names.slice(at, at + making.columns)
    const columns = some.map((name) => {
      const p = points.find((one) => one.ParaName === name)!
      return number(withUnit(name, unitOf(p, making.language)), digitsOf(p))
    })
    const rows = devices.map((of): ReportCell[] => [
      of[0]!.p.DeviceName,
      ...some.map((name) => of.find(({ p }) => p.ParaName === name)?.value ?? null),
    ])
    parts.push(table(title, [text(making, 'device'), ...columns], rows))
  }
  return parts
}

const statistics = async (making: Making, block: Block, title: string): Promise<Part[]> => {
  const { points, meanings } = taken(making, block)
  const found = await making.figures(meanings, whole(making))
  const names = shortNames(points)
  const t = (name: string) => word(making.language, `history.figure.${name}`)
  const digits = Math.max(0, ...points.map((p) => p.DecimalDigits))
  const columns = [
    text(making, 'point'),
    text(making, 'history.unit'),
    ...['Min', 'Max', 'Mean', 'First', 'Last', 'Sum'].map((name) => number(t(name), digits)),
    number(t('Count'), 0),
    percent(word(making.language, 'explore.coverageColumn')),
  ]
  const rows = points.map((p, i): ReportCell[] => {
    const { parts, timed } = found[i]!
    const part = parts[0]!
    const figures = [part.min, part.max, meanOf(part), part.first, part.last, part.total]
    return [names[i]!, p.ParaUnitName, ...figures, part.count, coverageOf(making, part, timed)]
  })
  return [table(title, columns, rows)]
}

const comparison = async (making: Making, block: Block, title: string): Promise<Part[]> => {
  const { points, meanings } = taken(making, block)
  const earlier = before(making.asked, making.span, making.zone)
  const [now, then] = [
    await making.figures(meanings, whole(making)),
    await making.figures(meanings, { edges: [earlier.start, earlier.end] }),
  ]
  const names = shortNames(points)
  const t = (key: string) => word(making.language, key)
  const digits = Math.max(0, ...points.map(digitsOf))
  const columns = [
    text(making, 'point'),
    ...['report.thisPeriod', 'report.periodBefore', 'report.difference'].map((key) => number(t(key), digits)),
    percent(t('report.change')),
  ]
  const rows = points.map((p, i): ReportCell[] => {
    const [a, b] = [shownOf(p, now[i]!.parts[0]), shownOf(p, then[i]!.parts[0])]
    const apart = a !== null && b !== null ? a - b : null
    return [withUnit(names[i]!, unitOf(p, making.language)), a, b, apart, apart !== null && b ? apart / Math.abs(b) : null]
  })
  return [table(title, columns, rows)]
}

const coverage = async (making: Making, title: string): Promise<Part[]> => {
  const found = await making.figures(making.meanings, whole(making), 'moments')
  const names = shortNames(making.points)
  const t = (key: string) => word(making.language, key)
  const columns: Column[] = [
    text(making, 'point'),
    percent(t('explore.coverageColumn')),
    ...['history.figure.Count', 'report.uncertain', 'report.bad'].map((key) => number(t(key), 0)),
    { Title: t('report.lastReading'), Is: 'time' },
  ]
  const rows = found.map(({ parts: [part], timed }, i): ReportCell[] => [
    ...[names[i]!, coverageOf(making, part, timed), part!.count, part!.uncertain, part!.bad, part!.lastAt],
  ])
  return [table(title, columns, rows)]
}

/** How long values were out of their limits, of points that have some. */
const limits = async (making: Making, title: string): Promise<Part[]> => {
  const has = ({ AlarmLow, AlarmHigh }: Making['points'][number]) => AlarmLow !== null || AlarmHigh !== null
  const points = making.points.filter(has)
  const found = await making.figures(
    making.meanings.filter((_, i) => has(making.points[i]!)),
    whole(making),
    'moments',
  )
  const names = shortNames(points)
  const t = (key: string) => word(making.language, key)
  const digits = Math.max(0, ...points.map((p) => p.DecimalDigits))
  const columns: Column[] = [
    text(making, 'point'),
    ...['point.AlarmLow', 'point.AlarmHigh', 'history.figure.Min', 'history.figure.Max'].map((key) => number(t(key), digits)),
    ...['report.belowFor', 'report.aboveFor'].map((key): Column => ({ Title: t(key), Is: 'duration' })),
    number(t('report.excursions'), 0),
  ]
  const rows = points.map((p, i): ReportCell[] => {
    const { parts, basis } = found[i]!
    const part = parts[0]!
    const times = basis === 'readings' ? [part.lowMs, part.highMs, part.excursions] : [null, null, null]
    return [withUnit(names[i]!, p.ParaUnitName), p.AlarmLow, p.AlarmHigh, part.min, part.max, ...times]
  })
  return [table(title, columns, rows)]
}

/** Times on and off of states. */
export const ioPart = async (making: Making, title: string): Promise<Part> => {
  const { points, meanings } = taken(making, { Points: 'states' })
  const found = await making.figures(meanings, whole(making), 'moments')
  const names = shortNames(points)
  const duration = (key: string): Column => ({ Title: word(making.language, key), Is: 'duration' })
  const columns = [
    text(making, 'point'),
    ...['io.OnMs', 'io.OffMs', 'io.UnknownMs', 'io.LongestOnMs'].map(duration),
    number(word(making.language, 'io.Switchings'), 0),
  ]
  const rows = found.map(({ parts: [part], basis, timed }, i): ReportCell[] => {
    if (!timed || !part) return [names[i]!, null, null, null, null, null]
    const unknown = Math.max(0, Math.min(part.end, making.now) - part.start - part.onMs - part.offMs)
    return [names[i]!, part.onMs, part.offMs, unknown, basis === 'readings' ? part.longestOnMs : null, part.switchings]
  })
  return table(title, columns, rows)
}

export const tableParts = (making: Making, block: Block, title: string): Promise<Part[]> => {
  if (block.Type === 'timeTable') return byTime(making, block, title)
  if (block.Type === 'deviceTable') return byDevice(making, block, title)
  if (block.Type === 'comparison') return comparison(making, block, title)
  if (block.Type === 'limits') return limits(making, title)
  return block.Type === 'coverage' ? coverage(making, title) : statistics(making, block, title)
}
