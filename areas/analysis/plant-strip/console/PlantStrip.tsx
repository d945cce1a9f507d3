import './plant.css'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { assemble, longestSilence } from '../../../../console/chart/assemble.ts'
import { seriesIn } from '../../../../console/chart/deltas.ts'
import { useCall, useRows } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { RefInput } from '../../../../console/kernel/RefInput.tsx'
import { invoke } from '../../../../console/session/request.ts'
import { useMay } from '../../../../console/session/session.ts'
import { useWords } from '../../../../console/words/words.ts'
import { telemetryCalls } from '../../../../contract/telemetry.ts'
import { alarmCalls } from '../../../alarms/alarms/contract.ts'
import { project } from '../../../configuration/projects/contract.ts'
import { DeviceCard } from './DeviceCard.tsx'
import { sparkMs } from './Sparkline.tsx'
import { stripOf } from './strip.ts'

const devicesPath = '/projectManagement/deviceManagement'
const minute = 60_000
const buckets = 120

/** Fetches an hour of all these points in one call, once a minute. */
const useHour = (ids: number[]) =>
  useQuery({
    queryKey: [[], 'strip', ids],
    queryFn: async () => {
      const end = Date.now()
      const body = { ParaIds: ids, Start: end - sparkMs, End: end, Buckets: buckets, Shape: 'deltas' as const }
      const answer = await invoke(telemetryCalls.data, { body })
      return { end, step: answer.Step, series: new Map(seriesIn(answer).map((s) => [s.ParaId, s])) }
    },
    enabled: ids.length > 0,
    refetchInterval: minute,
    meta: { quiet: true },
  }).data

/** The next step for people with an empty strip, if they may take it. */
const Nothing = () => {
  const t = useWords()
  const mayAdd = useMay('m10103.add')
  return (
    <p className="plant-none">
      {t(mayAdd ? 'plant.none' : 'plant.noneToSee')} {mayAdd && <Link to={devicesPath}>{t('plant.toDevices')}</Link>}
    </p>
  )
}

/** One card per device: its state, its values and the last hour. */
export const PlantStrip = () => {
  const t = useWords()
  const [ProjectId, setProject] = useState<number | null>(null)
  const [seesProjects, seesAlarms] = [useMay('m10101'), useMay('m10201')]
  const projects = useRows(project, { PageIndex: 1, PageSize: 2 }, { enabled: seesProjects })
  const points = useCall(telemetryCalls.allParaInfo, { query: ProjectId ? { ProjectId } : {}, of: ['point', 'device'] })
  const groups = useCall(alarmCalls.groups, { query: { By: 'DeviceId' }, of: ['alarmInfo'], enabled: seesAlarms })
  const alarms = useMemo(() => new Map((groups.data ?? []).map((g) => [g.Key, g])), [groups.data])
  const { devices, total } = useMemo(() => stripOf(points.data ?? [], new Set(alarms.keys())), [points.data, alarms])
  const hour = useHour(devices.flatMap((d) => d.values.slice(0, 1).map((p) => p.ParaId)))
  return (
    <section className="panel plant" aria-label={t('plant.title')}>
      <div className="panel-head">
        <h2>{t('plant.title')}</h2>
        {Number(projects.data?.TotalCount) > 1 && (
          <span className="search-filter">
            <RefInput to={project} value={ProjectId} onChange={setProject} placeholder={t('project')} aria-label={t('project')} />
          </span>
        )}
      </div>
      {points.error && !points.data ? (
        <Failure fault={points.error} retry={() => points.refetch()} />
      ) : points.data && !devices.length ? (
        <Nothing />
      ) : (
        <div className="plant-cards">
          {devices.map((device) => {
            const [first] = device.values
            const series = first && hour?.series.get(first.ParaId)
            return (
              <DeviceCard
                key={device.id}
                device={device}
                alarms={alarms.get(device.id)}
                line={series && first && hour ? assemble(series, first, hour.step) : undefined}
                end={hour?.end ?? 0}
                silence={first && hour ? longestSilence(first.ExpectedMs, hour.step, series?.Raw ?? false) : 0}
              />
            )
          })}
        </div>
      )}
      {total > devices.length && (
        <p className="plant-more">
          <Link to={devicesPath}>{t('plant.all', { count: total })}</Link>
        </p>
      )}
    </section>
  )
}
export default PlantStrip
