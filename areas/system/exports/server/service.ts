import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { sql } from 'kysely'
import type { Page } from '../../../../contract/call.ts'
import type { Cell } from '../../../../contract/cell.ts'
import { csvLine, csvMark } from '../../../../contract/csv.ts'
import { isStructured } from '../../../../contract/field.ts'
import type { Language } from '../../../../contract/languages.ts'
import { joined, type Resource } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { inWords } from '../../../../server/files/sheet.ts'
import { packSheet } from '../../../../server/files/sheetPacker.ts'
import { Fault } from '../../../../server/http/faults.ts'
import { sendFile } from '../../../../server/http/files.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { noteExport } from '../../../../server/identity/note.ts'
import { boundedQueue, queueByPerson } from '../../../../server/jobs/boundedQueue.ts'
import { ownTurn } from '../../../../server/jobs/ownTurn.ts'
import type { Listing } from '../../../../server/resource/list.ts'
import { column, named, table, visible } from '../../../../server/resource/sql.ts'
import { readableFields, store } from '../../../../server/resource/store.ts'
import { alarmsIn } from '../../../alarms/alarms/server/service.ts'
import { energyInfo } from '../../../energy/circuits/contract.ts'
import { circuits } from '../../../energy/circuits/server/service.ts'
import { fileStem, sheetName } from './sheetName.ts'

export type { Prepared, TaskKind } from './kinds.ts'
export { fileStem }

/** Formatting a page takes a few milliseconds. */
const pageRows = 500
/** A spreadsheet is built in memory. Longer lists are exported as CSV, which is streamed, or in the background. */
export const mostRows = { xlsx: 20_000, csv: 200_000 }
const limits = { concurrency: 4, perKey: 2, backlog: 200, refusal: 'tooMany' } as const
/**
 * Concurrent pages, and files that may wait to start. A file queues for each page, so that slow readers and long files do not block others.
 * Tenants take turns.
 */
const queued = boundedQueue(limits)
/** Spreadsheets of more than a page, whose rows are in memory. */
const long = queueByPerson(limits)

/** Exported fields: those requested, in order, otherwise all. Leaves out fields without a text and fields hidden from the person. */
export const exported = (r: Resource, actor: Actor, asked: readonly string[] | undefined): string[] => {
  const names = asked ? [...new Set(asked)] : Object.keys(r.fields)
  for (const name of names) if (!Object.hasOwn(r.fields, name)) throw new Fault('unknownFilter', { field: name.slice(0, 60) })
  const { fields } = readableFields(r, actor)
  return names.filter((name) => fields[name] && !isStructured(fields[name]))
}

/** Reads a page: by default the kernel's list. Alarms have names in the reader's language, formulas of circuits the codes that the reader sees. */
type Lister = (db: Db, actor: Actor, q: Listing) => Promise<Page<Record<string, unknown>>>

/** Structured fields are not exported. Checklists of a page could have 100 MB. */
const flat = (r: Resource): Resource => ({
  ...r,
  fields: Object.fromEntries(Object.entries(r.fields).filter(([, field]) => !isStructured(field))),
})

const listerOf = (r: Resource, language: Language): Lister => {
  if (r.name === 'alarmInfo') return alarmsIn(language).list
  return r.name === energyInfo.name ? circuits.list : store(flat(r)).list
}

/** Titles shared by several records: a sheet appends the number to them. */
const sharedTitles = async (db: Db, actor: Actor, to: Resource): Promise<Set<string>> => {
  const rows = await db.rows<{ title: string }>(
    sql`select ${column(to.title)}::text as title from ${table(to)} t where ${visible(to, actor)} group by 1 having count(*) > 1`,
  )
  return new Set(rows.map((row) => row.title))
}

type Sheet<F> = { file: F; rows: number }
type Asked = { names: readonly string[]; listing: Listing; language: Language }
export type Part = { rows: Record<string, unknown>[]; total: number }

/**
 * The rows of a listing from first to last, in pages by key, with the titles of references.
 * More than `most` rows are refused with the first page.
 */
export async function* parts(
  db: Db,
  actor: Actor,
  r: Resource,
  { names, listing, language }: Asked,
  most: number,
  list = listerOf(r, language),
): AsyncGenerator<Part> {
  const refs = joined(r).filter(([, field]) => names.includes(field))
  const shared = new Map<string, Set<string>>()
  let cursor = ''
  let total = 0
  for (let index = 1; ; index++) {
    const page = await list(db, actor, { ...listing, index: cursor ? 1 : index, cursor, size: pageRows, exact: index === 1, passing: true })
    await ownTurn()
    if (index === 1) total = page.TotalCount
    if (total > most) throw new Fault('sheetTooLong', { max: most })
    // One after the other: each reads all records of a resource.
    if (index === 1 && total) for (const [, , to] of refs) if (!shared.has(to)) shared.set(to, await sharedTitles(db, actor, named(to)))
    for (const row of page.Items as Record<string, unknown>[])
      for (const [as, field, to] of refs) {
        const title = row[as]
        row[field] = shared.get(to)!.has(String(title)) ? `${title} #${row[field]}` : title
      }
    yield { rows: page.Items, total }
    if (page.Items.length < pageRows) return
    cursor = page.NextCursor ?? ''
  }
}

/** Streams a csv from the database. The first page is read before the response starts, so that errors are reported as such. */
const csvOf = async (db: Db, actor: Actor, r: Resource, { names, listing, language }: Asked, list?: Lister): Promise<Sheet<Readable>> => {
  const words = inWords(r, names, language)
  const read = parts(db, actor, r, { names, listing, language }, mostRows.csv, list)
  const key = actor.EnterpriseId
  const first = await queued(() => read.next(), { key })
  const text = async function* () {
    yield csvMark + csvLine(words.header)
    for (let part = first; !part.done; part = await queued(() => read.next(), { admitted: true, key }))
      yield part.value.rows.map((row) => csvLine(words.row(row))).join('')
  }
  return { file: Readable.from(text()), rows: first.done ? 0 : first.value.total }
}

/** Builds a spreadsheet in a worker, so that ingest continues. */
const xlsxOf = async (db: Db, actor: Actor, r: Resource, { names, listing, language }: Asked, list?: Lister): Promise<Sheet<Buffer>> => {
  const words = inWords(r, names, language)
  const read = () => parts(db, actor, r, { names, listing, language }, mostRows.xlsx, list)
  const key = actor.EnterpriseId
  const pack = async (pages: Cell[][][]) => ({ file: await packSheet(words.header, pages, actor), rows: pages.flat().length })
  const first = await queued(() => read().next(), { key })
  const rows = first.done ? [] : first.value.rows
  if (rows.length < pageRows) return pack([rows.map(words.row)])
  const packAll = async () => {
    const pages: Cell[][][] = []
    const all = read()
    const next = () => queued(() => all.next(), { admitted: true, key })
    for (let part = await next(); !part.done; part = await next()) pages.push(part.value.rows.map(words.row))
    return pack(pages)
  }
  return long(packAll, actor)
}

type Taken = { reply: FastifyReply; title: string; format: unknown; asked: Asked; filters: object; list?: Lister }
/** Sends a list as a file, and logs the export. */
export const takeAlong = async (db: Db, actor: Actor, r: Resource, { reply, title, format, asked, filters, list }: Taken) => {
  const sheetOf = format === 'csv' ? csvOf : xlsxOf
  const { file, rows } = await sheetOf(db, actor, r, asked, list)
  await noteExport(db, actor, r.name, title, { Filters: filters, Rows: rows })
  const name = await sheetName(db, actor, r, { ...asked, title, time: Date.now() })
  return sendFile(reply, `${name}.${format === 'csv' ? 'csv' : 'xlsx'}`, file)
}
