import { type Static, Type } from 'typebox'
import { AnyObject, ById, Changed, call, IdList, ClientKey as Key, page } from '../../../contract/call.ts'
import { choice, files, flag, instant, json, long, money, number, ref, text } from '../../../contract/field.ts'
import { Attachments, Id, resource, schemas } from '../../../contract/resource.ts'
import { HistoryEntry, Items, points, Readings, Results } from '../job-sheets/contract.ts'
import { seesCost } from '../spare-parts/contract.ts'
import { orderMoves, orderStatuses, stepNames } from './steps.ts'

/** Menus: my orders, repair orders. */
export const myOrders = 'm10601'
const repairs = 'm10602'

/** Repair order: reported, assigned, done, then checked by someone else. Its status changes by steps only. */
export const mtnMaintenanceOrder = resource('mtnMaintenanceOrder', {
  path: '/Maintenance/MtnMaintenanceOrder',
  aliases: ['/V3/Maintenance/MtnMaintenanceOrder'],
  permission: repairs,
  readBy: myOrders,
  title: 'OrderNo',
  owner: 'ProjectId',
  order: '-ReportTime',
  sheets: 'out',
  wire: { remove: ['DELETE ', 'DELETE /BatchDelete', 'DELETE /{id}'] },
  differs: {
    changes: 'Its title is a number that nobody changes.',
    lists: 'Its title is a number that nobody chooses.',
    unsettable: 'The assignee may be given at creation.',
  },
  fields: {
    OrderNo: text({ required: true, set: 'never', search: true }),
    Title: text({ required: true, max: 60, search: true }),
    Status: choice(orderStatuses, { required: true, set: 'never', search: true, default: 0, moves: orderMoves }),
    /** 1 normal, 2 urgent, 3 critical. */
    Urgency: choice([1, 2, 3], { required: true, default: 1, search: true }),
    ProjectId: ref('project', { required: true, set: 'create' }),
    GatewayId: ref('gateway', { set: 'create' }),
    DeviceId: ref('device', { set: 'create' }),
    /** Equipment; it need not be a device. Optional for callers that send `DeviceId` only. */
    EquipmentId: ref('mtnEquipment', { set: 'create' }),
    /** 1 a person, 2 an alarm, 3 a patrol, 4 upkeep, 5 a public request. */
    Source: choice([1, 2, 3, 4, 5], { required: true, set: 'never', default: 1 }),
    FaultDesc: long({ max: 500 }),
    FaultCodeId: ref('alarmCode', { as: 'FaultCode' }),
    Files: files(),
    /** Checklist with its results. */
    Items: json({ schema: Items, names: { point: '$[*].ParaId' }, section: 'items' }),
    Results: json({ schema: Results, set: 'never' }),
    AbnormalCount: number({ integer: true, required: true, set: 'never', default: 0 }),
    /** Due date. */
    PlanFinishTime: instant({ set: 'always' }),
    /** 1: the machine is down. */
    Stopped: flag({ required: true, default: 0 }),
    /** 1: the due date follows the service-level clock. */
    DueByClock: flag({ required: true, set: 'never', default: 0 }),
    /** Deadlines to accept and to arrive. */
    RespondDue: instant(),
    ArriveDue: instant(),
    /** Current hold reason. */
    HoldReason: text({ max: 60, set: 'never' }),
    ReportUserId: ref('user', { set: 'never' }),
    ReportTime: instant(),
    AssignUserId: ref('user', { set: 'never' }),
    /** A team is a roster or a department. */
    TeamId: ref('alarmRoster', { set: 'never', as: 'TeamName' }),
    DepartmentId: ref('department', { set: 'never' }),
    /** Recipient of a pending hand-over. */
    HandOverUserId: ref('user', { set: 'never' }),
    AcceptTime: instant(),
    ArriveTime: instant(),
    FinishTime: instant(),
    HandleDesc: long({ max: 500, set: 'never' }),
    HandleAttach: files({ set: 'never' }),
    /** 1 wear, 2 operation, 3 assembly, 4 material, 5 power or network, 6 outside, 7 unknown. */
    CauseType: choice([1, 2, 3, 4, 5, 6, 7], { set: 'never' }),
    Solution: long({ max: 500, set: 'never' }),
    /** Downtime of the machine, and labor hours. */
    StopHours: number({ set: 'never', min: 0, max: 10_000, unit: 'h' }),
    LaborHours: number({ set: 'never', min: 0, max: 10_000, unit: 'h' }),
    /** In the company's currency: parts at the price of their movement, labor at role rates, other costs entered by users. */
    PartsCost: money({ set: 'never', seenWith: seesCost }),
    LaborCost: money({ set: 'never', seenWith: seesCost }),
    TravelCost: money({ seenWith: seesCost }),
    OutsideCost: money({ seenWith: seesCost }),
    Cost: money({ required: true, set: 'never', seenWith: seesCost, default: 0 }),
    Score: choice([1, 2, 3, 4, 5], { set: 'never' }),
    CheckUserId: ref('user', { set: 'never' }),
    CheckTime: instant(),
    CheckDesc: long({ max: 500, set: 'never' }),
    /** Orders from alarms: the first alarm, its rule, and the number of alarms so far. */
    AlmInfoId: ref('alarmInfo', { set: 'never', as: 'AlmNo' }),
    AlmRuleId: ref('alarmRule', { set: 'never', as: 'AlmRuleName' }),
    AlarmCount: number({ integer: true, required: true, set: 'never', default: 0 }),
    LastAlarmTime: instant(),
    /** 0 pending, 1 verified because its alarms did not recur, 2 verified by its check (no alarm), 3 the alarm recurred. */
    Verified: choice([0, 1, 2, 3], { required: true, set: 'never', search: true, default: 0 }),
    /** The earlier order whose alarm recurred. */
    CameBackOfId: ref('mtnMaintenanceOrder', { set: 'never', as: 'CameBackOf' }),
    /** 1 for each: the machine stopped; finished on time; fixed at the first attempt. */
    IsFailure: flag({ required: true, set: 'never', search: true, default: 0 }),
    OnTime: flag({ set: 'never', search: true }),
    FirstTime: flag({ set: 'never', search: true }),
    /** 1: no further step is possible. */
    IsClosed: flag({ required: true, set: 'never', search: true, default: 0 }),
  },
})

/** Time without the alarm after which a completed order counts as verified, h. */
export const proofHours = 24
/** Maximum orders of one hand-over. */
export const mostHandedOver = 50

const { row, draft } = schemas(mtnMaintenanceOrder)
const maybe = <S extends Parameters<typeof Type.Optional>[0]>(schema: S) => Type.Optional(Type.Union([schema, Type.Null()]))
export const Step = Type.Unsafe<(typeof stepNames)[number]>({ enum: [...stepNames] })
const Desc = Type.String({ maxLength: 500 })
const ClientKey = Type.Optional(Key)
const Files = Type.Optional(Attachments(10))
const Hours = maybe(Type.Number({ minimum: 0, maximum: 10_000 }))
/** Assignee: a person or a team. */
const Whom = { UserId: maybe(Id), TeamId: maybe(Id), DepartmentId: maybe(Id) }
const given = { Desc: Type.Optional(Desc), Files, ClientKey }
const finishing = {
  CauseType: maybe(Type.Integer({ minimum: 1, maximum: 7 })),
  Solution: maybe(Desc),
  StopHours: Hours,
  LaborHours: Hours,
  Results: Type.Optional(Results),
}
/** One of the tenant's hold reasons. */
const Reason = maybe(Type.String({ maxLength: 60 }))
const Score = maybe(Type.Integer({ minimum: 1, maximum: 5 }))
/** Payload of a step; each step reads its own fields. */
export const StepBody = Type.Object({ OrderId: Id, ...given, ...Whom, ...finishing, Score, Reason })
export type StepBody = Static<typeof StepBody>
/** An order after a step, with the caller's possible next steps. */
export const Stepped = Type.Object({ Id, OrderNo: Type.String(), Status: Type.Integer(), Steps: Type.Array(Step) })
export type Stepped = Static<typeof Stepped>
const Whole = Type.Integer()
const Moment = Type.Union([Type.String(), Type.Null()])

const step = (name: string, permission: string, body: object) =>
  call({
    method: 'POST',
    path: `${mtnMaintenanceOrder.path}/${name}`,
    permission,
    body: Type.Object({ OrderId: Id, ...given, ...body }),
    answer: Stepped,
  })
const work = `${myOrders}.work`
const mine = '/Maintenance/MtnMyOrder'

export const orderDraft = Type.Object({
  ...draft.properties,
  ProjectId: Type.Optional(Id),
  AssignUserId: maybe(Id),
  TeamId: maybe(Id),
  DepartmentId: maybe(Id),
  EnterpriseId: Type.Optional(Id),
})

export const MyOrder = Type.Object({ ...(row as ReturnType<typeof Type.Object>).properties, Steps: Type.Array(Step) })
const LastOrder = Type.Object({
  Id,
  OrderNo: Type.String(),
  Title: Type.String(),
  Status: Whole,
  Solution: Type.String(),
  ReportTime: Type.String(),
})

export const orderCalls = {
  dispatch: step('Dispatch', `${repairs}.dispatch`, {
    ...Whom,
    Items: maybe(Items),
    PlanFinishTime: maybe(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$' })),
  }),
  accept: step('Accept', work, {}),
  arrive: step('Arrive', work, {}),
  refuse: step('Refuse', work, {}),
  suspend: step('Suspend', work, { Reason }),
  resume: step('Resume', work, {}),
  check: step('Check', `${repairs}.check`, { Score }),
  reject: step('Reject', `${repairs}.check`, {}),
  /** Requires its button; the reporter may cancel while the order has no assignee. */
  cancel: step('Cancel', work, {}),
  comment: step('Comment', work, {}),
  takeOver: step('TakeOver', work, {}),
  declineOver: step('DeclineOver', work, {}),
  /** Any legal step, named by its target state. */
  orderStatus: call({
    method: 'PUT',
    path: '/MaintenanceOrder/MtnMaintenanceOrder/OrderStatus/:OrderId/:status',
    aliases: [`${mtnMaintenanceOrder.path}/OrderStatus/:OrderId/:status`],
    permission: work,
    body: Type.Object({ ...given, ...Whom, ...finishing, Score, Reason }),
    answer: Stepped,
  }),
  /** Finishes an order; `attach` is a comma-separated list of stored file names, or `-`. */
  handlePath: call({
    method: 'PUT',
    path: '/MaintenanceOrder/MtnMaintenanceOrder/HandleOrder/:OrderId/:attach/:desc',
    aliases: [`${mtnMaintenanceOrder.path}/HandleOrder/:OrderId/:attach/:desc`],
    permission: work,
    answer: Stepped,
  }),
  handle: call({
    method: 'POST',
    path: `${mine}/HandleOrder`,
    permission: work,
    body: Type.Object({ OrderId: Id, ...given }),
    answer: Stepped,
  }),
  /** Also for upkeep orders and rounds, which use only the description, results and files. */
  finish: call({
    method: 'POST',
    path: `${mine}/OrderFinish`,
    permission: work,
    body: Type.Object({ OrderId: Id, ...given, ...finishing }),
    answer: Stepped,
  }),
  /** All or none. The recipient accepts or declines each order. */
  handOver: call({
    method: 'POST',
    path: `${mine}/OrderHandOver`,
    permission: work,
    body: Type.Object({ OrderIds: IdList(mostHandedOver), UserId: Id, Desc: Type.Optional(Desc), ClientKey }),
    answer: Changed,
  }),
  /** Orders of the caller and the caller's teams; by default only open ones. */
  mine: call({ method: 'GET', path: mine, permission: myOrders, query: AnyObject, answer: page(MyOrder) }),
  /** Timeline of an order of any kind, last repairs of its machine, its alarms, and the caller's possible steps. */
  history: call({
    method: 'GET',
    path: `${mine}/OrderHistory`,
    permission: myOrders,
    query: Type.Object({ OrderId: Id }),
    answer: Type.Object({
      Steps: Type.Array(Step),
      History: Type.Array(HistoryEntry),
      Last: Type.Array(LastOrder),
      Alarms: Type.Array(
        Type.Object({ Id, RuleName: Type.String(), AlarmLevel: Whole, StartTime: Type.String(), RecoverTime: Moment, HandleStatus: Whole }),
      ),
    }),
  }),
  /** Latest values of the points in the checklist. */
  readings: call({
    ...{ method: 'GET', path: `${mine}/Readings`, permission: work, answer: Readings },
    query: Type.Object({ OrderId: Id }),
  }),
  points,
  /** Possible assignees and hand-over recipients: people who see the order's project, and teams. */
  people: call({
    method: 'GET',
    path: `${mine}/People`,
    permission: myOrders,
    query: Type.Object({ OrderId: Type.Optional(Id), ProjectId: Type.Optional(Id) }),
    answer: Type.Object({
      People: Type.Array(Type.Object({ Id, UserName: Type.String() })),
      Teams: Type.Array(Type.Object({ Id, Name: Type.String() })),
      Departments: Type.Array(Type.Object({ Id, Name: Type.String() })),
    }),
  }),
  /** Opens an order for an alarm, or attaches the alarm to the open order of its rule and machine. */
  fromAlarm: call({
    method: 'POST',
    path: `${mtnMaintenanceOrder.path}/FromAlarm`,
    permission: `${repairs}.add`,
    body: Type.Object({
      AlmInfoId: Id,
      Title: Type.Optional(Type.String({ minLength: 1, maxLength: 60 })),
      Urgency: Type.Optional(Type.Union([Type.Literal(1), Type.Literal(2), Type.Literal(3)])),
      FaultDesc: Type.Optional(Desc),
      ...Whom,
    }),
    answer: Type.Object({ ...ById.properties, OrderNo: Type.String(), Attached: Type.Integer() }),
  }),
  /** Visible orders by state. `OnTime`: percentage of orders with a due date, finished in the last 30 days, that were on time; null without any. */
  statistics: call({
    method: 'GET',
    path: '/Home/StaticMTNOrder',
    permission: myOrders,
    answer: Type.Object({
      TotalCount: Whole,
      Items: Type.Array(Type.Object({ Status: Whole, Count: Whole })),
      OpenCount: Whole,
      MineCount: Whole,
      Overdue: Whole,
      DueToday: Whole,
      OnTime: Type.Union([Type.Number(), Type.Null()]),
    }),
  }),
}
