import './picture.css'
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { latestOf } from '../../../../console/live/points.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import { withOwn } from '../../../../contract/picture/ownSymbol.ts'
import type { Action, Item, Scene } from '../../../../contract/picture/scene.ts'
import type { PictureSymbol } from '../../../../contract/picture/symbol.ts'
import { loadSymbols } from '../../../../contract/picture/symbols/index.ts'
import type { Opened, Standing } from '../contract.ts'
import { brushFor } from './engine/brush.ts'
import { LivePicture } from './engine/livePicture.ts'
import { Looks, type Newest } from './engine/looks.ts'
import { pointsThen } from './engine/replayed.ts'
import { usePanZoom } from './engine/usePanZoom.ts'
import type { Seen } from './out/svgFile.ts'

/** The symbols of a scene: ours are loaded, its company's own come with it. Undefined until they are there. */
export const useSymbols = (scene: Pick<Scene, 'items' | 'symbols'>): ReadonlyMap<string, PictureSymbol> | undefined => {
  const [loaded, setLoaded] = useState<ReadonlyMap<string, PictureSymbol>>()
  const wanted = useMemo(
    () => [...new Set(scene.items.flatMap((item) => (item.kind === 'symbol' ? [item.symbol.split('.')[0]!] : [])))].sort().join(),
    [scene],
  )
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

/** A moment of the past, in place of now. */
export type Then = { at: number; newest: (id: number, at: number) => Newest | undefined; alarms: readonly Standing[]; step: number }
type Hand = ReturnType<typeof usePanZoom>
type Props = {
  opened: Pick<Opened, 'Scene' | 'Points' | 'Named' | 'Values' | 'Alarms'> & { Flowchart: { FlowchartName: string } }
  parameters?: Record<string, unknown>
  act?: (action: Action, item: string) => void
  hand?: RefObject<Hand | null>
  then?: Then | undefined
  /** Answers what is seen, to be saved or printed. */
  seen?: RefObject<(() => Seen | undefined) | null>
}
/** A picture, alive. */
export const PictureView = ({ opened, parameters, act, hand, then, seen }: Props) => {
  const t = useWords()
  const box = useRef<HTMLElement>(null)
  const scene = opened.Scene as Scene
  const symbols = useSymbols(scene)
  const live = useRef<{ looks: Looks; picture: LivePicture }>(undefined)
  const [svg, setSvg] = useState<SVGElement>()
  const { Named } = opened
  const Alarms = then?.alarms ?? opened.Alarms
  const past = useRef(then)
  past.current = then
  const [step, at] = [then?.step, then?.at]
  const Points = useMemo(() => (step === undefined ? opened.Points : pointsThen(opened.Points, step)), [opened.Points, step])
  const first = useRef(opened.Values)
  useEffect(() => {
    if (!symbols || !box.current) return
    const values = new Map(first.current.map(({ ParaId, ...rest }) => [ParaId, rest]))
    const newest = (id: number) => {
      const of = past.current
      return of ? of.newest(id, of.at) : (latestOf(id) ?? values.get(id))
    }
    const looks = new Looks({ Points, Named, Alarms: [] }, scene, newest, t, parameters)
    const picture = new LivePicture(scene, brushFor(scene, symbols, language()), looks, () => past.current?.at ?? Date.now())
    box.current.replaceChildren(...picture.elements)
    live.current = { looks, picture }
    setSvg(picture.svg)
    picture.start()
    return () => picture.stop()
  }, [scene, Points, Named, symbols, t, parameters])
  // An alarm changes the marks, and neither the drawing nor what of it one looks at.
  useEffect(() => {
    if (!symbols) return
    live.current?.looks.setAlarms(Alarms)
    live.current?.picture.refresh()
  }, [Alarms, symbols, scene, Points, Named, t, parameters, at])
  const own = usePanZoom(box, scene.width, scene.height, svg)
  useEffect(() => {
    if (hand) hand.current = own
  }, [hand, own])
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
  }, [scene, act])
  return (
    <section
      ref={box}
      className="picture"
      aria-label={opened.Flowchart.FlowchartName}
      style={{ aspectRatio: `${scene.width} / ${scene.height}` }}
    />
  )
}
