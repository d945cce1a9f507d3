import { type Static, Type } from 'typebox'
import { AnyObject, call, page } from '../../../contract/call.ts'
import { choice, files, flag, json, long, number, ref, text } from '../../../contract/field.ts'
import { Id, resource } from '../../../contract/resource.ts'
import { settings } from '../../../contract/settings.ts'
import { Lines } from './layers.ts'

/** Maximum projects of one map. */
export const mostOnMap = 10_000

const Text = Type.Union([Type.String(), Type.Null()])
const Degrees = Type.Union([Type.Number(), Type.Null()])
const Count = Type.Union([Type.Integer(), Type.Null()])

/** A project on a map. A count is null if the caller may not see the counted rows. */
export const MapProject = Type.Object({
  Id,
  ProjectName: Text,
  Address: Text,
  RegionId: Type.Union([Id, Type.Null()]),
  RegionName: Text,
  /** WGS 84. */
  Longitude: Degrees,
  Latitude: Degrees,
  /** 0 without gateways, 1 all online, 2 some online, 3 none online. */
  State: Count,
  Gateways: Count,
  OnlineGateways: Count,
  Devices: Count,
  OnlineDevices: Count,
  ActiveAlarms: Count,
  /** Highest level of the active alarms; 0 without one. */
  AlarmLevel: Count,
})
export type MapProject = Static<typeof MapProject>

/** A gateway at its last position. A count is null if the caller may not see the counted rows. */
export const MapGateway = Type.Object({
  ...{ Id, GatewayName: Text, ProjectId: Id, ProjectName: Text, Longitude: Type.Number(), Latitude: Type.Number(), PositionTime: Text },
  /** 0 offline, 1 online, 2 never connected. */
  OnlineStatus: Count,
  Devices: Count,
  OnlineDevices: Count,
  ActiveAlarms: Count,
  AlarmLevel: Count,
})
export type MapGateway = Static<typeof MapGateway>

/** A device with its own position. */
export const MapDevice = Type.Object({
  ...{ Id, DeviceName: Text, ProjectId: Id, ProjectName: Text, Longitude: Type.Number(), Latitude: Type.Number() },
  /** 0 offline, 1 online, 2 communication error, 3 never seen. */
  Status: Count,
  ActiveAlarms: Count,
  AlarmLevel: Count,
})
export type MapDevice = Static<typeof MapDevice>

/** Why an address cannot be looked up. */
export const addressProblems = ['provider', 'noKey', 'unknown', 'unreachable'] as const
export type AddressProblem = (typeof addressProblems)[number]

/** A company's map server. The key is only used in the address. */
export const mapTiles = settings('mapTiles', {
  per: 'tenant',
  path: '/System/Map/TileConfig',
  permission: 'm10406',
  fields: {
    /** Placeholders: `{x}`, `{y}` and `{z}` for the tile, `{key}` for the key; not allowed in the host name. */
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

export const layerKinds = { lines: 1, plan: 2 } as const
const degrees = (most: number) => number({ min: -most, max: most, unit: '°' })
/** Borders, or the plan of a site or floor, below the projects of maps. It belongs to a project or to the whole company. */
export const mapLayer = resource('mapLayer', {
  path: '/System/Map/Layer',
  permission: 'm10312',
  title: 'LayerName',
  order: 'LayerName',
  fields: {
    LayerName: text({ required: true, max: 60, unique: true, search: true }),
    ProjectId: ref('project', { set: 'create' }),
    Kind: choice([layerKinds.lines, layerKinds.plan], { required: true, default: layerKinds.lines, set: 'create' }),
    Lines: json({ schema: Lines }),
    Plan: files({ most: 1, purpose: 'plan' }),
    /** Edges of the plan before rotation, WGS 84. */
    West: degrees(180),
    North: degrees(85),
    East: degrees(180),
    South: degrees(85),
    /** Clockwise. */
    Turn: number({ min: -180, max: 180, unit: '°', required: true, default: 0 }),
    /** Whether maps show it by default. */
    IsShown: flag({ required: true, default: 1 }),
  },
})

/** A layer in the form that maps draw. */
export const DrawnLayer = Type.Object({
  Id,
  LayerName: Type.String(),
  IsShown: Type.Integer(),
  Lines: Type.Union([Lines, Type.Null()]),
  /** Address of its plan, and its corners clockwise from top left. */
  Url: Text,
  Corners: Type.Union([Type.Array(Type.Array(Type.Number())), Type.Null()]),
})
export type DrawnLayer = Static<typeof DrawnLayer>

/** The console's data about a map server. */
export const TileSource = Type.Object({
  System: Type.Union([Type.Literal('wgs84'), Type.Literal('gcj02')]),
  MaxZoom: Type.Integer(),
  Attribution: Text,
  /** Changes with the tiles. */
  Mark: Type.String(),
})
export type TileSource = Static<typeof TileSource>

/** Why a map server returns no tile. An unknown name is refused like an internal address. */
export const tileProblems = ['off', 'refused', 'unreachable', 'status', 'noImage', 'tooLarge'] as const
export type TileProblem = (typeof tileProblems)[number]

const Tile = Type.Integer({ minimum: 0, maximum: 2 ** 22 - 1 })
/** The place of a tile. */
export const TileSpot = Type.Object({ Z: Type.Integer({ minimum: 0, maximum: 22 }), X: Tile, Y: Tile })

export const mapCalls = {
  /** The caller's projects that have a position, by name. */
  projects: call({
    method: 'GET',
    path: '/Project/Project/ProInfoFormap',
    permission: 'm10311',
    query: Type.Object({ RegionId: Type.Optional(Id), Search: Type.Optional(Type.String({ maxLength: 100 })) }),
    answer: Type.Object({
      Items: Type.Array(MapProject),
      /** Whether there are more than a map shows. */
      TotalMore: Type.Boolean(),
      /** Number of projects without a position, which no map shows. */
      Unplaced: Type.Integer(),
    }),
  }),
  /** The caller's gateways that have a position, with their devices; null if the caller may not see gateways. */
  gateways: call({
    method: 'GET',
    path: '/System/Map/Gateways',
    permission: 'm10311',
    answer: Type.Object({ Items: Type.Union([Type.Array(MapGateway), Type.Null()]), TotalMore: Type.Boolean() }),
  }),
  /** The caller's devices with their own position; null if the caller may not see devices. */
  devices: call({
    method: 'GET',
    path: '/System/Map/Devices',
    permission: 'm10311',
    answer: Type.Object({ Items: Type.Union([Type.Array(MapDevice), Type.Null()]), TotalMore: Type.Boolean() }),
  }),
  /** The position of an address, from Baidu, if that is the company's map provider. WGS 84. */
  find: call({
    method: 'POST',
    path: '/System/Map/Find',
    permission: 'm10101',
    reads: true,
    body: Type.Object({ Address: Type.String({ minLength: 1, maxLength: 100 }) }),
    answer: Type.Object({
      Problem: Type.Unsafe<AddressProblem | null>(Type.Union([Type.String(), Type.Null()])),
      Longitude: Degrees,
      Latitude: Degrees,
    }),
  }),
  /** The company's own layers, as far as visible to the caller. */
  layers: call({ method: 'GET', path: '/System/Map/Layers', permission: 'm10311', answer: Type.Array(DrawnLayer) }),
  /** All of the caller's projects, as a generic list. */
  projectPage: call({
    method: 'GET',
    path: '/Project/Project/ProInfoFormapPage',
    permission: 'm10311',
    query: AnyObject,
    answer: page(MapProject),
  }),
  /** The map server of the caller's company; null without one. */
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
    query: Type.Object({ ...TileSpot.properties, Mark: Type.Optional(Type.String({ maxLength: 16 })) }),
  }),
  /** Tests whether the map server answers. */
  testTiles: call({
    method: 'POST',
    path: '/System/Map/TileTest',
    permission: 'm10406.edit',
    answer: Type.Object({ Problem: Type.Unsafe<TileProblem | null>(Type.Union([Type.String(), Type.Null()])) }),
  }),
}
