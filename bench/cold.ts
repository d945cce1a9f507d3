// Cold rooms and models through HTTP: a mapping report of twelve sensors, the excursions of twenty rooms, and a year of hours that is learnt.
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { sql } from 'kysely'
import { learnForecast } from '../areas/energy/predictive-models/server/learn/forecast.ts'
import type { Database } from '../server/database/db.ts'
import { prepareFolder } from '../server/telemetry/format.ts'
import { openDuckDbStore } from '../server/telemetry/store/duckdb/duckdbStore.ts'
import { day, hour, minute } from '../server/telemetry/store/store.ts'
import { type Figure, figure, quantile, timed } from './figures.ts'
import { seedPlant, startWorld, type World } from './world.ts'

const [rooms, mapped, days, tries] = [20, 12, 396, 40]
const waitMs = 600_000
const lag = 'penstock_nodejs_eventloop_lag_p99_seconds'
const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms))

/** Every ten minutes for thirteen months. Each room is too warm for half an hour in every tenth hour, at a different time. */
const roomValue = (room: number, at: number) => {
  const since = (at / minute + 40 * room) % (60 * 97)
  return 5 + Math.sin(at / hour + room) + (since < 30 ? 5 : 0)
}
/** More by day than at night, and each hour a little different. */
const load = (at: number) => 100 + 40 * Math.sin((2 * Math.PI * at) / day) + (((at / hour) * 7919) % 23)

type Rows = { point: number; time: number; value: number; quality: number }[]
const every = (point: number, from: number, end: number, step: number, value: (time: number) => number): Rows =>
  Array.from({ length: Math.floor((end - from) / step) }, (_, i) => from + i * step).map((time) => ({
    point,
    time,
    value: value(time),
    quality: 0,
  }))

const fill = async (folder: string, points: readonly number[], end: number) => {
  await prepareFolder(folder)
  const store = await openDuckDbStore({ folder: join(folder, 'store'), clock: () => end + hour, log: console.error })
  const dayRows = (from: number): Rows => [
    ...points.slice(0, rooms).flatMap((point, room) => every(point, from, from + day, 10 * minute, (time) => roomValue(room, time))),
    ...(from >= end - 8 * day
      ? points
          .slice(rooms, rooms + mapped)
          .flatMap((point, i) => every(point, from, from + day, minute, (time) => 4 + i / 10 + Math.sin(time / hour) / 4))
      : []),
    ...every(points[rooms + mapped]!, from, from + day, 15 * minute, load),
  ]
  const monthOf = (time: number) => new Date(time).toISOString().slice(0, 7)
  const open = monthOf(end - 2 * day)
  const all = Array.from({ length: days }, (_, i) => end - (days - i) * day)
  const loads = Map.groupBy(all, (from) => (monthOf(from) < open ? monthOf(from) : new Date(from).toISOString().slice(0, 10)))
  for (const froms of loads.values())
    await store.load(
      (async function* () {
        for (const from of froms) yield dayRows(from)
      })(),
    )
  await store.close()
}

const seed = async (database: Database) => {
  const [gateway] = await seedPlant({ gateways: 1, points: rooms + mapped + 1 })(database)
  // A reading that is due every quarter of an hour holds for as long.
  await database.system.rows(sql`update point set "UploadMode" = 3, "UploadPeriod" = 900 where "Id" = any(${gateway!.points}::bigint[])`)
  // And always did.
  await database.system.rows(sql`delete from point_interval where "PointId" = any(${gateway!.points}::bigint[])`)
  return gateway!
}

const wall = (time: number) => new Date(time).toISOString().slice(0, 19).replace('T', ' ')
const addRooms = async (world: World, token: string, { sn: SN, points }: { sn: string; points: readonly number[] }, end: number) => {
  const [project] = (await world.call<{ Items: { Id: number }[] }>(token, 'GET', '/Project/Project/List')).Items
  const room = async (StorageName: string, sensors: readonly number[], from: number) => {
    const draft = { StorageName, ProjectId: project!.Id, StorageType: 1, TempLow: 2, TempHigh: 8 }
    const { Id } = await world.call<{ Id: number }>(token, 'POST', '/ColdStorage/InfoPC', draft)
    const calibration = { CalibDate: '2025-01-01', CalibDue: '2099-01-01' }
    const Sensors = sensors.map((ParaId, i) => ({ ParaId, SensorType: 1, ...calibration, X: i % 4, Y: Math.floor(i / 4), Z: 1 }))
    await world.call(token, 'POST', '/ColdStorage/Init', { Id, SN, Sensors, BindTime: wall(from) })
    return Id
  }
  for (let i = 0; i < rooms; i++) await room(`Room ${i}`, [points[i]!], end - days * day)
  return room('Mapped', points.slice(rooms, rooms + mapped), end - 8 * day)
}

const answered = async <T>(what: string, ask: () => Promise<T | undefined>): Promise<T> => {
  for (const start = performance.now(); performance.now() - start < waitMs; await sleep(50)) {
    const found = await ask()
    if (found !== undefined) return found
  }
  throw new Error(`${what} did not come.`)
}

const report = async (world: World, token: string, room: number, end: number) => {
  const body = { ColdStorageId: room, Start: end - 7 * day, End: end, CheckKind: 1, LoadState: 0, Season: 1 }
  let id = 0
  const numbers: number[] = []
  for (let i = 0; i < 5; i++)
    numbers.push(
      await timed(async () => {
        id = (await world.call<{ Id: number }>(token, 'POST', '/ColdStorage/GenerateReportCheck', body)).Id
        await answered('The report', async () =>
          (await world.call<{ Result: number }>(token, 'GET', `/ColdStorage/Report?Id=${id}`)).Result ? true : undefined,
        )
      }),
    )
  const pdfs: number[] = []
  let bytes = 0
  for (let i = 0; i < 5; i++)
    pdfs.push(
      await timed(async () => {
        bytes = (await world.ask(token, 'GET', `/ColdStorage/Report/Pdf?Id=${id}`)).length
      }),
    )
  return { numbers: quantile(numbers, 0.5), pdf: quantile(pdfs, 0.5), bytes }
}

const excursions = async (world: World, token: string) => {
  const path = '/ColdStorage/Excursion/List?PageSize=200'
  const wanted = rooms * Math.floor((days * day) / (97 * hour) - 2)
  const total = await answered('Every excursion', async () => {
    await sleep(2000)
    const { TotalCount } = await world.call<{ TotalCount: number }>(token, 'GET', path)
    return TotalCount >= wanted ? TotalCount : undefined
  })
  const times: number[] = []
  for (let i = 0; i < tries; i++) times.push(await timed(() => world.ask(token, 'GET', path)))
  return { total, p95: quantile(times, 0.95) }
}

const training = async (world: World, token: string, ParaId: number, end: number) => {
  const body = { Type: 4, Name: 'Load', Range: { Start: end - 365 * day, End: end }, Params: { Points: [{ ParaId, Role: 'other' }] } }
  return timed(async () => {
    const { ModelId } = await world.call<{ ModelId: number }>(token, 'POST', '/endpoints/train', body)
    const model = await answered('The model', async () => {
      const all = await world.call<{ ModelId: number; Status: number; Reason: string | null }[]>(token, 'GET', '/endpoints/models')
      return all.find((one) => one.ModelId === ModelId && one.Status !== 0)
    })
    if (model.Status !== 1) throw new Error(`The model was not trained: ${model.Reason}`)
  })
}

/** The same numbers without a server. */
const bare = async () => {
  const hours = 365 * 24
  const series = {
    values: Float64Array.from({ length: hours }, (_, i) => load(i * hour)),
    slots: Uint8Array.from({ length: hours }, (_, i) => i % 24),
  }
  const learnt = await timed(async () => learnForecast(series))
  const db = await (await DuckDBInstance.create(':memory:', { threads: '2' })).connect()
  await db.run(`create table q as select point, time, 5 + random() as value
    from range(${mapped}) p(point), range(0, ${7 * day}, ${minute}) t(time) order by point, time`)
  const read = await timed(async () => (await db.run('select point, time, value from q')).fetchAllChunks())
  await db.run(`create table e as select range as id, random() as peak from range(${rooms * 100})`)
  const scan = await timed(async () => (await db.run('select * from e order by id desc limit 200')).fetchAllChunks())
  db.closeSync()
  return { learnt, read, scan }
}

export const cold = async (): Promise<Figure[]> => {
  const end = Math.floor(Date.now() / day) * day
  const world = await startWorld(seed, {}, ({ telemetry, seeded }) => fill(telemetry, seeded.points, end))
  try {
    const token = await world.login('manager1')
    const { points } = world.seeded
    const room = await addRooms(world, token, world.seeded, end)
    const found = await excursions(world, token)
    const made = await report(world, token, room, end)
    // Reading starts over.
    await world.metric(lag)
    const trained = await training(world, token, points[rooms + mapped]!, end)
    const late = 1000 * (await world.metric(lag))
    const limit = await bare()
    return [
      figure('mapping report, 12 sensors × 7 days of minutes: numbers', made.numbers, 'ms', limit.read),
      figure('the same as pdf', made.pdf, 'ms'),
      figure('its size', made.bytes / 1024, 'KiB'),
      figure(`${found.total} excursions of ${rooms} rooms over 13 months, a page of 200, p95`, found.p95, 'ms', limit.scan),
      figure('train a year of hours, from the call to the model', trained, 'ms', limit.learnt),
      figure('event loop late meanwhile, p99', late, 'ms'),
    ]
  } finally {
    await world.close()
  }
}
