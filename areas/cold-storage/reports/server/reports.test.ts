import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { canonical } from '../../../../contract/gateway-config.ts'
import { type ColdRecord, recordFigures } from '../record.ts'
import { sha256 } from './keep.ts'
import { hour, minute, type Report, startReports } from './reports.fixture.ts'

const t0 = Date.UTC(2026, 2, 2)
const end = t0 + 48 * hour
let now = t0 + 60 * hour
let house: Awaited<ReturnType<typeof startReports>>
let room: { Id: number; ids: number[] }
beforeAll(async () => {
  house = await startReports(() => now)
  room = await house.mapped('Mapped', 9, t0, end, (point) => 4 + point / 10)
})
afterAll(() => house?.close())

const made = async (more: object = {}, of = room.Id) => {
  const { Data } = await house.check(of, t0, end, more)
  await house.settle()
  return house.find(Data.Id)
}
const recordOf = async ({ RecordPath }: Report) => (await house.kit.request('owner', 'GET', `/${RecordPath}`)).body

it('a report is a row at once, its result follows, and its record is a file that only readers of the room open', async () => {
  const { Data } = await house.check(room.Id, t0, end)
  expect(Data).toMatchObject({ ReportNo: 'CR2026-00001', ReportType: 2, Result: 0, State: 0, UserName: 'owner', CriteriaName: 'GSP' })
  await house.settle()
  const report = await house.find(Data.Id)
  expect(report).toMatchObject({ Result: 1, State: 0, IsFailed: 0 })
  const body = await recordOf(report)
  expect(sha256(body)).toBe(report.RecordSha256)
  for (const as of ['stranger', 'nobody'])
    expect((await house.kit.request(as, 'GET', `/${report.RecordPath}`)).body).not.toContain('Mapped')
  expect(house.warned).toEqual([])
})

it('the same record gives the same numbers, and its text is one of a kind', async () => {
  const body = await recordOf(await made())
  const record: ColdRecord = JSON.parse(body)
  expect(canonical(record)).toBe(body)
  expect(record).toMatchObject({ Format: 1, Start: t0, End: end, TimeZone: 'Europe/Madrid', Author: 'owner', Criteria: { MinPoints: 9 } })
  expect(record.Sensors).toHaveLength(9)
  expect(record.Sensors[8]!.Values).toHaveLength(48 * 60)
  const figures = recordFigures(record)
  expect(figures.Room).toMatchObject({ Avg: 4.4, Uniformity: 0.8, Fluctuation: 0, Deviation: -0.6 })
  expect(figures.Points.map(({ Mkt }) => Mkt)).toEqual(figures.Points.map(({ Avg }) => Avg))
  // The point nearest to a limit of 2 to 8 °C is the coldest.
  expect(figures.Proposed).toBe(figures.Room.Coldest)
})

it('the points are on a plan at moments from the begin to the end, of the record alone', async () => {
  const { Id } = await made()
  type Course = { Start: number; Step: number; Points: { X: number; Values: number[] }[] }
  const ask = (as: string) => house.kit.call<Course>(as, 'GET', `/ColdStorage/Report/Plan?Id=${Id}`)
  const { Start, Step, Points } = (await ask('owner')).Data
  expect([Start, Step, Points.length]).toEqual([t0, 9 * minute, 9])
  expect(Points[8]).toMatchObject({ X: 6, Values: Array((48 * 60) / 9).fill(4.8) })
  expect(await ask('stranger')).toMatchObject({ StatusCode: 404 })
})

it('criteria are saved with person and time; a report says when they came after the data', async () => {
  const later = JSON.parse(await recordOf(await made()))
  expect(recordFigures(later).IsLate).toBe(1)
  const before = now
  now = t0 - hour
  const criteria = await house.kit.data<{ Id: number }>('checker', 'POST', '/ColdStorage/ReportCriteria', {
    ...{ ColdStorageId: room.Id, CriteriaName: 'Vaccines', TempLow: 4.2, TempHigh: 8 },
  })
  expect(criteria).toMatchObject({ SetUserName: 'checker', SetTime: '2026-03-01 23:00:00', MinPoints: 9 })
  now = before
  const report = await made({ CriteriaId: criteria.Id })
  expect(report).toMatchObject({ Result: 2, CriteriaName: 'Vaccines' })
  const figures = recordFigures(JSON.parse(await recordOf(report)))
  expect(figures).toMatchObject({ IsLate: 0, Reasons: [{ Code: 'outside' }, { Code: 'outside' }] })
  const other = await house.cold.ready('Other', '2026-03-01 00:00:00')
  expect(await house.check(other.Id, t0, end, { CriteriaId: criteria.Id })).toMatchObject({
    StatusCode: 400,
    Details: { Fields: { CriteriaId: expect.anything() } },
  })
})

it('tests between two moments say how long the room took to recover, and how long it held without power', async () => {
  const warm = (point: number, at: number) => {
    if (at >= 10 * hour && at < 10 * hour + 20 * minute) return 9 + point / 10
    return at >= 20 * hour ? Math.min(12, 5 + (at - 20 * hour) / hour) : 5
  }
  const { Id } = await house.mapped('Tested', 9, t0, end, warm)
  const Marks = [
    { Kind: 1, From: t0 + 10 * hour, To: t0 + 11 * hour },
    { Kind: 2, From: t0 + 20 * hour, To: t0 + 30 * hour },
  ]
  const criteria = await house.kit.data<{ Id: number }>('owner', 'POST', '/ColdStorage/ReportCriteria', {
    ...{ ColdStorageId: Id, CriteriaName: 'Tests', TempLow: 2, TempHigh: 8, RecoverMaxMin: 30, PowerCutMinMin: 240 },
  })
  const report = await made({ Marks, CriteriaId: criteria.Id }, Id)
  const { Marks: tests, Reasons } = recordFigures(JSON.parse(await recordOf(report)))
  expect(tests).toMatchObject([
    { Kind: 1, Minutes: 20, IsMet: 1 },
    { Kind: 2, Minutes: 185, IsMet: 0 },
  ])
  expect(Reasons.at(-1)).toMatchObject({ Code: 'powerCut', Values: { minutes: 185 } })
  const outside = [{ Kind: 1, From: t0 - hour, To: t0 }]
  expect(await house.check(Id, t0, end, { Marks: outside })).toMatchObject({ StatusCode: 400 })
})

it('running reports are of a day, a week or a month of the company, and lists keep the two kinds apart', async () => {
  const ask = (more: object, as = 'owner') =>
    house.kit.call<Report>(as, 'POST', '/v6/ColdStorage/GenerateReportPhase', { ColdStorageId: room.Id, ...more })
  now = Date.UTC(2026, 3, 20)
  const span = async (Period: number) => {
    const { Data } = await ask({ Period, Day: '2026-03-03' })
    return [Data.StartTime, Data.EndTime]
  }
  expect(await span(1)).toEqual(['2026-03-02 23:00:00', '2026-03-03 23:00:00'])
  expect(await span(2)).toEqual(['2026-03-01 23:00:00', '2026-03-08 23:00:00'])
  // A month of 31 days less an hour of summer time.
  expect(await span(3)).toEqual(['2026-02-28 23:00:00', '2026-03-31 22:00:00'])
  expect(await ask({ Period: 1 })).toMatchObject({ StatusCode: 400, Details: { Fields: { Day: expect.anything() } } })
  expect(await ask({ Period: 1, Day: '2026-02-30' })).toMatchObject({ StatusCode: 400, Details: { Fields: { Day: expect.anything() } } })
  expect(await ask({ Start: t0, End: t0 + hour })).toMatchObject({ Data: { ReportType: 3 } })
  expect(await ask({ Period: 1, Day: '2026-04-20' })).toMatchObject({ StatusCode: 400, Details: { Fields: { End: expect.anything() } } })
  now = t0 + 60 * hour
  await house.settle()
  const typesOf = async (path: string) => {
    const { Items } = await house.kit.data<{ Items: { ReportType: number }[] }>('viewer', 'POST', path, { PageSize: 100 })
    return [...new Set(Items.map(({ ReportType }) => ReportType))].sort()
  }
  expect(await typesOf('/V3/ColdStorage/ReportCheckList')).toEqual([2])
  expect(await typesOf('/ColdStorage/ReportRunningList')).toEqual([1, 3])
})

it('a composed room has calls of its own, and what nobody sees gets one answer', async () => {
  const [a, b] = [await house.cold.ready('First', '2026-03-01 00:00:00'), await house.cold.ready('Second', '2026-03-01 00:00:00')]
  const both = await house.kit.data<{ Id: number }>('owner', 'POST', '/ColdStorage/Compose', {
    StorageName: 'Both',
    MemberIds: [a.Id, b.Id],
  })
  now += 2 * hour
  const [from, to] = [now - hour, now]
  expect(await house.check(both.Id, from, to)).toMatchObject({ StatusCode: 400, Details: { Fields: { ColdStorageId: expect.anything() } } })
  expect(await house.check(room.Id, from, to, {}, 'owner', 'Compose')).toMatchObject({ StatusCode: 400 })
  expect(await house.check(both.Id, from, to, {}, 'owner', 'Compose')).toMatchObject({ Data: { IsCompose: 1, Result: 0 } })
  const answers = []
  for (const [as, asked] of [
    ['owner', { SN: 'NOBODYHASTHIS01' }],
    ['stranger', { SN: house.cold.SN }],
    ['stranger', { ColdStorageId: room.Id }],
  ] as const)
    answers.push(await house.check(0, from, to, { ColdStorageId: undefined, ...asked }, as))
  expect(new Set(answers.map(({ StatusCode, Errors }) => `${StatusCode} ${Errors}`)).size).toBe(1)
  expect(answers[0]).toMatchObject({ StatusCode: 404 })
  // Several rooms have sensors of this gateway.
  expect(await house.check(0, from, to, { ColdStorageId: undefined, SN: house.cold.SN })).toMatchObject({ StatusCode: 400 })
  await house.settle()
})

it('a bad time, and a room without sensors, are refused by field', async () => {
  const bare = await house.cold.room('No sensors')
  await house.kit.db.rows(sql`update cold_storage set "InitStatus" = 2 where "Id" = ${bare}`)
  expect(await house.check(bare, t0, end)).toMatchObject({ StatusCode: 400, Details: { Fields: { ColdStorageId: expect.anything() } } })
  expect(await house.check(room.Id, end, t0)).toMatchObject({ StatusCode: 400, Details: { Fields: { End: expect.anything() } } })
  expect(await house.check(room.Id, 0, 8_640_000_000_000_000)).toMatchObject({ StatusCode: 400 })
  expect(await house.check(room.Id, t0, now + hour)).toMatchObject({ StatusCode: 400, Details: { Fields: { End: expect.anything() } } })
  expect(await house.check(room.Id, t0, end, {}, 'viewer')).toMatchObject({ StatusCode: 403 })
})

it('drafts are removed with their files, and the log says so; each call removes its own kind', async () => {
  const report = await made()
  const remove = (path: string, Ids: number[], as = 'owner') => house.kit.call(as, 'DELETE', `/ColdStorage/${path}`, { Ids })
  expect(await remove('ReportRunning', [report.Id])).toMatchObject({ StatusCode: 404 })
  expect(await remove('ReportCheck', [report.Id], 'viewer')).toMatchObject({ StatusCode: 403 })
  expect(await remove('ReportCheck', [report.Id], 'stranger')).toMatchObject({ StatusCode: 404 })
  expect(await remove('ReportCheck', [report.Id])).toMatchObject({ Data: { Removed: 1 } })
  expect(
    await house.kit.db.rows(sql`select "Before"->>'ReportNo' as no from change where "Resource" = 'coldReport' and "Verb" = 'remove'`),
  ).toEqual([{ no: report.ReportNo }])
  expect((await house.kit.request('owner', 'GET', `/${report.RecordPath}`)).body).not.toContain('Mapped')
})

it('late readings count when a draft is computed again', async () => {
  const point = await house.cold.ready('Late', '2026-03-01 00:00:00')
  const report = await made({}, point.Id)
  expect(report).toMatchObject({ Result: 3 })
  await house.cold.load(Array.from({ length: 576 }, (_, i) => ({ point: point.ParaId, time: t0 + i * 5 * minute, value: 5 })))
  expect(await house.act('Recompute', report.Id, {}, 'owner')).toMatchObject({ Data: { Result: 0 } })
  await house.settle()
  const again = await house.find(report.Id)
  expect(again.RecordSha256).not.toBe(report.RecordSha256)
  expect(recordFigures(JSON.parse(await recordOf(again))).Points).toMatchObject([{ Avg: 5, KnownPercent: 100 }])
})
