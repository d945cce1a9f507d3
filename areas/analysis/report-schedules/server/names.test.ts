// Names are plain text in files and mails, also where they look like formulas, HTML, placeholders or mail headers.
import { execFileSync, spawnSync } from 'node:child_process'
import { sql } from 'kysely'
import readXlsx from 'read-excel-file/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import type { ReportFormat } from '../../reports/contract.ts'
import { runStatus } from '../contract.ts'
import { start, startReports } from './reports.fixture.ts'

type Run = { Id: number; Status: number; FileName: string }
const hour = 3_600_000
const now = start + 34 * hour
let at: Awaited<ReturnType<typeof startReports>>

const bell = String.fromCharCode(7)
/** The stored name, and its displayed form without control characters. */
const hostile = (what: string) => `=1+${bell}1<b>${what}</b>{from}{{title}}&lt;\r\nBcc:x@y.z`
const shown = (what: string) => `=1+1<b>${what}</b>{from}{{title}}&lt;Bcc:x@y.z`
const squeezed = (text: string) => text.replace(/[\s\p{Cc}]+/gu, '')
const owner = <T>(method: string, path: string, body?: unknown) => at.plant.kit.data<T>('owner', method, path, body)

beforeAll(async () => {
  at = await startReports({ clock: () => now })
  const { kit } = at.plant
  await kit.data('platform', 'PUT', '/System/Enterprise', { Id: kit.enterprises.ours, Name: hostile('firm') })
  const [of] = await kit.db.rows<{ Device: number; Gateway: number; Project: number }>(sql`
    select d."Id" as "Device", g."Id" as "Gateway", g."ProjectId" as "Project" from point p
    join device d on d."Id" = p."DeviceId" join gateway g on g."Id" = d."GatewayId" where p."Id" = ${at.points[0]}`)
  await owner('PUT', '/Project/DevPara', { Id: at.points[0], ParaName: hostile('point'), Unit: '=<i>' })
  await owner('PUT', '/Project/Device', { Id: of!.Device, DeviceName: hostile('dev') })
  await owner('PUT', '/Project/Gateway', { Id: of!.Gateway, GatewayName: hostile('gate') })
  await owner('PUT', '/Project/Project', { Id: of!.Project, ProjectName: hostile('site') })
  const [group] = (await at.data<Page<{ Id: number }>>('GET', 'ReportGroup/SettingList')).Items
  await at.data('PUT', 'ReportGroup', { Id: group!.Id, GroupName: hostile('group') })
  const Blocks = [
    { Type: 'text', Title: 'About {devices}', Text: 'Of {company}: {devices}' },
    ...['keyFigures', 'statistics', 'histogram', 'coverage'].map((Type) => ({ Type })),
    { Type: 'curve' },
    { Type: 'timeTable', Unit: 'hour', Title: "='<s>table" },
    { Type: 'timeTable', Unit: 'day', Title: `'quo${bell}ted'` },
  ]
  await at.data('PUT', 'ReportTemplate', { Id: at.template, TemplateName: hostile('day'), Blocks })
})
afterAll(() => at?.close())

/** A report of the last whole day in a format, sent to the caller: the file, and the mail. */
const sent = async (Format: ReportFormat) => {
  const { mail, channels, plant } = at
  const schedule = { ScheduleName: `${hostile('plan')} ${Format} ${at.mail.mails.length}`, ReportTemplateId: at.template, Format }
  const { Id } = await at.data<{ Id: number }>('POST', 'ReportSchedule', schedule)
  const before = mail.mails.length
  await at.data('POST', 'ReportSchedule/Test', { Id })
  const runs = async () => (await at.data<Page<Run>>('GET', `ReportRun/List?ScheduleId=${Id}`)).Items
  await expect.poll(async () => (await runs())[0]?.Status, { timeout: 60_000 }).toBe(runStatus.done)
  await channels.delivery.settle()
  const [run] = await runs()
  const file = (await plant.kit.request('owner', 'GET', `/DataCenter/ReportRun/File?Id=${run!.Id}`)).rawPayload
  expect(mail.mails).toHaveLength(before + 1)
  return { file, name: run!.FileName, letter: mail.mails.at(-1)! }
}

const hasPdftotext = spawnSync('pdftotext', ['-v']).error === undefined
test.skipIf(!hasPdftotext)(
  'in the PDF names are text: titles, figures, tables, curves and page frames (skipped without pdftotext)',
  async () => {
    const pages = execFileSync('pdftotext', ['-raw', '-', '-'], { input: (await sent('pdf')).file })
      .toString()
      .split('\f')
      .slice(0, -1)
    expect(pages.length).toBeGreaterThan(1)
    for (const page of pages) expect(squeezed(page)).toMatch(new RegExp(`${RegExp.escape(shown('firm'))}.*=1\\+1<b>day</b>`))
    const text = squeezed(pages.join(''))
    expect(text).toContain(`About${shown('dev')}`)
    expect(text).toContain(`Of${shown('firm')}:${shown('dev')}`)
    // Key figures, statistics, the histogram, coverage, the curve, and both tables over time, one of them on two pages.
    expect(text.split(shown('point')).length - 1).toBe(8)
    expect(text).toContain("='<s>table")
    expect(pages.join('')).not.toMatch(/[^\P{Cc}\n]/u)
  },
)

test('in the workbook and the csv file names are text, with one apostrophe where a spreadsheet could calculate', async () => {
  const { file } = await sent('xlsx')
  const sheets = (await readXlsx(file)) as unknown as { sheet: string; data: (string | number | null)[][] }[]
  expect(sheets.map(({ sheet }) => sheet)).toEqual(expect.arrayContaining(["='<s>table", 'quo ted', 'Curves', 'Curves 2']))
  for (const { sheet } of sheets) expect(sheet).toMatch(/^[^'\p{Cc}][^\p{Cc}]*[^'\p{Cc}]$/u)
  expect(squeezed(String(sheets.find(({ sheet }) => sheet === 'Key figures')!.data[1]![0]))).toBe(shown('point'))
  expect(squeezed(String(sheets[0]!.data[1]![0]))).toBe(shown('firm'))
  const csv = (await sent('csv')).file.toString()
  expect(csv).toContain(`"'=1+${bell}1<b>point</b>`)
  expect(csv).not.toMatch(/''=|(^|[,"\n])=/)
})

/** Encoded words of a header (RFC 2047), unfolded. */
const plainHeader = (text: string) =>
  text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/\r\n\s+/g, ' ')
    .replace(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, (_, kind: string, of: string) =>
      (/b/i.test(kind) ? Buffer.from(of, 'base64') : ofQuoted(of)).toString(),
    )
const ofQuoted = (text: string) =>
  Buffer.from(
    text
      .replaceAll('_', ' ')
      .replace(/=\r?\n/g, '')
      .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )

test('in the mail names are text: the subject is one line, no header is added, and the file has a plain name', async () => {
  const { letter, name } = await sent('csv')
  const [head, body] = letter.text.split(/\r\n\r\n([\s\S]*)/) as [string, string]
  expect(letter.to).toEqual(['owner@example.com'])
  expect(head).not.toMatch(/^Bcc:/im)
  const subject = /^Subject: ((?:.|\r\n\s)*)/m.exec(head)![1]!
  expect(plainHeader(subject)).toMatch(/^=1\+ 1<b>day<\/b>2026-03-27 00:00\{\{title\}\}&lt; Bcc:x@y\.z · 2026-03-27$/)
  expect(name).toMatch(/^1-1-b-day-b-[\w.-]+\.csv$/)
  expect(body).toContain(`filename=${name}`)
  expect(body).toMatch(/Content-Type: text\/plain/)
  expect(body).not.toContain('text/html')
  const text = /text\/plain[\s\S]*?\r\n\r\n([\s\S]*?)\r\n--/.exec(body)![1]!
  expect(/quoted-printable/.test(body) ? ofQuoted(text).toString() : text).toContain(name)
})
