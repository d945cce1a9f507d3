// Compares the rows of a sheet with the existing records: new, changed or equal.
import { sql } from 'kysely'
import { wrongMoves } from '../../../../contract/moves.ts'
import { type Resource, writable } from '../../../../contract/resource.ts'
import { brokenRules } from '../../../../contract/rules.ts'
import type { Db } from '../../../../server/database/db.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { platformEnterprise } from '../../../../server/identity/setup.ts'
import { column, table, visible } from '../../../../server/resource/sql.ts'
import type { SheetRow } from './read.ts'
import type { Wrong } from './references.ts'
import { identityOf } from './sheetRows.ts'

type Values = Record<string, unknown>

/** Treats null and empty text as equal, as an empty cell can be either. PostgreSQL may return numbers as text. */
export const same = (a: unknown, b: unknown) =>
  (a ?? '') === (b ?? '') || (typeof b === 'number' && a !== null && a !== '' && Number(a) === b)

/** Columns without empty rows are joined as whole keys. A plan cached for all chunks would search arrays value by value. */
const keyIn = (r: Resource, key: readonly string[], rows: readonly SheetRow[]) => {
  const typed = (k: string) => sql.raw(r.fields[k]!.kind === 'ref' ? 'bigint[]' : 'text[]')
  const isEmpty = (k: string) => rows.some((row) => row.values[k] == null)
  const full = key.filter((k) => !isEmpty(k))
  const arrays = full.map((k) => sql`${rows.map((row) => String(row.values[k]))}::${typed(k)}`)
  const some = key.filter(isEmpty).map((k) => {
    const values = [...new Set(rows.flatMap((row) => row.values[k] ?? []))].map(String)
    return sql`(${column(k)} = any(${values}::${typed(k)}) or ${column(k)} is null)`
  })
  const whole = sql`(${sql.join(full.map((k) => column(k)))}) in (select * from unnest(${sql.join(arrays)}))`
  return sql.join([...(full.length ? [whole] : []), ...some], sql` and `)
}

/** Existing rows by key, locked so that they cannot change between comparison and update. */
export const held = async (db: Db, actor: Actor, r: Resource, key: readonly string[], rows: readonly SheetRow[], enterprise: number) => {
  const isMeant = keyIn(r, key, rows)
  const found = await db.rows<Values & { Id: number }>(
    sql`select t.* from ${table(r)} t where ${isMeant} and t."EnterpriseId" = ${enterprise} and ${visible(r, actor)} for no key update of t`,
  )
  // A lock would hide the rows that the platform shares.
  const shared = r.shared
    ? await db.rows<Values & { Id: number }>(
        sql`select t.* from ${table(r)} t where ${isMeant} and t."EnterpriseId" <> ${enterprise} and t."EnterpriseId" = ${platformEnterprise}`,
      )
    : []
  return Map.groupBy([...shared, ...found], identityOf(r, key))
}

/** The resulting record of a row. Without `before` it is new. */
export type Write = { row: number; values: Values & { Id?: number }; before?: Values }

/** Columns missing from the sheet get their defaults in new rows, and stay unchanged in existing ones. */
export const plan = (
  r: Resource,
  key: readonly string[],
  rows: readonly SheetRow[],
  known: ReadonlyMap<string, (Values & { Id: number })[]>,
  enterprise: number,
) => {
  const create = writable(r, 'create')
  const changeable = new Set(writable(r, 'update').map(([name]) => name))
  const wrong: Wrong[] = []
  const writes: Write[] = []
  const identity = identityOf(r, key)
  for (const { row, values } of rows) {
    const meant = known.get(identity(values)) ?? []
    // The tenant's own row takes precedence over a shared one.
    const before = meant.at(-1)
    if (meant.length > 1 && meant[0]!.EnterpriseId === before!.EnterpriseId) wrong.push({ row, field: r.title, rule: 'severalRecords' })
    for (const field of wrongMoves(r, values, before))
      wrong.push({ row, field, rule: 'fault.wrongState', values: { title: String(values[r.title]) } })
    if (!before) {
      for (const [name, f] of create)
        if (f.required && f.default === undefined && values[name] == null) wrong.push({ row, field: name, rule: 'required' })
      const added = { ...Object.fromEntries(create.map(([name, f]) => [name, f.default ?? null])), ...values }
      wrong.push(...brokenRules(r.rules, added, Object.keys(values)).map((broken) => ({ row, ...broken })))
      writes.push({ row, values: added })
      continue
    }
    const changed = Object.keys(values).filter((name) => !same(values[name], before[name]))
    wrong.push(...brokenRules(r.rules, { ...before, ...values }, changed).map((broken) => ({ row, ...broken })))
    for (const name of changed) if (!changeable.has(name)) wrong.push({ row, field: name, rule: 'fixed' })
    if (changed.length && before.EnterpriseId !== enterprise) wrong.push({ row, field: changed[0]!, rule: 'fault.platformRow' })
    else if (changed.length)
      writes.push({
        row,
        values: { ...Object.fromEntries(create.map(([name]) => [name, before[name] ?? null])), ...values, Id: before.Id },
        before,
      })
  }
  return { wrong, writes }
}
