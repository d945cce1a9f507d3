import { type Static, Type } from 'typebox'
import { AnyObject, ById, call, page, paging } from '../../../contract/call.ts'
import { choice, flag, long, number, ref, text } from '../../../contract/field.ts'
import { ItemId, mostItems, mostPicturePoints, mostSceneBytes } from '../../../contract/picture/scene.ts'
import { Id, type Row, resource, Stamp, schemas } from '../../../contract/resource.ts'
import { ParaInfo } from '../../../contract/telemetry.ts'
import { pointCalls } from '../../configuration/points/contract.ts'

/** Reading needs the screen of pictures, drawing that of their management. */
export const viewing = 'm10125'

/** A process picture of a project. Its drawing has calls of its own: lists and change entries carry none. */
export const flowchart = resource('flowchart', {
  path: '/Project/Ddt/Flowchart',
  permission: 'm10130',
  readBy: viewing,
  title: 'FlowchartName',
  owner: 'ProjectId',
  order: 'Sort',
  aliases: ['/V3/Project/Ddt/Flowchart'],
  // `flowchartCalls` finds and opens one.
  wire: { find: [] },
  differs: { answers: 'POST /Detail answers the drawing beside the record' },
  fields: {
    FlowchartName: text({ required: true, max: 25, unique: 'ProjectId', search: true }),
    ProjectId: ref('project', { required: true, set: 'create' }),
    /** 1: desktop. 2: phone. */
    PlatformType: choice([1, 2], { required: true, default: 1, set: 'create' }),
    /** 0: never published. 1: published. 2: withdrawn. */
    State: choice([0, 1, 2], { required: true, default: 0, set: 'never', search: true }),
    /** The newest published version, 0 if none. */
    Version: number({ required: true, integer: true, default: 0, set: 'never' }),
    /** 0: viewers see the newest published version. 1: they see `VersionNo`. */
    VersionMode: choice([0, 1], { required: true, default: 0 }),
    VersionNo: number({ integer: true, min: 1, max: 0x7fffffff }),
    /** 1: the draft differs from the newest version. */
    HasChanges: flag({ required: true, default: 0, set: 'never' }),
    /** What it began with. */
    FlowChartTemplateId: ref('flowChartTemplate', { set: 'create' }),
    Sort: number({ required: true, integer: true, min: 0, max: 9999, default: 0 }),
    Remark: long(),
  },
})

const Version = Type.Integer({ minimum: 1, maximum: 0x7fffffff })
const Nullable = Type.Union([Type.Number(), Type.Null()])
const Name = Type.Union([Type.String(), Type.Null()])
const Latest = Type.Object({ ParaId: Id, Time: Type.Number(), Value: Nullable, Quality: Type.Integer() })
const Standing = Type.Object({
  ...{ ParaId: Id, Level: Type.Integer() },
  ...{ Unacknowledged: Type.Boolean(), Shelved: Type.Boolean() },
})
export type Standing = Static<typeof Standing>

/** Values of the picture's parameters, such as Pump with the Id of a device. */
const Parameters = Type.Optional(
  Type.Array(Type.Object({ Name: Type.String({ maxLength: 50 }), Value: Type.Union([Type.String({ maxLength: 200 }), Type.Number()]) }), {
    maxItems: 50,
  }),
)
export const parameterValues = (given: Static<typeof Parameters> = []) => Object.fromEntries(given.map(({ Name, Value }) => [Name, Value]))

export type Chart = Row<typeof flowchart> & { ProjectName: string }
export type Published = Chart & { Path: string }

/** A picture as it is opened: its drawing, the points that it names as far as the caller sees them, and what they say now. */
const Opened = Type.Object({
  Flowchart: schemas(flowchart).row,
  /** 0 of the draft. */
  Version: Type.Integer(),
  /** Changes whenever the draft does. */
  Stamp: Stamp,
  Scene: Type.Unknown(),
  Points: Type.Array(ParaInfo, { maxItems: mostPicturePoints }),
  /** Ids of the points that names such as `Pump.Speed` stand for. */
  Named: Type.Record(Type.String(), Id),
  /** References without a point that the caller sees: withheld or gone. */
  Withheld: Type.Array(Type.String()),
  Values: Type.Array(Latest),
  Alarms: Type.Array(Standing),
})
export type Opened = Omit<Static<typeof Opened>, 'Flowchart'> & { Flowchart: Chart }

const HistoryRow = Type.Object({
  ...{ Version, PublishTime: Type.String(), UserName: Name, Note: Name },
  ...{ Items: Type.Integer(), Points: Type.Integer() },
  /** Words of what changed since the version before, as key and values. */
  Changes: Type.Array(Type.Object({ Kind: Type.String(), Change: Type.String(), Count: Type.Integer() })),
})
export type HistoryRow = Static<typeof HistoryRow>

const Draft = Type.Object({ Stamp })
/** What differs: all of the scene but its items, items that are new or changed, those that are gone, and their order where it is another. */
const Patch = Type.Object({
  Frame: Type.Optional(AnyObject),
  Items: Type.Optional(Type.Array(AnyObject, { maxItems: mostItems })),
  Removed: Type.Optional(Type.Array(ItemId, { maxItems: mostItems })),
  Order: Type.Optional(Type.Array(ItemId, { maxItems: mostItems })),
})

/** How long a removed picture can be made again. */
export const removedDays = 30
const RemovedChart = Type.Object({ Id, FlowchartName: Type.String(), ProjectName: Type.String(), RemoveTime: Type.String() })
export type RemovedChart = Static<typeof RemovedChart>

/** ms of the past that are replayed in one piece, at most. */
export const longestReplay = 31 * 86_400_000
const Moment = Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 })
/** Readings by point, each from its time on, and the alarms of these points. Moments are epoch ms. */
const Past = Type.Object({
  Version,
  /** ms between two entries of a point whose readings are too many to come one by one. */
  Step: Type.Number(),
  Points: Type.Array(Type.Object({ ParaId: Id, Time: Type.Array(Type.Number()), Value: Type.Array(Nullable) })),
  Alarms: Type.Array(Type.Object({ ParaId: Id, Level: Type.Integer(), Start: Type.Number(), End: Nullable })),
})
export type Past = Static<typeof Past>

/** Pictures that are listed as those that name a point. */
export const mostUses = 100
const PointUse = Type.Object({
  ...{ Id, FlowchartName: Type.String(), ProjectName: Type.String() },
  /** Whether the version that viewers see names the point, and whether the draft does; the latter is for those who draw. */
  ...{ Shown: Type.Boolean(), Drawn: Type.Boolean() },
})

/** How long a confirmation counts. */
export const confirmedMs = 10_000
const actOf = { Id, Version, Item: ItemId, Action: Type.Integer({ minimum: 0, maximum: 9 }) }

export const flowchartCalls = {
  /**
   * With a project, its published pictures in their order, without drawings; a phone without one of its own gets the desktop's. With an
   * Id, that record. Without either, a page (ruling 49).
   */
  published: call({
    method: 'GET',
    path: flowchart.path,
    permission: viewing,
    query: AnyObject,
    answer: Type.Unsafe<Published[]>(Type.Unknown()),
  }),
  /** What opening a picture needs, in one call. The draft and old versions are for those who draw. */
  open: call({
    method: 'POST',
    path: `/V3${flowchart.path}/Detail`,
    aliases: [`${flowchart.path}/Detail`],
    permission: viewing,
    reads: true,
    body: Type.Object({ Id, Version: Type.Optional(Version), Draft: Type.Optional(Type.Boolean()), Parameters }),
    answer: Type.Unsafe<Opened>(Opened),
  }),
  /** What the shown version would have shown in a range of the past. */
  past: call({
    method: 'POST',
    path: `/V3${flowchart.path}/Past`,
    permission: viewing,
    reads: true,
    body: Type.Object({ Id, Start: Moment, End: Moment, Parameters }),
    answer: Past,
  }),
  /**
   * Saves the draft: whole, or as a patch of the one with this stamp. `Stamp` proves that the caller saw the latest one. `readScene` judges the
   * whole drawing either way, and names what is wrong in it.
   */
  save: call({
    method: 'POST',
    path: `${flowchart.path}/Save`,
    permission: `${flowchart.permission}.edit`,
    body: Type.Object(
      { Id, Scene: Type.Optional(AnyObject), Patch: Type.Optional(Patch), Stamp: Type.Optional(Stamp) },
      { 'x-bytes': mostSceneBytes + 64 * 1024 },
    ),
    answer: Draft,
  }),
  /** The points of a picture's project, to bind to. */
  points: call({
    method: 'GET',
    path: `${flowchart.path}/Points`,
    permission: `${flowchart.permission}.edit`,
    query: ById,
    answer: Type.Array(ParaInfo),
  }),
  /** Opens the dialog before a write: a ticket that is good for one, and the server's time. */
  confirm: call({
    method: 'POST',
    path: `${flowchart.path}/Confirm`,
    permission: `${viewing}.operate`,
    reads: true,
    body: Type.Object(actOf),
    answer: Type.Object({ Ticket: Type.String(), Time: Type.Number() }),
  }),
  /** Writes a value as an action of the shown version says, to devices that it was published with, and answers what the device did. */
  act: call({
    method: 'POST',
    path: `${flowchart.path}/Act`,
    permission: `${viewing}.operate`,
    body: Type.Object({
      ...actOf,
      Ticket: Type.String({ maxLength: 40 }),
      /** When the person confirmed, by the time that came with the ticket. It counts for 10 s. */
      Confirmed: Type.Number({ minimum: 0, maximum: 8_640_000_000_000_000 }),
      Value: Type.Optional(Type.Number({ minimum: -1e15, maximum: 1e15 })),
      Reason: Type.Optional(Type.String({ maxLength: 200 })),
    }),
    answer: pointCalls.write.answer!,
  }),
  /** Publishes the draft as the next version, if all its points are there. */
  publish: call({
    method: 'POST',
    path: `${flowchart.path}/Publish`,
    permission: `${flowchart.permission}.publish`,
    body: Type.Object({ Id, Note: Type.Optional(Type.String({ maxLength: 200 })), Stamp: Type.Optional(Stamp) }),
    answer: Type.Object({ Version }),
  }),
  /** Takes a picture off menus. Its versions stay. */
  cancelPublish: call({
    method: 'POST',
    path: `${flowchart.path}/CancelPublish`,
    permission: `${flowchart.permission}.publish`,
    body: ById,
    answer: ById,
  }),
  /** The pictures that the caller sees and that name a point. */
  byPoint: call({
    method: 'GET',
    path: `${flowchart.path}/ByPoint`,
    permission: viewing,
    query: Type.Object({ ParaId: Id }),
    answer: Type.Object({
      ...{ ParaName: Type.String(), DeviceName: Type.String() },
      Pictures: Type.Array(PointUse, { maxItems: mostUses }),
      /** Whether there are more than these. */
      More: Type.Boolean(),
    }),
  }),
  history: call({
    method: 'GET',
    path: `${flowchart.path}/HistoryList`,
    permission: flowchart.permission,
    query: Type.Object({ Id, ...paging(100) }),
    answer: page(HistoryRow),
  }),
  /** Makes an old version the draft again. */
  restore: call({
    method: 'POST',
    path: `${flowchart.path}/RestoreVersion`,
    permission: `${flowchart.permission}.edit`,
    body: Type.Object({ Id, Version }),
    answer: Draft,
  }),
  /** Pictures that were removed and can be made again. */
  removed: call({
    method: 'GET',
    path: `${flowchart.path}/RemovedList`,
    permission: `${flowchart.permission}.remove`,
    query: Type.Object({ ...paging(100), EnterpriseId: Type.Optional(Id) }),
    answer: page(RemovedChart),
  }),
  /** Makes one again under its old Id, with its state, its draft and its versions. */
  undoRemove: call({
    method: 'POST',
    path: `${flowchart.path}/UndoRemove`,
    permission: `${flowchart.permission}.remove`,
    body: ById,
    answer: ById,
  }),
  /** Copies a picture with its draft, unpublished. */
  copy: call({
    method: 'POST',
    path: `${flowchart.path}/Copy`,
    permission: `${flowchart.permission}.add`,
    body: ById,
    answer: ById,
  }),
  /** Says who edits a picture, and for how long. `Take` takes it over from somebody else. */
  lease: call({
    method: 'POST',
    path: `${flowchart.path}/Lease`,
    permission: `${flowchart.permission}.edit`,
    body: Type.Object({ Id, Take: Type.Optional(Type.Boolean()), Release: Type.Optional(Type.Boolean()) }),
    answer: Type.Object({ Mine: Type.Boolean(), UserName: Name, Stamp }),
  }),
}
