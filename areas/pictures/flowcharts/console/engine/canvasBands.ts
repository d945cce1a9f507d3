// Horizontal bands of a canvas, and which one is drawn next.
import type { Item } from '../../../../../contract/picture/scene.ts'
import type { Frame } from './canvasBounds.ts'
import type { Moving } from './moving.ts'

/** The state that decides when a band is drawn. */
export type Due = {
  /** Time since which its content is outdated. */
  since: number | undefined
  drawnAt: number
  /** Whether it has rotating, flowing or blinking items, and their position when it was drawn. */
  moves: boolean
  blinks: boolean
  moving: Moving | undefined
}
/** Motion waits four times as long as a changed value. It is never skipped, or the picture would seem frozen. */
const motion = 0.25

/** Whether an item in it has moved or blinked since it was drawn. */
export const hasMoved = ({ moves, blinks, moving }: Due, current: Moving) =>
  (moves && moving !== current) || (blinks && moving?.blinkOn !== current.blinkOn)
const urgency = (due: Due, now: number, current: Moving) =>
  Math.max(due.since === undefined ? -1 : now - due.since, hasMoved(due, current) ? motion * (now - due.drawnAt) : -1)
/** The band that has waited longest; changed values come before motion. */
export const nextBand = <B extends Due>(bands: readonly B[], now: number, current: Moving): B | undefined => {
  let [found, most]: [B | undefined, number] = [undefined, -1]
  for (const band of bands) {
    const own = urgency(band, now, current)
    if (own > most) [found, most] = [band, own]
  }
  return found
}

export type Band = Due & {
  canvas: HTMLCanvasElement
  front: ImageBitmapRenderingContext
  back: OffscreenCanvas
  ctx: OffscreenCanvasRenderingContext2D
  /** Items in it whose values may have changed. */
  changed: Set<Item>
  isDirty: boolean
}
export const openBand = (): Band => {
  const canvas = document.createElement('canvas')
  const back = new OffscreenCanvas(1, 1)
  return {
    ...{ canvas, front: canvas.getContext('bitmaprenderer')!, back, ctx: back.getContext('2d')! },
    ...{ changed: new Set<Item>(), isDirty: true, since: 0, drawnAt: 0, moves: false, blinks: false, moving: undefined },
  }
}

/** The position of a scene in its box, in screen pixels, as SVG fits it. */
export class CanvasView {
  readonly width: number
  readonly height: number
  readonly scale: number
  readonly left: number
  readonly top: number
  readonly ratio: number
  /** Height of a band. */
  readonly tall: number
  readonly #count: number

  constructor(viewBox: string, { clientWidth, clientHeight }: Pick<Element, 'clientWidth' | 'clientHeight'>, ratio: number, count: number) {
    const [x = 0, y = 0, w = 1, h = 1] = viewBox.split(' ').map(Number)
    this.ratio = Math.min(2, ratio)
    this.width = Math.max(1, Math.round(clientWidth * this.ratio))
    this.height = Math.max(1, Math.round(clientHeight * this.ratio))
    this.scale = Math.min(this.width / w, this.height / h)
    this.left = (this.width - w * this.scale) / 2 - x * this.scale
    this.top = (this.height - h * this.scale) / 2 - y * this.scale
    this.tall = Math.ceil(this.height / count)
    this.#count = count
  }
  /** Top and height of a band. */
  placeOf(band: number): [from: number, height: number] {
    const from = band * this.tall
    return [from, Math.max(1, Math.min(this.tall, this.height - from))]
  }
  /** The visible area of a band, in scene units. */
  frameOf(band: number): Frame {
    const [from, height] = this.placeOf(band)
    return [-this.left / this.scale, (from - this.top) / this.scale, this.width / this.scale, height / this.scale]
  }
  /** The first and last band that overlap the area; first > last if none does. */
  bandsOf([x, y, w, h]: Frame): [first: number, last: number] {
    const at = (value: number) => this.left + value * this.scale
    if (at(x + w) <= 0 || at(x) >= this.width) return [0, -1]
    const band = (value: number) => Math.floor((this.top + value * this.scale) / this.tall)
    return [Math.max(0, band(y)), Math.min(this.#count - 1, band(y + h))]
  }
}
