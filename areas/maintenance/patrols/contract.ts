import { type Static, Type } from 'typebox'
import { ById, ClientKey, call } from '../../../contract/call.ts'
import { flag, json, number, ref } from '../../../contract/field.ts'
import { Id, resource } from '../../../contract/resource.ts'
import { most } from '../job-sheets/contract.ts'
import { myOrders } from '../orders/contract.ts'
import { mtnUpKeepOrder, mtnUpKeepPlan, orderFields, planCalls, planFields } from '../upkeep/contract.ts'

/** Maximum points of a round. */
export const mostPoints = 200
const Points = Type.Array(Id, { maxItems: mostPoints, uniqueItems: true })
const Clock = Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' })
/** Time window of a point in the company's time zone, and minimum stay. A window whose end is before its start passes midnight. */
const Stop = Type.Object(
  { From: Type.Optional(Clock), To: Type.Optional(Clock), Minutes: Type.Optional(Type.Integer({ minimum: 0, maximum: 240 })) },
  { additionalProperties: false },
)
export type Stop = Static<typeof Stop>
const Stops = Type.Array(Stop, { maxItems: mostPoints })
/** Deviations from which a reading is marked: distance, m, and clock offset, s. */
export const farOff = { metres: 500, seconds: 300 }

const route = {
  /** Tags of the points, in the order of the route. */
  Points: json({ schema: Points, names: { proRfidInfo: '$[*]' }, section: 'route' }),
  /** One entry per point, in route order. */
  Stops: json({ schema: Stops, section: 'route' }),
  /** 1: the points must be read in order. */
  InOrder: flag({ required: true, default: 0, section: 'route' }),
  /** 1: the number or QR code of a tag is also accepted as proof of presence. */
  AllowQr: flag({ required: true, default: 0, section: 'route' }),
}

/** Patrol plan: recurring rounds along a route of tagged points, with a checklist. */
export const mtnCheckPlan = resource('mtnCheckPlan', {
  ...{ path: '/Maintenance/MtnCheckPlan', permission: 'm10605', title: 'PlanName', owner: 'ProjectId', order: 'PlanName', sheets: 'out' },
  rules: mtnUpKeepPlan.rules!,
  wire: { ...mtnUpKeepPlan.wire!, find: ['GET ', 'POST /Detail', 'GET /CheckPlanInfoById/{id}'] },
  fields: { ...planFields, ...route },
})

/** Patrol round, with a snapshot of its plan. */
export const mtnCheckOrder = resource('mtnCheckOrder', {
  ...{
    path: '/Maintenance/MtnCheckOrder',
    permission: 'm10606',
    readBy: myOrders,
    title: 'OrderNo',
    owner: 'ProjectId',
    order: '-PlanTime',
  },
  sheets: 'out',
  wire: { remove: ['DELETE ', 'DELETE /BatchDelete', 'DELETE /{id}'], find: ['GET ', 'POST /Detail', 'GET /CheckOrderById'] },
  differs: mtnUpKeepOrder.differs!,
  fields: {
    ...orderFields,
    PlanId: ref('mtnCheckPlan', { set: 'never', search: true, as: 'PlanName' }),
    Points: json({ schema: Points, set: 'never' }),
    Stops: json({ schema: Stops, set: 'never' }),
    InOrder: flag({ required: true, default: 0, set: 'never' }),
    AllowQr: flag({ required: true, default: 0, set: 'never' }),
    PointsTotal: number({ integer: true, required: true, set: 'never', default: 0 }),
    PointsDone: number({ integer: true, required: true, set: 'never', default: 0 }),
    /** Missed tags, set when the round ends. */
    MissedPoints: json({ schema: Points, set: 'never' }),
    /** Tags where people stayed less than the minimum time, set when the round ends. */
    HurriedPoints: json({ schema: Points, set: 'never' }),
    /** 1: points were read in a different order than planned. */
    WrongOrder: flag({ required: true, default: 0, set: 'never', search: true }),
  },
})

const Moment = Type.Union([Type.String(), Type.Null()])
const Coordinate = Type.Union([Type.Number(), Type.Null()])
export const patrolCalls = {
  ...planCalls(mtnCheckPlan, mtnCheckOrder),
  /** The points of a round with their reading times, in route order. */
  route: call({
    method: 'GET',
    path: `${mtnCheckOrder.path}/Route`,
    permission: myOrders,
    query: ById,
    answer: Type.Object({
      Items: Type.Array(
        Type.Object({
          ...{ RfidId: Id, CardName: Type.String(), PositionName: Type.String(), ReadTime: Moment },
          /** Equipment at the point, if the caller sees it. */
          ...{ EquipmentId: Type.Union([Id, Type.Null()]), EquipmentName: Moment },
          /** Position of the tag; null if not entered. */
          ...{ Longitude: Coordinate, Latitude: Coordinate },
          ...{ From: Moment, To: Moment, Minutes: Type.Union([Type.Integer(), Type.Null()]) },
          /** Distance of the phone, m, and marks for distance and clock. */
          ...{ DistanceM: Type.Union([Type.Integer(), Type.Null()]), IsFar: Type.Integer(), IsClockOff: Type.Integer() },
        }),
      ),
    }),
  }),
  /**
   * Records a person at a point, proven by its tag (2) or by its QR code or number (5). `Result` as for other readings: 0 accepted, 1 unknown,
   * 2 out of use, 3 not in the round, 4 wrong order, 5 outside its window, 6 repeated within a minute. A phone far from the tag or with a
   * wrong clock is marked, not refused.
   */
  visit: call({
    method: 'POST',
    path: `${mtnCheckOrder.path}/Visit`,
    permission: `${myOrders}.work`,
    body: Type.Object({
      OrderId: Id,
      CardNo: Type.String({ minLength: 1, maxLength: 30 }),
      Way: Type.Optional(Type.Unsafe<2 | 5>({ type: 'integer', enum: [2, 5] })),
      ClientKey: Type.Optional(ClientKey),
      Longitude: Type.Optional(Type.Number({ minimum: -180, maximum: 180 })),
      Latitude: Type.Optional(Type.Number({ minimum: -90, maximum: 90 })),
      /** Time by the phone's clock, epoch ms. */
      DeviceTime: Type.Optional(Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 })),
    }),
    answer: Type.Object({ Result: Type.Integer(), CardName: Type.String(), IsFar: Type.Integer(), IsClockOff: Type.Integer() }),
  }),
  /** A checklist number over this round and earlier rounds of its plan, oldest first. */
  curve: call({
    method: 'GET',
    path: `${mtnCheckOrder.path}/Curve`,
    permission: myOrders,
    query: Type.Object({ Id, Item: Type.Integer({ minimum: 0, maximum: most.items - 1 }) }),
    answer: Type.Object({ Items: Type.Array(Type.Object({ Id, Time: Type.String(), Value: Type.Number() })) }),
  }),
}
