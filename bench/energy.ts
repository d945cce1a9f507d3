// What two hundred circuits used, through HTTP: a month's report by level with cost, the overview of thirteen months, a year of hours.
import { DuckDBInstance } from '@duckdb/node-api'
import { day, hour } from '../server/telemetry/store/store.ts'
import { backfill, besideIngest } from './energy-beside.ts'
import { addCircuits, dayOf, derived, openMeters, quarter } from './energy-meters.ts'
import { firstStart } from './energy-start.ts'
import { type Figure, figure, printTable, quantile, timed } from './figures.ts'
import { startLoader } from './load/job.ts'
import type { ReadJob } from './load/reader.ts'
import type { World } from './world.ts'

/** A third of the circuits are formulas over two meters. BENCH_METERS: with fewer, to see that all is right. */
const meters = Number(process.env.BENCH_METERS ?? 134)
const [formulas, days, tries] = [Math.floor((meters - 2) / 2), 396, 100]
const circuits = meters + formulas

/** ms until the last byte of each answer. */
const timesOf = async ({ origin }: World, token: string, paths: readonly string[]) => {
  const reader = startLoader<ReadJob, number[]>('reader.ts')
  try {
    return await reader.run({ token, urls: paths.map((path) => `${origin}/api${path}`) })
  } finally {
    await reader.end()
  }
}
const measured = async (world: World, token: string, path: string, check: (data: never) => boolean) => {
  const times = await timesOf(world, token, Array<string>(tries).fill(path))
  const text = await world.ask(token, 'GET', path)
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

const answers = async (): Promise<Figure[]> => {
  const end = Math.floor(Date.now() / day) * day
  const world = await openMeters({ meters, days, end })
  try {
    const token = await world.login('manager1')
    const top = await addCircuits(world, token, world.seeded[0]!.points, formulas)
    const last = (count: number) => `DateFrom=${dayOf(end - count * day)}&DateTo=${dayOf(end - day)}`
    const seconds = await derived(world, circuits, end)
    const whole = (data: { Rows: unknown[] }) => data.Rows.length === circuits
    const report = await measured(world, token, `/Energy/Report/Data?${last(31)}&Columns=level`, whole)
    const flow = (count: number) => `/Energy/DataCenter/List?${last(count)}`
    const used = (data: { Items: { Energy: number }[] }) => data.Items[0]!.Energy > 0
    const overview = await measured(world, token, flow(days), used)
    // A different start date each time, so that nothing is cached.
    const paths = Array.from({ length: 10 }, (_, i) => flow(days - 1 - i))
    const first = await timesOf(world, token, paths)
    const year = `/Energy/DataCenter/Chart?EnergyInfoId=${top}&${last(365)}&Division=hour`
    const hours = await measured(world, token, year, (data: { Series: { Parts: unknown[] } }) => data.Series.Parts.length === 365 * 24)
    const bare = await bareReads()
    return [
      figure(`month report, ${circuits} circuits × 31 days × 5 levels with cost, p95`, report, 'ms', bare.month),
      figure(`overview with flow, ${circuits} circuits, 13 months, p95`, overview, 'ms'),
      figure('the same of a range that nobody has asked for, p95', quantile(first, 0.95), 'ms'),
      figure('one circuit, a year of hours by level, p95', hours, 'ms', bare.hours),
      figure(`all derived data of ${circuits} circuits × 13 months anew`, seconds, 's'),
    ]
  } finally {
    await world.close()
  }
}

const parts: Record<string, () => Promise<Figure[]>> = {
  answers,
  backfill,
  ingest: () => besideIngest({ meters, formulas, days }),
  start: firstStart,
}
/** BENCH_PARTS narrows it: answers, backfill, ingest, start. */
export const energy = async (): Promise<Figure[]> => {
  const found: Figure[] = []
  for (const part of process.env.BENCH_PARTS?.split(',') ?? Object.keys(parts)) {
    const figures = await parts[part]!()
    // Prints each part, even if a later one fails.
    printTable(figures)
    found.push(...figures)
  }
  return found
}
