// What leaves: files of readings, and reports by the clock.
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import type { ExportTask } from '../contract/exports.ts'
import { besideLists, hearAlarms, sleep } from './beside.ts'
import { type Figure, figure, quantile, timed } from './figures.ts'
import type { Past } from './past.ts'
import type { World } from './world.ts'

type At = { world: World; token: string; past: Past; from: number; end: number; stored: number[]; wants: (part: string) => boolean }
const tasks = '/Project/ImportExportTask'
const step = 10_000

const start = ({ world, token }: At, body: object) =>
  world.call<ExportTask>(token, 'POST', `${tasks}/History`, { Unit: 'raw', Header: 0, Waits: 1, ...body })
const stateOf = async ({ world, token }: At, id: number) =>
  (await world.call<{ Items: ExportTask[] }>(token, 'GET', `${tasks}/List`)).Items.find((task) => task.Id === id)
const ended = async (at: At, id: number) => {
  for (;;) {
    const task = await stateOf(at, id)
    if (task?.Status === 2) return task
    if (!task || task.Status > 2) throw new Error(`The task ended: ${JSON.stringify(task)}`)
    await sleep(100)
  }
}
const remove = ({ world, token }: At, id: number) => world.call(token, 'DELETE', `${tasks}?Ids=${id}`)

/** What others notice while something runs: memory, the event loop, and the readings that are stored. */
const beside = async ({ world, stored }: At, work: () => Promise<unknown>) => {
  const before = world.rss()
  await world.metric('penstock_nodejs_eventloop_lag_p99_seconds')
  let isOver = false
  let most = before
  const watching = (async () => {
    while (!isOver) {
      most = Math.max(most, world.rss())
      await sleep(50)
    }
  })()
  const from = stored.length
  const took = await timed(work).finally(() => {
    isOver = true
  })
  await watching
  const during = stored.slice(from)
  return {
    seconds: took / 1000,
    grown: most - before,
    loop: 1000 * (await world.metric('penstock_nodejs_eventloop_lag_p99_seconds')),
    ingest: during.length ? during.reduce((a, b) => a + b, 0) / during.length : Number.NaN,
  }
}

/** The same rows by DuckDB alone. */
const bareFile = async (format: 'csv' | 'parquet') => {
  const path = join(tmpdir(), `penstock-bench.${format}`)
  const db = await (await DuckDBInstance.create(':memory:', { threads: '2' })).connect()
  await db.run(
    'create table wide as select range as time, ' +
      Array.from({ length: 10 }, (_, i) => `round(random() * 100, 2) as v${i}`).join(', ') +
      ' from range(1000000)',
  )
  const took = await timed(() => db.run(`copy wide to '${path}' (format ${format})`))
  db.closeSync()
  rmSync(path, { force: true })
  return took / 1000
}

/** How long the memory of a server that writes no file is watched. */
const aloneMs = 20_000

const files = async (at: At): Promise<Figure[]> => {
  const { past, from, end, world, stored } = at
  const found: Figure[] = []
  const wide = { ParaIds: past.levels.slice(0, 10), Start: from, End: from + 1_000_000 * step, Shape: 'time' }
  // A server that has just started is still growing.
  while (stored.length < 4) await sleep(500)
  const idle = quantile([...stored], 0.5)
  const alone = await beside(at, () => sleep(aloneMs))
  found.push(figure(`without files, memory grows in ${aloneMs / 1000} s by`, alone.grown, 'MiB'))
  for (const format of ['xlsx', 'csv', 'parquet'] as const) {
    const { seconds, grown, loop, ingest } = await beside(at, async () => {
      const { Id, DoneRows } = await start(at, { ...wide, Format: format }).then(({ Id }) => ended(at, Id))
      if (DoneRows !== 1_000_000) throw new Error(`${DoneRows} rows`)
      await remove(at, Id)
    })
    found.push(
      figure(`${format} of 1,000,000 rows x 11`, seconds, 's', format === 'xlsx' ? null : await bareFile(format)),
      figure('memory grows by', grown, 'MiB'),
      figure('event loop, p99', loop, 'ms'),
      figure('ingest (bare: idle)', ingest, 'samples/s', idle),
    )
  }
  const long = { ParaIds: past.levels.slice(0, 10), Start: from, End: from + 999_999 * step, Shape: 'rows', Format: 'csv' }
  if (from + 999_999 * step > end) throw new Error('The past is too short.')
  const whole = await beside(at, async () => remove(at, (await start(at, long).then(({ Id }) => ended(at, Id))).Id))
  const { Id } = await start(at, long)
  await sleep(5000)
  const folder = join(world.folder, 'exports')
  const freed = await timed(async () => {
    await remove(at, Id)
    while (readdirSync(folder).length) await sleep(20)
  })
  return [
    ...found,
    figure('csv of 10,000,000 rows', whole.seconds, 's'),
    figure('memory grows by', whole.grown, 'MiB'),
    figure('event loop, p99', whole.loop, 'ms'),
    figure('cancelled: its file is gone after', freed, 'ms'),
  ]
}

type Run = { Id: number; Status: number; FileBytes: number; Reason: string | null }
const center = '/DataCenter'
const template = async ({ world, token }: At, name: string, ids: readonly number[], Blocks: object[]) => {
  const save = (path: string, body: object) => world.call<{ Id: number }>(token, 'POST', `${center}/${path}`, body)
  const { Id: GroupId } = await save('ReportGroup', { GroupName: name, GroupType: 3, Points: ids.map((ParaId) => ({ ParaId })) })
  const { Id } = await save('ReportTemplate', { TemplateName: name, GroupId, Period: 'month', Blocks })
  return { Id, save }
}
const runs = ({ world, token }: At) =>
  world.call<{ TotalCount: number; Items: Run[] }>(token, 'GET', `${center}/ReportRun/List?PageSize=1000&OrderColumn=Id&OrderType=asc`)
const seconds = async (until: () => Promise<boolean>, longest: number) => {
  const began = performance.now()
  while (!(await until())) {
    if (performance.now() - began > longest * 1000) return Number.NaN
    await sleep(250)
  }
  return (performance.now() - began) / 1000
}

const pdf = async (at: At): Promise<Figure[]> => {
  const Blocks = [
    ...Array.from({ length: 4 }, () => ({ Type: 'curve' })),
    ...Array.from({ length: 4 }, () => ({ Type: 'bars', Unit: 'day' })),
    { Type: 'pageBreak' },
    // The hours of a month: some sixteen pages.
    { Type: 'timeTable', Unit: 'hour' },
  ]
  const { Id, save } = await template(at, 'Pages', at.past.levels.slice(0, 4), Blocks)
  const { Id: schedule } = await save('ReportSchedule', {
    ScheduleName: 'Pages',
    ReportTemplateId: Id,
    Cron: '0 0 3 1 * ?',
    Language: 'zh',
    Format: 'pdf',
  })
  const before = (await runs(at)).TotalCount
  await at.world.call(at.token, 'POST', `${center}/ReportSchedule/Run`, { Id: schedule })
  let made: Run | undefined
  const took = await seconds(async () => {
    made = (await runs(at)).Items[before]
    if (made?.Status === 3) throw new Error(`The report failed: ${made.Reason}`)
    return made?.Status === 2
  }, 120)
  const file = join(at.world.folder, 'reports', `${made!.Id}.pdf`)
  const pages = readFileSync(file, 'latin1').match(/\/Type \/Page\b/g)?.length ?? 0
  return [figure(`pdf of ${pages} pages, 8 charts, zh`, took, 's'), figure('its size', statSync(file).size / 1024 / 1024, 'MB')]
}

/** How long calls and alarms are watched before reports are made. */
const idleMs = 15_000

/** BENCH_SCHEDULES=50 asks for a tenth. */
const schedules = Number(process.env.BENCH_SCHEDULES) || 500
const due = async (at: At): Promise<Figure[]> => {
  const { world, token, past } = at
  const { Id, save } = await template(at, 'Many', past.levels.slice(0, 2), [{ Type: 'keyFigures' }, { Type: 'curve' }])
  const alarms = await hearAlarms(world, token)
  // Warms up the server before the measurement.
  await besideLists(world, token, () => sleep(idleMs))
  alarms.heard.length = 0
  const before = await besideLists(world, token, () => sleep(idleMs))
  const alarmsBefore = quantile(alarms.heard.splice(0), 0.95)
  const done = (await runs(at)).TotalCount
  // The next whole minute that leaves time to add them all; a schedule's times are an hour apart at least.
  const at0 = new Date(Date.now() + 30_000 + 240 * schedules)
  const Cron = `0 ${at0.getMinutes()} * * * ?`
  for (let i = 0; i < schedules; i++)
    await save('ReportSchedule', { ScheduleName: `Many ${i}`, ReportTemplateId: Id, Cron, Format: 'pdf', Keep: 1 })
  const begins = new Date(at0).setSeconds(0, 0)
  await sleep(Math.max(0, begins - Date.now()))
  const made = async (Status: string) =>
    (await world.call<{ TotalCount: number }>(token, 'GET', `${center}/ReportRun/List?PageSize=1&ExactCount=1${Status}`)).TotalCount
  await seconds(async () => (await made('')) > done, 180)
  alarms.heard.length = 0
  const beside = await besideLists(world, token, () => seconds(async () => (await made('&Status=2')) >= done + schedules, 900))
  await alarms.stop()
  return [
    figure(`${schedules} schedules due at the same minute: all made`, beside.took / 1000, 's'),
    figure('lists beside it, p95 (bare: before)', beside.p95, 'ms', before.p95),
    figure('alarms on a console beside it, p95 (bare: before)', quantile(alarms.heard, 0.95), 'ms', alarmsBefore),
  ]
}

export const takenAlong = async (at: At): Promise<Figure[]> => [
  ...(at.wants('files') ? await files(at) : []),
  ...(at.wants('reports') ? await pdf(at) : []),
  ...(at.wants('schedules') ? await due(at) : []),
]
