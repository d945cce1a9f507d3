// The worker thread of scripts: one that hangs or dies is followed by another, and what waited behind it runs there.
import { Worker } from 'node:worker_threads'
import type { Outcome } from '../contract/parsing/script.ts'
import { hungMs, mostScripts, mostTenants, wallMs } from './limits.ts'
import type { Done, Job, ToWorker } from './messages.ts'
import type { createQueue, Waiting } from './queue.ts'
import { faulty } from './result.ts'

/** The watchdog looks this often. */
const lookMs = 40

/** Which scripts the worker holds: those used last, of the tenants seen last. */
const createHeld = (send: (message: ToWorker) => void) => {
  const tenants = new Map<number, Set<string>>()
  return {
    /** Whether the worker has to be told the code. */
    isNew: (tenant: number, script: string): boolean => {
      const scripts = tenants.get(tenant) ?? new Set()
      tenants.delete(tenant)
      tenants.set(tenant, scripts)
      const [oldest] = tenants.keys()
      if (tenants.size > mostTenants && oldest !== undefined) {
        tenants.delete(oldest)
        send({ close: oldest })
      }
      const isKnown = scripts.delete(script)
      scripts.add(script)
      const [first] = scripts
      if (scripts.size > mostScripts && first !== undefined) {
        scripts.delete(first)
        send({ forget: first, tenant })
      }
      return !isKnown
    },
    clear: () => tenants.clear(),
  }
}

/** Looks whether the same call has run for too long. */
const startWatch = (current: Int32Array, workerNow: () => Worker | undefined, hung: (worker: Worker, ms: number) => void) => {
  /** The call that the last look saw, and the processor time of the worker then. */
  let seen = { id: 0, cpu: 0, at: 0 }
  const look = async () => {
    const [id, looked] = [Atomics.load(current, 0), workerNow()]
    if (!id || !looked) return
    const { user, system } = await looked.cpuUsage()
    if (Atomics.load(current, 0) !== id || workerNow() !== looked) return
    const cpu = (user + system) / 1000
    if (seen.id !== id) seen = { id, cpu, at: performance.now() }
    else if (cpu - seen.cpu >= hungMs || performance.now() - seen.at > wallMs) hung(looked, Math.round(cpu - seen.cpu))
  }
  // One that has ended by itself is lost by its own event.
  return setInterval(() => void look().catch(() => undefined), lookMs).unref()
}

type Judge = {
  /** Whether a call that waited runs no more. */
  isOff(job: Waiting): boolean
  /** The thread ended with this call. */
  killed(job: Waiting, outcome: Outcome): void
}
export const openThread = (queue: ReturnType<typeof createQueue>, judge: Judge) => {
  const current = new Int32Array(new SharedArrayBuffer(4))
  let [worker, isClosed, nextId]: [Worker | undefined, boolean, number] = [undefined, false, 1]
  const running = new Map<number, Waiting>()
  const held = createHeld((message) => worker?.postMessage(message))

  const start = () => {
    Atomics.store(current, 0, 0)
    held.clear()
    const opened = new Worker(new URL('./sandbox-worker.ts', import.meta.url), {
      workerData: { current },
      env: {},
      // Its own heap holds messages and results; scripts have theirs in WebAssembly.
      resourceLimits: { maxOldGenerationSizeMb: 128 },
    })
    opened.unref()
    opened.on('message', (done: Done[]) => worker === opened && finish(done))
    opened.on('error', () => worker === opened && lost())
    opened.on('exit', () => worker === opened && lost())
    worker = opened
    return opened
  }
  const next = () => {
    if (running.size || isClosed) return
    const { off = [], on: taken = [] } = Object.groupBy(queue.take(), (job) => (judge.isOff(job) ? 'off' : 'on'))
    for (const { done } of off) done(faulty('off'))
    if (!taken.length) {
      if (off.length) next()
      return
    }
    const to = worker ?? start()
    const jobs = taken.map((waiting): Job => {
      const { tenant, script, code, isTest, call } = waiting
      const id = nextId++ & 0x7fffffff || nextId++
      running.set(id, waiting)
      return { id, tenant, script, call, ...(isTest ? { isTest, code } : held.isNew(tenant, script) && { code }) }
    })
    to.postMessage({ jobs } satisfies ToWorker)
  }
  const finish = (done: Done[]) => {
    for (const { id, outcome } of done) {
      const waiting = running.get(id)
      running.delete(id)
      if (!waiting) continue
      queue.took(waiting.tenant, outcome.ms)
      waiting.done(outcome)
    }
    next()
  }
  /** The worker ended or was ended. What ran in it has failed; what waited behind it runs in the next one. */
  const lost = (outcome = faulty('crashed')) => {
    worker = undefined
    const guilty = Atomics.load(current, 0)
    const rest = [...running].filter(([id]) => id !== guilty).map(([, waiting]) => waiting)
    const failed = running.get(guilty)
    running.clear()
    queue.putBack(rest)
    if (failed) {
      queue.took(failed.tenant, Math.max(outcome.ms, hungMs))
      judge.killed(failed, outcome)
      failed.done(outcome)
    } else if (rest.length && outcome.fault?.reason === 'crashed') {
      // It did not even begin: nobody waits for ever.
      for (const waiting of queue.drain()) waiting.done(outcome)
    }
    next()
  }
  const watch = startWatch(
    current,
    () => worker,
    (hung, ms) => {
      lost({ ...faulty('timeout', String(ms)), ms })
      void hung.terminate()
    },
  )
  return {
    next,
    close: async () => {
      isClosed = true
      clearInterval(watch)
      for (const waiting of [...running.values(), ...queue.drain()]) waiting.done(faulty('busy'))
      running.clear()
      const last = worker
      worker = undefined
      await last?.terminate()
    },
  }
}
