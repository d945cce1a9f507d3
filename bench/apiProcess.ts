// An API process beside the owner: what it takes off the owner, and how old values are on its consoles.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { startNats } from '../main/testing/nats.ts'
import { startPostgres } from '../server/database/embedded.ts'
import { clickhouseServer, startClickHouse } from '../server/telemetry/store/clickhouse/clickhouseServer.ts'
import { startServerProcess } from '../tests/faults/server-process.ts'
import { type Figure, figure } from './figures.ts'
import { startLoader } from './load/job.ts'
import type { Published, PublishJob } from './load/publisher.ts'
import type { Watched, WatchJob } from './load/watchers.ts'
import { seedPlant, startWorld } from './world.ts'

const [gateways, points, rate] = [20, 100, 50_000]
const [consoles, each, seconds, calls] = [100, 50, 8, 40]
const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms))

/** Processor time of a process, ms; 100 ticks a second. */
const timeOf = (pid: number) => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

const openFleet = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'penstock-bench-fleet-'))
  const quiet = { info: () => undefined, error: console.error }
  const postgres = await startPostgres({ folder: join(folder, 'postgres'), log: quiet })
  const clickhouse = await startClickHouse(clickhouseServer!)
  const nats = await startNats(3)
  const buckets = { directory: join(folder, 's3'), configureBuckets: [{ name: 'penstock', configs: [] }] }
  const s3 = new S3rver({ address: '127.0.0.1', port: 0, silent: true, ...buckets })
  const env = {
    ...{ NATS_URL: nats.url, DATABASE_URL: postgres.url, CLICKHOUSE_URL: clickhouse.url },
    ...{ PENSTOCK_VAULT_KEY: randomBytes(32).toString('base64'), PENSTOCK_TRUST_PROXY: '127.0.0.0/8' },
    S3_URL: `http://S3RVER:S3RVER@127.0.0.1:${(await s3.run()).port}/penstock`,
  }
  const world = await startWorld(seedPlant({ gateways, points }), env)
  const beside = await startServerProcess({ ...env, ROLES: 'api' })
  const close = async () => {
    await beside.stop()
    beside.remove()
    await world.close()
    await s3.close()
    await nats.remove()
    await clickhouse.remove()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { world, beside, close }
}
type Fleet = Awaited<ReturnType<typeof openFleet>>

/** Processor time of the owner for a chart of ten points, ms, asked of one process. */
const ofOwner = async ({ world }: Fleet, origin: string, token: string) => {
  const ParaIds = world.seeded[0]!.points.slice(0, 10)
  const ask = async () => {
    const body = JSON.stringify({ ParaIds, Start: Date.now() - 3_600_000, End: Date.now(), Buckets: 500 })
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answer = await fetch(`${origin}/api/DataCenter/ReportData/Data`, { method: 'POST', headers, body })
    const text = await answer.text()
    if (!text.includes('"Succeeded":true')) throw new Error(text.slice(0, 300))
  }
  for (let i = 0; i < 10; i++) await ask()
  const before = timeOf(world.pid)
  for (let i = 0; i < calls; i++) await ask()
  return (timeOf(world.pid) - before) / calls
}

/** Age of values on consoles of a process, p99, ms, and the owner's processor time meanwhile, share of a core. */
const live = async ({ world }: Fleet, origin: string) => {
  // A session has few connections.
  const tokens = [await world.login('manager1'), await world.login('manager1'), await world.login('manager1')]
  const publisher = startLoader<PublishJob, Published>('publisher.ts')
  const watchers = startLoader<WatchJob, Watched>('watchers.ts')
  const all = world.seeded.flatMap((g) => g.points)
  await watchers.run({ kind: 'open', origin, tokens, clients: consoles, points: all, each })
  const job = { port: world.mqttPort, gateways: world.seeded, values: points, window: 0, rate: rate / points, warmUp: 2 }
  const publishing = publisher.run({ ...job, seconds: seconds + 2 })
  await sleep(3000)
  const before = timeOf(world.pid)
  const seen = await watchers.run({ kind: 'measure', seconds })
  const share = (timeOf(world.pid) - before) / (seconds * 10)
  const { cut, perSecond } = await publishing
  await Promise.all([publisher.end(), watchers.end()])
  if (cut || seen.open < consoles) throw new Error(`${cut} gateways and ${consoles - seen.open} consoles were cut`)
  return { p99: seen.p99, share, values: seen.values / seconds, samples: perSecond * points }
}

export const apiProcess = async (): Promise<Figure[]> => {
  if (!clickhouseServer) {
    console.log('  left out: Debian’s package clickhouse-server is not installed')
    return []
  }
  const fleet = await openFleet()
  try {
    const [there, here] = [await live(fleet, fleet.world.origin), await live(fleet, fleet.beside.origin)]
    const token = await fleet.world.login('manager1')
    const [own, beside] = [await ofOwner(fleet, fleet.world.origin, token), await ofOwner(fleet, fleet.beside.origin, token)]
    return [
      figure('device to a console of an API process, p99 (400 wanted; bare: of the owner)', here.p99, 'ms', there.p99),
      figure('readings meanwhile', here.samples, 'samples/s', there.samples),
      figure('owner with 100 consoles at an API process (bare: at the owner)', here.share, '% of a core', there.share),
      figure('owner for a chart of an API process (bare: of its own)', beside, 'ms', own),
    ]
  } finally {
    await fleet.close()
  }
}
