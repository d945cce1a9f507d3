// Whose script runs next: that of the tenant that has used the worker least.
import type { Outcome } from '../contract/parsing/script.ts'
import type { Call, Job } from './messages.ts'

export type Waiting = Omit<Job, 'id'> & { call: Call; bytes: number; done(outcome: Outcome): void }
type Tenant = { jobs: Waiting[]; bytes: number; used: number; mean: number }

/** Calls and bytes that may wait, in all and of one tenant. */
const [mostJobs, mostBytes, mostJobsOfOne, mostBytesOfOne] = [10_000, 64 * 1024 * 1024, 2000, 16 * 1024 * 1024]
/** Calls that go to the worker together, and about how long they take: a tenant whose scripts are slow sends few. */
const [mostTogether, togetherMs] = [50, 10]

export const createQueue = () => {
  const tenants = new Map<number, Tenant>()
  let [jobs, bytes, clock] = [0, 0, 0]
  const leave = (tenant: Tenant, job: Waiting) => {
    jobs--
    bytes -= job.bytes
    tenant.bytes -= job.bytes
  }
  const next = () => {
    let found: Tenant | undefined
    for (const tenant of tenants.values()) if (tenant.jobs.length && (!found || tenant.used < found.used)) found = tenant
    return found
  }
  const enter = (job: Waiting, where: 'push' | 'unshift') => {
    const tenant = tenants.get(job.tenant) ?? { jobs: [], bytes: 0, used: clock, mean: 0.1 }
    tenants.set(job.tenant, tenant)
    // Who was silent has saved up nothing.
    if (!tenant.jobs.length) tenant.used = Math.max(tenant.used, clock)
    tenant.jobs[where](job)
    jobs++
    bytes += job.bytes
    tenant.bytes += job.bytes
  }
  return {
    /** False where too much waits. */
    add: (job: Waiting): boolean => {
      const tenant = tenants.get(job.tenant)
      if (jobs >= mostJobs || bytes + job.bytes > mostBytes) return false
      if (tenant && (tenant.jobs.length >= mostJobsOfOne || tenant.bytes + job.bytes > mostBytesOfOne)) return false
      enter(job, 'push')
      return true
    },
    /** Those that could not run after all go first again. */
    putBack: (given: readonly Waiting[]) => {
      for (const job of given.toReversed()) enter(job, 'unshift')
    },
    take: (): Waiting[] => {
      const taken: Waiting[] = []
      for (let ms = 0; taken.length < mostTogether && ms < togetherMs; ) {
        const tenant = next()
        if (!tenant) break
        const job = tenant.jobs.shift()!
        leave(tenant, job)
        clock = Math.max(clock, tenant.used)
        tenant.used += tenant.mean
        ms += tenant.mean
        taken.push(job)
      }
      return taken
    },
    /** What a call of a tenant has cost. */
    took: (id: number, ms: number) => {
      const tenant = tenants.get(id)
      if (!tenant) return
      tenant.used += ms - tenant.mean
      tenant.mean += (ms - tenant.mean) / 4
      // Forgets tenants that have long been silent.
      if (tenants.size > 1000) for (const [other, { jobs, used }] of tenants) if (!jobs.length && used < clock) tenants.delete(other)
    },
    get waiting() {
      return jobs
    },
    drain: (): Waiting[] => {
      const left = [...tenants.values()].flatMap((tenant) => tenant.jobs.splice(0))
      ;[jobs, bytes] = [0, 0]
      tenants.clear()
      return left
    },
  }
}
