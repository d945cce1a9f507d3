// What others notice while one command does much.
import { HubConnectionBuilder, LogLevel } from '@microsoft/signalr'
import { figure, quantile, timed } from './figures.ts'
import type { startLoader } from './load/job.ts'
import type { Gateway, Published, PublishJob } from './load/publisher.ts'
import type { World } from './world.ts'

export const sleep = (ms: number) => new Promise((next) => setTimeout(next, ms))

/** Asks for a list again and again while the work runs. Returns what the work took, and p95 of the lists, ms. */
export const besideLists = async (world: World, token: string, work: () => Promise<unknown>) => {
  const lists: number[] = []
  let isDone = false
  const asking = (async () => {
    while (!isDone) {
      lists.push(await timed(() => world.call(token, 'POST', '/Project/Gateway/List', { PageSize: 20 })))
      await sleep(20)
    }
  })()
  const took = await timed(work)
  isDone = true
  await asking
  return { took, p95: quantile(lists, 0.95) }
}

/** How long alarms take from the reading to a console, ms. */
export const hearAlarms = async (world: World, token: string) => {
  const heard: number[] = []
  const hub = new HubConnectionBuilder()
    .withUrl(`${world.origin}/api/hubs/sysmsghub`, { accessTokenFactory: () => token })
    .configureLogging(LogLevel.None)
    .build()
  hub.on('Alarm', (a: { Event: string; Time: number }) => a.Event === 'raised' && heard.push(Date.now() - a.Time))
  await hub.start()
  await hub.invoke('LoginConnect', (await world.call<{ Id: number }>(token, 'GET', '/System/User/UserInfo')).Id)
  return { heard, stop: () => hub.stop() }
}

type Publisher = ReturnType<typeof startLoader<PublishJob, Published>>
/** Readings per second of one run. Throws if a connection was cut. */
export const publishRate = async (publisher: Publisher, job: PublishJob): Promise<number> => {
  const { perSecond, cut } = await publisher.run(job)
  if (cut) throw new Error(`${cut} connections were cut`)
  return perSecond * job.values
}
/** Readings of a message, and messages a second: the rate that the product promises. */
const [values, rate] = [100, 300]
const turn = 3

/** Publishes readings at a steady rate while each work runs. Returns the acknowledged rate, relative to that without work. */
export const openIngest = async (publisher: Publisher, world: World, gateways: Gateway[]) => {
  const during = async (work: () => Promise<unknown>) => {
    let isDone = false
    const acked: number[] = []
    const publishing = (async () => {
      do {
        const job = { port: world.mqttPort, gateways, values, rate, window: 0, seconds: turn, warmUp: 0 }
        acked.push(await publishRate(publisher, job))
      } while (!isDone)
    })()
    await work().finally(() => {
      isDone = true
      return publishing
    })
    return acked.reduce((sum, one) => sum + one, 0) / acked.length
  }
  const idle = await during(() => sleep(2 * turn * 1000))
  return async (beside: string, work: () => Promise<unknown>) =>
    figure(`ingest beside ${beside} (bare: idle)`, await during(work), 'samples/s', idle)
}
