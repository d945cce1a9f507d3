// Saves changed and added rows of a spreadsheet within one owner.
import { sql } from 'kysely'
import { type Resource, writable } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault, FieldFaults, notFound } from '../../../../server/http/faults.ts'
import { assertHolds } from '../../../../server/http/serve.ts'
import { fitting } from '../../../../server/http/validation.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { changingRows } from '../../../../server/identity/dataScope.ts'
import { addMany } from '../../../../server/resource/batch.ts'
import { clearTitles, saveMany } from '../../../../server/resource/bulk.ts'
import { columns, named, table, visible } from '../../../../server/resource/sql.ts'
import { type Check, checkRefs, readableFields, store } from '../../../../server/resource/store.ts'

type Values = Record<string, unknown>
type Row = Values & { Id: number }
type Cells = Values & { Id?: number; UpdateStamp?: number }
type Sheet = { r: Resource; owner: number; rows: readonly Cells[]; check: Check }

const ownerOf = ({ fields, owner }: Resource) => {
  const to = fields[owner]
  if (to?.kind !== 'ref') throw new Error(`${owner} is no record.`)
  return named(to.to)
}

/** Fields that are unique within an owner. */
const uniqueFields = (r: Resource) => Object.keys(r.fields).filter((name) => r.fields[name]!.unique === r.owner)

/** Rows of the owner that share a unique value with a given row, or that change. */
const existingRows = (db: Db, { r, owner, rows }: Sheet): Promise<Row[]> => {
  const names = uniqueFields(r)
  const isGiven = names.map((name) => {
    const given = rows.flatMap((row) => (row[name] == null ? [] : String(row[name])))
    return sql`${sql.ref(name)} = any(${given}::text[])`
  })
  const ids = rows.flatMap(({ Id }) => Id ?? [])
  return db.rows<Row>(sql`
    select "Id", ${sql.join(names.map((name) => sql.ref(name)))} from ${table(r)}
    where ${sql.ref(r.owner)} = ${owner} and (${sql.join([...isGiven, sql`"Id" = any(${ids}::bigint[])`], sql` or `)})`)
}

/** Refuses duplicate values within the owner after the change. `existing`: rows with one of the values, or changed rows. */
const checkUnique = (name: string, existing: readonly Row[], rows: readonly Cells[]) => {
  const values = new Map(existing.map((row) => [row.Id, row[name]]))
  for (const row of rows) if (row.Id && row[name] !== undefined) values.set(row.Id, row[name])
  const owners = Map.groupBy([...values], ([, value]) => value)
  for (const [i, row] of rows.entries()) {
    const value = row[name]
    if (value === undefined || value === null) continue
    const others = (owners.get(value) ?? []).filter(([id]) => id !== row.Id).length
    const added = rows.findIndex((other) => !other.Id && other[name] === value)
    if (others || (added >= 0 && added < i)) throw new FieldFaults([{ field: name, rule: 'taken' }]).below(`Rows.${i}`)
  }
}

/** Merges edited cells into complete rows. */
const changedRows = async (db: Db, actor: Actor, { r, rows, check }: Sheet, before: ReadonlyMap<number, Row>, enterprise: number) => {
  const names = writable(readableFields(r, actor), 'update').map(([name]) => name)
  const change: Row[] = []
  for (const [i, { Id, UpdateStamp, ...given }] of rows.entries()) {
    if (!Id) continue
    const row = before.get(Id)
    if (!row) throw notFound()
    if (UpdateStamp !== undefined && UpdateStamp !== row.UpdateStamp) throw new Fault('changedMeanwhile', {}, { Current: row })
    const values = Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)))
    try {
      fitting(r, 'update', values, row)
      await check(db, actor, values)
      await checkRefs(db, actor, r, values, enterprise)
    } catch (error) {
      throw error instanceof FieldFaults ? error.below(`Rows.${i}`) : error
    }
    change.push({ ...Object.fromEntries(writable(r, 'update').map(([name]) => [name, row[name] ?? null])), ...values, Id })
  }
  return change
}

const addRows = async (db: Db, actor: Actor, { r, owner, rows, check }: Sheet) => {
  const places = rows.flatMap((row, i) => (row.Id ? [] : [i]))
  if (!places.length) return 0
  const added = places.map((i) => ({ ...rows[i], [r.owner]: owner }))
  await addMany(db, actor, r, added, check).catch((error: unknown) => {
    if (!(error instanceof FieldFaults)) throw error
    throw new FieldFaults(
      error.fields.map((f) => ({ ...f, field: f.field.replace(/^Items\.(\d+)/, (_, i) => `Rows.${places[Number(i)]}`) })),
      error.key,
      error.values,
    )
  })
  return added.length
}

const noCheck: Check = async (_db, _actor, given) => given
/** Saves edited cells and new rows of an owner, all or none. A refusal names the place, as in `Rows.3.Address`. */
export const saveCells = async (db: Db, actor: Actor, r: Resource, owner: number, rows: readonly Cells[], check = noCheck) => {
  if (rows.some(({ Id }) => Id === undefined)) assertHolds(actor, [`${r.permission}.add`])
  const { EnterpriseId } = await store(ownerOf(r)).find(db, actor, owner)
  const sheet = { r, owner, rows, check }
  return changingRows(db, actor, r.name, async (db) => {
    const ids = rows.flatMap(({ Id }) => Id ?? [])
    const before = await db.rows<Row>(sql`
      select ${columns(readableFields(r, actor), actor)} from ${table(r)} t
      where ${sql.ref(r.owner)} = ${owner} and "Id" = any(${ids}::bigint[]) and ${visible(r, actor)} order by "Id" for no key update of t`)
    const existing = await existingRows(db, sheet)
    const held = new Map(before.map((row) => [row.Id, row]))
    const change = await changedRows(db, actor, sheet, held, EnterpriseId)
    for (const name of uniqueFields(r)) checkUnique(name, existing, rows)
    const renamed = change.filter((row) => held.get(row.Id)![r.title] !== row[r.title])
    const titles = new Set(existing.map((row) => row[r.title]))
    const isSwap = renamed.some((row) => titles.has(row[r.title]))
    if (isSwap)
      await clearTitles(
        db,
        r,
        renamed.map(({ Id }) => Id),
      )
    await saveMany(db, actor, r, EnterpriseId, { add: [], change })
    return { Changed: change.length, Added: await addRows(db, actor, sheet) }
  })
}
