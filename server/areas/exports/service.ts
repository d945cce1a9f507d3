import { Readable } from 'node:stream'
import { Worker } from 'node:worker_threads'
import type { Page } from '../../../contract/base/call.ts'
import { joined, type Resource } from '../../../contract/base/resource.ts'
import type { Language } from '../../../contract/index.ts'
import type { Db } from '../../database/db.ts'
import { inWords } from '../../files/sheet.ts'
import { type Cell, guarded } from '../../files/xlsx.ts'
import { Fault } from '../../http/faults.ts'
import type { Actor } from '../../identity/actor.ts'
import type { Listing } from '../../resource/list.ts'
import { store } from '../../resource/store.ts'

const pageRows = 1000
/** A spreadsheet is held in memory while it is made; longer lists leave as csv, which is streamed. */
export const mostRows = { xlsx: 20_000, csv: 200_000 }
const mostAtOnce = 4

/** Fields of the export: those asked for, in that order, else all; a field without a text (json) has no column. */
export const exported = (r: Resource, asked: string | undefined): string[] => {
  const names = asked ? [...new Set(asked.split(','))] : Object.keys(r.fields)
  for (const name of names) if (!Object.hasOwn(r.fields, name)) throw new Fault('unknownFilter', { field: name.slice(0, 60) })
  return names.filter((name) => r.fields[name]!.kind !== 'json')
}

/** Reads a page: the kernel's own list, unless an area brings another. */
type Lister = (db: Db, actor: Actor, q: Listing) => Promise<Page<Record<string, unknown>>>

/** The rows of a listing from its first page to its last, page by page, with the titles of what they refer to; more than `most` are refused. */
async function* pages(
  db: Db,
  actor: Actor,
  r: Resource,
  listing: Listing,
  most: number,
  list: Lister,
): AsyncGenerator<Record<string, unknown>[]> {
  const titles = joined(r)
  for (let index = 1, more = true; more; index++) {
    const page = await list(db, actor, { ...listing, index, size: pageRows, exact: index === 1 })
    if (index === 1 && page.TotalCount > most) throw new Fault('sheetTooLong', { max: most })
    more = page.Items.length === pageRows
    yield page.Items.map((row) => ({
      ...row,
      ...Object.fromEntries(titles.map(([as, field]) => [field, (row as Record<string, unknown>)[as]])),
    }))
  }
}

/** RFC 4180; a text that a spreadsheet would take for a formula is guarded as in xlsx. */
const csvCell = (cell: Cell): string => {
  const text = String(guarded(cell) ?? '')
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
const csvLine = (cells: readonly Cell[]) => `${cells.map(csvCell).join(',')}\r\n`

let running = 0
const begin = () => {
  if (running >= mostAtOnce) throw new Fault('tooMany')
  running++
}

type Asked = { names: readonly string[]; listing: Listing; language: Language }

/** A csv as it is read from the database. The first page is read before anything leaves: a refusal is a refusal, not half a file. */
export const csvOf = async (
  db: Db,
  actor: Actor,
  r: Resource,
  { names, listing, language }: Asked,
  list: Lister = store(r).list,
): Promise<Readable> => {
  const words = inWords(r, names, language)
  begin()
  const read = pages(db, actor, r, listing, mostRows.csv, list)
  const first = await read.next().catch((error) => {
    running--
    throw error
  })
  const text = async function* () {
    // The mark tells Excel that this is UTF-8.
    yield `\uFEFF${csvLine(words.header)}`
    for (let page = first; !page.done; page = await read.next()) yield page.value.map((row) => csvLine(words.row(row))).join('')
  }
  // Closed also when the caller has gone before the first line.
  return Readable.from(text()).once('close', () => running--)
}

const inWorker = (header: readonly string[], rows: readonly Cell[][]) =>
  new Promise<Buffer>((resolve, reject) => {
    const worker = new Worker(new URL('./xlsx-worker.ts', import.meta.url), { workerData: { header, rows } })
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('The sheet was not written.')))
    worker.once('message', (file: Uint8Array) => resolve(Buffer.from(file)))
  })

/** A spreadsheet, packed beside the main thread: readings go on being taken meanwhile. */
export const xlsxOf = async (
  db: Db,
  actor: Actor,
  r: Resource,
  { names, listing, language }: Asked,
  list: Lister = store(r).list,
): Promise<Buffer> => {
  const words = inWords(r, names, language)
  begin()
  try {
    const rows: Cell[][] = []
    for await (const page of pages(db, actor, r, listing, mostRows.xlsx, list)) for (const row of page) rows.push(words.row(row))
    return await inWorker(words.header, rows)
  } finally {
    running--
  }
}
