// Reads the rows of a sheet, and reports faults across rows.
import type { Details } from '../../../../contract/call.ts'
import type { Language } from '../../../../contract/languages.ts'
import type { Resource } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault, notFound } from '../../../../server/http/faults.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { named } from '../../../../server/resource/sql.ts'
import { readableFields, store } from '../../../../server/resource/store.ts'
import { readRows, type SheetRow } from './read.ts'
import type { Wrong } from './references.ts'

export type Values = Record<string, unknown>
export type Reading = {
  language: Language
  /** The owner of all rows, if the screen sets it. */
  fixed: Values
  /** The target tenant of a platform import. */
  company?: number | undefined
  /** Reads a file of another layout. */
  reader?: typeof readRows | undefined
}
const shownErrors = 500

/** Identifies a record: its unique field, and the record that it is unique in. */
export const keyOf = (r: Resource): string[] => {
  const name = r.fields[r.title]?.unique ? r.title : Object.keys(r.fields).find((k) => r.fields[k]!.unique)
  if (!name) throw new Error(`${r.name} has no field that tells its records apart.`)
  const unique = r.fields[name]!.unique
  return typeof unique === 'string' && unique !== 'everywhere' ? [unique, name] : [name]
}

/**
 * Tells the rows of a sheet apart by their key. Where the key is empty, as of a released gateway or of equipment without a device, by owner and title.
 */
export const identityOf = (r: Resource, key: readonly string[]) => {
  const mayBeEmpty = key.length === 1 && r.fields[key[0]!]!.required !== true
  const without = [key[0]!, r.owner, r.title]
  return (values: Values) => JSON.stringify((mayBeEmpty && values[key[0]!] == null ? without : key).map((name) => values[name] ?? null))
}

/** A rule with a dot is a key of the words. */
export const ruleText = (language: Language, rule: string, values?: Wrong['values']) =>
  word(language, rule.includes('.') ? rule : `fault.field.${rule}`, values)

/** Ends an import with all faults, by row and column. */
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

/** Reports rows that identify the same record. */
export const repeated = (r: Resource, rows: readonly SheetRow[], key: readonly string[]): Wrong[] => {
  const seen = new Map<string, number>()
  const identity = identityOf(r, key)
  return rows.flatMap(({ row, values }) => {
    if (key.some((k) => values[k] === undefined)) return []
    const at = identity(values)
    const first = seen.get(at)
    if (first !== undefined) return [{ row, field: key.at(-1)!, rule: 'twice', values: { row: first } }]
    seen.set(at, row)
    return []
  })
}

/** The tenant that the call gives for the entire sheet, directly or through the owner. */
export const companyOf = async (db: Db, actor: Actor, r: Resource, { fixed, company }: Pick<Reading, 'fixed' | 'company'>) => {
  const owner = r.fields[r.owner]
  if (owner?.kind === 'ref' && r.owner in fixed) return (await store(named(owner.to)).find(db, actor, Number(fixed[r.owner]))).EnterpriseId
  if (company === undefined || company === actor.EnterpriseId) return company
  if (!actor.platform) throw notFound()
  return (await store(named('enterprise')).find(db, actor, company)).Id
}

/** The rows of a sheet plus fixed values, matched by `key`. */
export const read = async (actor: Actor, r: Resource, file: Buffer, { language, fixed, reader = readRows }: Reading) => {
  const key = keyOf(r)
  const needed = key.filter((k) => !(k in fixed))
  const { rows, wrong, letters } = await reader(readableFields(r, actor), file, { needed, fixed, language, tenant: actor.EnterpriseId })
  for (const { values } of rows) Object.assign(values, fixed)
  return { key, rows, wrong, letters }
}
