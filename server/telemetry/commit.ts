import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../http/faults.ts'
import type { ArrivalOrder } from './arrivalOrder.ts'
import type { Counted, Counters } from './counters.ts'
import type { Decoded, Reading } from './decode.ts'
import { type Late, type LateCounts, lateOf } from './late.ts'
import type { Rejected, Stored } from './sample.ts'
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
/**
 * What one commit came to. `rows`: stored readings, with numbers from `first` on. `doubtful` and `replaced`: places among them of readings
 * that are not newer than all of their point's, and of those that took another's place.
 */
export type Commit = {
  messages: readonly Taken[]
  rows: readonly Reading[]
  doubtful: readonly number[]
  replaced: readonly number[]
  first: number
}
/** Where arrival numbers come from, and who counts and hears what is stored. */
export type Settling = {
  /** Reserves numbers for so many readings and returns the first. Without it, the store gives them. */
  reserve?: ((amount: number) => number | Promise<number>) | undefined
  /** False if the numbers were given up meanwhile: the readings have to be stored under others. */
  settle(commit: Commit): Promise<boolean>
  giveUp?(first: number): void
  /** Keeps refused readings with their reasons, before `settle`. */
  keep(rejected: Rejected[]): void | Promise<void>
}
export type CommitOptions = {
  store: Store
  counters: Counters
  rejected: { add(rejected: Rejected[]): void }
  log: (problem: string, error: unknown) => void
  late?: Pick<Late, 'add'> | undefined
  /** Other processes store, too: listeners hear of all readings in the order of their numbers. */
  order?: ArrivalOrder | undefined
  /** Another process counts and hears what is stored here. */
  settling?: Settling | undefined
  /** Whether a gateway may send again what another process has stored: its readings are looked up. */
  mayRepeat?: ((sn: string) => boolean) | undefined
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

/** What became of the readings of messages, by tenant. `replaced`: places among the samples of all messages. */
export const countedOf = (messages: readonly Taken[], replaced: readonly number[], tenantOf: TenantOf): Counted[] => {
  const again = new Set(replaced)
  const sums = new Map<number, Map<Counted[1], number>>()
  let at = 0
  for (const { sn, decoded } of messages) {
    const tenant = tenantOf(sn)
    const sum = sums.get(tenant) ?? new Map<Counted[1], number>()
    sums.set(tenant, sum)
    const add = (outcome: Counted[1], amount: number) => void (amount && sum.set(outcome, (sum.get(outcome) ?? 0) + amount))
    let repeated = 0
    for (const end = at + decoded.samples.length; at < end; at++) if (again.has(at)) repeated++
    add('replaced', repeated)
    add('stored', decoded.samples.length - repeated)
    add('liveOnly', decoded.liveOnly.length)
    add('unknownKey', decoded.unmatched ?? 0)
    for (const { reason, count = 1 } of decoded.refusals) add(reason, count)
  }
  return [...sums].flatMap(([tenant, sum]) => [...sum].map(([outcome, amount]): Counted => [tenant, outcome, amount]))
}

const tell = (
  listeners: ReadonlySet<StoredListener>,
  stored: readonly Stored[],
  isLive: boolean,
  batch: Batch,
  log: CommitOptions['log'],
) => {
  if (!stored.length) return
  for (const listener of listeners)
    try {
      listener(stored, isLive, batch)
    } catch (error) {
      log('a listener to stored readings failed', error)
    }
}

/** Live and back-filled readings of messages, live-only ones among the first. */
export const readingsOf = (messages: readonly Taken[]) => {
  const [live, history]: [Stored[], Stored[]] = [[], []]
  for (const { decoded } of messages)
    for (const readings of [decoded.samples, decoded.liveOnly])
      for (const reading of readings) (reading.live ? live : history).push(reading)
  return { live, history }
}

type Settled = {
  first: number
  /** Arrival numbers that were used. */
  amount: number
  counted: readonly Counted[]
  late: Iterable<readonly [number, LateCounts]>
  deliver: () => void
}
/** Delivers and counts stored readings. False if their numbers were given up. */
export const settleReadings = (
  { order, counters, late }: Pick<CommitOptions, 'order' | 'counters' | 'late'>,
  { first, amount, counted, late: lately, deliver }: Settled,
): boolean => {
  if (!order || !amount) deliver()
  else if (!order.stored(first, amount, deliver)) return false
  for (const each of counted) counters.add(...each)
  late?.add(lately)
  return true
}

/** Stores batches of messages, one at a time, and delivers what is stored. A stalled store is retried with the same batch. */
export class Committer {
  readonly #options: CommitOptions & { tenantOf: TenantOf }
  readonly #closing: AbortController
  readonly #isOwner: () => boolean
  readonly #settling: Settling
  readonly #newestTime: Map<number, { time: number }>
  readonly #listeners = new Set<StoredListener>()

  constructor(options: CommitOptions & { tenantOf: TenantOf }, closing: AbortController) {
    this.#options = options
    this.#closing = closing
    this.#isOwner = options.isOwner ?? (() => true)
    this.#settling = options.settling ?? this.#settlingHere()
    this.#newestTime = new Map([...(options.newest ?? [])].map(([point, time]) => [point, { time }]))
  }

  #settlingHere(): Settling {
    const { counters, tenantOf, log, late, order, rejected } = this.#options
    return {
      reserve: order?.reserve,
      giveUp: (first) => order?.giveUp(first),
      keep: (rows) => rejected.add(rows),
      settle: async ({ messages, rows, doubtful, replaced, first }) => {
        const batch = { first, last: first + rows.length - 1 }
        const deliver = () => {
          const { live, history } = readingsOf(messages)
          tell(this.#listeners, live, true, batch, log)
          tell(this.#listeners, history, false, batch, log)
        }
        const [counted, lately] = [countedOf(messages, replaced, tenantOf), lateOf(rows, doubtful, replaced)]
        return settleReadings({ counters, late, order }, { first, amount: rows.length, counted, late: lately, deliver })
      },
    }
  }

  async #untilOwner() {
    while (!this.#isOwner()) {
      if (this.#closing.signal.aborted) throw new Fault('unavailable')
      await sleep(ownerMs, undefined, { signal: this.#closing.signal }).catch(() => {})
    }
  }

  async #appendAtLast(rows: readonly Incoming[], doubtful: readonly number[], first: number | undefined) {
    for (let wait = firstRetryMs; ; wait = Math.min(2 * wait, lastRetryMs))
      try {
        return await this.#options.store.append(rows, doubtful, first)
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
        await this.#settling.keep(rows.slice(at, at + rowsAtOnce))
      }
    } catch (error) {
      this.#options.log('rejected readings could not be kept', error)
    }
  }

  /** Stores the rows. Resolves with the numbers and what was replaced; gives the numbers up where it fails. */
  async #store(rows: readonly Reading[], doubtful: readonly number[]) {
    await this.#untilOwner()
    const reserved = await this.#settling.reserve?.(rows.length)
    try {
      const appended = await this.#appendAtLast(rows, doubtful, reserved)
      // Numbers that another process has passed by now would not be judged: such readings are sent, and stored, once more.
      await this.#untilOwner()
      for (let i = 0; i < rows.length; i++) rows[i]!.n = appended.first + i
      return appended
    } catch (error) {
      if (reserved !== undefined) this.#settling.giveUp?.(reserved)
      throw error
    }
  }

  /** Places among the samples of all messages, ascending. */
  #withRepeated(messages: readonly Taken[], doubtful: number[]) {
    const { mayRepeat } = this.#options
    if (!mayRepeat) return doubtful
    const all = new Set(doubtful)
    let at = 0
    for (const { sn, decoded } of messages) {
      const end = at + decoded.samples.length
      if (mayRepeat(sn)) for (let i = at; i < end; i++) all.add(i)
      at = end
    }
    return all.size === doubtful.length ? doubtful : [...all].sort((a, b) => a - b)
  }

  async commit(messages: readonly Taken[]) {
    const rows = messages.length === 1 ? messages[0]!.decoded.samples : messages.flatMap(({ decoded }) => decoded.samples)
    const notNewest = doubtfulOf(rows, this.#newestTime)
    const doubtful = this.#withRepeated(messages, notNewest)
    try {
      let replaced: number[] | undefined
      for (let isSettled = false; !isSettled; ) {
        await this.#untilOwner()
        // What the first try has stored replaces nothing.
        const appended = rows.length ? await this.#store(rows, replaced ? [] : doubtful) : { first: 0, replaced: [] }
        if (!replaced) await this.keepRefusals(messages)
        replaced ??= appended.replaced
        isSettled = await this.#settling.settle({ messages, rows, doubtful: notNewest, replaced, first: appended.first })
      }
      for (const { done } of messages) done()
    } catch (error) {
      for (const { fail } of messages) fail(error as Error)
    }
  }

  /** Delivers live readings that another process has stored. */
  tell(live: readonly Stored[], batch: Batch) {
    tell(this.#listeners, live, true, batch, this.#options.log)
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
