// Borders and plans that a company adds to its maps: their format, and conversion from other files. Pure.
import { type Static, Type } from 'typebox'

export const mostLayers = { ofCompany: 20, lines: 2000, positions: 10_000, pixels: 8192 }

/** Longitude and latitude, WGS 84. */
const Position = Type.Array(Type.Number({ minimum: -180, maximum: 180 }), { minItems: 2, maxItems: 2 })
/** Only lines: an area is its outline. */
export const Lines = Type.Array(Type.Array(Position, { minItems: 2, maxItems: mostLayers.positions }), {
  minItems: 1,
  maxItems: mostLayers.lines,
})
export type Lines = Static<typeof Lines>
export const positionsIn = (lines: Lines) => lines.reduce((sum, line) => sum + line.length, 0)

type Json = { type?: unknown; features?: unknown; geometry?: unknown; geometries?: unknown; coordinates?: unknown }
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
/** Rounding to decimetres is enough for a border and halves the bytes. */
const rounded = (degrees: number) => Math.round(degrees * 1e6) / 1e6
const lineOf = (value: unknown): number[][] =>
  list(value).flatMap((position) => {
    const [longitude, latitude] = list(position)
    return typeof longitude === 'number' && typeof latitude === 'number' ? [[rounded(longitude), rounded(latitude)]] : []
  })
const depths: Readonly<Record<string, number>> = { LineString: 0, MultiLineString: 1, Polygon: 1, MultiPolygon: 2 }
const mostDeep = 8

/** The lines of a GeoJSON (RFC 7946): outlines of areas, without points and properties. */
export const linesOf = (given: unknown, deep = 0): number[][][] => {
  if (deep > mostDeep || typeof given !== 'object' || given === null) return []
  const { type, features, geometry, geometries, coordinates } = given as Json
  if (type === 'FeatureCollection') return list(features).flatMap((one) => linesOf(one, deep + 1))
  if (type === 'GeometryCollection') return list(geometries).flatMap((one) => linesOf(one, deep + 1))
  if (type === 'Feature') return linesOf(geometry, deep + 1)
  const depth = depths[String(type)]
  if (depth === undefined) return []
  const lines = depth ? list(coordinates).flatMap((part) => (depth === 2 ? list(part) : [part])) : [coordinates]
  return lines.map(lineOf).filter((line) => line.length > 1)
}

export type Edges = { West: number; North: number; East: number; South: number; Turn: number }
/** The corners of a plan, clockwise from top left: a rectangle of the map, rotated clockwise about its centre. */
export const cornersOf = ({ West, North, East, South, Turn }: Edges): number[][] => {
  const centre = [(West + East) / 2, (North + South) / 2]
  // Degrees of longitude are shorter than those of latitude.
  const narrow = Math.cos((centre[1]! * Math.PI) / 180) || 1e-9
  const [sin, cos] = [Math.sin((-Turn * Math.PI) / 180), Math.cos((-Turn * Math.PI) / 180)]
  return [
    [West, North],
    [East, North],
    [East, South],
    [West, South],
  ].map(([longitude, latitude]) => {
    const [x, y] = [(longitude! - centre[0]!) * narrow, latitude! - centre[1]!]
    return [centre[0]! + (x * cos - y * sin) / narrow, centre[1]! + x * sin + y * cos]
  })
}
