import type { FastifyInstance } from 'fastify'
import { csvLine, csvMark } from '../../../../contract/csv.ts'
import { type Imported, importCalls, importPermissions, isImported } from '../../../../contract/exports.ts'
import type { Language } from '../../../../contract/languages.ts'
import type { Resource } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { headerOf, inWords, toSheet } from '../../../../server/files/sheet.ts'
import { sendFile } from '../../../../server/http/files.ts'
import { assertHolds, serve } from '../../../../server/http/serve.ts'
import { word } from '../../../../server/http/words.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { point, pointCalls } from '../../../configuration/points/contract.ts'
import { sheetFaults } from '../../../configuration/points/server/service.ts'
import { resources } from '../../../index.ts'
import type { LeftOut } from './layouts/layout.ts'
import { inspectLayout, type LayoutQuery, layoutReader, rememberLayout } from './layouts/reader.ts'
import { templateFields } from './read.ts'
import { importSheet, keyOf, readForTask, ruleText } from './service.ts'

/** Examples for fields whose format has no default. */
const examples: Record<string, unknown> = { Address: '0', SN: 'SN00000001', Ip: '192.168.1.10', Port: 502, SerialPort: 'COM1' }

/** The columns of a sheet, and an example row. */
const template = async (r: Resource, person: Actor, language: Language, format: 'xlsx' | 'csv') => {
  const names = templateFields(r)
  const example = Object.fromEntries(
    names.map((name) => [name, r.fields[name]!.default ?? (r.fields[name]!.required ? (examples[name] ?? null) : null)]),
  )
  const texts = names.filter((name) => r.fields[name]!.required && r.fields[name]!.kind === 'text')
  for (const name of [...texts, keyOf(r).at(-1)!, r.title]) example[name] ??= word(language, 'sheet.example')
  if (format === 'xlsx') return toSheet(r, names, [example], { language, person })
  const { header, row } = inWords(r, names, language)
  return Buffer.from(csvMark + csvLine(header) + csvLine(row(example)))
}

const shownLeftOut = 500
/** Rows that were not translated, with reasons in the caller's language. */
const inWordsOf = (leftOut: readonly LeftOut[], language: Language) => ({
  LeftOutCount: leftOut.length,
  LeftOut: leftOut.slice(0, shownLeftOut).map(({ row, column, value, rule, values }) => ({
    ...{ Row: row, Value: value, Message: ruleText(language, rule, values) },
    Column: column in point.fields ? headerOf(point, column, language) : column,
  })),
})

type ReadRows = Awaited<ReturnType<typeof readForTask>>
type Needs = {
  /** Starts a task that imports rows in parts. */
  importAsTask(db: Db, actor: Actor, r: Resource, given: ReadRows & ImportTask): Promise<{ TaskId: number }>
}
/** Parameters of an import task besides the rows. */
export type ImportTask = { fixed: Record<string, unknown>; company: number | undefined; offsetOne: boolean; PlannedTime?: string | null }
const checkOf = (r: Resource) => (r.name === 'point' ? { check: sheetFaults } : {})
const none: Imported = { Added: 0, Changed: 0, Unchanged: 0, Preview: [] }

/** `<path>/Import` and `<path>/Template` of lists with import. */
export const importRoutes = (app: FastifyInstance, { importAsTask }: Needs) => {
  serve(app, pointCalls.layout, ({ query, request }) =>
    app.uploads.receiveImport(request, async (file, { actor, db }) => {
      assertHolds(actor, importPermissions(point))
      return inspectLayout(db, actor, file, query.DeviceId)
    }),
  )
  for (const r of resources.filter(isImported)) {
    const calls = importCalls(r)
    serve(app, calls.import, async ({ actor, query, request }) => {
      assertHolds(actor, importPermissions(r))
      const { Preview, OffsetOne, EnterpriseId, Layout, Columns, WordOrder, AddressStyle, SlaveNumber, Source, ...more } = query as Record<
        string,
        number
      >
      const { AsTask, PlannedTime, ...fixed } = more as Record<string, number> & { PlannedTime?: string }
      const layout = { Layout, Columns, WordOrder, AddressStyle, SlaveNumber, Source } as LayoutQuery
      const leftOut: LeftOut[] = []
      const options = {
        ...(Layout ? { reader: layoutReader(layout, leftOut) } : {}),
        language: languageOf(request),
        fixed,
        company: EnterpriseId,
        preview: Preview === 1,
        offsetOne: OffsetOne === 1 && !Layout,
        ...checkOf(r),
      }
      return app.uploads.receiveImport(request, async (file, { actor, db }) => {
        assertHolds(actor, importPermissions(r))
        const isTask = AsTask === 1 && !options.preview
        const task = async () => {
          const rows = await readForTask(db, actor, r, file, options)
          const speaking = { ...actor, language: options.language }
          return importAsTask(db, speaking, r, { ...rows, ...options, ...(PlannedTime && { PlannedTime }) })
        }
        const done = isTask ? { ...none, ...(await task()) } : await importSheet(db, actor, r, file, options)
        if (!Layout) return done
        if (!options.preview) await rememberLayout(db, actor, file, layout)
        return { ...done, ...inWordsOf(leftOut, options.language) }
      })
    })
    serve(app, calls.template, async ({ actor, query, request, reply }) => {
      const language = languageOf(request)
      const format = query.Format ?? 'xlsx'
      return sendFile(reply, `${word(language, `menu.${r.permission}`)}.${format}`, await template(r, actor, language, format))
    })
  }
}
