// Half an hour of load, all of it at once, with long cuts (docs: performance). SOAK_MINUTES and SOAK_GATEWAYS make it smaller.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from '../../contract/base/call.ts'
import { startLine } from '../cut.ts'
import { makePlant } from '../faults/plant.ts'
import { startSenders } from '../faults/senders.ts'
import { type ServerProcess, startServerProcess } from '../faults/server-process.ts'
import { byApi, byStore, enter, flawless, openFiles, perfect, tally, worse } from '../faults/tally.ts'
import { pause, seconds } from '../faults/tiers.ts'
import { type FrontDoor, openFrontDoor, until } from '../front-door.ts'
import { connectHub } from '../house.ts'

const minutes = Number(process.env.SOAK_MINUTES ?? 30)
const gateways = Number(process.env.SOAK_GATEWAYS ?? 500)
const [points, perGateway, consoles, people] = [20, 2, 100, 20]
/** Each counter passes it once. */
const limit = 16 * 30

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

const residentMb = () => Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid()}/status`, 'utf8'))?.[1]) / 1024)
const p99 = (of: readonly number[]) => of.toSorted((a, b) => a - b)[Math.floor(of.length * 0.99)] ?? 0

/** People who look at lists and trends and change a word now and then, until told to stop. */
const startPeople = (ids: readonly number[], project: number) => {
  let stopped = false
  const took = { list: [] as number[], trend: [] as number[], write: [] as number[] }
  let failed = 0
  const one = async (person: number) => {
    for (let i = 0; !stopped; i++) {
      const kind = i % 20 < 15 ? 'list' : i % 20 < 18 ? 'trend' : 'write'
      const from = performance.now()
      const ParaIds = Array.from({ length: 7 }, (_, k) => ids[(person * 31 + i + k) % ids.length]!)
      const answer = await (kind === 'list'
        ? door.call(door.admin, 'GET', `/Project/DevPara/List?PageSize=20&PageIndex=${1 + (i % 50)}`)
        : kind === 'trend'
          ? door.call(door.admin, 'POST', '/DataCenter/ReportData/Data', {
              ParaIds: [...new Set(ParaIds)],
              Start: Date.now() - 86_400_000,
              End: Date.now(),
              Buckets: 500,
            })
          : door.call(door.admin, 'PUT', '/Project/Project', { Id: project, Remark: `${person} ${i}` })
      ).catch(() => ({ Succeeded: false }))
      if (!answer.Succeeded) failed++
      took[kind].push(performance.now() - from)
      await pause(150)
    }
  }
  const all = Promise.all(Array.from({ length: people }, (_, person) => one(person)))
  return {
    took,
    failed: () => failed,
    stop: () => {
      stopped = true
      return all
    },
  }
}

test(`${gateways} gateways, ${consoles} consoles and ${people} people for ${minutes} minutes`, {
  timeout: (minutes + 20) * 60_000,
}, async ({ task }) => {
  const watched = await makePlant(door, Math.ceil(gateways / 10), points, 'SOAKED', { AlarmHigh: limit })
  const sources = [...watched, ...(await makePlant(door, gateways - watched.length, points, 'SOAKING'))]
  const ids = sources.flatMap((s) => s.points)
  const sending = startSenders(sources, { port: line.port, messagesPerSecond: perGateway, stepMs: 1000 / perGateway })
  const tokens = await Promise.all([0, 1, 2, 3].map(() => door.login()))
  const hubs = await Promise.all(
    Array.from({ length: consoles }, async (_, i) => {
      const hub = await connectHub(server.origin, tokens[i % 4]!)
      await hub.connection.invoke('Subscribe', ids.slice((i * 50) % ids.length, ((i * 50) % ids.length) + 50))
      return hub
    }),
  )
  const looking = startPeople(ids, (await door.data<Page<{ Id: number }>>('GET', '/Project/Project/List')).Items[0]!.Id)

  const step = (minutes * 60_000) / 6
  await pause(step)
  const early = residentMb()
  const acks = (from: number, to: number) => p99(sending.latencies.filter(({ at }) => at >= from && at < to).map(({ ms }) => ms))
  const calm = acks(0, performance.now())
  // Twice the load for a while.
  for (const s of sending.senders) s.setRate(2 * perGateway)
  await pause(Math.min(60_000, step))
  for (const s of sending.senders) s.setRate(perGateway)
  await pause(step)
  // No network, as long as a restart of a router takes; then nothing of the server.
  line.cut()
  await pause(Math.min(60_000, step / 2))
  line.mend()
  await pause(step)
  for (const { connection } of hubs) await connection.stop()
  const failedBefore = looking.failed()
  await server.kill()
  const back = await server.start()
  await pause(step)
  const failed = failedBefore
  await looking.stop()
  await sending.finish(600_000)
  const late = residentMb()

  door = await openFrontDoor(server.origin)
  await until(
    'alarms',
    async () =>
      (await door.data<Page<object>>('GET', '/Alarm/AlarmInfo/List?IsActive=1&ExactCount=1')).TotalCount >= watched.length * points,
    120_000,
  )
  const alarms = await door.data<Page<object>>('GET', '/Alarm/AlarmInfo/List?ExactCount=1')
  const api = await tally(sending, byApi(door))
  await server.stop()
  const files = await openFiles(server.folder)
  const counts = worse(api, await tally(sending, byStore(files)))
  await files.close()
  await sending.stop()
  const { list, trend, write } = looking.took
  console.log(
    [
      `acknowledged in ${Math.round(calm)} ms (p99, calm)`,
      `lists ${Math.round(p99(list))} ms, trends ${Math.round(p99(trend))} ms, writes ${Math.round(p99(write))} ms (p99), ${failed} refused before the kill`,
      `memory ${early} MB early, ${late} MB at the end; serving again in ${seconds(back)}`,
      `${alarms.TotalCount} alarms of ${watched.length * points} expected`,
    ].join('\n'),
  )
  enter(task, { fault: `soak, ${minutes} min`, rounds: 1, ...counts, note: `${alarms.TotalCount} alarms of ${watched.length * points}` })
  expect(flawless(counts)).toEqual(perfect)
  expect(alarms.TotalCount).toBe(watched.length * points)
  expect(failed).toBe(0)
})
