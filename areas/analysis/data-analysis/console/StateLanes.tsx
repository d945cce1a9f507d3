import { Button } from 'antd'
import { Fragment, useState } from 'react'
import { namesOf } from '../../../../console/chart/names.ts'
import type { Range } from '../../../../console/chart/ranges.ts'
import { useCall } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { valueText } from '../../../../console/live/valueText.ts'
import { Waiting } from '../../../../console/shell/Waiting.tsx'
import { timeText } from '../../../../console/words/formats.ts'
import { useWords, type Words } from '../../../../console/words/words.ts'
import type { ParaInfo } from '../../../../contract/telemetry.ts'
import { PlainTable } from '../../telemetry/console/PlainTable.tsx'
import { analysisCalls, type IoRun } from '../../telemetry/contract.ts'
import { durationText, percentText } from './figures.tsx'
import { SaveTable } from './SaveTable.tsx'
import './explore.css'

/** Stretches that are drawn. */
const mostRuns = 1000

const stateText = (value: number | null, point: ParaInfo, t: Words) => (value === null ? t('io.unknown') : valueText(value, point, t))

type LaneProps = { point: ParaInfo; runs: readonly IoRun[]; start: number; end: number }

/** The states of one point over time: on is filled, off is plain, and what is unknown is hatched. */
const Lane = ({ point, runs, start, end }: LaneProps) => {
  const t = useWords()
  const kind = (value: number | null) => (value === null ? 'unknown' : value === 0 ? 'off' : 'on')
  return (
    <div className="state-lane" role="img" aria-label={point.ParaName}>
      {runs.map((run) => {
        const said = stateText(run.Value, point, t)
        return (
          <span
            key={run.Start}
            className={kind(run.Value)}
            title={`${said}: ${timeText(run.Start)} – ${timeText(run.End)} (${durationText(run.End - run.Start)})`}
            style={{
              insetInlineStart: `${(100 * (run.Start - start)) / (end - start)}%`,
              width: `max(1px, ${(100 * (run.End - run.Start)) / (end - start)}%)`,
            }}
          />
        )
      })}
    </div>
  )
}

/** The same stretches as rows, titles first. */
const tableOf = (points: readonly ParaInfo[], runs: ReadonlyMap<number, readonly IoRun[]>, t: Words) => {
  const names = namesOf(points)
  const rows = points.flatMap((p, i) =>
    (runs.get(p.ParaId) ?? []).map((run) => [
      ...[names[i]!, stateText(run.Value, p, t), timeText(run.Start), timeText(run.End)],
      durationText(run.End - run.Start),
    ]),
  )
  return [[t('point'), t('io.state'), t('io.from'), t('io.to'), t('io.duration')], ...rows]
}

/** The states of points over time, one below the other, with the share of the time that each was on. */
export const StateLanes = ({ points, range }: { points: readonly ParaInfo[]; range: Range }) => {
  const t = useWords()
  const [isTable, showTable] = useState(false)
  const { data, error, refetch } = useCall(analysisCalls.io, {
    body: { ParaIds: points.map((p) => p.ParaId), Start: range.start, End: range.end, PageIndex: 1, PageSize: mostRuns },
    enabled: points.length > 0,
  })
  if (error && !data) return <Failure fault={error} retry={() => refetch()} />
  if (!data) return <Waiting />
  const names = namesOf(points)
  const runs = Map.groupBy(data.Runs.Items, (run) => run.ParaId)
  const rows = new Map(data.Rows.map((row) => [row.ParaId, row]))
  const table = tableOf(points, runs, t)
  return (
    <div className="panel">
      <div className="state-lanes">
        {points.map((p, i) => {
          const row = rows.get(p.ParaId)
          const known = (row?.OnMs ?? 0) + (row?.OffMs ?? 0)
          return (
            <Fragment key={p.ParaId}>
              <span>{names[i]}</span>
              <Lane point={p} runs={runs.get(p.ParaId) ?? []} start={data.Start} end={data.End} />
              <span className="figures" title={row && `${durationText(row.OnMs)} / ${durationText(known)}`}>
                {t('state.on', { share: percentText(known ? (row?.OnMs ?? 0) / known : null) })}
              </span>
            </Fragment>
          )
        })}
        <span className="state-axis faint figures">
          <span>{timeText(data.Start).slice(0, 16)}</span>
          <span>{timeText(data.End).slice(0, 16)}</span>
        </span>
      </div>
      <p className="faint">{t('state.help')}</p>
      <div className="button-row">
        <Button aria-pressed={isTable} onClick={() => showTable(!isTable)}>
          {t(isTable ? 'chart.hideTable' : 'chart.showTable')}
        </Button>
        <SaveTable name={t('menu.m10307')} rows={table} />
      </div>
      {isTable && <PlainTable table={table} label={t('menu.m10307')} />}
      {data.Runs.TotalCount > mostRuns && <p className="soft">{t('state.cut', { most: mostRuns })}</p>}
    </div>
  )
}
