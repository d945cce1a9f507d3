import { type Static, Type } from 'typebox'
import { call, IdList } from '../../../contract/call.ts'
import { instant, ref, text } from '../../../contract/field.ts'
import { Id, resource } from '../../../contract/resource.ts'
import type { Rule } from '../../../contract/rules.ts'
import { analysed } from '../../../contract/telemetry.ts'

const noteRules: readonly Rule[] = [
  {
    name: 'endsBefore',
    of: ['Time', 'EndTime'],
    isBroken: ({ Time, EndTime }) => typeof Time === 'string' && typeof EndTime === 'string' && EndTime < Time,
  },
]

/** A note on a moment or period of a point. Visible to everyone who may see the point. */
export const chartNote = resource('chartNote', {
  path: '/DataCenter/ChartNote',
  permission: 'm10314',
  readBy: 'm10301',
  title: 'Text',
  owner: 'ParaId',
  order: '-Time',
  rules: noteRules,
  differs: { unsettable: 'The server notes who wrote it.' },
  fields: {
    ParaId: ref('point', { required: true, set: 'create', search: true, as: 'ParaName' }),
    Time: instant({ required: true, set: 'always' }),
    EndTime: instant({ set: 'always' }),
    Text: text({ required: true, search: true, max: 300 }),
    UserId: ref('user', { set: 'never' }),
  },
})

/** Words at `overlay.<kind>`. */
export const overlayKinds = ['alarm', 'event', 'write', 'config', 'note'] as const
export type OverlayKind = (typeof overlayKinds)[number]
export const mostOverlaid = 500
const Kind = Type.Unsafe<OverlayKind>(Type.Union(overlayKinds.map((name) => Type.Literal(name))))
const Time = Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 })
const Nullable = Type.Union([Type.Number(), Type.Null()])

const Item = Type.Object({
  ...{ Kind, Id, Time: Type.Number(), End: Nullable, Level: Nullable, ParaId: Nullable, Value: Nullable },
  Subject: Type.String({ description: 'Of an event its type, of a configuration its version.' }),
  ...{ Text: Type.String(), Name: Type.String({ description: 'The point, device or gateway.' }), UserName: Type.String() },
})
export type OverlayItem = Static<typeof Item>
const Counted = Type.Object({ Kind, Time: Type.Number(), Count: Type.Integer() })
export type OverlayCount = Static<typeof Counted>

export const overlayCalls = {
  /** What happened around points: alarms, events of their gateways, values written, configurations accepted, notes. Kinds that the caller may see. */
  overlay: call({
    method: 'POST',
    path: '/DataCenter/ReportData/Overlay',
    ...analysed,
    reads: true,
    body: Type.Object({
      ...{ ParaIds: IdList(100), Start: Time, End: Time },
      Kinds: Type.Optional(Type.Array(Kind, { maxItems: overlayKinds.length })),
    }),
    answer: Type.Object({
      Items: Type.Array(Item, { description: 'At most 500, in order of time.' }),
      Counts: Type.Array(Counted, { description: 'By step, of the kinds that have too many for Items.' }),
      Step: Type.Number({ description: 'ms' }),
      TotalCount: Type.Integer(),
    }),
  }),
}
