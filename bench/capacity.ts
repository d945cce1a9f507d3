import { figure } from './figures.ts'
import { startLoader } from './load/job.ts'
import type { Published, PublishJob } from './load/publisher.ts'
import { seedPlant, startWorld } from './world.ts'

const sizes = [
  { gateways: 10, points: 100 },
  { gateways: 100, points: 100 },
  { gateways: 500, points: 200 },
]

/** What a server needs for so many points at one reading a second, each gateway with one message a second. */
export const capacity = async () => {
  const figures = []
  for (const { gateways, points } of sizes) {
    const publisher = startLoader<PublishJob, Published>('publisher.ts')
    const world = await startWorld(seedPlant({ gateways, points }))
    let most = 0
    const sampling = setInterval(() => {
      most = Math.max(most, world.rss())
    }, 100)
    try {
      const job = { port: world.mqttPort, gateways: world.seeded, values: points, window: 0, rate: gateways, seconds: 20, warmUp: 5 }
      const { cut, p99 } = await publisher.run(job)
      if (cut) throw new Error(`${cut} connections were cut`)
      const all = (gateways * points).toLocaleString('en')
      figures.push(figure(`server memory, ${all} points at 1 s`, most, 'MiB'), figure(`acknowledged, ${all} points at 1 s, p99`, p99, 'ms'))
    } finally {
      clearInterval(sampling)
      await publisher.end()
      await world.close()
    }
  }
  return figures
}
