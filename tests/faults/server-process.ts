// A server as a separate process, so that it can be killed.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { freePort } from '../../main/testing/freePort.ts'
import { programOf } from '../../main/testing/serverProgram.ts'
import { openFrontDoor, password, temporary, until } from '../front-door.ts'

export type ServerProcess = Awaited<ReturnType<typeof startServerProcess>>

/** The real program, at the same ports after every restart. `program` may be another one that prints "ready"; `standby`: another one serves. */
export const startServerProcess = async (
  env: Record<string, string> = {},
  { program = programOf('main/server.ts'), folder = temporary(), standby = false } = {},
) => {
  const [port, mqttPort] = [await freePort(), await freePort()]
  const origin = `http://127.0.0.1:${port}`
  let child: ChildProcess
  let said = ''
  let startedAt = 0
  let saidReady = false
  let mayEnd: ChildProcess | undefined

  type Answer = { ok: boolean; engines: Record<string, boolean>; why?: string }
  const ready = async (): Promise<Answer> =>
    fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(3000) }).then(
      async (r) => ({ ok: r.ok, engines: ((await r.json()) as Answer).engines }),
      (error: Error) => ({ ok: false, engines: {}, why: `${error.message} ${error.cause ?? ''}` }),
    )
  const launch = () => {
    startedAt = performance.now()
    said = ''
    saidReady = false
    // The heap's limit is that of tools/start.mjs, unless a test wants less.
    child = spawn(process.execPath, [`--max-old-space-size=${env.HEAP_MB ?? 1536}`, program], {
      env: {
        ...process.env,
        PENSTOCK_DATA: folder,
        PENSTOCK_PORT: String(port),
        PENSTOCK_MQTT_PORT: String(mqttPort),
        PENSTOCK_DEMO: 'off',
        PENSTOCK_ADMIN_PASSWORD: password,
        PENSTOCK_LOG: 'warn',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    for (const stream of [child.stdout!, child.stderr!])
      stream.on('data', (chunk) => {
        said += chunk
        saidReady ||= /ready/.test(said)
        said = said.slice(-100_000)
      })
    const mine = child
    mine.once('exit', (code, signal) => {
      if (!mine.killed && signal !== 'SIGKILL' && mine !== mayEnd)
        console.error(`The server ended by itself (${signal ?? code}):\n${said.slice(-10_000)}`)
    })
  }
  /** Answers how many ms after its launch it served. */
  const serving = async () => {
    const mine = child
    let last: Answer | undefined
    const ownLag = monitorEventLoopDelay({ resolution: 10 })
    ownLag.enable()
    const serves = async () => {
      if (mine.exitCode !== null || mine.signalCode !== null) throw new Error(`The server ended:\n${said}`)
      if (!saidReady) return false
      last = await ready()
      return last.ok
    }
    await until('the server to serve', serves, 180_000).catch((error: Error) => {
      // Whoever plays the clients may be what does not get on, too.
      const away = `this process was held for ${Math.round(ownLag.max / 1e6)} ms at worst, ${Math.round(ownLag.mean / 1e6)} ms on average`
      const state = saidReady ? `said ready, last answer ${JSON.stringify(last)}` : 'never said ready'
      throw new Error(`${error.message} (${state}; ${away}):\n${said.slice(-10_000)}`)
    })
    ownLag.disable()
    return performance.now() - startedAt
  }
  const start = () => {
    launch()
    return serving()
  }
  const standsBy = () =>
    fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(3000) }).then(
      async (r) => r.status === 503 && ((await r.json()) as { status: string }).status === 'standing by',
      () => false,
    )
  /** Starts it beside one that serves. */
  const stand = async () => {
    launch()
    await until('the server to stand by', standsBy)
  }
  await (standby ? stand() : start())

  return {
    origin,
    port,
    mqttPort,
    folder,
    ready,
    start,
    stand,
    standsBy,
    serving,
    said: () => said,
    alive: () => child.exitCode === null && child.signalCode === null,
    pid: () => child.pid!,
    /** It is to end by itself; answers with which status. */
    ends: async () => {
      mayEnd = child
      const [code] = await once(child, 'exit')
      return code as number | null
    },
    send: (message: object) => void child.send(message),
    onMessage: (listener: (message: unknown) => void) => void child.on('message', listener),
    door: () => openFrontDoor(origin),
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
    /** Ends it in order; the folder stays. */
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
