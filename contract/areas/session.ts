import { Type } from 'typebox'
import { call } from '../base/call.ts'

const Text = Type.String()
const Credentials = Type.Object({
  UserNO: Type.Optional(Type.String({ maxLength: 200 })),
  Pwd: Type.Optional(Type.String({ maxLength: 200 })),
  UnionId: Type.Optional(Type.String({ maxLength: 200 })),
  Code: Type.Optional(Type.String({ maxLength: 200 })),
})

export const UserInfo = Type.Object({
  Id: Type.Integer(),
  UserNO: Text,
  UserName: Text,
  EnterpriseId: Type.Integer(),
  EnterpriseName: Text,
  BelongOrganId: Type.Union([Type.Integer(), Type.Null()]),
  TimeZoneKey: Text,
  /** Offset now, in minutes east of UTC. */
  TimeZoneVal: Type.Integer(),
  Language: Type.Union([Text, Type.Null()]),
  MustChangePwd: Type.Integer(),
  IsPlatform: Type.Integer(),
  Roles: Type.Array(Text),
})

/** Without a token when single login is on and the account is signed in elsewhere (ruling 13). */
const LoginAnswer = Type.Object({
  IsSingleUserLogin: Type.Boolean(),
  Token: Type.Optional(Text),
  Menu: Type.Optional(Type.Array(Text)),
  User: Type.Optional(UserInfo),
  Logo: Type.Union([Text, Type.Null()]),
  SysName: Type.Union([Text, Type.Null()]),
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
  HasChildren: Type.Boolean(),
  MenuChildren: Type.Array(Type.Object({}, { additionalProperties: true })),
})

export const sessionCalls = {
  login: call({ method: 'POST', path: '/Auth/Login', permission: 'public', body: Credentials, answer: LoginAnswer }),
  loginConfirm: call({ method: 'POST', path: '/Auth/LoginConfirm', permission: 'public', body: Credentials, answer: LoginAnswer }),
  logout: call({ method: 'POST', path: '/Auth/Logout', permission: 'session', answer: Type.Null() }),
  userInfo: call({ method: 'GET', path: '/System/User/UserInfo', permission: 'session', answer: UserInfo }),
  basicData: call({
    method: 'GET',
    path: '/System/BasicData',
    permission: 'session',
    answer: Type.Object({
      DataDictionary: Type.Object({}, { additionalProperties: true }),
      AllPageBtn: Type.Array(Text),
      AllPageMenu: Type.Array(MenuItem),
    }),
  }),
  setPassword: call({
    method: 'POST',
    path: '/System/User/SetPwd',
    permission: 'session',
    body: Type.Object({ OldPwd: Type.String({ maxLength: 200 }), NewPwd: Type.String({ maxLength: 200 }) }),
    /** The old token is dead with the answer. */
    answer: Type.Object({ Token: Text }),
  }),
  enterprises: call({
    method: 'GET',
    path: '/System/Enterprise/List',
    permission: 'session',
    query: Type.Object({
      PageIndex: Type.Optional(Type.Integer()),
      PageSize: Type.Optional(Type.Integer()),
      Status: Type.Optional(Type.Integer()),
    }),
    answer: Type.Object({ Items: Type.Array(Type.Object({ Id: Type.Integer(), Name: Text })), TotalCount: Type.Integer() }),
  }),
}
