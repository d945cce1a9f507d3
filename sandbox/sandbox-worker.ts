// Runs the scripts of tenants, one call after the other. The main thread watches and ends this thread when it hangs.
import { parentPort, workerData } from 'node:worker_threads'
import type { QuickJSWASMModule } from 'quickjs-emscripten-core'
import type { Outcome } from '../contract/parsing/script.ts'
import { freezePrototypes } from '../contract/prototypes.ts'
import type { Done, Job, ToWorker } from './messages.ts'
import { faulty } from './result.ts'
import { Broken, cpu, openModule, openWorld, type World } from './world.ts'

freezePrototypes()
const port = parentPort!
/** The call that runs now, for the watchdog; 0 while none does. */
const { current } = workerData as { current: Int32Array }
/** Results leave together, but not later than this. */
const togetherMs = 5

type Tenant = { module: QuickJSWASMModule; worlds: Map<string, World>; codes: Map<string, string> }
const tenants = new Map<number, Tenant>()
const tenantOf = async (id: number): Promise<Tenant> => {
  const known = tenants.get(id)
  if (known) return known
  const tenant = { module: await openModule(), worlds: new Map(), codes: new Map() }
  tenants.set(id, tenant)
  return tenant
}
/** A module that trapped is beyond use, with all worlds in it. */
const renew = async (tenant: Tenant) => {
  tenant.worlds.clear()
  tenant.module = await openModule()
}
const closed = async (tenant: Tenant, world: World | undefined) => {
  try {
    world?.close()
  } catch {
    await renew(tenant)
  }
}

const runIn = async (tenant: Tenant, { script, code, isTest, ...rest }: Job): Promise<Outcome> => {
  const job = { script, isTest, ...rest }
  if (code !== undefined && !isTest) tenant.codes.set(script, code)
  const known = isTest ? undefined : tenant.worlds.get(script)
  let world = known
  try {
    if (!world) {
      const opened = openWorld(tenant.module, code ?? tenant.codes.get(script) ?? '')
      if (!('run' in opened)) return opened
      world = opened
      if (!isTest) tenant.worlds.set(script, world)
    }
    const outcome = world.run(job)
    if (isTest) await closed(tenant, world)
    return outcome
  } catch (error) {
    tenant.worlds.delete(script)
    if (!(error instanceof Broken)) {
      await renew(tenant)
      return faulty('crashed', String((error as Error).message).slice(0, 200))
    }
    if (world) await closed(tenant, world)
    else await renew(tenant)
    return error.outcome
  }
}

const run = async (jobs: Job[]) => {
  let done: Done[] = []
  let since = performance.now()
  for (const job of jobs) {
    const tenant = await tenantOf(job.tenant)
    Atomics.store(current, 0, job.id)
    const began = cpu()
    const outcome = await runIn(tenant, job)
    done.push({ id: job.id, outcome: { ...outcome, ms: Math.round((cpu() - began) * 1000) / 1000 } })
    if (performance.now() - since < togetherMs) continue
    port.postMessage(done)
    ;[done, since] = [[], performance.now()]
  }
  Atomics.store(current, 0, 0)
  port.postMessage(done)
}

let turn = Promise.resolve()
port.on('message', (message: ToWorker) => {
  turn = turn.then(async () => {
    if ('jobs' in message) return run(message.jobs)
    if ('close' in message) return void tenants.delete(message.close)
    const tenant = tenants.get(message.tenant)
    tenant?.codes.delete(message.forget)
    await (tenant && closed(tenant, tenant.worlds.get(message.forget)))
    tenant?.worlds.delete(message.forget)
  })
})
