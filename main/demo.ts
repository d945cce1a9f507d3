// The simulated plant and a soft gateway that polls it, as processes of their own: what the first start shows.
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { seedHistory } from '../areas/configuration/demo/server/history.ts'
import { seedRepairOrders, seedUpkeep } from '../areas/configuration/demo/server/maintenance/index.ts'
import { seedDemo } from '../areas/configuration/demo/server/service.ts'
import { setSecret } from '../areas/configuration/gateways/server/secrets.ts'
import { demoPlant } from '../contract/demo-plant.ts'
import { handOver } from './demoState.ts'
import type { Settings } from './settings.ts'
import type { Started } from './start.ts'

/** Plants that have room below the ports that systems give to connections (Linux: from 32768). */
const plants = Math.floor((32_768 - 15_020) / demoPlant.length)
/** The plant's first port: 15020 beside the standard broker; another Penstock on this machine finds its own. */
const plantPortOf = (mqttPort: number) => 15_020 + ((((mqttPort - 8421) % plants) + plants) % plants) * demoPlant.length
const stopWithinMs = 8000

const child = (path: string, env: Record<string, string>, log: Logger, serialization: 'json' | 'advanced' = 'json'): ChildProcess => {
  const own = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...env }
  // A group of its own: Ctrl-C reaches us, and we stop it after its last message was taken. When we are killed, the channel between
  // us closes, and it stops by itself.
  const running = spawn(process.execPath, ['--disable-proto=delete', fileURLToPath(new URL(path, import.meta.url))], {
    env: own,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    detached: true,
    serialization,
  })
  running.stderr!.setEncoding('utf8').on('data', (text: string) => log.warn({ from: path.split('/')[1] }, text.trim()))
  return running
}

const stopped = (running: ChildProcess) =>
  new Promise<void>((resolve) => {
    if (running.exitCode !== null || running.signalCode) return resolve()
    const timer = setTimeout(() => running.kill('SIGKILL'), stopWithinMs)
    running.once('exit', () => {
      clearTimeout(timer)
      resolve()
    })
    running.kill('SIGTERM')
  })

/** The plant's past, from a process of its own that ends when all has been asked; readings of a day by the turn in which they were asked for. */
const openPast = (log: Logger, onStart: () => void) => {
  const waiting: { resolve: (readings: Float64Array) => void; reject: (error: Error) => void }[] = []
  const start = () => {
    onStart()
    const process = child('../plant/history-process.ts', {}, log, 'advanced')
    process.on('message', (readings) => waiting.shift()?.resolve(readings as Float64Array))
    process.once('exit', () => {
      for (const { reject } of waiting.splice(0)) reject(new Error('the plant no longer answers'))
    })
    return process
  }
  let running: ChildProcess | undefined
  return {
    ask: (asked: object) =>
      new Promise<Float64Array>((resolve, reject) => {
        running ??= start()
        if (!running.connected) return reject(new Error('the plant no longer answers'))
        waiting.push({ resolve, reject })
        running.send(asked)
      }),
    stop: async () => running && stopped(running),
  }
}

type OnStep = (name: string, text: string) => void

type Needs = Pick<Started, 'database' | 'telemetry' | 'mqttPort'>
/** The demo company with its gateway, and the state that its plant goes on from. */
const prepared = async (started: Needs, { data, language }: Settings) => {
  const plantPort = plantPortOf(started.mqttPort)
  const { Id, actor, SN } = await seedDemo(started.database, plantPort, language)
  // The gateway's key is renewed at each start, so that it is never stored in plain text.
  const key = await setSecret(started.database.system, { Id, SN })
  const state = join(data, 'demo-plant.json')
  await handOver(state, started, Id)
  return { Id, actor, SN, key, state, plantPort }
}

/** Seeds the demo tenant once, starts plant and gateway, and pushes the configuration. `connected` resolves when the gateway is online. */
export const startDemo = async (started: Started, settings: Settings, log: Logger, onStep: OnStep = () => undefined) => {
  const { database, gateways, mqttPort, tls, telemetry } = started
  // A demo that users have changed must not keep the server from starting.
  const demo = await prepared(started, settings).catch((err) => {
    log.warn({ err }, 'the demo is left out')
    onStep('Demo', `left out: ${err instanceof Error ? err.message : err}`)
  })
  if (!demo) return { stop: async () => async () => undefined, connected: Promise.resolve() }
  const { Id, actor, SN, key, state, plantPort } = demo
  const plant = child('../plant/main.ts', { PLANT_PORT: String(plantPort), PLANT_STATE: state }, log)
  plant.on('message', (taken) => {
    const { device, port } = taken as { device: string; port: number }
    onStep('Plant', `"${device}" is left out: port ${port} is taken`)
  })
  const server = settings.mqttUrl ?? `${tls ? 'mqtts' : 'mqtt'}://127.0.0.1:${mqttPort}`
  const edge = child(
    '../edge/main.ts',
    {
      EDGE_SERVER: server,
      EDGE_SN: SN,
      EDGE_KEY: key,
      EDGE_DATA: join(settings.data, 'demo-gateway'),
      EDGE_OUTBOUND: [settings.outboundList, ...demoPlant.map((_, i) => `127.0.0.1/32:${plantPort + i}`)].filter(Boolean).join(','),
      ...(settings.tlsCert ? { NODE_EXTRA_CA_CERTS: settings.tlsCert } : {}),
    },
    log,
  )
  onStep('Plant', `${demoPlant.length} simulated devices, ${demoPlant.flatMap((d) => d.Points).length} points`)
  let pushing = true
  const connected = (async () => {
    const db = database.as(actor)
    for (; pushing; await new Promise((resolve) => setTimeout(resolve, 500))) {
      const [row] = await db.rows<{ OnlineStatus: number; ConfigStatus: number }>(
        sql`select "OnlineStatus", "ConfigStatus" from gateway where "Id" = ${Id}`,
      )
      if (row?.OnlineStatus !== 1) continue
      if (row.ConfigStatus === 0) return
      const { Code, Msg } = await gateways.push(db, actor, Id)
      if (Code === 0) return
      log.warn({ Code, Msg }, 'the demo gateway did not take its configuration')
    }
  })()
    .then(() => pushing && onStep('Gateway', 'connected, reads the plant'))
    .catch((err) => log.warn({ err }, 'demo'))
  let began = 0
  const past = openPast(log, () => {
    began = performance.now()
    onStep('History', `being written while you look around, ${settings.demoHistory} days`)
  })
  const given = { gateway: Id, enterprise: actor.EnterpriseId, days: settings.demoHistory }
  const { registry, store } = started
  const needs = { database, telemetry, registry, store, font: settings.reportFont, clock: Date.now }
  const isStopped = () => !pushing
  // Upkeep needs the plant's counters, not their readings.
  const seeded = seedHistory(needs, given, past.ask, isStopped, () => seedUpkeep(needs, given, isStopped))
    .then(() => seedRepairOrders(needs, given, isStopped))
    .then(() => began && onStep('History', `written in ${Math.round((performance.now() - began) / 1000)} s`))
    .catch((err) => pushing && log.warn({ err }, 'the history of the demo plant is not complete: the next start goes on with it'))
    .finally(past.stop)
  const stop = async () => {
    pushing = false
    await past.stop()
    await seeded
    await connected
    // A gateway that leaves a running server is offline, which people are notified of.
    return () => Promise.all([stopped(edge), stopped(plant)])
  }
  return { stop, connected }
}
