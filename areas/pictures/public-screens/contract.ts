import { type Static, Type } from 'typebox'
import { call } from '../../../contract/call.ts'
import type { BoardContent, BoardData } from '../boards/contract.ts'
import type { Curves, Opened, Standing } from '../flowcharts/contract.ts'
import { type DrawnLayer, type MapProject, type TileSource, TileSpot } from '../maps/contract.ts'
import type { Kind } from '../shares/contract.ts'
import { most, Playlist } from '../televisions/contract.ts'

/** Maximum concurrent viewers of one link. */
export const mostViewers = 50

const Text = Type.String()
const Token = Type.String({ pattern: '^[\\w-]{32}$', maxLength: 32 })
const Visit = Type.String({ pattern: '^[\\w-]{32}$', maxLength: 32 })
export type FollowedValue = [id: number, time: number, value: number | null, quality: number]

/** Position in the playlist of a television; a link has one. */
const Entry = Type.Optional(Type.Integer({ minimum: 0, maximum: most.entries - 1 }))

const Opening = Type.Object({
  /** Null until the PIN is entered. */
  Visit: Type.Union([Text, Type.Null()]),
  Kind: Type.Unsafe<Kind>(Type.Integer()),
  ShareName: Text,
  CompanyName: Text,
})
export type Opening = Static<typeof Opening>
const Playing = Type.Object({
  Visit: Text,
  TelevisionName: Text,
  CompanyName: Text,
  /** The person with whose rights it is shown. */
  UserName: Text,
  Playlist,
  ShowAlarms: Type.Integer(),
})
export type Playing = Static<typeof Playing>

type Points = Pick<Opened, 'Points' | 'Values'>
/** The shared content, as its viewer sees it. */
export type SharedPicture = Points &
  Pick<Opened, 'Scene' | 'Given' | 'Inside' | 'Version' | 'Named' | 'Withheld' | 'Alarms'> & { Curves: Curves }
export type SharedBoard = {
  Content: BoardContent
  Data: BoardData
  Start: number
  End: number
  /** Addresses of the images in its content, valid for this visit only. */
  Images: Record<string, string>
  /** The company's map server and own layers, if it shows a map. */
  Tiles: TileSource | null
  Layers: DrawnLayer[]
}
export type SharedMap = {
  Items: MapProject[]
  TotalMore: boolean
  Tiles: TileSource | null
  Layers: DrawnLayer[]
  Images: Record<string, string>
}
/** State of a project, number of active alarms by level, and key values. */
export type SharedProject = Points & { Project: MapProject; Levels: Record<number, number> }
export type SharedScreen = { Picture: SharedPicture } | { Board: SharedBoard } | { Map: SharedMap } | { Project: SharedProject }

const Followed = Type.Object({
  /** Send it with the next call: without it, all values are returned again. */
  Seq: Type.Integer(),
  /** Point, time, value and quality of changed values. */
  Values: Type.Unsafe<FollowedValue[]>(Type.Array(Type.Unknown())),
  Alarms: Type.Unsafe<Standing[]>(Type.Array(Type.Unknown())),
  /** For a picture: changes with its content. */
  Version: Type.Integer(),
})
export type Followed = Static<typeof Followed>

/** Maximum high alarms that a display lists. */
export const mostTaking = 5
const TakingAlarms = Type.Object({
  /** The device, or otherwise the gateway, and when its alarm was raised, ms since 1970. */
  Alarms: Type.Array(
    Type.Object({ Name: Type.Union([Text, Type.Null()]), ProjectName: Type.Union([Text, Type.Null()]), Since: Type.Number() }),
  ),
  More: Type.Integer(),
})
export type TakingAlarms = Static<typeof TakingAlarms>

/** Public, since their callers have no account. They return what the creator of the link may see at that moment. */
export const sharedCalls = {
  open: call({
    method: 'POST',
    path: '/Share/Open',
    permission: 'public',
    reads: true,
    body: Type.Object({
      Token,
      Pin: Type.Optional(Type.String({ pattern: '^\\d{6}$', maxLength: 6 })),
    }),
    answer: Opening,
  }),
  /** The playlist of a television. */
  play: call({
    method: 'POST',
    path: '/Tv/Open',
    permission: 'public',
    reads: true,
    body: Type.Object({ Token }),
    answer: Playing,
  }),
  show: call({
    method: 'POST',
    path: '/Share/Show',
    permission: 'public',
    reads: true,
    body: Type.Object({ Visit, Entry }),
    answer: Type.Unsafe<SharedScreen>(Type.Unknown()),
  }),
  /** High alarms that take over the screen of a display now; empty unless its playlist allows that. */
  alarms: call({
    method: 'POST',
    path: '/Tv/Alarms',
    permission: 'public',
    reads: true,
    body: Type.Object({ Visit }),
    answer: TakingAlarms,
  }),
  /** One tile of a map that the visit shows. */
  tile: call({
    method: 'POST',
    path: '/Share/Tile',
    permission: 'public',
    reads: true,
    body: Type.Object({ ...TileSpot.properties, Visit, Entry }),
  }),
  /** An image of a dashboard in a visit, by the end of its address. */
  image: call({
    method: 'GET',
    path: '/Share/Image',
    permission: 'public',
    query: Type.Object({ Of: Visit }),
  }),
  follow: call({
    method: 'POST',
    path: '/Share/Follow',
    permission: 'public',
    reads: true,
    body: Type.Object({ Visit, Entry, Seq: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 31 })) }),
    answer: Followed,
  }),
}
