import { Type } from 'typebox'
import { AnyObject, ById, Changed, call, IdList, page } from '../../../contract/call.ts'
import { choice, flag, instant, json, long, number, ref, text } from '../../../contract/field.ts'
import { type PushKind, pushKinds } from '../../../contract/push-reasons.ts'
import { Attachments, Id, resource, schemas } from '../../../contract/resource.ts'
import { gatewayFaults } from '../alarm-settings/contract.ts'

/** One active or cleared alarm. The engine creates rows and never deletes them. */
export const alarmInfo = resource('alarmInfo', {
  path: '/Alarm/AlarmInfo',
  aliases: ['/V3/Project/AlarmInfo', '/AlarmManagement/AlarmInfo'],
  permission: 'm10201',
  title: 'AlmNo',
  owner: 'ProjectId',
  order: '-StartTime',
  sheets: 'out',
  fields: {
    AlmNo: text({ required: true, set: 'never', search: true }),
    RuleName: text({ required: true, max: 80, set: 'never', search: true }),
    /** 1 alarm, 2 maintenance. */
    RuleType: choice([1, 2], { required: true, set: 'never', default: 1 }),
    /** 1 and 2 normal, 3 advanced. */
    AlarmLevel: choice([1, 2, 3], { required: true, set: 'never', search: true, default: 2 }),
    /** From its rule, at the time of raising: 1 first, 2 in turn, 3 last. */
    Priority: choice([1, 2, 3], { required: true, set: 'never', default: 2 }),
    /** 1 device, 2 gateway, 3 the server itself, 4 cold room, 5 energy. */
    AlarmType: choice([1, 2, 3, 4, 5], { required: true, set: 'never', default: 1 }),
    /** For a gateway alarm. */
    GatewayFault: choice(gatewayFaults, { set: 'never' }),
    ProjectId: ref('project', { set: 'never' }),
    GatewayId: ref('gateway', { set: 'never' }),
    DeviceId: ref('device', { set: 'never' }),
    ParaId: ref('point', { set: 'never', as: 'ParaName' }),
    /** `low` or `high`: the limit that was exceeded. */
    Limit: choice(['low', 'high'], { set: 'never' }),
    /** Kind of the condition that raised it, as in a rule; null for several conditions, and for alarms of older versions. */
    TriggerStyle: choice([1, 2, 3, 4], { set: 'never' }),
    OperateSymbol: choice([1, 2, 3, 4, 5, 6, 7, 8], { set: 'never' }),
    /** The limit at its level, or the lower end of a band. */
    LimitValue: number({ set: 'never' }),
    LimitValue2: number({ set: 'never' }),
    TriggerValue: number({ set: 'never' }),
    LastValue: number({ set: 'never' }),
    /** The value furthest beyond the limit while it was active. */
    ExtremeValue: number({ set: 'never' }),
    /** Unit of its point at the time of raising. */
    ParaUnitName: text({ set: 'never' }),
    DecimalDigits: number({ integer: true, set: 'never' }),
    ParaDataType: number({ integer: true, set: 'never' }),
    ZeroText: text({ set: 'never' }),
    OneText: text({ set: 'never' }),
    /** Value and limit, or once cleared, extreme and duration, in the reader's language. */
    AlarmDesc: text({ set: 'never' }),
    StartTime: instant({ required: true }),
    LastTime: instant(),
    RecoverTime: instant(),
    /** 1 while the condition holds. */
    IsActive: flag({ required: true, set: 'never', search: true, default: 1 }),
    /** 1: it ended because a rule's alarm replaced it. */
    IsJoined: flag({ required: true, set: 'never', default: 0 }),
    /** 0 unhandled, 1 cleared by itself, 2 handled by a person. */
    HandleStatus: choice([0, 1, 2], { required: true, set: 'never', search: true, default: 0 }),
    /** 0 not acknowledged, 1 acknowledged (ISA-18.2: independent of clearing). */
    AckStatus: choice([0, 1], { required: true, set: 'never', search: true, default: 0 }),
    AckUserId: ref('user', { set: 'never' }),
    AckTime: instant(),
    HandleUserId: ref('user', { set: 'never' }),
    HandleTime: instant(),
    HandleDesc: long({ max: 500, set: 'never' }),
    AlmRuleId: ref('alarmRule', { set: 'never', as: 'AlmRuleName' }),
    /** 1: a user marked it as a false alarm. */
    IsFalse: flag({ required: true, set: 'never', default: 0 }),
    AssigneeId: ref('user', { set: 'never' }),
    /** End of shelving: until then the alarm is active but not counted. */
    ShelvedUntil: instant(),
    /** 1 while shelved. */
    IsShelved: flag({ required: true, set: 'never', default: 0 }),
    ShelveReason: long({ set: 'never' }),
    FaultCodeId: ref('alarmCode', { set: 'never', as: 'FaultCode' }),
    /** Whether a fault code is linked. */
    HasCode: flag({ required: true, set: 'never' }),
    AlmPlanId: ref('alarmPlan', { set: 'never', as: 'PlanName' }),
    /** The order that it opened or was attached to. */
    OrderId: ref('mtnMaintenanceOrder', { set: 'never', as: 'OrderNo' }),
    /** Readings of all points of its rule at the time of raising. */
    Snapshot: json({ set: 'never' }),
  },
})

/** `OtherFilter` of the specification: -1 all, 0 false alarms, 1 the highest level, 2 no fault code. */
export const otherFilters = { '0': ['IsFalse', 1], '1': ['AlarmLevel', 3], '2': ['HasCode', 0] } as const

/** Maximum hours of shelving (ISA-18.2: with an end and a responsible person). */
export const longestShelf = 24

/** The fields that group active alarms. */
export const groupings = ['DeviceId', 'GatewayId', 'ProjectId', 'AlarmLevel', 'AlmRuleId'] as const

const Named = Type.Array(Type.Object({ Id, Name: Type.String() }))
const Whole = Type.Integer()
const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}' })
const Mean = Type.Union([Type.Number(), Type.Null()])
const names = (list: string) => call({ method: 'GET', path: `/Alarm/AlarmInfo/${list}NameList`, permission: 'm10201', answer: Named })

export const alarmCalls = {
  acknowledge: call({
    method: 'POST',
    path: '/Alarm/AlarmInfo/Acknowledge',
    permission: 'm10201.acknowledge',
    body: Type.Object({ Ids: IdList() }),
    answer: Changed,
  }),
  handle: call({
    method: 'POST',
    path: '/Alarm/AlarmInfo/Handle',
    aliases: ['/V3/Project/AlarmInfo/Handle'],
    permission: 'm10201.handle',
    body: Type.Object({ Ids: IdList(), HandleDesc: Type.String({ maxLength: 500 }) }),
    answer: Changed,
  }),
  statistics: call({
    method: 'GET',
    path: '/Alarm/AlarmInfo/Statistics',
    permission: 'm10201',
    answer: Type.Object({ TotalCount: Type.Integer(), UnacknowledgedCount: Type.Integer(), HighCount: Type.Integer() }),
  }),
  handleAndPlan: call({
    method: 'POST',
    path: '/Alarm/AlarmInfo/HandleAndPlan',
    permission: 'm10201.handle',
    body: Type.Object({
      Ids: IdList(),
      HandleDesc: Type.String({ maxLength: 500 }),
      FaultCodeId: Type.Optional(Type.Union([Id, Type.Null()])),
      AlmPlanId: Type.Optional(Type.Union([Id, Type.Null()])),
    }),
    answer: Changed,
  }),
  /** Fault codes and response plans of an alarm's tenant, for handling. */
  choices: call({
    method: 'GET',
    path: '/Alarm/AlarmInfo/HandleChoices',
    permission: 'm10201',
    query: ById,
    answer: Type.Object({
      Codes: Type.Array(Type.Object({ Id, Code: Type.String(), Name: Type.String(), AlmPlanId: Type.Union([Id, Type.Null()]) })),
      Plans: Type.Array(Type.Object({ Id, PlanName: Type.String() })),
    }),
  }),
  /** Text of a response plan. */
  plan: call({
    method: 'GET',
    path: '/Alarm/AlarmInfo/Plan',
    permission: 'm10201',
    query: Type.Object({ AlmPlanId: Id }),
    answer: Type.Object({ PlanName: Type.String(), Content: Type.String(), ArticleId: Type.Union([Id, Type.Null()]) }),
  }),
  /** Shelves alarms for some hours; 0 unshelves them. */
  shelve: call({
    method: 'POST',
    path: '/Alarm/AlarmInfo/Shelve',
    permission: 'm10201.shelve',
    body: Type.Object({
      Ids: IdList(),
      Hours: Type.Number({ minimum: 0, maximum: longestShelf }),
      Reason: Type.Optional(Type.String({ maxLength: 200 })),
    }),
    answer: Changed,
  }),
  markFalse: call({
    method: 'POST',
    path: '/Alarm/AlarmInfo/MarkFalse',
    permission: 'm10201.handle',
    body: Type.Object({ Ids: IdList(), IsFalse: Type.Union([Type.Literal(0), Type.Literal(1)]) }),
    answer: Changed,
  }),
  assign: call({
    method: 'POST',
    path: '/Alarm/AlarmInfo/Assign',
    permission: 'm10201.assign',
    body: Type.Object({ Ids: IdList(), UserId: Type.Union([Id, Type.Null()]) }),
    answer: Changed,
  }),
  comment: call({
    method: 'POST',
    path: '/Alarm/AlarmInfo/Comment',
    permission: 'm10201.acknowledge',
    body: Type.Object({
      Id,
      Text: Type.String({ minLength: 1, maxLength: 1000 }),
      Files: Type.Optional(Attachments(10)),
    }),
    answer: ById,
  }),
  comments: call({
    method: 'GET',
    path: '/Alarm/AlarmInfo/Comments',
    permission: 'm10201',
    query: ById,
    answer: Type.Array(
      Type.Object({ Id, UserName: Type.String(), Text: Type.String(), Files: Attachments(10), CreateTime: Type.String() }),
    ),
  }),
  /** Consequences of an alarm, oldest first: messages with step and channel, and actions. */
  timeline: call({
    method: 'GET',
    path: '/Alarm/AlarmInfo/PushTimeline',
    permission: 'm10201',
    query: ById,
    answer: Type.Array(
      Type.Object({
        /** Id in AlmPushRecord, or of the action. */
        Id,
        Kind: Type.Unsafe<PushKind>({ enum: [...pushKinds] }),
        Step: Type.Integer(),
        /** As in AlmPushRecord; `write` for a written point. */
        Method: Type.String(),
        UserName: Type.String(),
        Target: Type.String(),
        /** 0 waiting, 1 sent or done, 3 failed, 4 held, 5 cancelled. */
        SendStatus: Type.Integer(),
        ErrorText: Type.String(),
        Time: Type.String(),
      }),
    ),
  }),
  /** Active alarms that are not shelved, by device, gateway, project or level; the largest 50 groups first. */
  groups: call({
    method: 'GET',
    path: '/Alarm/AlarmInfo/Groups',
    permission: 'm10201',
    query: Type.Object({
      By: Type.Unsafe<(typeof groupings)[number]>(Type.Union(groupings.map((v) => Type.Literal(v)))),
      AlarmType: Type.Optional(Whole),
    }),
    answer: Type.Array(Type.Object({ Key: Id, Name: Type.String(), Count: Whole, Unacknowledged: Whole, Level: Whole })),
  }),
  /** People who can be asked to handle an alarm. */
  users: call({ method: 'GET', path: '/Alarm/AlarmInfo/UserNameList', permission: 'm10201', answer: Named }),
  projects: names('Project'),
  gateways: names('Gateway'),
  devices: names('Device'),
  protocols: names('Protocol'),
  serials: call({ method: 'GET', path: '/Alarm/AlarmInfo/GatewaySNList', permission: 'm10201', answer: Named }),
  /** Statistics of alarms raised between two days in the caller's time zone. Means in seconds; null without any. */
  analyse: call({
    method: 'GET',
    path: '/Alarm/AlarmInfo/Analyse',
    permission: 'm10204',
    query: Type.Object({ StartDate: Day, EndDate: Day, ProjectId: Type.Optional(Id) }),
    answer: Type.Object({
      Total: Whole,
      False: Whole,
      Levels: Type.Array(Type.Object({ AlarmLevel: Whole, Count: Whole })),
      Devices: Type.Array(Type.Object({ DeviceId: Id, DeviceName: Type.String(), Count: Whole })),
      Days: Type.Array(Type.Object({ Date: Day, Count: Whole })),
      MeanAckSeconds: Mean,
      MeanRecoverSeconds: Mean,
      /** More than 10 in 10 minutes (ISA-18.2). */
      Floods: Type.Array(Type.Object({ Time: Type.String(), Count: Whole })),
      /** The same alarm three times or more within a minute. */
      Chattering: Type.Array(Type.Object({ RuleName: Type.String(), Count: Whole })),
      Shifts: Type.Array(Type.Object({ Shift: Type.String(), Count: Whole }), {
        description: 'Of a project with shifts; without a name: between shifts.',
      }),
      /** Active for more than a day. */
      Standing: Whole,
    }),
  }),
}

/** Gateway alarms (AlarmType 2), under the older paths of the specification. */
export const gatewayAlarmCalls = {
  list: call({
    method: 'GET',
    path: '/Alarm/GatewayAlarmInfo/List',
    permission: 'm10207',
    query: AnyObject,
    answer: page(schemas(alarmInfo as never).row),
  }),
  /** Exports a sheet: `Format=xlsx` or `csv`, with the columns in `Fields`. */
  output: call({ method: 'GET', path: '/Alarm/GatewayAlarmInfo/Output', permission: 'm10207', query: AnyObject }),
  statistics: call({ ...alarmCalls.statistics, path: '/Alarm/GatewayAlarmInfo/Statistics', permission: 'm10207' }),
  handle: call({ ...alarmCalls.handle, path: '/Alarm/GatewayAlarmInfo/Handle', aliases: [] }),
}
