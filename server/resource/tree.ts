import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Resource, Row } from '../../contract/resource.ts'
import { treeCalls } from '../../contract/trees.ts'
import type { Db } from '../database/db.ts'
import { FieldFaults } from '../http/faults.ts'
import { serve } from '../http/serve.ts'
import type { Actor } from '../identity/actor.ts'
import type { Work } from './crud.ts'
import type { Listing } from './list.ts'
import { column, table } from './sql.ts'
import { type Check, store } from './store.ts'

/** Levels of a tree, the top included. */
export const deepest = 8
/** Trees are read whole (ruling 9): more than the rows of a page elsewhere. */
const whole = 9999

type Values = Record<string, unknown>

/** A record and the one above it have the same owner, where the owner is another record. */
export const ownerField = (r: Resource) => (r.owner in r.fields ? r.owner : undefined)

const lockTree = (db: Db, r: Resource) => db.rows(sql`select pg_advisory_xact_lock(hashtextextended(${`tree ${r.name}`}, 0))`)

/**
 * Refuses a place below itself, too deep, or of another owner. Locks the tree until the transaction ends: two moves together could
 * close a circle that neither of them sees.
 */
export const checkPlace = async (db: Db, r: Resource, values: Values, id?: number) => {
  const [parent, within] = [r.tree!, ownerField(r)]
  const above = values[parent]
  await lockTree(db, r)
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

/** The store of a tree: every new place is checked. It locks the tree before any row, so that two moves cannot wait for each other. */
export const treeStore = (r: Resource, check: Check = async (_db, _actor, given) => given) => {
  const rows = store<Resource>(r, async (db, actor, given, before) => {
    if (!before || given[r.tree!] !== undefined)
      // The owner of a record that exists is the stored one, whatever the caller sends.
      await checkPlace(db, r, { ...given, ...(before && { [r.owner]: (before as Values)[r.owner] }) }, before?.Id)
    return check(db, actor, given, before)
  })
  const update = (db: Db, actor: Actor, id: number, change: Values) =>
    db.tx(async (db) => {
      if (change[r.tree!] !== undefined) await lockTree(db, r)
      return rows.update(db, actor, id, change)
    })
  return { ...rows, update }
}

/** A list of a tree is whole, where a page was asked for that is longer than pages elsewhere. */
export const pageOfTree = (q: Listing, { query, body }: FastifyRequest): Listing => {
  const { PageSize } = { ...(query as Values), ...(body as Values | null) }
  return { ...q, size: Math.max(q.size, Math.min(Number(PageSize) || 0, whole)) }
}

/** Puts a record below another one and in front of a sibling; numbers the siblings where they must be. */
const move = (rows: Work, r: Resource, db: Db, actor: Actor, id: number, above: number | null, before: number | null) =>
  db.tx(async (db) => {
    const [parent, within] = [r.tree!, ownerField(r)]
    const moved = (await rows.update(db, actor, id, { [parent]: above })) as Row<Resource> & Values
    const same = within ? sql`and ${column(within, 't')} = ${moved[within]}` : sql``
    const siblings = await db.rows<{ Id: number }>(
      sql`select "Id" from ${table(r)} t where "EnterpriseId" = ${moved.EnterpriseId} and ${column(parent)} is not distinct from ${above} ${same} and "Id" <> ${id} order by "Sort", "Id"`,
    )
    const ids = siblings.map((s) => s.Id)
    const at = before === null ? -1 : ids.indexOf(before)
    ids.splice(at < 0 ? ids.length : at, 0, id)
    for (const [i, sibling] of ids.entries()) await rows.update(db, actor, sibling, { Sort: i + 1 })
    return rows.find(db, actor, id)
  })

/** A new name, and a new place. */
export const serveTree = (app: FastifyInstance, r: Resource, rows: Work) => {
  const calls = treeCalls(r)
  serve(app, calls.rename, ({ db, actor, body }) => {
    const given = body as Row<Resource> & Values
    return rows.update(db, actor, given.Id, { [r.title]: given[r.title] }) as Promise<never>
  })
  serve(app, calls.move, ({ db, actor, body }) => {
    const given = body as Row<Resource> & Values
    return move(
      rows,
      r,
      db,
      actor,
      given.Id,
      given[r.tree!] as number | null,
      (given.Before as number | null | undefined) ?? null,
    ) as Promise<never>
  })
}
