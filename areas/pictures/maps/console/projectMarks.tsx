// Mark of a project on a map, and its details beside the map.
import { Link } from 'react-router'
import { useMay } from '../../../../console/session/session.ts'
import { levelCondition } from '../../../../console/theme/State.tsx'
import { useWords } from '../../../../console/words/words.ts'
import type { MapProject } from '../contract.ts'
import { type CoordinateSystem, shownAt } from '../coordinates.ts'
import type { Look, Place } from './clusters.ts'
import { project as toSpot } from './mercator.ts'

const looks: readonly Look[] = ['none', 'normal', 'offline', 'offline']
export const lookOf = ({ AlarmLevel, State }: MapProject): Look => {
  if (AlarmLevel) return levelCondition(AlarmLevel)
  return State === null ? 'unknown' : looks[State]!
}

export const placesOf = (projects: readonly MapProject[], system?: CoordinateSystem): Place[] =>
  projects.map((of) => {
    const { longitude, latitude } = shownAt({ longitude: of.Longitude!, latitude: of.Latitude! }, system)
    return { ...toSpot(longitude, latitude), ...{ id: of.Id, name: of.ProjectName ?? String(of.Id), is: lookOf(of) } }
  })

/** Details of a project, with links. */
export const Details = ({ of }: { of: MapProject }) => {
  const t = useWords()
  const links = [
    { code: 'm10102', to: `/projectManagement/gatewayManagement?ProjectId=${of.Id}`, word: 'menu.m10102' },
    { code: 'm10108', to: `/projectManagement/realTimeData?ProjectId=${of.Id}`, word: 'menu.m10108' },
    { code: 'm10201', to: `/alarmManagement/alarmInfo?ProjectId=${of.Id}`, word: 'menu.m10201' },
  ]
  const [gateways, live, alarms] = [useMay('m10102'), useMay('m10108'), useMay('m10201')]
  const may = [gateways, live, alarms]
  return (
    <div className="map-details">
      {of.Address && <p>{of.Address}</p>}
      {of.Gateways !== null && of.OnlineGateways !== null && <p>{t('map.gateways', { online: of.OnlineGateways, count: of.Gateways })}</p>}
      {of.Devices !== null && of.OnlineDevices !== null && <p>{t('map.devices', { online: of.OnlineDevices, count: of.Devices })}</p>}
      {of.ActiveAlarms !== null && <p>{t('map.alarms', { count: of.ActiveAlarms })}</p>}
      <p className="map-links">
        {links.map(
          ({ to, word }, i) =>
            may[i] && (
              <Link key={to} to={to}>
                {t(word)}
              </Link>
            ),
        )}
      </p>
    </div>
  )
}
