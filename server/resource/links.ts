import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { type Links, linkCalls, linkField, linkTable } from '../../contract/links.ts'
import type { Db } from '../database/db.ts'
import { Fault, FieldFaults, type Holder, inUseBy, notFound } from '../http/faults.ts'
import { serve } from '../http/serve.ts'
import type { Actor } from '../identity/actor.ts'
import { assertConcernsOnlySeen } from '../identity/sharedRows.ts'
import { lists } from './crud.ts'
import { table, visible } from './sql.ts'
import { record, store } from './store.ts'

type Values = Record<string, unknown>

/** Reading links needs read permission for the linked resource. */
const assertReads = ({ to }: Links, actor: Actor) => {
  const permission = to.readBy ?? to.permission
  if (permission !== 'session' && !actor.may.has(permission)) throw new Fault('forbidden', { permission })
}

/** Refuses to link what belongs to another record already, which is named. */
const assertFree = async (db: Db, actor: Actor, l: Links, id: number, ids: readonly number[]) => {
  const [pairs, from, to] = [sql.table(linkTable(l)), sql.ref(`l.${linkField(l.from)}`), sql.ref(`l.${linkField(l.to)}`)]
  const held = await db.rows<Holder>(sql`
    select distinct t."Id", t.${sql.ref(l.from.title)} as "Title", (${visible(l.from, actor)}) as "Seen" from ${pairs} l join ${table(l.from)} t on t."Id" = ${from}
    where ${to} = any(${ids}::bigint[]) and t."Id" <> ${id} order by t."Id" limit 10`)
  if (held.length) throw inUseBy(l.from.name, held)
}

/** Adds or takes links. Both ends are in the actor's sight and of one tenant; links out of his sight stay. */
const change = (db: Db, actor: Actor, l: Links, id: number, given: readonly number[], verb: 'add' | 'remove') =>
  db.tx(async (db) => {
    const [field, others] = [linkField(l.from), linkField(l.to)]
    const [row] = await db.rows<{ EnterpriseId: number }>(
      sql`select "EnterpriseId" from ${table(l.from)} t where "Id" = ${id} and ${visible(l.from, actor)} for update of t`,
    )
    if (!row) throw notFound()
    await assertConcernsOnlySeen(db, actor, l.from, [id])
    const ids = [...new Set(given)]
    const seen = await db.rows(
      sql`select 1 from ${table(l.to)} t where "Id" = any(${ids}::bigint[]) and "EnterpriseId" = ${row.EnterpriseId} and ${visible(l.to, actor)}`,
    )
    if (seen.length < ids.length) throw new FieldFaults([{ field: `${others}s`, rule: 'unknownReference' }])
    const [pairs, from, to] = [sql.table(linkTable(l)), sql.ref(field), sql.ref(others)]
    if (l.one && verb === 'add') await assertFree(db, actor, l, id, ids)
    const changed = await db.rows<{ Id: number }>(
      verb === 'add'
        ? sql`insert into ${pairs} ("EnterpriseId", ${from}, ${to}) select ${row.EnterpriseId}, ${id}, unnest(${ids}::bigint[]) on conflict do nothing returning ${to} as "Id"`
        : sql`delete from ${pairs} where ${from} = ${id} and ${to} = any(${ids}::bigint[]) returning ${to} as "Id"`,
    )
    const entry = { [`${others}s`]: changed.map(({ Id }) => Id) }
    if (changed.length)
      await record(db, actor, l.from, 'update', id, row.EnterpriseId, verb === 'add' ? {} : entry, verb === 'add' ? entry : {})
    return { Changed: changed.length }
  }, `${l.from.name} ${id}`)

/** Serves the calls of a table of links. */
export const serveLinks = (app: FastifyInstance, l: Links) => {
  const calls = linkCalls(l)
  const field = linkField(l.from)
  lists(app, calls.list, async (db, actor, q) => {
    assertReads(l, actor)
    const given = q.conditions.find((c) => 'Field' in c && c.Field === field)
    const id = Number(given && 'Value' in given ? given.Value : undefined)
    if (!Number.isSafeInteger(id)) throw new FieldFaults([{ field, rule: 'required' }])
    await store(l.from).find(db, actor, id)
    const linked = sql`exists (select 1 from ${sql.table(linkTable(l))} l where l.${sql.ref(linkField(l.to))} = t."Id" and l.${sql.ref(field)} = ${id})`
    return store(l.to).list(db, actor, { ...q, conditions: [...q.conditions.filter((c) => c !== given), linked] })
  })
  for (const verb of ['add', 'remove'] as const)
    serve(app, calls[verb], ({ db, actor, body }) => {
      assertReads(l, actor)
      const given = body as Values
      return change(db, actor, l, given[field] as number, given[`${linkField(l.to)}s`] as number[], verb)
    })
}
