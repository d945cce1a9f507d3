// The past that the analysis is asked about, in the server's own files and in a plain table of DuckDB.
import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { prepareFolder } from '../server/telemetry/format.ts'
import type { Sample } from '../server/telemetry/sample.ts'
import { openDuckDbStore } from '../server/telemetry/store/duckdb/duckdbStore.ts'
import { day, hour, minute } from '../server/telemetry/store/store.ts'
import { quantile, timed } from './figures.ts'

/** Points at 10 s, and as many at a minute, for so many days, the same at 10 minutes before; one at 10 s for a year; states; counters at 10 s for a week. */
export type Past = { levels: readonly number[]; year: number; states: readonly number[]; counters: readonly number[] }
export const [levelDays, years, stateDays, counterDays] = [120, 5, 30, 7]

const levelAt = (point: number, time: number) =>
  Math.round((50 + (point % 9) + 10 * Math.sin(time / (hour * ((point % 7) + 1))) + Math.random() * 0.5) * 100) / 100
/** On for some 40 minutes, off for 20, each point at its own pace; told every five minutes. */
const stateAt = (point: number, time: number) => Number((time / minute + point * 7) % (50 + (point % 20)) > 20)

/** Readings of a day, point by point. */
const dayOf = ({ levels, year, states, counters }: Past, from: number, end: number, isWhole: boolean): Sample[] => {
  const rows: Sample[] = []
  const put = (point: number, step: number, valueAt: (time: number) => number) => {
    for (let time = from; time < from + day; time += step) rows.push({ point, time, value: valueAt(time), quality: 0 })
  }
  const isWithin = (days: number) => from >= end - days * day
  for (const [i, point] of levels.entries()) {
    const step = i < levels.length / 2 ? 10_000 : minute
    put(point, isWithin(levelDays) ? step : 10 * minute, (time) => levelAt(point, time))
  }
  if (isWhole && isWithin(365)) put(year, 10_000, (time) => levelAt(year, time))
  if (isWithin(stateDays)) for (const point of states) put(point, 5 * minute, (time) => stateAt(point, time))
  if (isWithin(counterDays))
    for (const point of counters) put(point, 10_000, (time) => Math.floor((time - from + (from - end)) / 1000) / 10 + 1e6)
  return rows
}
const monthOf = (time: number) => new Date(time).toISOString().slice(0, 7)

/** Written month by month, as a demo's past is. BENCH_PAST names a folder that keeps it for the next run of the day. Without `isWhole`, the last months alone. */
export const fillPast = async (folder: string, past: Past, end: number, isWhole: boolean) => {
  const kept = process.env.BENCH_PAST && join(process.env.BENCH_PAST, `${end}${isWhole ? '' : '-months'}`)
  if (kept && existsSync(kept)) return cpSync(kept, folder, { recursive: true })
  await prepareFolder(folder)
  const store = await openDuckDbStore({ folder: join(folder, 'store'), clock: () => end + hour, log: console.error })
  for (let from = end - (isWhole ? years * 365 : levelDays) * day; from < end; ) {
    const first = from
    const isOver = monthOf(first) !== monthOf(end)
    const until = isOver ? Math.min(end, Date.parse(`${monthOf(Date.parse(`${monthOf(first)}-01`) + 32 * day)}-01`)) : first + day
    await store.load(
      (async function* () {
        for (; from < until; from += day) yield dayOf(past, from, end, isWhole)
      })(),
    )
  }
  await store.close()
  if (kept) cpSync(folder, kept, { recursive: true })
}

const tries = 12
/** The same questions in nothing but a sorted table in memory. */
export const barePast = async () => {
  const db = await (await DuckDBInstance.create(':memory:', { threads: '2' })).connect()
  const table = (name: string, points: number, days: number, step: number) =>
    db.run(`create table ${name} as select point, time, 50 + random() as value
      from range(${points}) p(point), range(0, ${days * day}, ${step}) t(time) order by point, time`)
  await table('levels', 20, 90, 10_000)
  await table('old', 20, years * 365, 10 * minute)
  await table('one', 1, 365, 10_000)
  await table('states', 100, stateDays, 5 * minute)
  const ask = async (sql: string) => {
    const times: number[] = []
    for (let i = 0; i < tries; i++) times.push(await timed(async () => (await db.run(sql)).fetchAllChunks()))
    return quantile(times, 0.95)
  }
  const sums = 'min(value), max(value), avg(value), stddev_pop(value), count(*), arg_min(value, time), arg_max(value, time)'
  const buckets = (points: number, days: number, count: number) =>
    ask(
      `select point, time // ${(days * day) / count} as bucket, ${sums} from levels where point < ${points} and time < ${days * day} group by all`,
    )
  const answer = {
    chart: await buckets(10, 90, 500),
    compared: 4 * (await buckets(3, 30, 500)),
    shifts: await ask(`select point, time // ${8 * hour} as shift, ${sums} from levels group by all`),
    months: await ask(`select point, time // ${30 * day} as month, ${sums} from old group by all`),
    formula: await ask(
      `select time // ${hour}, avg(v) from (select time, sum(value) as v from levels where point < 5 group by time) group by 1`,
    ),
    states: await ask(`select point, sum(ms) filter (value > 50.5), count(*) from (select point, value,
      lead(time) over (partition by point order by time) - time as ms from states) group by point`),
    page: await ask(`select * from one where time >= ${180 * day} order by time limit 1000`),
  }
  db.closeSync()
  return answer
}
