import { type TObject, type TSchema, Type } from 'typebox'
import { type Call, Changed, ClientKey, IdList } from './call.ts'
import { wrongMoves } from './moves.ts'
import { type Act, Id, type Method, type Resource, schemas, shape } from './resource.ts'

/** The call of an act; `row` is what the resource answers, where an area answers more than its fields. */
export const actCall = (r: Resource, name: string, row: TSchema = schemas(r).row): Call => {
  const act = r.acts![name]!
  const [method, suffix] = (act.wire ?? `POST /${name.charAt(0).toUpperCase()}${name.slice(1)}`).split(' ') as [Method, string]
  const which: Record<string, TSchema> = act.many ? { Id: Type.Optional(Id), Ids: Type.Optional(IdList()) } : { Id }
  return {
    ...{ method, path: `${r.path}${suffix}`, aliases: r.aliases.map((path) => `${path}${suffix}`) },
    permission: `${r.permission}.${act.button}`,
    body: Type.Object({
      ...which,
      ...shape(Object.entries(act.fields ?? {}), (f) => !f.required || f.default !== undefined),
      ...(act.once && { ClientKey: Type.Optional(ClientKey) }),
    }),
    answer: act.answer ?? (act.many ? Changed : Type.Object({ ...(row as TObject).properties, ...act.adds })),
  }
}

type Row = Readonly<Record<string, unknown>>
const has = (row: Row, wanted: object) => Object.entries(wanted).every(([field, value]) => row[field] === value)

/** Whether a record already is what the act would make of it. */
export const isDone = (act: Act, row: Row) => act.set !== undefined && !act.fields && has(row, act.set)
/** Whether an act applies to a record: by its own condition and the moves of the fields that it sets. */
export const isPossible = ({ fields }: Pick<Resource, 'fields'>, { when = {}, set = {} }: Act, row: Row) =>
  Object.entries(when).every(([field, values]) => values.some((value) => value === row[field])) &&
  wrongMoves({ fields }, set, row).length === 0
