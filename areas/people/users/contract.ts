import { type Static, Type } from 'typebox'
import { call } from '../../../contract/call.ts'
import { choice, flag, instant, long, ref, text } from '../../../contract/field.ts'
import { Id, resource, schemas, valueSchema } from '../../../contract/resource.ts'

const Text = Type.String()
/** Shown once; must be changed at the first sign-in. */
const OneTime = Type.Object({ UserNO: Text, OneTimePwd: Text })

/** A person with an account. Passwords and roles are not fields; they have separate calls. */
export const user = resource('user', {
  path: '/System/User',
  permission: 'm10402',
  title: 'UserName',
  order: 'UserNO',
  sheets: 'out',
  differs: {
    answers: 'A new account is answered with its one-time password.',
    changes: 'A new account is answered with its one-time password.',
    unsettable: 'A new account must change its password.',
  },
  acts: {
    lock: { button: 'lock', danger: true },
    unLock: { button: 'lock' },
    resetPwd: { button: 'resetPwd', danger: true, answer: OneTime },
  },
  fields: {
    UserNO: text({ required: true, unique: 'everywhere', search: true, set: 'create', max: 40, pattern: '^\\w{3,40}$' }),
    UserName: text({ required: true, search: true }),
    Phone: text({ max: 30, search: true }),
    Email: text({ max: 100, search: true }),
    BelongOrganId: ref('organ', { as: 'OrganName' }),
    DepartmentId: ref('department'),
    Avatar: text({ max: 300, set: 'never', pattern: '^/(?![/\\\\])' }),
    /** The account cannot sign in after this time. */
    ValidTo: instant({ set: 'always' }),
    TimeZoneKey: text({ max: 60 }),
    Language: choice(['en', 'zh', 'es', 'ja']),
    /** Start page: a picture instead of the dashboard. */
    IndexFlowchartId: ref('flowchart', { as: 'IndexFlowchartName' }),
    Status: choice([0, 1], { required: true, default: 1 }),
    IsLock: flag({ set: 'never' }),
    MustChangePwd: flag({ set: 'never' }),
    LastLoginTime: instant({ age: true }),
    LastLoginIp: text({ set: 'never' }),
    Remark: long(),
  },
})

const Ids = Type.Array(Id, { maxItems: 200 })
const OfUser = Type.Object({ UserId: Id })
const WithRoles = Type.Object({ UserId: Id, RoleIds: Ids })
/** A role, whether the person has it, and its scope. */
const Choosable = Type.Object({
  Id: Type.Integer(),
  RoleName: Text,
  Checked: Type.Boolean(),
  EnterpriseId: Type.Integer(),
  MenuCodes: Type.Array(Text),
  DataScope: Type.Integer(),
  AllProjects: Type.Boolean(),
})
export type Choosable = Static<typeof Choosable>
const shape = schemas(user)
const own = (name: keyof typeof user.fields) => Type.Optional(valueSchema(user.fields[name]))

export const AnsweredUser = Type.Object({
  ...shape.row.properties,
  UserNO: Text,
  UserName: Text,
  RoleIds: Type.Array(Type.Integer()),
  RoleNames: Text,
  PostIds: Type.Array(Type.Integer()),
  PostNames: Text,
  /** End of the lock after too many failed attempts. */
  LockUntil: Type.Union([Text, Type.Null()]),
})
export const NewUser = Type.Object({
  ...shape.draft.properties,
  /** Platform administrators only: the tenant of the person. */
  EnterpriseId: Type.Optional(Id),
  RoleIds: Type.Optional(Ids),
  PostIds: Type.Optional(Ids),
})
/** The password is returned once. */
export const MadeUser = Type.Object({ ...AnsweredUser.properties, OneTimePwd: Text })
export const ChangedUser = Type.Object({ ...shape.change.properties, Id, PostIds: Type.Optional(Ids) })

export const userCalls = {
  /** Imports accounts from a sheet, all or none; each password is returned once. */
  import: call({
    method: 'POST',
    path: '/System/User/Import',
    permission: 'm10402.add',
    query: Type.Object({ EnterpriseId: Type.Optional(Id) }),
    answer: Type.Object({ Added: Type.Integer(), Accounts: Type.Array(OneTime) }),
  }),
  template: call({ method: 'GET', path: '/System/User/Template', permission: 'm10402' }),
  /** Roles of the tenant; those of the person are checked. Without a person, the roles that the caller may grant. */
  roleList: call({
    method: 'POST',
    path: '/System/User/RoleList',
    permission: 'm10402',
    reads: true,
    body: Type.Object({ UserId: Type.Optional(Id), EnterpriseId: Type.Optional(Id) }),
    answer: Type.Array(Choosable),
  }),
  roles: call({
    method: 'GET',
    path: '/System/User/Roles',
    permission: 'm10402',
    query: OfUser,
    answer: Type.Array(Type.Object({ Id: Type.Integer(), RoleName: Text })),
  }),
  /** Sets exactly these roles. */
  setRoles: call({ method: 'POST', path: '/System/User/SetRole', permission: 'm10402.authorise', body: WithRoles, answer: AnsweredUser }),
  /** Adds these roles. */
  addRoles: call({ method: 'POST', path: '/System/User/Role', permission: 'm10402.authorise', body: WithRoles, answer: AnsweredUser }),
  removeRoles: call({ method: 'DELETE', path: '/System/User/Role', permission: 'm10402.authorise', body: WithRoles, answer: AnsweredUser }),
  account: call({ method: 'GET', path: '/System/User/Account', permission: 'session', answer: AnsweredUser }),
  setAccount: call({
    method: 'PUT',
    path: '/System/User/Account',
    permission: 'session',
    body: Type.Object({
      UserName: own('UserName'),
      Phone: own('Phone'),
      Email: own('Email'),
      TimeZoneKey: own('TimeZoneKey'),
      Language: own('Language'),
      IndexFlowchartId: own('IndexFlowchartId'),
      Avatar: own('Avatar'),
      /** The current password, required to change Phone or Email. */
      Pwd: Type.Optional(Type.String({ maxLength: 200 })),
    }),
    answer: AnsweredUser,
  }),
  /** Top-level menus of which the person sees a part. */
  modules: call({
    method: 'GET',
    path: '/System/User/AccountModules',
    permission: 'session',
    answer: Type.Array(Type.Object({ ModuleCode: Text, ModuleName: Text })),
  }),
  sessions: call({
    method: 'GET',
    path: '/System/User/Session',
    permission: 'session',
    answer: Type.Array(
      Type.Object({
        Session: Text,
        Ip: Text,
        Agent: Text,
        CreateTime: Text,
        LastTime: Text,
        /** The session of the caller. */
        Current: Type.Boolean(),
      }),
    ),
  }),
  endSession: call({
    method: 'DELETE',
    path: '/System/User/Session',
    permission: 'session',
    body: Type.Object({ Session: Type.String({ maxLength: 40 }) }),
    answer: Type.Null(),
  }),
}

/** Columns of the sheet that accounts are imported from. */
export const importedFields = ['UserNO', 'UserName', 'Phone', 'Email', 'Language', 'TimeZoneKey', 'Remark'] as const
