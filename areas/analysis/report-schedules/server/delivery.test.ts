import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import { permissions } from '../../../../contract/menus.ts'
import { type Delivered, linkDays, type ReportFile, runStatus } from '../contract.ts'
import { start, startReports } from './reports.fixture.ts'

type Run = {
  Id: number
  Status: number
  PeriodStart: string
  FileName: string
  Files: ReportFile[]
  OpenLinks: number
  Deliveries: Delivered[]
}
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
let now = start + 12 * hour
let steady = 0
let at: Awaited<ReturnType<typeof startReports>>
let { plant, runs, mail, channels, template, points } = {} as typeof at
let schedule = 0

const data = <T>(method: string, path: string, body?: unknown, as = 'owner') => plant.kit.data<T>(as, method, path, body)
const call = (method: string, path: string, body?: unknown, as: string | null = 'owner') =>
  plant.kit.call<unknown>(as ?? undefined, method, path, body)
const fieldsOf = async (method: string, path: string, body: unknown) => Object.keys((await call(method, path, body)).Details?.Fields ?? {})
const listed = async () => (await data<Page<Run>>('GET', '/DataCenter/ReportRun/List?OrderColumn=Id&OrderType=asc')).Items
const allow = (Domains: string | null, OpenLinks: number) =>
  plant.kit.db.rows(sql`insert into tenant_config ("EnterpriseId", "Name", "Config")
    values (${plant.kit.enterprises.ours}, 'reportDelivery', ${JSON.stringify({ Domains, OpenLinks })}::jsonb)
    on conflict ("EnterpriseId", "Name") do update set "Config" = excluded."Config"`)
/** Runs due schedules and returns the mails that arrived. */
const mailsOf = async (at: number) => {
  const before = mail.mails.length
  now = at
  await runs.tick()
  await channels.delivery.settle()
  return mail.mails.slice(before)
}

beforeAll(async () => {
  at = await startReports({ clock: () => now, steady: () => steady })
  ;({ plant, runs, mail, channels, template, points } = at)
  const { kit } = plant
  await kit.person('leser', kit.enterprises.ours, { menus: permissions })
  await kit.db.rows(sql`update "user" set "Email" = 'leser@example.com', "Language" = 'es' where "UserNO" = 'leser'`)
  await kit.sessions.changed('all')
})
afterAll(() => at?.close())

const Times = [
  { Name: 'Early', Start: '06:00', End: '14:00' },
  { Name: 'Late', Start: '14:00', End: '22:00' },
  { Name: 'Night', Start: '22:00', End: '06:00' },
]

test('at the end of each shift a report of that shift goes to each in his language, also through a change of the plan and of clocks', async () => {
  const { kit } = plant
  const [{ Id: ProjectId } = { Id: 0 }] = await kit.db.rows<{ Id: number }>(
    sql`select g."ProjectId" as "Id" from gateway g where g."EnterpriseId" = ${kit.enterprises.ours} and g."ProjectId" is not null limit 1`,
  )
  const [owner, reader] = ['owner', 'leser'].map((name) => kit.people.get(name)!.id)
  // One recipient by name, one by role. A person who is both receives one message.
  const roles = await kit.db.rows<{ Id: number }>(sql`select "RoleId" as "Id" from user_role where "UserId" in (${owner}, ${reader})`)
  const to = { Receivers: [owner], ReceiverRoles: roles.map(({ Id }) => Id) }
  const draft = { ScheduleName: 'Shifts', ReportTemplateId: template, Trigger: 'shift', WaitMinutes: 10, Format: 'csv', ...to }
  expect(await fieldsOf('POST', '/DataCenter/ReportSchedule', { ...draft, ReceiverRoles: [999_999] })).toContain('ReceiverRoles')
  expect(await fieldsOf('POST', '/DataCenter/ReportSchedule', draft)).toEqual(['ProjectId'])
  expect(await fieldsOf('POST', '/DataCenter/ReportSchedule', { ...draft, ProjectId })).toEqual(['ProjectId'])
  const plan = (from: string, times: object[]) =>
    kit.db.rows(sql`insert into shift_plan ("EnterpriseId", "ProjectId", "PlanName", "ValidFrom", "Times")
      values (${kit.enterprises.ours}, ${ProjectId}, ${from}, ${from}, ${JSON.stringify(times)}::jsonb)`)
  await plan('2026-01-01', Times)
  const made = await data<{ Id: number; NextTime: string }>('POST', '/DataCenter/ReportSchedule', { ...draft, ProjectId })
  schedule = made.Id
  expect(await mailsOf(start + 14 * hour + 9 * minute)).toEqual([])
  const mails = await mailsOf(start + 14 * hour + 10 * minute)
  const [run] = await listed()
  expect([run!.FileName, run!.Status]).toEqual([expect.stringMatching(/^hand-over-2026-03-27-early-.*\.csv$/), runStatus.done])
  expect(run!.Files.map(({ Language }) => Language)).toEqual(['en', 'es'])
  expect(mails.map(({ to }) => to[0]).sort()).toEqual(['leser@example.com', 'owner@example.com'])
  const fileIn = async (language: string) =>
    (await kit.request('owner', 'GET', `/DataCenter/ReportRun/File?Id=${run!.Id}&Language=${language}`)).payload
  expect(
    [await fileIn('en'), await fileIn('es'), await fileIn('ja')].map((text) => [/Key figures/.test(text), /Cifras clave/.test(text)]),
  ).toEqual([
    [true, false],
    [false, true],
    [true, false],
  ])
  expect(await fileIn('en')).toMatch(/Template version\W+1\r?\n/)
  // A plan that comes in between moves the next end; 29 March has 23 hours, and the night of its change seven.
  await plan('2026-03-28', [...Times.slice(0, 1), { Name: 'Long', Start: '14:00', End: '06:00' }])
  mail.refuse.push(550)
  await mailsOf(Date.parse('2026-03-29T15:00:00+02:00'))
  // One mail bounced; the others arrived, and the report shows it.
  const sent = (id: number) => data<{ SendStatus: number; ErrorText: string | null }[]>('GET', `/DataCenter/ReportRun/Sent?Id=${id}`)
  const all = (await Promise.all((await listed()).map(({ Id }) => sent(Id)))).flat()
  expect(all.map(({ SendStatus }) => SendStatus).sort()).toEqual([...Array<number>(11).fill(1), 3])
  expect(all.find(({ SendStatus }) => SendStatus === 3)!.ErrorText).toMatch(/550/)
  const periods = await kit.db.rows<{ ShiftName: string; PeriodStart: Date; PeriodEnd: Date }>(
    sql`select "ShiftName", "PeriodStart", "PeriodEnd" from report_run where "ScheduleId" = ${schedule} order by "Id"`,
  )
  expect(periods.map((p) => [p.ShiftName, (p.PeriodEnd.getTime() - p.PeriodStart.getTime()) / hour])).toEqual([
    ...[
      ['Early', 8],
      ['Late', 8],
      ['Night', 8],
    ],
    ...[
      ['Early', 8],
      ['Long', 15],
      ['Early', 8],
    ],
  ])
  await data('POST', '/DataCenter/ReportSchedule/Run', { Id: schedule })
  await expect.poll(async () => (await listed()).at(-1)?.Status, { timeout: 60_000 }).toBe(runStatus.done)
  expect((await listed()).at(-1)!.FileName).toMatch(/2026-03-29-early-v2/)
})

test('addresses outside get it where the company lists their domain, by a link that is counted, slowed down and ends', async () => {
  const { kit } = plant
  const outside = { Id: schedule, Outside: ['Plant.Eye@partner.example', 'other@elsewhere.example'] }
  expect(await fieldsOf('PUT', '/DataCenter/ReportSchedule', outside)).toEqual(['Outside'])
  expect(await fieldsOf('PUT', '/DataCenter/ReportSchedule', { Id: schedule, SendAs: 'openLink' })).toEqual(['SendAs'])
  await allow('partner.example, elsewhere.example', 1)
  expect(await fieldsOf('PUT', '/DataCenter/ReportSchedule', { ...outside, Outside: ['a@x.partner.example'] })).toEqual(['Outside'])
  await data('PUT', '/DataCenter/ReportSchedule', { ...outside, SendAs: 'openLink', Receivers: [], ReceiverRoles: [] })
  // A domain that was removed from the list receives nothing.
  await allow('PARTNER.example', 1)
  const letters = await mailsOf(Date.parse('2026-03-30T06:10:00+02:00'))
  expect(letters.map(({ to }) => to)).toEqual([['Plant.Eye@partner.example']])
  const [letter] = letters
  const [run] = (await listed()).slice(-1)
  expect(run!.Deliveries.map(({ UserName, Outcome }) => [UserName, Outcome])).toEqual([
    ['Plant.Eye@partner.example', 'openLinked'],
    ['other@elsewhere.example', 'notListed'],
  ])
  const tokenIn = ({ text }: { text: string }) =>
    /https:\/\/plant\.example\/report\/open#([\w-]{32})/.exec(text.replace(/=\r?\n/g, '').replace(/=3D/g, '='))?.[1]
  const Token = tokenIn(letter!)
  expect(Token).toBeDefined()
  const opened = async (token: string | undefined = Token) => (await call('POST', '/Share/Report', { Token: token }, null)).StatusCode
  const file = () => kit.app.inject({ method: 'POST', url: '/api/Share/ReportFile', payload: { Token } })
  expect((await call('POST', '/Share/Report', { Token }, null)).Data).toMatchObject({
    FileName: run!.FileName,
    ValidTo: now + linkDays * day,
  })
  expect((await file()).payload).toMatch(/Key figures/)
  expect(await data('GET', `/DataCenter/ReportRun/Sent?Id=${run!.Id}`)).toMatchObject([
    { UserName: 'Plant.Eye@partner.example', SendStatus: 1, Opens: 1, OpenTime: now, ValidTo: now + linkDays * day },
    { UserName: 'other@elsewhere.example', Outcome: 'notListed', SendStatus: null, Opens: null },
  ])
  expect((await call('GET', `/DataCenter/ReportRun/Sent?Id=${run!.Id}`, undefined, 'stranger')).StatusCode).toBe(404)
  // A burst of ten; other tokens count as guesses, which are throttled too.
  for (let i = 0; i < 9; i++) await file()
  expect(JSON.parse((await file()).payload).StatusCode).toBe(429)
  for (let i = 0; i < 30; i++) expect(await opened('x'.repeat(32))).toBe(404)
  expect(await opened('y'.repeat(32))).toBe(429)
  steady += hour
  expect(await opened()).toBe(200)
  const ends = async (end: () => Promise<unknown>, back: () => Promise<unknown>) => {
    await end()
    expect(await opened()).toBe(404)
    await back()
    expect(await opened()).toBe(200)
  }
  await ends(
    () => allow('partner.example', 0),
    () => allow('partner.example', 1),
  )
  await ends(
    () => data('POST', '/DataCenter/ReportSchedule/Disable', { Id: schedule }),
    () => data('POST', '/DataCenter/ReportSchedule/Enable', { Id: schedule }),
  )
  const at = now
  await ends(
    async () => {
      now += linkDays * day
    },
    async () => {
      now = at
    },
  )
  const lock = (IsLock: 0 | 1) => kit.db.rows(sql`update "user" set "IsLock" = ${IsLock} where "UserNO" = 'owner'`)
  await ends(
    () => lock(1),
    () => lock(0),
  )
  await data('POST', '/DataCenter/ReportRun/EndLinks', { Id: run!.Id })
  expect(await opened()).toBe(404)
  expect((await listed()).at(-1)!.OpenLinks).toBe(0)
  // A link ends with its schedule.
  const later = tokenIn((await mailsOf(now + day)).at(-1)!)
  expect(await opened(later)).toBe(200)
  await data('DELETE', `/DataCenter/ReportSchedule?Ids=${schedule}`)
  expect(await opened(later)).toBe(404)
})

test('a schedule whose owner has lost a project stops, tells him, and goes on without its points once it is started again', async () => {
  const { kit } = plant
  const other = (await plant.equip(1)).points[0]!
  const projects = await kit.db.rows<{ ProjectId: number; Id: number }>(sql`
    select p."Id", g."ProjectId" from point p join device d on d."Id" = p."DeviceId" join gateway g on g."Id" = d."GatewayId"
    where p."Id" = any(${[points[0], other]}::bigint[]) order by p."Id" = ${other}`)
  const [kept, lost] = projects.map(({ ProjectId }) => ProjectId)
  const id = await kit.person('planner', kit.enterprises.ours, { menus: permissions, projects: [kept!, lost!] })
  const make = (path: string, body: object) => data<{ Id: number }>('POST', `/DataCenter/${path}`, body, 'planner')
  const group = await make('ReportGroup', { GroupName: 'Both', GroupType: 3, Points: [{ ParaId: points[0] }, { ParaId: other }] })
  const of = { TemplateName: 'Both', GroupId: group.Id, Period: 'day', Blocks: [{ Type: 'coverage' }] }
  const ReportTemplateId = (await make('ReportTemplate', of)).Id
  const { Id } = await make('ReportSchedule', { ScheduleName: 'Both', ReportTemplateId, Format: 'csv' })
  const nextDay = () => {
    now += day
    return runs.tick()
  }
  expect(await nextDay()).toEqual({ made: 1, failed: 0 })
  await kit.db.rows(sql`update role set "ProjectIds" = ${[kept]}::bigint[] where "RoleName" = 'planner'`)
  await kit.sessions.changed('all')
  expect(await nextDay()).toEqual({ made: 0, failed: 1 })
  expect(await kit.db.rows(sql`select "Status", "Reason" from report_schedule where "Id" = ${Id}`)).toEqual([
    { Status: 0, Reason: 'reportPoints' },
  ])
  const told = sql<{
    UserIds: number[]
  }>`select "UserIds" from notice where "Wording" = 'reportStopped' and "Source" like ${`report/stopped/${Id}/%`}`
  expect(await kit.db.rows(told)).toEqual([{ UserIds: [id] }])
  await data('POST', '/DataCenter/ReportSchedule/Enable', { Id }, 'planner')
  expect(await nextDay()).toEqual({ made: 1, failed: 0 })
  const made = sql`select "ParaIds" from report_run where "ScheduleId" = ${Id} and "Status" = 2 order by "Id" desc limit 1`
  expect(await kit.db.rows(made)).toEqual([{ ParaIds: [points[0]] }])
})
