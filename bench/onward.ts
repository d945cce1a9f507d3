// Forwarding to an external broker: 50,000 readings a second, with the broker down for a minute.
import { setTimeout as wait } from 'node:timers/promises'
import { type Figure, figure } from './figures.ts'
import type { BrokerJob, Counted } from './load/broker.ts'
import { startLoader } from './load/job.ts'
import type { Published, PublishJob } from './load/publisher.ts'
import { openCalls } from './senders.ts'
import { seedPlant, startWorld } from './world.ts'

const [gateways, points, wanted] = [20, 100, 50_000]
const seconds = Number(process.env.BENCH_SECONDS ?? 8)
/** How long the broker is down, and how long the backlog may take afterwards. */
const awaySeconds = Number(process.env.BENCH_CUT ?? 60)
const mostSeconds = 10 * awaySeconds + 120

export const onward = async (): Promise<Figure[]> => {
  const broker = startLoader<BrokerJob, Counted>('broker.ts')
  const publisher = startLoader<PublishJob, Published>('publisher.ts')
  const { port } = await broker.run({ do: 'open' })
  const world = await startWorld(seedPlant({ gateways, points }), { PENSTOCK_OUTBOUND: `127.0.0.1/32:${port}` })
  const stored = () => world.metric('penstock_readings_stored_total')
  try {
    const job = { port: world.mqttPort, gateways: world.seeded, values: points, window: 0, rate: wanted / points }
    const bare = await publisher.run({ ...job, seconds, warmUp: 2 })
    const { call, project } = await openCalls(world)
    const access = {
      AccessName: 'Broker',
      ProjectId: project,
      Target: 2,
      Url: `mqtt://127.0.0.1:${port}`,
      Topic: 'readings',
      Mode: 2,
      Period: 10,
    }
    const { Id } = await call<{ Id: number }>('POST', '/Project/ThirdPartyAccess', access)
    // The result of the first check stays.
    await wait(12_000)
    const before = await stored()
    const begins = performance.now()
    // Long enough for a first turn.
    const first = seconds + 12
    const running = publisher.run({ ...job, seconds: first + awaySeconds + seconds, warmUp: 0 })
    await wait(first * 1000)
    const beside = await broker.run({ do: 'count' })
    await broker.run({ do: 'cut' })
    await wait(awaySeconds * 1000)
    await broker.run({ do: 'back' })
    const ours = await running
    const ends = performance.now()
    const sent = (await stored()) - before
    let got = await broker.run({ do: 'count' })
    for (; got.distinct < sent && performance.now() - ends < mostSeconds * 1000; got = await broker.run({ do: 'count' })) await wait(500)
    const { Items } = await call<{ Items: { Id: number; Lost: number }[] }>('GET', '/Project/ThirdPartyAccess/List')
    return [
      figure(`onward to a broker that is away for ${awaySeconds} s: readings that never came`, sent - got.distinct, 'of all', sent),
      figure('counted as lost, and out of order', (Items.find((one) => one.Id === Id)?.Lost ?? 0) + got.backward, 'readings'),
      figure('came twice', got.readings - got.distinct, 'readings'),
      figure('ingest beside it (bare: without)', ours.perSecond * points, 'samples/s', bare.perSecond * points),
      figure('publish to acknowledge beside it, p99 (bare: without)', ours.p99, 'ms', bare.p99),
      figure(`behind after ${first} s, before it was cut`, Math.max(0, first * wanted - beside.distinct), 'readings'),
      figure('all came after the last was sent', (performance.now() - ends) / 1000, 's'),
      figure('the whole run', (performance.now() - begins) / 1000, 's'),
    ]
  } finally {
    await Promise.all([publisher.end(), broker.end()])
    await world.close()
  }
}
