// Rules as a sheet: conditions, receivers and actions as texts that name points and people.
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { csvLine, csvMark } from '../../../../contract/csv.ts'
import { type Imported, importPermissions } from '../../../../contract/exports.ts'
import { choice, flag, long, number, ref, text } from '../../../../contract/field.ts'
import { type Row, resource } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { inWords, toSheet } from '../../../../server/files/sheet.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import { sendFile } from '../../../../server/http/files.ts'
import { assertHolds, serve } from '../../../../server/http/serve.ts'
import { word } from '../../../../server/http/words.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { type Listing, readListing } from '../../../../server/resource/list.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { store } from '../../../../server/resource/store.ts'
import { takeAlong } from '../../../system/exports/server/service.ts'
import { readResolved, refuse, undone, type Wrong } from '../../../system/imports/server/service.ts'
import { alarmRule, alarmRuleCalls } from '../../alarm-rules/contract.ts'
import { ruleWrites } from '../../alarms/server/service.ts'
import { configureOf, effectsSaid, inText } from './configure.ts'

type Rule = Row<typeof alarmRule>
type Values = Record<string, unknown>
const rules = store(alarmRule)
/** Limit of an import: each row gets the full checks of a rule. */
const mostRows = 2000
const shownChanges = 20

const sheet = resource('alarmRule', {
  path: alarmRule.path,
  permission: alarmRule.permission,
  title: 'RuleName',
  owner: 'ProjectId',
  fields: {
    RuleName: alarmRule.fields.RuleName,
    ProjectId: ref('project', { required: true, set: 'create' }),
    Conditions: long({ required: true, max: 10_000 }),
    Enable: text({ max: 300 }),
    Severity: text({ max: 60 }),
    HoldOff: number({ integer: true, min: 1, max: 86_400, unit: 's' }),
    RuleType: choice([1, 2], { required: true, default: 1 }),
    AlarmLevel: choice([1, 2, 3], { required: true, default: 2 }),
    Status: flag({ required: true, default: 0 }),
    IsSend: alarmRule.fields.IsSend,
    Messages: long({ max: 10_000 }),
    Priority: alarmRule.fields.Priority,
    Actions: long({ max: 10_000 }),
    AlmPlanId: alarmRule.fields.AlmPlanId,
    Remark: alarmRule.fields.Remark,
  },
})
const names = Object.keys(sheet.fields)
/** The column of a rule's error. */
const columnOf = (field: string) =>
  field.startsWith('RuleConfigure.Enable')
    ? 'Enable'
    : field.startsWith('AlarmPush')
      ? 'Messages'
      : /^(DeviceControl|ActionExecution)/.test(field)
        ? 'Actions'
        : field === 'RuleConfigure.HoldOff'
          ? 'HoldOff'
          : field.startsWith('RuleConfigure.Severity')
            ? 'Severity'
            : field.startsWith('RuleConfigure')
              ? 'Conditions'
              : field

const list = async (db: Db, actor: Actor, q: Listing) => {
  const page = await rules.list(db, actor, q)
  return { ...page, Items: await inText(db, actor, page.Items as Rule[]) }
}

/** Rules are matched by project and name. All or nothing; a preview rolls back. */
const importRules = async (
  db: Db,
  actor: Actor,
  file: Buffer,
  language: ReturnType<typeof languageOf>,
  preview: boolean,
  { EnterpriseId: company, ...fixed }: Values & { EnterpriseId?: number },
) => {
  const rows = await readResolved(db, actor, sheet, file, { language, fixed, company, most: mostRows })
  const done: Imported = { Added: 0, Changed: 0, Unchanged: 0, Preview: [] }
  const wrong: Wrong[] = []
  const one = async (db: Db, row: number, values: Values) => {
    const [id] = await db.rows<{ Id: number }>(
      sql`select "Id" from alarm_rule t where "ProjectId" = ${values.ProjectId} and "RuleName" = ${values.RuleName} and ${visible(alarmRule, actor)}`,
    )
    const existing = id && (await rules.find(db, actor, id.Id))
    const [before] = existing ? await inText(db, actor, [existing]) : []
    const changed = names.filter((name) => name in values && (!before || (values[name] ?? '') !== (before[name] ?? '')))
    if (!changed.length) return void done.Unchanged++
    const { Conditions, Enable, Severity, HoldOff, Messages, Actions, ...plain } = values
    const says = (...cells: string[]) => changed.some((name) => cells.includes(name))
    const RuleConfigure = says('Conditions', 'Enable', 'Severity', 'HoldOff')
      ? await configureOf(db, actor, Number(values.ProjectId), { ...before, ...values })
      : undefined
    const effects = await effectsSaid(db, actor, Number(values.ProjectId), says, values)
    const draft = { ...plain, ...effects, ...(RuleConfigure ? { RuleConfigure } : {}) }
    if (existing) await ruleWrites.change(db, actor, existing.Id, draft)
    else await ruleWrites.create(db, actor, draft)
    done[existing ? 'Changed' : 'Added']++
    if (done.Preview.length < shownChanges)
      done.Preview.push({
        ...{ Row: row, Verb: existing ? 'update' : 'create', Title: String(values.RuleName) },
        Fields: changed.map((Field) => ({ Field, Before: before?.[Field] ?? null, After: values[Field] ?? null })),
      })
  }
  await undone(db, preview, async (db) => {
    for (const { row, values } of rows)
      try {
        await db.tx((db) => one(db, row, values))
      } catch (error) {
        if (!(error instanceof FieldFaults)) throw error
        for (const { field, rule, values } of error.fields) wrong.push({ row, field: columnOf(field), rule, ...(values ? { values } : {}) })
      }
    if (wrong.length) refuse(wrong, language)
  })
  return done
}

export const ruleSheetRoutes = (app: FastifyInstance) => {
  serve(app, alarmRuleCalls.output, async ({ db, actor, request, reply }) => {
    const { Format, Fields: _, ...rest } = request.query as Values
    const language = languageOf(request)
    const asked = { names, listing: readListing(rest), language }
    const title = word(language, `menu.${sheet.permission}`)
    return takeAlong(db, actor, sheet, { reply, title, format: Format, asked, filters: rest, list })
  })
  serve(app, alarmRuleCalls.import, async ({ actor, query, request }) => {
    assertHolds(actor, importPermissions(alarmRule))
    const { Preview, ...fixed } = query
    return app.uploads.receiveImport(request, async (file, { actor, db }) => {
      assertHolds(actor, importPermissions(alarmRule))
      return importRules(db, actor, file, languageOf(request), Preview === 1, fixed)
    })
  })
  serve(app, alarmRuleCalls.template, async ({ actor, query, request, reply }) => {
    const language = languageOf(request)
    const entry = {
      Conditions: '{Pump 1 / Pressure} > 10 back 0.5 for 60 s',
      Enable: '08:00-18:00 days 2,3,4,5,6 UTC',
      Severity: '3: 20',
      HoldOff: 60,
    }
    const does = {
      Messages: 'bell, email to admin; recovery; after 10 min sms to admin',
      Actions: '{Pump 1 / Valve} = 0 after 5 s; notify admin: "…"',
    }
    const example = {
      RuleName: word(language, 'sheet.example'),
      ...entry,
      ...does,
      RuleType: 1,
      AlarmLevel: 2,
      Status: 0,
      IsSend: 1,
      Priority: 2,
    }
    const file = `${word(language, `menu.${sheet.permission}`)}.${query.Format ?? 'xlsx'}`
    const { header, row } = inWords(sheet, names, language)
    return sendFile(
      reply,
      file,
      query.Format === 'csv'
        ? Buffer.from(csvMark + csvLine(header) + csvLine(row(example)))
        : await toSheet(sheet, names, [example], { language, person: actor }),
    )
  })
}
