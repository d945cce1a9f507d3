// Every name by which a request could reach what all objects inherit, for every call that the server documents.
import { calls, resources } from '../../areas/index.ts'
import type { FrontDoor } from '../front-door.ts'
import { type Schema, sample } from '../two-tenants.samples.ts'

const prototypes = [Object.prototype, Array.prototype, Function.prototype]
/** They cannot be read of the prototype itself. */
const unreadable = new Set<PropertyKey>(['__proto__', 'caller', 'arguments'])

/** Names and values of what all objects, lists and functions inherit. */
export const inheritedValues = () =>
  prototypes.map((prototype) =>
    Reflect.ownKeys(prototype).map((key) => [key, unreadable.has(key) ? undefined : (prototype as never)[key]] as const),
  )

type Parameter = { in: string; name: string; schema: Schema }
type Documented = {
  responses: Record<string, object>
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}
export type Operation = {
  method: string
  path: string
  query: Schema['properties']
  body: Schema['properties']
  isList: boolean
  isPaged: boolean
}

const everything = process.env.FAULT_ROUNDS === 'long'

/** Calls that end the session with which the others are asked. */
const ends = /\/(Logout|SetPwd|negotiate)$|\/Auth\/(ActAs|Login|LoginConfirm)$/i

/** Older and newer generations of a call share its code and schema. */
const aliases = new Set(
  [
    ...calls.flatMap((c) => c.aliases ?? []),
    ...resources.flatMap((r) =>
      ['', '/List', '/Detail', '/Output', '/Import', '/Template', '/BatchDelete'].flatMap((s) => r.aliases.map((a) => a + s)),
    ),
  ].map((path) => path.toLowerCase()),
)

export const operationsOf = async ({ call, admin }: FrontDoor): Promise<Operation[]> => {
  const api = (await call(admin, 'GET', '/openapi.json')) as unknown as { paths: Record<string, Record<string, Documented>> }
  return Object.entries(api.paths).flatMap(([url, verbs]) =>
    Object.entries(verbs)
      .filter(() => !ends.test(url) && (everything || !aliases.has(url.replace(/^\/api/, '').toLowerCase())))
      .map(([verb, o]) => ({
        method: verb.toUpperCase(),
        path: url.replace(/^\/api/, '').replace(/\{\w+\}/g, '1'),
        query: Object.fromEntries((o.parameters ?? []).filter((p) => p.in === 'query').map((p) => [p.name, p.schema])),
        body: Object.values(o.requestBody?.content ?? {})[0]?.schema.properties,
        isPaged:
          JSON.stringify(o.responses['200'] ?? {}).includes('"TotalPages"') || Boolean(o.parameters?.some((p) => p.name === 'PageIndex')),
        isList: /\/(\w*List|Output)$/.test(url),
      })),
  )
}

const into = [
  '__proto__.polluted',
  '__proto__.__proto__.polluted',
  'constructor.prototype.polluted',
  'constructor.polluted',
  'prototype.polluted',
]
const spelt = (name: string) => [name, name.replace(/\.(\w+)/g, '[$1]')]
/** Parameter names of a list, with their allowed prefixes. */
const listNames = ['', 'QueryInfo.', 'QueryInfo.QueryConditions.', 'QueryInfo.QueryConditions.0.', 'A.'].flatMap((root) =>
  into.flatMap((name) => spelt(root + name)),
)
const befores: Record<string, unknown>[] = [{}, { QueryInfo: {}, A: [1, 2] }, { QueryInfo: { QueryConditions: [{}] }, A: {} }]

const names = ['__proto__', 'constructor', 'prototype', 'toString']
/** An object whose own keys are the names; as JSON, since a literal would set the prototype instead. */
const owned = (value: string) => `{${names.map((name) => `"${name}":${value}`).join(',')}}`

const query = (values: Record<string, unknown>) => {
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((v) => [name, typeof v === 'object' ? JSON.stringify(v) : String(v)]),
  )
  return pairs.length ? `?${new URLSearchParams(pairs)}` : ''
}

export type Hostile = { method: string; path: string; body?: string }

/** Every form of a list's parameters. The first refused one hides the others, so each is sent alone. */
const ofList = ({ method, path }: Operation): Hostile[] =>
  listNames
    .flatMap((name) => befores.map((before) => ({ ...before, [name]: 1 })))
    .map((values) => (method === 'GET' ? { method, path: path + query(values) } : { method, path, body: JSON.stringify(values) }))

const texts = names.slice(0, 3).map((name) => `"${name}"`)
const values = [...texts, '{"toString":1}', '["constructor"]', '[{"prototype":{"polluted":1},"valueOf":1}]']
const bodies = [
  owned('{"polluted":1}'),
  `[${owned('1')}]`,
  '{"__pro\\u0074o__":{"polluted":1}}',
  '{"constructor":{"prototype":{"polluted":1}}}',
]

const fill = (schema: Schema['properties']) =>
  Object.fromEntries(Object.entries(schema ?? {}).map(([name, s]) => [name, /Ids?$/.test(name) ? 1 : sample(name, s)]))

/** Forms for any call: all names at once, as query and as body, and each field by itself while the others are as the schema says. */
const ofAny = ({ method, path, query: asked = {}, body }: Operation): Hostile[][] => {
  const right = fill(asked)
  const empty = body ? { body: '{}' } : {}
  const inQuery = (given: Record<string, unknown>): Hostile => ({ method, path: path + query(given), ...empty })
  const queries = [
    inQuery(Object.fromEntries([...names, ...into.flatMap(spelt)].map((name) => [name, 1]))),
    ...Object.keys(asked).flatMap((field) => names.map((name) => inQuery({ ...right, [field]: name }))),
  ]
  if (!body && method !== 'DELETE') return [queries]
  const fields = Object.entries(fill(body ?? { Id: { type: 'integer' }, Ids: { type: 'array' } })).map(([k, v]) => [k, JSON.stringify(v)])
  const withField = (field: string, value: string) => `{${fields.map(([k, v]) => `"${k}":${k === field ? value : v}`).join(',')}}`
  const sent = (text: string): Hostile => ({ method, path: path + query(right), body: text })
  return [queries, bodies.map(sent), values.flatMap((value) => fields.map(([field]) => sent(withField(field!, value))))]
}

/**
 * Requests for all calls. Each call gets one form for its query, one for its body, one for a field, and two if it is a list; the forms take
 * turns, so that each occurs many times, and another `turn` has other ones. FAULT_ROUNDS=long sends every form to every call.
 */
export const hostileRequests = (operations: readonly Operation[], turn: number): Hostile[] =>
  operations.flatMap((o, i) => {
    const sets = [...(o.isList ? [ofList(o), ofList(o).reverse()] : []), ...ofAny(o)].filter((set) => set.length)
    return everything ? sets.flat() : sets.map((set) => set[(i * 7 + turn) % set.length]!)
  })

/** Does all of them, several at a time. */
export const inParallel = async <T>(all: readonly T[], work: (one: T) => Promise<void>, lanes = 12) => {
  const left = [...all]
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (let one = left.pop(); one !== undefined; one = left.pop()) await work(one)
    }),
  )
}
