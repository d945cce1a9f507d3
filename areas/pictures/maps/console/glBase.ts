import { addProtocol, Map as GlMap, setWorkerUrl } from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import type { TileSource } from '../contract.ts'
import type { OpenBase } from './base.ts'
import { readLand } from './land.ts'
import { mostZoom, type Size, unproject } from './mercator.ts'
import { loadTile } from './tiles.ts'

// Its worker is a file of ours: the content security policy allows no other.
setWorkerUrl(workerUrl)

const protocol = 'penstock'
/** Map servers of the maps that are open, by their mark. */
const sources = new Map<string, TileSource>()
addProtocol(protocol, async ({ url }, { signal }) => {
  const [mark = '', z, x, y] = url.slice(`${protocol}://`.length).split('/')
  const source = sources.get(mark)
  if (!source) throw new Error('This map is closed')
  return { data: await loadTile(source, Number(z), Number(x), Number(y), signal) }
})
const tileParts = (tiles: TileSource | undefined) => {
  if (!tiles) return { source: {}, layers: [] }
  sources.set(tiles.Mark, tiles)
  const address = `${protocol}://${tiles.Mark}/{z}/{x}/{y}`
  return {
    source: { tiles: { type: 'raster' as const, tiles: [address], tileSize: 256, maxzoom: tiles.MaxZoom } },
    layers: [{ id: 'tiles', type: 'raster' as const, source: 'tiles', paint: { 'raster-fade-duration': 0 } }],
  }
}

export const openGl: OpenBase = async (into, { water, land }, tiles) => {
  const data = await readLand()
  const raster = tileParts(tiles)
  const map = new GlMap({
    container: into,
    style: {
      version: 8,
      sources: { land: { type: 'geojson', data: data as never, maxzoom: 6, tolerance: 0.5 }, ...(raster.source as object) },
      layers: [
        { id: 'water', type: 'background', paint: { 'background-color': water } },
        { id: 'land', type: 'fill', source: 'land', paint: { 'fill-color': land } },
        ...raster.layers,
      ],
    },
    // One hand moves all maps (useCamera.ts).
    interactive: false,
    attributionControl: false,
    trackResize: false,
    fadeDuration: 0,
    minZoom: -2,
    maxZoom: mostZoom,
  })
  let ready = false
  let ground = { water, land }
  const paint = () => {
    map.setPaintProperty('water', 'background-color', ground.water)
    map.setPaintProperty('land', 'fill-color', ground.land)
  }
  map.once('load', () => {
    ready = true
    paint()
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
    close: () => map.remove(),
  }
}
