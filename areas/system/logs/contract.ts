import { Type } from 'typebox'
import { AnyObject, ById, call, page } from '../../../contract/call.ts'
import { choice, instant, number, text } from '../../../contract/field.ts'
import { Id, resource, schemas } from '../../../contract/resource.ts'

/** What was done. The log is append-only and has no calls that write. */
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

/** One entry of what people and the server did: every row written, every sign-in. Who, what, from where; before and after are items. */
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
    /** Name of the resource; its word is the thing's. */
    Resource: text({ set: 'never' }),
    ObjectName: text({ search: true, set: 'never', max: 200 }),
    RecordId: number({ integer: true, set: 'never' }),
    Ip: text({ search: true, set: 'never' }),
    Agent: text({ set: 'never', max: 300 }),
    RequestId: text({ set: 'never' }),
    /** Place in the tenant's chain; empty for the second before it gets one. */
    Seq: number({ integer: true, set: 'never' }),
  },
})

const Maybe = Type.Union([Type.String(), Type.Null()])
const { CreateTime: _, UpdateTime: __, UpdateStamp: ___, ...shown } = schemas(log).row.properties

/** Why an entry or a signature does not verify. */
export const logProblems = ['altered', 'missing', 'truncated', 'signature', 'unknownKey'] as const

export const logCalls = {
  list: call({ method: 'GET', path: '/System/Log/List', permission: 'm10454', query: AnyObject, answer: page(Type.Object(shown)) }),
  /** What one entry changed, field by field. */
  items: call({
    method: 'GET',
    path: '/System/Log/LogItemList',
    permission: 'm10454',
    query: ById,
    answer: Type.Array(Type.Object({ Field: Type.String(), FieldName: Type.String(), Before: Maybe, After: Maybe })),
  }),
  output: call({ method: 'GET', path: '/System/Log/Output', permission: 'm10454.export', query: AnyObject }),
  /** Recomputes the chain of a tenant from its last signed beginning. The platform names a tenant, else all are its own. */
  verify: call({
    method: 'POST',
    path: '/System/Log/Verify',
    permission: 'm10454.verify',
    body: Type.Object({ EnterpriseId: Type.Optional(Id) }),
    answer: Type.Object({
      Entries: Type.Integer(),
      /** Places in the chain; what came before was removed by retention, under a signature. */
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
