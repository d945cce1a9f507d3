import { Type } from 'typebox'
import { call } from '../base/call.ts'
import { choice, flag, long, number, text } from '../base/field.ts'
import { Id, type Resource, resource, schemas, valueSchema } from '../base/resource.ts'
import { user } from './users.ts'

/** A tenant. Its people see their own; platform administrators see and change all (ruling 34). */
export const enterprise = resource('enterprise', {
  path: '/System/Enterprise',
  permission: 'm10404',
  title: 'Name',
  order: 'Name',
  fields: {
    Name: text({ required: true, unique: 'everywhere', search: true, max: 60 }),
    SysName: text({ max: 40 }),
    Logo: text({ max: 2000, pattern: '^(/(?![/\\\\])|data:image/(png|jpeg|webp);base64,)' }),
    Contact: text(),
    Phone: text({ max: 30 }),
    Address: text({ max: 100 }),
    TimeZoneKey: text({ required: true, max: 60, default: 'UTC' }),
    Language: choice(['en', 'zh', 'es', 'ja']),
    Status: choice([0, 1], { required: true, default: 1 }),
    SingleLogin: flag({ required: true, default: 0 }),
    /** Secret questions as an extra factor before a lost password is replaced (ruling 35). */
    SecretQuestions: flag({ required: true, default: 0 }),
    RetentionDays: number({ integer: true, min: 1, max: 36500 }),
    MaxUsers: number({ integer: true, min: 1, max: 1_000_000 }),
    MaxFileMb: number({ integer: true, min: 1, max: 10_000_000, unit: 'MB' }),
    /** Part of the tenant's own login link; nobody can guess it. */
    Slug: text({ set: 'never' }),
    Remark: long(),
  },
})

const Text = Type.String()
const Maybe = Type.Union([Text, Type.Null()])
const shape = schemas(enterprise as unknown as Resource)
const own = (name: keyof typeof enterprise.fields) => Type.Optional(valueSchema(enterprise.fields[name]))

export const enterpriseCalls = {
  find: call({ method: 'GET', path: '/System/Enterprise', permission: 'session', query: Type.Object({ Id }), answer: shape.row }),
  create: call({
    method: 'POST',
    path: '/System/Enterprise',
    permission: 'm10404.add',
    /** With the account of its first manager, whose password is answered once. */
    body: Type.Object({
      ...shape.draft.properties,
      ManagerNO: valueSchema(user.fields.UserNO),
      ManagerName: valueSchema(user.fields.UserName),
    }),
    answer: Type.Object({ ...shape.row.properties, UserNO: Text, OneTimePwd: Text }),
  }),
  update: call({ method: 'PUT', path: '/System/Enterprise', permission: 'm10404.edit', body: shape.change, answer: shape.row }),
  /** Name and logo that a tenant's own manager chooses. */
  setSystem: call({
    method: 'PUT',
    path: '/System/Enterprise/System',
    permission: 'm10406.edit',
    body: Type.Object({
      SysName: own('SysName'),
      Logo: own('Logo'),
      Contact: own('Contact'),
      Phone: own('Phone'),
      Address: own('Address'),
    }),
    answer: shape.row,
  }),
  /** What the login page of a tenant's link shows; an unknown link is answered like one without name. */
  loginUrl: call({
    method: 'GET',
    path: '/System/Enterprise/LoginUrl',
    permission: 'public',
    query: Type.Object({ Slug: Type.String({ maxLength: 64 }) }),
    answer: Type.Object({ Name: Maybe, SysName: Maybe, Logo: Maybe }),
  }),
  /** People who manage the tenant. */
  managers: call({
    method: 'GET',
    path: '/System/Enterprise/Manager',
    permission: 'm10404',
    query: Type.Object({ EnterpriseId: Id }),
    answer: Type.Array(Type.Object({ Id: Type.Integer(), UserNO: Text, UserName: Text, Status: Type.Integer(), IsLock: Type.Integer() })),
  }),
  counts: call({
    method: 'POST',
    path: '/System/Enterprise/CheckGatewayUserCount',
    permission: 'm10404',
    body: Type.Object({ EnterpriseId: Id }),
    answer: Type.Object({
      UserCount: Type.Integer(),
      MaxUsers: Type.Union([Type.Integer(), Type.Null()]),
      GatewayCount: Type.Integer(),
    }),
  }),
}
