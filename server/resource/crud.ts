import type { FastifyInstance } from 'fastify'
import { type TSchema, Type } from 'typebox'
import { AnyObject, ById, type Call, call, type Page, page, Removed } from '../../contract/call.ts'
import { Id, type Resource, type Row, schemas, type Verb, wireOf } from '../../contract/resource.ts'
import type { Db } from '../database/db.ts'
import { Fault } from '../http/faults.ts'
import { type Served, serve } from '../http/serve.ts'
import type { Actor } from '../identity/actor.ts'
import { boundedQueue } from '../jobs/boundedQueue.ts'
import { type ActHandlers, serveActs } from './acts.ts'
import { serveChecks } from './checks.ts'
import { type Listing, readListing } from './list.ts'
import { type Check, store } from './store.ts'
import { type Moves, pageOfTree, serveTree, treeStore } from './tree.ts'

type Values = Record<string, unknown>

/** `{Id}`, `{Ids: []}`, a bare array or a comma list, as body, query or path (ruling 12). */
export const idsOf = (...parts: readonly unknown[]): number[] => {
  const given = parts.flatMap((part) => {
    if (Array.isArray(part)) return part
    const { Id, id, Ids } = (part ?? {}) as { Id?: unknown; id?: unknown; Ids?: unknown }
    return [Id, id, Ids].flatMap((v) => (Array.isArray(v) ? v : typeof v === 'string' ? v.split(',') : v === undefined ? [] : [v]))
  })
  const ids = given.map((id) => (typeof id === 'number' || typeof id === 'string' ? Number(id) : Number.NaN))
  if (!ids.length || ids.length > 1000 || ids.some((id) => !Number.isSafeInteger(id) || id < 1)) throw new Fault('notFound')
  return ids
}

/** A page of a thousand rows takes 10 ms of the event loop. Long pages take turns, tenant by tenant, so that short ones pass between them. */
const longPages = boundedQueue({ concurrency: 1, backlog: 200, refusal: 'tooMany' })
const shortPage = 200
export const pageInTurn = <T>({ size }: Pick<Listing, 'size'>, { EnterpriseId }: Actor, read: () => Promise<T>): Promise<T> =>
  size > shortPage ? longPages(read, { key: EnterpriseId }) : read()

/** A list call, by GET and POST. */
export const lists = (
  app: FastifyInstance,
  { query: given = AnyObject, ...at }: Pick<Call, 'path' | 'aliases' | 'permission' | 'answer' | 'query'>,
  read: (db: Db, actor: Actor, q: Listing, served: Served<Call>) => Promise<Page<unknown>>,
  methods: readonly string[] = ['GET', 'POST'],
) => {
  const answer = async (served: Served<Call>, given: unknown) => {
    const q = readListing(given as Values)
    return pageInTurn(q, served.actor, () => read(app.listDbOf(served.actor), served.actor, q, served))
  }
  if (methods.includes('GET')) serve(app, call({ ...at, method: 'GET', query: given }), (served) => answer(served, served.request.query))
  if (methods.includes('POST'))
    serve(app, call({ ...at, method: 'POST', reads: true, body: given }), (served) => answer(served, served.request.body))
}

/** A list of a resource on paths that do not follow from its own. */
export const listsOf = (app: FastifyInstance, r: Resource, at: { path: string; aliases?: readonly string[] }) =>
  lists(app, { ...at, permission: r.permission, answer: page(schemas(r).row) }, store(r).list)

/** A call that removes by Ids in its body, its query or its path. */
export const removes = (
  app: FastifyInstance,
  at: Pick<Call, 'path' | 'aliases' | 'permission'>,
  remove: (db: Db, actor: Actor, ids: readonly number[]) => Promise<number>,
) =>
  serve(app, call({ ...at, method: 'DELETE', query: AnyObject, answer: Removed }), async ({ db, actor, request }) => ({
    Removed: await remove(db, actor, idsOf(request.body, request.query, request.params)),
  }))

/** What does the work of a resource's calls. An area puts its own in the place of the store's. */
export type Work = {
  find(db: Db, actor: Actor, id: number): Promise<unknown>
  list(db: Db, actor: Actor, q: Listing): Promise<Page<unknown>>
  create(db: Db, actor: Actor, draft: Values): Promise<unknown>
  update(db: Db, actor: Actor, id: number, change: Values): Promise<unknown>
  remove(db: Db, actor: Actor, ids: readonly number[]): Promise<number>
}
/** Shapes on the wire; `made` is what creating answers, `changed` what a change does. */
type Shapes = { draft: TSchema; change: TSchema; row: TSchema; made: TSchema; changed: TSchema }
/** `checkAct` checks the values that an act sets, where `check` asks more than the act needs. */
type Checks = { check?: Check | undefined; checkAct?: Check }
type Options = Checks & { except?: readonly Verb[]; own?: Partial<Work & Moves>; shapes?: Partial<Shapes>; acts?: ActHandlers }

const shapesOf = (r: Resource, own: Partial<Shapes>): Shapes => {
  const { draft, change, row } = schemas(r)
  const Draft = Type.Object({ ...draft.properties, EnterpriseId: Type.Optional(Id) })
  return { draft: Draft, change, row, made: own.row ?? row, changed: own.row ?? row, ...own }
}

/** The ordinary calls of a resource, on its path and its aliases. Anything else an area needs is an ordinary call beside them. */
export const crud = (app: FastifyInstance, r: Resource, { except = [], check, own, shapes = {}, acts, checkAct = check }: Options = {}) => {
  const tree = r.tree ? treeStore(r, check) : undefined
  const rows: Work = { ...(tree ?? store<Resource>(r, check)), ...own }
  const { draft, change, row, made, changed } = shapesOf(r, shapes)
  const reading = r.readBy ?? r.permission
  /** The calls of a verb, unless the area serves them itself. */
  const each = (verb: Verb, run: (method: string, at: { path: string; aliases: string[] }) => void) => {
    if (except.includes(verb)) return
    for (const [method, suffix] of wireOf(r, verb)) {
      const pathOf = (path: string) => `${path}${suffix.replace(/\{(\w+)\}/g, ':$1')}`
      run(method, { path: pathOf(r.path), aliases: r.aliases.map(pathOf) })
    }
  }
  each('list', (method, at) =>
    lists(
      app,
      { ...at, permission: reading, answer: page(row) },
      (db, actor, q, { request }) => rows.list(db, actor, r.tree ? pageOfTree(q, request) : q),
      [method],
    ),
  )
  each('find', (method, at) => {
    const one = { ...at, permission: reading, answer: row }
    if (method === 'POST')
      serve(app, call({ ...one, method, reads: true, body: ById }), ({ db, actor, body }) => rows.find(db, actor, body.Id))
    else if (at.path.includes(':'))
      serve(app, call({ ...one, method: 'GET' }), ({ db, actor, request }) => rows.find(db, actor, idsOf(request.params)[0]!))
    else serve(app, call({ ...one, method: 'GET', query: ById }), ({ db, actor, query }) => rows.find(db, actor, query.Id))
  })
  each('create', (_, at) =>
    serve(
      app,
      call({ ...at, method: 'POST', permission: `${r.permission}.add`, body: draft, answer: made }),
      ({ db, actor, body }) => rows.create(db, actor, body as Values) as Promise<never>,
    ),
  )
  each('update', (_, at) =>
    serve(
      app,
      call({ ...at, method: 'PUT', permission: `${r.permission}.edit`, body: change, answer: changed }),
      ({ db, actor, body }) => rows.update(db, actor, (body as Row<Resource>).Id, body as Values) as Promise<never>,
    ),
  )
  each('remove', (_, at) => removes(app, { ...at, permission: `${r.permission}.remove` }, rows.remove))
  serveActs(app, r, rows, { row, handlers: acts, check: checkAct })
  serveChecks(app, r)
  if (tree) serveTree(app, r, rows, { ...tree, ...own })
}
