import './map.css'
import { AimOutlined, MinusOutlined, PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { useColours } from '../../../../console/theme/mode.ts'
import { useWords } from '../../../../console/words/words.ts'
import type { DrawnLayer } from '../contract.ts'
import { shownAt } from '../coordinates.ts'
import { type Base, type Laid, openBase } from './base.ts'
import { type Cluster, clustered, inView, type Place } from './clusters.ts'
import { type Camera, fitting, mostZoom, type Size, type Spot, zoomed } from './mercator.ts'
import { Sign } from './Sign.tsx'
import type { Tiles } from './tiles.ts'
import { useCamera } from './useCamera.ts'

type View = { camera: Camera; size: Size }
type Props = {
  label: string
  places: readonly Place[]
  chosen?: number | undefined
  /** One place, or several that no zoom separates. */
  choose: (places: readonly Place[]) => void
  /** Without tiles, the map shows only land. Places have positions in the map's coordinate system. */
  tiles?: Tiles | undefined
  /** The company's own layers. */
  layers?: readonly DrawnLayer[] | undefined
  /** Called for a click outside the places. */
  pick?: (spot: Spot) => void
  /** Called with the visible places when the map stops moving. */
  rests?: (seen: readonly Place[]) => void
  /** The map is part of a scrolling page: the wheel zooms only with Ctrl. */
  isPart?: boolean
  children?: ReactNode
}

/** The layer in the map's coordinate system. */
const laid = ({ Id, Lines, Url, Corners }: DrawnLayer, system: Tiles['System'] | undefined): Laid => {
  const shown = ([longitude = 0, latitude = 0]: number[]) => {
    const at = shownAt({ longitude, latitude }, system)
    return [at.longitude, at.latitude]
  }
  const image = Url && Corners ? { url: Url, corners: Corners.map(shown) } : null
  return { id: Id, lines: Lines?.map((line) => line.map(shown)) ?? null, image }
}

/** Maintains the base below the marks. */
const useBase = (view: View | undefined, tiles: Tiles | undefined, layers: readonly DrawnLayer[] | undefined) => {
  const ref = useRef<HTMLDivElement>(null)
  const { sunk, line, soft } = useColours()
  const [base, setBase] = useState<Base>()
  const [failed, setFailed] = useState(false)
  const ground = useRef({ water: sunk, land: line, border: soft })
  ground.current = { water: sunk, land: line, border: soft }
  useEffect(() => {
    let opened: Base | undefined
    let isGone = false
    openBase(ref.current!, ground.current, tiles).then(
      (made) => {
        opened = made
        if (isGone) made.close()
        else setBase(made)
      },
      () => setFailed(true),
    )
    return () => {
      isGone = true
      opened?.close()
    }
  }, [tiles])
  useEffect(() => base?.paint({ water: sunk, land: line, border: soft }), [base, sunk, line, soft])
  useEffect(() => base?.lay((layers ?? []).map((layer) => laid(layer, tiles?.System))), [base, layers, tiles])
  useEffect(() => {
    if (view) base?.show(view.camera, view.size)
  }, [base, view])
  return { ref, kind: base?.kind, failed }
}

type MarkProps = { of: Cluster; at: { x: number; y: number }; chosen: boolean; onClick: () => void }
const Mark = ({ of: { places, is }, at, chosen, onClick }: MarkProps) => {
  const t = useWords()
  const state = t(`map.condition.${is}`)
  const one = places.length === 1 ? places[0] : undefined
  const name = one?.name ?? t('map.cluster', { count: places.length })
  return (
    <button
      type="button"
      className={`map-mark${one ? '' : ' map-cluster'}${chosen ? ' map-chosen' : ''}`}
      style={{ transform: `translate(${Math.round(at.x)}px, ${Math.round(at.y)}px) translate(-50%, -50%)` }}
      aria-label={`${name}: ${state}`}
      aria-pressed={chosen}
      title={`${name}: ${state}`}
      onClick={onClick}
    >
      <Sign is={is} />
      {!one && <span className="map-count">{places.length}</span>}
    </button>
  )
}

const restMs = 150
/** The map handles keys itself: arrows move it. */
const frame = (label: string) => ({ role: 'application', tabIndex: 0, 'aria-label': label })
/** A map with places, clustered if they are close together. */
export const MapView = ({ label, places, chosen, choose, pick, rests, tiles, layers, isPart, children }: Props) => {
  const t = useWords()
  const box = useRef<HTMLDivElement>(null)
  const fitted = useRef(false)
  const { view, change } = useCamera(
    box,
    pick &&
      ((spot) => {
        fitted.current = true
        pick(spot)
      }),
    isPart,
  )
  const base = useBase(view, tiles, layers)
  const level = Math.floor(view?.camera.zoom ?? 0)
  const clusters = useMemo(() => clustered(places, level), [places, level])
  const fit = () => change((_, size) => fitting(places, size))
  // Fits once, when there is something to show; later the user controls the view.
  const isReady = !!view && places.length > 0
  useEffect(() => {
    if (!isReady || fitted.current) return
    fitted.current = true
    change((_, size) => fitting(places, size))
  }, [isReady, places, change])
  useEffect(() => {
    if (!view || !rests) return
    const timer = setTimeout(() => rests(inView(places, view.camera, view.size, 0).map(({ of }) => of)), restMs)
    return () => clearTimeout(timer)
  }, [view, places, rests])
  const open = ({ places: group }: Cluster) => {
    const apart = group.some(({ x, y }) => x !== group[0]!.x || y !== group[0]!.y)
    if (group.length === 1 || !apart || level >= mostZoom) return choose(group)
    change((_, size) => fitting(group, size, mostZoom))
  }
  return (
    <div ref={box} className="map" {...frame(label)} data-base={base.kind} data-part={isPart}>
      <div ref={base.ref} className="map-base" aria-hidden="true" />
      {base.failed && <p className="map-note">{t('map.failed')}</p>}
      {view &&
        inView(clusters, view.camera, view.size).map(({ of, at }) => (
          <Mark key={of.key} of={of} at={at} chosen={of.places.some(({ id }) => id === chosen)} onClick={() => open(of)} />
        ))}
      <div className="map-buttons">
        <Button icon={<PlusOutlined />} aria-label={t('map.in')} title={t('map.in')} onClick={() => change((c, s) => zoomed(c, s, 1))} />
        <Button
          icon={<MinusOutlined />}
          aria-label={t('map.out')}
          title={t('map.out')}
          onClick={() => change((c, s) => zoomed(c, s, -1))}
        />
        <Button icon={<AimOutlined />} aria-label={t('map.fit')} title={t('map.fit')} onClick={fit} />
      </div>
      {tiles?.Attribution && <p className="map-attribution">{tiles.Attribution}</p>}
      {children}
    </div>
  )
}
