import { figure } from './figures.ts'
import { gateways, points } from './ingest.ts'
import { startLoader } from './load/job.ts'
import type { Published, PublishJob } from './load/publisher.ts'
import type { Watched, WatchJob } from './load/watchers.ts'
import { seedPlant, startWorld } from './world.ts'

const [clients, each, rate, seconds] = [100, 50, 50_000, 8]

/** From the moment a gateway sends a value to the console that shows it, with the commit in between. */
export const hub = async () => {
  const publisher = startLoader<PublishJob, Published>('publisher.ts')
  const watchers = startLoader<WatchJob, Watched>('watchers.ts')
  const world = await startWorld(seedPlant({ gateways, points }))
  try {
    const all = world.seeded.flatMap((g) => g.points)
    const tokens = [await world.login(), await world.login(), await world.login()]
    await watchers.run({ kind: 'open', origin: world.origin, tokens, clients, points: all, each })
    const job = { port: world.mqttPort, gateways: world.seeded, values: points, window: 0, rate: rate / points, warmUp: 2, alarms: true }
    const publishing = publisher.run({ ...job, seconds: seconds + 2 })
    await new Promise((done) => setTimeout(done, 3000))
    const seen = await watchers.run({ kind: 'measure', seconds })
    const { cut } = await publishing
    if (cut || seen.open < clients) throw new Error(`${cut} gateways and ${clients - seen.open} consoles were cut`)
    if (seen.values < clients * each * seconds) throw new Error(`Only ${seen.values} values reached the consoles`)
    return [
      figure('device to hub client at 50,000 samples/s, p99', seen.p99, 'ms'),
      figure('values shown to 100 consoles', seen.values / seconds, 'values/s'),
    ]
  } finally {
    await Promise.all([publisher.end(), watchers.end()])
    await world.close()
  }
}
