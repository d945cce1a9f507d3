import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Resource, Row } from '../../contract/resource.ts'
import { treeCalls } from '../../contract/trees.ts'
import type { Db } from '../database/db.ts'
import { keyedQueue } from '../database/keyedQueue.ts'
import { FieldFaults, notFound } from '../http/faults.ts'
import { serve } from '../http/serve.ts'
import type { Actor } from '../identity/actor.ts'
import { changingRows } from '../identity/dataScope.ts'
import { assertConcernsOnlySeen } from '../identity/sharedRows.ts'
import type { Work } from './crud.ts'
import type { Listing } from './list.ts'
import { column, table, visible } from './sql.ts'
import { type Check, checkRefs, recordAll, store, tenantOf } from './store.ts'

/** Levels of a tree, the top included. */
export const deepest = 8
/** Trees are read whole (ruling 9): more than the rows of a page elsewhere. */
const whole = 9999

type Values = Record<string, unknown>

/** A record and the one above it have the same owner, where the owner is another record. */
export const ownerField = (r: Resource) => (r.owner in r.fields ? r.owner : undefined)

/** Changes of a tenant's tree wait for each other before they take a connection. */
const queued = keyedQueue()
const inTurn = <T>(r: Resource, actor: Actor, work: () => Promise<T>) => queued(`tree ${r.name} ${actor.EnterpriseId}`, work)
const lockTree = (db: Db, r: Resource, enterprise: number) =>
  db.rows(sql`select pg_advisory_xact_lock(hashtextextended(${`tree ${r.name} ${enterprise}`}, 0))`)

/**
 * Refuses a place below itself, too deep, or of another owner. Locks the tree until the transaction ends: two moves together could
 * close a circle that neither of them sees.
 */
export const checkPlace = async (db: Db, r: Resource, enterprise: number, values: Values, id?: number) => {
  const [parent, within] = [r.tree!, ownerField(r)]
  const above = values[parent]
  await lockTree(db, r, enterprise)
  if (above === null || above === undefined) return
  const refuse = (rule: string, values = {}) => new FieldFaults([{ field: parent, rule, values }])
  const part = within ? column(within, 'n') : sql`null::bigint`
  const [[way], [below]] = await db.all([
    sql<{ Depth: number | null; Circle: boolean | null; Elsewhere: boolean | null }>`
      with recursive way as (
        select n."Id", ${column(parent, 'n')} as up, ${part} as part, 1 as depth from ${table(r)} n where n."Id" = ${above}
        union all select n."Id", ${column(parent, 'n')}, ${part}, depth + 1 from ${table(r)} n join way on n."Id" = way.up where depth < 100)
      select max(depth) as "Depth", bool_or("Id" = ${id ?? 0}) as "Circle", bool_or(part <> ${(within && values[within]) ?? null}::bigint) as "Elsewhere" from way`,
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

/** Numbers a record and its siblings in their new order, in one statement; those that change have an entry in the log. */
const number = async (db: Db, actor: Actor, r: Resource, moved: Row<Resource> & Values, above: number | null, before: number | null) => {
  const within = ownerField(r)
  const same = within ? sql`and ${column(within, 't')} = ${moved[within]}` : sql``
  const siblings = await db.rows<{ Id: number; Seen: boolean }>(
    sql`select "Id", ${visible(r, actor)} as "Seen" from ${table(r)} t where "EnterpriseId" = ${moved.EnterpriseId} and ${column(r.tree!)} is not distinct from ${above} ${same} and "Id" <> ${moved.Id} order by "Sort", "Id"`,
  )
  if (siblings.some((sibling) => !sibling.Seen)) throw notFound()
  const ids = siblings.map((s) => s.Id)
  const at = before === null ? -1 : ids.indexOf(before)
  ids.splice(at < 0 ? ids.length : at, 0, moved.Id)
  await assertConcernsOnlySeen(db, actor, r, ids)
  const changed = await db.rows<{ Id: number; EnterpriseId: number; Was: number; Sort: number }>(sql`
    with n as (select * from unnest(${ids}::bigint[]) with ordinality as x (id, sort)),
      old as (select t."Id", t."Sort" from ${table(r)} t join n on n.id = t."Id" where t."Sort" <> n.sort order by t."Id" for update of t)
    update ${table(r)} t set "Sort" = n.sort, "UpdateTime" = now() from n join old on old."Id" = n.id where t."Id" = n.id
    returning t."Id", t."EnterpriseId", old."Sort" as "Was", t."Sort"`)
  const entries = changed.map(({ Was, Sort, ...row }) => ({ ...row, Before: { Sort: Was }, After: { Sort } }))
  if (entries.length) await recordAll(db, actor, r, 'update', entries)
}

/** The store of a tree: every new place is checked. It locks the tree before any row, so that two moves cannot wait for each other. */
export const treeStore = (r: Resource, check: Check = async (_db, _actor, given) => given) => {
  const rows = store<Resource>(r, async (db, actor, given, before) => {
    if (!before || given[r.tree!] !== undefined) {
      const enterprise = before?.EnterpriseId ?? (await tenantOf(db, actor, r, given))
      // A parent that the actor cannot see is reported as missing, before any other check.
      await checkRefs(db, actor, { ...r, fields: { [r.tree!]: r.fields[r.tree!]! } }, given, enterprise)
      // The owner of an existing record is the stored one, regardless of what the caller sends.
      await checkPlace(db, r, enterprise, { ...given, ...(before && { [r.owner]: (before as Values)[r.owner] }) }, before?.Id)
    }
    return check(db, actor, given, before)
  })
  const place = (db: Db, actor: Actor, id: number, change: Values) =>
    changingRows(db, actor, r.name, async (db) => {
      await lockTree(db, r, (await rows.find(db, actor, id)).EnterpriseId)
      return rows.update(db, actor, id, change)
    })
  return {
    ...rows,
    create: (db: Db, actor: Actor, draft: Values) => inTurn(r, actor, () => rows.create(db, actor, draft)),
    update: (db: Db, actor: Actor, id: number, change: Values) =>
      change[r.tree!] === undefined ? rows.update(db, actor, id, change) : inTurn(r, actor, () => place(db, actor, id, change)),
    /** Puts a record below another one and in front of a sibling; numbers the siblings where they must be. */
    move: (db: Db, actor: Actor, id: number, above: number | null, before: number | null) =>
      inTurn(r, actor, () =>
        changingRows(db, actor, r.name, async (db) => {
          await number(db, actor, r, await place(db, actor, id, { [r.tree!]: above }), above, before)
          return rows.find(db, actor, id)
        }),
      ),
  }
}

/** A list of a tree is whole, where a page was asked for that is longer than pages elsewhere. */
export const pageOfTree = (q: Listing, { query, body }: FastifyRequest): Listing => {
  const { PageSize } = { ...(query as Values), ...(body as Values | null) }
  return { ...q, size: Math.max(q.size, Math.min(Number(PageSize) || 0, whole)) }
}

export type Moves = { move(db: Db, actor: Actor, id: number, above: number | null, before: number | null): Promise<unknown> }
/** A new name, and a new place. */
export const serveTree = (app: FastifyInstance, r: Resource, rows: Pick<Work, 'update'>, { move }: Moves) => {
  const calls = treeCalls(r)
  serve(app, calls.rename, ({ db, actor, body }) => {
    const given = body as Row<Resource> & Values
    return rows.update(db, actor, given.Id, { [r.title]: given[r.title] }) as Promise<never>
  })
  serve(app, calls.move, ({ db, actor, body }) => {
    const given = body as Row<Resource> & Values
    const before = (given.Before as number | null | undefined) ?? null
    return move(db, actor, given.Id, given[r.tree!] as number | null, before) as Promise<never>
  })
}
