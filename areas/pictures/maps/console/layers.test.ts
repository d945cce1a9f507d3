import { expect, it } from 'vitest'
import { cornersOf, linesOf } from '../layers.ts'

const square = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 0],
]
it('the lines of a GeoJSON are its lines and the outlines of its areas, whatever they are wrapped in', () => {
  const feature = (geometry: unknown) => ({ type: 'Feature', properties: { name: '<script>' }, geometry })
  const polygon = {
    type: 'Polygon',
    coordinates: [
      square,
      [
        [0.2, 0.2, 7],
        [0.4, 0.2],
        [0.2, 0.2],
      ],
    ],
  }
  const given = {
    type: 'FeatureCollection',
    features: [
      feature({ type: 'LineString', coordinates: square.slice(0, 2) }),
      feature({ type: 'Point', coordinates: [1, 1] }),
      feature(null),
      feature({ type: 'GeometryCollection', geometries: [polygon, { type: 'MultiPolygon', coordinates: [[square], [square]] }] }),
      feature({
        type: 'MultiLineString',
        coordinates: [
          square,
          [
            [1.123456789, 2],
            ['x', 3],
            [4, 5],
          ],
        ],
      }),
    ],
  }
  expect(linesOf(given)).toEqual([
    square.slice(0, 2),
    square,
    [
      [0.2, 0.2],
      [0.4, 0.2],
      [0.2, 0.2],
    ],
    square,
    square,
    square,
    [
      [1.123457, 2],
      [4, 5],
    ],
  ])
})

it.each([[null], ['text'], [{}], [{ type: 'Polygon' }], [{ type: 'LineString', coordinates: 'x' }], [{ type: 'Feature', geometry: 5 }]])(
  '%j has no lines',
  (given) => expect(linesOf(given)).toEqual([]),
)

it('features that hold each other without end are no trouble', () => {
  const loop: { type: string; geometry?: unknown } = { type: 'Feature' }
  loop.geometry = loop
  expect(linesOf(loop)).toEqual([])
})

it('a plan that is not turned has its edges as corners, and keeps its shape on the ground when it is', () => {
  const edges = { West: 10, North: 61, East: 12, South: 60, Turn: 0 }
  expect(cornersOf(edges)).toEqual([
    [10, 61],
    [12, 61],
    [12, 60],
    [10, 60],
  ])
  const narrow = Math.cos((60.5 * Math.PI) / 180)
  const side = ([a, b]: number[][]) => Math.hypot((b![0]! - a![0]!) * narrow, b![1]! - a![1]!)
  expect(side(cornersOf({ ...edges, Turn: 30 }))).toBeCloseTo(side(cornersOf(edges)), 9)
})
