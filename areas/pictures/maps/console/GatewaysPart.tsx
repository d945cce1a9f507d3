import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useCall } from '../../../../console/kernel/api.ts'
import { useMay } from '../../../../console/session/session.ts'
import { levelCondition } from '../../../../console/theme/State.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { type MapGateway, mapCalls } from '../contract.ts'
import type { Look } from './clusters.ts'
import { PlacedPart } from './PlacedPart.tsx'

const everyMs = 30_000
const nameOf = ({ GatewayName }: MapGateway) => GatewayName
const lookOf = ({ AlarmLevel, OnlineStatus }: MapGateway): Look => {
  if (AlarmLevel) return levelCondition(AlarmLevel)
  return OnlineStatus === null ? 'unknown' : OnlineStatus === 1 ? 'normal' : 'offline'
}

const Details = ({ of }: { of: MapGateway }) => {
  const t = useWords()
  const devices = useMay('m10103')
  return (
    <div className="map-details">
      {of.PositionTime && <p>{t('map.positionAt', { time: of.PositionTime })}</p>}
      {of.Devices !== null && of.OnlineDevices !== null && <p>{t('map.devices', { online: of.OnlineDevices, count: of.Devices })}</p>}
      {of.ActiveAlarms !== null && <p>{t('map.alarms', { count: of.ActiveAlarms })}</p>}
      {devices && (
        <p className="map-links">
          <Link to={`/projectManagement/deviceManagement?GatewayId=${of.Id}`}>{t('menu.m10103')}</Link>
        </p>
      )}
    </div>
  )
}

/** Gateways at their last position, with their devices. */
export const GatewaysPart = ({ choice }: { choice: ReactNode }) => {
  const t = useWords()
  const answer = useCall(mapCalls.gateways, { of: ['gateway', 'gatewayPosition'], refetchInterval: everyMs })
  const text = (of: MapGateway) => [of.ProjectName, of.OnlineStatus === null ? '' : t(`gateway.OnlineStatus.${of.OnlineStatus}`)]
  return (
    <PlacedPart of="gateways" {...{ answer, choice, text }} name={nameOf} is={lookOf}>
      {(of) => <Details of={of} />}
    </PlacedPart>
  )
}
