// Load that an API process takes off the owner, and latency of live values on its consoles.
import { startFleetEngines } from '../main/testing/fleetEngines.ts'
import { clickhouseServer } from '../server/telemetry/store/clickhouse/clickhouseServer.ts'
import { startServerProcess } from '../tests/faults/server-process.ts'
import { sleep } from './beside.ts'
import { type Figure, figure } from './figures.ts'
import { startLoader } from './load/job.ts'
import type { Published, PublishJob } from './load/publisher.ts'
import type { Watched, WatchJob } from './load/watchers.ts'
import { seedPlant, startWorld } from './world.ts'

const [gateways, points, rate] = [20, 100, 50_000]
const [consoles, each, seconds, calls] = [100, 50, 8, 40]

const openFleet = async () => {
  const engines = await startFleetEngines({ natsServers: 3 })
  const env = { ...engines.env, PENSTOCK_TRUST_PROXY: '127.0.0.0/8' }
  const world = await startWorld(seedPlant({ gateways, points }), env)
  const beside = await startServerProcess({ ...env, ROLES: 'api' })
  const close = async () => {
    await beside.stop()
    beside.remove()
    await world.close()
    await engines.close()
  }
  return { world, beside, close }
}
type Fleet = Awaited<ReturnType<typeof openFleet>>

/** Processor time of the owner per chart of ten points, ms, when the process at `origin` answers. */
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
  const before = world.cpu()
  for (let i = 0; i < calls; i++) await ask()
  return ((world.cpu() - before) * 1000) / calls
}

/** p99 latency from device to consoles of a process, ms, and the owner's CPU usage, % of a core. */
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
  const before = world.cpu()
  const seen = await watchers.run({ kind: 'measure', seconds })
  const share = ((world.cpu() - before) * 100) / seconds
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
