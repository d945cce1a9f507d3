import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Answer } from '../../../../contract/call.ts'
import { startCold } from '../../rooms/server/cold.fixture.ts'
import type { coldFigureCalls } from '../contract.ts'
import { coldFigureRoutes } from './routes.ts'

type Statistics = Answer<typeof coldFigureCalls.statistics>
type Checked = Answer<typeof coldFigureCalls.check>
const [minute, hour] = [60_000, 3_600_000]
const t0 = Date.UTC(2026, 2, 2)
let now = t0 + 60 * hour
let cold: Awaited<ReturnType<typeof startCold>>
beforeAll(async () => {
  cold = await startCold(() => now, [coldFigureRoutes])
})
afterAll(() => cold?.close())

const series = (point: number, from: number, to: number, step: number, value: (at: number) => number) =>
  Array.from({ length: (to - from) / step }, (_, i) => ({ point, time: from + i * step, value: value(i * step) }))
const statistics = (ColdStorageId: number, Start: number, End: number, as = 'owner') =>
  cold.kit.call<Statistics>(as, 'GET', `/ColdStorage/Statistics?ColdStorageId=${ColdStorageId}&Start=${Start}&End=${End}`)
const check = (ColdStorageId: number, Start: number, End: number, as = 'owner') =>
  cold.kit.call<Checked>(as, 'POST', '/ColdStorage/ReportCheck_Calc', { ColdStorageId, Start, End })

/** A room with points that are constant but for the last one, which swings by 0.5 °C. */
const mapped = async (name: string, count: number) => {
  const { Id, ParaId } = await cold.ready(name, '2026-03-01 00:00:00', { TempSet: 5 }, { CalibDate: '2026-03-01', CalibDue: '2027-03-01' })
  const ids = [ParaId]
  for (let i = 1; i < count; i++) {
    const point = await cold.point(`${name} ${i}`, '°C')
    await cold.kit.data('owner', 'POST', '/ColdStorage/Bind', {
      ...{
        ColdStorageId: Id,
        ParaId: point,
        SensorType: 1,
        BindTime: '2026-03-01 00:00:00',
        CalibDate: '2026-03-01',
        CalibDue: '2027-03-01',
      },
    })
    ids.push(point)
  }
  return { Id, ids }
}

it('uniformity, fluctuation, deviation and the mean kinetic temperature equal closed forms', async () => {
  const { Id, ids } = await mapped('Closed', 3)
  const [low, high, swing] = ids as [number, number, number]
  const end = t0 + 12 * hour
  await cold.load([
    ...series(low, t0, end, minute, () => 4),
    ...series(high, t0, end, minute, () => 7),
    ...series(swing, t0, end, minute, (at) => (Math.floor(at / hour) % 2 ? 4.5 : 5.5)),
  ])
  const { Points, Room, Door } = (await statistics(Id, t0, end)).Data
  expect(Room).toMatchObject({ Avg: 5.333, Deviation: 0.333, Uniformity: 3, Fluctuation: 0.5 })
  expect(Points.map(({ Min, Max, Avg, Std, Mkt }) => [Min, Max, Avg, Std, Mkt])).toEqual([
    [4, 4, 4, 0, 4],
    [7, 7, 7, 0, 7],
    [4.5, 5.5, 5, 0.5, expect.closeTo(5.016, 2)],
  ])
  expect([Room.Coldest, Room.Hottest]).toEqual([Points[0]!.SensorBindId, Points[1]!.SensorBindId])
  expect(Points.map(({ KnownPercent, InBandPercent, OutsideMinutes }) => [KnownPercent, InBandPercent, OutsideMinutes])).toEqual(
    Points.map(() => [100, 100, 0]),
  )
  expect(Door).toEqual({ Count: 0, TotalS: 0, LongestS: 0, Percent: null })
})

it('a point outside the band is counted in minutes, degree-minutes and share, and a gap is not known', async () => {
  const { Id, ParaId } = await cold.ready('Gap', '2026-03-01 00:00:00')
  const door = await cold.point('Gap door', '', { ParaDataType: 0 })
  await cold.kit.data('owner', 'POST', '/ColdStorage/Bind', {
    ColdStorageId: Id,
    ParaId: door,
    SensorType: 3,
    BindTime: '2026-03-01 00:00:00',
  })
  await cold.load([
    ...series(ParaId, t0, t0 + hour, minute, () => 5),
    ...series(ParaId, t0 + hour, t0 + hour + 10 * minute, minute, () => 9.5),
    // The last one holds for half an hour.
    { point: ParaId, time: t0 + hour + 10 * minute, value: 6 },
    ...[0, 5, 8, 20, 21].map((at, i) => ({ point: door, time: t0 + at * minute, value: i % 2 })),
  ])
  const { Points, Door } = (await statistics(Id, t0, t0 + 4 * hour)).Data
  expect(Points).toMatchObject([
    { OutsideMinutes: 10, LongestMinutes: 10, DegreeMinutes: 15, InBandPercent: 90, KnownPercent: 41.667, Max: 9.5, MaxTime: t0 + hour },
  ])
  expect(Door).toMatchObject({ Count: 2, TotalS: 240, LongestS: 180 })
})

it('a check passes, fails or says what data are missing, by the standard of its kind of room, and stores nothing', async () => {
  const { Id, ids } = await mapped('Checked', 9)
  const end = t0 + 48 * hour
  await cold.load(ids.flatMap((point, i) => series(point, t0, end, 5 * minute, () => 4 + i / 10)))
  expect((await check(Id, t0, end)).Data).toMatchObject({
    Result: 1,
    Reasons: [],
    Standard: { MinPoints: 9, MinHours: 48, DeltaH: 83.144 },
    Room: { Uniformity: 0.8 },
  })
  const short = (await check(Id, t0, end - hour)).Data
  expect(short).toMatchObject({ Result: 3, Reasons: [{ Code: 'hours', IsShort: 1, Text: expect.stringContaining('48') }] })
  const standard = (await cold.kit.data<object>('owner', 'GET', '/ColdStorage/ReportStandard?StorageType=1')) as Record<string, unknown>
  const put = (more: object, as = 'owner') => cold.kit.call(as, 'PUT', '/ColdStorage/ReportStandard', { ...standard, ...more })
  expect(await put({ MaxUniformity: 0.5 }, 'viewer')).toMatchObject({ StatusCode: 403 })
  expect(await put({ TempLow: 9 })).toMatchObject({ StatusCode: 400, Details: { Fields: { TempHigh: expect.anything() } } })
  expect(await put({ MaxUniformity: 0.5 })).toMatchObject({ Data: { MaxUniformity: 0.5 } })
  expect((await check(Id, t0, end)).Data).toMatchObject({ Result: 2, Reasons: [{ Code: 'uniformity', IsShort: 0 }] })
  expect(await cold.kit.data('stranger', 'GET', '/V3/ColdStorage/ReportStandard?StorageType=1')).toMatchObject({ MaxUniformity: null })
  // Half of the readings of a point are missing; the calibration is over.
  const { Id: bare } = await cold.ready('Bare', '2026-03-01 00:00:00')
  expect((await check(bare, t0, end)).Data.Reasons.map(({ Code }) => Code)).toEqual(['points', 'missing', 'calibration'])
  for (const as of ['stranger']) expect(await check(Id, t0, end, as)).toMatchObject({ StatusCode: 404 })
  expect(await check(Id, t0, t0 + 32 * 24 * hour)).toMatchObject({ StatusCode: 400 })
  expect(await check(Id, 0, 8_640_000_000_000_000)).toMatchObject({ StatusCode: 400 })
  expect(await statistics(Id, end, t0)).toMatchObject({ StatusCode: 400, Details: { Fields: { End: expect.anything() } } })
})

it('a composed room has the points of its members while they belonged to it', async () => {
  const [a, b] = [await cold.ready('First', '2026-03-01 00:00:00'), await cold.ready('Second', '2026-03-01 00:00:00')]
  now = t0 + 60 * hour
  const both = await cold.kit.data<{ Id: number }>('owner', 'POST', '/ColdStorage/Compose', {
    StorageName: 'Together',
    MemberIds: [a.Id, b.Id],
  })
  await cold.load([a.ParaId, b.ParaId].flatMap((point) => series(point, now - hour, now + 2 * hour, minute, () => 5)))
  now += hour
  await cold.kit.data('owner', 'POST', '/ColdStorage/Split', { Id: both.Id })
  const { Points } = (await statistics(both.Id, now - 2 * hour, now + hour)).Data
  expect(Points).toMatchObject([{ SensorName: 'First air' }, { SensorName: 'Second air' }])
  // An hour of three.
  expect(Points.every(({ KnownPercent }) => KnownPercent > 30 && KnownPercent < 53)).toBe(true)
})
