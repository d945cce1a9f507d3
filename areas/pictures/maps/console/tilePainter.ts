// Draws tiles on a canvas. A coarser tile replaces one that has not loaded.
import type { Camera } from './mercator.ts'
import { loadTile, type Tiles } from './tiles.ts'

const mostImages = 300
const coarser = 5
type Frame = { camera: Camera; width: number; height: number; scale: number; dots: number }

/** Tiles that a frame shows. A camera's zoom counts tiles of 512 pixels, and tiles have 256. Pure. */
export const tilesOf = ({ camera, width, height, scale, dots }: Frame, maxZoom: number) => {
  const z = Math.max(0, Math.min(maxZoom, Math.round(camera.zoom + 1)))
  const count = 2 ** z
  const side = scale / count
  const [left, top] = [width / 2 - camera.x * scale, height / 2 - camera.y * scale]
  const found: { z: number; x: number; y: number; left: number; top: number; side: number }[] = []
  for (let y = Math.max(0, Math.floor(-top / side)); y < count && top + y * side < height; y++)
    for (let column = Math.floor(-left / side); left + column * side < width; column++) {
      const x = ((column % count) + count) % count
      found.push({ z, x, y, left: left + column * side, top: top + y * side, side })
    }
  return side < 8 * dots ? [] : found
}

export const openTilePainter = (pen: CanvasRenderingContext2D, source: Tiles, redraw: () => void) => {
  const images = new Map<string, ImageBitmap | null>()
  const loading = new Map<string, AbortController>()
  const keyOf = (z: number, x: number, y: number) => `${z}/${x}/${y}`
  const keep = (key: string, image: ImageBitmap | null) => {
    images.set(key, image)
    if (images.size <= mostImages) return
    const [oldest, old] = images.entries().next().value!
    images.delete(oldest)
    old?.close()
  }
  const load = async (key: string, z: number, x: number, y: number) => {
    const abort = new AbortController()
    loading.set(key, abort)
    try {
      const image = await createImageBitmap(new Blob([await loadTile(source, z, x, y, abort.signal)]))
      if (abort.signal.aborted) return image.close()
      keep(key, image)
    } catch {
      if (!abort.signal.aborted) keep(key, null)
    }
    loading.delete(key)
    redraw()
  }
  const draw = (frame: Frame) => {
    const tiles = tilesOf(frame, source.MaxZoom)
    const wanted = new Set(tiles.map(({ z, x, y }) => keyOf(z, x, y)))
    for (const [key, abort] of loading)
      if (!wanted.has(key)) {
        abort.abort()
        loading.delete(key)
      }
    for (const { z, x, y, left, top, side } of tiles) {
      const key = keyOf(z, x, y)
      if (!images.has(key) && !loading.has(key)) void load(key, z, x, y)
      for (let up = 0; up <= Math.min(coarser, z); up++) {
        const parent = keyOf(z - up, x >> up, y >> up)
        const image = images.get(parent)
        if (!image) continue
        images.delete(parent)
        images.set(parent, image)
        const part = image.width / 2 ** up
        const at = (n: number) => (n % 2 ** up) * part
        pen.drawImage(image, at(x), at(y), part, part, left, top, side, side)
        break
      }
    }
  }
  const close = () => {
    for (const abort of loading.values()) abort.abort()
    for (const image of images.values()) image?.close()
    images.clear()
  }
  return { draw, close }
}
