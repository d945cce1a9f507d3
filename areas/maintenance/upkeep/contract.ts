import { Type } from 'typebox'
import { ById, Changed, call, IdList, ClientKey as Key } from '../../../contract/call.ts'
import { isDay } from '../../../contract/days.ts'
import { choice, files, flag, instant, json, long, money, number, ref, text } from '../../../contract/field.ts'
import { Attachments, Id, type Resource, resource, schemas } from '../../../contract/resource.ts'
import type { Rule } from '../../../contract/rules.ts'
import { HistoryEntry, Items, Readings, Result, Results } from '../job-sheets/contract.ts'
import { myOrders } from '../orders/contract.ts'
import { seesCost } from '../spare-parts/contract.ts'
import { type Cycle, datesAfter, startedAnew } from './planDates.ts'

/** Machines of one plan. */
export const mostMachines = 200

const listOf = <T>(value: unknown) => (Array.isArray(value) ? (value as T[]) : [])
/** Cycle of plans that follow only a counter. */
export const byCounter = 7
/** The calendar in a plan's values, or undefined if they are incomplete. */
export const cycleOf = (v: Record<string, unknown>): Cycle | undefined => {
  if (!isDay(v.StartDate) || (v.EndDate && !isDay(v.EndDate)) || !(Number(v.CycleValue) >= 1) || Number(v.CycleType) === byCounter) return
  const cycle = {
    ...{
      CycleType: Number(v.CycleType),
      CycleValue: Number(v.CycleValue),
      StartDate: v.StartDate,
      EndDate: isDay(v.EndDate) ? v.EndDate : null,
    },
    ...{ WeekDays: listOf<number>(v.WeekDays), MonthDays: listOf<number>(v.MonthDays) },
  }
  return isDay(v.RestartDate) && v.RestartDate >= v.StartDate ? startedAnew(cycle, v.RestartDate) : cycle
}
/** Number of machines in a plan's values; at least one, for the whole project. */
export const machinesIn = (v: Record<string, unknown>) => Math.max(1, listOf(v.DeviceIds).length + listOf(v.EquipmentIds).length)
/** Maximum orders of a plan per year. */
export const mostOrders = 40_000
export const planRules: readonly Rule[] = [
  { name: 'needsCounter', of: ['CycleType', 'HourParaId'], isBroken: (v) => Number(v.CycleType) === byCounter && !v.HourParaId },
  { name: 'needsStep', of: ['HourParaId', 'HourStep'], isBroken: (v) => !!v.HourParaId && !v.HourStep },
  { name: 'noSuchDay', of: ['StartDate'], isBroken: ({ StartDate }) => !isDay(StartDate) },
  { name: 'noSuchDay', of: ['EndDate'], isBroken: ({ EndDate }) => !!EndDate && !isDay(EndDate) },
  {
    name: 'planEnded',
    of: ['StartDate', 'EndDate'],
    isBroken: ({ StartDate, EndDate }) => !!EndDate && String(EndDate) < String(StartDate),
  },
  {
    name: 'planTooOften',
    of: ['CycleValue', 'CycleType', 'DeviceIds', 'EquipmentIds'],
    isBroken: (v) => Number(v.CycleType) === 1 && (366 / Number(v.CycleValue)) * machinesIn(v) > mostOrders,
  },
]

const Weekdays = Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), { maxItems: 7 })
const Monthdays = Type.Array(Type.Integer({ minimum: 1, maximum: 31 }), { maxItems: 31 })
const date = { max: 10, pattern: '^\\d{4}-\\d{2}-\\d{2}$' } as const

/** Fields of a plan, for every kind of planned order. */
export const planFields = {
  PlanName: text({ required: true, unique: 'ProjectId', search: true, max: 60 }),
  PlanNo: text({ max: 40, search: true }),
  ProjectId: ref('project', { required: true, set: 'create', search: true }),
  DeviceIds: json({ schema: Type.Array(Id, { maxItems: mostMachines }), names: { device: '$[*]' } }),
  /** Equipment other than devices; devices are moved to `DeviceIds`. */
  EquipmentIds: json({ schema: Type.Array(Id, { maxItems: mostMachines }), names: { mtnEquipment: '$[*]' } }),
  /** 0 disabled, 1 enabled, 2 ended. */
  PlanStatus: choice([0, 1, 2], { required: true, set: 'never', search: true, default: 0 }),
  /** 1 day, 2 week, 3 month, 4 quarter, 5 half year, 6 year, 7 counter only. */
  CycleType: choice([1, 2, 3, 4, 5, 6, 7], { required: true, default: 3, search: true, section: 'cycle' }),
  CycleValue: number({ integer: true, min: 1, max: 1000, required: true, default: 1, section: 'cycle' }),
  WeekDays: json({ schema: Weekdays, section: 'cycle' }),
  MonthDays: json({ schema: Monthdays, section: 'cycle' }),
  StartDate: text({ required: true, ...date, section: 'cycle' }),
  EndDate: text({ ...date, section: 'cycle' }),
  ExecTime: text({ required: true, max: 5, pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', default: '08:00', section: 'cycle' }),
  /** Counter, such as running hours: one order per `HourStep` counted. With a calendar as well, the earlier one applies. */
  HourParaId: ref('point', { as: 'HourParaName', section: 'cycle' }),
  HourStep: number({ min: 0.001, max: 1e9, section: 'cycle' }),
  /** Amount counted before the plan was enabled. */
  HourDone: number({ min: 0, max: 1e9, set: 'create', section: 'cycle' }),
  /** Base of the next date: 1 the planned date, 2 the completion of the last order. */
  BasedOn: choice([1, 2], { required: true, default: 1, section: 'cycle' }),
  /** 1: skips holidays of the project's shifts. */
  SkipHolidays: flag({ required: true, default: 0, section: 'cycle' }),
  /** Days before the date when an order is created, until it is due, and until it counts as missed. */
  AdvanceDays: number({ integer: true, min: 0, max: 365, required: true, default: 3, unit: 'd', section: 'order' }),
  DueDays: number({ integer: true, min: 0, max: 365, required: true, default: 3, unit: 'd', section: 'order' }),
  GraceDays: number({ integer: true, min: 0, max: 365, required: true, default: 7, unit: 'd', section: 'order' }),
  AssignUserId: ref('user', { section: 'order' }),
  TeamId: ref('alarmRoster', { as: 'TeamName', section: 'order' }),
  Items: json({ schema: Items, names: { point: '$[*].ParaId' }, section: 'items' }),
  Remark: long(),
  NextTime: instant(),
  LastTime: instant(),
  /** Start of the current count, the amount since then, and the daily rate of the last 14 days. */
  HourFrom: instant(),
  HourUsed: number({ set: 'never' }),
  HourPerDay: number({ set: 'never' }),
  /** Forecast time of the next step. */
  HourNext: instant(),
  /** Open meter events of the count: the true amount may be higher. */
  OpenEvents: number({ integer: true, required: true, set: 'never', default: 0 }),
  /** The day on which a counter-based order restarted the calendar. */
  RestartDate: text({ max: 10, set: 'never' }),
} as const

/** Upkeep plan: recurring maintenance of machines, by the calendar or a counter. */
export const mtnUpKeepPlan = resource('mtnUpKeepPlan', {
  path: '/Maintenance/MtnUpKeepPlan',
  permission: 'm10603',
  title: 'PlanName',
  owner: 'ProjectId',
  order: 'PlanName',
  sheets: 'out',
  rules: planRules,
  wire: { remove: ['DELETE ', 'DELETE /BatchDelete', 'DELETE /{Ids}'], find: ['GET ', 'POST /Detail', 'GET /UpKeepPlanInfoById/{id}'] },
  fields: planFields,
})

export const upkeepStatuses = [0, 1, 2, 3, 4, 5] as const
/** Fields of an order of a plan. */
export const orderFields = {
  OrderNo: text({ required: true, set: 'never', search: true }),
  Title: text({ required: true, max: 60, search: true }),
  /** 0 waiting, 1 in progress, 2 finished, 3 finished late, 4 missed, 5 cancelled. */
  Status: choice(upkeepStatuses, { required: true, set: 'never', search: true, default: 0 }),
  ProjectId: ref('project', { required: true, set: 'create', search: true }),
  DeviceId: ref('device', { set: 'create' }),
  /** Also set for a machine that is not a device. */
  EquipmentId: ref('mtnEquipment', { set: 'create' }),
  PlanTime: instant({ required: true, set: 'always' }),
  DueTime: instant({ required: true, set: 'always' }),
  /** Multiple of the counter's step for which the order was created. */
  HourMultiple: number({ integer: true, set: 'never' }),
  AssignUserId: ref('user'),
  TeamId: ref('alarmRoster', { as: 'TeamName' }),
  /** Recipient of a pending hand-over. */
  HandOverUserId: ref('user', { set: 'never' }),
  ExecUserId: ref('user', { set: 'never', as: 'ExecUserName' }),
  StartTime: instant(),
  FinishTime: instant(),
  Items: json({ schema: Items, set: 'never' }),
  Results: json({ schema: Results, set: 'never' }),
  AbnormalCount: number({ integer: true, required: true, set: 'never', default: 0 }),
  HandleDesc: long({ max: 500, set: 'never' }),
  HandleAttach: files({ set: 'never' }),
  LaborHours: number({ set: 'never', min: 0, max: 10_000, unit: 'h' }),
  PartsCost: money({ set: 'never', seenWith: seesCost }),
  LaborCost: money({ set: 'never', seenWith: seesCost }),
} as const

/** Upkeep order: one due date of a plan for one machine, with a snapshot of the plan. */
export const mtnUpKeepOrder = resource('mtnUpKeepOrder', {
  path: '/Maintenance/MtnUpKeepOrder',
  permission: 'm10604',
  readBy: myOrders,
  title: 'OrderNo',
  owner: 'ProjectId',
  order: '-PlanTime',
  sheets: 'out',
  wire: { remove: ['DELETE ', 'DELETE /BatchDelete', 'DELETE /{id}'] },
  differs: {
    changes: 'Its title is a number that nobody changes.',
    lists: 'Its title is a number that nobody chooses.',
    unsettable: 'Its number is the server’s.',
  },
  fields: {
    ...orderFields,
    PlanId: ref('mtnUpKeepPlan', { set: 'never', search: true, as: 'PlanName' }),
  },
})

const Moment = Type.String()
const Desc = Type.String({ maxLength: 500 })
const ClientKey = Type.Optional(Key)
const work = `${myOrders}.work`

/** Hand-over of an order from one person to another. */
const overCalls = (order: Resource) => {
  const Row = schemas(order).row as ReturnType<typeof Type.Object>
  return {
    /** Offers the order to a person, who accepts or declines it. */
    handOver: call({
      ...{ method: 'POST', path: `${order.path}/HandOver`, permission: work, answer: Row },
      body: Type.Object({ OrderId: Id, UserId: Id, Desc: Type.Optional(Desc), ClientKey }),
    }),
    takeOver: call({
      ...{ method: 'POST', path: `${order.path}/TakeOver`, permission: work, answer: Row },
      body: Type.Object({ OrderId: Id, ClientKey }),
    }),
    declineOver: call({
      ...{ method: 'POST', path: `${order.path}/DeclineOver`, permission: work, answer: Row },
      body: Type.Object({ OrderId: Id, ClientKey }),
    }),
  }
}

/** Calls of plans and their orders in addition to the kernel's. */
export const planCalls = (plan: Resource, order: Resource) => {
  const Row = schemas(order).row as ReturnType<typeof Type.Object>
  return {
    /** Enables, disables or ends plans, all or none. */
    planStatus: call({
      method: 'POST',
      path: `${plan.path}/PlanStatus`,
      permission: `${plan.permission}.edit`,
      body: Type.Object({
        Id: Type.Optional(Id),
        Ids: Type.Optional(IdList(200)),
        PlanStatus: Type.Unsafe<0 | 1 | 2>({ type: 'integer', enum: [0, 1, 2] }),
      }),
      answer: Changed,
    }),
    /** Open orders of the caller, by due date. */
    mine: call({ method: 'GET', path: `${order.path}/Mine`, permission: myOrders, answer: Type.Object({ Items: Type.Array(Row) }) }),
    /** Opens a repair order for a failed item, with its result. */
    repair: call({
      method: 'POST',
      path: `${order.path}/Repair`,
      permission: work,
      body: Type.Object({ OrderId: Id, Item: Result.properties.Item }),
      answer: Type.Object({ Id, OrderNo: Type.String() }),
    }),
    /** Latest values of the points in the checklist. */
    readings: call({
      ...{ method: 'GET', path: `${order.path}/Readings`, permission: work, answer: Readings },
      query: Type.Object({ OrderId: Id }),
    }),
    history: call({
      ...{ method: 'GET', path: `${order.path}/History`, permission: myOrders },
      query: ById,
      answer: Type.Object({ History: Type.Array(HistoryEntry) }),
    }),
    start: call({
      method: 'POST',
      path: `${order.path}/Start`,
      permission: work,
      body: Type.Object({ OrderId: Id, ClientKey }),
      answer: Row,
    }),
    /** Also finishes an order that the timer closed as missed. */
    finish: call({
      method: 'POST',
      path: `${order.path}/Finish`,
      permission: work,
      body: Type.Object({
        OrderId: Id,
        Results,
        Desc: Type.Optional(Desc),
        Files: Type.Optional(Attachments(10)),
        ClientKey,
      }),
      answer: Row,
    }),
    cancel: call({
      method: 'POST',
      path: `${order.path}/Cancel`,
      permission: `${order.permission}.cancel`,
      body: Type.Object({ OrderId: Id, Desc, ClientKey }),
      answer: Row,
    }),
    ...overCalls(order),
    /** Calendar between two days: the dates of each plan, and the existing orders. */
    calendar: call({
      method: 'GET',
      path: `${plan.path}/Calendar`,
      permission: plan.permission,
      query: Type.Object({
        From: Type.String({ pattern: date.pattern }),
        To: Type.String({ pattern: date.pattern }),
      }),
      answer: Type.Object({
        Dates: Type.Array(
          Type.Object({
            PlanId: Id,
            PlanName: Type.String(),
            Date: Type.String(),
            Machines: Type.Integer(),
            AssignUserName: Type.Union([Type.String(), Type.Null()]),
            /** 1: forecast from a counter. */
            Forecast: Type.Integer(),
          }),
        ),
        Orders: Type.Array(
          Type.Object({
            ...{ Id, OrderNo: Type.String(), Title: Type.String(), Status: Type.Integer(), PlanTime: Moment },
            ...{ PlanId: Type.Union([Id, Type.Null()]), AssignUserName: Type.Union([Type.String(), Type.Null()]) },
          }),
        ),
        TotalMore: Type.Boolean(),
      }),
    }),
  }
}
export const upkeepCalls = planCalls(mtnUpKeepPlan, mtnUpKeepOrder)

/** The next dates of a plan for the preview in its form. */
export const nextDates = (values: Record<string, unknown>, after: string, count = 5): string[] => {
  const cycle = cycleOf(values)
  return cycle ? datesAfter(cycle, after, count) : []
}
