// From a file to values by field: columns are found by their titles, in any of our languages and any order.

import { exportLimits } from '../../../contract/areas/exports.ts'
import { type Resource, writable } from '../../../contract/base/resource.ts'
import { type Language, languages } from '../../../contract/index.ts'
import { readCsv } from '../../files/csv.ts'
import { cellReader, headerOf, plain } from '../../files/sheet.ts'
import { type Cell, readSheet } from '../../files/xlsx.ts'
import { Fault } from '../../http/faults.ts'
import type { Wrong } from './references.ts'

export type SheetRow = { row: number; values: Record<string, unknown> }

/** The fields that a sheet may carry; others that it has are ours alone and are passed over. */
export const sheetFields = (r: Resource) =>
  writable(r, 'create')
    .filter(([, f]) => f.kind !== 'json')
    .map(([name]) => name)

const columnsOf = (r: Resource, header: readonly Cell[], language: Language): (string | undefined)[] => {
  const names = new Map(
    Object.keys(r.fields).flatMap((name) => [
      [plain(name), name] as const,
      ...languages.map((l) => [plain(headerOf(r, name, l)), name] as const),
    ]),
  )
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

/** Rows as the sheet has them, but for what is fixed; a ref stays the text that stands there. Cells that cannot be are named, not thrown. */
export const readRows = async (r: Resource, file: Buffer, needed: readonly string[], fixed: object, language: Language) => {
  const packed = file.length > 4 && file.readUInt32LE(0) === 0x04034b50
  const [header = [], ...body] = await (packed ? readSheet(file) : readCsv(file))
  const columns = columnsOf(r, header, language)
  for (const name of needed) if (!columns.includes(name)) throw new Fault('sheetMissing', { field: headerOf(r, name, language) })
  const open = new Set(sheetFields(r))
  const readers = columns.map((name) => (name && open.has(name) && !(name in fixed) ? { name, read: cellReader(r, name) } : undefined))
  const wrong: Wrong[] = []
  const rows: SheetRow[] = []
  body.forEach((cells, i) => {
    if (cells.every((c) => c === null || c === '')) return
    const values: SheetRow['values'] = {}
    readers.forEach((column, k) => {
      if (!column) return
      const read = column.read(cells[k])
      if ('value' in read) values[column.name] = read.value
      else wrong.push({ row: i + 2, field: column.name, ...read })
    })
    rows.push({ row: i + 2, values })
  })
  if (!rows.length) throw new Fault('sheetEmpty')
  if (rows.length > exportLimits.importRows) throw new Fault('sheetTooLong', { max: exportLimits.importRows })
  return { rows, wrong }
}
