import { figure } from './figures.ts'
import { startLoader } from './load/job.ts'
import type { Published, PublishJob } from './load/publisher.ts'
import type { Watched, WatchJob } from './load/watchers.ts'
import { seedPlant, startWorld } from './world.ts'

export const [gateways, points, clients] = [20, 100, 50]
/** Single values a second that are promised: half of that is the load its acknowledgement is promised for. */
const wanted = 30_000
const seconds = Number(process.env.BENCH_SECONDS ?? 8)

/** Message sizes of the table, with windows that let commits gather some thousand readings. */
const shapes = [
  { values: 100, window: 64 },
  { values: 10, window: 192 },
  { values: 1, window: 256 },
].filter(({ values }) => !process.env.BENCH_VALUES || values === Number(process.env.BENCH_VALUES))

/** Ingest through MQTT until it is on disk, and the same messages through nothing but Aedes, JSON.parse and DuckDB's appender. */
export const ingest = async () => {
  const publisher = startLoader<PublishJob, Published>('publisher.ts')
  const watchers = startLoader<WatchJob, Watched>('watchers.ts')
  const bareServer = startLoader<object, { port: number }>('bare.ts')
  const world = await startWorld(seedPlant({ gateways, points }))
  const figures = []
  try {
    const { port } = await bareServer.run({})
    const all = world.seeded.flatMap((g) => g.points)
    const tokens = [await world.login(), await world.login()]
    await watchers.run({ kind: 'open', origin: world.origin, tokens, clients, points: all, each: all.length / clients })
    const load = (job: Omit<PublishJob, 'port' | 'gateways'>, to = world.mqttPort) =>
      publisher.run({ port: to, gateways: world.seeded, alarms: true, ...job })

    const sustained: number[] = []
    for (const { values, window } of shapes) {
      const bare = await load({ values, window, seconds, warmUp: 2 }, port)
      const before = await world.metric('penstock_readings_stored_total')
      const ours = await load({ values, window, seconds, warmUp: 2 })
      const stored = (await world.metric('penstock_readings_stored_total')) - before
      if (ours.cut || bare.cut) throw new Error(`${ours.cut} and ${bare.cut} connections were cut`)
      if (stored < ours.acked * values) throw new Error(`${ours.acked * values} readings were acknowledged and ${stored} stored`)
      sustained.push(ours.perSecond)
      figures.push(
        figure(`ingest, ${values} value${values > 1 ? 's' : ''} a message`, ours.perSecond * values, 'samples/s', bare.perSecond * values),
      )
    }
    const paced = shapes.map(({ values }, i) => ({ values, rate: sustained[i]! / 2, of: 'half of it' }))
    if (shapes.some(({ values }) => values === 1)) paced.push({ values: 1, rate: wanted / 2, of: `${wanted / 2} a second` })
    for (const { values, rate, of } of paced) {
      const ours = await load({ values, window: 0, rate, seconds, warmUp: 2 })
      const bare = await load({ values, window: 0, rate, seconds, warmUp: 2 }, port)
      figures.push(figure(`publish to acknowledge, ${values} a message, at ${of}, p99`, ours.p99, 'ms', bare.p99))
      figures.push(figure(`of it before this bench had sent the message, p99`, ours.late, 'ms', bare.late))
    }
    const { open } = await watchers.run({ kind: 'measure', seconds: 1 })
    if (open < clients) throw new Error(`${clients - open} consoles were cut`)
    return figures
  } finally {
    await Promise.all([publisher.end(), watchers.end(), bareServer.end()])
    await world.close()
  }
}
