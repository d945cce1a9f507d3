import { type Static, Type } from 'typebox'
import { AnyObject, type Body, ById, call, page, paging } from '../../../contract/call.ts'
import { choice, flag, long, number, ref, text } from '../../../contract/field.ts'
import { mostSceneBytes } from '../../../contract/picture/scene.ts'
import { Id, type Row, resource, Stamp, schemas } from '../../../contract/resource.ts'
import { ParaInfo } from '../../../contract/telemetry.ts'
import { pointCalls } from '../../configuration/points/contract.ts'
import {
  ActionAt,
  Alarms,
  Curves,
  Draft,
  Face,
  HistoryRow,
  Inmost,
  Moment,
  mostUses,
  Name,
  OfDevice,
  openedWith,
  Parameters,
  Past,
  Patch,
  PointUse,
  place,
  RemovedChart,
  Version,
} from './shapes.ts'

/** Reading requires the permission of the picture screen, drawing that of picture management. */
export const viewing = 'm10125'

/** A process picture of a project. Separate calls handle its drawing: lists and change entries do not contain it. */
export const flowchart = resource('flowchart', {
  path: '/Project/Ddt/Flowchart',
  permission: 'm10130',
  readBy: viewing,
  title: 'FlowchartName',
  owner: 'ProjectId',
  order: 'Sort',
  aliases: ['/V3/Project/Ddt/Flowchart'],
  // `flowchartCalls` finds and opens a picture.
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
    /** 0: a picture. 1: a faceplate, which opens beside a symbol and has no menu entry. */
    Purpose: choice([0, 1], { required: true, default: 0, search: true }),
    /** Shown for devices of this model that have no picture of their own. */
    ModelId: ref('proModel'),
    /** The device whose own picture this is. */
    DeviceId: ref('device'),
    /** The template that it was created from. */
    FlowChartTemplateId: ref('flowChartTemplate', { set: 'create' }),
    Sort: number({ required: true, integer: true, min: 0, max: 9999, default: 0 }),
    Remark: long(),
  },
})

export {
  type AlarmRow,
  type Alarms,
  type Curves,
  givenAs,
  type HistoryRow,
  longestReplay,
  mostAlarms,
  mostUses,
  type Past,
  parameterValues,
  type RemovedChart,
  removedDays,
  type Standing,
} from './shapes.ts'

export type Chart = Row<typeof flowchart> & { ProjectName: string }
export type Published = Chart & { Path: string }

const Opened = Type.Object({ Flowchart: schemas(flowchart).row, ...openedWith.properties })
/** An opened picture: its drawing, the points in it that are visible to the caller, and their latest values. */
export type Opened = Static<typeof openedWith> & { Flowchart: Chart }

/** Validity of a confirmation, ms. */
export const confirmedMs = 10_000
const actOf = { Id, Version, Item: Inmost, Action: ActionAt, Face }

export const flowchartCalls = {
  /**
   * With a project, its published pictures in order, without drawings; a phone without its own picture gets the desktop's. With an
   * Id, that record. Without either, a page (ruling 49).
   */
  published: call({
    method: 'GET',
    path: flowchart.path,
    permission: viewing,
    query: AnyObject,
    answer: Type.Unsafe<Published[]>(Type.Unknown()),
  }),
  /** All data to open a picture, in one call. The draft and old versions are only for editors. */
  open: call({
    method: 'POST',
    path: `/V3${flowchart.path}/Detail`,
    aliases: [`${flowchart.path}/Detail`],
    permission: viewing,
    reads: true,
    body: Type.Object({ ...place, Version: Type.Optional(Version) }),
    answer: Type.Unsafe<Opened>(Opened),
  }),
  /** The values and alarms of the shown version in a past range. */
  past: call({
    method: 'POST',
    path: `/V3${flowchart.path}/Past`,
    permission: viewing,
    reads: true,
    body: Type.Object({ Id, Start: Moment, End: Moment, Parameters }),
    answer: Past,
  }),
  /** Readings for the trends and sparklines of a picture, until now. */
  curves: call({
    method: 'POST',
    path: `/V3${flowchart.path}/Curves`,
    permission: viewing,
    reads: true,
    body: Type.Object(place),
    answer: Curves,
  }),
  /** Active alarms of a picture's points, and of the devices whose alarms it lists. */
  alarms: call({
    method: 'POST',
    path: `/V3${flowchart.path}/Alarms`,
    permission: viewing,
    reads: true,
    body: Type.Object(place),
    answer: Alarms,
  }),
  ofDevice: call({
    method: 'GET',
    path: `${flowchart.path}/OfDevice`,
    permission: viewing,
    query: Type.Object({ DeviceId: Id }),
    answer: OfDevice,
  }),
  /**
   * Saves the draft: whole, or as a patch of the draft with this stamp. `Stamp` proves that the caller saw the latest draft. In both
   * cases `readScene` validates the whole drawing and reports its errors.
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
  /** The points of a picture's project, for bindings. */
  points: call({
    method: 'GET',
    path: `${flowchart.path}/Points`,
    permission: `${flowchart.permission}.edit`,
    query: ById,
    answer: Type.Array(ParaInfo),
  }),
  /** Opens the dialog before a write: returns a ticket for one write, and the server's time. */
  confirm: call({
    method: 'POST',
    path: `${flowchart.path}/Confirm`,
    permission: `${viewing}.operate`,
    reads: true,
    body: Type.Object(actOf),
    answer: Type.Object({ Ticket: Type.String(), Time: Type.Number() }),
  }),
  /** Writes a value by an action of the shown version, to devices that it was published with. Returns the device's result. */
  act: call({
    method: 'POST',
    path: `${flowchart.path}/Act`,
    permission: `${viewing}.operate`,
    body: Type.Object({
      ...actOf,
      Ticket: Type.String({ maxLength: 40 }),
      /** Time of the confirmation, on the clock that came with the ticket. Valid for 10 s. */
      Confirmed: Type.Number({ minimum: 0, maximum: 8_640_000_000_000_000 }),
      Value: Type.Optional(Type.Number({ minimum: -1e15, maximum: 1e15 })),
      Reason: Type.Optional(Type.String({ maxLength: 200 })),
      /** The parameters that the picture was opened with: devices of its model, in its project. */
      Parameters,
      /** The displayed versions of the faceplate and of the pictures that contain the item. */
      Inside: Type.Optional(Type.Array(Type.Object({ Id, Version }), { maxItems: 10 })),
    }),
    answer: pointCalls.write.answer!,
  }),
  /** Publishes the draft as the next version, if all its points exist. */
  publish: call({
    method: 'POST',
    path: `${flowchart.path}/Publish`,
    permission: `${flowchart.permission}.publish`,
    body: Type.Object({ Id, Note: Type.Optional(Type.String({ maxLength: 200 })), Stamp: Type.Optional(Stamp) }),
    answer: Type.Object({ Version }),
  }),
  /** Removes a picture from menus. Its versions stay. */
  cancelPublish: call({
    method: 'POST',
    path: `${flowchart.path}/CancelPublish`,
    permission: `${flowchart.permission}.publish`,
    body: ById,
    answer: ById,
  }),
  /** The pictures, visible to the caller, that use a point. */
  byPoint: call({
    method: 'GET',
    path: `${flowchart.path}/ByPoint`,
    permission: viewing,
    query: Type.Object({ ParaId: Id }),
    answer: Type.Object({
      ...{ ParaName: Type.String(), DeviceName: Type.String() },
      Pictures: Type.Array(PointUse, { maxItems: mostUses }),
      /** Whether there are more. */
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
  /** Restores an old version as the draft. */
  restore: call({
    method: 'POST',
    path: `${flowchart.path}/RestoreVersion`,
    permission: `${flowchart.permission}.edit`,
    body: Type.Object({ Id, Version }),
    answer: Draft,
  }),
  /** Removed pictures that can be restored. */
  removed: call({
    method: 'GET',
    path: `${flowchart.path}/RemovedList`,
    permission: `${flowchart.permission}.remove`,
    query: Type.Object({ ...paging(100), EnterpriseId: Type.Optional(Id) }),
    answer: page(RemovedChart),
  }),
  /** Restores a removed picture with its Id, state, draft and versions. */
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
  /** Shows who edits a picture, and until when. `Take` takes the lease from another person. */
  lease: call({
    method: 'POST',
    path: `${flowchart.path}/Lease`,
    permission: `${flowchart.permission}.edit`,
    body: Type.Object({ Id, Take: Type.Optional(Type.Boolean()), Release: Type.Optional(Type.Boolean()) }),
    answer: Type.Object({ Mine: Type.Boolean(), UserName: Name, Stamp }),
  }),
}
/** The content to show: a picture with its parameters, its draft, or one of its faceplates. */
export type Place = Body<typeof flowchartCalls.curves>
