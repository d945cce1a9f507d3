import { setImmediate as otherTurns } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Imported } from '../../../../contract/exports.ts'
import type { Resource } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault, FieldFaults } from '../../../../server/http/faults.ts'
import { constraintFault } from '../../../../server/http/validation.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { changingRows } from '../../../../server/identity/dataScope.ts'
import { inSlices } from '../../../../server/jobs/slices.ts'
import { saveMany } from '../../../../server/resource/bulk.ts'
import { named, table, visible } from '../../../../server/resource/sql.ts'
import { readableFields, tenantOf } from '../../../../server/resource/store.ts'
import { checkPlace } from '../../../../server/resource/tree.ts'
import { inLevels } from './levels.ts'
import { held, plan, same, type Write } from './plan.ts'
import type { SheetRow } from './read.ts'
import { type Refuse, resolveRefs, type Wrong } from './references.ts'
import { companyOf, keyOf, type Reading, read, refuse, repeated, ruleText, type Values } from './sheetRows.ts'

export type { SheetRow, Wrong }
export { keyOf, refuse, ruleText }

type Options = Reading & {
  preview: boolean
  /** Points: addresses in the sheet start at one. */
  offsetOne: boolean
  /** Additional checks of an area. */
  check?: (rows: readonly SheetRow[], db: Db) => Promise<Wrong[]>
  /** Runs at the end of the writing transaction. */
  finish?: (db: Db, done: Imported) => Promise<void>
}
const [chunkRows, shownChanges] = [1000, 20]

/** Iterates over a long list in chunks, and yields the event loop in between. */
async function* chunks<T>(of: readonly T[]) {
  for (let i = 0; i < of.length; i += chunkRows) {
    yield of.slice(i, i + chunkRows)
    await otherTurns()
  }
}

/** Sheets in the 40001 style start at one. */
const shift = (rows: readonly SheetRow[]) => {
  for (const { values } of rows) {
    const [register, bit] = String(values.Address ?? '').split('.')
    if (register === '0') throw new Fault('sheetOffset')
    values.Address = `${Number(register) - 1}${bit === undefined ? '' : `.${bit}`}`
  }
}

/** The tenant of each row: that of its owner, the one in the call, or the caller's. */
const tenantsOf = async (db: Db, actor: Actor, r: Resource, rows: readonly SheetRow[], company: number | undefined) => {
  const owner = r.fields[r.owner]
  if (owner?.kind !== 'ref') {
    const enterprise = await tenantOf(db, actor, r, { EnterpriseId: company })
    return () => enterprise
  }
  const to = named(owner.to)
  const ids = [...new Set(rows.map(({ values }) => Number(values[r.owner])))]
  const owners = await db.rows<{ Id: number; EnterpriseId: number }>(
    sql`select "Id", "EnterpriseId" from ${table(to)} t where "Id" = any(${ids}::bigint[]) and ${visible(to, actor)}`,
  )
  const known = new Map(owners.map((o) => [o.Id, o.EnterpriseId]))
  return ({ values }: SheetRow) => {
    const found = known.get(Number(values[r.owner]))
    if (found === undefined) throw new FieldFaults([{ field: r.owner, rule: 'unknownReference' }])
    return found
  }
}

const save = (db: Db, actor: Actor, r: Resource, enterprise: number, writes: readonly Write[]) =>
  saveMany(db, actor, r, enterprise, {
    add: writes.filter((w) => !w.before).map((w) => w.values),
    change: writes.filter((w) => w.before).map((w) => w.values as Values & { Id: number }),
  })

/** Writes a tree one record at a time, because the position of a record may depend on its parents. */
const saveTree = async (db: Db, actor: Actor, r: Resource, enterprise: number, writes: readonly Write[], refuseHere: Refuse) => {
  for (const write of writes) {
    const { row, values, before } = write
    try {
      if (!before || !same(values[r.tree!], before[r.tree!])) await checkPlace(db, r, enterprise, values, values.Id)
      await save(db, actor, r, enterprise, [write])
    } catch (error) {
      const fault = error instanceof FieldFaults ? error : constraintFault(error as object)
      if (!(fault instanceof FieldFaults)) throw error
      refuseHere(fault.fields.map(({ field, rule, values }) => ({ row, field, rule, ...(values ? { values } : {}) })))
    }
  }
}

/** Rolls back a preview. */
class Undone extends Error {}

/** Runs the work; a preview is rolled back. */
export const undone = (db: Db, preview: boolean, work: (db: Db) => Promise<void>) =>
  db
    .tx(async (db) => {
      await work(db)
      if (preview) throw new Undone()
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error
    })

/** The rows of a sheet that an area writes itself, with resolved references. */
export const readResolved = async (db: Db, actor: Actor, r: Resource, file: Buffer, given: Reading & { most: number }) => {
  const company = await companyOf(db, actor, r, given)
  const { key, rows, wrong, letters } = await read(actor, r, file, given)
  if (rows.length > given.most) throw new Fault('sheetTooLong', { max: given.most })
  wrong.push(...(await resolveRefs(db, actor, r, rows, company)), ...repeated(r, rows, key))
  if (wrong.length) refuse(wrong, given.language, letters)
  return rows
}

/** Finds the row of a part that the database refuses: writes the rows one by one, and rolls back. */
const culprit = async (db: Db, actor: Actor, r: Resource, enterprise: number, before: readonly Write[], part: readonly Write[]) => {
  let at = part[0]!
  const error = await db
    .tx(async (db) => {
      for (let i = 0; i < before.length; i += chunkRows) await save(db, actor, r, enterprise, before.slice(i, i + chunkRows))
      for (at of part) await save(db, actor, r, enterprise, [at])
      throw new Undone()
    })
    .catch((error: unknown) => error)
  const fault = constraintFault(error as object)
  // An exceeded quota is not the fault of a row.
  if (!fault || fault.status === 403) throw error
  const [field] = fault instanceof FieldFaults ? fault.fields : []
  return [{ row: at.row, field: field?.field ?? r.title, rule: field?.rule ?? `fault.${fault.key}` }]
}

/**
 * Imports a sheet into a resource. Rows are matched by their unique fields: existing ones are updated and keep their Ids, new ones are
 * added, other records stay. All or nothing; a preview does the same and rolls back.
 *
 * @throws Fault `sheetRows` with row, field and reason of each wrong cell; `sheet…` if the file as a whole is wrong.
 */
export const importSheet = async (
  db: Db,
  actor: Actor,
  r: Resource,
  file: Buffer,
  { language, fixed, company: asked, preview, offsetOne, check, reader, finish }: Options,
): Promise<Imported> => {
  const company = await companyOf(db, actor, r, { fixed, company: asked })
  const { key, rows, wrong, letters } = await read(actor, r, file, { language, fixed, reader })
  const refuseHere = (found: readonly Wrong[]) => refuse(found, language, letters)
  const texts = new Map<number, Values>()
  for await (const part of chunks(rows)) for (const { row, values } of part) texts.set(row, { ...values })
  const ordered = r.tree ? inLevels(rows, r) : { levels: [rows], wrong: [] }
  if (r.tree) wrong.push(...ordered.wrong, ...repeated(r, rows, key))
  if (r.tree && wrong.length) refuseHere(wrong)
  const done: Imported = { Added: 0, Changed: 0, Unchanged: 0, Preview: [] }
  let failing: { enterprise: number; before: Write[]; part: Write[] } | undefined
  const count = (part: readonly SheetRow[], writes: readonly Write[]) => {
    const added = writes.filter((w) => !w.before).length
    done.Added += added
    done.Changed += writes.length - added
    done.Unchanged += part.length - writes.length
    for (const w of writes.slice(0, shownChanges - done.Preview.length))
      done.Preview.push({
        Row: w.row,
        Verb: w.before ? 'update' : 'create',
        Title: String(w.values[r.title] ?? ''),
        Fields: Object.keys(part[0]!.values)
          .filter((name) => !(name in fixed) && !same(w.values[name], w.before?.[name]))
          .map((Field) => ({ Field, Before: w.before?.[Field] ?? null, After: texts.get(w.row)![Field] ?? null })),
      })
  }
  const writeLevel = async (db: Db, rows: readonly SheetRow[]) => {
    const checks = [() => resolveRefs(db, actor, r, rows, company), () => repeated(r, rows, key), () => check?.(rows, db) ?? []]
    for (const find of checks) {
      for (const one of await find()) wrong.push(one)
      await otherTurns()
    }
    if (wrong.length) refuseHere(wrong)
    if (offsetOne) shift(rows)
    const enterpriseOf = await tenantsOf(db, actor, r, rows, company)
    for (const [enterprise, members] of Map.groupBy(rows, enterpriseOf)) {
      const before: Write[] = []
      for await (const part of chunks(members)) {
        const planned = plan(r, key, part, await held(db, actor, r, key, part, enterprise), enterprise)
        wrong.push(...planned.wrong)
        // After an error, the remaining rows are only checked.
        if (wrong.length) continue
        if (!r.tree) failing = { enterprise, before, part: planned.writes }
        if (r.tree) await saveTree(db, actor, r, enterprise, planned.writes, refuseHere)
        else await save(db, actor, r, enterprise, planned.writes)
        before.push(...planned.writes)
        count(part, planned.writes)
      }
      if (wrong.length) refuseHere(wrong)
    }
  }
  try {
    await changingRows(db, actor, r.name, async (db) => {
      for (const level of ordered.levels) await writeLevel(db, level)
      if (preview) throw new Undone()
      await finish?.(db, done)
    })
  } catch (error) {
    if (!(error instanceof Undone)) {
      if (!failing || !constraintFault(error as object)) throw error
      refuseHere(await culprit(db, actor, r, failing.enterprise, failing.before, failing.part))
    }
  }
  return done
}

type ForTask = Reading & Pick<Options, 'check'>
/**
 * The rows of a sheet for a later import task, as in the sheet. Reports wrong cells and references, and duplicate rows now, because
 * parts of a sheet cannot detect them.
 */
export const readForTask = async (db: Db, actor: Actor, r: Resource, file: Buffer, { check, ...given }: ForTask) => {
  const company = await companyOf(db, actor, r, given)
  const { key, rows, wrong, letters } = await read(actor, r, file, given)
  const copies = await inSlices(
    rows,
    () => 1,
    ({ row, values }) => ({ row, values: { ...values } }),
  )
  // One by one: a call accepts only some 100,000 arguments.
  for (const one of await resolveRefs(db, actor, r, copies, company)) wrong.push(one)
  for (const find of [() => repeated(r, copies, key), async () => (await check?.(copies, db)) ?? []]) {
    await otherTurns()
    for (const one of await find()) wrong.push(one)
  }
  if (wrong.length) refuse(wrong, given.language, letters)
  return { rows, EnterpriseId: company ?? actor.EnterpriseId }
}

type Stored = Pick<Options, 'language' | 'fixed' | 'company' | 'offsetOne' | 'check'> & Required<Pick<Options, 'finish'>>
/** Imports rows that were read earlier, with the current rights. @throws Fault `moreRights` if they contain a field that is now hidden */
export const importRows = async (db: Db, actor: Actor, r: Resource, rows: SheetRow[], given: Stored): Promise<Imported> => {
  const { fields } = readableFields(r, actor)
  if (rows.some(({ values }) => Object.keys(values).some((name) => !(name in fields)))) throw new Fault('moreRights')
  const reader = async () => ({ rows, wrong: [], letters: new Map<string, string>() })
  return importSheet(db, actor, r, Buffer.alloc(0), { ...given, preview: false, reader })
}
