// Energy during ingest: one day of back-fill on 200 meters, and recomputing thirteen months.
import { connectAsync } from 'mqtt'
import { day } from '../server/telemetry/store/store.ts'
import { openIngest, sleep } from './beside.ts'
import { addCircuits, beginOf, dayOf, derived, hourly, openMeters, quarter, shown } from './energy-meters.ts'
import { type Figure, figure, quantile } from './figures.ts'
import { startLoader } from './load/job.ts'
import type { Gateway, Published, PublishJob } from './load/publisher.ts'
import type { World } from './world.ts'

const senders = 20
const [late, waitMs] = [200, 60_000]

/** A day of readings of all meters as back-fill, a quarter-hour a message; answers when the last one was acknowledged. */
const sendDay = async (world: World, { sn, key, device, points }: Gateway, from: number, begin: number) => {
  const client = await connectAsync(`mqtt://127.0.0.1:${world.mqttPort}`, { clientId: sn, username: sn, password: key })
  const count = day / quarter
  const sent = Array.from({ length: count }, (_, k) => {
    const T = from + k * quarter
    const V = Object.fromEntries(points.map((point, i) => [point, shown(i, T, begin)]))
    const Data = { Backfill: 1, Batch: k + 1, Last: k + 1 === count ? 1 : 0, Items: [{ D: device, T, V }] }
    return client.publishAsync(`iot/v1/${sn}/up/history`, JSON.stringify({ MsgId: `${from} ${k}`, Ts: Date.now(), Data }), { qos: 1 })
  })
  await Promise.all(sent)
  const acknowledged = performance.now()
  await client.endAsync()
  return acknowledged
}

type Line = { Name: string; Total: { Energy: number | null; Shares: { Measured: number } | null }; Cells: { Energy: number | null }[] }
/** `EnergyName` in the overview, `Name` in the ranking. */
type Row = { EnergyName?: string; Name?: string; Energy: number | null }
const isNear = (is: number | null | undefined, wanted: number) => Math.abs((is ?? 0) - wanted) < 0.01
const rateOf = (name: string) => hourly(Number(name.slice(1)))
/** Checks that every report contains the back-filled day: by level, by month and in the overview. */
const isRight = async (world: World, token: string, from: number) => {
  const days = `DateFrom=${dayOf(from)}&DateTo=${dayOf(from)}`
  const { Rows: levels } = await world.call<{ Rows: Line[] }>(token, 'GET', `/Energy/Report/Data?${days}&Columns=level`)
  for (const { Name, Total, Cells } of levels) {
    const wanted = [0, 6, 0, 18, 0, 0].map((hours) => hours * rateOf(Name))
    if ((Total.Shares?.Measured ?? 0) < 99 || wanted.some((energy, level) => !isNear(Cells[level]!.Energy, energy))) return false
  }
  const [first, last] = [from - 20 * day, from + 4 * day]
  const month = `DateFrom=${dayOf(first)}&DateTo=${dayOf(last)}`
  const { Rows: byDay } = await world.call<{ Rows: Line[] }>(token, 'GET', `/Energy/Report/Data?${month}&Columns=day`)
  if (byDay.some(({ Name, Cells }) => !isNear(Cells[20]!.Energy, 24 * rateOf(Name)))) return false
  for (const path of ['List', 'Ranking']) {
    const { Items } = await world.call<{ Items: Row[] }>(token, 'GET', `/Energy/DataCenter/${path}?${days}`)
    if (Items.some(({ EnergyName, Name, Energy }) => !isNear(Energy, 24 * rateOf((EnergyName ?? Name)!)))) return false
  }
  return true
}

const untilRight = async (world: World, token: string, from: number) => {
  const start = performance.now()
  while (!(await isRight(world, token, from))) {
    if (performance.now() - start > waitMs) throw new Error(`${dayOf(from)} is not right.`)
    await sleep(100)
  }
}

/** Three days come late, each after the other. */
export const backfill = async (): Promise<Figure[]> => {
  const end = Math.floor(Date.now() / day) * day
  const past = { days: 60, end }
  const gaps = [9, 7, 5].map((before) => end - before * day)
  const publisher = startLoader<PublishJob, Published>('publisher.ts')
  const world = await openMeters({ ...past, gaps, meters: late, others: senders })
  try {
    const token = await world.login('manager1')
    const [gateway, ...others] = world.seeded as [Gateway, ...Gateway[]]
    await addCircuits(world, token, gateway.points)
    await derived(world, late, end)
    if (await isRight(world, token, gaps[0]!)) throw new Error('A day without readings is right already.')
    const besideWork = await openIngest(publisher, world, others)
    let longest = 0
    const ingest = await besideWork(`${gaps.length} days of back-fill on ${late} meters`, async () => {
      for (const from of gaps) {
        const acknowledged = await sendDay(world, gateway, from, beginOf(past))
        await untilRight(world, token, from)
        longest = Math.max(longest, (performance.now() - acknowledged) / 1000)
      }
    })
    return [figure(`a day of back-fill on ${late} meters: right in every report after its last acknowledgement`, longest, 's'), ingest]
  } finally {
    await publisher.end()
    await world.close()
  }
}

const [values, rate, seconds] = [100, 500, 10]
const lag = 'penstock_nodejs_eventloop_lag_p99_seconds'
/** Readings a second, and the 99th percentile of their acknowledgements, while thirteen months are derived. */
export const besideIngest = async ({ meters, formulas, days }: { meters: number; formulas: number; days: number }): Promise<Figure[]> => {
  const end = Math.floor(Date.now() / day) * day
  const publisher = startLoader<PublishJob, Published>('publisher.ts')
  const world = await openMeters({ meters, days, end, others: senders })
  const [gateway, ...gateways] = world.seeded as [Gateway, ...Gateway[]]
  const publish = () => publisher.run({ port: world.mqttPort, gateways, values, window: 0, rate, seconds, warmUp: 1 })
  try {
    const token = await world.login('manager1')
    const idle = await publish()
    // Restarts the read.
    await world.metric(lag)
    const runs: Published[] = []
    let isDone = false
    const publishing = (async () => {
      while (!isDone) runs.push(await publish())
    })()
    const took = await (async () => {
      await addCircuits(world, token, gateway.points, formulas)
      return derived(world, meters + formulas, end)
    })().finally(() => {
      isDone = true
      return publishing
    })
    const late = 1000 * (await world.metric(lag))
    const cut = runs.reduce((sum, run) => sum + run.cut, 0)
    if (cut) throw new Error(`${cut} connections were cut`)
    const p99s = runs.map(({ p99 }) => p99)
    const stored = (values * runs.reduce((sum, { perSecond }) => sum + perSecond, 0)) / runs.length
    return [
      figure(`all derived data of ${meters + formulas} circuits × 13 months anew, beside ingest`, took, 's'),
      figure('samples acknowledged meanwhile (bare: idle)', stored, 'samples/s', values * idle.perSecond),
      figure('acknowledgement meanwhile, p99: median of 10 s each (bare: idle)', quantile(p99s, 0.5), 'ms', idle.p99),
      figure('the same: the worst 10 s', p99s.at(-1)!, 'ms'),
      figure('event loop late meanwhile, p99', late, 'ms'),
    ]
  } finally {
    await publisher.end()
    await world.close()
  }
}
