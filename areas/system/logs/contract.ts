import { Type } from 'typebox'
import { AnyObject, ById, call, page } from '../../../contract/call.ts'
import { choice, instant, number, text } from '../../../contract/field.ts'
import { Id, resource, schemas } from '../../../contract/resource.ts'

/** Kinds of actions. The log is append-only and has no write calls. */
export const logVerbs = [
  'create',
  'update',
  'remove',
  'password',
  'questions',
  'login',
  'loginFailed',
  'logout',
  'export',
  'backup',
  'restore',
  'refused',
  'preview',
  'panelOpen',
  'panelControl',
  'panelClose',
] as const

/** An entry of the audit log: one row per written record and per sign-in. The changed fields are items. */
export const log = resource('log', {
  path: '/System/Log',
  permission: 'm10454',
  title: 'ObjectName',
  order: '-Id',
  sheets: 'own',
  fields: {
    Time: instant({ search: true }),
    /** 1 operations, 2 sign-ins. */
    Kind: choice([1, 2], { set: 'never' }),
    UserNO: text({ search: true, set: 'never' }),
    Verb: choice(logVerbs, { set: 'never', search: true }),
    /** Name of the resource. */
    Resource: text({ set: 'never' }),
    ObjectName: text({ search: true, set: 'never', max: 200 }),
    RecordId: number({ integer: true, set: 'never' }),
    Ip: text({ search: true, set: 'never' }),
    Agent: text({ set: 'never', max: 300 }),
    RequestId: text({ set: 'never' }),
    /** Position in the tenant's chain; empty for up to a second, until the entry is linked. */
    Seq: number({ integer: true, set: 'never' }),
  },
})

const Maybe = Type.Union([Type.String(), Type.Null()])
const { CreateTime: _, UpdateTime: __, UpdateStamp: ___, ...shown } = schemas(log).row.properties

/** Reason for which an entry or a signature does not verify. */
export const logProblems = ['altered', 'missing', 'truncated', 'signature', 'unknownKey'] as const

export const logCalls = {
  list: call({ method: 'GET', path: '/System/Log/List', permission: 'm10454', query: AnyObject, answer: page(Type.Object(shown)) }),
  /** The changes of one entry, field by field. */
  items: call({
    method: 'GET',
    path: '/System/Log/LogItemList',
    permission: 'm10454',
    query: ById,
    answer: Type.Array(Type.Object({ Field: Type.String(), FieldName: Type.String(), Before: Maybe, After: Maybe })),
  }),
  output: call({ method: 'GET', path: '/System/Log/Output', permission: 'm10454.export', query: AnyObject }),
  /** Verifies the chain of a tenant from its last signed start. The platform gives a tenant; otherwise it is the caller's. */
  verify: call({
    method: 'POST',
    path: '/System/Log/Verify',
    permission: 'm10454.verify',
    body: Type.Object({ EnterpriseId: Type.Optional(Id) }),
    answer: Type.Object({
      Entries: Type.Integer(),
      /** Positions in the chain; retention removed earlier entries, under a signature. */
      From: Type.Integer(),
      To: Type.Integer(),
      Checkpoints: Type.Integer(),
      Sound: Type.Boolean(),
      Problems: Type.Array(
        Type.Object({
          Kind: Type.Enum([...logProblems]),
          Seq: Type.Integer(),
          Id: Type.Union([Type.Integer(), Type.Null()]),
        }),
      ),
    }),
  }),
}
