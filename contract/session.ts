import { Type } from 'typebox'
import { AnyObject, call, paging } from './call.ts'
import type { FaultKey } from './faults.ts'
import { Id } from './resource.ts'

const Text = Type.String()
/** Mark of a browser that signed in before. An empty one asks for a mark; what strangers try does not lock out a browser that has one. */
const Browser = Type.String({ maxLength: 100 })
const Credentials = Type.Object({
  UserNO: Type.Optional(Type.String({ maxLength: 200 })),
  Pwd: Type.Optional(Type.String({ maxLength: 200 })),
  UnionId: Type.Optional(Type.String({ maxLength: 200 })),
  Code: Type.Optional(Type.String({ maxLength: 200 })),
  /** Of WeChat's answer, beside its code. */
  State: Type.Optional(Type.String({ maxLength: 200 })),
  Browser: Type.Optional(Browser),
})

export const UserInfo = Type.Object({
  Id: Type.Integer(),
  UserNO: Text,
  UserName: Text,
  EnterpriseId: Type.Integer(),
  EnterpriseName: Text,
  BelongOrganId: Type.Union([Type.Integer(), Type.Null()]),
  /** The picture that is set to replace the dashboard; `showIndexFlowchart` answers whether it does. */
  IndexFlowchartId: Type.Union([Type.Integer(), Type.Null()]),
  TimeZoneKey: Text,
  /** Offset now, in minutes east of UTC. */
  TimeZoneVal: Type.Integer(),
  Language: Type.Union([Text, Type.Null()]),
  /** Of the company's money. */
  CurrencyCode: Text,
  MustChangePwd: Type.Integer(),
  IsPlatform: Type.Integer(),
  /** 1: the sidebar starts with the daily screens, the rest are under More. */
  ShortMenu: Type.Integer(),
  Roles: Type.Array(Text),
  /** Roles the person can act as, and the one he has chosen; null = all of them at once. */
  RoleChoices: Type.Array(Type.Object({ Id: Type.Integer(), RoleName: Text })),
  ActingRoleId: Type.Union([Type.Integer(), Type.Null()]),
})

/**
 * All that a session may call whose person came with a one-time password: what the console needs to start (ruling 15), the way to a
 * password of his own with its secret question, and the way out.
 */
export const beforeOwnPassword = [
  ['GET', '/System/User/UserInfo'],
  ['GET', '/System/BasicData'],
  ['GET', '/System/Enterprise/List'],
  ['GET', '/System/Department/List'],
  ['POST', '/System/Department/List'],
  ['GET', '/System/ThemeSet'],
  ['GET', '/System/Enterprise/MapKey'],
  ['GET', '/Auth/PwdQuestion'],
  ['POST', '/Auth/PwdQuestion/Confirm'],
  ['POST', '/System/User/SetPwd'],
  ['POST', '/Auth/Logout'],
] as const

/** Why a session ended, if known. */
export const endReasons: Readonly<Record<string, FaultKey>> = {
  locked: 'accountLocked',
  tenant: 'enterpriseClosed',
  expiredTenant: 'enterpriseExpired',
  password: 'passwordRenewed',
  expired: 'sessionExpired',
}

/** Birth year, household registration place, hometown (specification, section 9). */
export const secretQuestions = [1, 2, 3] as const
const SecretAnswer = Type.Object({
  Question: Type.Integer({ minimum: 1, maximum: secretQuestions.length }),
  Answer: Type.String({ minLength: 1, maxLength: 100 }),
})

/** Without a token when single login is on and the account is signed in elsewhere (ruling 13). */
const LoginAnswer = Type.Object({
  IsSingleUserLogin: Type.Boolean(),
  Token: Type.Optional(Text),
  Menu: Type.Optional(Type.Array(Text)),
  User: Type.Optional(UserInfo),
  Logo: Type.Union([Text, Type.Null()]),
  SysName: Type.Union([Text, Type.Null()]),
  /** To keep and send with the next sign-in, where one was asked for. */
  Browser: Type.Optional(Text),
})

export const MenuItem = Type.Object({
  Id: Type.Integer(),
  ParentId: Type.Integer(),
  MenuEncoding: Text,
  MenuName: Text,
  Icon: Text,
  RoutingAddress: Text,
  FrontComponent: Text,
  Redirect: Text,
  MenuType: Type.Integer(),
  IsVisible: Type.Integer(),
  OpenWith: Type.Integer(),
  InternalAndExternalLink: Text,
  /** Names of the platform's own by language; where there is none, the console's words hold. */
  Names: Type.Optional(Type.Object({}, { additionalProperties: Type.String() })),
  HasChildren: Type.Boolean(),
  MenuChildren: Type.Array(AnyObject),
})

export const sessionCalls = {
  login: call({ method: 'POST', path: '/Auth/Login', permission: 'public', body: Credentials, answer: LoginAnswer }),
  loginConfirm: call({ method: 'POST', path: '/Auth/LoginConfirm', permission: 'public', body: Credentials, answer: LoginAnswer }),
  /** Acts as one of the person's roles, or as all again; the old token is dead with the answer (ruling 34b). */
  actAs: call({
    method: 'POST',
    path: '/Auth/ActAs',
    permission: 'session',
    body: Type.Object({ RoleId: Type.Union([Id, Type.Null()]) }),
    answer: Type.Object({ Token: Text }),
  }),
  logout: call({ method: 'POST', path: '/Auth/Logout', permission: 'session', answer: Type.Null() }),
  userInfo: call({ method: 'GET', path: '/System/User/UserInfo', permission: 'session', answer: UserInfo }),
  basicData: call({
    method: 'GET',
    path: '/System/BasicData',
    permission: 'session',
    answer: Type.Object({
      DataDictionary: AnyObject,
      AllPageBtn: Type.Array(Text),
      AllPageMenu: Type.Array(MenuItem),
    }),
  }),
  setPassword: call({
    method: 'POST',
    path: '/System/User/SetPwd',
    permission: 'session',
    body: Type.Object({
      OldPwd: Type.String({ maxLength: 200 }),
      NewPwd: Type.String({ maxLength: 200 }),
      Browser: Type.Optional(Browser),
    }),
    /** The old token is dead with the answer, and so is the mark of every browser. */
    answer: Type.Object({ Token: Text, Browser: Type.Optional(Text) }),
  }),
  enterprises: call({
    method: 'GET',
    path: '/System/Enterprise/List',
    permission: 'session',
    query: Type.Object({
      ...paging(1e9),
      Status: Type.Optional(Type.Integer()),
    }),
    /** Whole rows of the tenants in the caller's scope. */
    answer: Type.Object(
      { Items: Type.Array(Type.Object({ Id: Type.Integer(), Name: Text }, { additionalProperties: true })), TotalCount: Type.Integer() },
      { additionalProperties: true },
    ),
  }),
  /** The tenant's key of the online map, else the installation's; empty = the offline base map (ruling 40). */
  mapKey: call({
    method: 'GET',
    path: '/System/Enterprise/MapKey',
    aliases: ['/Project/Project/MapKeyConfig'],
    permission: 'session',
    query: Type.Object({ EnterpriseId: Type.Optional(Id), BelongOrganId: Type.Optional(Id) }),
    answer: Type.Object({ BaiduKey: Text }),
  }),
  /** The secret questions, and which of them the person has answered (ruling 35). */
  pwdQuestion: call({
    method: 'GET',
    path: '/Auth/PwdQuestion',
    permission: 'session',
    answer: Type.Object({
      /** Off unless the tenant wants them. */
      Enabled: Type.Boolean(),
      Items: Type.Array(Type.Object({ Question: Type.Integer(), QuestionName: Text, IsSet: Type.Boolean() })),
    }),
  }),
  /** Answers instead of all earlier ones; needs the password. They are kept as hashes only. */
  setPwdQuestion: call({
    method: 'POST',
    path: '/Auth/PwdQuestion/Set',
    aliases: ['/System/User/SetQuestion'],
    permission: 'session',
    body: Type.Object({ Pwd: Type.String({ maxLength: 200 }), Answers: Type.Array(SecretAnswer, { minItems: 1, maxItems: 3 }) }),
    answer: Type.Null(),
  }),
  /** An extra factor, never the only one: a signed-in person shows that he knows his answer. Five failures lock it for half an hour. */
  confirmPwdQuestion: call({
    method: 'POST',
    path: '/Auth/PwdQuestion/Confirm',
    permission: 'session',
    body: SecretAnswer,
    answer: Type.Null(),
  }),
  /** The flowchart that replaces the dashboard for this person; null = the dashboard (ruling 34b). */
  showIndexFlowchart: call({
    method: 'GET',
    path: '/Auth/ShowIndexFlowchart',
    permission: 'session',
    answer: Type.Union([Type.Object({ Id: Type.Integer() }), Type.Null()]),
  }),
  /** Address of the WeChat sign-in, of a tenant's link or of the platform; refused where neither is connected to WeChat. */
  wxCode: call({
    method: 'GET',
    path: '/WeiXin/WXCode',
    permission: 'public',
    query: Type.Object({ Slug: Type.Optional(Type.String({ maxLength: 64 })) }),
    answer: Type.Object({ Url: Text }),
  }),
}
