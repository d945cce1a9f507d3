import { Type } from 'typebox'
import { call } from '../../../contract/call.ts'
import { choice, instant, ref, text } from '../../../contract/field.ts'
import { Id, resource } from '../../../contract/resource.ts'

/** Types of `up/event` in the gateway protocol; 11, 12, 14 and 15 come from the server itself. */
export const gatewayEventTypes = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] as const

/** Events of a gateway; the newest 10,000 of each gateway are stored. */
export const gatewayEvent = resource('gatewayEvent', {
  path: '/Events/Events',
  permission: 'm10109',
  title: 'Text',
  owner: 'GatewayId',
  order: '-Id',
  fields: {
    GatewayId: ref('gateway', { required: true, set: 'never', search: true }),
    Type: choice(gatewayEventTypes, { required: true, set: 'never', search: true }),
    /** 0 for information or the end of an event, 1 to 3 with rising severity. */
    Level: choice([0, 1, 2, 3], { required: true, set: 'never', search: true }),
    Text: text({ required: true, max: 500, set: 'never', search: true }),
    /** On the gateway's clock. */
    Time: instant({ required: true }),
    MsgId: text({ max: 64, required: true, set: 'never' }),
  },
})

/** 1 event, 2 accepted configuration, 3 command. */
export const timelineKinds = [1, 2, 3] as const
export type TimelineKind = (typeof timelineKinds)[number]
const Kind = Type.Union([Type.Literal(1), Type.Literal(2), Type.Literal(3)])

const Entry = Type.Object({
  Kind,
  Id,
  GatewayId: Id,
  GatewayName: Type.String(),
  Time: Type.String(),
  /** Severity of an event. */
  Level: Type.Integer(),
  /** Result of a command, null before the answer. */
  Code: Type.Union([Type.Integer(), Type.Null()]),
  /** Type of the event, number of the version, or type of the command. */
  Subject: Type.String(),
  Text: Type.String(),
  UserName: Type.Union([Type.String(), Type.Null()]),
})

export const eventCalls = {
  /** Events, accepted configurations and commands of a gateway or of a project's gateways, newest first. */
  timeline: call({
    method: 'GET',
    path: '/Events/Events/Timeline',
    permission: 'm10102',
    query: Type.Object({
      /** Exactly one of the two. */
      GatewayId: Type.Optional(Id),
      ProjectId: Type.Optional(Id),
      Kind: Type.Optional(Kind),
      /** `Next` of the previous page. */
      Before: Type.Optional(Type.String({ pattern: '^\\d{1,16}\\.[1-3]\\.\\d{1,15}$' })),
      PageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    }),
    answer: Type.Object({ Items: Type.Array(Entry), Next: Type.Union([Type.String(), Type.Null()]) }),
  }),
}
