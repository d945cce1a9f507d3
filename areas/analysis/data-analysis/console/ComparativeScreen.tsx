import { Select, Table } from 'antd'
import { useMemo } from 'react'
import { namesOf } from '../../../../console/chart/names.ts'
import type { Range } from '../../../../console/chart/ranges.ts'
import { useCall } from '../../../../console/kernel/api.ts'
import { none, numberText, timeText } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import type { ParaInfo } from '../../../../contract/telemetry.ts'
import { analysisCalls, type StatisticsRow } from '../../telemetry/contract.ts'
import { Frame } from './Frame.tsx'
import { digitsOf, Figure, percentText, shownFigure, unitOf, useEnoughCoverage } from './figures.tsx'
import { earlierOf, earlierPeriods, isNotOver, useChoice, useExplore } from './useExplore.ts'

const most = 50

type Row = { point: ParaInfo; name: string; now: StatisticsRow | undefined; before: StatisticsRow | undefined }

/** Points in this period beside an earlier one. */
const ComparativeScreen = () => {
  const t = useWords()
  const enough = useEnoughCoverage()
  const explore = useExplore(most)
  const { points, ids, range, view } = explore
  const isPartial = useMemo(() => isNotOver(range, view.live, Date.now()), [range, view.live])
  const [period, setPeriod] = useChoice('with', earlierPeriods)
  const earlier = earlierOf(period, range)
  const asked = ({ start, end }: Range) => ({
    query: { ParaIds: ids.join(), Start: start, End: end },
    of: ['point'],
    enabled: ids.length > 0,
  })
  const [now, before] = [useCall(analysisCalls.statistics, asked(range)), useCall(analysisCalls.statistics, asked(earlier))]
  const rowsOf = (data: typeof now.data) => new Map((data?.Points ?? []).map((of) => [of.ParaId, of.Rows[0]]))
  const [here, there] = [rowsOf(now.data), rowsOf(before.data)]
  const names = namesOf(points)
  const rows = points.map((point, i): Row => ({ point, name: names[i]!, now: here.get(point.ParaId), before: there.get(point.ParaId) }))
  const rangeText = ({ start, end }: Range) => `${timeText(start).slice(0, 16)} – ${timeText(end).slice(0, 16)}`
  const figure = (p: ParaInfo, row: StatisticsRow | undefined) => (
    <Figure text={numberText(shownFigure(p, row), digitsOf(p), language())} coverage={row?.Coverage} />
  )
  const plain = (p: ParaInfo, value: number | null | undefined) => (
    <span className="figures">{p.CalDataType === 3 ? none : numberText(value, p.DecimalDigits, language())}</span>
  )
  const change = ({ point, now: a, before: b }: Row) => {
    const [x, y] = [shownFigure(point, a), shownFigure(point, b)]
    if (x === null || x === undefined || y === null || y === undefined) return none
    // What rounds to nothing has no sign.
    const more = Number((x - y).toFixed(digitsOf(point))) || 0
    const sign = more > 0 ? '+' : ''
    const share = y ? ` (${sign}${percentText(more && (x - y) / Math.abs(y))})` : ''
    return `${sign}${numberText(more, digitsOf(point), language())}${share}`
  }
  const error = now.error ?? before.error
  const refetch = () => Promise.all([now.refetch(), before.refetch()])
  return (
    <Frame
      code="m10306"
      explore={explore}
      answer={{ data: now.data && before.data, error, refetch }}
      tools={
        <>
          <Select
            value={period}
            onChange={setPeriod}
            options={earlierPeriods.map((value) => ({ value, label: t(`compare.${value}`) }))}
            aria-label={t('compare.with')}
            style={{ minWidth: 200 }}
          />
          <span className="soft figures">{rangeText(earlier)}</span>
        </>
      }
    >
      <div className="explore-table">
        <Table<Row>
          size="small"
          rowKey={(row) => row.point.ParaId}
          dataSource={rows}
          pagination={false}
          scroll={{ x: 900 }}
          columns={[
            { title: t('point'), width: 220, fixed: 'start', dataIndex: 'name' },
            {
              title: t('compare.what'),
              render: (_, { point }) => `${t(`compare.type.${point.CalDataType}`)}${unitOf(point) ? ` (${unitOf(point)})` : ''}`,
            },
            {
              title: isPartial ? `${t('compare.now')} (${t('explore.partial')})` : t('compare.now'),
              align: 'right',
              render: (_, { point, now: row }) => figure(point, row),
            },
            { title: t('compare.before'), align: 'right', render: (_, { point, before: row }) => figure(point, row) },
            { title: t('compare.change'), align: 'right', render: (_, row) => <span className="figures">{change(row)}</span> },
            { title: t('compare.min'), align: 'right', render: (_, { point, now: row }) => plain(point, row?.Min) },
            { title: t('compare.max'), align: 'right', render: (_, { point, now: row }) => plain(point, row?.Max) },
            {
              title: t('explore.coverageColumn'),
              align: 'right',
              render: (_, { now: row }) => <span className="figures">{percentText(row?.Coverage)}</span>,
            },
          ]}
        />
        <p className="faint">{t('compare.help', { percent: enough })}</p>
      </div>
    </Frame>
  )
}
export default ComparativeScreen
