import { type ReactNode, useMemo, useState } from 'react'
import { Link } from 'react-router'
import { useCall } from '../../../../console/kernel/api.ts'
import { EmptyList, Failure } from '../../../../console/kernel/Empty.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { levelCondition } from '../../../../console/theme/State.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { type MapGateway, mapCalls, mostOnMap } from '../contract.ts'
import { shownAt } from '../coordinates.ts'
import { type Look, type Place, urgency } from './clusters.ts'
import { Layers } from './Layers.tsx'
import { MapView } from './MapView.tsx'
import { project as toSpot } from './mercator.ts'
import { listedOf, Rows } from './Rows.tsx'
import { useTiles } from './tiles.ts'
import { useLayers } from './useLayers.ts'

const everyMs = 30_000
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

/** Gateways at their last position, and what is behind them. */
export const GatewaysPart = ({ choice }: { choice: ReactNode }) => {
  const t = useWords()
  const [chosen, setChosen] = useState<number>()
  const [seen, setSeen] = useState<ReadonlySet<number>>()
  const { data, error, refetch } = useCall(mapCalls.gateways, { of: ['gateway', 'gatewayPosition'], refetchInterval: everyMs })
  const { tiles, isPending } = useTiles()
  const layers = useLayers()
  const items = useMemo(() => (data?.Items ?? []).toSorted((a, b) => urgency(lookOf(a)) - urgency(lookOf(b))), [data])
  const places = useMemo(
    () =>
      items.map((of): Place => {
        const at = shownAt({ longitude: of.Longitude, latitude: of.Latitude }, tiles?.System)
        return { ...toSpot(at.longitude, at.latitude), ...{ id: of.Id, name: of.GatewayName ?? String(of.Id), is: lookOf(of) } }
      }),
    [items, tiles],
  )
  const rests = useMemo(() => (on: readonly Place[]) => setSeen(new Set(on.map(({ id }) => id))), [])
  if (error && !data) return <Failure fault={error} retry={() => refetch()} />
  const inView = items.filter(({ Id }) => !seen || seen.has(Id))
  const picked = items.find(({ Id }) => Id === chosen)
  const { listed, isMore, mostListed } = listedOf(inView, picked)
  return (
    <div className="map-screen">
      {isPending ? (
        <div className="map" />
      ) : (
        <MapView
          label={t('map.gatewaysLabel')}
          places={places}
          chosen={chosen}
          choose={(group) => setChosen(group[0]!.id)}
          rests={rests}
          tiles={tiles}
          layers={layers.shown}
        >
          {data && !places.length && <p className="map-note">{t('map.noGateways')}</p>}
        </MapView>
      )}
      <aside className="map-side" aria-label={t('map.show.gateways')}>
        {choice}
        {data?.TotalMore && <p className="soft">{t('map.moreGateways', { count: mostOnMap })}</p>}
        {data && <p className="soft">{t('map.gatewaysInView', { count: inView.length })}</p>}
        <Rows
          items={listed}
          {...{ chosen, choose: setChosen }}
          name={(of) => of.GatewayName}
          is={lookOf}
          text={(of) => [of.ProjectName, of.OnlineStatus === null ? '' : t(`gateway.OnlineStatus.${of.OnlineStatus}`)]}
        >
          {(of) => <Details of={of} />}
        </Rows>
        {data && !listed.length && places.length > 0 && <EmptyList text={t('map.nothing')} />}
        {isMore && <p className="soft">{t('map.listed', { count: mostListed })}</p>}
        <Layers of={layers} />
      </aside>
    </div>
  )
}
