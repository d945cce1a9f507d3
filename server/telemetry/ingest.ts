import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../http/faults.ts'
import type { Counters } from './counters.ts'
import { type Decoded, decode, nothingDecoded, type Refusal } from './decode.ts'
import { createFairQueue } from './fairQueue.ts'
import type { RejectedStore } from './rejected.ts'
import type { PointRegistry, Stored } from './sample.ts'
import type { Incoming, Store } from './store/store.ts'

/** Arrival numbers of one commit; `last` < `first` when nothing of it was stored. */
export type Batch = { first: number; last: number }

/**
 * Called after each commit, once with its live readings and once with its back-fill, if it has any. Live-only readings come along
 * with n = 0. Within a point, live readings come in the order of arrival.
 */
export type StoredListener = (stored: readonly Stored[], live: boolean, batch: Batch) => void

export type IngestOptions = {
  registry: PointRegistry
  store: Store
  counters: Counters
  rejected: Pick<RejectedStore, 'add'>
  /** Epoch ms. */
  clock: () => number
  log: (problem: string, error: unknown) => void
  /** Newest time known of each point, from the store; later readings cannot replace anything. */
  newest?: ReadonlyMap<number, number>
  /** False = the disk budget is used up: readings are refused, so that gateways keep them. */
  hasRoom?: () => boolean
  /** False = another process may be storing now: what is taken waits, and is promised to nobody. */
  isOwner?: () => boolean
  /** Bytes of payloads in memory that wait for their commit. */
  maxBytes?: number
  /** Readings of one commit, where a message counts as ten. The next batch is decoded during the commit. */
  batchSize?: number
}

type Message = {
  sn: string
  kind: 'data' | 'history'
  payload: Buffer
  done: (answer: { MsgId?: string; readings: number }) => void
  fail: (error: Error) => void
}
type Taken = { sn: string; bytes: number; received: number; decoded: Decoded; done: () => void; fail: (error: Error) => void }

/** Bytes that a reading costs, and a message beside its readings, as measured (docs/performance.md). */
const [readingCost, messageCost] = [16, 256]
/** What a gateway may cost in one turn: some ten small messages, a thousand readings. */
const quantum = 16 * 1024
/** More readings in one commit would hold up the process: filling takes about a microsecond a row, an acknowledgement ten. */
const [readingsAtOnce, messageSize] = [25_000, 10]
/** A refusal that becomes a row of SQLite: some 6 microseconds with its deletion. It weighs more, as writing its log comes on top. */
const [refusalSize, refusalCost] = [15, 15 * readingCost]
/** Rows of SQLite in one turn of the event loop. */
const rowsAtOnce = 500
const costOf = (bytes: number, readings = 0) => messageCost + Math.max(bytes, readings * readingCost)

const [firstRetryMs, lastRetryMs] = [500, 10_000]
const ownerMs = 50

/**
 * From message to commit. Tenants and gateways take turns in a fair queue, before their messages are decoded. While one commit is
 * under way the next batch gathers (group commit). A stalled store is retried with the same batch until it works or ingest closes;
 * `accept` waits for it, which holds gateways back.
 */
export const createIngest = ({
  registry,
  store,
  counters,
  rejected,
  clock,
  log,
  newest = new Map(),
  hasRoom = () => true,
  isOwner = () => true,
  maxBytes = 64 * 1024 * 1024,
  batchSize = readingsAtOnce,
}: IngestOptions) => {
  const newestTime = new Map([...newest].map(([point, time]) => [point, { time }]))
  const listeners = new Set<StoredListener>()
  const waiting = createFairQueue<Message>(quantum)
  let gathering: Taken[] = []
  let gatheredSize = 0
  /** Messages of gateways whose points are being looked up, in the order of arrival. */
  const asking = new Map<string, Message[]>()
  let pendingBytes = 0
  let running: Promise<void> | undefined
  const closing = new AbortController()

  const tenantOf = (sn: string) => registry.enterpriseOf?.(sn) ?? registry.ofGateway(sn)[0]?.EnterpriseId ?? 0
  const gather = ({ sn, payload, done, fail }: Message, decoded: Decoded, received: number) => {
    const readings = decoded.samples.length + decoded.liveOnly.length + decoded.refused
    const rows = decoded.refusals.length
    const more = costOf(payload.length, readings) - costOf(payload.length) + rows * refusalCost
    if (more) waiting.charge(tenantOf(sn), sn, more)
    gatheredSize += messageSize + readings + rows * refusalSize
    const answer = decoded.MsgId === undefined ? { readings } : { MsgId: decoded.MsgId, readings }
    gathering.push({ sn, bytes: payload.length, received, decoded, done: () => done(answer), fail })
    running ??= pump()
  }
  /** In the order of arrival: a point's readings never overtake each other. */
  const read = (message: Message, isFirst = true) => {
    const { sn, kind, payload } = message
    const behind = asking.get(sn)
    if (behind) return void behind.push(message)
    const received = clock()
    const decoded = decode(sn, kind, payload, registry, received)
    const found = isFirst && decoded.unknown.length ? registry.find?.(sn, decoded.unknown) : undefined
    if (!found) return gather(message, decoded, received)
    const queue = [message]
    asking.set(sn, queue)
    const goOn = () => {
      if (asking.get(sn) !== queue) return
      asking.delete(sn)
      for (const each of queue) read(each, each !== message)
    }
    found.then(goOn, goOn)
  }
  /** Decodes what is next in the queue until the batch has this size. */
  const fill = (size: number) => {
    while (gatheredSize < size) {
      const message = waiting.shift()
      if (!message) return
      read(message)
    }
  }
  /** Some of a batch stays free until it is committed: who came late and has little to say need not wait for another one. */
  const fillAhead = () => fill(batchSize * 0.75)

  /** Of readings that may replace something: those not newer than all of their point's. */
  const doubtfulOf = (rows: readonly Incoming[]) => {
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

  const untilOwner = async () => {
    while (!isOwner()) {
      if (closing.signal.aborted) throw new Fault('unavailable')
      await sleep(ownerMs, undefined, { signal: closing.signal }).catch(() => {})
    }
  }

  const appendAtLast = async (rows: readonly Incoming[]) => {
    const doubtful = doubtfulOf(rows)
    for (let wait = firstRetryMs; ; wait = Math.min(2 * wait, lastRetryMs))
      try {
        return await store.append(rows, doubtful)
      } catch (error) {
        if (closing.signal.aborted) throw new Fault('unavailable')
        log('readings could not be stored, trying again', error)
        await sleep(wait, undefined, { signal: closing.signal }).catch(() => {})
      }
  }

  const count = (messages: readonly Taken[], replaced: ReadonlySet<number>) => {
    let at = 0
    for (const { sn, decoded } of messages) {
      const tenant = tenantOf(sn)
      let again = 0
      for (const end = at + decoded.samples.length; at < end; at++) if (replaced.has(at)) again++
      if (again) counters.add(tenant, 'replaced', again)
      if (decoded.samples.length > again) counters.add(tenant, 'stored', decoded.samples.length - again)
      if (decoded.liveOnly.length) counters.add(tenant, 'liveOnly', decoded.liveOnly.length)
      for (const refusal of decoded.refusals) counters.add(tenant, refusal.reason, refusal.count)
    }
  }

  /** The event loop turns between slices. */
  const keepRefusals = async (messages: readonly Pick<Taken, 'sn' | 'received' | 'decoded'>[]) => {
    const rows = messages.flatMap(({ sn, received, decoded: { refusals } }) => {
      const EnterpriseId = refusals.length ? tenantOf(sn) : 0
      return refusals.map(({ count, ...refusal }) => {
        const detail = count ? `${count} more of this message` : refusal.detail
        return { EnterpriseId, SN: sn, received, ...refusal, detail }
      })
    })
    try {
      for (let at = 0; at < rows.length; at += rowsAtOnce) {
        if (at) await new Promise(setImmediate)
        rejected.add(rows.slice(at, at + rowsAtOnce))
      }
    } catch (error) {
      log('rejected readings could not be kept', error)
    }
  }

  const tell = (messages: readonly Taken[], batch: Batch) => {
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

  const commit = async (messages: readonly Taken[]) => {
    const rows = messages.length === 1 ? messages[0]!.decoded.samples : messages.flatMap(({ decoded }) => decoded.samples)
    try {
      await untilOwner()
      const { first, replaced } = rows.length ? await appendAtLast(rows) : { first: 0, replaced: [] }
      // Numbers that another process has passed by now would not be judged: such readings are sent, and stored, once more.
      await untilOwner()
      for (let i = 0; i < rows.length; i++) rows[i]!.n = first + i
      count(messages, new Set(replaced))
      await keepRefusals(messages)
      tell(messages, { first, last: first + rows.length - 1 })
      for (const { done } of messages) done()
    } catch (error) {
      for (const { fail } of messages) fail(error as Error)
    }
  }

  const pump = async () => {
    while (gathering.length) {
      // What else has arrived, also while the last batch was acknowledged, comes along: sockets are read between the two.
      await new Promise(setImmediate)
      await new Promise(setImmediate)
      fill(batchSize)
      const batch = gathering
      gathering = []
      gatheredSize = 0
      const committed = commit(batch)
      fillAhead()
      await committed
      for (const { bytes } of batch) pendingBytes -= bytes
    }
    running = undefined
  }

  return {
    /**
     * Takes a message; resolves when its readings are on disk (findings 9), rejected ones kept. Fails with Fault `unavailable`
     * when it cannot promise that: the message must not be acknowledged then.
     */
    accept: (sn: string, kind: 'data' | 'history', payload: Buffer): Promise<{ MsgId?: string; readings: number }> =>
      new Promise((done, fail) => {
        if (closing.signal.aborted || !hasRoom() || (pendingBytes && pendingBytes + payload.length > maxBytes))
          return fail(new Fault('unavailable'))
        pendingBytes += payload.length
        waiting.push(tenantOf(sn), sn, costOf(payload.length), { sn, kind, payload, done, fail })
        fillAhead()
      }),
    /** Counts and keeps what a gateway sent and nobody could hand to `accept`, as a message that was cut off for its size. */
    refuse: (sn: string, refusal: Refusal) => {
      counters.add(tenantOf(sn), refusal.reason)
      void keepRefusals([{ sn, received: clock(), decoded: { ...nothingDecoded(), refusals: [refusal], refused: 1 } }])
    },
    onStored: (listener: StoredListener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** The point is gone for good. */
    forget: (point: number) => void newestTime.delete(point),
    /** Bytes of payloads that wait for their commit. */
    pending: () => pendingBytes,
    /** Takes nothing more; resolves when everything taken is committed or, while the store is away, refused. */
    close: async () => {
      closing.abort()
      for (const { fail } of [...waiting.clear(), ...[...asking.values()].flat()]) fail(new Fault('unavailable'))
      asking.clear()
      await running
    },
  }
}
export type Ingest = ReturnType<typeof createIngest>
