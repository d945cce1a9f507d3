import { type Static, Type } from 'typebox'
import { AnyObject, call } from '../../../contract/call.ts'
import { choice, flag, instant, json, long, number, ref, text } from '../../../contract/field.ts'
import { Id, resource, schemas, valueSchema } from '../../../contract/resource.ts'
import { user } from '../users/contract.ts'

const most = { integer: true, min: 1, max: 1_000_000, section: 'grant' } as const

/** A version sold to tenants: its menus and limits. Belongs to the platform. */
export const version = resource('version', {
  path: '/System/Enterprise/Version',
  permission: 'm10404',
  title: 'Name',
  order: 'Name',
  fields: {
    Name: text({ required: true, unique: 'everywhere', search: true }),
    MenuCodes: json({ schema: { type: 'array', items: { type: 'string', maxLength: 60 }, maxItems: 2000 } }),
    MaxGateways: number({ integer: true, min: 1, max: 1_000_000 }),
    MaxUsers: number({ integer: true, min: 1, max: 1_000_000 }),
    MaxPoints: number({ integer: true, min: 1, max: 100_000_000 }),
    Price: number({ min: 0, max: 1_000_000_000 }),
    Remark: long(),
  },
})

/** A tenant. Its users see their own; platform administrators see and change all (ruling 34). */
export const enterprise = resource('enterprise', {
  path: '/System/Enterprise',
  readBy: 'session',
  wire: { find: ['GET '] },
  permission: 'm10404',
  title: 'Name',
  order: 'Name',
  differs: {
    create: 'A tenant is made together with its first administrator.',
    readable: 'Administrators of a tenant list their own.',
    filters: 'Its list takes the filters of its screen only.',
  },
  fields: {
    Name: text({ required: true, unique: 'everywhere', search: true, max: 60 }),
    EnterpriseNo: text({ unique: 'everywhere', search: true, max: 20 }),
    SysName: text({ max: 40 }),
    Logo: text({ max: 2000, pattern: '^(/(?![/\\\\\\s])|data:image/(png|jpeg|webp);base64,)' }),
    Contact: text(),
    Phone: text({ max: 30 }),
    Address: text({ max: 100 }),
    Longitude: number({ min: -180, max: 180, unit: '°' }),
    Latitude: number({ min: -90, max: 90, unit: '°' }),
    TimeZoneKey: text({ required: true, max: 60, default: 'UTC' }),
    Language: choice(['en', 'zh', 'es', 'ja']),
    /** ISO 4217 code of the company's currency. Amounts are not converted when it changes. */
    CurrencyCode: text({ required: true, max: 3, pattern: '^[A-Z]{3}$', default: 'USD' }),
    Status: choice([0, 1], { required: true, default: 1 }),
    VersionId: ref('version', { set: 'never', as: 'VersionName' }),
    /** Outside this period, the users of the tenant cannot sign in. */
    GrantFrom: instant({ set: 'always', section: 'grant' }),
    GrantTo: instant({ set: 'always', section: 'grant' }),
    /** Empty: the limit of the version. */
    MaxGateways: number(most),
    MaxUsers: number(most),
    MaxPoints: number({ ...most, max: 100_000_000 }),
    RetentionDays: number({ integer: true, min: 1, max: 36500, section: 'grant' }),
    /** Retention of roll-ups after their readings are removed; if empty or shorter, as long as the readings. */
    RetentionMonths: number({ integer: true, min: 1, max: 1200, section: 'grant' }),
    MaxFileMb: number({ integer: true, min: 1, max: 10_000_000, unit: 'MB', section: 'grant' }),
    SingleLogin: flag({ required: true, default: 0, section: 'signIn' }),
    /** Secret questions as an extra factor before a lost password is replaced (ruling 35). */
    SecretQuestions: flag({ required: true, default: 0, section: 'signIn' }),
    /** Trial accounts for visitors: off, after approval, or immediately (ruling 34b: off by default). */
    TrialUsers: choice([0, 1, 2], { required: true, default: 0, section: 'signIn' }),
    PasswordMin: number({ integer: true, min: 8, max: 64, section: 'signIn' }),
    /** A session ends after this time without a call. */
    IdleMinutes: number({ integer: true, min: 5, max: 10_080, unit: 'min', section: 'signIn' }),
    MapProvider: choice(['offline', 'tiles', 'baidu'], { section: 'map' }),
    BaiduKey: text({ max: 100, section: 'map' }),
    /** Name of its folder in storage by tenant. */
    DirectoryName: text({ unique: 'everywhere', max: 40, pattern: '^[a-z0-9][a-z0-9-]*$', section: 'map' }),
    About: long({ max: 500 }),
    /** Part of the tenant's login link; random, so that it cannot be guessed. */
    Slug: text({ set: 'never' }),
    Remark: long(),
  },
})

const Text = Type.String()
const Maybe = Type.Union([Text, Type.Null()])
const Count = Type.Union([Type.Integer(), Type.Null()])
const OfTenant = Type.Object({ EnterpriseId: Id })
const MaybeOf = Type.Object({ EnterpriseId: Type.Optional(Id) })
const shape = schemas(enterprise)
const own = (name: keyof typeof enterprise.fields) => Type.Optional(valueSchema(enterprise.fields[name]))
const at = (method: 'GET' | 'POST' | 'PUT', name: string, permission: string) => ({
  method,
  path: `/System/Enterprise/${name}`,
  permission,
})

/** Limits and usage of a tenant. Empty limits: unlimited. */
const Grant = Type.Object({
  EnterpriseId: Type.Integer(),
  Status: Type.Integer(),
  VersionId: Count,
  VersionName: Maybe,
  GrantFrom: Maybe,
  GrantTo: Maybe,
  /** Individual menus instead of the version's. */
  OwnMenus: Type.Boolean(),
  MenuCodes: Type.Array(Text),
  MaxGateways: Count,
  MaxUsers: Count,
  MaxPoints: Count,
  GatewayCount: Type.Integer(),
  UserCount: Type.Integer(),
  PointCount: Type.Integer(),
})
export type Grant = Static<typeof Grant>

/** A menu of the tree, checked or not, as for roles. */
const Node = AnyObject

/** With the account of its first manager, whose password is returned once. */
export const NewEnterprise = Type.Object({
  ...shape.draft.properties,
  ManagerNO: valueSchema(user.fields.UserNO),
  ManagerName: valueSchema(user.fields.UserName),
})
export const MadeEnterprise = Type.Object({ ...shape.row.properties, UserNO: Text, OneTimePwd: Text })

export const enterpriseCalls = {
  create: call({ method: 'POST', path: '/System/Enterprise', permission: 'm10404.add', body: NewEnterprise, answer: MadeEnterprise }),
  /** Settings that the tenant's manager may change. */
  setSystem: call({
    ...at('PUT', 'System', 'm10406.edit'),
    body: Type.Object({
      SysName: own('SysName'),
      Logo: own('Logo'),
      Contact: own('Contact'),
      Phone: own('Phone'),
      Address: own('Address'),
      MapProvider: own('MapProvider'),
      BaiduKey: own('BaiduKey'),
      CurrencyCode: own('CurrencyCode'),
      Longitude: own('Longitude'),
      Latitude: own('Latitude'),
      About: own('About'),
    }),
    answer: shape.row,
  }),
  /** Content of the login page, and defaults for tenants. */
  platformConfig: call({
    ...at('POST', 'PlateformConfig', 'm10410.edit'),
    body: Type.Object({
      SysName: own('SysName'),
      Logo: own('Logo'),
      Contact: own('Contact'),
      Phone: own('Phone'),
      MapProvider: own('MapProvider'),
      BaiduKey: own('BaiduKey'),
      About: own('About'),
    }),
    answer: shape.row,
  }),
  /** Content of a tenant's login page; an unknown link gets the same answer as a tenant without a name. */
  loginUrl: call({
    ...at('GET', 'LoginUrl', 'public'),
    query: Type.Object({ Slug: Type.String({ maxLength: 64 }) }),
    answer: Type.Object({ Name: Maybe, SysName: Maybe, Logo: Maybe, Language: Maybe }),
  }),
  /** Available versions. */
  versions: call({
    ...at('GET', 'Ver', 'm10404'),
    answer: Type.Array(
      Type.Object({
        Id: Type.Integer(),
        Name: Text,
        MenuCodes: Type.Array(Text),
        MaxGateways: Count,
        MaxUsers: Count,
        MaxPoints: Count,
        TenantCount: Type.Integer(),
      }),
    ),
  }),
  grant: call({ ...at('GET', 'Grant', 'm10404'), query: OfTenant, answer: Grant }),
  /** For the caller's tenant. */
  auth: call({ method: 'GET', path: '/System/EnterpriseAuth', permission: 'session', answer: Grant }),
  menus: call({ ...at('GET', 'ObtainAuthorizationMenu', 'm10404'), query: OfTenant, answer: Type.Array(Node) }),
  /** Sets the version, and menus that replace the version's; null: the version's menus. */
  authorise: call({
    ...at('POST', 'AuthorizationMenu', 'm10404.edit'),
    body: Type.Object({
      EnterpriseId: Id,
      VersionId: Type.Optional(Type.Union([Id, Type.Null()])),
      MenuCodes: Type.Optional(Type.Union([Type.Array(Type.String({ maxLength: 60 }), { maxItems: 2000 }), Type.Null()])),
    }),
    answer: Grant,
  }),
  /** The number of the next tenant. */
  increment: call({ ...at('GET', 'Increment', 'm10404'), answer: Type.Object({ EnterpriseNo: Text }) }),
  /** An unused folder name, derived from the tenant's name. */
  directoryName: call({
    ...at('GET', 'DirectoryName', 'm10404'),
    query: Type.Object({ Name: Type.String({ minLength: 1, maxLength: 60 }) }),
    answer: Type.Object({ DirectoryName: Text }),
  }),
  /** Position and key of a tenant's map, with the installation's as the fallback (ruling 40). */
  map: call({
    ...at('GET', 'Map', 'session'),
    query: MaybeOf,
    answer: Type.Object({
      MapProvider: Text,
      BaiduKey: Text,
      Longitude: Type.Union([Type.Number(), Type.Null()]),
      Latitude: Type.Union([Type.Number(), Type.Null()]),
    }),
  }),
  /** Message templates for a tenant's managers, with its values filled in. */
  pushTemplates: call({
    ...at('GET', 'ObtainMsgPushTemplate', 'm10404'),
    query: OfTenant,
    answer: Type.Array(Type.Object({ Template: Text, PushTitle: Text, PushContent: Text })),
  }),
  /** Sends a notice to all managers of the tenant. */
  pushToManagers: call({
    ...at('POST', 'ManagerMsgPush', 'm10404.edit'),
    body: Type.Object({
      EnterpriseId: Id,
      PushTitle: Type.String({ minLength: 1, maxLength: 80 }),
      PushContent: Type.String({ maxLength: 2000 }),
    }),
    answer: Type.Object({ Managers: Type.Integer() }),
  }),
  /** People who manage the tenant. */
  managers: call({
    ...at('GET', 'Manager', 'm10404'),
    query: OfTenant,
    answer: Type.Array(Type.Object({ Id: Type.Integer(), UserNO: Text, UserName: Text, Status: Type.Integer(), IsLock: Type.Integer() })),
  }),
  counts: call({
    ...at('POST', 'CheckGatewayUserCount', 'm10404'),
    reads: true,
    body: OfTenant,
    answer: Type.Object({
      UserCount: Type.Integer(),
      MaxUsers: Count,
      GatewayCount: Type.Integer(),
      MaxGateways: Count,
    }),
  }),
}
