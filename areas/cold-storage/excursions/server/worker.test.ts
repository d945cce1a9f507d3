import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDuckDbStore } from '../../../../server/telemetry/store/duckdb/duckdbStore.ts'
import { temporaryFolder } from '../../../../server/telemetry/telemetry.fixture.ts'
import { startCold } from '../../rooms/server/cold.fixture.ts'
import { excursionsOf } from '../excursions.ts'
import { excursionRoutes } from './routes.ts'
import { startExcursions } from './worker.ts'

type Excursion = {
  Id: number
  Side: number
  BeginTime: string
  EndTime: string | null
  Ended: number
  Minutes: number
  PeakValue: number
} & {
  DegreeMinutes: number
  Mkt: number
  Disposition: number
  IsChanged: number
  IsVoid: number
  LimitValue: number
}
const minute = 60_000
const t0 = Date.UTC(2026, 2, 1)
let now = t0
let cold: Awaited<ReturnType<typeof startCold>>
let store: Awaited<ReturnType<typeof openDuckDbStore>>
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let worker: ReturnType<typeof startExcursions>
const start = () =>
  startExcursions({
    ...{ database: cold.kit.database, telemetry: store, isOwner: () => true, clock: () => now },
    log: {
      warn: (of: object) => {
        throw of
      },
    },
  })
beforeAll(async () => {
  folder = await temporaryFolder('excursions')
  store = await openDuckDbStore({ folder: folder.folder, clock: () => now, log: () => {} })
  cold = await startCold(() => now, [excursionRoutes])
  now = t0 + 200 * minute
  worker = start()
})
afterAll(async () => {
  await worker?.stop()
  await store?.close()
  await cold?.close()
  await folder?.remove()
})

type Given = [minutes: number, value: number | null]
const send = (point: number, ...given: Given[]) =>
  store.append(
    given.map(([at, value]) => ({ point, time: t0 + at * minute, value, quality: value === null ? 1 : 0, live: true })),
    given.map((_, i) => i),
  )
const list = async (ColdStorageId: number) =>
  (
    await cold.kit.data<{ Items: Excursion[] }>(
      'owner',
      'GET',
      `/ColdStorage/Excursion/List?ColdStorageId=${ColdStorageId}&OrderColumn=BeginTime&OrderType=asc&PageSize=100`,
    )
  ).Items
const settle = async () => {
  await worker.settle()
}

it('a door left open becomes an excursion that goes on, ends, and is decided about by a person with the permission', async () => {
  now = t0 + 25 * minute
  const { Id, ParaId } = await cold.ready('Door', '2026-03-01 00:00:00')
  await send(ParaId, [0, 5], [10, 9], [20, 11])
  await settle()
  expect(await list(Id)).toMatchObject([
    { Side: 1, BeginTime: '2026-03-01 00:10:00', EndTime: null, Ended: 0, PeakValue: 11, LimitValue: 8 },
  ])
  const [open] = await list(Id)
  const dispose = (as = 'owner', more: object = {}) =>
    cold.kit.call(as, 'POST', '/ColdStorage/Excursion/Dispose', { Id: open!.Id, Disposition: 2, Cause: 'Door left open', ...more })
  expect(await dispose()).toMatchObject({ StatusCode: 409 })
  await send(ParaId, [30, 7])
  now = t0 + 31 * minute
  await settle()
  const done = {
    Id: open!.Id,
    EndTime: '2026-03-01 00:30:00',
    Ended: 1,
    Minutes: 20,
    DegreeMinutes: 10 * 1 + 10 * 3,
    Mkt: expect.closeTo(10.08, 1),
  }
  expect(await list(Id)).toMatchObject([done])
  expect(await dispose('viewer')).toMatchObject({ StatusCode: 403 })
  expect(await dispose('stranger')).toMatchObject({ StatusCode: 404 })
  expect(await dispose('owner', { Cause: ' ' })).toMatchObject({ StatusCode: 400 })
  expect(await dispose()).toMatchObject({ Data: { Disposition: 2, Cause: 'Door left open', DisposeUserName: 'owner', IsChanged: 0 } })
  // Late readings change the figures; the decision stays and is marked.
  await send(ParaId, [15, 12])
  await settle()
  expect(await list(Id)).toMatchObject([
    { ...done, DegreeMinutes: 5 + 20 + 30, PeakValue: 12, Mkt: expect.anything(), Disposition: 2, IsChanged: 1 },
  ])
  // If later readings contradict the excursion, its decision stays.
  await send(ParaId, [10, 5], [15, 5], [20, 5])
  await settle()
  expect(await list(Id)).toMatchObject([{ Id: open!.Id, Disposition: 2, IsVoid: 1, IsChanged: 1 }])
  await send(ParaId, [15, 9])
  await settle()
  expect(await list(Id)).toMatchObject([{ Id: open!.Id, IsVoid: 0, BeginTime: '2026-03-01 00:15:00', EndTime: '2026-03-01 00:20:00' }])
})

it('excursions are the same whatever the order of arrival, over restarts, and equal those of all readings at once', async () => {
  now = t0 + 30 * 60 * minute
  let state = 11
  const random = () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
  const given: Given[] = []
  for (let at = 0; at < 1500; at += 1 + Math.floor(random() ** 4 * 60))
    given.push([at, random() < 0.05 ? null : Math.round((5 + 5 * Math.sin(at / 40) * random()) * 10) / 10])
  const expected = excursionsOf(
    given.map(([at, value]) => ({ time: t0 + at * minute, value })),
    () => ({ low: 2, high: 8 }),
    now,
  )
  const shuffled = given.map((one) => ({ one, key: random() })).sort((a, b) => a.key - b.key)
  const { Id, ParaId } = await cold.ready('Shuffled', '2026-03-01 00:00:00')
  await settle()
  const parts = Array.from({ length: 12 }, (_, i) => shuffled.filter((_, k) => k % 12 === i).map(({ one }) => one))
  for (const [i, part] of parts.entries()) {
    await send(ParaId, ...part)
    if (i === 5) {
      await worker.stop()
      worker = start()
    }
    await settle()
  }
  const wall = (at: number) => new Date(at).toISOString().slice(0, 19).replace('T', ' ')
  expect(
    (await list(Id)).map(({ Side, BeginTime, EndTime, Ended, DegreeMinutes, PeakValue, Mkt }) => [
      Side,
      BeginTime,
      EndTime,
      Ended,
      DegreeMinutes,
      PeakValue,
      Mkt,
    ]),
  ).toEqual(
    expected.map((of) => [of.side, wall(of.begin), of.ended === 0 ? null : wall(of.end), of.ended, of.degreeMinutes, of.peak, of.mkt]),
  )
  expect(expected.length).toBeGreaterThan(5)
  // Without readings, an excursion ends by timeout.
  await send(ParaId, [30 * 60 - 10, 9])
  await settle()
  expect((await list(Id)).at(-1)).toMatchObject({ Ended: 0, EndTime: null })
  now += 60 * minute
  await settle()
  expect((await list(Id)).at(-1)).toMatchObject({ Ended: 2, Minutes: 30 })
})

it('a calibration judges from its day on, a new limit from its moment on, and an alarm of a bound sensor is one of the room', async () => {
  now = t0 + 40 * 60 * minute
  const { Id, ParaId } = await cold.ready('Corrected', '2026-03-01 00:00:00')
  await send(ParaId, [10, 7.9], [20, 5], [1500, 7.9], [1510, 5])
  await settle()
  expect(await list(Id)).toEqual([])
  const [sensor] = (await cold.kit.data<{ Items: { Id: number }[] }>('owner', 'GET', `/ColdStorage/Sensor/List?ColdStorageId=${Id}`)).Items
  // The day begins at 23:00 UTC, before the second reading.
  await cold.kit.data('owner', 'POST', '/ColdStorage/Calibration', {
    SensorBindId: sensor!.Id,
    CalibDate: '2026-03-02',
    CalibDue: '2027-03-02',
    CalibOffset: 0.2,
  })
  await settle()
  expect(await list(Id)).toMatchObject([{ BeginTime: '2026-03-02 01:00:00', PeakValue: 8.1, DegreeMinutes: 1 }])
  // Readings of March were judged by the limit of March.
  await cold.kit.data('owner', 'PUT', '/ColdStorage/InfoPC', { Id, TempHigh: 7 })
  await settle()
  expect(await list(Id)).toMatchObject([{ LimitValue: 8 }])
  const alarm = (StartTime: Date, point: number) =>
    cold.kit.db.rows<{ AlarmType: number }>(sql`
      insert into alarm_info ("EnterpriseId", "ParaId", "RuleName", "StartTime", "LastTime", "IsActive")
      values (${cold.kit.enterprises.ours}, ${point}, 'limit', ${StartTime}, ${StartTime}, 0) returning "AlarmType"`)
  expect(await alarm(new Date(t0 + minute), ParaId)).toEqual([{ AlarmType: 4 }])
  expect(await alarm(new Date(t0 - minute), ParaId)).toEqual([{ AlarmType: 1 }])
})
