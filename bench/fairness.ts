import { figure } from './figures.ts'
import { startLoader } from './load/job.ts'
import type { Published, PublishJob } from './load/publisher.ts'
import { seedPlant, startWorld } from './world.ts'

const [flooders, points, quiet] = [40, 100, 4]
/** Messages a second of a quiet gateway, and its readings in each. */
const [rate, values] = [5, 10]
const seconds = Number(process.env.BENCH_SECONDS ?? 15)

/** Latency of acknowledgements for quiet gateways while forty others flood: in the same tenant, and in another. */
export const fairness = async () => {
  const [flood, same, other] = [0, 1, 2].map(() => startLoader<PublishJob, Published>('publisher.ts')) as [
    ReturnType<typeof startLoader<PublishJob, Published>>,
    ReturnType<typeof startLoader<PublishJob, Published>>,
    ReturnType<typeof startLoader<PublishJob, Published>>,
  ]
  const world = await startWorld(seedPlant({ gateways: flooders + 2 * quiet, points, ofOther: quiet }))
  const figures = []
  try {
    const { seeded, mqttPort: port } = world
    const little = { port, values, window: 0, rate: rate * quiet, seconds, warmUp: 3 }
    const polite = (warmUp = 3) =>
      Promise.all([
        same.run({ ...little, warmUp, gateways: seeded.slice(flooders, flooders + quiet) }),
        other.run({ ...little, warmUp, gateways: seeded.slice(flooders + quiet) }),
      ])
    const [calm] = await polite(1)
    figures.push(figure('a quiet gateway, publish to acknowledge, nobody floods, p99', calm!.p99, 'ms'))
    for (const each of [1, 100].filter((n) => !process.env.BENCH_VALUES || n === Number(process.env.BENCH_VALUES))) {
      const name = `${flooders} flood with ${each} a message`
      const [flooded, [ofSame, ofOther]] = await Promise.all([
        flood.run({ port, gateways: seeded.slice(0, flooders), values: each, window: 2000, seconds, warmUp: 3 }),
        polite(),
      ])
      if (flooded.cut || ofSame!.cut || ofOther!.cut) throw new Error('A connection was cut')
      for (const [whose, { p50, p99, late }] of [['their', ofSame!] as const, ['another', ofOther!] as const]) {
        figures.push(figure(`${name}, a quiet gateway of ${whose} tenant, p50`, p50, 'ms'))
        figures.push(figure(`${name}, a quiet gateway of ${whose} tenant, p99`, p99, 'ms'))
        figures.push(figure(`of it before this bench had sent the message, p99`, late, 'ms'))
      }
      figures.push(figure(`${name}, readings of the flood`, flooded.perSecond * each, 'samples/s'))
    }
    return figures
  } finally {
    await Promise.all([flood.end(), same.end(), other.end()])
    await world.close()
  }
}
