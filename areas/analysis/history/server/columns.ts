// Column layout of exported files. Runs on the main thread, since loading the translations takes too much memory in a worker.
import type { Language } from '../../../../contract/languages.ts'
import { fullName, Quality } from '../../../../contract/telemetry.ts'
import type { TableColumn } from '../../../../server/files/table/table.ts'
import { word } from '../../../../server/http/words.ts'
import { nameOfShift } from '../../telemetry/server/service.ts'
import type { HistoryFigure } from '../contract.ts'
import { isState, shiftTitle } from '../figure.ts'
import type { Layout } from './blocks.ts'
import type { HistoryJob } from './job.ts'

/** A job before its columns are laid out. */
export type Planned = Omit<HistoryJob, 'layout' | 'qualities' | 'offsetTitle'> & { language: Language; quality: boolean }
type Point = Planned['points'][number]
const qualities = ['good', 'uncertain', 'timeout', 'exception', 'notConfigured'] as const
const qualityText = (quality: number, job: Pick<Planned, 'language'>) =>
  quality === Quality.good ? '' : word(job.language, `reading.${qualities[quality] ?? 'uncertain'}`)

const digitsOf = (p: Point, figure: HistoryFigure) => (figure === 'Count' ? 0 : figure === 'Value' && isState(p) ? 1 : p.DecimalDigits)
const unitOf = (job: Planned, p: Point, figure: HistoryFigure) => {
  if (figure === 'Count') return ''
  return job.unit !== 'raw' && figure === 'Value' && isState(p) ? word(job.language, 'explore.shareOn') : p.ParaUnitName
}

/** The columns of one point. `name`: of the point, empty where rows name it. */
const columnsOf = (job: Planned, p: Point, name: string): TableColumn[] => {
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

const textColumn = ({ language }: Planned, key: string): TableColumn => ({ title: word(language, key), is: 'text' })
/** Time and shift columns. */
const leadOf = (job: Planned): TableColumn[] => [
  { title: word(job.language, 'explore.time'), is: 'time' },
  ...(job.unit === 'shift' ? [textColumn(job, 'shift')] : []),
]
const labelOf = ({ unit, shifts, start }: Planned): Pick<Layout, 'label'> => {
  if (unit !== 'shift') return {}
  // The first shift is clipped to the start of the range.
  const names = new Map(shifts.map((shift) => [Math.max(shift.start, start), shiftTitle(nameOfShift(shift))]))
  return { label: { column: 1, names } }
}

/** One row per reading, sorted by time, then by point. */
const inRows = (job: Planned): Layout => {
  const { points } = job
  const lead = leadOf(job).length
  const mostDigits = Math.max(...points.map((p) => p.DecimalDigits))
  const own = columnsOf(job, { ...points[0]!, DecimalDigits: mostDigits }, '')
  const figure = job.unit === 'raw' ? 'Value' : job.figures[0]!
  return {
    columns: [...leadOf(job), textColumn(job, 'device'), textColumn(job, 'point'), ...own, textColumn(job, 'history.unit')],
    ...labelOf(job),
    groups: points.map((p, at) => ({
      points: [at],
      texts: new Map([
        [lead, p.DeviceName],
        [lead + 1, p.ParaName],
        [lead + 2 + own.length, unitOf(job, p, figure)],
      ]),
    })),
    placeOf: points.map(() => lead + 2),
  }
}

const pivoted = (job: Planned): Layout => {
  const { points, shape } = job
  const byDevice = shape === 'device'
  const names = points.map((p) => (byDevice ? p.ParaName : fullName(p)))
  const keys = points.map((p, i) => (byDevice ? names[i]! : String(p.ParaId)))
  const unique = [...new Set(keys)]
  const columns = unique.map((key) => columnsOf(job, points[keys.indexOf(key)]!, names[keys.indexOf(key)]!))
  const first = leadOf(job)
  const lead = first.length + Number(byDevice)
  const all = points.map((_, at) => at)
  const devices = [...Map.groupBy(all, (at) => points[at]!.DeviceId).values()].map((at) => ({
    points: at,
    name: points[at[0]!]!.DeviceName,
  }))
  return {
    columns: [...first, ...(byDevice ? [textColumn(job, 'device')] : []), ...columns.flat()],
    ...labelOf(job),
    groups: byDevice
      ? devices.sort((a, b) => a.name.localeCompare(b.name)).map(({ points, name }) => ({ points, texts: new Map([[first.length, name]]) }))
      : [{ points: all, texts: new Map() }],
    placeOf: keys.map((key) => lead + unique.indexOf(key) * columns[0]!.length),
  }
}

const layoutOf = (job: Planned): Layout => (job.shape === 'rows' ? inRows(job) : pivoted(job))

/** Lays out the columns of a job, in the language of the person who requested it. */
export const laidOut = ({ language, quality, ...job }: Planned): HistoryJob => ({
  ...job,
  layout: layoutOf({ ...job, language, quality }),
  qualities: quality ? Array.from({ length: 256 }, (_, of) => qualityText(of, { language }) || null) : null,
  offsetTitle: word(language, 'history.offset'),
})
