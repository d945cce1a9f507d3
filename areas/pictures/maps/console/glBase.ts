import { Map as GlMap, setWorkerUrl } from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import type { OpenBase } from './base.ts'
import { readLand } from './land.ts'
import { mostZoom, type Size, unproject } from './mercator.ts'

// Its worker is a file of ours: the content security policy allows no other.
setWorkerUrl(workerUrl)

export const openGl: OpenBase = async (into, { water, land }) => {
  const data = await readLand()
  const map = new GlMap({
    container: into,
    style: {
      version: 8,
      sources: { land: { type: 'geojson', data: data as never, maxzoom: 6, tolerance: 0.5 } },
      layers: [
        { id: 'water', type: 'background', paint: { 'background-color': water } },
        { id: 'land', type: 'fill', source: 'land', paint: { 'fill-color': land } },
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
