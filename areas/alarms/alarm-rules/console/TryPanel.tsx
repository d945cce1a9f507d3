import { ExperimentOutlined } from '@ant-design/icons'
import { Alert, Button, Select } from 'antd'
import { type CSSProperties, useCallback, useMemo, useState } from 'react'
import { namesOf } from '../../../../console/chart/names.ts'
import { plotMargins } from '../../../../console/chart/options.ts'
import { Plot } from '../../../../console/chart/Plot.tsx'
import { paneCount } from '../../../../console/chart/panes.ts'
import { type Limits, usePointCurves } from '../../../../console/chart/usePointCurves.ts'
import { useSince } from '../../../../console/chart/useSince.ts'
import { useCommand } from '../../../../console/kernel/api.ts'
import { useMode } from '../../../../console/theme/mode.ts'
import { lines as palette } from '../../../../console/theme/tokens.ts'
import { timeText } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import { boolType, stateText } from '../../../../contract/point-value.ts'
import { durationText } from '../../alarms/sentence.ts'
import { curveLimits, type RuleConfigure, Style } from '../alarm-configure.ts'
import { alarmRuleCalls } from '../contract.ts'
import { cleaned } from './draft.ts'
import type { Names } from './summary.ts'

type Props = { configure: RuleConfigure; level: number; width: number; names: Names }

type Found = { ParaId: number; Start: number; End: number | null; AlarmLevel: number }

/** Alarms of a test on the time axis. */
const Strip = ({ alarms, start, end, style }: { alarms: Found[]; start: number; end: number; style: CSSProperties }) => {
  const t = useWords()
  const at = (time: number) => ((time - start) / (end - start)) * 100
  return (
    <div style={style}>
      <svg
        className="rule-strip"
        viewBox="0 0 100 10"
        preserveAspectRatio="none"
        role="img"
        aria-label={t('rules.tryStrip', { count: alarms.length })}
      >
        {alarms.map((a) => {
          const width = Math.max(0.25, at(a.End ?? end) - at(a.Start))
          const x = Math.min(at(a.Start), 100 - width)
          return <rect key={`${a.ParaId} ${a.Start}`} className={`level-${a.AlarmLevel}`} x={x} y={0} height={10} width={width} />
        })}
      </svg>
    </div>
  )
}

/** Limits for the curve of a point; undefined unless the point belongs to the rule's only condition. */
const limitsFor = ({ RuleList }: RuleConfigure, id: number): Limits | undefined => {
  const [only, ...more] = RuleList.flatMap((g) => g.Conditions)
  const isValue = only?.TriggerStyle === Style.value || only?.TriggerStyle === Style.timer
  if (!only || more.length || !isValue || (!only.DeviceSelection && !only.AlarmParams.some((p) => p.ParaId === id))) return undefined
  return curveLimits(only.OperateSymbol, only.ParamValue, only.ParamValue2)
}

/** Maximum curves in one chart. */
const mostCurves = 7

/** Points chosen individually in the rule, then other points with alarms in the test. */
const curvesOf = ({ RuleList }: RuleConfigure, alarms: Found[]) =>
  [
    ...new Set([
      ...RuleList.flatMap((g) => g.Conditions.flatMap((c) => c.AlarmParams.flatMap((p) => p.ParaId ?? []))),
      ...alarms.map((a) => a.ParaId),
    ]),
  ].slice(0, mostCurves)

type CurvesProps = { alarms: Found[]; start: number; end: number; width: number; configure: RuleConfigure }

/** Curves of the rule's points, above the periods in which the rule would have been active. */
const Curves = ({ alarms, start, end, width, configure }: CurvesProps) => {
  const t = useWords()
  const mode = useMode((s) => s.mode)
  const ids = useMemo(() => curvesOf(configure, alarms), [configure, alarms])
  const asked = useMemo(() => ({ start, end }), [start, end])
  const { since, fitted } = useSince(ids, asked, asked)
  const range = useMemo(() => ({ start: fitted.start, end: fitted.end }), [fitted.start, fitted.end])
  const limits = useCallback((id: number) => limitsFor(configure, id), [configure])
  const curves = usePointCurves(ids, range, width, limits)
  return (
    <>
      {curves && (
        <>
          <p className="trend-labels">
            {namesOf(curves.points).map((name, i) => (
              <span key={curves.points[i]!.ParaId} className="trend-label">
                <i style={{ background: palette[mode][i % palette[mode].length] }} />
                {name}
              </span>
            ))}
            {since && <span className="soft trend-moment">{t('trend.since', { time: timeText(since).slice(0, 16) })}</span>}
          </p>
          <Plot {...curves} range={range} width={width} height={Math.max(220, 110 * paneCount(curves.points))} limited={ids} />
        </>
      )}
      <Strip alarms={alarms} {...range} style={curves ? { width, ...inside(plotMargins(width, curves.points)) } : {}} />
    </>
  )
}
const inside = ({ marginLeft, marginRight }: ReturnType<typeof plotMargins>): CSSProperties => ({
  paddingLeft: marginLeft,
  paddingRight: marginRight,
  boxSizing: 'border-box',
})

/** Tests a rule before it is enabled: lists every alarm it would have raised. */
export const TryPanel = ({ configure, level, width, names }: Props) => {
  const t = useWords()
  const [Days, setDays] = useState(30)
  /** The configuration of the shown result. */
  const [tried, setTried] = useState(configure)
  const run = useCommand(alarmRuleCalls.try, [], { meta: { quiet: true } })
  const { data } = run
  const params = tried.RuleList.flatMap((g) => g.Conditions.flatMap((c) => c.AlarmParams))
  const read = (id: number, value: number) =>
    params.some((p) => p.ParaId === id && p.ParaDataType === boolType)
      ? stateText(value, names.states?.(id) ?? {}, t)
      : value.toLocaleString(language(), { maximumFractionDigits: 3 })
  const longest = data?.Alarms.reduce((most, a) => Math.max(most, (a.End ?? data.End) - a.Start), 0) ?? 0
  return (
    <section className="rule-try" aria-label={t('rules.try')}>
      <div className="rule-words">
        <Button
          icon={<ExperimentOutlined />}
          loading={run.isPending}
          onClick={() => {
            const RuleConfigure = cleaned(configure)
            run.mutate({ body: { RuleConfigure, AlarmLevel: level, Days } }, { onSuccess: () => setTried(RuleConfigure) })
          }}
        >
          {t('rules.try')}
        </Button>
        <Select
          value={Days}
          onChange={setDays}
          aria-label={t('rules.tryDays')}
          options={[1, 7, 30].map((d) => ({ value: d, label: t('rules.lastDays', { days: d }) }))}
        />
      </div>
      {run.error && (
        <Alert
          type="error"
          showIcon
          role="alert"
          title={[run.error.message, ...Object.values(run.error.details.Fields ?? {}).flat()].slice(0, 3).join(' ')}
        />
      )}
      {data && (
        <>
          <p aria-live="polite">
            {data.Samples === 0
              ? t('rules.tryNothing')
              : data.Count === 0
                ? t('rules.tryNone', { samples: data.Samples.toLocaleString(language()) })
                : t('rules.tryFound', {
                    count: data.Count,
                    samples: data.Samples.toLocaleString(language()),
                    longest: durationText(Math.max(1, longest / 1000), t),
                  })}
          </p>
          {data.Samples > 0 && <Curves alarms={data.Alarms} start={data.Start} end={data.End} width={width} configure={tried} />}
          <ol className="rule-found figures">
            {data.Alarms.slice(0, 20).map((a) => (
              <li key={`${a.ParaId} ${a.Start}`}>
                {timeText(a.Start)} – {a.End ? timeText(a.End) : t('rules.stillStanding')} · {a.Name}
                {a.Value !== null && ` · ${read(a.ParaId, a.Value)}`}
              </li>
            ))}
          </ol>
          {data.Count > 20 && <p className="soft">{t('rules.tryMore', { count: data.Count - 20 })}</p>}
        </>
      )}
    </section>
  )
}
