// Blocks of energy in report templates, and reports of energy on paper: who sees which figures, and to whom money is sent.
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import { permissions } from '../../../../contract/menus.ts'
import { reportBlocks } from '../../../../main/reportBlocks.ts'
import type { Kit } from '../../../../main/testing/kit.ts'
import { startMailServer } from '../../../../main/testing/providers.ts'
import { temporaryFolder } from '../../../../server/telemetry/telemetry.fixture.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { reportGroupRoutes } from '../../../analysis/report-groups/server/routes.ts'
import { openMailChannel } from '../../../analysis/report-schedules/server/mail.fixture.ts'
import { reportScheduleRoutes } from '../../../analysis/report-schedules/server/routes.ts'
import { openReportRuns, type ReportRuns } from '../../../analysis/report-schedules/server/runner.ts'
import type { Part, ReportDocument } from '../../../analysis/reports/blocks.ts'
import { reportTemplateRoutes } from '../../../analysis/reports/server/routes.ts'
import { startWorks } from './consumption.fixture.ts'

const hour = 3_600_000
/** Local midnight in Madrid, of 1 April and of 1 May. */
const [april, may] = [Date.parse('2026-03-31T22:00:00Z'), Date.parse('2026-04-30T22:00:00Z')]
let now = may + 12 * hour
let kit: Kit
let works: Awaited<ReturnType<typeof startWorks>>
let runs: ReportRuns
let mail: Awaited<ReturnType<typeof startMailServer>>
let channels: Awaited<ReturnType<typeof openMailChannel>>
let stored: Awaited<ReturnType<typeof temporaryFolder>>
const ids: Record<string, number> = {}
const lazy = <T extends object>(of: () => T) => new Proxy({} as T, { get: (_, name) => Reflect.get(of(), name) })

const Blocks = [{ Type: 'energy' }, { Type: 'cost', Title: 'What it cost' }]
const data = <T>(method: string, path: string, body?: unknown, as = 'owner') => kit.data<T>(as, method, path, body)
const allBut = (...left: string[]) => permissions.filter((code) => !left.includes(code))

beforeAll(async () => {
  mail = await startMailServer()
  stored = await temporaryFolder('energy-reports')
  const database = lazy(() => kit.database)
  const readerOf = (telemetry: Telemetry) => ({ database, telemetry, blocks: reportBlocks({ telemetry }) })
  const sessions = { actorOf: (...of: Parameters<Kit['sessions']['actorOf']>) => kit.sessions.actorOf(...of) }
  works = await startWorks(
    () => now,
    [
      (app: FastifyInstance) => reportGroupRoutes(app),
      (app, { telemetry }) => reportTemplateRoutes(app, readerOf(telemetry)),
      (app, { clock }) =>
        reportScheduleRoutes(
          app,
          lazy(() => runs),
          { database, sessions, clock, steady: clock },
        ),
    ],
  )
  kit = works.kit
  const { ProjectId, meter } = works
  const PriceStandardId = await works.tariff()
  const circuit = async (EnergyCode: string, more: object) =>
    (await data<{ Id: number }>('POST', '/Energy/Info', { EnergyName: EnergyCode, EnergyCode, ProjectId, ...more })).Id
  const counted = async (hourly: number) => {
    const point = await meter()
    await works.count(point, { from: april - 31 * 24 * hour, to: may + 2 * hour }, 100, hourly, hour / 4)
    return point
  }
  ids.point = await counted(10)
  ids.site = await circuit('site', { Source: 1, ParaId: ids.point, PriceStandardId })
  ids.pumps = await circuit('pumps', { Source: 1, ParaId: await counted(4), ParentId: ids.site, PriceStandardId })
  ids.modest = await kit.person('modest', kit.enterprises.ours, { menus: allBut('m10701.cost') })
  await kit.person('powerless', kit.enterprises.ours, { menus: allBut('m10701', 'm10701.cost') })
  ids.accountant = await kit.person('accountant', kit.enterprises.ours, { menus: [...permissions] })
  const Points = [{ ParaId: ids.point }]
  ids.group = (await data<{ Id: number }>('POST', '/DataCenter/ReportGroup', { GroupName: 'Meters', GroupType: 3, IsShared: 1, Points })).Id
  const draft = { TemplateName: 'Energy of the month', GroupId: ids.group, Period: 'month', Blocks }
  ids.template = (await data<{ Id: number }>('POST', '/DataCenter/ReportTemplate', draft)).Id
  channels = await openMailChannel(works, { port: mail.port, clock: () => now, files: stored.folder, log: console as never })
  runs = openReportRuns({
    ...{ ...readerOf(works.telemetry), database: kit.database, sessions: kit.sessions, delivery: channels.delivery, folder: stored.folder },
    ...{ font: undefined, clock: () => now, url: undefined, log: { warn: (of) => expect.fail(JSON.stringify(of)) } },
  })
}, 120_000)
afterAll(async () => {
  await runs?.close()
  await channels?.delivery.stop()
  await works?.close()
  await mail?.close()
  await stored?.remove()
})

const preview = (as: string) =>
  data<ReportDocument>('POST', '/DataCenter/ReportTemplate/Preview', { GroupId: ids.group, Period: 'month', Blocks, Language: 'en' }, as)
const tables = ({ Parts }: ReportDocument) => Parts.filter((part): part is Extract<Part, { Is: 'table' }> => part.Is === 'table')

it('a month says what each circuit used against the month before, day by day, and what it cost by price level', async () => {
  const report = await preview('owner')
  expect(report.Parts.map(({ Is }) => Is)).toEqual(['title', 'figures', 'chart', 'table', 'figures', 'table', 'table'])
  const [, energy, days, , money] = report.Parts as [Part, Part, Part, Part, Part]
  // 30 days of 10 kW; the circuit below it is a part of it.
  expect(energy).toMatchObject({ Title: 'Energy', Figures: [{ Name: 'Electricity', Unit: 'kWh', Value: 7200, Coverage: 1 }] })
  expect(days).toMatchObject({ Bars: true, Curves: [{ Value: Array.from({ length: 30 }, () => 240) }] })
  // 8 h at 0.10 and 16 h at 0.20 on each of 30 days.
  expect(money).toMatchObject({ Title: 'What it cost', Figures: [{ Unit: 'EUR', Digits: 2 }] })
  expect((money as { Figures: { Value: number }[] }).Figures[0]!.Value).toBeCloseTo(30 * (80 * 0.1 + 160 * 0.2), 6)
  const [circuits, levels, costs] = tables(report)
  expect(circuits!.Rows.map((row) => row.slice(0, 4))).toEqual([
    ['pumps', 'pumps', 2880, 'kWh'],
    ['site', 'site', 7200, 'kWh'],
  ])
  expect(levels!.Rows.map(([, level, amount]) => [level, amount])).toEqual([
    ['Peak', 4800],
    ['Valley', 2400],
  ])
  expect(costs!.Rows.map(([name, , , , cost]) => [name, Math.round(Number(cost))])).toEqual([
    ['pumps', 480],
    ['site', 1200],
  ])
})

it('who may see no money gets energy alone, and who sees no energy neither', async () => {
  const texts = async (as: string) => (await preview(as)).Parts.flatMap((part) => (part.Is === 'text' ? [part.Title] : []))
  expect(await texts('modest')).toEqual(['What it cost'])
  expect(await texts('powerless')).toEqual(['Energy', 'What it cost'])
  expect(JSON.stringify(await preview('modest'))).not.toContain('EUR')
  expect(await kit.call('stranger', 'GET', `/DataCenter/ReportTemplate?Id=${ids.template}`)).toMatchObject({ StatusCode: 404 })
})

type Run = { Id: number; Status: number; Deliveries: { UserName: string; Outcome: string }[] }
it('a scheduled report with money goes to people who may see it, and outside to the addresses that are named for it', async () => {
  await kit.db.rows(sql`update "user" set "Email" = "UserNO" || '@example.com' where "EnterpriseId" = ${kit.enterprises.ours}`)
  await kit.db.rows(sql`insert into tenant_config ("EnterpriseId", "Name", "Config")
    values (${kit.enterprises.ours}, 'reportDelivery', '{"Domains": "supplier.example", "OpenLinks": 0}'::jsonb)`)
  const Receivers = [ids.modest, ids.accountant]
  const Outside = ['bill@supplier.example', 'other@supplier.example']
  const draft = { ScheduleName: 'Monthly energy', ReportTemplateId: ids.template, Cron: '0 0 6 2 * ?', Receivers, Outside }
  const refused = async (body: object, as = 'owner') =>
    Object.keys((await kit.call(as, 'POST', '/DataCenter/ReportSchedule', { ...draft, ...body })).Details?.Fields ?? {})
  expect(await refused({ MoneyOutside: ['stranger@supplier.example'] })).toEqual(['MoneyOutside'])
  expect(await refused({ MoneyOutside: [Outside[0]] }, 'modest')).toEqual(['MoneyOutside'])
  // A block of cost may come into the template later.
  const plain = { TemplateName: 'Energy alone', GroupId: ids.group, Period: 'month', Blocks: [{ Type: 'energy' }] }
  const { Id: ReportTemplateId } = await data<{ Id: number }>('POST', '/DataCenter/ReportTemplate', plain)
  expect(await refused({ ReportTemplateId, MoneyOutside: [Outside[0]] }, 'modest')).toEqual(['MoneyOutside'])
  await data('POST', '/DataCenter/ReportSchedule', { ...draft, MoneyOutside: [Outside[0]] })
  now = may + 34 * hour
  await runs.tick()
  await channels.delivery.settle()
  const { Items } = await data<Page<Run>>('GET', '/DataCenter/ReportRun/List')
  const [run] = Items as [Run]
  expect(run.Status).toBe(2)
  const outcomes = Object.fromEntries(run.Deliveries.map(({ UserName, Outcome }) => [UserName, Outcome]))
  expect(outcomes).toEqual({
    ...{ modest: 'notAllowed', accountant: 'attached' },
    ...{ 'bill@supplier.example': 'attached', 'other@supplier.example': 'noMoney' },
  })
  expect(mail.mails.flatMap(({ to }) => to).sort()).toEqual(['accountant@example.com', 'bill@supplier.example'])
  const file = (as: string) => kit.request(as, 'GET', `/DataCenter/ReportRun/File?Id=${run.Id}`)
  expect((await file('accountant')).statusCode).toBe(200)
  expect((await file('modest')).json()).toMatchObject({ StatusCode: 404 })
})

it('both reports come on paper, with money for those who see it', async () => {
  const range = `ProjectId=${works.ProjectId}&DateFrom=2026-04-01&DateTo=2026-04-30&Format=pdf`
  for (const path of [`DataOutput?${range}`, `DataOutput?${range}&Columns=level`, `RegionOutput?${range}`]) {
    const { rawPayload, headers } = await kit.request('owner', 'GET', `/Energy/Report/${path}`)
    expect(rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
    expect(String(headers['content-disposition'])).toContain('.pdf')
  }
  expect(await kit.call('owner', 'GET', `/Energy/Report/DataOutput?${range.replace('pdf', 'exe')}`)).toMatchObject({ StatusCode: 400 })
  expect(await kit.call('viewer', 'GET', `/Energy/Report/DataOutput?${range}`)).toMatchObject({ StatusCode: 403 })
})
