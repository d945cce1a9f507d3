import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useCall } from '../../../../console/kernel/api.ts'
import { useMay } from '../../../../console/session/session.ts'
import { levelCondition } from '../../../../console/theme/State.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { type MapDevice, mapCalls } from '../contract.ts'
import type { Look } from './clusters.ts'
import { PlacedPart } from './PlacedPart.tsx'

const everyMs = 30_000
const nameOf = ({ DeviceName }: MapDevice) => DeviceName
const looks: readonly Look[] = ['offline', 'normal', 'offline', 'none']
const lookOf = ({ AlarmLevel, Status }: MapDevice): Look => {
  if (AlarmLevel) return levelCondition(AlarmLevel)
  return Status === null ? 'unknown' : looks[Status]!
}

const Details = ({ of }: { of: MapDevice }) => {
  const t = useWords()
  const points = useMay('m10107')
  return (
    <div className="map-details">
      {of.ActiveAlarms !== null && <p>{t('map.alarms', { count: of.ActiveAlarms })}</p>}
      {points && (
        <p className="map-links">
          <Link to={`/projectManagement/devicePointList?Id=${of.Id}`}>{of.DeviceName}</Link>
        </p>
      )}
    </div>
  )
}

/** Devices with their own position. */
export const DevicesPart = ({ choice }: { choice: ReactNode }) => {
  const t = useWords()
  const answer = useCall(mapCalls.devices, { of: ['device'], refetchInterval: everyMs })
  const text = (of: MapDevice) => [of.ProjectName, of.Status === null ? '' : t(`device.Status.${of.Status}`)]
  return (
    <PlacedPart of="devices" {...{ answer, choice, text }} name={nameOf} is={lookOf}>
      {(of) => <Details of={of} />}
    </PlacedPart>
  )
}
