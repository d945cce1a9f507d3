// Orders of maintenance: long lists, articles by part of a word, and orders that follow from alarms and plans.
import { HubConnectionBuilder, LogLevel } from '@microsoft/signalr'
import { day } from '../server/telemetry/store/store.ts'
import { sleep } from './beside.ts'
import { type Figure, figure, quantile, timed } from './figures.ts'
import { type Loader, startLoader } from './load/job.ts'
import type { Gateway, Published, PublishJob } from './load/publisher.ts'
import {
  articles,
  calendarPlans,
  duePlans,
  gateways,
  orders,
  partOf,
  points,
  type Seeded,
  seed,
  tries,
  wants,
  words,
  yearAlarms,
  yearOrders,
} from './maintenance-past.ts'
import { startWorld, type World } from './world.ts'

const pairs = gateways * points

type At = { world: World & { seeded: Seeded }; token: string; publisher: Loader<PublishJob, Published> }
const total = async ({ world, token }: At, path: string, filter: object = {}) =>
  (await world.call<{ TotalCount: number }>(token, 'POST', path, { PageSize: 1, ExactCount: 1, ...filter })).TotalCount

const plans = async (at: At): Promise<Figure[]> => {
  const { world, token } = at
  const { dueAt, bare } = world.seeded
  const made = () => total(at, '/Maintenance/MtnUpKeepOrder/List')
  while ((await made()) < duePlans) {
    if (Date.now() > dueAt + 300_000) throw new Error(`${await made()} orders`)
    await sleep(500)
  }
  const took = (Date.now() - dueAt) / 1000
  const From = new Date().toISOString().slice(0, 10)
  const To = new Date(Date.now() + 365 * day).toISOString().slice(0, 10)
  const times: number[] = []
  let dates = 0
  for (let i = 0; i < tries; i++)
    times.push(
      await timed(async () => {
        const query = `From=${From}&To=${To}`
        dates = (await world.call<{ Dates: unknown[] }>(token, 'GET', `/Maintenance/MtnUpKeepPlan/Calendar?${query}`)).Dates.length
      }),
    )
  return [
    figure(`${duePlans} plans due in one minute: all orders made`, took, 's', bare.inserts / 1000),
    figure(`year's calendar of ${duePlans + calendarPlans} plans (${dates} dates), p95`, quantile(times, 0.95), 'ms'),
  ]
}

const lists = async ({ world, token }: At): Promise<Figure[]> => {
  const p95 = async (ask: (i: number) => [string, string, object?]) => {
    const times: number[] = []
    for (let i = 0; i < tries; i++) times.push(await timed(() => world.call(token, ...ask(i))))
    return quantile(times, 0.95)
  }
  const { bare } = world.seeded
  const search = (i: number): [string, string, object] => [
    'POST',
    '/Maintenance/MtnKnowledgeBase/List',
    { PageSize: 20, PageIndex: 1, Search: partOf(i) },
  ]
  return [
    figure(
      `my orders of ${orders}, p95`,
      await p95((i) => ['GET', `/Maintenance/MtnMyOrder?PageSize=20&PageIndex=${1 + (i % 5)}`]),
      'ms',
      bare.mine,
    ),
    figure(
      'repair orders, page by page, p95',
      await p95((i) => ['POST', '/Maintenance/MtnMaintenanceOrder/List', { PageSize: 20, PageIndex: i + 1 }]),
      'ms',
    ),
    figure('counts of orders by state, p95', await p95(() => ['GET', '/Home/StaticMTNOrder']), 'ms'),
    figure(`part of a word in ${articles} articles, p95`, await p95(search), 'ms', bare.part),
    figure(
      'articles offered for words, p95',
      await p95((i) => ['GET', `/Maintenance/MtnKnowledgeBase/Offer?Words=${encodeURIComponent(`${words[i % 12]} is worn at unit ${i}`)}`]),
      'ms',
    ),
  ]
}

const figures = async ({ world }: At): Promise<Figure[]> => {
  const token = await world.login('manager2')
  const [DateFrom, DateTo] = [364, 0].map((days) => new Date(Date.now() - days * day).toISOString().slice(0, 10))
  const times: number[] = []
  let finished = 0
  for (let i = 0; i < tries; i++)
    times.push(
      await timed(async () => {
        const query = `DateFrom=${DateFrom}&DateTo=${DateTo}`
        finished = (await world.call<{ Finished: number }>(token, 'GET', `/Maintenance/MtnMaintenanceOrder/Figures?${query}`)).Finished
      }),
    )
  const name = `figures of a year, ${finished} of ${yearOrders} orders finished in it, ${yearAlarms} alarms, p95`
  return [figure(name, quantile(times, 0.95), 'ms', world.seeded.bare.year)]
}

const switchRules = async ({ world, token }: At, name: string, to: 'Enable' | 'Disable') => {
  const { Items } = await world.call<{ Items: { Id: number; RuleName: string }[] }>(token, 'POST', '/Alarm/AlarmRule/List', {
    PageSize: 1000,
  })
  const Ids = Items.filter((rule) => rule.RuleName.startsWith(`${name} `)).map(({ Id }) => Id)
  if (Ids.length !== pairs) throw new Error(`${Ids.length} rules`)
  await world.call(token, 'POST', `/Alarm/AlarmRule/${to}`, { Ids })
}

/** Each point beyond its limit for 12 ms of each 1.2 s: 10,000 alarms a minute of 200 rules. */
const flood = async (at: At, name: string, seconds: number) => {
  await switchRules(at, name, 'Enable')
  const before = await total(at, '/Alarm/AlarmInfo/List')
  const { world, publisher } = at
  const { plant } = world.seeded
  await publisher.run({
    port: world.mqttPort,
    gateways: plant,
    values: points,
    window: 0,
    rate: 100 * gateways,
    seconds,
    warmUp: 0,
    excursion: 12,
  })
  await switchRules(at, name, 'Disable')
  let [last, same] = [-1, 0]
  while (same < 3) {
    await sleep(1000)
    const now = await total(at, '/Alarm/AlarmInfo/List')
    same = now === last ? same + 1 : 0
    last = now
  }
  return last - before
}

const alarms = async (at: At): Promise<Figure[]> => {
  const { world, token, publisher } = at
  const open = () => total(at, '/Maintenance/MtnMaintenanceOrder/List', { Source: 2 })
  const heard: number[] = []
  const raisedAt = new Map<number, number>()
  const hub = new HubConnectionBuilder()
    .withUrl(`${world.origin}/api/hubs/sysmsghub`, { accessTokenFactory: () => token })
    .configureLogging(LogLevel.None)
    .build()
  let raised: number | undefined
  hub.on('Alarm', (a: { Event: string; Time: number; Id: number }) => {
    if (a.Event === 'raised') raised = a.Time
  })
  hub.on('Changed', (c: { Resource: string; Id: number }) => {
    if (c.Resource !== 'mtnMaintenanceOrder' || raised === undefined || raisedAt.has(c.Id)) return
    raisedAt.set(c.Id, raised)
    heard.push(Date.now() - raised)
  })
  await hub.start()
  await hub.invoke('LoginConnect', world.seeded.user)
  // One alarm after another, each the first of its rule.
  await switchRules(at, 'With', 'Enable')
  const { plant } = world.seeded
  const one = async (gateway: Gateway, point: number) => {
    const job = { port: world.mqttPort, gateways: [{ ...gateway, points: [point] }], values: 1, window: 0, rate: 5, warmUp: 0 }
    const before = heard.length
    await publisher.run({ ...job, seconds: 0.4, flood: true })
    for (let i = 0; i < 40 && heard.length === before; i++) await sleep(50)
    await publisher.run({ ...job, seconds: 0.4 })
  }
  for (const gateway of plant) for (const point of gateway.points.slice(0, 2)) await one(gateway, point)
  await hub.stop()
  await switchRules(at, 'With', 'Disable')

  const seconds = Number(process.env.BENCH_SECONDS ?? 60)
  const without = await flood(at, 'Without', seconds)
  const attachedBefore = await attached(at)
  const withOrders = await flood(at, 'With', seconds)
  const began = performance.now()
  while ((await attached(at)) - attachedBefore < withOrders && performance.now() - began < 120_000) await sleep(500)
  return [
    figure(`alarm to order at the assignee's hub, p99 of ${heard.length}`, quantile(heard, 0.99), 'ms'),
    figure(`alarms of ${pairs} rules in ${seconds} s that open orders (bare: none)`, withOrders, 'alarms', without),
    figure('orders of them', await open(), 'orders', pairs),
    figure('of these alarms belong to an order', (await attached(at)) - attachedBefore, 'alarms', withOrders),
  ]
}
const attached = async ({ world, token }: At) => {
  const { Items } = await world.call<{ Items: { AlarmCount: number }[] }>(token, 'POST', '/Maintenance/MtnMaintenanceOrder/List', {
    ...{ PageSize: 1000, Source: 2, OrderColumn: 'Id', OrderType: 'desc' },
  })
  return Items.reduce((sum, { AlarmCount }) => sum + AlarmCount, 0)
}

export const maintenance = async (): Promise<Figure[]> => {
  const publisher = startLoader<PublishJob, Published>('publisher.ts')
  const world = await startWorld(seed, { PENSTOCK_CALLS_PER_SECOND: '0' })
  try {
    const at: At = { world, token: await world.login('manager1'), publisher }
    return [
      ...(wants('plans') ? await plans(at) : []),
      ...(wants('lists') ? await lists(at) : []),
      ...(wants('figures') ? await figures(at) : []),
      ...(wants('alarms') ? await alarms(at) : []),
    ]
  } finally {
    await publisher.end()
    await world.close()
  }
}
