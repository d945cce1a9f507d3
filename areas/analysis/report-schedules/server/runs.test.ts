import { randomBytes } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import { permissions } from '../../../../contract/menus.ts'
import { type Delivered, mostAttached, runStatus } from '../contract.ts'
import { start, startReports } from './reports.fixture.ts'

type Run = { Id: number; Status: number; FileBytes: number; FileName: string; Deliveries: Delivered[] } & {
  StartTime: string | null
  EndTime: string | null
  Duration: number | null
}
const [second, day] = [1000, 86_400_000]
let at: Awaited<ReturnType<typeof startReports>>
let now = start + day
/** How far the clock advances each time it is read. */
let step = 0
const clock = () => {
  now += step
  return now
}
/** Long lines of e-mails are folded. */
const unfolded = ({ text }: { text: string }) => text.replaceAll(/=\r?\n/g, '')
const last = async () => (await at.data<Page<Run>>('GET', 'ReportRun/List?OrderColumn=Id&OrderType=desc')).Items[0]!
/** Makes the reports that are due by then, and returns the mails that were sent. */
const mailsOf = async (time: number) => {
  const before = at.mail.mails.length
  now = time
  await at.runs.tick()
  await at.channels.delivery.settle()
  return at.mail.mails.slice(before)
}

beforeAll(async () => {
  at = await startReports({ clock })
})
afterAll(() => at?.close())

test('a run keeps when its making began and ended and how long it took, also one that failed; its list leaves as a sheet', async () => {
  const { data, plant, template } = at
  const draft = { ScheduleName: 'Timed', ReportTemplateId: template, Format: 'csv', Cron: '0 0 6 * * ?' }
  const { Id } = await data<{ Id: number }>('POST', 'ReportSchedule', draft)
  step = second
  await mailsOf(start + day + 7 * 3600 * second)
  step = 0
  const made = await last()
  const seconds = (run: Run) => (Date.parse(`${run.EndTime}Z`) - Date.parse(`${run.StartTime}Z`)) / second
  expect(made.Status).toBe(runStatus.done)
  expect(made.Duration).toBeGreaterThan(0)
  expect(seconds(made)).toBe(made.Duration)
  await plant.kit.db.rows(sql`update report_template set "Blocks" = '5'::jsonb where "Id" = ${template}`)
  step = second
  await mailsOf(start + 2 * day + 7 * 3600 * second)
  step = 0
  const failed = await last()
  expect([failed.Id > made.Id, seconds(failed)]).toEqual([true, failed.Duration])
  await plant.kit.db.rows(sql`update report_template set "Blocks" = '[{"Type": "keyFigures"}]'::jsonb where "Id" = ${template}`)
  await data('DELETE', `ReportSchedule?Ids=${Id}`)
  const sheet = await plant.kit.request(
    'owner',
    'GET',
    '/DataCenter/ReportRun/Output?Format=csv&Fields=FileName,StartTime,EndTime,Duration',
  )
  const lines = sheet.body
    .replace(/^\uFEFF/, '')
    .trim()
    .split(/\r?\n/)
  expect(lines[0]).toBe('Report,Begun,Ended,Duration (s)')
  expect(lines.slice(1).map((line) => Number(line.split(',')[3]))).toEqual(expect.arrayContaining([made.Duration]))
})

test('a report is released to a person by name: no other of the same role reads it, its revisions are released too, and the log names who', async () => {
  const { data, plant, template } = at
  const { kit } = plant
  const menus = permissions
  await kit.person('named', kit.enterprises.ours, { menus, projects: [] })
  await kit.person('other', kit.enterprises.ours, { menus, projects: [] })
  const draft = { ScheduleName: 'Released', ReportTemplateId: template, Format: 'csv', Cron: '0 0 6 * * ?' }
  const { Id } = await data<{ Id: number }>('POST', 'ReportSchedule', draft)
  await mailsOf(start + 6 * day + 7 * 3600 * second)
  const run = await last()
  const seenBy = async (who: string) =>
    (await data<Page<Run>>('GET', 'ReportRun/List?OrderColumn=Id&OrderType=desc', undefined, who)).Items.map((one) => one.Id)
  expect([await seenBy('named'), await seenBy('other')]).toEqual([[], []])
  await data('POST', 'ReportRun/Release', { Id: run.Id, PersonId: kit.people.get('named')!.id })
  expect([await seenBy('named'), await seenBy('other')]).toEqual([[run.Id], []])
  const stranger = await kit.call('owner', 'POST', '/DataCenter/ReportRun/Release', {
    Id: run.Id,
    PersonId: kit.people.get('stranger')!.id,
  })
  expect(Object.keys(stranger.Details?.Fields ?? {})).toEqual(['PersonId'])
  await data('POST', 'ReportRun/Remake', { Id: run.Id })
  await at.runs.tick()
  expect(await seenBy('named')).toEqual([(await last()).Id, run.Id])
  const logged = sql<{ UserId: number; After: object }>`
    select "UserId", "After" from change where "Resource" = 'reportRun' and "RecordId" = ${run.Id} and "After" ? 'ReleasedUsers' order by "Id" desc limit 1`
  expect(await kit.db.rows(logged)).toMatchObject([
    { UserId: kit.people.get('owner')!.id, After: { ReleasedUsers: [kit.people.get('named')!.id] } },
  ])
  await data('POST', 'ReportRun/Withdraw', { Id: run.Id })
  expect(await seenBy('named')).toEqual([(await last()).Id])
  await data('DELETE', `ReportSchedule?Ids=${Id}`)
})

/** A picture that does not get smaller: each dot has its own colour. */
const noise = (side: number) => {
  const chunk = (type: string, data: Buffer) => {
    const named = Buffer.concat([Buffer.from(type), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(named))
    return Buffer.concat([length, named, sum])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const rows = Buffer.concat(Array.from({ length: side }, () => Buffer.concat([Buffer.from([0]), randomBytes(3 * side)])))
  const png = [
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows, { level: 0 })),
    chunk('IEND', Buffer.alloc(0)),
  ]
  return `data:image/png;base64,${Buffer.concat(png).toString('base64')}`
}

test('a file above ten megabytes stays here: people get where it lies, addresses outside a link if the company allows it', async () => {
  const { data, plant, template } = at
  const { kit } = plant
  const setUp = (Logo: string | null, Domains: string | null, OpenLinks: number) =>
    kit.db.rows(sql`with logo as (update enterprise set "Logo" = ${Logo} where "Id" = ${kit.enterprises.ours})
      insert into tenant_config ("EnterpriseId", "Name", "Config")
      values (${kit.enterprises.ours}, 'reportDelivery', ${JSON.stringify({ Domains, OpenLinks })}::jsonb)
      on conflict ("EnterpriseId", "Name") do update set "Config" = excluded."Config"`)
  await setUp(noise(1950), 'partner.example', 0)
  const draft = { ScheduleName: 'Large', ReportTemplateId: template, Format: 'pdf', Cron: '0 0 6 * * ?' }
  const to = { Receivers: [kit.people.get('owner')!.id], Outside: ['eye@partner.example'] }
  const { Id } = await data<{ Id: number }>('POST', 'ReportSchedule', { ...draft, ...to })
  const [mail, ...others] = await mailsOf(start + 7 * day + 7 * 3600 * second)
  expect((await last()).FileBytes).toBeGreaterThan(mostAttached)
  expect((await last()).Deliveries.map((of) => of.Outcome)).toEqual(['linked', 'noLink'])
  expect(others).toEqual([])
  expect(unfolded(mail!)).toContain('https://plant.example/dataAnalysis/reportRuns')
  expect(mail!.text.length).toBeLessThan(20_000)
  await setUp(noise(1950), 'partner.example', 1)
  const open = await mailsOf(start + 8 * day + 7 * 3600 * second)
  expect((await last()).Deliveries.map((of) => of.Outcome)).toEqual(['linked', 'openLinked'])
  // They leave side by side.
  const outside = ({ to }: (typeof open)[number]) => to.includes('eye@partner.example')
  expect(open.map((of) => unfolded(of).includes('report/open#') === outside(of))).toEqual([true, true])
  // A small file is attached.
  await setUp(null, 'partner.example', 1)
  await mailsOf(start + 9 * day + 7 * 3600 * second)
  expect((await last()).Deliveries.map((of) => of.Outcome)).toEqual(['attached', 'attached'])
  await data('DELETE', `ReportSchedule?Ids=${Id}`)
})
