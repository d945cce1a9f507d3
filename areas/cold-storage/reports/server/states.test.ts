import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sha256 } from './keep.ts'
import { hour, type Report, startReports } from './reports.fixture.ts'

const t0 = Date.UTC(2026, 2, 2)
const end = t0 + 48 * hour
let now = t0 + 60 * hour
let house: Awaited<ReturnType<typeof startReports>>
let room: { Id: number }
beforeAll(async () => {
  house = await startReports(() => now)
  room = await house.mapped('Vaccines', 9, t0, end, (point) => 4 + point / 10)
})
afterAll(() => house?.close())

const made = async () => {
  const { Data } = await house.check(room.Id, t0, end)
  await house.settle()
  return house.find(Data.Id)
}
const sign = (name: string, { Id, RecordSha256 }: Report, as: string, more: object = {}) =>
  house.act(name, Id, { RecordSha256, ...more }, as)
const approvedOne = async () => {
  const report = await made()
  await sign('Check', report, 'checker')
  await sign('Approve', report, 'approver')
  return house.find(report.Id)
}
const pdfOf = async (Id: number, as = 'owner') => {
  const { rawPayload } = await house.kit.request(as, 'GET', `/ColdStorage/Report/Pdf?Id=${Id}`)
  expect(rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
  return rawPayload
}
const verify = (ReportNo: string, pdf: Buffer, as = 'owner') =>
  house.kit.upload<{ Verdict: number; State: number | null }>(as, `/ColdStorage/Report/Verify?ReportNo=${ReportNo}`, pdf, 'report.pdf')

it('author, checker and approver are three people, unless the company lets authors check', async () => {
  const report = await made()
  const ownWork = { StatusCode: 400, Errors: expect.anything(), Details: { Fields: { Id: [expect.stringContaining('three people')] } } }
  expect(await sign('Check', report, 'owner')).toMatchObject(ownWork)
  expect(await sign('Approve', report, 'approver')).toMatchObject({ StatusCode: 409 })
  expect(await sign('Check', report, 'checker')).toMatchObject({ Data: { State: 1, CheckUserName: 'checker' } })
  for (const as of ['owner', 'checker']) expect(await sign('Approve', report, as)).toMatchObject(ownWork)
  expect(await sign('Approve', report, 'viewer')).toMatchObject({ StatusCode: 403 })
  expect(await sign('Approve', report, 'stranger')).toMatchObject({ StatusCode: 404 })
  expect(await sign('Approve', report, 'approver')).toMatchObject({ Data: { State: 2, ApproveUserName: 'approver' } })
  await house.kit.db.rows(
    sql`insert into tenant_config ("EnterpriseId", "Name", "Config") values (${house.kit.enterprises.ours}, 'coldReportRules', '{"AuthorChecks": 1}')`,
  )
  const own = await made()
  expect(await sign('Check', own, 'owner')).toMatchObject({ Data: { State: 1 } })
  expect(await sign('Approve', own, 'owner')).toMatchObject(ownWork)
  await house.kit.db.rows(sql`delete from tenant_config where "Name" = 'coldReportRules'`)
})

it('signing asks for the password, counted with failed sign-ins; accounts without one cannot sign', async () => {
  const report = await made()
  await house.kit.person('careless', house.kit.enterprises.ours)
  for (let i = 0; i < 5; i++)
    expect(await sign('Check', report, 'careless', { Pwd: 'guess' })).toMatchObject({ Details: { Fault: 'wrongPassword' } })
  expect(await sign('Check', report, 'careless')).toMatchObject({ Details: { Fault: 'tooManyTries' } })
  await house.kit.person('wechat', house.kit.enterprises.ours)
  await house.kit.db.rows(sql`update "user" set "PasswordHash" = '!' where "UserNO" = 'wechat'`)
  expect(await sign('Check', report, 'wechat')).toMatchObject({ StatusCode: 400, Details: { Fields: { Pwd: expect.anything() } } })
  expect(await sign('Check', report, 'checker', { Pwd: undefined })).toMatchObject({ StatusCode: 400 })
  expect(await house.find(report.Id)).toMatchObject({ State: 0 })
})

it('what was signed is the record that was on the screen: changed meanwhile it is refused', async () => {
  const report = await made()
  const other = 'f'.repeat(64)
  expect(await sign('Check', report, 'checker', { RecordSha256: other })).toMatchObject({
    StatusCode: 409,
    Details: { Fault: 'changedMeanwhile' },
  })
  await sign('Check', report, 'checker')
  expect(await sign('Approve', report, 'approver', { RecordSha256: other })).toMatchObject({
    StatusCode: 409,
    Details: { Fault: 'changedMeanwhile' },
  })
  expect(await house.find(report.Id)).toMatchObject({ State: 1, FileSha256: null })
})

it('of fifty approvals at once one succeeds, the others are refused, and one pdf is issued', async () => {
  const report = await made()
  await sign('Check', report, 'checker')
  const answers = await Promise.all(Array.from({ length: 50 }, () => sign('Approve', report, 'approver')))
  const codes = answers.map(({ StatusCode }) => StatusCode).sort()
  expect(codes).toEqual([200, ...Array.from({ length: 49 }, () => 409)])
  const entries = await house.kit.db.rows<{ After: Report }>(
    sql`select "After" from change where "Resource" = 'coldReport' and "RecordId" = ${report.Id} and "After"->>'State' = '2'`,
  )
  const approved = await house.find(report.Id)
  expect(entries.map(({ After }) => [After.RecordSha256, After.FileSha256])).toEqual([[report.RecordSha256, approved.FileSha256]])
  const files = await house.kit.db.rows(
    sql`select "Sha256" from stored_file where "Resource" = 'coldReport' and "RecordId" = ${report.Id} order by "Id"`,
  )
  expect(files).toEqual([{ Sha256: report.RecordSha256 }, { Sha256: approved.FileSha256 }])
})

it('an approved report stays as it is, for the server and for the database; it is withdrawn with a reason, once', async () => {
  const report = await approvedOne()
  expect(await house.act('Recompute', report.Id, { Pwd: undefined }, 'owner')).toMatchObject({ StatusCode: 409 })
  expect(await house.kit.call('owner', 'DELETE', '/ColdStorage/ReportCheck', { Ids: [report.Id] })).toMatchObject({ StatusCode: 409 })
  for (const change of [sql`"Result" = 2`, sql`"RecordSha256" = 'x'`, sql`"State" = 0`])
    await expect(house.kit.db.rows(sql`update cold_report set ${change} where "Id" = ${report.Id}`)).rejects.toThrow('stays as it is')
  await expect(house.kit.db.rows(sql`delete from cold_report where "Id" = ${report.Id}`)).rejects.toThrow('stays')
  expect(await house.act('Withdraw', report.Id, { Reason: ' ' }, 'approver')).toMatchObject({
    StatusCode: 400,
    Details: { Fields: { Reason: expect.anything() } },
  })
  expect(await house.act('Withdraw', report.Id, { Reason: 'A sensor was in the wrong corner.' }, 'approver')).toMatchObject({
    Data: { State: 3, WithdrawReason: 'A sensor was in the wrong corner.', WithdrawUserName: 'approver', FileSha256: report.FileSha256 },
  })
  expect(await house.act('Withdraw', report.Id, { Reason: 'Again.' }, 'approver')).toMatchObject({ StatusCode: 409 })
  const issued = await pdfOf(report.Id)
  expect(await verify(report.ReportNo, issued)).toMatchObject({ Data: { Verdict: 1, State: 3 } })
})

it('the issued pdf is kept and never drawn again; drafts of the same record have the same bytes', async () => {
  const draft = await made()
  const [one, two] = [await pdfOf(draft.Id), await pdfOf(draft.Id)]
  expect(sha256(one)).toBe(sha256(two))
  const report = await approvedOne()
  const pdf = await pdfOf(report.Id)
  expect(sha256(pdf)).toBe(report.FileSha256)
  now += hour
  expect(sha256(await pdfOf(report.Id, 'viewer'))).toBe(report.FileSha256)
  expect((await house.kit.request('stranger', 'GET', `/ColdStorage/Report/Pdf?Id=${report.Id}`)).json()).toMatchObject({ StatusCode: 404 })
})

it('a pdf is genuine, altered by one byte, or unknown, also to another company; what is too large is refused', async () => {
  const report = await approvedOne()
  const pdf = await pdfOf(report.Id)
  expect(await verify(report.ReportNo, pdf)).toMatchObject({ Data: { Verdict: 1, State: 2 } })
  const altered = Buffer.from(pdf)
  altered[altered.length >> 1]! ^= 1
  expect(await verify(report.ReportNo.toLowerCase(), altered, 'viewer')).toMatchObject({ Data: { Verdict: 2, State: 2 } })
  expect(await verify('CR2026-99999', pdf)).toMatchObject({ Data: { Verdict: 3, State: null } })
  expect(await verify(report.ReportNo, pdf, 'stranger')).toMatchObject({ Data: { Verdict: 3, State: null } })
  const draft = await made()
  expect(await verify(draft.ReportNo, pdf)).toMatchObject({ Data: { Verdict: 3 } })
  expect(await verify(report.ReportNo, Buffer.alloc(21 * 1024 * 1024))).toMatchObject({ StatusCode: 413 })
  // One in five seconds after the first ten.
  const answers = []
  for (let i = 0; i < 12; i++) answers.push(await verify(report.ReportNo, altered, 'checker'))
  expect(answers.map(({ StatusCode }) => StatusCode)).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429])
})
