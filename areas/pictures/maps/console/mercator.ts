// Web Mercator: the world is a square from 0 to 1, and 512 pixels wide at zoom 0. Pure.
export type Camera = { x: number; y: number; zoom: number }
export type Size = { width: number; height: number }
export type Spot = { x: number; y: number }

/** The projection ends at this latitude (EPSG:3857). */
export const mostLatitude = 85.051129
export const mostZoom = 18
export const scaleOf = (zoom: number) => 512 * 2 ** zoom

export const project = (longitude: number, latitude: number): Spot => {
  const sin = Math.sin((Math.max(-mostLatitude, Math.min(mostLatitude, latitude)) * Math.PI) / 180)
  return { x: (longitude + 180) / 360, y: 0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI) }
}

export const unproject = ({ x, y }: Spot) => ({
  longitude: x * 360 - 180,
  latitude: (360 / Math.PI) * Math.atan(Math.exp((0.5 - y) * 2 * Math.PI)) - 90,
})

const wrap = (x: number) => x - Math.floor(x)

/** The nearest camera that shows nothing beyond the poles. */
export const bounded = ({ x, y, zoom }: Camera, { width, height }: Size): Camera => {
  const least = Math.log2(Math.max(height, Math.min(width, 512), 1) / 512)
  const z = Math.max(least, Math.min(mostZoom, zoom))
  const half = height / 2 / scaleOf(z)
  return { x: wrap(x), y: half >= 0.5 ? 0.5 : Math.max(half, Math.min(1 - half, y)), zoom: z }
}

/** The pixel of a spot, in the copy of the world nearest to the camera. */
export const onScreen = (camera: Camera, { width, height }: Size, { x, y }: Spot): Spot => {
  const scale = scaleOf(camera.zoom)
  return { x: width / 2 + (wrap(x - camera.x + 0.5) - 0.5) * scale, y: height / 2 + (y - camera.y) * scale }
}

/** The spot under a pixel. */
export const under = (camera: Camera, { width, height }: Size, at: Spot): Spot => {
  const scale = scaleOf(camera.zoom)
  return { x: wrap(camera.x + (at.x - width / 2) / scale), y: camera.y + (at.y - height / 2) / scale }
}

export const moved = (camera: Camera, size: Size, right: number, down: number): Camera => {
  const scale = scaleOf(camera.zoom)
  return bounded({ ...camera, x: camera.x + right / scale, y: camera.y + down / scale }, size)
}

/** Zooms around a fixed pixel. */
export const zoomed = (camera: Camera, size: Size, by: number, at: Spot = { x: size.width / 2, y: size.height / 2 }): Camera => {
  const { zoom } = bounded({ ...camera, zoom: camera.zoom + by }, size)
  const shift = 1 / scaleOf(camera.zoom) - 1 / scaleOf(zoom)
  const [right, down] = [(at.x - size.width / 2) * shift, (at.y - size.height / 2) * shift]
  return bounded({ x: camera.x + right, y: camera.y + down, zoom }, size)
}

const padding = 48
/** The camera that shows all spots, at most `closest`: a single spot is shown with its surroundings. */
export const fitting = (spots: readonly Spot[], size: Size, closest = 5): Camera => {
  if (!spots.length) return bounded({ x: 0.5, y: 0.42, zoom: 0 }, size)
  let [left, right, top, bottom] = [1, 0, 1, 0]
  for (const { x, y } of spots) {
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
  }
  const room = (length: number) => Math.max(length - 2 * padding, 32)
  const zoom = Math.log2(Math.min(room(size.width) / (right - left || 1e-9), room(size.height) / (bottom - top || 1e-9)) / 512)
  return bounded({ x: (left + right) / 2, y: (top + bottom) / 2, zoom: Math.min(zoom, closest) }, size)
}
