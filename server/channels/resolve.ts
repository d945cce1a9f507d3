// Names that tenants give are resolved one a tenant at a time. Node asks the system in two of its four threads, and a name whose name
// server is silent holds one of them for 10 s: a few such names of one tenant would stop the messages of all others.
import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { boundedQueue } from '../jobs/boundedQueue.ts'

const inTurn = boundedQueue({ concurrency: 2, perKey: 1, backlog: 400, maxWaitMs: 15_000 })
const underWay = new Map<string, Promise<LookupAddress[]>>()

/** Resolves a name. Concurrent look-ups of one name by a tenant share a query. @throws Fault `busy` after waiting too long */
export const resolve = (host: string, tenant: number): Promise<LookupAddress[]> => {
  const key = `${tenant} ${host}`
  const ask = () => inTurn(() => lookup(host, { all: true, verbatim: true }), { key: tenant }).finally(() => underWay.delete(key))
  const running = underWay.get(key) ?? ask()
  underWay.set(key, running)
  return running
}
