import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import type { Wrapper } from '../contract/call.ts'
import { type Series, telemetryCalls } from '../contract/telemetry.ts'
import { prepareFolder } from '../server/telemetry/format.ts'
import { openDuckDbStore } from '../server/telemetry/store/duckdb/duckdbStore.ts'
import { day, hour, type Incoming, minute } from '../server/telemetry/store/store.ts'
import { figure, quantile, timed } from './figures.ts'
import { gateways, points } from './ingest.ts'
import { startLoader } from './load/job.ts'
import type { Published, PublishJob } from './load/publisher.ts'
import { seedPlant, startWorld } from './world.ts'

const [rate, tries, years] = [50_000, 40, 5]

/** 30 days at 10 s. */
export const fillMonth = (folder: string, ids: readonly number[], end: number) => fill(folder, ids, end, 0)

/** Points for 30 days at 10 s, and before that the first of them for years at 10 minutes; closed as the days went by. */
const fill = async (folder: string, ids: readonly number[], end: number, before = years) => {
  await prepareFolder(folder)
  let clock = 0
  const store = await openDuckDbStore({ folder: join(folder, 'store'), clock: () => clock, log: console.error })
  const value = (point: number, time: number) =>
    Math.round((50 + (point % 9) + 10 * Math.sin(time / (hour * ((point % 7) + 1))) + Math.random() * 0.5) * 100) / 100
  const put = async (of: readonly number[], from: number, to: number, step: number) => {
    const rows: Incoming[] = []
    for (let time = from; time < to; time += step)
      for (const point of of) rows.push({ point, time: time + (point % 10), value: value(point, time), quality: 0, live: true })
    await store.append(rows)
    clock = to + 20 * minute
    await store.settle()
  }
  const start = end - 30 * day
  for (let from = start - before * 365 * day; from < start; from += 30 * day)
    await put(ids.slice(0, 1), from, Math.min(start, from + 30 * day), 10 * minute)
  for (let from = start; from < end; from += day) await put(ids, from, from + day, 10_000)
  await store.close()
}

/** As many readings in a plain table of DuckDB, sorted, and the aggregates alone, with nothing else to do. */
const bare = async () => {
  const db = await (await DuckDBInstance.create(':memory:', { threads: '2' })).connect()
  const month = (points: number) =>
    `select point, time, 50 + random() as value from range(${points}) p(point), range(0, ${30 * day}, 10000) t(time)`
  await db.run(`create table month as ${month(7)} order by point, time`)
  await db.run(
    `create table years as select 0 as point, time, random() as value from range(0, ${years * 365 * day}, ${10 * minute}) t(time)`,
  )
  const ask = async (table: string, points: number, step: number) => {
    const times: number[] = []
    const fetchAll = async (sql: string) => (await db.run(sql)).fetchAllChunks()
    for (let i = 0; i < tries; i++)
      times.push(
        await timed(() =>
          // The columns as DuckDB has them: turning values into JavaScript's would cost more than the query.
          fetchAll(`select point, time // ${step} as bucket, min(value), max(value), avg(value), count(*), arg_min(value, time),
            arg_max(value, time) from ${table} where point < ${points} group by all order by all`),
        ),
      )
    return quantile(times, 0.95)
  }
  const [one, seven, hours] = [
    await ask('month', 1, (30 * day) / 2000),
    await ask('month', 7, (30 * day) / 2000),
    await ask('years', 1, hour),
  ]
  db.closeSync()
  return { one, seven, hours }
}

/** Charts through HTTP while readings come in. */
export const queries = async () => {
  const publisher = startLoader<PublishJob, Published>('publisher.ts')
  const end = Math.floor(Date.now() / day) * day
  const world = await startWorld(seedPlant({ gateways, points }), {}, ({ telemetry, seeded }) =>
    fill(telemetry, seeded[0]!.points.slice(1, 8), end),
  )
  try {
    const token = await world.login()
    const ids = world.seeded[0]!.points.slice(1, 8)
    const ask = async (path: string, body: object) => {
      const times: number[] = []
      let entries = 0
      for (let i = 0; i < tries; i++) {
        let text = ''
        times.push(
          await timed(async () => {
            text = await world.ask(token, 'POST', path, body)
          }),
        )
        entries = (JSON.parse(text) as Wrapper<{ Series: Series[] }>).Data.Series[0]!.Time.length
      }
      // Later ones find what closed files hold in memory.
      const first = times[0]!
      return { p95: quantile(times, 0.95), first, entries }
    }
    const publishing = publisher.run({
      ...{ port: world.mqttPort, gateways: world.seeded, values: points, window: 0, rate: rate / points },
      ...{ seconds: 30, warmUp: 1, alarms: true },
    })
    await new Promise((done) => setTimeout(done, 3000))
    const month = { Start: end - 30 * day, End: end, Buckets: 2000 }
    const one = await ask(telemetryCalls.data.path, { ...month, ParaIds: ids.slice(0, 1) })
    const seven = await ask(telemetryCalls.data.path, { ...month, ParaIds: ids })
    const hours = await ask(telemetryCalls.hours.path, { ParaIds: ids.slice(0, 1), Start: end - years * 365 * day, End: end })
    if (one.entries < 1400 || hours.entries < 40_000) throw new Error(`The answers hold ${one.entries} and ${hours.entries} entries`)
    await publishing
    const alone = await bare()
    return [
      figure('one point, 30 days at 10 s, 2,000 buckets, p95', one.p95, 'ms', alone.one),
      figure('seven points, the same, p95', seven.p95, 'ms', alone.seven),
      figure('one point, 5 years of hours, p95', hours.p95, 'ms', alone.hours),
      figure('the same three, asked for the first time: one point', one.first, 'ms', alone.one),
      figure('seven points', seven.first, 'ms', alone.seven),
      figure('5 years', hours.first, 'ms', alone.hours),
    ]
  } finally {
    await publisher.end()
    await world.close()
  }
}
