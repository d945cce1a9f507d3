// The period of a report: that of its template, another unit, or a shift, chosen by its schedule or by "Make now".
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import { loadLevels } from './levels.fixture.ts'
import { start, startReports } from './reports.fixture.ts'
import { openReportRuns } from './runner.ts'

const [hour, day] = [3_600_000, 86_400_000]
const zone = 'Europe/Madrid'
/** A Wednesday, after the night of 29 March in which clocks changed. */
let now = Date.parse('2026-04-01T03:00:00+02:00')
let at: Awaited<ReturnType<typeof startReports>>
let project = 0

type Run = { Id: number; FileName: string; Version: number; Status: number; ByHand: number; LatePoints: number }
const rows = <T>(query: ReturnType<typeof sql<T>>) => at.plant.kit.db.rows(query as never) as Promise<T[]>
const make = (ScheduleName: string, given: object = {}) =>
  at.data<{ Id: number; Period: string; NextTime: string }>('POST', 'ReportSchedule', {
    ...{ ScheduleName, ReportTemplateId: at.template, Format: 'csv', Cron: '0 0 6 * * ?' },
    ...given,
  })
const refused = async (path: string, body: object, method = 'POST') =>
  Object.keys((await at.plant.kit.call('owner', method, `/DataCenter/${path}`, body)).Details?.Fields ?? {})
/** Periods of the reports of a schedule, from and until, in the zone of the company. */
const periods = async (schedule: number, byHand = 0) => {
  const made = await rows(sql<{ PeriodStart: Date; PeriodEnd: Date; ShiftName: string | null }>`
    select "PeriodStart", "PeriodEnd", "ShiftName" from report_run where "ScheduleId" = ${schedule} and "ByHand" = ${byHand} order by "Id"`)
  const text = (time: Date) => time.toLocaleString('sv-SE', { timeZone: zone }).slice(5, 16)
  return made.map((r) => [text(r.PeriodStart), text(r.PeriodEnd), ...(r.ShiftName ? [r.ShiftName] : [])].join(' '))
}
const listed = async (schedule: number) =>
  (await at.data<Page<Run>>('GET', `ReportRun/List?ScheduleId=${schedule}&OrderColumn=Id&OrderType=asc`)).Items
const made = (schedule: number) =>
  expect.poll(async () => (await listed(schedule)).every((r) => r.Status === 2), { timeout: 60_000 }).toBe(true)
const daysOn = (days: number) => {
  now += days * day
  return at.runs.tick()
}

beforeAll(async () => {
  at = await startReports({ clock: () => now })
  const [of] = await rows(sql<{ Id: number }>`
    select g."ProjectId" as "Id" from point p join device d on d."Id" = p."DeviceId" join gateway g on g."Id" = d."GatewayId" where p."Id" = ${at.points[0]}`)
  project = of!.Id
})
afterAll(() => at?.close())

test('a schedule has the period of its template or another unit, and makes one report of each period, also by two processes', async () => {
  const asTemplate = await make('As the template')
  const weekly = await make('Weeks', { Period: 'week' })
  const monthly = await make('Months', { Period: 'month' })
  expect([asTemplate.Period, weekly.Period]).toEqual(['template', 'week'])
  expect(await refused('ReportSchedule', { ScheduleName: 'Of an hour', ReportTemplateId: at.template, Period: 'hour' })).toEqual(['Period'])
  const { plant, telemetry, channels } = at
  const others = { telemetry, delivery: channels.delivery, folder: at.files, font: undefined, url: 'https://plant.example/' }
  const second = openReportRuns({
    ...{ database: plant.kit.database, sessions: plant.kit.sessions, ...others },
    ...{ clock: () => now, log: { warn: () => undefined } },
  })
  for (let days = 0; days < 7; days++) {
    now += day
    await Promise.all([at.runs.tick(), second.tick()])
  }
  await second.close()
  expect((await periods(asTemplate.Id)).slice(-2)).toEqual(['04-05 00:00 04-06 00:00', '04-06 00:00 04-07 00:00'])
  expect(await periods(weekly.Id)).toEqual(['03-23 00:00 03-30 00:00', '03-30 00:00 04-06 00:00'])
  expect(await periods(monthly.Id)).toEqual(['03-01 00:00 04-01 00:00'])
  const names = async (schedule: number) => (await listed(schedule)).map((r) => r.FileName.replace(/-\d{8}-\d{4}/, ''))
  expect(await names(weekly.Id)).toEqual(['hand-over-2026-03-23-2026-03-29.csv', 'hand-over-2026-03-30-2026-04-05.csv'])
  expect(await names(monthly.Id)).toEqual(['hand-over-2026-03.csv'])
})

test('a schedule that gets another period makes the reports of that one from its next time on', async () => {
  const { Id, NextTime } = await make('Changes')
  await daysOn(1)
  const [first] = await periods(Id)
  const changed = await at.data<{ NextTime: string }>('PUT', 'ReportSchedule', { Id, Period: 'year' })
  expect(changed.NextTime).toBe((await at.data<{ NextTime: string }>('GET', `ReportSchedule?Id=${Id}`)).NextTime)
  expect(changed.NextTime > NextTime).toBe(true)
  await daysOn(2)
  expect(await periods(Id)).toEqual([first, '01-01 00:00 01-01 00:00'])
  await at.data('DELETE', `ReportSchedule?Ids=${Id}`)
})

test('a report made now is about the schedule’s last whole period or one of another unit, each the next version of its own', async () => {
  const { Id } = await make('By hand', { Period: 'week', Status: 0 })
  const runNow = (given: object = {}) => at.data('POST', 'ReportSchedule/Run', { Id, ...given })
  await runNow()
  await made(Id)
  for (const Period of ['month', 'month', 'year', 'template']) await runNow({ Period })
  await made(Id)
  expect(await periods(Id, 1)).toEqual([
    ...['03-30 00:00 04-06 00:00', '03-01 00:00 04-01 00:00', '03-01 00:00 04-01 00:00', '01-01 00:00 01-01 00:00'],
    '04-10 00:00 04-11 00:00',
  ])
  expect((await listed(Id)).map((r) => r.Version)).toEqual([1, 1, 2, 1, 1])
  expect(await refused('ReportSchedule/Run', { Id, Period: 'hour' })).toEqual(['Period'])
  expect(await refused('ReportSchedule/Run', { Id, Period: 'shift' })).toEqual(['Period'])
  expect((await periods(Id, 1)).length).toBe(5)
})

test('late data marks a report of another period than its template’s, and its revision is of the same period and unit', async () => {
  const { Id } = await make('Revised', { Status: 0 })
  await at.data('POST', 'ReportSchedule/Run', { Id, Period: 'month' })
  await made(Id)
  await at.data('PUT', 'ReportTemplate', { Id: at.template, Period: 'year' })
  await loadLevels(at.telemetry, at.points, start + 14 * hour, start + 15 * hour)
  await daysOn(1)
  expect((await listed(Id)).map((r) => r.LatePoints)).toEqual([2])
  await at.data('POST', 'ReportRun/Remake', { Id: (await listed(Id))[0]!.Id })
  await made(Id)
  const files = await listed(Id)
  expect(files.map((r) => [r.Version, r.LatePoints])).toEqual([
    [1, 2],
    [2, 0],
  ])
  expect(files[1]!.FileName).toMatch(/^hand-over-2026-03-v2-/)
  expect(await periods(Id, 1)).toEqual(['03-01 00:00 04-01 00:00', '03-01 00:00 04-01 00:00'])
  await at.data('PUT', 'ReportTemplate', { Id: at.template, Period: 'day' })
})

test('by the clock, a schedule has the last whole shift of its project; at the end of shifts, it always has that shift', async () => {
  const draft = { Period: 'shift', ProjectId: project }
  const body = { ScheduleName: 'Night', ReportTemplateId: at.template, Format: 'csv', ...draft }
  expect(await refused('ReportSchedule', body)).toEqual(['ProjectId'])
  await at.plant.kit.data('owner', 'POST', '/Project/ShiftPlan', {
    ...{ ProjectId: project, PlanName: 'Two', ValidFrom: '2026-01-01' },
    Times: [
      { Name: 'Day', Start: '06:00', End: '22:00' },
      { Name: 'Night', Start: '22:00', End: '06:00' },
    ],
  })
  expect(await refused('ReportSchedule', { ...body, ProjectId: undefined })).toEqual(['ProjectId'])
  const { Id } = await make('Night', draft)
  expect(await refused('ReportSchedule', { Id, ProjectId: null }, 'PUT')).toEqual(['ProjectId'])
  await daysOn(1)
  const [night] = await periods(Id)
  expect(night).toMatch(/22:00 .* 06:00 Night$/)
  const ends = await make('Each', { Trigger: 'shift', ProjectId: project, Period: 'month' })
  expect(ends.Period).toBe('shift')
  await daysOn(1)
  expect((await periods(ends.Id)).map((p) => p.split(' ').at(-1))).toEqual(['Night', 'Day'])
  await at.data('POST', 'ReportSchedule/Run', { Id: ends.Id, Period: 'month' })
  await made(ends.Id)
  expect(await periods(ends.Id, 1)).toEqual(['03-01 00:00 04-01 00:00'])
})
