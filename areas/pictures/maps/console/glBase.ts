import { addProtocol, Map as GlMap, setWorkerUrl } from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import type { Laid, OpenBase } from './base.ts'
import { readLand } from './land.ts'
import { mostZoom, type Size, unproject } from './mercator.ts'
import { loadTile, type Tiles } from './tiles.ts'

// The worker is our own file: the content security policy allows no other.
setWorkerUrl(workerUrl)

const protocol = 'penstock'
/** Map servers of open maps, by mark. */
const sources = new Map<string, Tiles>()
addProtocol(protocol, async ({ url }, { signal }) => {
  const [mark = '', z, x, y] = url.slice(`${protocol}://`.length).split('/')
  const source = sources.get(mark)
  if (!source) throw new Error('This map is closed')
  return { data: await loadTile(source, Number(z), Number(x), Number(y), signal) }
})
const tileParts = (tiles: Tiles | undefined) => {
  if (!tiles) return { source: {}, layers: [] }
  sources.set(tiles.Mark, tiles)
  const address = `${protocol}://${tiles.Mark}/{z}/{x}/{y}`
  return {
    source: { tiles: { type: 'raster' as const, tiles: [address], tileSize: 256, maxzoom: tiles.MaxZoom } },
    layers: [{ id: 'tiles', type: 'raster' as const, source: 'tiles', paint: { 'raster-fade-duration': 0 } }],
  }
}

type Corners = [[number, number], [number, number], [number, number], [number, number]]
/** Returns the layer's name. */
const addLayer = (map: GlMap, { id, lines, image }: Laid, border: string) => {
  const name = `own ${id}`
  if (image) {
    map.addSource(name, { type: 'image', url: image.url, coordinates: image.corners as Corners })
    map.addLayer({ id: name, type: 'raster', source: name, paint: { 'raster-fade-duration': 0 } })
  } else {
    const geometry = { type: 'MultiLineString' as const, coordinates: lines ?? [] }
    map.addSource(name, { type: 'geojson', data: { type: 'Feature', properties: {}, geometry }, tolerance: 0.1 })
    map.addLayer({ id: name, type: 'line', source: name, paint: { 'line-color': border, 'line-width': 1.5 } })
  }
  return name
}

export const openGl: OpenBase = async (into, first, tiles) => {
  const data = await readLand()
  const raster = tileParts(tiles)
  const map = new GlMap({
    container: into,
    style: {
      version: 8,
      sources: { land: { type: 'geojson', data: data as never, maxzoom: 6, tolerance: 0.5 }, ...(raster.source as object) },
      layers: [
        { id: 'water', type: 'background', paint: { 'background-color': first.water } },
        { id: 'land', type: 'fill', source: 'land', paint: { 'fill-color': first.land } },
        ...raster.layers,
      ],
    },
    // All maps have the same controls (useCamera.ts).
    interactive: false,
    attributionControl: false,
    trackResize: false,
    fadeDuration: 0,
    minZoom: -2,
    maxZoom: mostZoom,
  })
  let ready = false
  let ground = first
  let laid: readonly Laid[] = []
  let there: string[] = []
  const paint = () => {
    map.setPaintProperty('water', 'background-color', ground.water)
    map.setPaintProperty('land', 'fill-color', ground.land)
    for (const id of there) if (map.getLayer(id)?.type === 'line') map.setPaintProperty(id, 'line-color', ground.border)
  }
  const lay = () => {
    for (const id of there) {
      map.removeLayer(id)
      map.removeSource(id)
    }
    there = laid.map((layer) => addLayer(map, layer, ground.border))
  }
  map.once('load', () => {
    ready = true
    paint()
    lay()
  })
  let last: Size = { width: 0, height: 0 }
  return {
    kind: 'gl',
    show: (camera, size) => {
      if (size.width !== last.width || size.height !== last.height) map.resize()
      last = size
      const { longitude, latitude } = unproject(camera)
      map.jumpTo({ center: [longitude, latitude], zoom: camera.zoom })
    },
    paint: (next) => {
      ground = next
      if (ready) paint()
    },
    lay: (next) => {
      laid = next
      if (ready) lay()
    },
    close: () => map.remove(),
  }
}
