import type { Scene } from '../../../../../contract/picture/scene.ts'
import type { PictureSymbol } from '../../../../../contract/picture/symbol.ts'
import { boundsOf } from './changes.ts'
import type { Ids } from './layers.ts'

/** The sheet's distance from the edge of the desk. */
const edge = 16

/** Scrolls the desk so that items are in its middle. */
export const showItems = (desk: HTMLElement | null, scene: Scene, ids: Ids, symbols: ReadonlyMap<string, PictureSymbol>, zoom: number) => {
  const box = boundsOf(scene, ids, symbols)
  if (!desk || !box) return
  desk.scrollTo({
    left: edge + (box.x + box.w / 2) * zoom - desk.clientWidth / 2,
    top: edge + (box.y + box.h / 2) * zoom - desk.clientHeight / 2,
  })
}

/** How far one zooms so that items fill the desk, with room around them. */
export const zoomTo = (
  desk: HTMLElement | null,
  scene: Scene,
  ids: Ids,
  symbols: ReadonlyMap<string, PictureSymbol>,
): number | undefined => {
  const box = boundsOf(scene, ids, symbols)
  if (!desk || !box) return undefined
  const fits = Math.min(desk.clientWidth / (box.w + 80), desk.clientHeight / (box.h + 80))
  return Math.min(4, Math.max(0.1, fits))
}
