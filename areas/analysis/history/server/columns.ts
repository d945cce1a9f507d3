// Columns of the file, and the rows that single readings and figures come to.
import { fullName, Quality, type Series } from '../../../../contract/telemetry.ts'
import type { TableCell, TableColumn } from '../../../../server/files/table/table.ts'
import { word } from '../../../../server/http/words.ts'
import type { HistoryFigure } from '../contract.ts'
import { figureOf, isState } from '../figure.ts'
import type { HistoryJob } from './job.ts'

/** One reading or bucket of a point. Its cells are adjacent, in the order of `figures`. */
export type Entry = { time: number; at: number; figures: readonly TableCell[] }

type Point = HistoryJob['points'][number]
const qualities = ['good', 'uncertain', 'timeout', 'exception', 'notConfigured'] as const
export const qualityText = (quality: number, job: Pick<HistoryJob, 'language'>) =>
  quality === Quality.good ? '' : word(job.language, `reading.${qualities[quality] ?? 'uncertain'}`)

const digitsOf = (p: Point, figure: HistoryFigure) => (figure === 'Count' ? 0 : figure === 'Value' && isState(p) ? 1 : p.DecimalDigits)
const unitOf = (job: HistoryJob, p: Point, figure: HistoryFigure) => {
  if (figure === 'Count') return ''
  return job.unit !== 'raw' && figure === 'Value' && isState(p) ? word(job.language, 'explore.shareOn') : p.ParaUnitName
}

/** The columns of one point. `name`: of the point, empty where rows name it. */
const columnsOf = (job: HistoryJob, p: Point, name: string): TableColumn[] => {
  const { language } = job
  const titled = (...parts: string[]) => parts.filter(Boolean).join(' · ')
  const figures = job.unit === 'raw' ? (['Value'] as const) : job.figures
  const columns = figures.map((figure): TableColumn => {
    const unit = name ? unitOf(job, p, figure) : ''
    const said = figure === 'Value' ? (name ? '' : word(language, 'explore.value')) : word(language, `history.figure.${figure}`)
    const title = titled(name, said)
    return { title: unit ? `${title} (${unit})` : title, is: 'number', digits: digitsOf(p, figure) }
  })
  if (job.unit === 'raw' && job.quality) columns.push({ title: titled(name, word(language, 'explore.quality')), is: 'text' })
  if (job.unit !== 'raw' && job.coverage)
    columns.push({ title: titled(name, word(language, 'explore.coverageColumn')), is: 'number', digits: 3 })
  return columns
}

const bucketValue = (p: Point, s: Series, i: number, figure: HistoryFigure): number | null => {
  if (figure === 'Value') return figureOf(p, s, i).value
  return s[figure]?.[i] ?? null
}
/** The cells of a bucket. */
export const figuresOf = (job: HistoryJob, p: Point, s: Series, i: number): TableCell[] => [
  ...job.figures.map((figure) => bucketValue(p, s, i, figure)),
  ...(job.coverage ? [s.Coverage?.[i] ?? null] : []),
]

type Layout = { columns: TableColumn[]; rows: (entries: readonly Entry[]) => TableCell[][] }

/** Entries come by time, and of one time by the place of their point. */
const inRows = (job: HistoryJob): Layout => {
  const { language, points } = job
  const text = (key: string): TableColumn => ({ title: word(language, key), is: 'text' })
  const mostDigits = Math.max(...points.map((p) => p.DecimalDigits))
  const own = columnsOf(job, { ...points[0]!, DecimalDigits: mostDigits }, '')
  return {
    columns: [{ title: word(language, 'explore.time'), is: 'time' }, text('device'), text('point'), ...own, text('history.unit')],
    rows: (entries) =>
      entries.map(({ time, at, figures }) => {
        const p = points[at]!
        return [time, p.DeviceName, p.ParaName, ...figures, unitOf(job, p, job.unit === 'raw' ? 'Value' : job.figures[0]!)]
      }),
  }
}

const pivoted = (job: HistoryJob): Layout => {
  const { language, points, shape } = job
  const byDevice = shape === 'device'
  const names = points.map((p) => (byDevice ? p.ParaName : fullName(p)))
  const keys = [...new Set(byDevice ? names : points.map((p) => String(p.ParaId)))]
  const keyOf = (i: number) => (byDevice ? names[i]! : String(points[i]!.ParaId))
  const groups = keys.map((key) =>
    columnsOf(job, points[points.findIndex((_, i) => keyOf(i) === key)]!, names[points.findIndex((_, i) => keyOf(i) === key)]!),
  )
  const lead = byDevice ? 2 : 1
  const width = groups[0]!.length
  const placeOf = points.map((_, i) => lead + keys.indexOf(keyOf(i)) * width)
  const total = lead + groups.length * width
  return {
    columns: [
      { title: word(language, 'explore.time'), is: 'time' },
      ...(byDevice ? [{ title: word(language, 'device'), is: 'text' as const }] : []),
      ...groups.flat(),
    ],
    rows: (entries) => {
      const rows = new Map<string | number, TableCell[]>()
      for (const { time, at, figures } of entries) {
        const { DeviceId, DeviceName } = points[at]!
        const key = byDevice ? `${time} ${DeviceId}` : time
        let row = rows.get(key)
        if (!row) {
          row = new Array<TableCell>(total).fill(null)
          row[0] = time
          if (byDevice) row[1] = DeviceName
          rows.set(key, row)
        }
        for (const [i, figure] of figures.entries()) row[placeOf[at]! + i] = figure
      }
      const all = [...rows.values()]
      return byDevice ? all.sort((a, b) => Number(a[0]) - Number(b[0]) || String(a[1]).localeCompare(String(b[1]))) : all
    },
  }
}

export const layoutOf = (job: HistoryJob): Layout => (job.shape === 'rows' ? inRows(job) : pivoted(job))
