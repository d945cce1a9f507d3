// Reads a file into values by field: columns are matched by title, in any supported language and any order.

import type { Cell } from '../../../../contract/cell.ts'
import { isStructured } from '../../../../contract/field.ts'
import { type Language, languages } from '../../../../contract/languages.ts'
import { type Resource, writable } from '../../../../contract/resource.ts'
import { cellReader, headerOf, headersOf, plain } from '../../../../server/files/sheet.ts'
import { readSheetPages } from '../../../../server/files/sheetReader.ts'
import { Fault } from '../../../../server/http/faults.ts'
import type { Wrong } from './references.ts'

export type SheetRow = { row: number; values: Record<string, unknown> }

/** Fields that a sheet may contain; other fields are server-only and ignored. */
export const sheetFields = (r: Resource) =>
  writable(r, 'create')
    .filter(([, f]) => !isStructured(f))
    .map(([name]) => name)
/** The columns of its template. */
export const templateFields = (r: Resource) => sheetFields(r).filter((name) => r.fields[name]!.template !== false)

const columnsOf = (r: Resource, header: readonly Cell[], language: Language): (string | undefined)[] => {
  const fields = Object.keys(r.fields)
  // Current titles take precedence over former titles of other fields.
  const names = new Map([
    ...fields.flatMap((name) => headersOf(r, name).map((title) => [plain(title), name] as const)),
    ...fields.flatMap((name) => languages.map((l) => [plain(headerOf(r, name, l)), name] as const)),
    ...fields.map((name) => [plain(name), name] as const),
  ])
  const taken = new Set<string>()
  return header.map((title, i) => {
    if (title === null || plain(String(title)) === '') return undefined
    const name = names.get(plain(String(title)))
    if (!name) throw new Fault('sheetColumn', { column: i + 1, found: String(title).slice(0, 60) })
    if (taken.has(name)) throw new Fault('sheetTwice', { column: i + 1, found: headerOf(r, name, language) })
    taken.add(name)
    return name
  })
}

/** A to Z, then AA. */
const letterOf = (i: number): string => (i < 26 ? '' : letterOf(Math.floor(i / 26) - 1)) + String.fromCharCode(65 + (i % 26))

/** Maximum number of wrong cells collected; a refusal shows fewer. */
const mostWrong = 5000

/** Rows as in the sheet, plus fixed values; references stay text. Reports invalid cells instead of throwing. */
export const readRows = async (
  r: Resource,
  file: Buffer,
  { needed, fixed, language, tenant }: { needed: readonly string[]; fixed: object; language: Language; tenant: number },
) => {
  const open = new Set(sheetFields(r))
  const readersOf = (header: readonly Cell[]) => {
    const columns = columnsOf(r, header, language)
    for (const name of needed) if (!columns.includes(name)) throw new Fault('sheetMissing', { field: headerOf(r, name, language) })
    for (const [i, name] of columns.entries()) if (name) letters.set(name, letterOf(i))
    return columns.map((name) => (name && open.has(name) && !(name in fixed) ? { name, read: cellReader(r, name, language) } : undefined))
  }
  const letters = new Map<string, string>()
  let readers: ReturnType<typeof readersOf> | undefined
  const wrong: Wrong[] = []
  const rows: SheetRow[] = []
  const readRow = (row: number, cells: readonly Cell[]) => {
    const values: SheetRow['values'] = {}
    readers?.forEach((column, k) => {
      if (!column) return
      const read = column.read(cells[k])
      if ('value' in read) values[column.name] = read.value
      else if (wrong.length < mostWrong) wrong.push({ row, field: column.name, text: String(cells[k] ?? '').slice(0, 60), ...read })
    })
    rows.push({ row, values })
  }
  const onPage: Parameters<typeof readSheetPages>[1] = (page) => {
    for (const { row, cells } of page)
      if (readers) readRow(row, cells)
      else readers = readersOf(cells)
  }
  await readSheetPages(file, onPage, tenant)
  if (!readers) readersOf([])
  if (!rows.length) throw new Fault('sheetEmpty')
  return { rows, wrong, letters }
}
