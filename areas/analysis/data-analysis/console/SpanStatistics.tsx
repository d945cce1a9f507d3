import { Table } from 'antd'
import { namesOf } from '../../../../console/chart/names.ts'
import type { Range } from '../../../../console/chart/ranges.ts'
import { useCall } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { none, numberText, timeText } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import type { ParaInfo } from '../../../../contract/telemetry.ts'
import { analysisCalls, type StatisticsRow } from '../../telemetry/contract.ts'
import { Figure, percentText } from './figures.tsx'
import './explore.css'

type Row = { point: ParaInfo; name: string; row: StatisticsRow | undefined }

/** Figures of the time that a plot shows; zooming in chooses another one. */
export const SpanStatistics = ({ points, range }: { points: readonly ParaInfo[]; range: Range }) => {
  const t = useWords()
  const { data, error, refetch } = useCall(analysisCalls.statistics, {
    query: { ParaIds: points.map((p) => p.ParaId).join(), Start: Math.round(range.start), End: Math.round(range.end) },
    of: ['point'],
    enabled: points.length > 0,
  })
  const found = new Map((data?.Points ?? []).map((of) => [of.ParaId, of.Rows[0]]))
  const names = namesOf(points)
  const figure = (value: number | null | undefined, p: ParaInfo, more = 0) => (
    <span className="figures">{numberText(value, p.DecimalDigits + more, language())}</span>
  )
  const moment = (value: number | null | undefined, at: number | null | undefined, p: ParaInfo) => (
    <span className="figures" title={at ? timeText(at) : undefined}>
      {numberText(value, p.DecimalDigits, language())}
    </span>
  )
  if (error && !data) return <Failure fault={error} retry={() => refetch()} />
  return (
    <div className="explore-table">
      <h2 className="explore-head">
        {t('trend.statistics')}{' '}
        <span className="soft figures">
          {timeText(range.start).slice(0, 16)} – {timeText(range.end).slice(0, 16)}
        </span>
      </h2>
      <Table<Row>
        size="small"
        rowKey={({ point }) => point.ParaId}
        loading={!data && points.length > 0}
        dataSource={points.map((point, i) => ({ point, name: names[i]!, row: found.get(point.ParaId) }))}
        pagination={false}
        scroll={{ x: 860 }}
        columns={[
          {
            title: t('point'),
            width: 220,
            fixed: 'start',
            render: (_, { point: p, name }) => (p.ParaUnitName ? `${name} (${p.ParaUnitName})` : name),
          },
          {
            title: t('trend.mean'),
            align: 'right',
            render: (_, { point: p, row }) =>
              row ? <Figure text={numberText(row.Mean ?? row.Avg, p.DecimalDigits + 1, language())} coverage={row.Coverage} /> : none,
          },
          { title: t('compare.min'), align: 'right', render: (_, { point, row }) => moment(row?.Min, row?.MinTime, point) },
          { title: t('compare.max'), align: 'right', render: (_, { point, row }) => moment(row?.Max, row?.MaxTime, point) },
          { title: t('trend.deviation'), align: 'right', render: (_, { point, row }) => figure(row?.StdDev, point, 1) },
          { title: t('trend.sum'), align: 'right', render: (_, { point, row }) => figure(row?.Sum, point, 1) },
          {
            title: t('explore.coverageColumn'),
            align: 'right',
            render: (_, { row }) => <span className="figures">{percentText(row?.Coverage)}</span>,
          },
        ]}
      />
    </div>
  )
}
