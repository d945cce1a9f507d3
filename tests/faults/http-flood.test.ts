import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import type { Page } from '../../contract/call.ts'
import { until } from '../front-door.ts'
import { administrators, makeAccounts } from '../soak/accounts.ts'
import type { Flooded, FloodJob } from './flooder.ts'
import { ownServer } from './own-server.ts'
import { enter } from './tally.ts'
import { inTime, pause, rounds } from './tiers.ts'

/** Calls a second of one person; lower than usual, so that a busy machine reaches it. */
const perSecond = 100
const own = ownServer({ PENSTOCK_CALLS_PER_SECOND: String(perSecond) })
const flood = (job: FloodJob) => {
  const worker = new Worker(new URL('./flooder.ts', import.meta.url), { workerData: job })
  return async (): Promise<Flooded> => {
    worker.postMessage('stop')
    const [done] = await once(worker, 'message')
    return done
  }
}
const p95 = (of: readonly number[]) => of.toSorted((a, b) => a - b)[Math.floor(of.length * 0.95)] ?? 0

const lasts = rounds(4000, 20_000)
test(
  'whoever calls without end, known or not, is refused with 429 and named in a notice, and others work on',
  inTime(2),
  async ({ task }) => {
    const { door, process: server } = own
    const login = await makeAccounts(door, 3, 'calm', await administrators(door))
    const flooder = await (await makeAccounts(door, 1, 'flooder', await administrators(door)))(0)
    const tokens = await Promise.all([0, 1, 2].map(login))
    const took: { at: number; ms: number }[] = []
    const failures: unknown[] = []
    let stopped = false
    const working = Promise.all(
      tokens.map(async (token) => {
        while (!stopped) {
          const at = performance.now()
          const answer = await door.call(token, 'GET', '/Project/Gateway/List?PageSize=20')
          if (answer.Succeeded) took.push({ at, ms: performance.now() - at })
          else failures.push(answer)
          await pause(30)
        }
      }),
    )
    const calmFrom = performance.now()
    await pause(lasts / 2)
    const from = performance.now()
    const stops = [
      flood({ port: server.port, path: '/api/Project/Gateway/List?PageSize=20', token: flooder, connections: 300 }),
      flood({ port: server.port, path: '/api/Auth/Nothing', connections: 100 }),
    ]
    await pause(lasts)
    // Waits for both notifications, however slow the machine is.
    const refused = async (of: string) => (await own.figure('http_refused_total', `{reason="${of}"}`)) > 0
    await until('refusals of both', async () => (await refused('person')) && (await refused('address')))
    const floods = await Promise.all(stops.map((stop) => stop()))
    const to = performance.now()
    stopped = true
    await working
    const within = (a: number, b: number) => took.filter(({ at }) => at >= a && at < b).map(({ ms }) => ms)
    const [calm, busy] = [within(calmFrom, from), within(from, to)]
    const notices = () =>
      door
        .data<Page<{ PushTitle: string }>>('GET', '/System/Notice/UserNoticeList?BizTypeList=11')
        .then((l) => l.Items.map((n) => n.PushTitle))
    await until('notices of both', async () => (await notices()).length === 2)
    expect((await notices()).toSorted()).toEqual(['Too many calls: 127.0.0.1', 'Too many calls: flooder_0'])
    for (const { statuses } of floods) expect(statuses['429']).toBeGreaterThan(0)
    // The person's own share is served all the while.
    expect(floods[0]!.statuses['200']).toBeGreaterThan(100)
    const lastsSeconds = (to - from) / 1000
    expect(floods[0]!.statuses['200']).toBeLessThan(4 * perSecond + perSecond * lastsSeconds * 1.2)
    expect(failures).toEqual([])
    expect(busy.length).toBeGreaterThan(10)
    // And serves him again afterwards.
    await until('the flooder to be served', async () => (await door.call(flooder, 'GET', '/Project/Gateway/List')).Succeeded)
    const counts = { sent: 0, acked: 0, stored: 0, lost: 0, duplicated: 0, torn: 0, wrong: 0 }
    const told = floods.map((f) => `${f.statuses['429']} of ${f.asked}`).join(' and ')
    const note = `others wait ${Math.round(p95(busy))} ms (p95), ${Math.round(p95(calm))} ms before; ${told} calls refused`
    enter(task, { fault: 'floods of calls', rounds: 2, ...counts, note })
  },
)
