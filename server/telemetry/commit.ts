import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../http/faults.ts'
import type { Counters } from './counters.ts'
import type { Decoded } from './decode.ts'
import type { Late } from './late.ts'
import type { RejectedStore } from './rejected.ts'
import type { Stored } from './sample.ts'
import type { Incoming, Store } from './store/store.ts'

/** Arrival numbers of one commit; `last` < `first` when nothing of it was stored. */
export type Batch = { first: number; last: number }

/**
 * Called after each commit, once with its live readings and once with its back-fill, if it has any. Live-only readings come along
 * with n = 0. Within a point, live readings come in the order of arrival.
 */
export type StoredListener = (stored: readonly Stored[], live: boolean, batch: Batch) => void

/** A message that is decoded and waits for its commit. */
export type Taken = { sn: string; bytes: number; received: number; decoded: Decoded; done: () => void; fail: (error: Error) => void }

type TenantOf = (sn: string) => number
export type CommitOptions = {
  store: Store
  counters: Counters
  rejected: Pick<RejectedStore, 'add'>
  log: (problem: string, error: unknown) => void
  late?: Pick<Late, 'take'> | undefined
  /** Newest time known of each point, from the store; later readings cannot replace anything. */
  newest?: ReadonlyMap<number, number> | undefined
  /** False = another process may be storing now: readings wait and are not acknowledged. */
  isOwner?: (() => boolean) | undefined
}

/** Rows of SQLite in one turn of the event loop. */
const rowsAtOnce = 500
const [firstRetryMs, lastRetryMs] = [500, 10_000]
const ownerMs = 50

/** Of readings that may replace something: those not newer than all of their point's. */
const doubtfulOf = (rows: readonly Incoming[], newestTime: Map<number, { time: number }>) => {
  const doubtful: number[] = []
  for (let i = 0; i < rows.length; i++) {
    const { point, time } = rows[i]!
    const known = newestTime.get(point)
    if (known === undefined) newestTime.set(point, { time })
    else if (time > known.time) known.time = time
    else doubtful.push(i)
  }
  return doubtful
}

/** Counts what became of readings; `replaced`: places among the samples of all messages. */
const count = (messages: readonly Taken[], replaced: ReadonlySet<number>, counters: Counters, tenantOf: TenantOf) => {
  let at = 0
  for (const { sn, decoded } of messages) {
    const tenant = tenantOf(sn)
    let again = 0
    for (const end = at + decoded.samples.length; at < end; at++) if (replaced.has(at)) again++
    if (again) counters.add(tenant, 'replaced', again)
    if (decoded.samples.length > again) counters.add(tenant, 'stored', decoded.samples.length - again)
    if (decoded.liveOnly.length) counters.add(tenant, 'liveOnly', decoded.liveOnly.length)
    if (decoded.unmatched) counters.add(tenant, 'unknownKey', decoded.unmatched)
    for (const refusal of decoded.refusals) counters.add(tenant, refusal.reason, refusal.count)
  }
}

const deliver = (listeners: ReadonlySet<StoredListener>, messages: readonly Taken[], batch: Batch, log: CommitOptions['log']) => {
  const [live, history]: [Stored[], Stored[]] = [[], []]
  for (const { decoded } of messages)
    for (const readings of [decoded.samples, decoded.liveOnly])
      for (const reading of readings) (reading.live ? live : history).push(reading)
  for (const listener of listeners)
    for (const [stored, isLive] of [[live, true] as const, [history, false] as const])
      if (stored.length)
        try {
          listener(stored, isLive, batch)
        } catch (error) {
          log('a listener to stored readings failed', error)
        }
}

/** Stores batches of messages, one at a time, and delivers what is stored. A stalled store is retried with the same batch. */
export class Committer {
  readonly #options: CommitOptions & { tenantOf: TenantOf }
  readonly #closing: AbortController
  readonly #isOwner: () => boolean
  readonly #newestTime: Map<number, { time: number }>
  readonly #listeners = new Set<StoredListener>()

  constructor(options: CommitOptions & { tenantOf: TenantOf }, closing: AbortController) {
    this.#options = options
    this.#closing = closing
    this.#isOwner = options.isOwner ?? (() => true)
    this.#newestTime = new Map([...(options.newest ?? [])].map(([point, time]) => [point, { time }]))
  }

  async #untilOwner() {
    while (!this.#isOwner()) {
      if (this.#closing.signal.aborted) throw new Fault('unavailable')
      await sleep(ownerMs, undefined, { signal: this.#closing.signal }).catch(() => {})
    }
  }

  async #appendAtLast(rows: readonly Incoming[]) {
    const doubtful = doubtfulOf(rows, this.#newestTime)
    for (let wait = firstRetryMs; ; wait = Math.min(2 * wait, lastRetryMs))
      try {
        const appended = await this.#options.store.append(rows, doubtful)
        this.#options.late?.take(rows, doubtful, appended.replaced)
        return appended
      } catch (error) {
        if (this.#closing.signal.aborted) throw new Fault('unavailable')
        this.#options.log('readings could not be stored, trying again', error)
        await sleep(wait, undefined, { signal: this.#closing.signal }).catch(() => {})
      }
  }

  /** The event loop turns between slices. */
  async keepRefusals(messages: readonly Pick<Taken, 'sn' | 'received' | 'decoded'>[]) {
    const rows = messages.flatMap(({ sn, received, decoded: { refusals } }) => {
      const EnterpriseId = refusals.length ? this.#options.tenantOf(sn) : 0
      return refusals.map(({ count, ...refusal }) => {
        const detail = count ? `${count} more of this message` : refusal.detail
        return { EnterpriseId, SN: sn, received, ...refusal, detail }
      })
    })
    try {
      for (let at = 0; at < rows.length; at += rowsAtOnce) {
        if (at) await new Promise(setImmediate)
        this.#options.rejected.add(rows.slice(at, at + rowsAtOnce))
      }
    } catch (error) {
      this.#options.log('rejected readings could not be kept', error)
    }
  }

  async commit(messages: readonly Taken[]) {
    const { counters, tenantOf, log } = this.#options
    const rows = messages.length === 1 ? messages[0]!.decoded.samples : messages.flatMap(({ decoded }) => decoded.samples)
    try {
      await this.#untilOwner()
      const { first, replaced } = rows.length ? await this.#appendAtLast(rows) : { first: 0, replaced: [] }
      // Numbers that another process has passed by now would not be judged: such readings are sent, and stored, once more.
      await this.#untilOwner()
      for (let i = 0; i < rows.length; i++) rows[i]!.n = first + i
      count(messages, new Set(replaced), counters, tenantOf)
      await this.keepRefusals(messages)
      deliver(this.#listeners, messages, { first, last: first + rows.length - 1 }, log)
      for (const { done } of messages) done()
    } catch (error) {
      for (const { fail } of messages) fail(error as Error)
    }
  }

  onStored(listener: StoredListener) {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }
  /** The point is gone for good. */
  forget(point: number) {
    this.#newestTime.delete(point)
  }
}
