import { type Static, Type } from 'typebox'
import { AnyObject, call, page } from '../../../contract/call.ts'
import { choice, long, number, text } from '../../../contract/field.ts'
import { Id } from '../../../contract/resource.ts'
import { settings } from '../../../contract/settings.ts'

/** Projects of one map. */
export const mostOnMap = 10_000

const Text = Type.Union([Type.String(), Type.Null()])
const Degrees = Type.Union([Type.Number(), Type.Null()])
const Count = Type.Union([Type.Integer(), Type.Null()])

/** A project as a map shows it. A count is null where the caller may not see what is counted. */
export const MapProject = Type.Object({
  Id,
  ProjectName: Text,
  Address: Text,
  RegionId: Type.Union([Id, Type.Null()]),
  RegionName: Text,
  /** WGS 84. */
  Longitude: Degrees,
  Latitude: Degrees,
  /** 0 without gateways, 1 all online, 2 some of them, 3 none. */
  State: Count,
  Gateways: Count,
  OnlineGateways: Count,
  Devices: Count,
  OnlineDevices: Count,
  ActiveAlarms: Count,
  /** The highest of the active alarms; 0 without one. */
  AlarmLevel: Count,
})
export type MapProject = Static<typeof MapProject>

/** A company's map server. The key goes into the address, and only there. */
export const mapTiles = settings('mapTiles', {
  per: 'tenant',
  path: '/System/Map/TileConfig',
  permission: 'm10406',
  fields: {
    /** `{x}`, `{y}` and `{z}` stand for the tile, `{key}` for the key; none of them in the name of the server. */
    TileUrl: text({
      max: 500,
      pattern: '^(?=.*\\{x\\})(?=.*\\{y\\})(?=.*\\{z\\})https?://[^\\s{}/?#@\\\\]+/(?:[^\\s{}\\\\]|\\{x\\}|\\{y\\}|\\{z\\}|\\{key\\})*$',
      section: 'tiles',
    }),
    TileSystem: choice(['wgs84', 'gcj02'], { required: true, default: 'wgs84', section: 'tiles' }),
    TileZoom: number({ integer: true, min: 1, max: 22, required: true, default: 18, section: 'tiles' }),
    Attribution: long({ max: 200, section: 'tiles' }),
  },
  secrets: { TileKey: ['TileUrl'] },
})

/** What the console knows of a map server. */
export const TileSource = Type.Object({
  System: Type.Union([Type.Literal('wgs84'), Type.Literal('gcj02')]),
  MaxZoom: Type.Integer(),
  Attribution: Text,
  /** Another one means other tiles. */
  Mark: Type.String(),
})
export type TileSource = Static<typeof TileSource>

/** Why a map server gives no tile. A name that does not exist is refused like an inner address. */
export const tileProblems = ['off', 'refused', 'unreachable', 'status', 'noImage', 'tooLarge'] as const
export type TileProblem = (typeof tileProblems)[number]

const Tile = Type.Integer({ minimum: 0, maximum: 2 ** 22 - 1 })

export const mapCalls = {
  /** The caller's projects that have a position, by name. */
  projects: call({
    method: 'GET',
    path: '/Project/Project/ProInfoFormap',
    permission: 'm10311',
    query: Type.Object({ RegionId: Type.Optional(Id), Search: Type.Optional(Type.String({ maxLength: 100 })) }),
    answer: Type.Object({
      Items: Type.Array(MapProject),
      /** There are more than a map shows. */
      TotalMore: Type.Boolean(),
      /** Projects without a position, which no map shows. */
      Unplaced: Type.Integer(),
    }),
  }),
  /** All of the caller's projects, as a generic list. */
  projectPage: call({
    method: 'GET',
    path: '/Project/Project/ProInfoFormapPage',
    permission: 'm10311',
    query: AnyObject,
    answer: page(MapProject),
  }),
  /** The map server that holds for the caller's company; null without one. */
  tiles: call({
    method: 'GET',
    path: '/System/Map/Tiles',
    permission: 'session',
    answer: Type.Union([TileSource, Type.Null()]),
  }),
  /** One tile, as an image. */
  tile: call({
    method: 'GET',
    path: '/System/Map/Tile',
    permission: 'session',
    query: Type.Object({
      Z: Type.Integer({ minimum: 0, maximum: 22 }),
      X: Tile,
      Y: Tile,
      Mark: Type.Optional(Type.String({ maxLength: 16 })),
    }),
  }),
  /** Whether the map server answers. */
  testTiles: call({
    method: 'POST',
    path: '/System/Map/TileTest',
    permission: 'm10406.edit',
    answer: Type.Object({ Problem: Type.Unsafe<TileProblem | null>(Type.Union([Type.String(), Type.Null()])) }),
  }),
}
