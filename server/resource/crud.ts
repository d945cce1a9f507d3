import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { AnyObject, ById, type Call, call, page, Removed } from '../../contract/call.ts'
import { Id, type Resource, schemas } from '../../contract/resource.ts'
import { Fault } from '../http/faults.ts'
import { type Served, serve } from '../http/serve.ts'
import { readListing } from './list.ts'
import { type Check, store } from './store.ts'

/** `{Id}`, `{Ids: []}`, a bare array or a comma list, as body or query (ruling 12). */
export const idsOf = (body: unknown, query: unknown): number[] => {
  const given = [body, query].flatMap((part) => {
    if (Array.isArray(part)) return part
    const { Id: one, Ids: many } = (part ?? {}) as { Id?: unknown; Ids?: unknown }
    return [one, many].flatMap((v) => (Array.isArray(v) ? v : typeof v === 'string' ? v.split(',') : v === undefined ? [] : [v]))
  })
  const ids = given.map((id) => (typeof id === 'number' || typeof id === 'string' ? Number(id) : Number.NaN))
  if (!ids.length || ids.length > 1000 || ids.some((id) => !Number.isSafeInteger(id) || id < 1)) throw new Fault('notFound')
  return ids
}

export type Verb = 'find' | 'list' | 'create' | 'update' | 'remove'

/** The list call of a resource, by GET and POST, on paths of the specification that do not follow from its own. */
export const lists = (app: FastifyInstance, r: Resource, at: { path: string; aliases?: readonly string[] }) => {
  const rows = store(r)
  const list = { ...at, permission: r.permission, answer: page(schemas(r).row) }
  const answer = ({ db, actor }: Served<Call>, given: unknown) => rows.list(db, actor, readListing(given as Record<string, unknown>))
  serve(app, call({ ...list, method: 'GET', query: AnyObject }), (served) => answer(served, served.request.query))
  serve(app, call({ ...list, method: 'POST', reads: true, body: AnyObject }), (served) => answer(served, served.request.body))
}

type Options = { except?: readonly Verb[]; check?: Check | undefined }

/** The ordinary calls of a resource, on its path and its aliases. Anything else an area needs is an ordinary call beside them. */
export const crud = (app: FastifyInstance, r: Resource, { except = [], check }: Options = {}) => {
  const rows = store(r, check)
  const { draft, change, row } = schemas(r)
  const at = (suffix: string) => ({ path: `${r.path}${suffix}`, aliases: r.aliases.map((a) => `${a}${suffix}`) })
  const has = (verb: Verb) => !except.includes(verb)

  if (has('list')) lists(app, r, at('/List'))
  if (has('find')) {
    serve(app, call({ ...at(''), method: 'GET', permission: r.permission, query: ById, answer: row }), ({ db, actor, query }) =>
      rows.find(db, actor, query.Id),
    )
    const detail = call({ ...at('/Detail'), method: 'POST', permission: r.permission, reads: true, body: ById, answer: row })
    serve(app, detail, ({ db, actor, body }) => rows.find(db, actor, body.Id))
  }
  if (has('create')) {
    const body = Type.Object({ ...draft.properties, EnterpriseId: Type.Optional(Id) })
    serve(app, call({ ...at(''), method: 'POST', permission: `${r.permission}.add`, body, answer: row }), ({ db, actor, body }) =>
      rows.create(db, actor, body),
    )
  }
  if (has('update'))
    serve(app, call({ ...at(''), method: 'PUT', permission: `${r.permission}.edit`, body: change, answer: row }), ({ db, actor, body }) =>
      rows.update(db, actor, body.Id as number, body),
    )
  if (has('remove')) {
    for (const suffix of ['', '/BatchDelete'])
      serve(
        app,
        call({ ...at(suffix), method: 'DELETE', permission: `${r.permission}.remove`, query: AnyObject, answer: Removed }),
        async ({ db, actor, request }) => ({ Removed: await rows.remove(db, actor, idsOf(request.body, request.query)) }),
      )
  }
}
