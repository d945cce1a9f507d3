import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { AnyObject, call, LogicOP, page } from '../../../../contract/call.ts'
import { Id, type Resource, schemas } from '../../../../contract/resource.ts'
import { treeCalls } from '../../../../contract/trees.ts'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import { serve } from '../../../../server/http/serve.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { crud } from '../../../../server/resource/crud.ts'
import { readListing } from '../../../../server/resource/list.ts'
import { column, table } from '../../../../server/resource/sql.ts'
import { store } from '../../../../server/resource/store.ts'
import { department } from '../../departments/contract.ts'
import { region } from '../../regions/contract.ts'
import { user } from '../../users/contract.ts'
import { organ, usersCall } from '../contract.ts'

export type Tree = {
  of: Resource
  /** The field that points to the record above. */
  parent: string
  /** A field in which a record and the one above it must agree. */
  within?: string
}

/** Levels of a tree, the top included. */
export const deepest = 8
/** Trees are read whole (ruling 9): more than the rows of a page elsewhere. */
const whole = 9999

/** The trees that a sheet may fill, by the name of their resource. */
export const trees: Record<string, Tree> = {
  organ: { of: organ, parent: 'ParentOrganId' },
  department: { of: department, parent: 'ParentId', within: 'BelongOrganId' },
  region: { of: region, parent: 'ParentId' },
}

type Values = Record<string, unknown>
type Row = { Id: number; EnterpriseId: number } & Values

/**
 * Refuses a place below itself, too deep, or in another whole. Holds the tree until the transaction ends: two moves at once could
 * close a circle that neither of them sees.
 */
export const checkPlace = async (db: Db, { of: r, parent, within }: Tree, above: unknown, id: number | undefined, whole: unknown) => {
  await db.rows(sql`select pg_advisory_xact_lock(hashtextextended(${`tree ${r.name}`}, 0))`)
  if (above === null || above === undefined) return
  const refuse = (rule: string, values = {}) => new FieldFaults([{ field: parent, rule, values }])
  const part = within ? column(within, 'n') : sql`null::bigint`
  const [[way], [below]] = await db.all([
    sql<{ Depth: number | null; Circle: boolean | null; Elsewhere: boolean | null }>`
      with recursive way as (
        select n."Id", ${column(parent, 'n')} as up, ${part} as part, 1 as depth from ${table(r)} n where n."Id" = ${above}
        union all select n."Id", ${column(parent, 'n')}, ${part}, depth + 1 from ${table(r)} n join way on n."Id" = way.up where depth < 100)
      select max(depth) as "Depth", bool_or("Id" = ${id ?? 0}) as "Circle", bool_or(part <> ${whole ?? null}::bigint) as "Elsewhere" from way`,
    sql<{ Height: number | null }>`
      with recursive tree as (
        select "Id", 1 as depth from ${table(r)} where "Id" = ${id ?? 0}
        union all select n."Id", depth + 1 from ${table(r)} n join tree on ${column(parent, 'n')} = tree."Id" where depth < 100)
      select max(depth) as "Height" from tree`,
  ])
  if (way?.Circle) throw refuse('treeCircle')
  if (way?.Elsewhere) throw refuse('treeElsewhere')
  if ((way?.Depth ?? 0) + (below?.Height ?? 1) > deepest) throw refuse('treeDeep', { max: deepest })
}

const treeStore = (tree: Tree) => {
  const { of: r, parent, within } = tree
  const rows = store(r)

  const update = (db: Db, actor: Actor, id: number, change: Values) =>
    db.tx(async (db) => {
      const before: Row = await rows.find(db, actor, id)
      if (change[parent] !== undefined) await checkPlace(db, tree, change[parent], id, within && before[within])
      return rows.update(db, actor, id, change)
    })

  return {
    ...rows,
    update,
    create: (db: Db, actor: Actor, draft: Values) =>
      db.tx(async (db) => {
        await checkPlace(db, tree, draft[parent], undefined, within && draft[within])
        return rows.create(db, actor, draft)
      }),
    /** Puts a record below another one and in front of a sibling; the siblings are numbered anew where they must be. */
    move: (db: Db, actor: Actor, id: number, above: number | null, before: number | null) =>
      db.tx(async (db) => {
        const moved: Row = await update(db, actor, id, { [parent]: above })
        const same = within ? sql`and ${column(within, 't')} = ${moved[within]}` : sql``
        const siblings = await db.rows<{ Id: number }>(
          sql`select "Id" from ${table(r)} t where "EnterpriseId" = ${moved.EnterpriseId} and ${column(parent)} is not distinct from ${above} ${same} and "Id" <> ${id} order by "Sort", "Id"`,
        )
        const ids = siblings.map((s) => s.Id)
        const at = before === null ? -1 : ids.indexOf(before)
        ids.splice(at < 0 ? ids.length : at, 0, id)
        for (const [i, sibling] of ids.entries()) await rows.update(db, actor, sibling, { Sort: i + 1 })
        return rows.find(db, actor, id)
      }),
  }
}

/** The calls of a tree: lists that come whole and need a session only (pickers everywhere show them), the ordinary writes, a new name, a new place. */
export const treeRoutes = (app: FastifyInstance, tree: Tree) => {
  const { of: r, parent } = tree
  const rows = treeStore(tree)
  const { draft, change, row } = schemas(r)
  crud(app, r, { except: ['list', 'find', 'create', 'update'] })
  crud(app, { ...r, permission: 'session' }, { except: ['list', 'create', 'update', 'remove'] })

  const list = { path: `${r.path}/List`, permission: 'session', answer: page(row) }
  const read = (db: Db, actor: Actor, given: Values) => {
    const q = readListing(given)
    return rows.list(db, actor, { ...q, size: Math.max(q.size, Math.min(Number(given.PageSize) || 0, whole)) })
  }
  serve(app, call({ ...list, method: 'GET', query: AnyObject }), ({ db, actor, request }) => read(db, actor, request.query as Values))
  serve(app, call({ ...list, method: 'POST', reads: true, body: AnyObject }), ({ db, actor, request }) =>
    read(db, actor, request.body as Values),
  )

  const body = Type.Object({ ...draft.properties, EnterpriseId: Type.Optional(Id) })
  serve(app, call({ method: 'POST', path: r.path, permission: `${r.permission}.add`, body, answer: row }), ({ db, actor, body }) =>
    rows.create(db, actor, body),
  )
  serve(app, call({ method: 'PUT', path: r.path, permission: `${r.permission}.edit`, body: change, answer: row }), ({ db, actor, body }) =>
    rows.update(db, actor, body.Id as number, body),
  )
  const calls = treeCalls(r, parent)
  serve(app, calls.rename, ({ db, actor, body }) => {
    const given = body as Row
    return rows.update(db, actor, given.Id, { [r.title]: given[r.title] })
  })
  serve(app, calls.move, ({ db, actor, body }) => {
    const given = body as Row
    return rows.move(db, actor, given.Id, given[parent] as number | null, (given.Before as number | null | undefined) ?? null)
  })
}

/** The people whose field points to a record. */
export const usersOf = (app: FastifyInstance, r: Resource, field: string) =>
  serve(app, usersCall(r), async ({ db, actor, query }) => {
    const { Id, ...paging } = query
    await store(r).find(db, actor, Id)
    return store(user).list(db, actor, { ...readListing(paging), conditions: [{ Field: field, Value: Id, LogicOP: LogicOP.equals }] })
  })
