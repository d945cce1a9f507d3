import { type Static, Type } from 'typebox'
import { call } from '../../../contract/call.ts'
import { choice, json, ref, text } from '../../../contract/field.ts'
import { Id, type Row, resource, schemas } from '../../../contract/resource.ts'
import { analysed, ParaInfo } from '../../../contract/telemetry.ts'

/** Points of one group. */
export const mostPoints = 100
/** What of a point is shown. Words at `group.function.<name>`. */
export const functions = ['Mean', 'Avg', 'Min', 'Max', 'Last', 'Sum'] as const

export const GroupPoint = Type.Object(
  {
    ParaId: Id,
    Title: Type.Optional(Type.String({ maxLength: 60 })),
    Colour: Type.Optional(Type.String({ pattern: '^#[0-9a-f]{6}$', maxLength: 7 })),
    /** The scale it is drawn at, the left one first. */
    Axis: Type.Optional(Type.Integer({ minimum: 0, maximum: 7 })),
    Function: Type.Optional(Type.Unsafe<(typeof functions)[number]>(Type.Union(functions.map((name) => Type.Literal(name))))),
  },
  { additionalProperties: false },
)
export type GroupPoint = Static<typeof GroupPoint>

/** Points that people look at together, in order: curves, live values, or a part of a report. */
export const reportGroup = resource('reportGroup', {
  path: '/DataCenter/ReportGroup',
  permission: 'm10308',
  title: 'GroupName',
  order: 'GroupName',
  differs: { unsettable: 'The server notes who made it.' },
  wire: { list: ['GET /SettingList', 'POST /SettingList', 'GET /List', 'POST /List'] },
  fields: {
    GroupName: text({ required: true, unique: true, search: true, max: 50 }),
    GroupType: choice([1, 2, 3], { required: true, default: 1, search: true }),
    ProjectId: ref('project', { search: true }),
    /** 1: everybody of the company sees it; 0: who made it. */
    IsShared: choice([0, 1], { required: true, default: 1, search: true }),
    UserId: ref('user', { set: 'never' }),
    Points: json({ required: true, default: [], schema: Type.Array(GroupPoint, { maxItems: mostPoints }) }),
  },
})
export type ReportGroup = Row<typeof reportGroup>

const { row } = schemas(reportGroup)
const Hidden = Type.Integer({ description: 'Points of the group that the caller may not see.' })
export const GroupRow = Type.Object({ ...row.properties, HiddenPoints: Hidden })
const Named = Type.Object({ Id, GroupName: Type.String(), GroupType: Type.Integer() })
const TrendGroup = Type.Object({
  ...Named.properties,
  ProjectId: Type.Union([Id, Type.Null()]),
  HiddenPoints: Hidden,
  Points: Type.Array(Type.Object({ ...GroupPoint.properties, ...ParaInfo.properties })),
})
export type TrendGroup = Static<typeof TrendGroup>

export const reportGroupCalls = {
  select: call({
    ...{ method: 'GET', path: '/DataCenter/ReportGroup/SettingSelectList', ...analysed },
    query: Type.Object({ GroupType: Type.Optional(Type.Integer({ minimum: 1, maximum: 3 })) }),
    answer: Type.Array(Named),
  }),
  /** Groups of curves, or of another kind, with what charts need to know of their points. */
  trends: call({
    ...{ method: 'GET', path: '/DataCenter/ReportData/DataTrendGroup', ...analysed },
    query: Type.Object({ GroupType: Type.Optional(Type.Integer({ minimum: 1, maximum: 3 })) }),
    answer: Type.Array(TrendGroup),
  }),
}
