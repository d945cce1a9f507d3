import { useMemo, useState } from 'react'
import { useWords } from '../../../../console/words/words.ts'
import type { MapProject } from '../contract.ts'
import { MapView } from './MapView.tsx'
import { Details, lookOf, placesOf } from './projectMarks.tsx'
import { Sign } from './Sign.tsx'
import { useTiles } from './tiles.ts'
import { useLayers } from './useLayers.ts'

/** `isPart`: the wheel scrolls the page around the map; with Ctrl it zooms. */
type Props = { items: readonly MapProject[]; isPart?: boolean }
/** Projects on a map, with details of the chosen one. */
const ProjectMap = ({ items, isPart = false }: Props) => {
  const t = useWords()
  const [chosen, choose] = useState<number>()
  const { tiles, isPending } = useTiles()
  const { shown } = useLayers()
  const placed = useMemo(() => items.filter(({ Longitude, Latitude }) => Longitude !== null && Latitude !== null), [items])
  const places = useMemo(() => placesOf(placed, tiles?.System), [placed, tiles])
  const picked = placed.find(({ Id }) => Id === chosen)
  return (
    <div className="project-map">
      {!isPending && (
        <MapView
          label={t('map.label')}
          places={places}
          chosen={chosen}
          choose={(group) => choose(group[0]!.id === chosen ? undefined : group[0]!.id)}
          tiles={tiles}
          layers={shown}
          isPart={isPart}
        >
          {!places.length && <p className="map-note">{t('map.none')}</p>}
          {picked && (
            <aside className="map-picked" aria-label={picked.ProjectName ?? ''}>
              <h2>
                <Sign is={lookOf(picked)} /> {picked.ProjectName}
              </h2>
              <p>{t(`map.condition.${lookOf(picked)}`)}</p>
              <Details of={picked} />
            </aside>
          )}
        </MapView>
      )}
    </div>
  )
}
export default ProjectMap
