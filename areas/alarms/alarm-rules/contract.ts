import { type Static, Type } from 'typebox'
import { AnyObject, ById, Changed, call, IdList } from '../../../contract/call.ts'
import { importCalls } from '../../../contract/exports.ts'
import { choice, flag, instant, json, long, ref, text } from '../../../contract/field.ts'
import { Id, resource, schemas } from '../../../contract/resource.ts'
import { RuleConfigure } from './alarm-configure.ts'
import { AlarmPush } from './alarm-push.ts'

/** Writes when the alarm is raised: a value for a point, after a delay in seconds. */
export const DeviceControl = Type.Array(
  Type.Object({ ParaId: Id, Value: Type.Number(), DelayS: Type.Optional(Type.Integer({ minimum: 0, maximum: 86_400 })) }),
  { maxItems: 20 },
)
/** 1 a maintenance order, 3 a signed webhook, 5 a notice; 2 (camera snapshot) is added by its area. */
export const ActionExecution = Type.Array(
  Type.Object({
    Type: Type.Union([Type.Literal(1), Type.Literal(3), Type.Literal(5)]),
    /** For an order: the assignee (a person, a roster or a department) and the urgency, by default from the level of the alarm. */
    UserId: Type.Optional(Id),
    TeamId: Type.Optional(Id),
    DepartmentId: Type.Optional(Id),
    Urgency: Type.Optional(Type.Union([Type.Literal(1), Type.Literal(2), Type.Literal(3)])),
    /** For a webhook. */
    Url: Type.Optional(Type.String({ maxLength: 2000, pattern: '^https?://' })),
    /** For a notice: recipients and text. */
    PushUsers: Type.Optional(IdList(200)),
    Text: Type.Optional(Type.String({ maxLength: 500 })),
  }),
  { maxItems: 20 },
)

export const alarmRule = resource('alarmRule', {
  path: '/Alarm/AlarmRule',
  aliases: ['/V3/Project/AlarmRules', '/AlarmManagement/AlarmRules'],
  permission: 'm10202',
  title: 'RuleName',
  owner: 'ProjectId',
  sheets: 'own',
  differs: { create: 'Its conditions name points of one project, and are completed.' },
  acts: {
    enable: { button: 'edit', set: { Status: 1 }, many: true },
    disable: { button: 'edit', set: { Status: 0 }, many: true },
  },
  fields: {
    RuleName: text({ required: true, unique: 'ProjectId', search: true }),
    RuleNo: text({ required: true, set: 'never', search: true }),
    /** 1 alarm, 2 maintenance. */
    RuleType: choice([1, 2], { required: true, search: true, default: 1 }),
    /** 1 and 2 normal, 3 advanced. */
    AlarmLevel: choice([1, 2, 3], { required: true, search: true, default: 2 }),
    /** Order of messages when many alarms are sent together: 1 first, 2 in turn, 3 last. */
    Priority: choice([1, 2, 3], { required: true, default: 2 }),
    /** Same as Enabled. */
    Status: flag({ required: true, default: 0 }),
    Enabled: flag({ required: true, set: 'never', search: true }),
    /** 1: the rule sends messages. */
    IsSend: flag({ required: true, search: true, default: 0 }),
    IsDelete: flag({ required: true, set: 'never' }),
    ProjectId: ref('project', { required: true, set: 'create' }),
    BelongOrganId: ref('organ', { as: 'OrganName' }),
    /** Names of its points, for searching. */
    ParamNames: long({ max: 2000, set: 'never' }),
    /** Response plan of its alarms. */
    AlmPlanId: ref('alarmPlan', { as: 'PlanName' }),
    Remark: long(),
    RuleConfigure: json({ required: true, schema: RuleConfigure }),
    AlarmPush: json({ schema: AlarmPush }),
    DeviceControl: json({ schema: DeviceControl }),
    ActionExecution: json({ schema: ActionExecution }),
    LastTriggerTime: instant({ age: true }),
  },
})

const { draft, change, row } = schemas(alarmRule as never)
const { ProjectId, ...rest } = draft.properties
/** The default project is that of the first point. */
const Draft = Type.Object({ ...rest, ProjectId: Type.Optional(ProjectId!) })
const at = (suffix: string) => ({
  path: `${alarmRule.path}${suffix}`,
  aliases: alarmRule.aliases.map((alias) => `${alias}${suffix}`),
})
/** Row of the list: with the names of the devices in the rule's conditions. */
export const ListedRule = Type.Object({
  ...(row as ReturnType<typeof Type.Object>).properties,
  DeviceNames: Type.Optional(Type.Array(Type.Object({ Id, DeviceName: Type.String() }))),
})
export type ListedRule = Static<typeof ListedRule>
const Fault = Type.Object({ Path: Type.String(), Message: Type.String() })
const Point = Type.Object({
  ParaId: Id,
  ParaName: Type.String(),
  ParaUnitName: Type.String(),
  ParaDataType: Type.Integer(),
  ZeroText: Type.Union([Type.String(), Type.Null()]),
  OneText: Type.Union([Type.String(), Type.Null()]),
  DeviceId: Id,
  DeviceName: Type.String(),
  ProjectId: Id,
  /** Interval between two readings, s. */
  Period: Type.Number(),
  /** Whether the point is writable. */
  Writable: Type.Boolean(),
  /** Newest reading, null before the first. */
  Value: Type.Union([Type.Number(), Type.Null()]),
  Time: Type.Union([Type.Integer(), Type.Null()]),
})
const Found = Type.Object({
  /** Name of the device or point. */
  Name: Type.String(),
  ParaId: Id,
  AlarmLevel: Type.Integer(),
  /** Epoch ms; End is null if the range would be empty. */
  Start: Type.Integer(),
  End: Type.Union([Type.Integer(), Type.Null()]),
  Value: Type.Union([Type.Number(), Type.Null()]),
})

const OfProject = Type.Object({ ProjectId: Type.Optional(Id) })

export const alarmRuleCalls = {
  /** Exports rules as a sheet: `Format=xlsx` or `csv`; conditions are text with point names. */
  output: call({ method: 'GET', ...at('/Output'), permission: 'm10202', query: AnyObject }),
  ...importCalls(alarmRule as never),
  create: call({ method: 'POST', ...at(''), permission: 'm10202.add', body: Draft, answer: row }),
  update: call({ method: 'PUT', ...at(''), permission: 'm10202.edit', body: change, answer: row }),
  batch: call({
    method: 'POST',
    path: '/Alarm/AlarmRule/Batch',
    permission: 'm10202.add',
    body: Type.Object({ Items: Type.Array(Draft, { minItems: 1, maxItems: 200 }) }),
    answer: Type.Object({ Added: Type.Integer() }),
  }),
  /** Copies rules: disabled, with new names. */
  command: call({
    method: 'POST',
    path: '/Alarm/AlarmRule/Command',
    permission: 'm10202.add',
    body: Type.Object({ Ids: IdList(), Command: Type.Literal('copy') }),
    /** LeftOut: platform administrators whom the copies do not notify, because only they can add themselves. */
    answer: Type.Object({ ...Changed.properties, LeftOut: Type.Array(Type.String()) }),
  }),
  validate: call({
    method: 'POST',
    path: '/Alarm/AlarmRule/ConditionValidation',
    permission: 'm10202',
    reads: true,
    body: Type.Object({ RuleConfigure: AnyObject, AlarmLevel: Type.Optional(Type.Integer()) }),
    answer: Type.Object({ Valid: Type.Boolean(), Errors: Type.Array(Fault) }),
  }),
  /** Tests a rule on stored readings with the real engine. Returns every alarm it would have raised. */
  try: call({
    method: 'POST',
    path: '/Alarm/AlarmRule/Try',
    permission: 'm10202',
    reads: true,
    body: Type.Object({
      RuleConfigure,
      AlarmLevel: Type.Optional(Type.Integer({ minimum: 1, maximum: 3 })),
      Days: Type.Integer({ minimum: 1, maximum: 30 }),
    }),
    answer: Type.Object({
      Start: Type.Integer(),
      End: Type.Integer(),
      Samples: Type.Integer(),
      Count: Type.Integer(),
      Alarms: Type.Array(Found),
    }),
  }),
  /** Response plans for a rule: of the project's tenant, by default the caller's. */
  plans: call({
    method: 'GET',
    path: '/Alarm/AlarmRule/AlarmPlanList',
    permission: 'm10202',
    query: OfProject,
    answer: Type.Array(Type.Object({ Id, PlanName: Type.String() })),
  }),
  /** Recipients and channels of a rule. */
  sendInfo: call({
    method: 'GET',
    path: '/Alarm/AlarmRule/SendInfo',
    permission: 'm10202',
    query: ById,
    answer: Type.Object({
      IsSend: Type.Integer(),
      Users: Type.Array(Type.Object({ Id, UserName: Type.String() })),
      Methods: Type.Array(Type.Integer()),
    }),
  }),
  points: call({
    method: 'GET',
    path: '/Alarm/AlarmRule/Para',
    permission: 'm10202',
    query: Type.Object({ DeviceIds: Type.String({ minLength: 1, maxLength: 20_000, pattern: '^\\d+(,\\d+)*$' }) }),
    answer: Type.Array(Point),
  }),
  search: call({
    method: 'GET',
    path: '/Alarm/AlarmRule/ParaSearch',
    permission: 'm10202',
    query: Type.Object({
      Search: Type.Optional(Type.String({ maxLength: 50 })),
      ProjectId: Type.Optional(Id),
      ModelId: Type.Optional(Id),
      /** 1: only writable points. */
      Writable: Type.Optional(Type.Integer({ minimum: 0, maximum: 1 })),
      ParaIds: Type.Optional(Type.String({ maxLength: 20_000, pattern: '^\\d+(,\\d+)*$' })),
    }),
    answer: Type.Array(Point),
  }),
  /** Models available to a rule, with their devices: in one project, or in each project. */
  models: call({
    method: 'GET',
    path: '/Alarm/AlarmRule/ModelList',
    permission: 'm10202',
    query: OfProject,
    answer: Type.Array(
      Type.Object({
        Id,
        ModelName: Type.String(),
        /** Null if the model has no devices. */
        ProjectId: Type.Union([Id, Type.Null()]),
        ProjectName: Type.Union([Type.String(), Type.Null()]),
        Devices: Type.Integer(),
      }),
    ),
  }),
  /** Rosters, templates and robots for a push: of the project's tenant, by default the caller's. */
  audience: call({
    method: 'GET',
    path: '/Alarm/AlarmRule/Audience',
    permission: 'm10202',
    query: OfProject,
    answer: Type.Object({
      Rosters: Type.Array(Type.Object({ Id, Name: Type.String() })),
      /** Method as in AlarmPush. */
      Templates: Type.Array(Type.Object({ Method: Type.Integer(), Id, Name: Type.String() })),
    }),
  }),
  /** People of the project's tenant, of the given tenant, or by default of the caller's tenant. */
  users: call({
    method: 'GET',
    path: '/Alarm/AlarmRule/User',
    permission: 'm10202',
    query: Type.Object({ ...OfProject.properties, EnterpriseId: Type.Optional(Id) }),
    answer: Type.Array(Type.Object({ Id, UserName: Type.String(), UserNO: Type.String() })),
  }),
}
