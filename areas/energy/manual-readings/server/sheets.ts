// Entries as a sheet: code, period and value. All or nothing, with what is wrong by row and column.
import { sql } from 'kysely'
import type { Cell } from '../../../../contract/cell.ts'
import { csvLine, csvMark } from '../../../../contract/csv.ts'
import type { Imported } from '../../../../contract/exports.ts'
import type { Language } from '../../../../contract/languages.ts'
import type { Db } from '../../../../server/database/db.ts'
import { cellReader, headerOf, headersOf, inWords, plain, toSheet } from '../../../../server/files/sheet.ts'
import { readSheetPages } from '../../../../server/files/sheetReader.ts'
import { Fault } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { Waiting } from '../../../../server/jobs/boundedQueue.ts'
import type { Listing } from '../../../../server/resource/list.ts'
import { column, table } from '../../../../server/resource/sql.ts'
import { store } from '../../../../server/resource/store.ts'
import { readResolved, refuse, undone } from '../../../system/imports/server/service.ts'
import { type Cycle, fromSheet } from '../contract.ts'
import { type LedgerKind, type Slot, saveSlots, seenSubjects, type Wrong } from './entries.ts'
import { periodOf, written } from './periods.ts'

/** Rows of one sheet. */
const mostRows = 10_000
const shownChanges = 20

const namesOf = ({ sheet }: LedgerKind) => Object.keys(sheet.fields)

/** A cell with a date, as the sheet shows it. */
const asText = (cell: Cell | undefined) => {
  if (!(cell instanceof Date) || Number.isNaN(cell.getTime())) return cell
  const iso = cell.toISOString()
  return iso.slice(11, 16) === '00:00' ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${iso.slice(11, 16)}`
}

type Reader = NonNullable<Parameters<typeof readResolved>[4]['reader']>
/** As other sheets are read, with cells that hold a date. */
const reader: Reader = async (sheet, file, { needed, language, tenant }) => {
  const names = Object.keys(sheet.fields)
  const titles = new Map(names.flatMap((name) => [...headersOf(sheet, name), name].map((title) => [plain(title), name] as const)))
  const letters = new Map<string, string>()
  let columns: ({ name: string; read: ReturnType<typeof cellReader> } | undefined)[] | undefined
  const open = (header: readonly Cell[]) => {
    columns = header.map((title, i) => {
      if (title === null || plain(String(title)) === '') return undefined
      const name = titles.get(plain(String(title)))
      if (!name) throw new Fault('sheetColumn', { column: i + 1, found: String(title).slice(0, 60) })
      if (letters.has(name)) throw new Fault('sheetTwice', { column: i + 1, found: headerOf(sheet, name, language) })
      letters.set(name, String.fromCharCode(65 + (i % 26)))
      return { name, read: cellReader(sheet, name, language) }
    })
    for (const name of [...needed, 'Value'])
      if (!letters.has(name)) throw new Fault('sheetMissing', { field: headerOf(sheet, name, language) })
  }
  const rows: Awaited<ReturnType<Reader>>['rows'] = []
  const wrong: Awaited<ReturnType<Reader>>['wrong'] = []
  await readSheetPages(
    file,
    (page) => {
      for (const { row, cells } of page) {
        if (!columns) {
          open(cells)
          continue
        }
        const values: Record<string, unknown> = {}
        columns.forEach((column, i) => {
          if (!column) return
          const cell = column.name === 'DataTime' ? asText(cells[i]) : cells[i]
          const read = column.read(cell)
          if ('value' in read) values[column.name] = read.value
          else wrong.push({ row, field: column.name, text: String(cell ?? '').slice(0, 60), ...read })
        })
        rows.push({ row, values })
      }
    },
    tenant,
  )
  if (!rows.length) throw new Fault('sheetEmpty')
  return { rows, wrong, letters }
}

type Values = { DataTime: string; Value: number } & Record<string, unknown>
export const importEntries = async (
  kind: LedgerKind,
  db: Db,
  actor: Actor,
  { file, language, preview }: { file: Buffer; language: Language; preview: boolean },
): Promise<Imported> => {
  const rows = await readResolved(db, actor, kind.sheet, file, { language, fixed: {}, reader, most: mostRows })
  const done: Imported = { Added: 0, Changed: 0, Unchanged: 0, Preview: [] }
  await undone(db, preview, async (db) => {
    const all = rows as unknown as { row: number; values: Values }[]
    const codes = all.map(({ values }) => values[kind.code] as string)
    const subjects = new Map((await seenSubjects(kind, db, actor, { codes }, true)).map((one) => [one.Code, one]))
    const wrong: (Omit<Wrong, 'at'> & { row: number; text?: string })[] = []
    const slots = all.flatMap(({ row, values: { DataTime, Value, [kind.code]: code, ...values } }): (Slot & { row: number })[] => {
      const [subject, period] = [subjects.get(code as string), periodOf(DataTime)]
      if (!subject) wrong.push({ row, field: kind.code, rule: 'unknownReference', text: code as string })
      if (!period) wrong.push({ row, field: 'DataTime', rule: 'noSuchPeriod', text: DataTime })
      const beside = Object.fromEntries(
        Object.keys(kind.beside).flatMap((name) =>
          name in values || kind.sheet.fields[name]?.default !== undefined
            ? [[name, values[name] ?? kind.sheet.fields[name]?.default ?? null]]
            : [],
        ),
      )
      return subject && period ? [{ row, subject, ...period, value: Value, beside }] : []
    })
    const saved = wrong.length ? undefined : await saveSlots(kind, db, actor, slots, fromSheet)
    for (const { at, field, ...fault } of saved?.wrong ?? [])
      wrong.push({ ...fault, row: slots[at]!.row, field: field === kind.ref ? kind.code : field })
    if (wrong.length) refuse(wrong, language)
    Object.assign(done, { Added: saved!.added, Changed: saved!.changed, Unchanged: saved!.unchanged })
    const changes = saved!.places.filter(({ At, Before }) => Before?.Value !== slots[At]!.value).slice(0, shownChanges)
    done.Preview = changes.map(({ At, Before }) => ({
      ...{ Row: slots[At]!.row, Verb: Before ? 'update' : 'create', Title: `${slots[At]!.subject.Name} · ${all[At]!.values.DataTime}` },
      Fields: [{ Field: 'Value', Before: Before?.Value ?? null, After: slots[At]!.value ?? null }],
    }))
  })
  return done
}

/** Entries as their sheet has them: codes, and periods of the company's zone. */
export const asSheet = (kind: LedgerKind) => {
  const entries = store(kind.entries)
  const isReading = kind.beside.IsReading ? sql`d."IsReading" = 1` : sql`false`
  return async (db: Db, actor: Actor, q: Listing) => {
    const page = await entries.list(db, actor, q)
    const texts = await db.rows<{ Id: number; Code: string; Period: string; CycleType: Cycle }>(sql`
      select d."Id", ${column(kind.code, 'e')} as "Code", d."CycleType", to_char(d."DataTime" at time zone z."TimeZoneKey",
        case when ${isReading} then 'YYYY-MM-DD HH24:MI' when d."CycleType" = 1 then ${written[1]} when d."CycleType" = 2 then ${written[2]} else ${written[3]} end) as "Period"
      from ${table(kind.entries)} d join ${table(kind.of)} e on e."Id" = ${column(kind.ref, 'd')} join enterprise z on z."Id" = d."EnterpriseId"
      where d."Id" = any(${page.Items.map(({ Id }) => Id)}::bigint[])`)
    const byId = new Map(texts.map((row) => [row.Id, row]))
    return {
      ...page,
      Items: page.Items.map((row) => ({ ...row, [kind.code]: byId.get(row.Id)?.Code, DataTime: byId.get(row.Id)?.Period ?? '' })),
    }
  }
}

/** The columns, and a row that shows what each takes. */
export const template = (kind: LedgerKind, language: Language, format: 'xlsx' | 'csv', person: Waiting) => {
  const names = namesOf(kind)
  if (format === 'xlsx') return toSheet(kind.sheet, names, [kind.example], { language, person })
  const { header, row } = inWords(kind.sheet, names, language)
  return Buffer.from(csvMark + csvLine(header) + csvLine(row(kind.example)))
}
