// The questions of the analysis through HTTP while readings come in, and what leaves: files and reports.
import { brotliCompressSync } from 'node:zlib'
import { sql } from 'kysely'
import { columnOf, linksOf, widthOf } from '../areas/analysis/data-analysis/console/links/correlation.ts'
import type { Database } from '../server/database/db.ts'
import { day } from '../server/telemetry/store/store.ts'
import { drawnCharts } from './drawn.ts'
import { type Figure, figure, quantile, timed } from './figures.ts'
import { type Loader, startLoader } from './load/job.ts'
import type { Published, PublishJob } from './load/publisher.ts'
import { barePast, counterDays, fillPast, levelDays, type Past, stateDays, years } from './past.ts'
import { takenAlong } from './taking.ts'
import { seedPlant, startWorld, type World } from './world.ts'

const [gateways, points, rate] = [20, 100, 50_000]
const tries = 40
const data = '/DataCenter/ReportData'
/** Narrows the bench: questions, spreads, drawn, files, reports, schedules. */
const asked = process.env.BENCH_PARTS?.split(',')
export const wants = (part: string) => !asked || asked.includes(part)

type At = { world: World; token: string; past: Past; end: number }

/** The first answer and the p95 of all, ms; `check` refuses an answer that holds too little. */
const measured = async (
  { world, token }: At,
  ask: (i: number) => [method: string, path: string, body?: object],
  check: (data: never) => boolean,
) => {
  const times: number[] = []
  let text = ''
  for (let i = 0; i < tries; i++)
    times.push(
      await timed(async () => {
        text = await world.ask(token, ...ask(i))
      }),
    )
  const { Data, Succeeded } = JSON.parse(text) as { Data: never; Succeeded: boolean }
  if (!Succeeded || !check(Data)) throw new Error(`${ask(0).slice(0, 2).join(' ')}: ${text.slice(0, 300)}`)
  return { first: times[0]!, p95: quantile(times, 0.95), text }
}

type Shown = { Time: number[] }[]
type Series = { Series: Shown; Deltas?: Shown; Compared?: unknown[] }
type Statistics = { Points: { Rows: { Count: number; Mean: number | null; Sum: number | null }[] }[] }
const statistics = (ids: readonly number[], By: string, Start: number, End: number): [string, string] => [
  'GET',
  `${data}/StaticsData?ParaIds=${ids.join(',')}&By=${By}&Start=${Start}&End=${End}`,
]
const rowsOf = (least: number) => (answer: Statistics) => answer.Points.every((p) => p.Rows.length >= least)

const prepare = async ({ world, token, past }: At) => {
  const [project] = (await world.call<{ Items: { Id: number }[] }>(token, 'GET', '/Project/Project/List')).Items
  const ProjectId = project!.Id
  const shift = (Name: string, Start: string, End: string) => ({ Name, Start, End })
  const Times = [shift('Early', '06:00', '14:00'), shift('Late', '14:00', '22:00'), shift('Night', '22:00', '06:00')]
  await world.call(token, 'POST', '/Project/ShiftPlan', { ProjectId, PlanName: 'Three', ValidFrom: '2015-01-01', Times })
  for (const [ids, type] of [
    [past.states, 3],
    [past.counters, 1],
  ] as const)
    await world.call(token, 'POST', `${data}/CalDataType/${ids.join(',')}/${type}`, {})
  const Expression = past.levels
    .slice(0, 5)
    .map((id) => `#${id}`)
    .join(' + ')
  const { Id } = await world.call<{ Id: number }>(token, 'POST', '/DataCenter/FormulaPoint', { ProjectId, FormulaName: 'Sum', Expression })
  return Id
}

const questions = async (at: At, formula: number): Promise<Figure[]> => {
  const { past, end } = at
  const chart = (ids: readonly number[], days: number, more: object = {}): [string, string, object] => [
    'POST',
    `${data}/Data`,
    { ParaIds: ids, Start: end - days * day, End: end, Buckets: 500, Shape: 'deltas', ...more },
  ]
  const full =
    (count: number) =>
    ({ Series, Deltas = Series }: Series) =>
      Deltas.length === count && Deltas[0]!.Time.length >= 400
  const ten = await measured(at, () => chart(past.levels.slice(0, 10), 90), full(10))
  const Compare = [1, 2, 3].map((n) => end - (n + 1) * 30 * day)
  const compared = await measured(
    at,
    () => chart(past.levels.slice(0, 3), 30, { Compare }),
    (a: Series) => a.Compared?.length === 3,
  )
  const shifts = await measured(at, () => statistics(past.levels, 'shift', end - 90 * day, end), rowsOf(269))
  const months = await measured(at, () => statistics(past.levels, 'month', end - years * 365 * day, end), rowsOf(60))
  const ofFormula = await measured(
    at,
    () => ['POST', `${data}/CalculateData`, { ParaIds: [formula], Start: end - 90 * day, End: end, Buckets: 500 }],
    full(1),
  )
  const io = await measured(
    at,
    () => ['POST', `${data}/IOData`, { ParaIds: past.states, Start: end - stateDays * day, End: end }],
    (a: { Rows: { OnMs: number }[] }) => a.Rows.length === past.states.length && a.Rows.every((row) => row.OnMs > 0),
  )
  const raw = { ParaIds: [past.year], Start: end - 365 * day, End: end, PageSize: 1000 }
  const held = (a: { Items: unknown[] }) => a.Items.length === 1000
  const first = await measured(at, () => ['POST', `${data}/RawData`, raw], held)
  const deep = end - 365 * day + 999 * 1000 * 10_000
  const page = await measured(
    at,
    (i) => ['POST', `${data}/RawData`, { ...raw, AfterTime: deep + i * 10_000_000, AfterPoint: past.year }],
    held,
  )
  const counters = await measured(
    at,
    () => statistics(past.counters, 'day', end - counterDays * day, end),
    (a: Statistics) => a.Points.every(({ Rows }) => Rows.slice(0, -1).every(({ Sum }) => Math.abs(Sum! - 8640) < 2)),
  )
  const bare = await barePast()
  const of = (name: string, { p95, first }: { p95: number; first: number }, than: number | null = null) => [
    figure(name, p95, 'ms', than),
    figure(`${name}, first`, first, 'ms', than),
  ]
  return [
    ...of('90 days of 10 points at 10 s, 500 buckets, p95', ten, bare.chart),
    figure('the same, brotli', brotliCompressSync(ten.text).byteLength / 1024, 'KB'),
    ...of('4 periods of 3 points of 30 days', compared, bare.compared),
    ...of('statistics by shift, 20 points, 90 days', shifts, bare.shifts),
    ...of(`by month, ${years} years`, months, bare.months),
    ...of('formula over 5 points, 90 days', ofFormula, bare.formula),
    ...of('I/O of 100 Bool points, 30 days', io, bare.states),
    ...of('first page of a year of readings', first, bare.page),
    ...of('page 1,000', page, bare.page),
    ...of('10 counters at 10 s, a week by day', counters),
  ]
}

/** What the screens of spreads and of links ask for; the matrix is worked out as in the browser. */
const spreads = async (at: At): Promise<Figure[]> => {
  const { past, end } = at
  const spread = await measured(
    at,
    () => ['POST', `${data}/Distribution`, { ParaIds: [past.levels[0]], Start: end - 90 * day, End: end }],
    (a: { Points: { HeldMs: number }[] }) => a.Points[0]!.HeldMs > 89 * day,
  )
  const [start, width] = [end - 30 * day, widthOf(30 * day)]
  const means = await measured(
    at,
    () => ['POST', `${data}/Data`, { ParaIds: past.levels, Start: start, End: end, Width: width, Columns: ['Mean', 'Avg'], Brief: 1 }],
    (a: Series) => a.Series.length === past.levels.length && a.Series[0]!.Time.length >= 700,
  )
  const { Data } = JSON.parse(means.text) as { Data: { Series: Parameters<typeof columnOf>[0][] } }
  const columns = Data.Series.map((of) => columnOf(of, start, width, (end - start) / width))
  const links = await timed(async () => linksOf(columns, 96))
  return [
    figure('histogram and duration curve of 777,600 readings, p95', spread.p95, 'ms'),
    figure('the same, first', spread.first, 'ms'),
    figure('means of 20 points, 30 days, for their correlation, p95', means.p95, 'ms'),
    figure('their correlation at up to 96 steps of lag', links, 'ms'),
  ]
}

/** Publishes at a constant rate with one alarm per second and gateway, and samples stored counts every five seconds. Returns a stop function. */
const publishUntil = (publisher: Loader<PublishJob, Published>, world: World & { seeded: PublishJob['gateways'] }, stored: number[]) => {
  let isOver = false
  const job = {
    port: world.mqttPort,
    gateways: world.seeded,
    values: points,
    window: 0,
    rate: rate / points,
    seconds: 5,
    warmUp: 0,
    alarms: true,
  }
  const publishing = (async () => {
    while (!isOver) stored.push((await publisher.run(job)).perSecond * points)
  })()
  return () => {
    isOver = true
    return publishing
  }
}

/** Upload interval of the readings, s. Without it, each reading would be held for three seconds only. */
const seedPast = async (database: Database, pastOf: (seeded: { points: number[] }[]) => Past) => {
  const seeded = await seedPlant({ gateways, points })(database)
  const { levels, year, states, counters } = pastOf(seeded)
  for (const [ids, seconds] of [
    [[...levels.slice(0, levels.length / 2), year, ...counters], 10],
    [levels.slice(levels.length / 2), 60],
    [states, 300],
  ] as const)
    await database.system.rows(sql`update point set "UploadMode" = 0, "UploadPeriod" = ${seconds} where "Id" = any(${ids}::bigint[])`)
  await database.system.rows(sql`delete from point_interval`)
  return seeded
}

export const analysis = async () => {
  const publisher = startLoader<PublishJob, Published>('publisher.ts')
  const end = Math.floor(Date.now() / day) * day
  const pastOf = (seeded: { points: number[] }[]): Past => ({
    levels: seeded[0]!.points.slice(0, 20),
    year: seeded[0]!.points[20]!,
    states: seeded[1]!.points,
    counters: seeded[2]!.points.slice(0, 10),
  })
  const seed = (database: Database) => seedPast(database, pastOf)
  const world = await startWorld(seed, {}, ({ telemetry, seeded }) => fillPast(telemetry, pastOf(seeded), end, wants('questions')))
  try {
    const token = await world.login('manager1')
    const at: At = { world, token, past: pastOf(world.seeded), end }
    const formula = await prepare(at)
    const stored: number[] = []
    const publishing = publishUntil(publisher, world, stored)
    try {
      await new Promise((done) => setTimeout(done, 3000))
      const found = wants('questions') ? await questions(at, formula) : []
      if (wants('spreads')) found.push(...(await spreads(at)))
      if (wants('drawn')) found.push(...(await drawnCharts({ world, ids: at.past.levels.slice(0, 10), end })))
      return [...found, ...(await takenAlong({ ...at, stored, from: end - levelDays * day, wants }))]
    } finally {
      await publishing()
    }
  } finally {
    await publisher.end()
    await world.close()
  }
}
