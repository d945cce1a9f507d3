import './picture.css'
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { latestOf } from '../../../../console/live/points.ts'
import { userZone } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import { compose } from '../../../../contract/picture/compose.ts'
import { withOwn } from '../../../../contract/picture/ownSymbol.ts'
import type { Action, Item, Scene } from '../../../../contract/picture/scene.ts'
import { symbolsIn } from '../../../../contract/picture/sceneReferences.ts'
import type { PictureSymbol } from '../../../../contract/picture/symbol.ts'
import { loadSymbols } from '../../../../contract/picture/symbols/index.ts'
import { brushFor } from '../brush.ts'
import type { Newest } from '../compiled.ts'
import type { AlarmRow, Curves, Opened, Past, Standing } from '../contract.ts'
import { Looks } from '../looks.ts'
import type { Seen } from '../svgFile.ts'
import { type Canvas, LivePicture, mostElements } from './engine/livePicture.ts'
import { pointsThen } from './engine/replayed.ts'
import { type Hand, usePanZoom } from './engine/usePanZoom.ts'

/** The symbols of a scene: built-in ones are loaded, those of the company are part of the scene. Undefined while loading. */
export const useSymbols = (scene: Pick<Scene, 'items' | 'symbols'>): ReadonlyMap<string, PictureSymbol> | undefined => {
  const [loaded, setLoaded] = useState<ReadonlyMap<string, PictureSymbol>>()
  const wanted = useMemo(() => [...new Set(symbolsIn(scene).map((id) => id.split('.')[0]!))].sort().join(), [scene])
  useEffect(() => {
    let here = true
    loadSymbols(wanted.split(',').map((category) => `${category}.`)).then((all) => here && setLoaded(new Map(all)))
    return () => {
      here = false
    }
  }, [wanted])
  const own = scene.symbols
  return useMemo(() => loaded && withOwn(loaded, own), [loaded, own])
}

/** Canvas renderer, loaded for large pictures only: null for others, undefined while loading. */
const useCanvas = (isLarge: boolean): Canvas | null | undefined => {
  const [loaded, setLoaded] = useState<{ Canvas: Canvas }>()
  useEffect(() => {
    if (!isLarge) return
    let here = true
    import('./engine/canvasSurface.ts').then(({ CanvasSurface }) => here && setLoaded({ Canvas: CanvasSurface }))
    return () => {
      here = false
    }
  }, [isLarge])
  return isLarge ? loaded?.Canvas : null
}

/** A past time, shown instead of the current values. */
export type Then = {
  at: number
  newest: (id: number, at: number) => Newest | undefined
  alarms: readonly Standing[]
  step: number
  /** Data of trends. */
  past?: { of: Past; range: { start: number; end: number } } | undefined
}
/** Scrolls to a point in the picture. Returns whether it is there. */
export type Lead = (point: number) => boolean
type Shown = Pick<Opened, 'Scene' | 'Given' | 'Inside' | 'Points' | 'Named' | 'Values' | 'Alarms'>
type Props = {
  opened: Shown & { Flowchart: { FlowchartName: string } }
  act?: (action: Action, item: string) => void
  hand?: RefObject<RefObject<Hand> | null>
  lead?: RefObject<Lead | null>
  then?: Then | undefined
  /** Readings for trends, and active alarms as text. */
  curves?: Curves | undefined
  rows?: readonly AlarmRow[] | undefined
  /** Captures the visible part, for saving or printing. */
  seen?: RefObject<(() => Seen | undefined) | null>
}

/** The scene with its parameters and nested pictures. */
export const useComposed = ({ Scene: scene, Given, Inside, Points }: Pick<Opened, 'Scene' | 'Given' | 'Inside' | 'Points'>) =>
  useMemo(() => {
    const inside = new Map(Inside.map((one) => [one.Id, one]))
    const devices = new Map(Points.map((point) => [point.DeviceId, point.DeviceName]))
    const points = new Map(Points.map((point) => [point.ParaId, point.ParaName]))
    const names = { device: devices, point: points }
    return compose(scene as Scene, Given, {
      inner: (id) => inside.get(id),
      nameOf: ({ type }, value) =>
        type === 'device' || type === 'point' ? (names[type].get(Number(value)) ?? String(value)) : String(value),
    })
  }, [scene, Given, Inside, Points])

/** Clicks and keys on interactive items. */
const useActs = (box: RefObject<HTMLElement | null>, scene: Scene, act: Props['act']) => {
  useEffect(() => {
    const root = box.current
    if (!root || !act) return
    const acts = new Map(scene.items.flatMap(({ id, acts }) => (acts?.[0] ? [[id, acts[0]] as const] : [])))
    const find = (event: Event) => {
      const id = (event.target as Element).closest('.picture-acts')?.getAttribute('data-item')
      const action = id ? acts.get(id) : undefined
      if (!id || !action) return
      event.preventDefault()
      act(action, id)
    }
    const onKey = (event: KeyboardEvent) => (event.key === 'Enter' || event.key === ' ') && find(event)
    root.addEventListener('click', find)
    root.addEventListener('keydown', onKey)
    return () => {
      root.removeEventListener('click', find)
      root.removeEventListener('keydown', onKey)
    }
  }, [box, scene, act])
}

/** A live picture. */
export const PictureView = ({ opened, act, hand, lead, then, curves, rows, seen }: Props) => {
  const t = useWords()
  const box = useRef<HTMLElement>(null)
  const { scene } = useComposed(opened)
  const symbols = useSymbols(scene)
  const Canvas = useCanvas(scene.items.length > mostElements)
  const live = useRef<{ looks: Looks; picture: LivePicture }>(undefined)
  const [svg, setSvg] = useState<SVGElement>()
  const { Named } = opened
  const Alarms = then?.alarms ?? opened.Alarms
  const past = useRef(then)
  past.current = then
  const [step, at, replayed] = [then?.step, then?.at, then?.past]
  const Points = useMemo(() => (step === undefined ? opened.Points : pointsThen(opened.Points, step)), [opened.Points, step])
  const first = useRef(opened.Values)
  useEffect(() => {
    if (!symbols || Canvas === undefined || !box.current) return
    const values = new Map(first.current.map(({ ParaId, ...rest }) => [ParaId, rest]))
    const newest = (id: number) => {
      const of = past.current
      return of ? of.newest(id, of.at) : (latestOf(id) ?? values.get(id))
    }
    const looks = new Looks({ Points, Named, Alarms: [] }, scene, newest, { t, language: language(), zone: userZone() })
    const clock = () => past.current?.at ?? Date.now()
    const picture = new LivePicture(scene, brushFor(scene, symbols, language()), looks, { clock, Canvas })
    box.current.replaceChildren(...picture.elements)
    live.current = { looks, picture }
    setSvg(picture.svg)
    picture.start()
    return () => picture.stop()
  }, [scene, Points, Named, symbols, Canvas, t])
  // An alarm changes only the marks, not the drawing or the view.
  useEffect(() => {
    if (!symbols || !live.current) return
    const { looks, picture } = live.current
    looks.setAlarms(Alarms)
    looks.setRows(rows)
    if (curves) looks.trails.setCurves(curves)
    looks.trails.setPast(replayed)
    picture.refresh()
  }, [Alarms, rows, curves, replayed, symbols, Canvas, scene, Points, Named, t, at])
  const own = usePanZoom(box, scene.width, scene.height, svg)
  useEffect(() => {
    if (hand) hand.current = own
    if (!lead) return
    lead.current = (point) => {
      const [item] = live.current?.picture.placesOf(point) ?? []
      if (!item) return false
      own.current.lead(item)
      live.current?.picture.point(item.id)
      return true
    }
  }, [hand, lead, own])
  useEffect(() => {
    if (!seen) return
    seen.current = () => {
      const picture = live.current?.picture
      if (!picture || !symbols) return undefined
      const [x = 0, y = 0, w = scene.width, h = scene.height] = (picture.svg.getAttribute('viewBox') ?? '').split(' ').map(Number)
      const lookOf = (item: Item) => picture.lookOf(item)
      return { scene, symbols, lookOf, viewBox: [x, y, w, h], at: past.current?.at ?? Date.now() }
    }
  }, [seen, scene, symbols])
  useActs(box, scene, act)
  return (
    <section
      ref={box}
      className="picture"
      aria-label={opened.Flowchart.FlowchartName}
      style={{ aspectRatio: `${scene.width} / ${scene.height}` }}
    />
  )
}
