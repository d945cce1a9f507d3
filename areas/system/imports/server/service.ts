import { setImmediate as otherTurns } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Details } from '../../../../contract/call.ts'
import type { Imported } from '../../../../contract/exports.ts'
import type { Language } from '../../../../contract/languages.ts'
import type { Resource } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault, FieldFaults, notFound } from '../../../../server/http/faults.ts'
import { constraintFault } from '../../../../server/http/validation.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { changingRows } from '../../../../server/identity/dataScope.ts'
import { saveMany } from '../../../../server/resource/bulk.ts'
import { named, table, visible } from '../../../../server/resource/sql.ts'
import { readableFields, store, tenantOf } from '../../../../server/resource/store.ts'
import { checkPlace } from '../../../../server/resource/tree.ts'
import { inLevels } from './levels.ts'
import { held, plan, same, type Write } from './plan.ts'
import { readRows, type SheetRow } from './read.ts'
import { type Refuse, resolveRefs, type Wrong } from './references.ts'

export type { Wrong }

type Values = Record<string, unknown>
type Options = {
  language: Language
  /** The owner of all rows, where the place gives it. */
  fixed: Values
  /** The tenant that the platform imports into. */
  company?: number | undefined
  preview: boolean
  /** Points: addresses in the sheet count from one. */
  offsetOne: boolean
  /** What an area minds beside its fields. */
  check?: (rows: readonly SheetRow[]) => Wrong[]
  /** Reads a file of another layout. */
  reader?: typeof readRows | undefined
}
const [chunkRows, shownErrors, shownChanges] = [1000, 500, 20]

/** A long list in pieces, with turns for other work in between. */
async function* chunks<T>(of: readonly T[]) {
  for (let i = 0; i < of.length; i += chunkRows) {
    yield of.slice(i, i + chunkRows)
    await otherTurns()
  }
}

/** Identifies a record: its unique field, and the record that it is unique in. */
export const keyOf = (r: Resource): string[] => {
  const name = r.fields[r.title]?.unique ? r.title : Object.keys(r.fields).find((k) => r.fields[k]!.unique)
  if (!name) throw new Error(`${r.name} has no field that tells its records apart.`)
  const unique = r.fields[name]!.unique
  return typeof unique === 'string' && unique !== 'everywhere' ? [unique, name] : [name]
}

/** A rule with a dot is a key of the words. */
export const ruleText = (language: Language, rule: string, values?: Wrong['values']) =>
  word(language, rule.includes('.') ? rule : `fault.field.${rule}`, values)

/** Ends an import with all that is wrong, by row and column. */
export const refuse = (wrong: readonly Wrong[], language: Language, letters?: ReadonlyMap<string, string>): never => {
  const Rows: Required<Details>['Rows'] = wrong
    .toSorted((a, b) => a.row - b.row)
    .slice(0, shownErrors)
    .map(({ row, field, rule, values, text }) => ({
      Row: row,
      Field: field,
      ...(letters?.has(field) ? { Cell: `${letters.get(field)}${row}` } : {}),
      ...(text ? { Value: text } : {}),
      Message: ruleText(language, rule, values),
    }))
  throw new Fault('sheetRows', { count: wrong.length }, { Rows })
}

/** Sheets in the 40001 style count from one. */
const shift = (rows: readonly SheetRow[]) => {
  for (const { values } of rows) {
    const [register, bit] = String(values.Address ?? '').split('.')
    if (register === '0') throw new Fault('sheetOffset')
    values.Address = `${Number(register) - 1}${bit === undefined ? '' : `.${bit}`}`
  }
}

/** Two rows may not be the same record. */
const repeated = (rows: readonly SheetRow[], key: readonly string[]): Wrong[] => {
  const seen = new Map<string, number>()
  return rows.flatMap(({ row, values }) => {
    if (key.some((k) => values[k] === undefined)) return []
    const at = JSON.stringify(key.map((k) => values[k]))
    const first = seen.get(at)
    if (first !== undefined) return [{ row, field: key.at(-1)!, rule: 'twice', values: { row: first } }]
    seen.set(at, row)
    return []
  })
}

/** The tenant that the call names for the whole sheet, directly or by the owner. */
const companyOf = async (db: Db, actor: Actor, r: Resource, { fixed, company }: Pick<Options, 'fixed' | 'company'>) => {
  const owner = r.fields[r.owner]
  if (owner?.kind === 'ref' && r.owner in fixed) return (await store(named(owner.to)).find(db, actor, Number(fixed[r.owner]))).EnterpriseId
  if (company === undefined || company === actor.EnterpriseId) return company
  if (!actor.platform) throw notFound()
  return (await store(named('enterprise')).find(db, actor, company)).Id
}

/** The tenant of each row: its owner's, or the one that the call names, or the caller's own. */
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

/** In a tree each record is put where it belongs before the next one is: a place may depend on those above it. */
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

/** Ends a transaction that only wanted to know. */
class Undone extends Error {}

/** Writes, or only seems to. */
export const undone = (db: Db, preview: boolean, work: (db: Db) => Promise<void>) =>
  db
    .tx(async (db) => {
      await work(db)
      if (preview) throw new Undone()
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error
    })

type Reading = Pick<Options, 'language' | 'fixed' | 'reader'>
/** The rows of a sheet with what the place gives, known by `key`. */
const read = async (actor: Actor, r: Resource, file: Buffer, { language, fixed, reader = readRows }: Reading) => {
  const key = keyOf(r)
  const needed = key.filter((k) => !(k in fixed))
  const { rows, wrong, letters } = await reader(readableFields(r, actor), file, { needed, fixed, language, tenant: actor.EnterpriseId })
  for (const { values } of rows) Object.assign(values, fixed)
  return { key, rows, wrong, letters }
}

/** The rows of a sheet that an area writes itself, with the Ids of what they refer to. */
export const readResolved = async (
  db: Db,
  actor: Actor,
  r: Resource,
  file: Buffer,
  given: Reading & { most: number; company?: number | undefined },
) => {
  const company = await companyOf(db, actor, r, given)
  const { key, rows, wrong, letters } = await read(actor, r, file, given)
  if (rows.length > given.most) throw new Fault('sheetTooLong', { max: given.most })
  wrong.push(...(await resolveRefs(db, actor, r, rows, company)), ...repeated(rows, key))
  if (wrong.length) refuse(wrong, given.language, letters)
  return rows
}

/** Which row of a part the database refuses: they are written once more, one by one, and undone. */
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
  // That there is no room for more is no row's fault.
  if (!fault || fault.status === 403) throw error
  const [field] = fault instanceof FieldFaults ? fault.fields : []
  return [{ row: at.row, field: field?.field ?? r.title, rule: field?.rule ?? `fault.${fault.key}` }]
}

/**
 * Reads a sheet into a resource: rows are known by what is unique, known ones are changed and keep their Ids, new ones are added,
 * others stay. All or nothing; a preview is the same, undone.
 *
 * @throws Fault `sheetRows` with row, field and reason of each cell that is wrong; `sheet…` when the file as a whole is.
 */
export const importSheet = async (
  db: Db,
  actor: Actor,
  r: Resource,
  file: Buffer,
  { language, fixed, company: asked, preview, offsetOne, check, reader }: Options,
): Promise<Imported> => {
  const company = await companyOf(db, actor, r, { fixed, company: asked })
  const { key, rows, wrong, letters } = await read(actor, r, file, { language, fixed, reader })
  const refuseHere = (found: readonly Wrong[]) => refuse(found, language, letters)
  const texts = new Map<number, Values>()
  for await (const part of chunks(rows)) for (const { row, values } of part) texts.set(row, { ...values })
  const ordered = r.tree ? inLevels(rows, r) : { levels: [rows], wrong: [] }
  if (r.tree) wrong.push(...ordered.wrong, ...repeated(rows, key))
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
    const checks = [() => resolveRefs(db, actor, r, rows, company), () => repeated(rows, key), () => check?.(rows) ?? []]
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
        // What is still to come is only checked.
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
    })
  } catch (error) {
    if (!(error instanceof Undone)) {
      if (!failing || !constraintFault(error as object)) throw error
      refuseHere(await culprit(db, actor, r, failing.enterprise, failing.before, failing.part))
    }
  }
  return done
}
