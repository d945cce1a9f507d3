import { expect, it } from 'vitest'
import { shownAt, storedAt } from '../coordinates.ts'
import { clustered, inView, type Place, worst } from './clusters.ts'
import { bounded, fitting, onScreen, project, unproject, zoomed } from './mercator.ts'
import { onOneMap, unwrapped } from './onOneMap.ts'
import { tilesOf } from './tilePainter.ts'

const place = (id: number, longitude: number, latitude: number, is: Place['is'] = 'normal'): Place => ({
  ...project(longitude, latitude),
  ...{ id, name: `Works ${id}`, is },
})
const size = { width: 800, height: 600 }

it('a position comes back from the map as it went in', () => {
  for (const [longitude, latitude] of [
    [0, 0],
    [2.17, 41.38],
    [-179.5, -77],
    [114.06, 22.54],
  ] as const) {
    const back = unproject(project(longitude, latitude))
    expect([back.longitude, back.latitude].map((n) => Math.round(n * 1e6) / 1e6)).toEqual([longitude, latitude])
  }
})

it('places close together are one mark, with the worst of their states, until the map is zoomed in', () => {
  const places = [place(1, 2.17, 41.38), place(2, 2.11, 41.42, 'alarm'), place(3, -3.7, 40.4, 'none')]
  const far = clustered(places, 3.7)
  expect(far.map((c) => c.places.length).sort()).toEqual([1, 2])
  expect(far.find((c) => c.places.length === 2)?.is).toBe('alarm')
  expect(clustered(places, 3)).toEqual(far)
  expect(clustered(places, 13)).toHaveLength(3)
  expect(worst([])).toBe('unknown')
})

it('the map goes round: what lies beyond its edge is shown beside it', () => {
  const fiji = place(1, 179.9, -17)
  const camera = bounded({ ...project(-179.9, -17), zoom: 6 }, size)
  expect(onScreen(camera, size, fiji).x).toBeGreaterThan(300)
  expect(inView([fiji], camera, size)).toHaveLength(1)
  expect(inView([place(2, 0, 50)], camera, size)).toHaveLength(0)
})

it('all places fit, zooming keeps what is under the pointer, and nothing beyond the poles shows', () => {
  const places = [place(1, 2.17, 41.38), place(2, -70, -33), place(3, 139, 35)]
  expect(inView(places, fitting(places, size), size, 0)).toHaveLength(3)
  const camera = fitting(places.slice(0, 1), size)
  const at = { x: 700, y: 50 }
  const before = onScreen(zoomed(camera, size, 2, at), size, places[0]!)
  const own = onScreen(camera, size, places[0]!)
  expect((before.x - at.x) / (own.x - at.x)).toBeCloseTo(4, 5)
  expect(bounded({ x: 0.5, y: -3, zoom: -5 }, size)).toMatchObject({ y: 0.5 })
})

it('land on both sides of 180 degrees is cut there', () => {
  const across = [
    [170, 0],
    [-170, 0],
    [-170, 10],
    [170, 10],
    [170, 0],
  ]
  const edges = onOneMap([across]).map(([ring]) => ring!.map(([longitude]) => longitude!))
  expect(edges.map((of) => [Math.min(...of), Math.max(...of)])).toEqual([
    [170, 180],
    [-180, -170],
  ])
})

it('land beyond 180 degrees goes on, and land round a pole is closed along it', () => {
  const across = [170, 179, -179, -170, 170].map((longitude, i) => [longitude, 60 + i])
  expect(unwrapped(across).map(([longitude]) => longitude)).toEqual([170, 179, 181, 190, 170])
  const plain = [0, 10, 20, 0].map((longitude) => [longitude, 5])
  expect(unwrapped(plain)).toEqual(plain)
  const round = [-180, -90, 0, 90, 179, -180].map((longitude) => [longitude, -70])
  expect(unwrapped(round).slice(-4)).toEqual([
    [180, -70],
    [180, -90],
    [-180, -90],
    [-180, -70],
  ])
})

it('positions in China lie where maps of GCJ-02 show them, and come back to the centimetre', () => {
  for (const [longitude, latitude, east, north] of [
    [121.5272106, 31.1774276, 121.531541859215, 31.17530398364597],
    [113.912316, 22.543847, 113.9171764808363, 22.540796131694766],
    [116.377817, 39.911954, 116.38404722455657, 39.91334545536069],
  ] as const) {
    const shown = shownAt({ longitude, latitude }, 'gcj02')
    expect(shown.longitude).toBeCloseTo(east, 5)
    expect(shown.latitude).toBeCloseTo(north, 5)
    const back = storedAt(shown, 'gcj02')
    expect(back.longitude).toBeCloseTo(longitude, 7)
    expect(back.latitude).toBeCloseTo(latitude, 7)
  }
  const barcelona = { longitude: 2.17, latitude: 41.38 }
  expect(shownAt(barcelona, 'gcj02')).toEqual(barcelona)
  expect(shownAt({ longitude: 116, latitude: 39 })).toEqual({ longitude: 116, latitude: 39 })
})

it('a canvas wants the tiles that it shows, round the world and no finer than the map server has', () => {
  const frame = (zoom: number, x: number) => ({ camera: { x, y: 0.5, zoom }, width: 512, height: 256, scale: 512 * 2 ** zoom, dots: 1 })
  const names = (zoom: number, x: number, most = 18) => tilesOf(frame(zoom, x), most).map((tile) => `${tile.z}/${tile.x}/${tile.y}`)
  expect(names(0, 0.5)).toEqual(['1/0/0', '1/1/0', '1/0/1', '1/1/1'])
  expect(new Set(names(3, 0).map((name) => Number(name.split('/')[1])))).toEqual(new Set([15, 0]))
  expect(names(9, 0.501, 2)).toEqual(['2/2/1', '2/2/2'])
})
