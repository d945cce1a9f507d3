import { Input } from 'antd'
import { useMemo, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { useCall } from '../../../../console/kernel/api.ts'
import { EmptyList, Failure } from '../../../../console/kernel/Empty.tsx'
import { RefInput } from '../../../../console/kernel/RefInput.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { region } from '../../../people/regions/contract.ts'
import { ShareButton } from '../../shares/console/ShareButton.tsx'
import { kinds } from '../../shares/contract.ts'
import { type MapProject, mapCalls, mostOnMap } from '../contract.ts'
import { type Place, urgency } from './clusters.ts'
import { MapView } from './MapView.tsx'
import { Details, lookOf, placesOf } from './projectMarks.tsx'
import { Sign } from './Sign.tsx'
import { useTiles } from './tiles.ts'

const everyMs = 30_000
const mostListed = 100
const projectsPath = '/projectManagement/projectConfig'

type RowProps = { of: MapProject; chosen: boolean; choose: () => void }
const Row = ({ of, chosen, choose }: RowProps) => {
  const t = useWords()
  const is = lookOf(of)
  return (
    <li className={chosen ? 'map-row map-row-chosen' : 'map-row'}>
      <button type="button" aria-expanded={chosen} onClick={choose}>
        <span className="map-row-shape">
          <Sign is={is} />
        </span>
        <span className="map-row-name">
          <strong>{of.ProjectName}</strong>
          <span className="soft">{[of.RegionName, t(`map.condition.${is}`)].filter(Boolean).join(' · ')}</span>
        </span>
      </button>
      {chosen && <Details of={of} />}
    </li>
  )
}

/** What the map leaves out, and how to mend it. */
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

const MapScreen = () => {
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
  const places = useMemo(() => placesOf(items ?? [], tiles?.System), [items, tiles])
  const inView = useMemo(() => items?.filter(({ Id }) => !seen || seen.has(Id)) ?? [], [items, seen])
  const rests = useMemo(() => (on: readonly Place[]) => setSeen(new Set(on.map(({ id }) => id))), [])
  if (error && !data) return <Failure fault={error} retry={() => refetch()} />
  const picked = items?.find(({ Id }) => Id === chosen)
  const listed = [...(picked ? [picked] : []), ...inView.filter((of) => of !== picked)].slice(0, mostListed)
  const label = t('map.label')
  return (
    <Page title={t('menu.m10311')} actions={<ShareButton kind={kinds.map} name={t('menu.m10311')} />}>
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
          {data?.TotalMore && <p className="soft">{t('map.more', { count: mostOnMap })}</p>}
          {data && <p className="soft">{t('map.inView', { count: inView.length })}</p>}
          <ul className="map-list">
            {listed.map((of) => (
              <Row key={of.Id} of={of} chosen={of.Id === chosen} choose={() => setChosen(of.Id === chosen ? undefined : of.Id)} />
            ))}
          </ul>
          {data && !listed.length && places.length > 0 && <EmptyList text={t('map.nothing')} />}
          {inView.length > mostListed && <p className="soft">{t('map.listed', { count: mostListed })}</p>}
          <Unplaced count={data?.Unplaced ?? 0} />
        </aside>
      </div>
    </Page>
  )
}
export default MapScreen
