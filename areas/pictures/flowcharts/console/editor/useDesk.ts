import { useCallback, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Scene } from '../../../../../contract/picture/scene.ts'
import type { PictureSymbol } from '../../../../../contract/picture/symbol.ts'
import { boundsOf } from './changes.ts'
import type { Ids } from './layers.ts'

type Symbols = ReadonlyMap<string, PictureSymbol>
/** Margin of the sheet on the desk, and margin around items after a zoom to them. */
const [edge, around] = [16, 80]
const [least, most] = [0.1, 4]
const clamped = (zoom: number) => Math.min(most, Math.max(least, zoom))

/** The desk around the sheet: zoom and scroll position. */
export const useDesk = (scene: Scene, symbols: Symbols) => {
  const desk = useRef<HTMLDivElement>(null)
  const [zoom, setZoom] = useState(0.75)
  const { width } = scene
  const fit = useCallback(() => {
    const room = (desk.current?.clientWidth ?? 0) - 40
    if (room > 0) setZoom(Math.min(1, room / width))
  }, [width])
  useEffect(fit, [])
  /** Centres items. */
  const show = (ids: Ids, at = zoom) => {
    const box = boundsOf(scene, ids, symbols)
    const { current } = desk
    if (!box || !current) return
    current.scrollTo({
      left: edge + (box.x + box.w / 2) * at - current.clientWidth / 2,
      top: edge + (box.y + box.h / 2) * at - current.clientHeight / 2,
    })
  }
  /** Zooms to items; without any, to the sheet. */
  const zoomTo = (ids: Ids) => {
    const box = boundsOf(scene, ids, symbols)
    const { current } = desk
    if (!box || !current) return fit()
    const next = clamped(Math.min(current.clientWidth / (box.w + around), current.clientHeight / (box.h + around)))
    flushSync(() => setZoom(next))
    show(ids, next)
  }
  return { desk, zoom, fit, show, zoomTo, zoomBy: (factor: number) => setZoom((now) => clamped(now * factor)) }
}
