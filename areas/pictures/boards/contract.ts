import { type Static, Type } from 'typebox'
import { AnyObject, ById, call, IdList, page, paging, Removed } from '../../../contract/call.ts'
import { choice, files, json, ref, text } from '../../../contract/field.ts'
import { Id, resource, schemas } from '../../../contract/resource.ts'
import { ParaInfo, SeriesAnswer } from '../../../contract/telemetry.ts'
import type { Opened } from '../flowcharts/contract.ts'
import { MapProject } from '../maps/contract.ts'

/** Columns of the grid. Rows are unlimited. */
export const columns = 24
/** Limits of one board. */
export const most = { widgets: 60, pointsOfWidget: 12, points: 200, curves: 60, devices: 50, rows: 50, pictures: 4, chosen: 10 }

/** Kinds of widgets. Words at `board.kind.<kind>`. */
export const kinds = [
  'value',
  'trend',
  'bars',
  'gauge',
  'states',
  'heat',
  'chart',
  'points',
  'devices',
  'alarms',
  'map',
  'picture',
  'text',
  'image',
  'card',
] as const
export type Kind = (typeof kinds)[number]
/** Kinds that show points, and those that show their history. */
export const ofPoints: readonly Kind[] = ['value', 'trend', 'bars', 'gauge', 'states', 'heat', 'points']
export const ofPast: readonly Kind[] = ['trend', 'bars', 'states', 'heat']

/** Initial time ranges of a board. */
export const boardRanges = ['15m', '1h', '6h', '24h', '7d', '30d'] as const
/** Choices of the viewer, stored in the URL. */
export const variables = ['project', 'model', 'device'] as const

const strict = { additionalProperties: false }
const one = <const T extends readonly string[]>(names: T) => Type.Union(names.map((name) => Type.Literal(name))) as never
const Place = (maximum: number, minimum = 0) => Type.Integer({ minimum, maximum })
export const Widget = Type.Object(
  {
    Id: Type.String({ pattern: '^[a-z0-9]{1,12}$', maxLength: 12 }),
    Kind: Type.Unsafe<Kind>(one(kinds)),
    X: Place(columns - 1),
    Y: Place(999),
    W: Place(columns, 1),
    H: Place(60, 1),
    Title: Type.Optional(Type.String({ maxLength: 60 })),
    Points: Type.Optional(Type.Array(Id, { maxItems: most.pointsOfWidget })),
    /** A report group: the widget shows its points, up to the maximum. */
    Group: Type.Optional(Id),
    /** Names of points of the selected device. */
    PointNames: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 50 }), { maxItems: most.pointsOfWidget })),
    Devices: Type.Optional(Type.Array(Id, { maxItems: most.devices })),
    /** Plain text with simple formatting: `# ` heading, `- ` list item, `**` around bold text. */
    Text: Type.Optional(Type.String({ maxLength: 2000 })),
    /** One of the board's files. */
    Image: Type.Optional(Type.String({ maxLength: 200 })),
    /** A process picture. Its open device parameters take the selected device. */
    Flowchart: Type.Optional(Id),
    /** A saved chart with its own time range. */
    Chart: Type.Optional(Id),
    /** A card of the home page. */
    Card: Type.Optional(Type.String({ pattern: '^[a-z]{1,20}$', maxLength: 20 })),
    Min: Type.Optional(Type.Number({ minimum: -1e15, maximum: 1e15 })),
    Max: Type.Optional(Type.Number({ minimum: -1e15, maximum: 1e15 })),
  },
  strict,
)
export type Widget = Static<typeof Widget>

/** A board as data: no HTML, no script, no style. */
export const BoardContent = Type.Object(
  {
    Version: Type.Literal(1),
    Range: Type.Unsafe<(typeof boardRanges)[number]>(one(boardRanges)),
    /** Each with its initial record. */
    Variables: Type.Array(Type.Object({ Name: Type.Unsafe<(typeof variables)[number]>(one(variables)), Id: Type.Optional(Id) }, strict), {
      maxItems: variables.length,
    }),
    Widgets: Type.Array(Widget, { maxItems: most.widgets }),
  },
  strict,
)
export type BoardContent = Static<typeof BoardContent>
export const emptyBoard: BoardContent = { Version: 1, Range: '1h', Variables: [], Widgets: [] }

const title = { required: true, max: 40 } as const

/** A configurable dashboard. It belongs to a project, or to the whole company. */
export const visualBoard = resource('visualBoard', {
  path: '/blade-visual/visual',
  permission: 'm10310',
  title: 'Title',
  order: 'Title',
  wire: { find: ['GET ', 'POST /Detail', 'GET /detail'] },
  acts: {
    /** Makes it the default board of its project or of the company. */
    setdefault: { button: 'edit', wire: 'POST /setdefault', set: { IsDefault: 1 } },
    canceldefault: { button: 'edit', wire: 'POST /canceldefault', set: { IsDefault: 0 } },
    updatetitle: { button: 'edit', wire: 'POST /updatetitle', fields: { Title: text(title) } },
  },
  fields: {
    Title: text({ ...title, search: true }),
    ProjectId: ref('project', { set: 'create' }),
    IsDefault: choice([0, 1], { required: true, set: 'never', default: 0, search: true }),
    Content: json({
      required: true,
      schema: BoardContent,
      names: { flowchart: '$.Widgets[*].Flowchart', reportGroup: '$.Widgets[*].Group', savedChart: '$.Widgets[*].Chart' },
    }),
    Images: files({ most: 10 }),
  },
})

const { draft, change, row } = schemas(visualBoard)
const Which = Type.Object({ Id: Type.Optional(Id), Ids: Type.Optional(IdList()) })
/** `CopyOf`: copies the images of that board which the content uses. */
const Draft = Type.Object({ ...draft.properties, EnterpriseId: Type.Optional(Id), CopyOf: Type.Optional(Id) })
const Row = Type.Unsafe<Static<typeof row>>(row)
const Time = Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 })
const Nullable = Type.Union([Type.Number(), Type.Null()])
const at = (path: string) => `${visualBoard.path}/${path}`

/** A picture in a board: its drawing and nested pictures once, and its values for each device. */
type BoardPicture = Pick<Opened, 'Version' | 'Inside'> & {
  Id: number
  FlowchartName: string
  Scene: unknown
  Shown: (Pick<Opened, 'Given' | 'Points' | 'Named' | 'Withheld' | 'Values' | 'Alarms'> & { DeviceId: number | null })[]
}

export const BoardData = Type.Object({
  /** The first selected device; widgets refer to its points by name. */
  DeviceId: Type.Union([Id, Type.Null()]),
  /** The selected devices that the caller sees, and the number of those left out because of the point limit. Their rows are repeated. */
  Chosen: Type.Array(Type.Object({ Id, DeviceName: Type.String() })),
  Left: Type.Integer(),
  Points: Type.Array(ParaInfo),
  /** The visible groups of widgets, each with its visible points. */
  Groups: Type.Array(Type.Object({ Id, GroupName: Type.String(), Points: Type.Array(Id) })),
  Latest: Type.Array(Type.Object({ ParaId: Id, Time: Type.Number(), Value: Nullable, Quality: Type.Integer() })),
  /** History of the points, in the compact format. */
  Past: Type.Union([SeriesAnswer, Type.Null()]),
  Devices: Type.Array(Type.Object({ Id, DeviceName: Type.String(), Status: Type.Integer(), LastTime: Nullable })),
  /** Active alarms, newest first; null for users who may not see alarms. */
  Alarms: Type.Union([Type.Array(AnyObject), Type.Null()]),
  /** Projects of the map; null for users who may not see maps. */
  Map: Type.Union([Type.Array(MapProject), Type.Null()]),
  /** Published pictures, if the caller may see pictures. */
  Pictures: Type.Unsafe<BoardPicture[]>(Type.Array(AnyObject)),
})
export type BoardData = Static<typeof BoardData>

/** Parts of the data: current values, history of the range, and pictures. */
export const boardParts = ['now', 'past', 'pictures'] as const

/** Versions retained per board. */
export const mostVersions = 50
const Version = Type.Integer({ minimum: 1, maximum: 0x7fffffff })
const BoardVersion = Type.Object({
  ...{ Version, SaveTime: Type.String(), UserName: Type.Union([Type.String(), Type.Null()]), Widgets: Type.Integer() },
  /** Number of widgets changed since the previous version. */
  ...{ Added: Type.Integer(), Removed: Type.Integer(), Changed: Type.Integer() },
})
export type BoardVersion = Static<typeof BoardVersion>

export const visualBoardCalls = {
  history: call({
    method: 'GET',
    path: at('HistoryList'),
    permission: 'm10310.edit',
    query: Type.Object({ Id, ...paging(100) }),
    answer: page(BoardVersion),
  }),
  /** Restores an old version as the current content, without records that no longer exist. */
  restore: call({
    method: 'POST',
    path: at('RestoreVersion'),
    permission: 'm10310.edit',
    body: Type.Object({ Id, Version }),
    answer: Row,
  }),
  save: call({ method: 'POST', path: at('save'), permission: 'm10310.add', body: Draft, answer: Row }),
  update: call({ method: 'POST', path: at('update'), permission: 'm10310.edit', body: change, answer: Row }),
  remove: call({ method: 'POST', path: at('remove'), permission: 'm10310.remove', body: Which, answer: Removed }),
  /** The default board of the project, otherwise the company's. */
  default: call({
    method: 'GET',
    path: at('default'),
    permission: 'm10310',
    /** EnterpriseId: for platform users. */
    query: Type.Object({ ProjectId: Type.Optional(Id), EnterpriseId: Type.Optional(Id) }),
    answer: Type.Union([Row, Type.Null()]),
  }),
  defaults: call({ method: 'GET', path: at('defaultList'), permission: 'm10310', query: AnyObject, answer: page(Row) }),
  /** All data of a board, in one call. */
  data: call({
    method: 'POST',
    path: at('data'),
    permission: 'm10310',
    reads: true,
    body: Type.Object({
      ...ById.properties,
      Start: Time,
      End: Time,
      Buckets: Type.Optional(Type.Integer({ minimum: 1, maximum: 2000 })),
      /** Requested parts; by default all. */
      Parts: Type.Optional(Type.Array(Type.Unsafe<(typeof boardParts)[number]>(one(boardParts)), { minItems: 1, maxItems: 3 })),
      /** Selected records of the board's variables. */
      ProjectId: Type.Optional(Id),
      ModelId: Type.Optional(Id),
      DeviceId: Type.Optional(Id),
      DeviceIds: Type.Optional(Type.Array(Id, { maxItems: most.chosen })),
    }),
    answer: BoardData,
  }),
}
