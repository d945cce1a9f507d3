import { Button, Table } from 'antd'
import { Link } from 'react-router'
import { useRows } from '../../../../../console/kernel/api.ts'
import { EmptyList, Failure } from '../../../../../console/kernel/Empty.tsx'
import { RefInput } from '../../../../../console/kernel/RefInput.tsx'
import { useNow } from '../../../../../console/live/clock.ts'
import { useMay } from '../../../../../console/session/session.ts'
import { Page } from '../../../../../console/shell/Page.tsx'
import { Waiting } from '../../../../../console/shell/Waiting.tsx'
import { State } from '../../../../../console/theme/State.tsx'
import { none, numberText, timeText } from '../../../../../console/words/formats.ts'
import { language, useWords } from '../../../../../console/words/words.ts'
import { fullName } from '../../../../../contract/telemetry.ts'
import { project } from '../../../../configuration/projects/contract.ts'
import { useAllPoints } from '../../../telemetry/console/index.ts'
import { isLittle, percentText, useEnoughCoverage } from '../figures.tsx'
import { SaveTable } from '../SaveTable.tsx'
import { useAddress, useSteadyRange } from '../useExplore.ts'
import { coverageOf, mostChanged, summaryOf, type WeekOf } from './weeks.ts'
import '../charts/charts.css'
import { useCoverage, useWeeks } from './useWeeks.ts'

const dayMs = 86_400_000
const shown = 10

type ListProps = { title: string; rows: readonly WeekOf[]; columns: readonly [title: string, text: (row: WeekOf) => string][] }
/** Some points, each with the way to its curve. */
const Points = ({ title, rows, columns }: ListProps) => {
  const t = useWords()
  const sees = useMay('m10301')
  return (
    <section className="panel chart-panel" aria-label={title}>
      <div className="chart-head">
        <h2>{title}</h2>
        <SaveTable
          name={title}
          rows={[
            [t('point'), ...columns.map(([head]) => head)],
            ...rows.map((row) => [fullName(row.point), ...columns.map(([, text]) => text(row))]),
          ]}
        />
      </div>
      <Table<WeekOf>
        size="small"
        rowKey={({ point }) => point.ParaId}
        dataSource={rows.slice(0, shown)}
        pagination={false}
        scroll={{ x: 180 + 90 * columns.length }}
        locale={{ emptyText: t('overview.nothing') }}
        columns={[
          {
            title: t('point'),
            render: (_, { point }) =>
              sees ? <Link to={`/dataAnalysis/realTimeData?points=${point.ParaId}&range=7d`}>{fullName(point)}</Link> : fullName(point),
          },
          ...columns.map(([head, text]) => ({
            ...{ title: head, align: 'right' as const },
            render: (_: unknown, row: WeekOf) => <span className="figures">{text(row)}</span>,
          })),
        ]}
      />
    </section>
  )
}

const number = (value: number | null, digits = 0) => (value === null ? none : numberText(value, digits, language()))
const mean = ({ point }: WeekOf, value: number | null) => withUnitAfter(number(value, point.DecimalDigits + 1), point.ParaUnitName)
const withUnitAfter = (text: string, unit: string) => (text === none || !unit ? text : `${text} ${unit}`)

type Coverage = ReturnType<typeof useCoverage>
/** Points whose coverage is below the threshold, and the period it covers. */
const Uncovered = ({ weeks, coverage: { known, error, retry, end } }: { weeks: readonly WeekOf[]; coverage: Coverage }) => {
  const t = useWords()
  const enough = useEnoughCoverage()
  if (error && !known) return <Failure fault={error} retry={() => retry()} />
  if (!known)
    return (
      <section className="panel chart-panel" aria-label={t('overview.coverage')}>
        <Waiting />
      </section>
    )
  const { little, unknown } = coverageOf(weeks, known, enough)
  return (
    <div>
      <Points
        title={t('overview.uncovered', { percent: enough })}
        rows={little}
        columns={[[t('explore.coverageColumn'), ({ point }) => percentText(known.get(point.ParaId))]]}
      />
      <p className="faint">
        {t('overview.coverageOf', { time: timeText(end).slice(0, 16) })} {unknown > 0 && t('overview.coverageUnknown', { count: unknown })}
      </p>
    </div>
  )
}

const Summary = ({ weeks, left, end }: { weeks: readonly WeekOf[]; left: number; end: number }) => {
  const t = useWords()
  const ids = weeks.map(({ point }) => point.ParaId)
  const coverage = useCoverage(ids, end)
  const enough = useEnoughCoverage()
  const summary = summaryOf(weeks)
  const share = coverage.known && coverageOf(weeks, coverage.known, enough).mean
  const perDay: [string, (row: WeekOf) => string] = [t('overview.perDay'), (row) => number(row.perDay)]
  const figures = [
    ['points', number(weeks.length)],
    ['heard', number(summary.heard)],
    ['silent', number(summary.silent.length)],
    ['readings', number(summary.perDay)],
    [
      'coverage',
      isLittle(share, enough) ? (
        <State is="warning">{percentText(share)}</State>
      ) : coverage.known || coverage.error ? (
        percentText(share)
      ) : (
        '…'
      ),
    ],
  ] as const
  return (
    <>
      <div className="chart-figures">
        {figures.map(([name, value]) => (
          <div key={name} className="panel">
            <span className="soft">{t(`overview.${name}`)}</span>
            <strong className="figures">{value}</strong>
          </div>
        ))}
      </div>
      {left > 0 && <p className="soft">{t('overview.left', { count: left })}</p>}
      <Points
        title={t('overview.changed')}
        rows={mostChanged(weeks).slice(0, shown)}
        columns={[
          [t('overview.before'), (row) => mean(row, row.before)],
          [t('overview.now'), (row) => mean(row, row.now)],
          [t('overview.usual'), (row) => mean(row, row.spread)],
        ]}
      />
      <div className="chart-grid">
        <Uncovered weeks={weeks} coverage={coverage} />
        <Points title={t('overview.silentPoints')} rows={summary.silent} columns={[perDay]} />
        <Points title={t('overview.busiest')} rows={summary.busiest} columns={[perDay]} />
        <Points title={t('overview.quietest')} rows={summary.quietest} columns={[perDay]} />
      </div>
      <p className="faint">{t('overview.help')}</p>
    </>
  )
}

/** A project's data at a glance: what came in, what is silent, and what is not as it was the week before. */
const OverviewScreen = () => {
  const t = useWords()
  const { params, set } = useAddress()
  const projects = useRows(project, { PageIndex: 1, PageSize: 1 })
  const asked = Number(params.get('project')) || projects.data?.Items[0]?.Id
  const now = useNow()
  const { end } = useSteadyRange({ start: now - dayMs, end: now }, true)
  const mayStatus = useMay('m10328')
  const all = useAllPoints(asked, asked !== undefined)
  const { weeks, error, retry } = useWeeks(all.data?.points, end)
  const failed = projects.error ?? all.error ?? error
  return (
    <Page
      title={t('menu.m10326')}
      actions={
        mayStatus &&
        asked !== undefined && (
          <Link to={`/dataAnalysis/dataStatus?project=${asked}`}>
            <Button>{t('menu.m10328')}</Button>
          </Link>
        )
      }
    >
      <div className="search-bar">
        <RefInput
          to={project}
          value={asked ?? null}
          onChange={(id) => set({ project: id ?? undefined })}
          allowClear={false}
          aria-label={t('project')}
          style={{ maxWidth: 360 }}
        />
      </div>
      {failed && !weeks.length ? (
        <Failure fault={failed} retry={() => Promise.all([projects.refetch(), all.refetch(), retry()])} />
      ) : projects.data && asked === undefined ? (
        <EmptyList text={t('overview.noProject')} />
      ) : all.data && !all.data.points.length ? (
        <EmptyList text={t('overview.noPoints')} />
      ) : !weeks.length ? (
        <Waiting />
      ) : (
        <Summary weeks={weeks} left={all.data!.total - weeks.length} end={end} />
      )}
    </Page>
  )
}
export default OverviewScreen
