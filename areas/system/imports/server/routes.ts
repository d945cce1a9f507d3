import type { FastifyInstance } from 'fastify'
import { importCalls, importPermissions, isImported } from '../../../../contract/exports.ts'
import type { Language } from '../../../../contract/languages.ts'
import type { Resource } from '../../../../contract/resource.ts'
import { csvLine, csvMark } from '../../../../server/files/csv.ts'
import { inWords, toSheet } from '../../../../server/files/sheet.ts'
import { sendFile } from '../../../../server/http/files.ts'
import { assertHolds, serve } from '../../../../server/http/serve.ts'
import { word } from '../../../../server/http/words.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { samePlace } from '../../../configuration/points/server/service.ts'
import { resources } from '../../../index.ts'
import { templateFields } from './read.ts'
import { importSheet, keyOf } from './service.ts'

/** What needs a form that no default has. */
const examples: Record<string, unknown> = { Address: '0', SN: 'SN00000001', Ip: '192.168.1.10', Port: 502, SerialPort: 'COM1' }

/** The columns of a sheet, and a row that shows what each column takes. */
const template = async (r: Resource, { EnterpriseId: tenant }: Actor, language: Language, format: 'xlsx' | 'csv') => {
  const names = templateFields(r)
  const example = Object.fromEntries(
    names.map((name) => [name, r.fields[name]!.default ?? (r.fields[name]!.required ? (examples[name] ?? null) : null)]),
  )
  const texts = names.filter((name) => r.fields[name]!.required && r.fields[name]!.kind === 'text')
  for (const name of [...texts, keyOf(r).at(-1)!, r.title]) example[name] ??= word(language, 'sheet.example')
  if (format === 'xlsx') return toSheet(r, names, [example], { language, tenant })
  const { header, row } = inWords(r, names, language)
  return Buffer.from(csvMark + csvLine(header) + csvLine(row(example)))
}

/** `<path>/Import` and `<path>/Template` of the lists that a sheet may fill. */
export const importRoutes = (app: FastifyInstance) => {
  for (const r of resources.filter(isImported)) {
    const calls = importCalls(r)
    const check = r.name === 'point' ? { check: samePlace } : {}
    serve(app, calls.import, async ({ actor, query, request }) => {
      assertHolds(actor, importPermissions(r))
      const { Preview, OffsetOne, EnterpriseId, ...fixed } = query as Record<string, number>
      const options = {
        language: languageOf(request),
        fixed,
        company: EnterpriseId,
        preview: Preview === 1,
        offsetOne: OffsetOne === 1,
        ...check,
      }
      return app.uploads.receiveImport(request, async (file, { actor, db }) => {
        assertHolds(actor, importPermissions(r))
        return importSheet(db, actor, r, file, options)
      })
    })
    serve(app, calls.template, async ({ actor, query, request, reply }) => {
      const language = languageOf(request)
      const format = query.Format ?? 'xlsx'
      return sendFile(reply, `${word(language, `menu.${r.permission}`)}.${format}`, await template(r, actor, language, format))
    })
  }
}
