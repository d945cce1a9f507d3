import { Table } from 'antd'
import { namesOf } from '../../../../console/chart/names.ts'
import { none, numberText, timeText } from '../../../../console/words/formats.ts'
import { language, useWords, type Words } from '../../../../console/words/words.ts'
import type { ParaInfo, SeriesAnswer } from '../../../../contract/telemetry.ts'
import { figureOf, isState, type ShownFigure } from '../../history/figure.ts'
import { Figure, useEnoughCoverage, withUnit } from './figures.tsx'

export type BucketRow = { key: string; time: number; device: string; cells: Map<string, ShownFigure> }
type Shape = 'time' | 'device'
type Unit = 'minute' | 'hour' | 'shift' | 'day'
/** What names a bucket where its time alone does not: a shift. */
type Labels = ReadonlyMap<number, string>

/** A day is named by the company's calendar, a moment by the reader's clock. */
const bucketText = (at: number, { unit, zone, labels }: Pick<Props, 'unit' | 'zone' | 'labels'>) =>
  labels?.get(at) ?? (unit === 'day' ? timeText(at, zone).slice(0, 10) : timeText(at).slice(0, 16))

/** A column is a point, or where devices have rows of their own, a name that several of their points have. */
const columnOf = (p: ParaInfo, shape: Shape) => (shape === 'device' ? p.ParaName : String(p.ParaId))
export const columnsIn = (points: readonly ParaInfo[], shape: Shape, t: Words) => {
  const names = namesOf(points)
  const titled = points.map((p, i) => ({
    key: columnOf(p, shape),
    title: shape === 'device' ? p.ParaName : names[i]!,
    unit: isState(p) ? t('explore.shareOn') : p.ParaUnitName,
  }))
  return titled.filter((column, i) => titled.findIndex((one) => one.key === column.key) === i)
}

export const bucketRows = (answer: SeriesAnswer, points: readonly ParaInfo[], shape: Shape): BucketRow[] => {
  const rows = new Map<string, BucketRow>()
  const series = new Map(answer.Series.map((s) => [s.ParaId, s]))
  for (const p of points) {
    const s = series.get(p.ParaId)
    for (const [i, time] of (s?.Time ?? []).entries()) {
      const key = shape === 'device' ? `${time} ${p.DeviceId}` : String(time)
      const row = rows.get(key) ?? { key, time, device: p.DeviceName, cells: new Map<string, ShownFigure>() }
      rows.set(key, row)
      row.cells.set(columnOf(p, shape), figureOf(p, s!, i))
    }
  }
  return [...rows.values()].sort((a, b) => a.time - b.time || a.device.localeCompare(b.device))
}

/** `zone`: the company's, in which days are days. */
type Props = { rows: readonly BucketRow[]; points: readonly ParaInfo[]; shape: Shape; unit: Unit; zone: string; labels?: Labels }

/** Buckets as rows, points as columns; only the rows in sight are drawn. */
export const BucketTable = ({ rows, points, shape, ...of }: Props) => {
  const t = useWords()
  const enough = useEnoughCoverage()
  const columns = columnsIn(points, shape, t)
  return (
    <div className="explore-table">
      <Table<BucketRow>
        size="small"
        virtual
        rowKey="key"
        dataSource={rows}
        pagination={false}
        scroll={{ y: 420, x: 180 + columns.length * 150 + (shape === 'device' ? 160 : 0) }}
        locale={{ emptyText: t('explore.noData') }}
        columns={[
          {
            title: t('explore.time'),
            width: 160,
            fixed: 'start',
            render: (_, row) => <span className="figures">{bucketText(row.time, of)}</span>,
          },
          ...(shape === 'device' ? [{ title: t('device'), width: 160, render: (_: unknown, row: BucketRow) => row.device }] : []),
          ...columns.map(({ key, title, unit }) => ({
            title: withUnit(title, unit),
            key,
            width: 150,
            align: 'right' as const,
            render: (_: unknown, row: BucketRow) => {
              const entry = row.cells.get(key)
              return entry ? <Figure text={numberText(entry.value, entry.digits, language())} coverage={entry.coverage} /> : none
            },
          })),
        ]}
      />
      <p className="faint">{t('explore.tableHelp', { percent: enough })}</p>
    </div>
  )
}
