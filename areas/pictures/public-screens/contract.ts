import { type Static, Type } from 'typebox'
import { call } from '../../../contract/call.ts'
import type { BoardContent, BoardData } from '../boards/contract.ts'
import type { Curves, Opened, Standing } from '../flowcharts/contract.ts'
import { type DrawnLayer, type MapProject, type TileSource, TileSpot } from '../maps/contract.ts'
import type { Kind } from '../shares/contract.ts'
import { most, Playlist } from '../televisions/contract.ts'

/** Viewers of one link at the same time. */
export const mostViewers = 50

const Text = Type.String()
const Token = Type.String({ pattern: '^[\\w-]{32}$', maxLength: 32 })
const Visit = Type.String({ pattern: '^[\\w-]{32}$', maxLength: 32 })
export type FollowedValue = [id: number, time: number, value: number | null, quality: number]

/** Place in the playlist of a television; a link has one. */
const Entry = Type.Optional(Type.Integer({ minimum: 0, maximum: most.entries - 1 }))

const Opening = Type.Object({
  /** Null until the PIN is given. */
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
  /** Whose sight it shows. */
  UserName: Text,
  Playlist,
  ShowAlarms: Type.Integer(),
})
export type Playing = Static<typeof Playing>

type Points = Pick<Opened, 'Points' | 'Values'>
/** What is shared, as its viewer sees it. */
export type SharedPicture = Points &
  Pick<Opened, 'Scene' | 'Given' | 'Inside' | 'Version' | 'Named' | 'Withheld' | 'Alarms'> & { Curves: Curves }
export type SharedBoard = {
  Content: BoardContent
  Data: BoardData
  Start: number
  End: number
  /** Where the images of its content are, for this visit alone. */
  Images: Record<string, string>
  /** The company's map server and own layers, where it shows a map. */
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
/** State of a project, how many alarms are active by level, and its key values. */
export type SharedProject = Points & { Project: MapProject; Levels: Record<number, number> }
export type SharedScreen = { Picture: SharedPicture } | { Board: SharedBoard } | { Map: SharedMap } | { Project: SharedProject }

const Followed = Type.Object({
  /** Send it with the next call: without it, all values come again. */
  Seq: Type.Integer(),
  /** Point, time, value, quality of what has changed since. */
  Values: Type.Unsafe<FollowedValue[]>(Type.Array(Type.Unknown())),
  Alarms: Type.Unsafe<Standing[]>(Type.Array(Type.Unknown())),
  /** Of a picture: another one means that it has changed. */
  Version: Type.Integer(),
})
export type Followed = Static<typeof Followed>

/** High alarms that a display names at once. */
export const mostTaking = 5
const TakingAlarms = Type.Object({
  /** The device, or else the gateway, and when its alarm began, ms since 1970. */
  Alarms: Type.Array(
    Type.Object({ Name: Type.Union([Text, Type.Null()]), ProjectName: Type.Union([Text, Type.Null()]), Since: Type.Number() }),
  ),
  More: Type.Integer(),
})
export type TakingAlarms = Static<typeof TakingAlarms>

/** Public, since their callers have no account. What they answer is what the maker of the link may see at that moment. */
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
  /** What a television plays. */
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
  /** High alarms that take the screen of a display now; none where its playlist does not say so. */
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
  /** An image of a dashboard that a visit shows, by an address that ends with it. */
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
