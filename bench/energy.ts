// What two hundred circuits used, through HTTP: a month's report by level with cost, the overview of thirteen months, a year of hours.
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { sql } from 'kysely'
import type { Database } from '../server/database/db.ts'
import { prepareFolder } from '../server/telemetry/format.ts'
import { openDuckDbStore } from '../server/telemetry/store/duckdb/duckdbStore.ts'
import { day, hour, minute } from '../server/telemetry/store/store.ts'
import { type Figure, figure, quantile, timed } from './figures.ts'
import { seedPlant, startWorld, type World } from './world.ts'

/** A third of the circuits are formulas over two meters. BENCH_METERS: with fewer, to see that all is right. */
const meters = Number(process.env.BENCH_METERS ?? 134)
const [formulas, days, tries] = [Math.floor((meters - 2) / 2), 396, 40]
const quarter = 15 * minute
const waitMs = 600_000

const Periods = [
  ['00:00', '06:00', 5, 0.05],
  ['06:00', '08:00', 4, 0.09],
  ['08:00', '12:00', 2, 0.2],
  ['12:00', '18:00', 3, 0.14],
  ['18:00', '21:00', 1, 0.31],
  ['21:00', '24:00', 3, 0.14],
].map(([Start, End, Level, Price]) => ({ Start, End, Level, Price }))

const readingsOf = (points: readonly number[], from: number, end: number) =>
  points.flatMap((point, i) =>
    Array.from({ length: day / quarter }, (_, k) => {
      const time = from + k * quarter
      return { point, time, value: 1000 + ((time - end + days * day) / hour) * (1 + (i % 40)), quality: 0 }
    }),
  )

/** Counters that say every quarter-hour what they count. */
const fillCounters = async (folder: string, points: readonly number[], end: number) => {
  await prepareFolder(folder)
  const store = await openDuckDbStore({ folder: join(folder, 'store'), clock: () => end + hour, log: console.error })
  // A load is of one month, or of one day of a month that may be open.
  const monthOf = (time: number) => dayOf(time).slice(0, 7)
  const all = Array.from({ length: days }, (_, i) => end - (days - i) * day)
  const open = monthOf(end - 2 * day)
  for (const froms of Map.groupBy(all, (from) => (monthOf(from) < open ? monthOf(from) : dayOf(from))).values())
    await store.load(
      (async function* () {
        for (const from of froms) yield readingsOf(points, from, end)
      })(),
    )
  await store.close()
}

const seed = async (database: Database) => {
  const [gateway] = await seedPlant({ gateways: 1, points: meters })(database)
  await database.system.rows(sql`
    insert into point_meaning ("PointId", "EnterpriseId", "CalDataType") select "Id", "EnterpriseId", 1 from point where "Id" = any(${gateway!.points}::bigint[])`)
  await database.system.rows(
    sql`update point set "ProjectLow" = null, "ProjectHigh" = null, "AlarmLow" = null, "AlarmHigh" = null where "Id" = any(${gateway!.points}::bigint[])`,
  )
  return gateway!
}

/** Circuits below one incomer, all with the same tariff. */
const addCircuits = async (world: World, token: string, points: readonly number[]) => {
  const [project] = (await world.call<{ Items: { Id: number }[] }>(token, 'GET', '/Project/Project/List')).Items
  const Seasons = [{ Months: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], Days: 0, Periods }]
  const tariff = { StandardName: 'Five levels', ValidFrom: '2020-01-01', TariffType: 2, Seasons }
  const { Id: PriceStandardId } = await world.call<{ Id: number }>(token, 'POST', '/Energy/ElectricityPriceStandard', tariff)
  const add = async (EnergyCode: string, more: object) =>
    (
      await world.call<{ Id: number }>(token, 'POST', '/Energy/Info', {
        ...{ EnergyName: EnergyCode, EnergyCode, ProjectId: project!.Id, PriceStandardId },
        ...more,
      })
    ).Id
  const top = await add('M0', { Source: 1, ParaId: points[0] })
  for (const [i, ParaId] of points.slice(1).entries()) await add(`M${i + 1}`, { Source: 1, ParaId, ParentId: top })
  for (let i = 0; i < formulas; i++)
    await add(`F${i}`, { Source: 3, Formula: `[M${i + 1}]+[M${i + 2}]*0.5`, ParentId: top, CountInTotal: 0 })
  return top
}

const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms))
const restMs = 4000
/** Seconds until all days and months of all circuits are derived: from then on, the server and its database rest. */
const derived = async (world: World) => {
  const start = performance.now()
  let [restSince, cpu] = [start, world.cpu()]
  while (performance.now() - restSince < restMs) {
    if (performance.now() - start > waitMs) throw new Error('The server has not come to rest.')
    await sleep(1000)
    const now = world.cpu()
    if (now - cpu > 0.2) restSince = performance.now()
    cpu = now
  }
  return (restSince - start) / 1000
}

const measured = async (world: World, token: string, path: string, check: (data: never) => boolean) => {
  const times: number[] = []
  let text = ''
  for (let i = 0; i < tries; i++)
    times.push(
      await timed(async () => {
        text = await world.ask(token, 'GET', path)
      }),
    )
  const { Data, Succeeded } = JSON.parse(text) as { Data: never; Succeeded: boolean }
  if (!Succeeded || !check(Data)) throw new Error(`${path}: ${text.slice(0, 300)}`)
  return quantile(times, 0.95)
}

/** The same quarter-hours in nothing but a sorted table in memory. */
const bareReads = async () => {
  const db = await (await DuckDBInstance.create(':memory:', { threads: '2' })).connect()
  await db.run(`create table q as select point, time, 1000 + random() as value
    from range(${meters}) p(point), range(0, ${365 * day}, ${quarter}) t(time) order by point, time`)
  const ask = async (text: string) => {
    const times: number[] = []
    for (let i = 0; i < 12; i++) times.push(await timed(async () => (await db.run(text)).fetchAllChunks()))
    return quantile(times, 0.95)
  }
  const month = await ask(`select point, time, value from q where time < ${31 * day}`)
  const hours = await ask(`select time, value from q where point = 7 and time % ${hour} = 0`)
  db.closeSync()
  return { month, hours }
}

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)
export const energy = async (): Promise<Figure[]> => {
  const end = Math.floor(Date.now() / day) * day
  const world = await startWorld(seed, {}, ({ telemetry, seeded }) => fillCounters(telemetry, seeded.points, end))
  try {
    const token = await world.login('manager1')
    const top = await addCircuits(world, token, world.seeded.points)
    const last = (count: number) => `DateFrom=${dayOf(end - count * day)}&DateTo=${dayOf(end - day)}`
    const seconds = await derived(world)
    const whole = (data: { Rows: unknown[] }) => data.Rows.length === meters + formulas
    const report = await measured(world, token, `/Energy/Report/Data?${last(31)}&Columns=level`, whole)
    const flow = `/Energy/DataCenter/List?${last(days)}`
    const overview = await measured(world, token, flow, (data: { Items: { Energy: number }[] }) => data.Items[0]!.Energy > 0)
    const year = `/Energy/DataCenter/Chart?EnergyInfoId=${top}&${last(365)}&Division=hour`
    const hours = await measured(world, token, year, (data: { Series: { Parts: unknown[] } }) => data.Series.Parts.length === 365 * 24)
    const bare = await bareReads()
    return [
      figure(`month report, ${meters + formulas} circuits × 31 days × 5 levels with cost, p95`, report, 'ms', bare.month),
      figure(`overview with flow, ${meters + formulas} circuits, 13 months, p95`, overview, 'ms'),
      figure('one circuit, a year of hours by level, p95', hours, 'ms', bare.hours),
      figure(`all derived data of ${meters + formulas} circuits × 13 months anew`, seconds, 's'),
    ]
  } finally {
    await world.close()
  }
}
