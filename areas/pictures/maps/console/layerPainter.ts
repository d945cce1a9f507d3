// Draws the company's own layers on a canvas.
import type { Laid } from './base.ts'
import { project, type Spot } from './mercator.ts'

type Frame = { left: number; top: number; scale: number; dots: number; colour: string }
type Ready = { lines: Spot[][]; image: HTMLImageElement | undefined; corners: Spot[] }

const spotOf = ([longitude = 0, latitude = 0]: number[]) => project(longitude, latitude)

export const openLayerPainter = (pen: CanvasRenderingContext2D, redraw: () => void) => {
  let layers: Ready[] = []
  const lay = (next: readonly Laid[]) => {
    layers = next.map(({ lines, image }): Ready => {
      const picture = image ? new Image() : undefined
      if (picture && image) {
        picture.onload = redraw
        picture.src = image.url
      }
      return { lines: (lines ?? []).map((line) => line.map(spotOf)), image: picture, corners: (image?.corners ?? []).map(spotOf) }
    })
    redraw()
  }
  /** Positions are computed here: the canvas is too imprecise for them at high zoom. */
  const draw = ({ left, top, scale, dots, colour }: Frame) => {
    const at = ({ x, y }: Spot) => [left + x * scale, top + y * scale] as const
    pen.resetTransform()
    pen.strokeStyle = colour
    pen.lineWidth = 1.5 * dots
    for (const { lines, image, corners } of layers) {
      if (image?.complete && image.naturalWidth && corners.length === 4) {
        const [a, b, , d] = corners.map(at) as unknown as [Pair, Pair, Pair, Pair]
        const [w, h] = [image.naturalWidth, image.naturalHeight]
        pen.setTransform((b[0] - a[0]) / w, (b[1] - a[1]) / w, (d[0] - a[0]) / h, (d[1] - a[1]) / h, a[0], a[1])
        pen.drawImage(image, 0, 0)
        pen.resetTransform()
      }
      pen.beginPath()
      for (const line of lines)
        for (const [i, spot] of line.entries()) {
          if (i) pen.lineTo(...at(spot))
          else pen.moveTo(...at(spot))
        }
      pen.stroke()
    }
  }
  return { lay, draw }
}
type Pair = readonly [number, number]
