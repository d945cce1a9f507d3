import { Button, Input, Segmented } from 'antd'
import { type ReactNode, useMemo, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { useCall } from '../../../../console/kernel/api.ts'
import { EmptyList, Failure } from '../../../../console/kernel/Empty.tsx'
import { RefInput } from '../../../../console/kernel/RefInput.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { useGo } from '../../../../console/shell/To.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { region } from '../../../people/regions/contract.ts'
import { ShareButton } from '../../shares/console/ShareButton.tsx'
import { kinds } from '../../shares/contract.ts'
import { mapCalls, mostOnMap } from '../contract.ts'
import { type Place, urgency } from './clusters.ts'
import { DevicesPart } from './DevicesPart.tsx'
import { GatewaysPart } from './GatewaysPart.tsx'
import { Layers } from './Layers.tsx'
import { MapView } from './MapView.tsx'
import { Details, lookOf, placesOf } from './projectMarks.tsx'
import { listedOf, Rows } from './Rows.tsx'
import { useTiles } from './tiles.ts'
import { useLayers } from './useLayers.ts'

const everyMs = 30_000
const projectsPath = '/projectManagement/projectConfig'

/** The number of projects that the map omits, with a link to correct that. */
const Unplaced = ({ count }: { count: number }) => {
  const t = useWords()
  const may = useMay('m10101.edit')
  if (!count) return null
  return (
    <p className="soft map-unplaced">
      {t('map.unplaced', { count })} {may && <Link to={projectsPath}>{t('map.setPositions')}</Link>}
    </p>
  )
}

/** Projects, urgent ones first. */
const ProjectsPart = ({ choice }: { choice: ReactNode }) => {
  const t = useWords()
  const [asked, ask] = useSearchParams()
  const RegionId = Number(asked.get('RegionId')) || undefined
  const [Search, setSearch] = useState('')
  const [chosen, setChosen] = useState<number>()
  const [seen, setSeen] = useState<ReadonlySet<number>>()
  const query = { ...(RegionId && { RegionId }), ...(Search && { Search }) }
  const { data, error, refetch } = useCall(mapCalls.projects, { query, of: ['project', 'region'], refetchInterval: everyMs })
  const items = useMemo(() => data?.Items.toSorted((a, b) => urgency(lookOf(a)) - urgency(lookOf(b))), [data])
  const { tiles, isPending } = useTiles()
  const layers = useLayers()
  const places = useMemo(() => placesOf(items ?? [], tiles?.System), [items, tiles])
  const inView = useMemo(() => items?.filter(({ Id }) => !seen || seen.has(Id)) ?? [], [items, seen])
  const rests = useMemo(() => (on: readonly Place[]) => setSeen(new Set(on.map(({ id }) => id))), [])
  if (error && !data) return <Failure fault={error} retry={() => refetch()} />
  const picked = items?.find(({ Id }) => Id === chosen)
  const { listed, isMore, mostListed } = listedOf(inView, picked)
  const label = t('map.label')
  return (
    <div className="map-screen">
      {isPending ? (
        <div className="map" />
      ) : (
        <MapView
          key={RegionId}
          label={label}
          places={places}
          chosen={chosen}
          choose={(group) => setChosen(group[0]!.id)}
          rests={rests}
          tiles={tiles}
          layers={layers.shown}
        >
          {data && !places.length && <p className="map-note">{t(Search || RegionId ? 'map.nothing' : 'map.none')}</p>}
        </MapView>
      )}
      <aside className="map-side" aria-label={t('map.list')}>
        <div className="map-filters">
          <Input
            type="search"
            allowClear
            maxLength={100}
            aria-label={t('map.search')}
            placeholder={t('map.search')}
            onPressEnter={({ currentTarget }) => setSearch(currentTarget.value)}
            onBlur={({ currentTarget }) => setSearch(currentTarget.value)}
            onClear={() => setSearch('')}
          />
          <RefInput
            to={region}
            value={RegionId ?? null}
            placeholder={t('project.RegionId')}
            aria-label={t('project.RegionId')}
            onChange={(next) => ask(next ? { RegionId: String(next) } : {}, { replace: true })}
          />
        </div>
        {choice}
        {data?.TotalMore && <p className="soft">{t('map.more', { count: mostOnMap })}</p>}
        {data && <p className="soft">{t('map.inView', { count: inView.length })}</p>}
        <Rows
          items={listed}
          {...{ chosen, choose: setChosen }}
          name={(of) => of.ProjectName}
          is={lookOf}
          text={(of) => [of.RegionName, t(`map.condition.${lookOf(of)}`)]}
        >
          {(of) => <Details of={of} />}
        </Rows>
        {data && !listed.length && places.length > 0 && <EmptyList text={t('map.nothing')} />}
        {isMore && <p className="soft">{t('map.listed', { count: mostListed })}</p>}
        <Unplaced count={data?.Unplaced ?? 0} />
        <Layers of={layers} />
      </aside>
    </div>
  )
}

const parts = { projects: ProjectsPart, gateways: GatewaysPart, devices: DevicesPart } as const
type Shown = keyof typeof parts

/** The map of projects and, for people who may see them, of gateways and devices. */
const MapScreen = () => {
  const t = useWords()
  const [asked, ask] = useSearchParams()
  const go = useGo()
  const [gateways, devices] = [useMay('m10102'), useMay('m10103')]
  const offered: Shown[] = ['projects', ...(gateways ? (['gateways'] as const) : []), ...(devices ? (['devices'] as const) : [])]
  const shown = offered.find((one) => one === asked.get('show')) ?? 'projects'
  const Part = parts[shown]
  const choice = offered.length > 1 && (
    <Segmented
      aria-label={t('map.show')}
      value={shown}
      options={offered.map((value) => ({ value, label: t(`map.show.${value}`) }))}
      onChange={(value) => ask(value === 'projects' ? {} : { show: value }, { replace: true })}
    />
  )
  return (
    <Page
      title={t('menu.m10311')}
      actions={
        <>
          <Button onClick={() => go('/visualizationCenter/dataMap')}>{t('dataMap')}</Button>
          <ShareButton kind={kinds.map} name={t('menu.m10311')} />
        </>
      }
    >
      <Part choice={choice} />
    </Page>
  )
}
export default MapScreen
