// What one caller at full speed does to others, door by door: to a small list of another tenant's, to the age of live values on
// screens, and to the event loop.
import { sql } from 'kysely'
import { LogicOP } from '../contract/call.ts'
import type { Database } from '../server/database/db.ts'
import { figure } from './figures.ts'
import type { Abused, AbuseJob, Asked } from './load/abuser.ts'
import { startLoader } from './load/job.ts'
import type { Published, PublishJob } from './load/publisher.ts'
import type { Watched, WatchJob } from './load/watchers.ts'
import { workbook } from './workbook.ts'
import { seedPlant, startWorld } from './world.ts'

const seconds = Number(process.env.BENCH_SECONDS ?? 4)
const [connections, gatewaysInList, liveRate] = [24, 10_000, 50]
const wanted = { list: 150, age: 1000, late: 100 }

const seed = async (database: Database) => {
  const made = await seedPlant({ gateways: 5, points: 100 })(database)
  await database.system.rows(sql`
    insert into gateway ("EnterpriseId", "GatewayName", "SN", "ProjectId")
    select p."EnterpriseId", 'Gateway ' || n, 'ABUSE' || lpad(n::text, 10, '0'), p."Id" from project p, generate_series(1, ${gatewaysInList}) n`)
  return made
}

const json = (value: unknown): Partial<Asked> => ({
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(value)).toString('base64'),
})
const upload = (content: Buffer, name: string): Partial<Asked> => ({
  headers: { 'content-type': 'multipart/form-data; boundary=bench' },
  body: Buffer.concat([
    Buffer.from(`--bench\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`),
    content,
    Buffer.from('\r\n--bench--\r\n'),
  ]).toString('base64'),
})

type Door = { door: string; method?: string; path: string; open?: true } & Partial<Omit<Asked, 'method' | 'path'>>
const doors = (points: readonly number[], device: number): Door[] => {
  const now = Date.now()
  const list = { method: 'POST', path: '/api/Project/Gateway/List' }
  // As many conditions and values as a list may have, within 64 kB.
  const conditions = Array.from({ length: 50 }, (_, i) => ({
    Field: 'GatewayName',
    Value: Array.from({ length: 95 }, (_, k) => `G${(i * 95 + k) % 997}`),
    LogicOP: LogicOP.oneOf,
  }))
  const text = (rows: number) => Buffer.from(`Project name\n${Array.from({ length: rows }, (_, i) => `Project ${i}`).join('\n')}\n`)
  return [
    { door: 'nobody', path: '' },
    {
      door: 'sign-in, wrong passwords',
      method: 'POST',
      path: '/api/Auth/Login',
      open: true,
      ...json({ UserNO: 'nobody<n>', Pwd: 'wrong' }),
    },
    { door: 'document of all calls, no session', path: '/api/openapi.json', open: true },
    { door: 'page of the documentation', path: '/api/docs', open: true },
    { door: 'page of the console', path: '/login', open: true },
    { door: 'readiness', path: '/readyz', open: true },
    { door: 'document of all calls', path: '/api/openapi.json', headers: { 'accept-encoding': 'br' } },
    { door: 'document of all calls, uncompressed', path: '/api/openapi.json' },
    { door: 'list, page of 1,000', ...list, ...json({ PageIndex: 1, PageSize: 1000 }) },
    { door: 'list, 50 conditions of 95 values', ...list, ...json({ PageSize: 20, QueryInfo: { QueryConditions: conditions } }) },
    { door: 'export as csv', path: '/api/Project/Gateway/Output?Format=csv' },
    { door: 'export as xlsx', path: '/api/Project/Gateway/Output' },
    { door: 'point table as xlsx', path: `/api/Project/DevPara/Output?DeviceId=${device}` },
    { door: 'template as xlsx', path: '/api/Project/Project/Template' },
    {
      ...{ door: 'sheet, one cell far away', method: 'POST', path: '/api/Project/Project/Import?Preview=1' },
      ...upload(workbook('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'), 'far.xlsx'),
    },
    {
      ...{ door: 'sheet, 4,000,000 rows of text', method: 'POST', path: '/api/Project/Project/Import?Preview=1' },
      ...upload(Buffer.from(`Project name\n${'1\n'.repeat(4_000_000)}`), 'long.csv'),
    },
    {
      ...{ door: 'sheet, 20,000 projects, preview', method: 'POST', path: '/api/Project/Project/Import?Preview=1' },
      ...upload(text(20_000), 'projects.csv'),
    },
    {
      door: 'file of 1 MB',
      method: 'POST',
      path: '/api/System/File/Upload?Purpose=attachment',
      ...upload(Buffer.alloc(2 ** 20, 'x'), 'x.txt'),
    },
    { door: 'hub negotiation', method: 'POST', path: '/api/hubs/sysmsghub/negotiate?negotiateVersion=1' },
    {
      ...{ door: 'chart of seven points, 30 days', method: 'POST', path: '/api/DataCenter/ReportData/Data' },
      ...json({ ParaIds: points.slice(0, 7), Start: now - 30 * 86_400_000, End: now, Buckets: 2000 }),
    },
    {
      door: 'latest values',
      method: 'POST',
      path: '/api/DataCenter/ReportData/LastDataFromCache_APP_Common',
      ...json({ ParaIds: points }),
    },
  ]
}

type Row = { door: string; perSecond: number; refused: number; list: number; age: number; late: number }
const print = (rows: readonly Row[]) => {
  const cells = [
    ['door', 'calls/s', 'refused', 'list p95, ms', 'age p99, ms', 'loop late, ms', ''],
    ...rows.map((r) => [
      r.door,
      r.perSecond.toFixed(0),
      `${(100 * r.refused).toFixed(0)} %`,
      ...[r.list, r.age, r.late].map((n) => n.toFixed(0)),
      r.list > wanted.list || r.age > wanted.age || r.late > wanted.late ? 'MISSED' : '',
    ]),
  ]
  const widths = cells[0]!.map((_, i) => Math.max(...cells.map((row) => row[i]!.length)))
  for (const row of cells) console.log(row.map((cell, i) => (i ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!))).join('  '))
}

/** BENCH_DOORS=text narrows it to doors whose name contains the text; | separates several. */
const asked = (process.env.BENCH_DOORS ?? '').split('|')
export const abuse = async () => {
  const abuser = startLoader<AbuseJob, Abused>('abuser.ts')
  const neighbour = startLoader<AbuseJob, Abused>('abuser.ts')
  const publisher = startLoader<PublishJob, Published>('publisher.ts')
  const watchers = startLoader<WatchJob, Watched>('watchers.ts')
  const world = await startWorld(seed)
  const lag = () => world.metric('penstock_nodejs_eventloop_lag_max_seconds')
  try {
    const points = world.seeded.flatMap((g) => g.points)
    const all = doors(points, world.seeded[0]!.device).filter((d) => d.path === '' || asked.some((text) => d.door.includes(text)))
    const [admin, manager] = [await world.login(), await world.login('manager1')]
    await watchers.run({ kind: 'open', origin: world.origin, tokens: [admin, manager], clients: 10, points, each: 50 })
    const small: Asked = { method: 'GET', path: '/api/Project/Project/List?PageSize=20', headers: { authorization: `Bearer ${admin}` } }
    const [per, pause] = [{ origin: world.origin, seconds }, 1000]
    const total = all.length * (seconds + 3) + 60
    const publishing = publisher.run({
      port: world.mqttPort,
      gateways: world.seeded,
      values: 100,
      window: 0,
      rate: liveRate,
      seconds: total,
      warmUp: 1,
    })
    publishing.catch(() => undefined)
    const rows: Row[] = []
    for (const { door, open, method = 'GET', path, headers = {}, ...more } of all) {
      const request = { method, path, headers: { ...headers, ...(open ? {} : { authorization: `Bearer ${manager}` }) }, ...more }
      // Reading the figure starts a new measurement.
      await lag()
      const [abused, calm, watched] = await Promise.all([
        path ? abuser.run({ ...per, kind: 'abuse', connections, asked: request }) : { calls: 0, refused: 0, failed: 0, p95: 0 },
        neighbour.run({ ...per, kind: 'neighbour', connections: 1, asked: small }),
        watchers.run({ kind: 'measure', seconds }),
      ])
      const late = 1000 * (await lag())
      if (calm.failed) throw new Error(`${door}: the neighbour was refused ${calm.failed} times`)
      rows.push({
        ...{ door, perSecond: abused.calls / seconds, refused: (abused.refused + abused.failed) / Math.max(1, abused.calls) },
        ...{ list: calm.p95, age: watched.p99, late },
      })
      await new Promise((done) => setTimeout(done, pause))
    }
    print(rows)
    const [, ...under] = rows
    const worst = (of: 'list' | 'age' | 'late') => Math.max(...under.map((r) => r[of]))
    return [
      figure("another person's small list, worst door, p95", worst('list'), 'ms', rows[0]!.list),
      figure('age of live values, worst door, p99', worst('age'), 'ms', rows[0]!.age),
      figure('event loop late, worst door', worst('late'), 'ms', rows[0]!.late),
    ]
  } finally {
    await Promise.all([abuser, neighbour, publisher, watchers].map((loader) => loader.end()))
    await world.close()
  }
}
