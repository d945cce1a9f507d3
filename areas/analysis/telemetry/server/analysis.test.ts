import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Answer } from '../../../../contract/call.ts'
import { permissions } from '../../../../contract/menus.ts'
import type { SeriesAnswer } from '../../../../contract/telemetry.ts'
import type { Sample } from '../../../../server/telemetry/sample.ts'
import { temporaryFolder } from '../../../../server/telemetry/telemetry.fixture.ts'
import { openTelemetry, type Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { type Plant, startPlant } from '../../../configuration/gateways/server/harness.ts'
import { reportGroupRoutes } from '../../report-groups/server/routes.ts'
import type { analysisCalls, IoRow, IoRun, PointStatus, StatisticsRow } from '../contract.ts'
import { telemetryRoutes } from './routes.ts'
import { flatSince } from './runs.ts'

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
let plant: Plant
let telemetry: Telemetry
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let points: number[]
let west: number[]
let project: number
/** Midnight some days ago. */
let start: number

const path = '/DataCenter/ReportData'
type Statistics = {
  Points: {
    ParaId: number
    Basis: string
    OpenEvents: number
    Rows: StatisticsRow[]
    Marks: { Time: number; Kind: string; Open: number }[]
  }[]
}
const call = (method: string, at: string, body?: unknown, as = 'owner') => plant.kit.call<never>(as, method, at, body)
const post = <T>(at: string, body: object, as = 'owner') => plant.kit.data<T>(as, 'POST', `${path}/${at}`, body)
const statistics = async (ids: readonly number[], from: number, to: number, By = 'none') =>
  (await plant.kit.data<Statistics>('owner', 'GET', `${path}/StaticsData?ParaIds=${ids}&Start=${from}&End=${to}&By=${By}`)).Points

beforeAll(async () => {
  const engine = {
    ...{ clock: () => plant.clock.now },
    get query() {
      return telemetry.query
    },
    get latest() {
      return telemetry.latest
    },
    get late() {
      return telemetry.late
    },
    get statistics() {
      return telemetry.statistics
    },
    get withFormulas() {
      return telemetry.withFormulas
    },
    get rejected() {
      return telemetry.rejected
    },
  }
  plant = await startPlant({ routes: [(api) => telemetryRoutes(api, engine), reportGroupRoutes] })
  folder = await temporaryFolder('analysis')
  const clock = () => plant.clock.now
  telemetry = await openTelemetry({ folder: folder.folder, registry: plant.registry, clock, log: { warn: () => {}, error: () => {} } })
  const east = await plant.equip(3)
  points = east.points
  project = ((await plant.row(east.Id)) as { ProjectId: number }).ProjectId
  west = (await plant.equip(1)).points
  start = Math.floor(plant.clock.now / day) * day - 3 * day
  // A level every minute, with an hour missing on the second day; a counter of ten a minute that starts again at noon of that day; a switch.
  const rows = (d: number): Sample[] =>
    Array.from({ length: 24 * 60 }, (_, i) => i).flatMap((i) => {
      const time = start + d * day + i * minute
      const n = d * 24 * 60 + i
      const isGap = d === 1 && i >= 600 && i < 660
      const counted = n >= 36 * 60 ? (n - 36 * 60) * 10 + 10 : n * 10
      const of = (point: number, value: number) => ({ point, time, value, quality: 0 })
      return [...(isGap ? [] : [of(points[0]!, i % 2 ? 10 : 20)]), of(points[1]!, counted), of(points[2]!, Math.floor(i / 30) % 2)]
    })
  for (const d of [0, 1])
    await telemetry.load(
      (async function* () {
        yield rows(d)
      })(),
    )
  for (const id of points) await plant.kit.data('owner', 'PUT', '/Project/DevPara', { Id: id, UploadMode: 0, UploadPeriod: 60 })
  // Until now each point was due once a second, so that earlier readings held for three seconds.
  const before = sql<{ ExpectedMs: number }>`delete from point_interval where "PointId" = any(${points}::bigint[]) returning "ExpectedMs"`
  expect((await plant.kit.database.system.rows(before)).map((row) => row.ExpectedMs)).toEqual([1000, 1000, 1000])
  await plant.kit.person('editor', plant.kit.enterprises.ours, { menus: permissions.filter((p) => p.startsWith('m10301') || p === 'm100') })
})
afterAll(async () => {
  await telemetry.close()
  await plant.close()
  await folder.remove()
})

test('statistics weigh by time, say how much is covered, and count by the type of each point', async () => {
  expect(await post(`CalDataType/${points[1]}/1`, {})).toEqual({ Changed: 1 })
  expect(await post(`CalDataType/${points[2]}/3`, {})).toEqual({ Changed: 1 })
  const [level, counter, state] = await statistics(points, start, start + 2 * day, 'day')
  expect(level).toMatchObject({ Basis: 'readings', OpenEvents: 0 })
  expect(level!.Rows.map((r) => [r.Count, r.Min, r.Max, r.Partial])).toEqual([
    [1440, 10, 20, 0],
    [1380, 10, 20, 0],
  ])
  // Its last value held for three minutes; the other 58 of the hour are missing.
  expect(level!.Rows[1]!.Coverage).toBeCloseTo(1 - 58 / 1440, 9)
  expect(level!.Rows[0]!.Mean).toBeCloseTo(15, 9)
  // The last minute of the second day, and the first reading after the start again, are not counted yet.
  expect(counter).toMatchObject({ OpenEvents: 1, Marks: [{ Time: start + 36 * hour, Kind: 'event', Open: 1 }] })
  expect(counter!.Rows.map((r) => r.Sum)).toEqual([14_400, 14_400 - 20])
  expect(state!.Rows.map((r) => [r.Sum, r.Switchings])).toEqual([
    [12, 47],
    [12, 48],
  ])
  const hours = (await statistics([points[1]!], start, start + 2 * day, 'hour'))[0]!.Rows
  expect(hours.reduce((sum, r) => sum + (r.Sum ?? 0), 0)).toBe(28_780)
})

test('statistics and times on by shift are of the shifts that held on each day; what overlaps or has no time is refused', async () => {
  const refused = await call('GET', `${path}/StaticsData?ParaIds=${points[2]}&Start=${start}&End=${start + day}&By=shift`)
  expect(refused.Details?.Fields).toHaveProperty('By')
  const at = '/Project/ShiftPlan'
  const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)
  const plan = (Times: object[], ValidFrom = '2026-01-01') =>
    call('POST', at, { ProjectId: project, PlanName: ValidFrom, ValidFrom, Times })
  const night = { Name: 'Night', Start: '22:00', End: '06:00' }
  const crossed = await plan([night, { Name: 'Early', Start: '05:00', End: '14:00', Weeks: [3] }])
  expect(Object.keys(crossed.Details?.Fields ?? {})).toEqual(['Times'])
  expect((await plan([{ ...night, End: '22:00' }])).Succeeded).toBe(false)
  expect((await plan([night], '2026-02-30')).Succeeded).toBe(false)
  await plant.kit.data('owner', 'POST', at, { ProjectId: project, PlanName: 'One', ValidFrom: '2020-01-01', Times: [night] })
  const two = [{ Name: 'Day', Start: '06:00', End: '22:00' }, night]
  await plant.kit.data('owner', 'POST', at, { ProjectId: project, PlanName: 'Two', ValidFrom: dayOf(start + day), Times: two })
  const [state] = await statistics([points[2]!], start, start + 2 * day, 'shift')
  expect(state!.Rows.map((r) => [r.Day === dayOf(start + day), r.Shift, r.Partial, r.OnMs! / hour])).toEqual([
    [false, 'Night', 1, 3],
    [false, 'Night', 0, 4],
    [true, 'Day', 0, 8],
    [true, 'Night', 1, 1],
  ])
  const io = await post<{ Rows: IoRow[] }>('IOData', { ParaIds: [points[2]], Start: start, End: start + 2 * day, By: 'shift' })
  expect(io.Rows.map((r) => [r.Shift, r.OnMs / hour])).toEqual(state!.Rows.map((r) => [r.Shift, r.OnMs! / hour]))
  const both = await call('GET', `${path}/StaticsData?ParaIds=${points[2]},${west[0]}&Start=${start}&End=${start + day}&By=shift`)
  expect(both.Details?.Fields).toHaveProperty('ParaIds')
  // Three years have less than 20,000 shifts of eight hours, and more of half an hour.
  const half = (hour: number, from: string, to: string) => ({ Name: `${hour}${from}`, Start: `${hour}:${from}`, End: `${hour}:${to}` })
  const short = [10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21].flatMap((n) => [half(n, '00', '30'), half(n, '30', '59')])
  expect(await plan(short, '2021-01-01')).toMatchObject({ Succeeded: true })
  const [from, to] = [Date.UTC(2021, 0, 1), Date.UTC(2024, 0, 1)]
  const long = await call('GET', `${path}/StaticsData?ParaIds=${points[2]}&Start=${from}&End=${to}&By=shift`)
  expect([long.StatusCode, Object.keys(long.Details?.Fields ?? {})]).toEqual([400, ['End']])
})

test('an answer to a meter event counts what was read since, and is logged', async () => {
  expect(await post('MeterEvent', { ParaId: points[1], Time: start + 36 * hour, Kind: 1 })).toEqual({ Changed: 1 })
  const [counter] = await statistics([points[1]!], start, start + 2 * day)
  expect([counter!.OpenEvents, counter!.Rows[0]!.Sum]).toEqual([0, 28_790])
  const missing = await call('POST', `${path}/MeterEvent`, { ParaId: points[1], Time: 1, Kind: 2 })
  expect(Object.keys(missing.Details?.Fields ?? {})).toEqual(['OldEnd', 'NewStart'])
  const logged = sql<{
    After: object
  }>`select "After" from change where "Resource" = 'point' and "RecordId" = ${points[1]!} order by "Id" desc limit 2`
  expect((await plant.kit.database.system.rows(logged)).map((row) => row.After)).toMatchObject([{ MeterEvent: 1 }, { CalDataType: 1 }])
})

test('the meaning of a point names its rules, and who said what of its counter', async () => {
  const { Answers, ...rest } = await plant.kit.data<Answer<typeof analysisCalls.meaning>>(
    'owner',
    'GET',
    `${path}/PointMeaning?ParaId=${points[1]}&Start=${start}&End=${start + 2 * day}`,
  )
  expect(rest).toMatchObject({ CalDataType: 1, MaxReading: null, Marks: [{ Time: start + 36 * hour, Open: 0 }] })
  expect(Answers).toMatchObject([{ Time: start + 36 * hour, Kind: 1, UserName: expect.stringMatching(/./) }])
  expect(await call('GET', `${path}/PointMeaning?ParaId=999999999&Start=0&End=1`)).toMatchObject({ StatusCode: 404 })
})

test('a distribution says for how long each value held, as minutes counted one by one do', async () => {
  const body = { ParaIds: [points[0], points[2]], Start: start, End: start + 2 * day, By: 'day' }
  const { Points } = await post<Answer<typeof analysisCalls.distribution>>('Distribution', body)
  // Odd minutes are 10; the last before the gap holds for three.
  const held = { 10: 0, 20: 0 }
  for (let i = 0; i < 2 * 1440; i++) if (i < 1440 + 600 || i >= 1440 + 660) held[i % 2 ? 10 : 20] += minute
  held[10] += 2 * minute
  const [level, state] = Points
  const { Low, Width, Ms } = level!.Bins
  const within = (value: number) => Ms[Math.floor((value - Low) / Width + 1e-9)]
  expect([within(10), within(20), level!.HeldMs]).toEqual([held[10], held[20], held[10] + held[20]])
  expect([level!.Quantiles[0], level!.Quantiles[49], level!.Quantiles[51], level!.Quantiles[100]]).toEqual([10, 10, 20, 20])
  expect(level!.Rows.map((row) => row.Box)).toEqual([
    [10, 10, 10, 20, 20],
    [10, 10, 10, 20, 20],
  ])
  expect(state!.Bins.Ms.filter(Boolean)).toEqual([day, day])
})

test('on and off times come with the runs, a page of them', async () => {
  const io = await post<{ Rows: IoRow[]; Runs: { TotalCount: number; Items: IoRun[] } }>('IOData', {
    ...{ ParaIds: [points[2]], Start: start, End: start + day, PageIndex: 2, PageSize: 2 },
  })
  expect(io.Rows).toMatchObject([{ OnMs: 12 * hour, OffMs: 12 * hour, UnknownMs: 0, Switchings: 47, LongestOnMs: 30 * minute }])
  expect(io.Runs).toEqual({
    TotalCount: 48,
    Items: [2, 3].map((i) => ({ ParaId: points[2], Start: start + i * 30 * minute, End: start + (i + 1) * 30 * minute, Value: i % 2 })),
  })
})

test('series grow columns, comparisons and a width; without them they are as they were', async () => {
  const range = { ParaIds: [points[0]], Start: start + day, End: start + day + 12 * hour }
  const plain = await post<SeriesAnswer>('HourData', range)
  expect(Object.keys(plain.Series[0]!).sort()).toEqual(['Avg', 'Count', 'First', 'Last', 'Max', 'Min', 'ParaId', 'Raw', 'Time'])
  const asked = await post<SeriesAnswer>('HourData', { ...range, Columns: ['Mean', 'Coverage'], Compare: [start] })
  expect(asked.Series[0]).toMatchObject({ Avg: [], Time: plain.Series[0]!.Time })
  expect(asked.Series[0]!.Coverage!.slice(0, 9)).toEqual(Array(9).fill(1))
  expect(asked.Compared!.map((of) => [of.Start, of.Series[0]!.Mean])).toEqual([[start, Array(12).fill(15)]])
  const wide = await post<SeriesAnswer>('Data', { ...range, Width: 3 * hour })
  expect([wide.Step, wide.Series[0]!.Raw, wide.Series[0]!.Count]).toEqual([3 * hour, false, [180, 180, 180, 120]])
  const hours = { ...range, Columns: ['Mean', 'Coverage', 'Sum'], Width: hour }
  const [read, brief] = [await post<SeriesAnswer>('Data', hours), await post<SeriesAnswer>('Data', { ...hours, Brief: 1 })]
  expect(brief.Series[0]).toEqual({ ...read.Series[0], Mean: read.Series[0]!.Mean!.map((mean) => expect.closeTo(mean!, 9)) })
  const counted = await post<SeriesAnswer>('CalculateDayData', { ParaIds: [points[1]], Start: start, End: start + day })
  expect(counted.Series[0]!.Sum).toEqual([14_400])
})

test('what is too much is refused by what to reduce', async () => {
  const faults = async (name: string, body: object) => {
    const { StatusCode, Details } = await call('POST', `${path}/${name}`, body)
    return [StatusCode, Object.keys(Details?.Fields ?? {})]
  }
  const range = { ParaIds: points, Start: start, End: start + day }
  expect(await faults('MinData', { ...range, End: start + 40 * day })).toEqual([400, ['End']])
  expect(
    await faults('MinData', {
      ...range,
      ParaIds: points.slice(0, 2),
      End: start + 30 * day,
      Compare: Array(8)
        .fill(0)
        .map((_, i) => i * day),
    }),
  ).toEqual([400, ['Compare']])
  expect(await faults('Data', { ...range, Compare: Array(9).fill(0) })).toEqual([400, ['Compare']])
  expect(await faults('Data', { ...range, Shape: 'deltas', Columns: ['Mean'] })).toEqual([400, ['Shape']])
  expect(await faults('IOData', { ...range, End: start })).toEqual([400, ['End']])
  const many = Array.from({ length: 101 }, (_, i) => i + 1)
  expect(await faults('IOData', { ...range, ParaIds: many })).toEqual([400, ['ParaIds']])
  const statics = await call('GET', `${path}/StaticsData?ParaIds=${points}&Start=0&End=${100 * 365 * day}&By=hour`)
  expect([statics.StatusCode, Object.keys(statics.Details?.Fields ?? {})]).toEqual([400, ['End']])
  expect(await faults(`CalDataType/${points[0]}/9`, {})).toEqual([400, ['CalDataType']])
})

test('the type is set for all points or none, by who may change points', async () => {
  expect(await call('POST', `${path}/CalDataType/${points[0]},${missing}/2`)).toMatchObject({ StatusCode: 404 })
  expect(await call('POST', `${path}/CalDataType/${points}/2`, {}, 'editor')).toMatchObject({ StatusCode: 403 })
  expect(await call('POST', `${path}/CalDataType/${west}/2`, {}, 'stranger')).toMatchObject({ StatusCode: 404 })
  const bools = await plant.kit.data<{ ParaId: number; CalDataType: number }[]>('owner', 'GET', `${path}/DevBoolParaInfo`)
  expect(bools.map((p) => p.ParaId)).toEqual([points[2]])
})
const missing = 999_999_999

test('the state of the data of a project names gaps and what has stood still', async () => {
  const status = await post<{ Items: PointStatus[]; TotalCount: number }>(`DataStatus/${project}`, { Start: start, End: start + 2 * day })
  expect(status.TotalCount).toBe(3)
  const gap = { Start: start + day + 602 * minute, End: start + day + 660 * minute }
  expect(status.Items[0]).toMatchObject({ ParaId: points[0], GapCount: 1, Gaps: [gap], FlatSince: null })
  expect(status).toMatchObject({ CountedSince: expect.any(Number), Items: status.Items.map(() => ({ Late: 0, Replaced: 0 })) })
  const later = await post<{ Items: PointStatus[] }>(`DataStatus/${project}`, { Start: start, End: start + 3 * day })
  expect(later.Items[2]!.FlatSince).toBe(start + 2 * day - 30 * minute)
  const usual = await post<{ Start: number; End: number }>(`DataStatus/${project}`, {})
  expect(usual.End - usual.Start).toBe(7 * day)
})

test('a value that changes hundreds of thousands of times is judged like any other', () => {
  const runs = Array.from({ length: 300_000 }, (_, i) => ({ start: i * 1000, end: (i + 1) * 1000, value: i % 2 }))
  expect([flatSince(runs, 300_000_000), flatSince(runs, 400_000_000)]).toEqual([null, 299_999_000])
})

test('more entries than are written in one go are refused, and 100 years without parts are not', async () => {
  const hours = (n: number) => call('GET', `${path}/StaticsData?ParaIds=${points[0]}&Start=${start}&End=${start + n * hour}&By=hour`)
  expect(await hours(20_001)).toMatchObject({ StatusCode: 400, Details: { Fields: { End: [expect.any(String)] } } })
  expect((await statistics(points, 0, 100 * 365 * day)).map(({ Rows }) => Rows.length)).toEqual([1, 1, 1])
})

test('points whose polling changes keep what was right before, once a transaction, and others keep nothing', async () => {
  const set = (more: ReturnType<typeof sql>) => sql`update point set ${more} where "Id" = any(${points}::bigint[])`
  const kept = () =>
    plant.kit.db.rows(sql`delete from point_interval where "PointId" = any(${points}::bigint[]) returning "PointId", "ExpectedMs"`)
  await kept()
  await plant.kit.db.rows(set(sql`"IntervalTime" = "IntervalTime" + 1, "UploadPeriod" = "UploadPeriod"`))
  expect(await kept()).toEqual([])
  await plant.kit.db.tx(async (db) => {
    await db.rows(set(sql`"UploadPeriod" = case when "Id" = ${points[0]} then 60 else 90 end`))
    await db.rows(set(sql`"UploadPeriod" = 30`))
  })
  expect(await kept()).toEqual(expect.arrayContaining(points.map((PointId) => ({ PointId, ExpectedMs: 60_000 }))))
})
