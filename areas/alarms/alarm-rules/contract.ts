import { type Static, Type } from 'typebox'
import { AnyObject, ById, Changed, call, IdList } from '../../../contract/call.ts'
import { importCalls } from '../../../contract/exports.ts'
import { choice, flag, instant, json, long, ref, text } from '../../../contract/field.ts'
import { Id, resource, schemas } from '../../../contract/resource.ts'
import { RuleConfigure } from './alarm-configure.ts'
import { AlarmPush } from './alarm-push.ts'

/** Writes when the alarm is raised: a point gets a value, so many seconds later. */
export const DeviceControl = Type.Array(
  Type.Object({ ParaId: Id, Value: Type.Number(), DelayS: Type.Optional(Type.Integer({ minimum: 0, maximum: 86_400 })) }),
  { maxItems: 20 },
)
/** 1 an order of maintenance, 3 a signed webhook, 5 a notice to people; 2 camera snapshot comes with its area. */
export const ActionExecution = Type.Array(
  Type.Object({
    Type: Type.Union([Type.Literal(1), Type.Literal(3), Type.Literal(5)]),
    /** Of an order: who is to do it, a person, a roster or a department, and how urgent it is; by default as the level of the alarm. */
    UserId: Type.Optional(Id),
    TeamId: Type.Optional(Id),
    DepartmentId: Type.Optional(Id),
    Urgency: Type.Optional(Type.Union([Type.Literal(1), Type.Literal(2), Type.Literal(3)])),
    /** Of a webhook. */
    Url: Type.Optional(Type.String({ maxLength: 2000, pattern: '^https?://' })),
    /** Of a notice: whom it is for, and what it says. */
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
    /** Whose messages go first when many alarms are sent together: 1 first, 2 in turn, 3 last. */
    Priority: choice([1, 2, 3], { required: true, default: 2 }),
    /** Enabled says the same. */
    Status: flag({ required: true, default: 0 }),
    Enabled: flag({ required: true, set: 'never', search: true }),
    /** Whether it pushes. */
    IsSend: flag({ required: true, search: true, default: 0 }),
    IsDelete: flag({ required: true, set: 'never' }),
    ProjectId: ref('project', { required: true, set: 'create' }),
    BelongOrganId: ref('organ', { as: 'OrganName' }),
    /** Names of its points, for the search. */
    ParamNames: long({ max: 2000, set: 'never' }),
    /** What to do when it raises: its alarms have the plan. */
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
/** The project is that of the first point where it is not given. */
const Draft = Type.Object({ ...rest, ProjectId: Type.Optional(ProjectId!) })
const at = (suffix: string) => ({
  path: `${alarmRule.path}${suffix}`,
  aliases: alarmRule.aliases.map((alias) => `${alias}${suffix}`),
})
/** In lists: names of the devices that a rule's conditions refer to. */
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
  /** s between two readings. */
  Period: Type.Number(),
  /** Whether it takes a write. */
  Writable: Type.Boolean(),
  /** Newest reading, null before the first. */
  Value: Type.Union([Type.Number(), Type.Null()]),
  Time: Type.Union([Type.Integer(), Type.Null()]),
})
const Found = Type.Object({
  /** The device or the point it is about. */
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
  /** As a sheet: `Format=xlsx` or `csv`; what a rule watches is a text that names its points. */
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
  /** What can be done with rules beside their fields: a copy, disabled, under a name of its own. */
  command: call({
    method: 'POST',
    path: '/Alarm/AlarmRule/Command',
    permission: 'm10202.add',
    body: Type.Object({ Ids: IdList(), Command: Type.Literal('copy') }),
    /** LeftOut: platform administrators that the copies do not notify, because only they can add themselves. */
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
  /** Every alarm a rule would have raised on what is stored of its points, by the engine that would judge it. */
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
  /** Plans that a rule may name: of the tenant of a project, else the caller's. */
  plans: call({
    method: 'GET',
    path: '/Alarm/AlarmRule/AlarmPlanList',
    permission: 'm10202',
    query: OfProject,
    answer: Type.Array(Type.Object({ Id, PlanName: Type.String() })),
  }),
  /** Who a rule notifies, and how. */
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
      /** 1: only points that take a write. */
      Writable: Type.Optional(Type.Integer({ minimum: 0, maximum: 1 })),
      ParaIds: Type.Optional(Type.String({ maxLength: 20_000, pattern: '^\\d+(,\\d+)*$' })),
    }),
    answer: Type.Array(Point),
  }),
  /** Models that a rule may mean, with the devices of each: in a project, or in each project. */
  models: call({
    method: 'GET',
    path: '/Alarm/AlarmRule/ModelList',
    permission: 'm10202',
    query: OfProject,
    answer: Type.Array(
      Type.Object({
        Id,
        ModelName: Type.String(),
        /** Null where no device is of it. */
        ProjectId: Type.Union([Id, Type.Null()]),
        ProjectName: Type.Union([Type.String(), Type.Null()]),
        Devices: Type.Integer(),
      }),
    ),
  }),
  /** Rosters, templates and robots that a push may name: of the tenant of a project, else the caller's. */
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
  /** People of the tenant of a project, of the tenant named, else of the caller's own. */
  users: call({
    method: 'GET',
    path: '/Alarm/AlarmRule/User',
    permission: 'm10202',
    query: Type.Object({ ...OfProject.properties, EnterpriseId: Type.Optional(Id) }),
    answer: Type.Array(Type.Object({ Id, UserName: Type.String(), UserNO: Type.String() })),
  }),
}
