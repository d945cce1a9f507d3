import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import { permissions } from '../../../../contract/menus.ts'
import { startMailServer } from '../../../../main/testing/providers.ts'
import { temporaryFolder } from '../../../../server/telemetry/telemetry.fixture.ts'
import { openTelemetry, type Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { type Plant, startPlant } from '../../../configuration/gateways/server/harness.ts'
import { reportGroupRoutes } from '../../report-groups/server/routes.ts'
import { reportTemplateRoutes } from '../../reports/server/routes.ts'
import { type Delivered, runStatus } from '../contract.ts'
import { keyFigures, loadLevels } from './levels.fixture.ts'
import { openMailChannel } from './mail.fixture.ts'
import { reportScheduleRoutes } from './routes.ts'
import { openReportRuns, type ReportRuns, retryMs } from './runner.ts'

type Run = {
  Id: number
  Status: number
  Version: number
  PeriodStart: string
  LatePoints: number
  Reason: string | null
  Deliveries: Delivered[] | null
}
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
const log = { warn: () => undefined, error: () => undefined }
const start = Date.parse('2026-03-27T00:00:00+01:00')
let now = start + day
let plant: Plant
let telemetry: Telemetry
let runs: ReportRuns
let stored: Awaited<ReturnType<typeof temporaryFolder>>
let mail: Awaited<ReturnType<typeof startMailServer>>
let channels: Awaited<ReturnType<typeof openMailChannel>>
let [points, template, schedule] = [[] as number[], 0, 0]

const data = <T>(method: string, path: string, body?: unknown, as = 'owner') => plant.kit.data<T>(as, method, `/DataCenter/${path}`, body)
const call = (method: string, path: string, body?: unknown, as = 'owner') =>
  plant.kit.call<unknown>(as, method, `/DataCenter/${path}`, body)
const listed = async (as = 'owner') => (await data<Page<Run>>('GET', 'ReportRun/List?OrderColumn=Id&OrderType=asc', undefined, as)).Items
const load = (from: number, to: number) => loadLevels(telemetry, points, from, to)
const open = () => {
  const { database, sessions } = plant.kit
  const folder = `${stored.folder}/reports`
  return openReportRuns({
    database,
    sessions,
    telemetry,
    delivery: channels.delivery,
    folder,
    font: undefined,
    clock: () => now,
    url: 'https://plant.example/',
    log,
  })
}

beforeAll(async () => {
  mail = await startMailServer()
  stored = await temporaryFolder('report-schedules')
  const lazy = <T extends object>(of: () => T) => new Proxy({} as T, { get: (_, name) => Reflect.get(of(), name) })
  const reader = { telemetry: lazy(() => telemetry) }
  plant = await startPlant({
    routes: [
      reportGroupRoutes,
      (api) => reportTemplateRoutes(api, { ...reader, database: lazy(() => plant.kit.database) }),
      (api) =>
        reportScheduleRoutes(
          api,
          lazy(() => runs),
          {
            database: lazy(() => plant.kit.database),
            sessions: { actorOf: (...of) => plant.kit.sessions.actorOf(...of) },
            clock: () => now,
            steady: () => now,
          },
        ),
    ],
  })
  channels = await openMailChannel(plant, { port: mail.port, clock: () => now, files: `${stored.folder}/reports`, log })
  telemetry = await openTelemetry({ folder: stored.folder, registry: plant.registry, clock: () => now, log })
  runs = open()
  const at = await plant.equip(2)
  points = at.points
  await plant.kit.person('colleague', plant.kit.enterprises.ours, { menus: permissions, projects: [] })
  await plant.kit.db.rows(sql`update "user" set "Email" = "UserNO" || '@example.com', "Language" = 'en'`)
  await plant.kit.db.rows(sql`update enterprise set "TimeZoneKey" = 'Europe/Madrid'`)
  await plant.kit.sessions.changed('all')
  await load(start, start + day)
  const group = await data<{ Id: number }>('POST', 'ReportGroup', {
    GroupName: 'Pumps',
    GroupType: 3,
    Points: points.map((ParaId) => ({ ParaId })),
  })
  const Blocks = [
    { Type: 'text', Text: 'From {from}, {points} points.' },
    { Type: 'keyFigures', Title: 'Levels' },
    { Type: 'timeTable', Unit: 'hour' },
  ]
  template = (
    await data<{ Id: number }>('POST', 'ReportTemplate', { TemplateName: 'Daily', GroupId: group.Id, Landscape: 1, Period: 'day', Blocks })
  ).Id
})
afterAll(async () => {
  await runs?.close()
  await channels?.delivery.stop()
  await telemetry?.close()
  await plant?.close()
  await stored?.remove()
  await mail?.close()
})

test('a template is judged, and shows what it comes to', async () => {
  const body = { GroupId: 0, Period: 'day', Language: 'es', Blocks: [{ Type: 'keyFigures' }, { Type: 'text', Text: 'Hola' }] }
  body.GroupId = (await data<Page<{ Id: number }>>('GET', 'ReportGroup/SettingList')).Items[0]!.Id
  const seen = await data<{ Parts: { Is: string; Title?: string; Figures?: { Value: number }[] }[] }>(
    'POST',
    'ReportTemplate/Preview',
    body,
  )
  expect(seen.Parts.map((p) => p.Is)).toEqual(['title', 'figures', 'text'])
  expect(seen.Parts[1]).toMatchObject({ Title: 'Cifras clave' })
  expect(seen.Parts[1]!.Figures![0]!.Value).toBeCloseTo(23, 0)
  const fields = async (Blocks: object[]) =>
    Object.keys((await call('POST', 'ReportTemplate/Preview', { ...body, Blocks })).Details?.Fields ?? {})
  expect(await fields([{ Type: 'bars', Unit: 'shift' }])).toEqual(['Blocks.0.Unit'])
  expect(await fields([{ Type: 'text', Text: ' ' }])).toEqual(['Blocks.0.Text'])
  expect(await fields([{ Type: 'pageBreak' }, { Type: 'io', Title: 'Of {compnay}' }])).toEqual(['Blocks.1.Title'])
  expect(Object.keys((await call('PUT', 'ReportTemplate', { Id: template, Heading: '{}' })).Details?.Fields ?? {})).toEqual(['Heading'])
  expect(await call('POST', 'ReportTemplate/Preview', body, 'stranger')).toMatchObject({ StatusCode: 404 })
  expect(await call('POST', 'ReportTemplate/Preview', body, 'colleague')).toMatchObject({ StatusCode: 400 })
})

test('a schedule makes each period once, also by two processes and after one that died, and e-mails the file to who may see it', async () => {
  const idOf = (name: string) => plant.kit.people.get(name)!.id
  const Receivers = [idOf('owner'), idOf('colleague')]
  const draft = {
    ScheduleName: 'Each morning',
    ReportTemplateId: template,
    Cron: '0 30 2 * * ?',
    WaitMinutes: 10,
    Receivers,
    Keep: 5,
    Format: 'xlsx',
  }
  const refused = async (more: object) => Object.keys((await call('POST', 'ReportSchedule', { ...draft, ...more })).Details?.Fields ?? {})
  expect(await refused({ Cron: '0 0/5 * * * ?' })).toEqual(['Cron'])
  expect(await refused({ Receivers: [idOf('stranger')] })).toEqual(['Receivers'])
  schedule = (await data<{ Id: number }>('POST', 'ReportSchedule', draft)).Id
  now += 2.5 * hour + 5 * minute
  expect(await runs.tick()).toEqual({ made: 0, failed: 0 })
  now += 5 * minute
  const second = open()
  // A process that took the report and died: its lease is over.
  await Promise.all([runs.tick(), second.tick()])
  expect((await listed()).map((r) => [r.Status, r.Version, r.PeriodStart.slice(0, 10)])).toEqual([[runStatus.done, 1, expect.any(String)]])
  await plant.kit.db.rows(sql`update report_run set "Status" = 1, "LeaseBy" = 'dead', "LeaseUntil" = ${new Date(now - 1)}`)
  await second.tick()
  await second.close()
  const [run] = await listed()
  expect(run!.Deliveries!.map((d) => [d.UserName, d.Outcome])).toEqual(
    expect.arrayContaining([
      ['owner', 'attached'],
      ['colleague', 'notAllowed'],
    ]),
  )
  await channels.delivery.settle()
  expect(mail.mails.map((m) => m.to)).toEqual([['owner@example.com']])
  expect(mail.mails[0]!.text).toMatch(/application\/vnd\.openxmlformats[\s\S]*daily-2026-03-27/)
  const file = await plant.kit.request('owner', 'GET', `/DataCenter/ReportRun/File?Id=${run!.Id}`)
  expect(file.rawPayload.subarray(0, 2).toString()).toBe('PK')
  const noted = sql<{
    After: { Sha256: string }
  }>`select "After" from change where "Resource" = 'reportRun' and "Verb" = 'export' order by "Id" desc limit 1`
  const [entry] = await plant.kit.db.rows(noted)
  expect(entry!.After.Sha256).toBe(createHash('sha256').update(file.rawPayload).digest('hex'))
})

test('a test goes to the caller alone, in the pages of its template', async () => {
  await data('PUT', 'ReportSchedule', { Id: schedule, Format: 'pdf' })
  expect(await call('POST', 'ReportSchedule/Test', { Id: schedule }, 'stranger')).toMatchObject({ StatusCode: 404 })
  const sent = mail.mails.length
  await data('POST', 'ReportSchedule/Test', { Id: schedule })
  await expect.poll(async () => (await listed()).at(-1)?.Status, { timeout: 60_000 }).toBe(runStatus.done)
  const run = (await listed()).at(-1)!
  expect(run.Deliveries!.map((d) => [d.UserName, d.Outcome])).toEqual([['owner', 'attached']])
  await channels.delivery.settle()
  expect(mail.mails.slice(sent).map((m) => m.to)).toEqual([['owner@example.com']])
  const { rawPayload } = await plant.kit.request('owner', 'GET', `/DataCenter/ReportRun/File?Id=${run.Id}`)
  expect(rawPayload.toString('latin1')).toMatch(/\/MediaBox \[0 0 841.89 595.28\]/)
  await plant.kit.db.rows(sql`update "user" set "Email" = null where "UserNO" = 'owner'`)
  expect(await call('POST', 'ReportSchedule/Test', { Id: schedule })).toMatchObject({ StatusCode: 400 })
  await plant.kit.db.rows(sql`update "user" set "Email" = 'owner@example.com' where "UserNO" = 'owner'`)
  await data('DELETE', `ReportRun?Ids=${run.Id}`)
  await data('PUT', 'ReportSchedule', { Id: schedule, Format: 'xlsx' })
})

test('who does not see all its points reads it once it is released to his role', async () => {
  const [run] = await listed()
  expect(await listed('colleague')).toEqual([])
  expect(await call('GET', `ReportRun/File?Id=${run!.Id}`, undefined, 'colleague')).toMatchObject({ StatusCode: 404 })
  const [role] = await plant.kit.db.rows<{ Id: number }>(sql`select "Id" from role where "RoleName" = 'colleague'`)
  expect(Object.keys((await call('POST', 'ReportRun/Release', { Id: run!.Id })).Details?.Fields ?? {})).toEqual(['PersonId'])
  await data('POST', 'ReportRun/Release', { Id: run!.Id, RoleId: role!.Id })
  expect((await listed('colleague')).map((r) => r.Id)).toEqual([run!.Id])
  expect((await plant.kit.request('colleague', 'GET', `/DataCenter/ReportRun/File?Id=${run!.Id}`)).statusCode).toBe(200)
  expect(await call('GET', `ReportRun/File?Id=${run!.Id}`, undefined, 'stranger')).toMatchObject({ StatusCode: 404 })
  await data('POST', 'ReportRun/Withdraw', { Id: run!.Id })
  expect(await listed('colleague')).toEqual([])
})

test('late data marks a report with the figures that it moves, and another version stands beside it', async () => {
  const [run] = await listed()
  const before = await keyFigures(data)
  await load(start + 2 * minute, start + hour)
  now += 2 * hour
  await runs.tick()
  const after = await keyFigures(data)
  expect(after[0]).not.toBe(before[0])
  expect((await listed())[0]).toMatchObject({ LatePoints: 2, Late: before.map((Before, i) => ({ Before, After: after[i] })) })
  await data('POST', 'ReportRun/Remake', { Id: run!.Id })
  await expect.poll(async () => (await listed()).at(-1)?.Status, { timeout: 60_000 }).toBe(runStatus.done)
  expect((await listed()).map((r) => [r.Version, r.LatePoints, r.PeriodStart])).toEqual([
    [1, 2, run!.PeriodStart],
    [2, 0, run!.PeriodStart],
  ])
})

test('days that passed while no server ran are made up for once, in order, also where clocks change; old ones go', async () => {
  // 02:30 of 29 March does not exist in Madrid.
  now = Date.parse('2026-03-31T12:00:00+02:00')
  await runs.tick()
  await runs.tick()
  const made = sql<{
    PeriodStart: Date
    PeriodEnd: Date
  }>`select "PeriodStart", "PeriodEnd" from report_run where "ByHand" = 0 order by "Id"`
  const rows = await plant.kit.db.rows(made)
  const days = rows.map((r) => new Date(r.PeriodStart).toLocaleDateString('sv-SE', { timeZone: 'Europe/Madrid' }))
  expect(days.slice(-3)).toEqual(['2026-03-28', '2026-03-29', '2026-03-30'])
  expect(new Set(days).size).toBe(days.length)
  expect((rows.at(-2)!.PeriodEnd.getTime() - rows.at(-2)!.PeriodStart.getTime()) / hour).toBe(23)
  await data('PUT', 'ReportSchedule', { Id: schedule, Keep: 2 })
  await runs.tick()
  expect(await listed()).toHaveLength(2)
})

test('reports of one company do not wait for those of another, few are made by hand, and they have their room', async () => {
  const { db, enterprises } = plant.kit
  const waiting = (enterprise: number, count: number, byHand: 0 | 1) =>
    db.rows(sql`insert into report_run ("EnterpriseId", "PeriodStart", "PeriodEnd", "Version", "ByHand", "Format", "Language")
      select ${enterprise}, ${new Date(now - day)}, ${new Date(now)}, 1, ${byHand}, 'csv', 'en' from generate_series(1, ${count})`)
  await waiting(enterprises.ours, 30, 1)
  expect((await call('POST', 'ReportSchedule/Run', { Id: schedule })).StatusCode).toBe(429)
  expect((await call('POST', 'ReportRun/Remake', { Id: (await listed())[0]!.Id })).StatusCode).toBe(429)
  await waiting(enterprises.theirs, 3, 0)
  await runs.tick() // Nobody owns them: each fails at its turn.
  const ended = await db.rows(sql<{ EnterpriseId: number }>`select "EnterpriseId" from report_run where "Status" = 3 order by "UpdateTime"`)
  expect([ended.length, ended.findLastIndex((r) => r.EnterpriseId === enterprises.theirs) < 10]).toEqual([33, true])
  await db.rows(sql`update report_run set "FileBytes" = 2000000000`)
  await data('POST', 'ReportSchedule/Run', { Id: schedule })
  await expect.poll(() => db.rows(sql`select 1 from report_run where "Reason" = 'reportsNoRoom'`)).toHaveLength(1)
})

test('a report that a fault of the moment stopped is tried again by itself, later each time, and at last given up', async () => {
  const { db } = plant.kit
  await db.rows(sql`update report_run set "FileBytes" = 1`)
  const state = async () => (await db.rows(sql`select "Status", "Reason", "Tries" from report_run order by "Id" desc limit 1`))[0]
  const blocks = (json: string) => db.rows(sql`update report_template set "Blocks" = ${json}::jsonb where "Id" = ${template}`)
  const after = async (wait: number, made: number, failed: number) => {
    now += wait
    expect(await runs.tick()).toEqual({ made, failed })
  }
  await blocks('5') // Nothing that the product says.
  await after(day, 0, 1)
  expect(await state()).toEqual({ Status: runStatus.waiting, Reason: 'exportFailed', Tries: 1 })
  await after(0, 0, 0)
  await after(retryMs[0]!, 0, 1)
  await blocks('[{"Type": "keyFigures"}]')
  await after(retryMs[0]!, 0, 0)
  await after(retryMs[1]!, 1, 0)
  expect(await state()).toEqual({ Status: runStatus.done, Reason: null, Tries: 2 })
  await blocks('5')
  await after(day - 2 * retryMs[0]! - retryMs[1]!, 0, 1)
  for (const wait of retryMs) await after(wait, 0, 1)
  expect(await state()).toEqual({ Status: runStatus.failed, Reason: 'exportFailed', Tries: 3 })
  await blocks('[{"Type": "keyFigures"}]')
})

test('a schedule whose owner is locked stops and says why', async () => {
  await plant.kit.db.rows(sql`update "user" set "IsLock" = 1 where "UserNO" = 'owner'`)
  now += day
  expect(await runs.tick()).toEqual({ made: 0, failed: 1 })
  const [held] = await plant.kit.db.rows(sql`select "Status", "Reason", "NextTime" from report_schedule where "Id" = ${schedule}`)
  expect(held).toEqual({ Status: 0, Reason: 'reportOwner', NextTime: null })
  expect(await plant.kit.db.rows(sql`select 1 from notice where "Wording" = 'reportStopped'`)).toHaveLength(1)
  await plant.kit.db.rows(sql`update "user" set "IsLock" = 0 where "UserNO" = 'owner'`)
})
