// Half an hour of load, all of it at once, with long cuts (docs/performance.md). SOAK_MINUTES and SOAK_GATEWAYS make it smaller.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from '../../contract/call.ts'
import { startLine } from '../cut.ts'
import { visit } from '../faults/console-client.ts'
import { figureOf } from '../faults/own-server.ts'
import { makePlant } from '../faults/plant.ts'
import { startSenders } from '../faults/senders.ts'
import { type ServerProcess, startServerProcess } from '../faults/server-process.ts'
import { byApi, byStore, enter, flawless, openFiles, perfect, tally, worse } from '../faults/tally.ts'
import { pause, seconds } from '../faults/tiers.ts'
import { type FrontDoor, openFrontDoor, until } from '../front-door.ts'
import { administrators, makeAccounts, onlookers } from './accounts.ts'
import { openConsoles, startProbe } from './consoles.ts'
import { startEdges } from './edges.ts'
import { watchMemory } from './memory.ts'
import { startPeople } from './people.ts'
import { startPolling } from './polling.ts'

const minutes = Number(process.env.SOAK_MINUTES ?? 30)
const gateways = Number(process.env.SOAK_GATEWAYS ?? 500)
/** What a smaller number of gateways leaves of the rest. */
const part = gateways / 500
const share = (of: number) => Math.max(1, Math.round(of * part))
const [points, perGateway, consoles, people, callsPerSecond] = [20, 2, share(500), share(100), 3]
const [devices, rules, crossings] = [share(100), share(2000), share(50)]

let server: ServerProcess
let line: Awaited<ReturnType<typeof startLine>>
let door: FrontDoor
beforeAll(async () => {
  server = await startServerProcess()
  line = await startLine(server.mqttPort)
  door = await server.door()
})
afterAll(async () => {
  line?.close()
  await server?.stop()
  server?.remove()
})

const of = (share: number) => (all: readonly number[]) => Math.round(all.toSorted((a, b) => a - b)[Math.floor(all.length * share)] ?? 0)
const [p95, p99] = [of(0.95), of(0.99)]
const told = (time: number) => new Date(time).toISOString()
const lag = async () => Math.round(1000 * (await figureOf(server.origin, 'nodejs_eventloop_lag_p99_seconds')))

test(`${gateways} gateways, ${devices} Modbus devices, ${consoles} consoles and ${people} people for ${minutes} minutes`, {
  timeout: (minutes + 30) * 60_000,
}, async ({ task }) => {
  const sources = await makePlant(door, gateways, points, 'SOAKING')
  const watched = await makePlant(door, Math.ceil(rules / 100), 100, 'SOAKEDGE', { AlarmHigh: 100 })
  const [probed] = await makePlant(door, 1, 1, 'SOAKPROBE')
  const polling = await startPolling(door, line.port, devices)
  expect(polling.pushed).toMatchObject({ Code: 0 })
  const ids = sources.flatMap((s) => s.points)
  const someone = await makeAccounts(door, 6, 'onlooker', await onlookers(door))
  const worker = await makeAccounts(door, Math.max(1, Math.ceil(people / 10)), 'worker', await administrators(door))
  const guard = await makeAccounts(door, 1, 'guard', await administrators(door))
  const tokens = await Promise.all(Array.from({ length: 24 }, (_, i) => someone(i)))
  const own = await Promise.all(Array.from({ length: Math.max(1, Math.ceil(people / 3)) }, (_, i) => worker(i)))

  const began = Date.now()
  const memory = watchMemory(server, 10_000)
  const sending = startSenders(sources, { port: line.port, messagesPerSecond: perGateway, stepMs: 1000 / perGateway, retryMs: 1000 })
  const edges = startEdges(watched, line.port, crossings)
  const listening = () => visit(server.origin, door.admin, [], { alarm: (alarm) => edges.heard(alarm) })
  let listener = await listening()
  const hubs = await openConsoles(server.origin, tokens, ids, consoles)
  const probe = await startProbe(probed!, server.mqttPort, server.origin, door.admin)
  const project = polling.project
  const looking = startPeople(door, own, { count: people, perSecond: callsPerSecond, ids, project, login: () => guard(0) })
  polling.count()

  const step = (minutes * 60_000) / 6
  const acks = (from: number, to: number) => p99(sending.latencies.filter(({ at }) => at >= from && at < to).map(({ ms }) => ms))
  // Everything warms up for a while.
  looking.enter('first')
  await pause(step / 4)
  looking.enter('calm')
  const calmFrom = performance.now()
  // Gateways, consoles and people of the soak share the processors: a time is measured that late at most.
  const ownLag = monitorEventLoopDelay({ resolution: 5 })
  ownLag.enable()
  const [listened, probedFrom] = [edges.latencies.length, probe.latencies.length]
  await pause(step)
  const early = memory.now()
  const calm = {
    acks: acks(calmFrom, performance.now()),
    alarms: p95(edges.latencies.slice(listened)),
    values: p95(probe.latencies.slice(probedFrom)),
    lag: await lag(),
    polls: polling.counts(),
    own: Math.round(ownLag.percentile(99) / 1e6),
  }
  ownLag.disable()
  // Twice the load for a while.
  looking.enter('burst')
  const burstFrom = performance.now()
  for (const s of sending.senders) s.setRate(2 * perGateway)
  await pause(Math.min(60_000, step))
  const burst = acks(burstFrom, performance.now())
  for (const s of sending.senders) s.setRate(perGateway)
  await pause((step * 3) / 4)
  // No network, as long as a restart of a router takes; then nothing of the server.
  looking.enter('cut')
  const cutAt = Date.now()
  line.cut()
  await pause(Math.min(60_000, step / 2))
  line.mend()
  await pause(step)
  looking.enter('killed')
  const killedAt = Date.now()
  await server.kill()
  const back = await server.start()
  const steps = /"took":(\{[^}]*\})/.exec(server.said())?.[1] ?? 'in less than 5 s'
  const reconnected = await hubs.again()
  listener.socket.terminate()
  listener = await listening()
  await probe.again()
  await pause(5000)
  looking.enter('after')
  await pause(step)
  const together = hubs.count()
  await looking.stop()
  await edges.stop()
  await sending.finish(600_000)
  await probe.close()
  const late = memory.now()
  memory.stop()

  door = await openFrontDoor(server.origin)
  const list = (more: string) => door.data<Page<object>>('GET', `/Alarm/AlarmInfo/List?ExactCount=1&${more}`)
  await until('alarms to be over', async () => (await list('IsActive=1')).TotalCount === 0, 120_000)
  const alarms = (await list('AlarmType=1')).TotalCount
  // The cut takes the soft gateway away, whose will says so at once; of the others silence would, which lasts longer than the cut.
  type Offline = { RuleName: string; StartTime: string; RecoverTime: string | null }
  const { Items: ofGateways } = await door.data<Page<Offline>>('GET', '/Alarm/AlarmInfo/List?AlarmType=2&PageSize=1000')
  const missed = ofGateways.map((alarm) => alarm.RuleName)
  const { answers, mixed } = await polling.mixed(door, began)
  await polling.close()
  const api = await tally(sending, byApi(door))
  hubs.close()
  listener.socket.terminate()
  await server.stop()
  const files = await openFiles(server.folder)
  const counts = worse(api, await tally(sending, byStore(files)))
  const bytes = await files.size()
  await files.close()
  await sending.stop()

  const ms = (kind: keyof typeof looking.took) => looking.took[kind].filter((t) => t.phase === 'calm').map((t) => t.ms)
  const calls = (['list', 'trend', 'write', 'export'] as const).flatMap(ms).length / (step / 1000)
  const failed = looking.failures.filter(({ phase }) => phase !== 'killed')
  const onTime = (100 * (calm.polls.polls - calm.polls.late)) / Math.max(1, calm.polls.polls)
  console.log(
    [
      `acknowledged in ${calm.acks} ms (p99), ${burst} ms at twice the load`,
      `lists ${p95(ms('list'))} ms, trends ${p95(ms('trend'))} ms, changes ${p95(ms('write'))} ms, exports ${p95(ms('export'))} ms, sign-ins ${p95(ms('login'))} ms (p95) at ${Math.round(calls)} calls/s; ${failed.length} failed while the server ran ${JSON.stringify(failed.slice(0, 3))}`,
      `values on a console in ${calm.values} ms, alarms in ${calm.alarms} ms (p95)`,
      `${calm.polls.polls} Modbus polls, ${onTime.toFixed(2)} % within 200 ms; ${answers} answers stored, ${mixed} mixed`,
      `memory ${early} MB early, ${late} MB at the end; event loop ${calm.lag} ms (p99); of the load makers ${calm.own} ms`,
      memory.table(),
      `serving again in ${seconds(back)} (${steps}); ${together} of ${consoles} consoles, all back in ${seconds(reconnected)}`,
      `${alarms} alarms of ${edges.raised()}, and of gateways: ${ofGateways.map((a) => `${a.RuleName} ${a.StartTime} to ${a.RecoverTime}`).join(', ')} (cut ${told(cutAt)}, killed ${told(killedAt)}); ${Math.round(bytes / 1024 ** 2)} MB on disk`,
    ].join('\n'),
  )
  enter(task, { fault: `soak, ${minutes} min`, rounds: 1, ...counts, note: `${alarms} alarms of ${edges.raised()}` })
  expect(flawless(counts)).toEqual(perfect)
  expect(alarms).toBe(edges.raised())
  expect(missed).toEqual([`${polling.SN}: Offline`])
  expect({ mixed, failed, together }).toEqual({ mixed: 0, failed: [], together: consoles })
})
