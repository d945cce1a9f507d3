import { Button } from 'antd'
import { Link } from 'react-router'
import { useTrendView } from '../../../../console/chart/trendView.ts'
import { useCall } from '../../../../console/kernel/api.ts'
import { EmptyList, Failure } from '../../../../console/kernel/Empty.tsx'
import { RefInput } from '../../../../console/kernel/RefInput.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { Waiting } from '../../../../console/shell/Waiting.tsx'
import { timeText } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import type { Answer } from '../../../../contract/call.ts'
import type { Cell } from '../../../../contract/cell.ts'
import { alarmCalls } from '../../../alarms/alarms/contract.ts'
import { project } from '../../../configuration/projects/contract.ts'
import { paintBars } from '../../reports/bars.ts'
import { TrendRange } from '../../telemetry/console/TrendChoice.tsx'
import { ChartPanel } from './charts/ChartPanel.tsx'
import { durationText } from './figures.tsx'
import { useAddress, useSteadyRange } from './useExplore.ts'

const dayMs = 86_400_000
const dayOf = (at: number) => timeText(at).slice(0, 10)
const dayAfter = (day: string, n: number) => new Date(Date.parse(`${day}T00:00:00Z`) + n * dayMs).toISOString().slice(0, 10)
type Counted = Answer<typeof alarmCalls.analyse>

/** Whole days of the reader, and as many before them. */
const daysOf = (start: number, end: number) => {
  const [StartDate, EndDate] = [dayOf(start), dayOf(end - 1)]
  const days = Math.round((Date.parse(EndDate) - Date.parse(StartDate)) / dayMs) + 1
  return { now: { StartDate, EndDate }, before: { StartDate: dayAfter(StartDate, -days), EndDate: dayAfter(StartDate, -1) }, days }
}

type CompareProps = { title: string; head: string; labels: readonly string[]; now: readonly number[]; before: readonly number[] }
/** Counts of both periods side by side. */
const Compared = ({ title, head, labels, now, before }: CompareProps) => {
  const t = useWords()
  const names = [t('alarmStat.now'), t('alarmStat.earlier')]
  return (
    <ChartPanel
      title={title}
      height={230}
      paint={(look) => paintBars({ names, labels, values: [now, before], unit: '', whole: true }, look)}
      table={[[head, ...names], ...labels.map((label, i): Cell[] => [label, now[i]!, before[i]!])]}
    />
  )
}

const Charts = ({
  now,
  before,
  from,
  days,
  hasProject,
}: {
  now: Counted
  before: Counted
  from: string
  days: number
  hasProject: boolean
}) => {
  const t = useWords()
  const levels = [...new Set([...now.Levels, ...before.Levels].map((l) => l.AlarmLevel))].sort()
  const levelOf = (of: Counted) => levels.map((level) => of.Levels.find((l) => l.AlarmLevel === level)?.Count ?? 0)
  const devices = now.Devices
  const shifts = [...new Set([...now.Shifts, ...before.Shifts].map(({ Shift }) => Shift))]
  const shiftOf = (of: Counted) => shifts.map((shift) => of.Shifts.find(({ Shift }) => Shift === shift)?.Count ?? 0)
  const byDay = new Map(now.Days.map((d) => [d.Date, d.Count]))
  const all = Array.from({ length: days }, (_, i) => dayAfter(from, i))
  const counts = all.map((day) => byDay.get(day) ?? 0)
  return (
    <>
      <ChartPanel
        title={t('alarmStat.byDay')}
        height={230}
        paint={(look) =>
          paintBars(
            { names: [t('alarmStat.count')], labels: all.map((day) => day.slice(5)), values: [counts], unit: '', whole: true },
            look,
          )
        }
        table={[[t('explore.unit.day'), t('alarmStat.count')], ...all.map((day, i): Cell[] => [day, counts[i]!])]}
      />
      <div className="chart-grid">
        <Compared
          title={t('alarmStat.byLevel')}
          head={t('alarmStat.level')}
          labels={levels.map((level) => t(`alarmInfo.AlarmLevel.${level}`))}
          now={levelOf(now)}
          before={levelOf(before)}
        />
        {shifts.length > 0 ? (
          <Compared
            title={t('alarmStat.byShift')}
            head={t('explore.unit.shift')}
            labels={shifts.map((shift) => shift || t('alarmStat.noShift'))}
            now={shiftOf(now)}
            before={shiftOf(before)}
          />
        ) : (
          <section className="panel chart-panel">
            <h2>{t('alarmStat.byShift')}</h2>
            <p className="soft">{t(hasProject && !now.Total && !before.Total ? 'alarmStat.none' : 'alarmStat.noShifts')}</p>
          </section>
        )}
      </div>
      <Compared
        title={t('alarmStat.byDevice')}
        head={t('device')}
        labels={devices.map((d) => d.DeviceName || `#${d.DeviceId}`)}
        now={devices.map((d) => d.Count)}
        before={devices.map((d) => before.Devices.find(({ DeviceId }) => DeviceId === d.DeviceId)?.Count ?? 0)}
      />
      <p className="faint">{t('alarmStat.help')}</p>
    </>
  )
}

/** Alarms of a period beside the one before: by day, level, shift and device. */
const AlarmStatisticsScreen = () => {
  const t = useWords()
  const { params, set } = useAddress()
  const view = useTrendView('7d')
  const range = useSteadyRange(view.range, view.live)
  const projectId = Number(params.get('project')) || undefined
  const [mayAlarms, mayAnalyse] = [useMay('m10201'), useMay('m10204')]
  const { now: asked, before: earlier, days } = daysOf(range.start, range.end)
  const of = projectId ? { ProjectId: projectId } : {}
  const now = useCall(alarmCalls.analyse, { query: { ...asked, ...of }, of: ['alarmInfo', 'shiftPlan'] })
  const before = useCall(alarmCalls.analyse, { query: { ...earlier, ...of }, of: ['alarmInfo', 'shiftPlan'] })
  const error = now.error ?? before.error
  const lengthOf = (seconds: number | null) => durationText(seconds === null ? null : 1000 * seconds)
  const figures =
    now.data && before.data
      ? ([
          ['total', now.data.Total.toLocaleString(language()), before.data.Total.toLocaleString(language())],
          ['ack', lengthOf(now.data.MeanAckSeconds), lengthOf(before.data.MeanAckSeconds)],
          ['recover', lengthOf(now.data.MeanRecoverSeconds), lengthOf(before.data.MeanRecoverSeconds)],
          ['false', now.data.False.toLocaleString(language()), before.data.False.toLocaleString(language())],
        ] as const)
      : []
  return (
    <Page
      title={t('menu.m10324')}
      actions={
        <>
          {mayAlarms && (
            <Link to={`/alarmManagement/alarmInfo?view=history&StartTime=${encodeURIComponent(`${asked.StartDate}~${asked.EndDate}`)}`}>
              <Button>{t('menu.m10201')}</Button>
            </Link>
          )}
          {mayAnalyse && (
            <Link to="/alarmManagement/alramAnalyse">
              <Button>{t('menu.m10204')}</Button>
            </Link>
          )}
        </>
      }
    >
      <TrendRange view={view} since={undefined} />
      <div className="search-bar">
        <RefInput
          to={project}
          value={projectId ?? null}
          onChange={(id) => set({ project: id ?? undefined })}
          placeholder={t('alarmStat.allProjects')}
          aria-label={t('project')}
          style={{ maxWidth: 360 }}
        />
        <span className="soft figures">
          {asked.StartDate} – {asked.EndDate}
        </span>
      </div>
      {error && !(now.data && before.data) ? (
        <Failure fault={error} retry={() => Promise.all([now.refetch(), before.refetch()])} />
      ) : !now.data || !before.data ? (
        <Waiting />
      ) : (
        <>
          <div className="chart-figures">
            {figures.map(([name, value, was]) => (
              <div key={name} className="panel">
                <span className="soft">{t(`alarm.analysis.${name}`)}</span>
                <strong className="figures">{value}</strong>
                <span className="faint figures">{t('alarmStat.before', { count: was })}</span>
              </div>
            ))}
          </div>
          {!now.data.Total && !before.data.Total ? (
            <EmptyList text={t('alarmStat.none')} />
          ) : (
            <Charts now={now.data} before={before.data} from={asked.StartDate} days={days} hasProject={projectId !== undefined} />
          )}
        </>
      )}
    </Page>
  )
}
export default AlarmStatisticsScreen
