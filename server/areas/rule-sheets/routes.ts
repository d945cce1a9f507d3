// Rules as a sheet: what a rule watches, whom it tells and what it does as texts that name points and people.
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { type RuleConfigure, Selection } from '../../../contract/areas/alarm-configure.ts'
import { alarmRule, alarmRuleCalls } from '../../../contract/areas/alarm-rules.ts'
import { device } from '../../../contract/areas/devices.ts'
import { type Imported, importPermissions } from '../../../contract/areas/exports.ts'
import { point } from '../../../contract/areas/points.ts'
import { choice, flag, long, number, ref, text } from '../../../contract/base/field.ts'
import { type Resource, type Row, resource } from '../../../contract/base/resource.ts'
import type { Db } from '../../database/db.ts'
import { csvLine, csvMark } from '../../files/csv.ts'
import { inWords, toSheet } from '../../files/sheet.ts'
import { Fault, FieldFaults } from '../../http/faults.ts'
import { sendFile, uploaded } from '../../http/files.ts'
import { serve } from '../../http/serve.ts'
import { word } from '../../http/words.ts'
import { languageOf } from '../../http/wrapper.ts'
import type { Actor } from '../../identity/actor.ts'
import { type Listing, readListing } from '../../resource/list.ts'
import { visible } from '../../resource/sql.ts'
import { store } from '../../resource/store.ts'
import { ruleWrites } from '../alarms/service.ts'
import { csvOf, xlsxOf } from '../exports/service.ts'
import { readResolved, refuse, undone, type Wrong } from '../imports/service.ts'
import { effectsOf, effectTexts, heldBy } from './effects.ts'
import { readDoing, readPush } from './effectsText.ts'
import { enableText, type Named, readEnable, readSeverity, readText, type SaidRule, severityText, textOf, Unreadable } from './text.ts'

type Rule = Row<typeof alarmRule>
type Values = Record<string, unknown>
const rules = store(alarmRule)
/** Each row is checked like one that is entered. */
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
}) as unknown as Resource
const names = Object.keys(sheet.fields)
/** In which column a fault of the rule stands. */
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

type Known = { Id: number; ParaName: string; Address: string; DeviceId: number; DeviceName: string; ProjectId: number }
const pointsWhere = (db: Db, actor: Actor, where: ReturnType<typeof sql>) =>
  db.rows<Known>(sql`
    select t."Id", t."ParaName", t."Address"::text as "Address", d."Id" as "DeviceId", d."DeviceName", g."ProjectId"
    from point t join device d on d."Id" = t."DeviceId" join gateway g on g."Id" = d."GatewayId" where ${visible(point, actor)} and ${where}`)

/** Rules with their texts, their points by name where a name means one. */
const inText = async (db: Db, actor: Actor, rows: readonly Rule[]): Promise<Values[]> => {
  const configures = rows.map((r) => r.RuleConfigure as RuleConfigure)
  const conditions = configures.flatMap((c) => c.RuleList.flatMap((g) => g.Conditions))
  const ids = [
    ...conditions.flatMap((c) => c.AlarmParams.flatMap((p) => p.ParaId ?? [])),
    ...rows.flatMap((r) => heldBy(r).writes.map((w) => w.ParaId)),
  ]
  const deviceIds = conditions.flatMap((c) => c.DeviceSelection?.DeviceIds ?? [])
  const points = new Map((await pointsWhere(db, actor, sql`t."Id" = any(${ids}::bigint[])`)).map((p) => [p.Id, p]))
  const devices = new Map(
    (
      await db.rows<{ Id: number; DeviceName: string }>(
        sql`select "Id", "DeviceName" from device t where "Id" = any(${deviceIds}::bigint[]) and ${visible(device, actor)}`,
      )
    ).map((d) => [d.Id, d.DeviceName]),
  )
  const alike = await db.rows<{ ProjectId: number; DeviceName: string; ParaName: string }>(sql`
    select g."ProjectId", d."DeviceName", t."ParaName" from point t join device d on d."Id" = t."DeviceId" join gateway g on g."Id" = d."GatewayId"
    where (d."DeviceName", t."ParaName") in (select d2."DeviceName", t2."ParaName" from point t2 join device d2 on d2."Id" = t2."DeviceId" where t2."Id" = any(${ids}::bigint[]))
      and ${visible(point, actor)} group by 1, 2, 3 having count(*) > 1`)
  const shared = new Set(alike.map((a) => JSON.stringify([a.ProjectId, a.DeviceName, a.ParaName])))
  const named = (id: number): Named => {
    const p = points.get(id)
    return p && !shared.has(JSON.stringify([p.ProjectId, p.DeviceName, p.ParaName])) ? { device: p.DeviceName, point: p.ParaName } : { id }
  }
  const said = (c: RuleConfigure): SaidRule => ({
    LogicSymbol: c.LogicSymbol,
    groups: c.RuleList.map((g) => ({
      LogicSymbol: g.LogicSymbol,
      conditions: g.Conditions.map(({ AlarmParams, DeviceSelection: s, ...rest }) => ({
        ...rest,
        points: AlarmParams.map((p) =>
          s ? { devices: (s.DeviceIds ?? []).map((id) => devices.get(id) ?? `#${id}`), point: p.ParaName ?? '' } : named(p.ParaId ?? 0),
        ),
      })),
    })),
  })
  const effects = await effectTexts(db, rows, named)
  return rows.map((row, i) => {
    const c = configures[i]!
    return {
      ...row,
      ...effects[i],
      HoldOff: c.HoldOff ?? null,
      Conditions: textOf(said(c)),
      Enable: enableText(c),
      Severity: severityText(c.Severity),
    }
  })
}

const list = async (db: Db, actor: Actor, q: Listing) => {
  const page = await rules.list(db, actor, q)
  return { ...page, Items: await inText(db, actor, page.Items as Rule[]) }
}

/** A point by device and name, or by device and address of its protocol. */
const found = (known: readonly Known[], p: { device: string; point: string }, field = 'Conditions'): number => {
  const ofDevice = known.filter((k) => k.DeviceName === p.device)
  const byName = ofDevice.filter((k) => k.ParaName === p.point)
  const matching = byName.length ? byName : ofDevice.filter((k) => k.Address === p.point)
  if (matching.length === 1) return matching[0]!.Id
  throw new FieldFaults([{ field, rule: 'alarmRule.fault.point', values: { point: `${p.device} / ${p.point}` } }])
}

const read = <T>(values: Values, field: string, of: (text: string) => T): T => {
  try {
    return of(String(values[field] ?? ''))
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    throw new FieldFaults([{ field, rule: 'alarmRule.fault.unreadable', values: { at: error.message || '…' } }])
  }
}
const ofDevices = (db: Db, actor: Actor, project: number, devices: readonly string[]) =>
  pointsWhere(db, actor, sql`g."ProjectId" = ${project} and d."DeviceName" = any(${devices}::text[]) limit 20000`)

/** What the changed cells ask for; the others keep what the rule has. */
const effectsSaid = async (db: Db, actor: Actor, project: number, says: (cell: string) => boolean, values: Values) => {
  const push = says('Messages') ? read(values, 'Messages', readPush) : undefined
  const doing = says('Actions') ? read(values, 'Actions', readDoing) : undefined
  const devices = (doing?.writes ?? []).flatMap(({ ParaId: p }) => ('device' in p ? [p.device] : []))
  const known = devices.length ? await ofDevices(db, actor, project, devices) : []
  return effectsOf(db, project, { push, doing }, (p, field) => {
    if ('devices' in p) throw new FieldFaults([{ field, rule: 'alarmRule.fault.point', values: { point: p.point } }])
    return 'id' in p ? p.id : found(known, p, field)
  })
}

const configureOf = async (db: Db, actor: Actor, project: number, values: Values): Promise<RuleConfigure> => {
  const { LogicSymbol, groups } = read(values, 'Conditions', readText)
  const said = groups.flatMap((g) => g.conditions.flatMap((c) => c.points))
  const wanted = said.flatMap((p) => ('devices' in p ? p.devices : 'device' in p ? [p.device] : []))
  const known = await ofDevices(db, actor, project, wanted)
  const deviceOf = (name: string) => {
    const ids = [...new Set(known.filter((k) => k.DeviceName === name).map((k) => k.DeviceId))]
    if (ids.length === 1) return ids[0]!
    throw new FieldFaults([{ field: 'Conditions', rule: 'alarmRule.fault.point', values: { point: name } }])
  }
  const condition = ({ points, ...rest }: SaidRule['groups'][number]['conditions'][number]) => {
    const [first] = points
    const DeviceSelection =
      first && 'devices' in first
        ? first.devices.length
          ? { Type: Selection.chosen, DeviceIds: first.devices.map(deviceOf) }
          : { Type: Selection.project, ProjectId: project }
        : undefined
    const AlarmParams = points.map((p) => ('devices' in p ? { ParaName: p.point } : { ParaId: 'id' in p ? p.id : found(known, p) }))
    return { ...rest, AlarmParams, ...(DeviceSelection ? { DeviceSelection } : {}) }
  }
  const severity = read(values, 'Severity', readSeverity)
  return {
    ...{ LogicSymbol, ...read(values, 'Enable', readEnable) },
    RuleList: groups.map((g) => ({ LogicSymbol: g.LogicSymbol, Conditions: g.conditions.map(condition) })),
    ...(values.HoldOff ? { HoldOff: Number(values.HoldOff) } : {}),
    ...(severity.length ? { Severity: severity } : {}),
  }
}

/** Rules are known by project and name. All or nothing; a preview is the same, undone. */
const importRules = async (
  db: Db,
  actor: Actor,
  file: Buffer,
  language: ReturnType<typeof languageOf>,
  preview: boolean,
  fixed: Values,
) => {
  const rows = await readResolved(db, actor, sheet, file, { language, fixed, most: mostRows })
  const done: Imported = { Added: 0, Changed: 0, Unchanged: 0, Preview: [] }
  const wrong: Wrong[] = []
  const one = async (db: Db, row: number, values: Values) => {
    const [id] = await db.rows<{ Id: number }>(
      sql`select "Id" from alarm_rule t where "ProjectId" = ${values.ProjectId} and "RuleName" = ${values.RuleName} and ${visible(alarmRule as unknown as Resource, actor)}`,
    )
    const held = id && (await rules.find(db, actor, id.Id))
    const [before] = held ? await inText(db, actor, [held]) : []
    const changed = names.filter((name) => name in values && (!before || (values[name] ?? '') !== (before[name] ?? '')))
    if (!changed.length) return void done.Unchanged++
    const { Conditions, Enable, Severity, HoldOff, Messages, Actions, ...plain } = values
    const says = (...cells: string[]) => changed.some((name) => cells.includes(name))
    const RuleConfigure = says('Conditions', 'Enable', 'Severity', 'HoldOff')
      ? await configureOf(db, actor, Number(values.ProjectId), { ...before, ...values })
      : undefined
    const effects = await effectsSaid(db, actor, Number(values.ProjectId), says, values)
    const draft = { ...plain, ...effects, ...(RuleConfigure ? { RuleConfigure } : {}) }
    if (held) await ruleWrites.change(db, actor, held.Id, draft)
    else await ruleWrites.create(db, actor, draft)
    done[held ? 'Changed' : 'Added']++
    if (done.Preview.length < shownChanges)
      done.Preview.push({
        ...{ Row: row, Verb: held ? 'update' : 'create', Title: String(values.RuleName) },
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
    const name = word(language, `menu.${sheet.permission}`)
    return Format === 'csv'
      ? sendFile(reply, `${name}.csv`, await csvOf(db, actor, sheet, asked, list))
      : sendFile(reply, `${name}.xlsx`, await xlsxOf(db, actor, sheet, asked, list))
  })
  serve(app, alarmRuleCalls.import, async ({ db, actor, query, request }) => {
    const missing = importPermissions(alarmRule as unknown as Resource).find((permission) => !actor.may.has(permission))
    if (missing) throw new Fault('forbidden', { permission: missing })
    const { Preview, ...fixed } = query
    return importRules(db, actor, await uploaded(request), languageOf(request), Preview === 1, fixed)
  })
  serve(app, alarmRuleCalls.template, async ({ query, request, reply }) => {
    const language = languageOf(request)
    const said = {
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
      ...said,
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
        : await toSheet(sheet, names, [example], language),
    )
  })
}
