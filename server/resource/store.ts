import { sql } from 'kysely'
import type { Page } from '../../contract/call.ts'
import { isStructured } from '../../contract/field.ts'
import { wrongMoves } from '../../contract/moves.ts'
import { joined, type Resource, type Row, writable } from '../../contract/resource.ts'
import type { Db, Rows } from '../database/db.ts'
import { readPage } from '../database/pageBytes.ts'
import { Fault, type FieldFault, FieldFaults, notFound } from '../http/faults.ts'
import { fitting } from '../http/validation.ts'
import type { Actor } from '../identity/actor.ts'
import { assertCompany } from '../identity/companyFirst.ts'
import { assertChangeNotBroader, changingRows } from '../identity/dataScope.ts'
import { platformEnterprise } from '../identity/setup.ts'
import { assertConcernsOnlySeen, assertOwnRows } from '../identity/sharedRows.ts'
import { checkFiles, dropFiles, linkFiles } from './attachments.ts'
import { assertUnnamed, usedBy } from './holders.ts'
import { keyset } from './keyset.ts'
import { countedTo, filters, type Listing, paged } from './list.ts'
import { columns, hiddenFields, kept, named, type Sql, table, tableName, visible } from './sql.ts'

type Values = Record<string, unknown>
const zoneOf = (actor: Actor) => actor.zone ?? actor.tenantZone
/** Without the fields that are hidden from the actor: they cannot be written, filtered or sorted by. */
export const readableFields = (r: Resource, actor: Actor): Resource => {
  const hidden = hiddenFields(r, actor)
  return hidden ? { ...r, fields: Object.fromEntries(Object.entries(r.fields).filter(([name]) => !hidden.has(name))) } : r
}
const quoted = (name: string) => sql.raw(`"${name}"`)

/** A json column takes its value as text; pg would make an array of a list. */
const bound = (r: Resource, name: string, value: unknown, zone: string): Sql => {
  const field = r.fields[name]
  // On the wire a moment is what the wall of the caller's zone shows (ruling 34a).
  if (field?.kind === 'instant' && !(value instanceof Date)) return sql`(${value}::timestamp at time zone ${zone}::text)`
  if (field && isStructured(field)) return sql`${value === null ? null : JSON.stringify(value)}::jsonb`
  return sql`${kept(field, value)}`
}

/** Refs must point to rows the actor sees, of the same tenant; each that does not is named. */
export const checkRefs = async (db: Db, actor: Actor, r: Resource, given: Values, enterprise: number) => {
  const refs = joined(r).filter(([, field]) => given[field] !== undefined && given[field] !== null)
  if (!refs.length) return
  const found = await db.all(
    refs.map(
      ([, field, to]) =>
        sql<{
          EnterpriseId: number
        }>`select "EnterpriseId" from ${table(named(to))} t where "Id" = ${given[field]} and ${visible(named(to), actor)}`,
    ),
  )
  const bad = refs
    .filter(([, , to], i) => {
      const owner = found[i]![0]?.EnterpriseId
      return owner !== enterprise && !(named(to).shared && owner === platformEnterprise)
    })
    .map(([, field]): FieldFault => ({ field, rule: 'unknownReference' }))
  if (bad.length) throw new FieldFaults(bad)
}

/** A new row belongs to its owner's tenant; at the top, to the actor's, or the one a platform administrator names. */
export const tenantOf = async (db: Db, actor: Actor, r: Resource, draft: Values): Promise<number> => {
  const owner = r.fields[r.owner]
  if (owner?.kind !== 'ref') {
    const enterprise = actor.platform && draft.EnterpriseId ? Number(draft.EnterpriseId) : actor.EnterpriseId
    await assertCompany(db, actor, r, enterprise)
    return enterprise
  }
  const to = named(owner.to)
  const [row] = await db.rows<{ EnterpriseId: number }>(
    sql`select "EnterpriseId" from ${table(to)} t where "Id" = ${draft[r.owner]} and ${visible(to, actor)}`,
  )
  if (!row) throw new FieldFaults([{ field: r.owner, rule: 'unknownReference' }])
  return row.EnterpriseId
}

/** What a violated foreign key means depends on the verb: a draft names a record that is not there. */
const referenceFault = (r: Resource, error: unknown) => {
  const { code, constraint = '' } = error as { code?: string; constraint?: string }
  const field = code === '23503' ? constraint.slice(tableName(r).length + 1).replace(/_fkey$/, '') : ''
  return field in r.fields ? new FieldFaults([{ field, rule: 'unknownReference' }]) : error
}

/** Refuses a state that may not follow the one a record has; `before` is missing for a new record. */
const checkMoves = (r: Resource, values: Values, before?: Values) => {
  const title = String((before ?? values)[r.title])
  const faults = wrongMoves(r, values, before).map((field): FieldFault => ({ field, rule: 'fault.wrongState', values: { title } }))
  if (faults.length) throw new FieldFaults(faults, 'wrongState', { title })
}

/** Refuses one record more of those that questions read as a whole. */
const assertRoom = async (db: Db, { most, ...r }: Resource, enterprise: number, given: Values) => {
  const value = most && given[most.of]
  if (!most || value === undefined || value === null) return
  const [row] = await db.rows<{ n: number }>(
    sql`select count(*)::int as n from ${table(r)} t where "EnterpriseId" = ${enterprise} and ${quoted(most.of)} = ${value}`,
  )
  if (row!.n >= most.records) throw new FieldFaults([{ field: most.of, rule: 'tooManyRecords', values: { max: most.records } }])
}

/** Writes of many rows of a resource take turns within a tenant: locks of thousands of rows would hold up everybody. */
export const writesOf = (r: Named, actor: Actor) => `${r.name} of ${actor.EnterpriseId}`

type Named = Pick<Resource, 'name'>
type Entry = { Id: number; EnterpriseId: number; Before?: unknown; After?: unknown }
/** Change entries of many rows in one statement; they commit with the rows, and the messages leave after the commit. */
export const recordAll = async (db: Db, actor: Actor, r: Named, verb: 'create' | 'update' | 'remove', entries: readonly Entry[]) => {
  if (actor.past) return
  await db.deferred(sql`
    insert into change ("EnterpriseId", "UserId", "Resource", "RecordId", "Verb", "Before", "After", "RequestId", "Ip")
    select e."EnterpriseId", ${actor.UserId || null}, ${r.name}, e."Id", ${verb}, e."Before", e."After", ${actor.origin?.requestId}, ${actor.origin?.ip}
    from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as e ("Id" bigint, "EnterpriseId" bigint, "Before" jsonb, "After" jsonb)`)
  for (const { Id, EnterpriseId, Before, After } of entries) {
    const { ProjectId = null } = (After ?? Before) as { ProjectId?: number | null }
    db.emit({ resource: r.name, id: Id, verb, EnterpriseId, ProjectId: r.name === 'project' ? Id : ProjectId })
  }
}

export const record = (
  db: Db,
  actor: Actor,
  r: Named,
  verb: 'create' | 'update' | 'remove',
  Id: number,
  EnterpriseId: number,
  before: unknown,
  after: unknown,
) => recordAll(db, actor, r, verb, [{ Id, EnterpriseId, Before: before ?? undefined, After: after ?? undefined }])

/**
 * Checks the values of a resource beyond their fields, in the transaction that writes them; `held` is the row
 * that is changed. Answers what is written, also into fields that only the server sets, or throws FieldFaults.
 */
export type Check<R extends Resource = Resource> = (db: Db, actor: Actor, given: Values, held?: Row<R>) => Promise<Values>

/** Refuses with `inUse` to remove locked rows with uses that are not references. */
export type AssertUnused = (db: Db, actor: Actor, rows: readonly Entry[]) => Promise<void>

/** Of the fields that are set, those people may write, and those the check has set in their place. */
const written = (r: Resource, actor: Actor, when: 'create' | 'update', given: Values, values: Values): string[] =>
  [
    ...writable(readableFields(r, actor), when).map(([k]) => k),
    ...Object.keys(r.fields).filter((k) => r.fields[k]!.set === 'never' && values[k] !== given[k]),
  ].filter((k) => values[k] !== undefined)

/** What a listing asks the database for, and the page that its answer is. */
const question = <R extends Resource>(r: R, actor: Actor, q: Listing) => {
  const where = sql`${visible(r, actor)} and ${filters(readableFields(r, actor), q, actor)}`
  const counted = q.exact ? sql`` : sql`limit ${q.passing ? 0 : countedTo + 1}`
  const keys = keyset(readableFields(r, actor), q, actor)
  // By Id, and not the whole row: of some tables a person may not read every column.
  const skipped = keys.keyed ? 0 : (q.index - 1) * q.size
  const rows = sql`select "Id" as "Row" from ${table(r)} t where ${where} and ${keys.where} order by ${keys.order} limit ${q.size} offset ${skipped}`
  return {
    rows,
    queries: [
      // The page first, then its columns: those of the rows before it are not worked out.
      sql<
        Rows[number]
      >`select ${columns(r, actor)}${keys.columns} from (${rows}) p join ${table(r)} t on t."Id" = p."Row" order by ${keys.order}`,
      sql<Rows[number]>`select count(*)::int as n from (select 1 from ${table(r)} t where ${where} ${counted}) c`,
    ],
    page: ([found, count]: Rows[]): Page<Row<R>> => {
      const Items = keys.inOrder(found as Row<R>[])
      const cut = { more: Items.length === q.size, first: q.index === 1 && !keys.keyed }
      return { ...paged(q, Items, Number(count![0]!.n), keys.keyed), ...keys.cursors(Items, cut) }
    },
  }
}

/** All or none (ruling 12). Locks rows only when all are there, and for a few statements: others wait for them. */
const removeFrom = <R extends Resource>(r: R, db: Db, actor: Actor, given: readonly number[], assertUnused?: AssertUnused) => {
  const ids = [...new Set(given)]
  const some = (lock = sql``) =>
    sql<
      Row<R>
    >`select ${columns(r, actor)} from ${table(r)} t where "Id" = any(${ids}::bigint[]) and ${visible(r, actor)} order by "Id" ${lock}`
  const all = async (db: Db, query: ReturnType<typeof some>) => {
    const rows = await db.rows(query)
    if (rows.length < ids.length) throw notFound()
    return rows
  }
  const work = async (db: Db) => {
    await assertOwnRows(db, actor, r, ids)
    await assertConcernsOnlySeen(db, actor, r, ids)
    await all(db, some())
    const before = await all(db, some(sql`for update of t`))
    await assertUnnamed(db, actor, r, before)
    await assertUnused?.(db, actor, before)
    await db.rows(sql`delete from ${table(r)} where "Id" = any(${ids}::bigint[])`)
    await dropFiles(db, r, ids)
    const entries = before.map((row) => ({ Id: row.Id, EnterpriseId: row.EnterpriseId, Before: row }))
    await recordAll(db, actor, r, 'remove', entries)
    return ids.length
  }
  return changingRows(db, actor, r.name, work, writesOf(r, actor)).catch(async (error) => {
    throw (error as { code?: string }).code === '23503' ? new Fault('inUse', {}, await usedBy(db, actor, r, ids)) : error
  })
}

/**
 * The store of a resource, for the kernel's routes and for services that need rows. Every function takes the handle first,
 * sees only what the actor sees, and throws Fault: notFound for rows that do not exist for him, FieldFaults for what a field refuses.
 */
export const store = <R extends Resource>(r: R, check: Check<R> = async (_db, _actor, given) => given, assertUnused?: AssertUnused) => {
  const one = (actor: Actor, id: number, lock = sql``) =>
    sql<Row<R>>`select ${columns(r, actor)} from ${table(r)} t where "Id" = ${id} and ${visible(r, actor)} ${lock}`

  const find = async (db: Db, actor: Actor, id: number): Promise<Row<R>> => {
    const [row] = await db.rows(one(actor, id))
    if (!row) throw notFound()
    return row
  }

  const create = (db: Db, actor: Actor, given: Values): Promise<Row<R>> =>
    db.tx(async (db) => {
      const draft = await check(db, actor, fitting(r, 'create', given))
      const enterprise = await tenantOf(db, actor, r, draft)
      await checkRefs(db, actor, r, draft, enterprise)
      await checkFiles(db, actor, r, draft, enterprise)
      const names = written(r, actor, 'create', given, draft)
      checkMoves(r, draft)
      await assertRoom(db, r, enterprise, draft)
      const [made] = await db
        .rows<{ Id: number }>(
          sql`insert into ${table(r)} ("EnterpriseId", ${sql.join(names.map(quoted))}) values (${enterprise}, ${sql.join(names.map((k) => bound(r, k, draft[k], zoneOf(actor))))}) returning "Id"`,
        )
        .catch((error) => Promise.reject(referenceFault(r, error)))
      await linkFiles(db, r, made!.Id, draft)
      const row = await find(db, actor, made!.Id)
      await assertConcernsOnlySeen(db, actor, r, [made!.Id])
      await record(db, actor, r, 'create', made!.Id, enterprise, null, row)
      return row
    })

  const update = (db: Db, actor: Actor, id: number, given: Values): Promise<Row<R>> => {
    const work = async (db: Db) => {
      await assertOwnRows(db, actor, r, [id])
      const [before] = await db.rows(one(actor, id, sql`for no key update of t`))
      if (!before) throw notFound()
      if ((given.UpdateStamp ?? before.UpdateStamp) !== before.UpdateStamp) throw new Fault('changedMeanwhile', {}, { Current: before })
      const change = await check(db, actor, fitting(r, 'update', given, before), before)
      const names = written(r, actor, 'update', given, change).filter((k) => change[k] !== (before as Values)[k])
      if (names.every((k) => r.fields[k]!.set === 'never')) return before
      const changed = Object.fromEntries(names.map((k) => [k, change[k]]))
      checkMoves(r, changed, before)
      await assertRoom(db, r, before.EnterpriseId, changed)
      await checkRefs(db, actor, r, changed, before.EnterpriseId)
      await assertConcernsOnlySeen(db, actor, r, [id])
      await checkFiles(db, actor, r, change, before.EnterpriseId, before)
      await linkFiles(db, r, id, change, before)
      const set = sql.join(names.map((k) => sql`${quoted(k)} = ${bound(r, k, change[k], zoneOf(actor))}`))
      const write = () => db.all([sql`update ${table(r)} set ${set}, "UpdateTime" = now() where "Id" = ${id}`, one(actor, id)])
      const [, [after]] = await assertChangeNotBroader(db, actor, r.name, [id], write, r.tree ? [change[r.tree]] : []).catch((error) =>
        Promise.reject(referenceFault(r, error)),
      )
      if (!after) throw notFound()
      await assertConcernsOnlySeen(db, actor, r, [id])
      await record(db, actor, r, 'update', id, before.EnterpriseId, before, after)
      return after
    }
    return changingRows(db, actor, r.name, work, `${r.name} ${id}`)
  }

  return {
    find,
    create,
    update,
    remove: (db: Db, actor: Actor, ids: readonly number[]) => removeFrom(r, db, actor, ids, assertUnused),
    async list(db: Db, actor: Actor, q: Listing): Promise<Page<Row<R>>> {
      const { rows, queries, page } = question(r, actor, q)
      const read = () => db.all(queries)
      return page(await (q.passing ? read() : readPage(db, { r, rows, size: q.size, key: actor.EnterpriseId }, read)))
    },
  }
}
