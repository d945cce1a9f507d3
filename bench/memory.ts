import { figure } from './figures.ts'
import { gateways, points } from './ingest.ts'
import { startLoader } from './load/job.ts'
import type { Published, PublishJob } from './load/publisher.ts'
import { seedPlant, startWorld } from './world.ts'

const overloadSeconds = Number(process.env.BENCH_OVERLOAD_SECONDS ?? 60)

/** Resident memory of the server's process: in ordinary work, and when gateways send all they can without waiting. */
export const memory = async () => {
  const publisher = startLoader<PublishJob, Published>('publisher.ts')
  const world = await startWorld(seedPlant({ gateways, points }))
  let most = 0
  const sampling = setInterval(() => {
    most = Math.max(most, world.rss())
  }, 100)
  try {
    const job = { port: world.mqttPort, gateways: world.seeded, values: points, alarms: true }
    const steady = await publisher.run({ ...job, window: 0, rate: 200_000 / points, seconds: 20, warmUp: 2 })
    const ordinary = most
    // Nobody can send ten times what the server takes from the machine it runs on: each gateway fills its connection instead.
    const flooded = await publisher.run({ ...job, window: 20_000, seconds: overloadSeconds, warmUp: 2 })
    const peak = most
    most = 0
    const half = await publisher.run({ ...job, window: 20_000, seconds: 10, warmUp: 2 })
    if (steady.cut || flooded.cut || half.cut) throw new Error('connections were cut')
    return [
      figure('server memory at 200,000 samples/s', ordinary, 'MiB'),
      figure(`server memory, ${overloadSeconds} s of more than it can take`, Math.max(peak, most), 'MiB'),
      figure(`ingest over these ${overloadSeconds} s, files closed meanwhile`, flooded.perSecond * points, 'samples/s'),
    ]
  } finally {
    clearInterval(sampling)
    await publisher.end()
    await world.close()
  }
}
