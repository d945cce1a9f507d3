import { Type } from 'typebox'
import { ById, ClientKey, call } from '../../../contract/call.ts'
import { flag, json, number, ref } from '../../../contract/field.ts'
import { Id, resource } from '../../../contract/resource.ts'
import { myOrders } from '../orders/contract.ts'
import { mtnUpKeepOrder, mtnUpKeepPlan, orderFields, planCalls, planFields } from '../upkeep/contract.ts'

/** Points of one round. */
export const mostPoints = 200
const Points = Type.Array(Id, { maxItems: mostPoints, uniqueItems: true })
const route = {
  /** Tags of the points, in the order of the route. */
  Points: json({ schema: Points, names: { proRfidInfo: '$[*]' }, section: 'route' }),
  /** 1: the points are read in their order. */
  InOrder: flag({ required: true, default: 0, section: 'route' }),
  /** 1: entering the number or QR code of a tag proves presence, too. */
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
    InOrder: flag({ required: true, default: 0, set: 'never' }),
    AllowQr: flag({ required: true, default: 0, set: 'never' }),
    PointsTotal: number({ integer: true, required: true, set: 'never', default: 0 }),
    PointsDone: number({ integer: true, required: true, set: 'never', default: 0 }),
    /** Missed tags, set when the round ends. */
    MissedPoints: json({ schema: Points, set: 'never' }),
    /** 1: points were read in another order than the plan asks for. */
    WrongOrder: flag({ required: true, default: 0, set: 'never', search: true }),
  },
})

const Moment = Type.Union([Type.String(), Type.Null()])
export const patrolCalls = {
  ...planCalls(mtnCheckPlan, mtnCheckOrder),
  /** The points of a round with when each was read, in the order of the route. */
  route: call({
    method: 'GET',
    path: `${mtnCheckOrder.path}/Route`,
    permission: myOrders,
    query: ById,
    answer: Type.Object({
      Items: Type.Array(Type.Object({ RfidId: Id, CardName: Type.String(), PositionName: Type.String(), ReadTime: Moment })),
    }),
  }),
  /**
   * The person is at a point, shown by its tag (2) or by its QR code or number (5). `Result` as of other readings: 0 taken, 1 unknown,
   * 2 out of use, 3 not in the round, 4 wrong order, 6 again within a minute.
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
    }),
    answer: Type.Object({ Result: Type.Integer(), CardName: Type.String() }),
  }),
}
