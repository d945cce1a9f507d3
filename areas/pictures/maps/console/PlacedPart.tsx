import { type ReactNode, useMemo, useState } from 'react'
import { EmptyList, Failure } from '../../../../console/kernel/Empty.tsx'
import type { Fault } from '../../../../console/session/request.ts'
import { useWords } from '../../../../console/words/words.ts'
import { mostOnMap } from '../contract.ts'
import { shownAt } from '../coordinates.ts'
import { type Look, type Place, urgency } from './clusters.ts'
import { Layers } from './Layers.tsx'
import { MapView } from './MapView.tsx'
import { project as toSpot } from './mercator.ts'
import { listedOf, Rows } from './Rows.tsx'
import { useTiles } from './tiles.ts'
import { useLayers } from './useLayers.ts'

type Placed = { Id: number; Longitude: number; Latitude: number }
type Props<T extends Placed> = {
  of: 'gateways' | 'devices'
  answer: { data: { Items: T[] | null; TotalMore: boolean } | undefined; error: Fault | null; refetch: () => unknown }
  choice: ReactNode
  name: (of: T) => string | null
  is: (of: T) => Look
  text: (of: T) => (string | null)[]
  children: (of: T) => ReactNode
}
/** Gateways or devices at their positions, with a list of the visible ones, urgent ones first. */
export const PlacedPart = <T extends Placed>({ of, answer: { data, error, refetch }, choice, name, is, text, children }: Props<T>) => {
  const t = useWords()
  const [chosen, setChosen] = useState<number>()
  const [seen, setSeen] = useState<ReadonlySet<number>>()
  const { tiles, isPending } = useTiles()
  const layers = useLayers()
  const items = useMemo(() => (data?.Items ?? []).toSorted((a, b) => urgency(is(a)) - urgency(is(b))), [data, is])
  const places = useMemo(
    () =>
      items.map((one): Place => {
        const at = shownAt({ longitude: one.Longitude, latitude: one.Latitude }, tiles?.System)
        return { ...toSpot(at.longitude, at.latitude), ...{ id: one.Id, name: name(one) ?? String(one.Id), is: is(one) } }
      }),
    [items, tiles, name, is],
  )
  const rests = useMemo(() => (on: readonly Place[]) => setSeen(new Set(on.map(({ id }) => id))), [])
  if (error && !data) return <Failure fault={error} retry={() => refetch()} />
  const inView = items.filter(({ Id }) => !seen || seen.has(Id))
  const picked = items.find(({ Id }) => Id === chosen)
  const { listed, isMore, mostListed } = listedOf(inView, picked)
  const words = of === 'gateways' ? 'Gateways' : 'Devices'
  return (
    <div className="map-screen">
      {isPending ? (
        <div className="map" />
      ) : (
        <MapView
          label={t(`map.${of}Label`)}
          places={places}
          chosen={chosen}
          choose={(group) => setChosen(group[0]!.id)}
          rests={rests}
          tiles={tiles}
          layers={layers.shown}
        >
          {data && !places.length && <p className="map-note">{t(`map.no${words}`)}</p>}
        </MapView>
      )}
      <aside className="map-side" aria-label={t(`map.show.${of}`)}>
        {choice}
        {data?.TotalMore && <p className="soft">{t(`map.more${words}`, { count: mostOnMap })}</p>}
        {data && <p className="soft">{t(`map.${of}InView`, { count: inView.length })}</p>}
        <Rows items={listed} {...{ chosen, choose: setChosen, name, is, text }}>
          {children}
        </Rows>
        {data && !listed.length && places.length > 0 && <EmptyList text={t('map.nothing')} />}
        {isMore && <p className="soft">{t('map.listed', { count: mostListed })}</p>}
        <Layers of={layers} />
      </aside>
    </div>
  )
}
