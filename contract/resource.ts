import { type TSchema, Type } from 'typebox'
import type { Field, Value } from './field.ts'
import type { Language } from './languages.ts'
import type { Rule } from './rules.ts'

export type Fields = Record<string, Field>

export type Resource<F extends Fields = Fields> = {
  /** Singular noun: table, words, change messages and query keys are derived from it. */
  name: string
  /** The specification's path, below `/api`. */
  path: string
  /** Older or newer generations of the same calls (ruling 2). */
  aliases: readonly string[]
  /** Calls whose paths differ from the usual ones, such as `{ remove: ['DELETE /{Ids}'] }`. */
  wire?: Partial<Record<Verb, readonly string[]>>
  /** Menu code that guards reading; `.add`, `.edit`, `.remove` are its buttons. */
  permission: string
  /** What guards reading, where it is not the menu code. */
  readBy?: string
  /** The field that names a record in links, pickers and titles. */
  title: string
  /** Its names by language. Pickers show one beside the title, and sheets may use them instead of it. */
  names?: Readonly<Record<Language, string>>
  /** The field with further names, separated by `|`, that sheets may use. */
  alsoNamed?: string
  /** The most records with the same value of a field, such as the periods of one circuit: questions read all of them. */
  most?: { of: string; records: number }
  /** Which rows an actor sees: all of the tenant, those granted to him by Id, or those whose owner (a ref field) he sees. */
  owner: 'tenant' | 'grant' | (string & {})
  /** Every tenant can read and reference the platform's rows. Only the platform can change them. */
  shared?: true
  /** The field that names the record above, in a tree. Its list comes whole; a record can be renamed and moved. */
  tree?: string
  /** Default order, '-' for descending. */
  order: string
  fields: F
  /** Columns of its list. With them the kernel serves it and shows its screen, so that its area needs no code. */
  columns?: readonly string[]
  /**
   * Leaves as a sheet, and comes in as one: a record is then what its own fields say, without rules of its area beside them. `in`: the
   * area writes the sheet that the kernel reads. `own`: the area writes and reads it, by the same calls. A resource with a visibility of
   * its own beside the kernel's must not leave.
   */
  sheets?: 'out' | 'in-out' | 'in' | 'own'
  /** Words at `act.<resource>.<act>`. */
  acts?: Readonly<Record<string, Act>>
  /** Rules between fields, checked on every write. */
  rules?: readonly Rule[]
  /** Combinations that are stored, with a warning beside the field. Words at `fault.field.<name>`. */
  warnings?: readonly Rule[]
  /** Calls that check whether a value of a unique field is free, while people type: the field, and the end of the path. */
  checks?: Readonly<Record<string, string>>
  /** Resources whose records point to one of these: its detail page has a tab for each. */
  parts?: readonly string[]
  /** What of the conformance suite (tests/resources.test.ts) does not hold for it, and why. */
  differs?: Partial<Record<Behaviour, string>>
}

/** What people do to a record beside changing it, such as enabling or handing over: `POST <path>/<Name>` with its Id. */
export type Act = {
  /** Button of the menu that permits it. */
  button: string
  /** Method and suffix where they differ, such as `PUT /OrderStatus`. */
  wire?: string
  /** Values that the record has afterwards. The server sets them, unless an area does it with more. */
  set?: Values
  /** Values that a record must have; for another one the act is refused, and not offered. */
  when?: Readonly<Record<string, readonly Scalar[]>>
  /** What the caller gives beside the Id. The console asks for it. */
  fields?: Fields
  /** Takes many records as `Ids`, all or none. */
  many?: true
  /** Takes a ClientKey: what is sent twice with the same key is done once. The console sends one for each dialog. */
  once?: true
  /** The console asks first: words at `ask.<resource>.<act>`. */
  asks?: true
  /** It takes something away. The console asks first, and shows it as dangerous. */
  danger?: true
  /** Other resources that it changes. */
  touches?: readonly string[]
  /** What it answers. Otherwise the record, or of many how many have changed. */
  answer?: TSchema
  /** What the answer has beside the record, such as a key that is shown once. */
  adds?: Readonly<Record<string, TSchema>>
}
type Scalar = number | string | null
type Values = Readonly<Record<string, Scalar>>

export type Verb = 'find' | 'list' | 'create' | 'update' | 'remove'
const usualWire: Record<Verb, readonly string[]> = {
  list: ['GET /List', 'POST /List'],
  find: ['GET ', 'POST /Detail'],
  create: ['POST '],
  update: ['PUT '],
  remove: ['DELETE ', 'DELETE /BatchDelete'],
}
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
/** The calls of a verb: method, and what follows the path of the resource. */
export const wireOf = (r: Pick<Resource, 'wire'>, verb: Verb) =>
  (r.wire?.[verb] ?? usualWire[verb]).map((entry) => entry.split(' ') as [method: Method, suffix: string])

/** What the conformance suite shows of every resource that is served, as far as it has the calls for it. */
export type Behaviour =
  | ('create' | 'answers' | 'lists' | 'filters' | 'changes' | 'tenants' | 'projects')
  | ('acts' | 'moves' | 'permissions' | 'readable' | 'unsettable' | 'refusals' | 'duplicates' | 'references')

/** Every row has these beside its fields; the server alone sets them. UpdateStamp is UpdateTime in microseconds since 1970. */
export type Base = { Id: number; EnterpriseId: number; CreateTime: string; UpdateTime: string; UpdateStamp?: number }
export type Row<R extends Resource> = Base & { [K in keyof R['fields']]: Value<R['fields'][K]> }

type Writable<F extends Fields> = { [K in keyof F as F[K] extends { set: 'never' } ? never : K]: Value<F[K]> }
type Needed<F extends Fields> = { [K in keyof F]: F[K] extends { required: true | 'create'; default?: undefined } ? K : never }[keyof F]
export type Draft<R extends Resource> = Partial<Writable<R['fields']>> &
  Pick<Writable<R['fields']>, Needed<R['fields']> & keyof Writable<R['fields']>>
/** With the UpdateStamp of the row it was made from, a change is refused when the row has another one by now. */
export type Change<R extends Resource> = Partial<Writable<R['fields']>> & { Id: number; UpdateStamp?: number }

export const resource = <const F extends Fields>(
  name: string,
  r: Pick<Resource<F>, 'fields' | 'path' | 'permission'> &
    Partial<Resource<F>> & {
      title: keyof F & string
      tree?: keyof F & string
      owner?: 'tenant' | 'grant' | (keyof F & string)
      most?: { of: keyof F & string; records: number }
      columns?: readonly (keyof F & string)[]
    },
): Resource<F> => ({ name, aliases: [], owner: 'tenant', order: '-Id', ...r })

/** The fields people may set, when a row is made or changed. */
export const writable = (r: Resource, when: 'create' | 'update') =>
  Object.entries(r.fields).filter(([, f]) => f.set !== 'never' && !(when === 'update' && f.set === 'create'))

export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

/** The shared validator by name; the server's check knows the keyword, and OpenAPI shows it. */
const named = (f: { validator?: string }) => (f.validator ? { 'x-validator': f.validator } : {})

export const Stamp = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

/** Stored files by the path that their upload answered; the server knows their names. */
export const Attachments = (most: number) =>
  Type.Array(
    Type.Object({
      FilePath: Type.String({ maxLength: 200, pattern: '^/?(api/)?files/\\d+/[0-9a-f]{32}\\.\\w{1,5}$' }),
      FileName: Type.String({ maxLength: 255 }),
    }),
    { maxItems: most },
  )

const plain = (f: Field): TSchema => {
  switch (f.kind) {
    case 'text':
      return Type.String({ minLength: f.required ? 1 : 0, maxLength: f.max, ...(f.pattern ? { pattern: f.pattern } : {}), ...named(f) })
    case 'long':
      return Type.String({ maxLength: f.max })
    case 'number':
      return (f.integer ? Type.Integer : Type.Number)({ minimum: f.min ?? -1e15, maximum: f.max ?? 1e15, ...named(f) })
    case 'flag':
      return Type.Union([Type.Literal(0), Type.Literal(1)])
    case 'choice':
      return Type.Union(f.of.map((v) => Type.Literal(v)))
    case 'instant':
      return Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$' })
    case 'files':
      return Attachments(f.most)
    case 'ref':
      return Id
    case 'json':
      return f.schema as TSchema
  }
}

/** JSON Schema of one field's value. */
export const valueSchema = (f: Field): TSchema => (f.required ? plain(f) : Type.Union([plain(f), Type.Null()]))

/** What leaves is ours and checked already: plain types, which serialise fastest. */
export const answerSchema = (f: Field): TSchema => {
  if (f.kind === 'json' || f.kind === 'files') return Type.Unknown()
  const numeric = f.kind === 'number' || f.kind === 'ref' || f.kind === 'flag' || (f.kind === 'choice' && typeof f.of[0] === 'number')
  const type = numeric ? 'number' : 'string'
  return Type.Unsafe({ type: f.required === true ? type : [type, 'null'] })
}

/** JSON Schemas of given fields; the optional ones may be left out. */
export const shape = (fields: [string, Field][], optional: (f: Field) => boolean) =>
  Object.fromEntries(fields.map(([k, f]) => [k, optional(f) ? Type.Optional(valueSchema(f)) : valueSchema(f)]))

/** The JSON Schemas of a resource: what create and update accept, what reads return. */
export const schemas = (r: Resource) => ({
  draft: Type.Object(shape(writable(r, 'create'), (f) => !f.required || f.default !== undefined)),
  change: Type.Object({ Id, UpdateStamp: Type.Optional(Stamp), ...shape(writable(r, 'update'), () => true) }),
  row: Type.Object({
    Id,
    EnterpriseId: Id,
    CreateTime: Type.String(),
    UpdateTime: Type.String(),
    UpdateStamp: Type.Optional(Stamp),
    ...Object.fromEntries(Object.entries(r.fields).map(([k, f]) => [k, answerSchema(f)])),
    ...Object.fromEntries(joined(r).map(([as]) => [as, Type.Unsafe({ type: ['string', 'null'] })])),
  }),
})

/** Titles of other records that answers carry: [name in the answer, field that points there, resource]. */
export const joined = (r: Resource): [as: string, field: string, to: string][] =>
  Object.entries(r.fields).flatMap(([k, f]) =>
    f.kind === 'ref' ? [[f.as ?? k.replace(/Id$/, 'Name'), k, f.to] as [string, string, string]] : [],
  )
