import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../http/faults.ts'
import type { Counters } from './counters.ts'
import { type Decoded, decode, type Refusal } from './decode.ts'
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
  /** Bytes of payloads in memory that wait for their commit; four times as many may wait for room. */
  maxBytes?: number
}

type Message = {
  sn: string
  kind: 'data' | 'history'
  payload: Buffer
  done: (answer: { MsgId?: string }) => void
  fail: (error: Error) => void
}
type Taken = { sn: string; bytes: number; received: number; decoded: Decoded; done: () => void; fail: (error: Error) => void }

/** Points of a message that are not known here. */
const unknownIn = ({ refusals }: Decoded) => refusals.filter((r) => r.reason === 'unknownPoint').map((r) => Number(r.detail))

/** More in one commit would hold up the process: filling takes about a microsecond a row. */
const rowsAtOnce = 50_000
const [firstRetryMs, lastRetryMs] = [500, 10_000]
const ownerMs = 50

/**
 * From message to commit. While one commit is under way the next batch gathers (group commit). A stalled store is retried with
 * the same batch until it works or ingest closes; meanwhile `accept` waits, which holds gateways back.
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
  maxBytes = 8 * 1024 * 1024,
}: IngestOptions) => {
  const newestTime = new Map([...newest].map(([point, time]) => [point, { time }]))
  const listeners = new Set<StoredListener>()
  const waiting: Message[] = []
  const gathering: Taken[] = []
  /** Messages of gateways whose points are being looked up, in the order of arrival. */
  const asking = new Map<string, Message[]>()
  let held = 0
  let waitingBytes = 0
  let running: Promise<void> | undefined
  const closing = new AbortController()

  // A message larger than the whole allowance goes through alone.
  const fits = (bytes: number) => held === 0 || held + bytes <= maxBytes
  const gather = ({ sn, payload, done, fail }: Message, decoded: Decoded, received: number) => {
    const answer = decoded.MsgId === undefined ? {} : { MsgId: decoded.MsgId }
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
    const unknown = isFirst && decoded.refusals.length ? unknownIn(decoded) : []
    const found = unknown.length ? registry.find?.(sn, unknown) : undefined
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
  const take = (message: Message) => {
    held += message.payload.length
    read(message)
  }

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

  const tenantOf = (sn: string) => registry.enterpriseOf?.(sn) ?? registry.ofGateway(sn)[0]?.EnterpriseId ?? 0

  const count = (messages: readonly Taken[], replaced: ReadonlySet<number>) => {
    let at = 0
    for (const { sn, decoded } of messages) {
      const tenant = tenantOf(sn)
      let again = 0
      for (const end = at + decoded.samples.length; at < end; at++) if (replaced.has(at)) again++
      if (again) counters.add(tenant, 'replaced', again)
      if (decoded.samples.length > again) counters.add(tenant, 'stored', decoded.samples.length - again)
      if (decoded.liveOnly.length) counters.add(tenant, 'liveOnly', decoded.liveOnly.length)
      for (const { reason } of decoded.refusals) counters.add(tenant, reason)
    }
  }

  const keepRefusals = (messages: readonly Pick<Taken, 'sn' | 'received' | 'decoded'>[]) => {
    const rows = messages.flatMap(({ sn, received, decoded }) =>
      decoded.refusals.map((refusal) => ({ EnterpriseId: tenantOf(sn), SN: sn, received, ...refusal })),
    )
    if (!rows.length) return
    try {
      rejected.add(rows)
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
      keepRefusals(messages)
      tell(messages, { first, last: first + rows.length - 1 })
      for (const { done } of messages) done()
    } catch (error) {
      for (const { fail } of messages) fail(error as Error)
    }
  }

  const nextBatch = () => {
    let [rows, count] = [0, 0]
    while (count < gathering.length && rows < rowsAtOnce) rows += gathering[count++]!.decoded.samples.length
    return gathering.splice(0, count)
  }

  const pump = async () => {
    while (gathering.length) {
      // What else has arrived in this turn comes along.
      await new Promise(setImmediate)
      const messages = nextBatch()
      await commit(messages)
      for (const { bytes } of messages) held -= bytes
      while (waiting.length && fits(waiting[0]!.payload.length)) {
        const next = waiting.shift()!
        waitingBytes -= next.payload.length
        take(next)
      }
    }
    running = undefined
  }

  return {
    /**
     * Takes a message; resolves when its readings are on disk (findings 9), rejected ones kept. Fails with Fault `unavailable`
     * when it cannot promise that: the message must not be acknowledged then.
     */
    accept: (sn: string, kind: 'data' | 'history', payload: Buffer): Promise<{ MsgId?: string }> =>
      new Promise((done, fail) => {
        const message = { sn, kind, payload, done, fail }
        if (closing.signal.aborted || !hasRoom()) fail(new Fault('unavailable'))
        else if (waiting.length === 0 && fits(payload.length)) take(message)
        else if (waitingBytes + payload.length > 4 * maxBytes) fail(new Fault('unavailable'))
        else {
          waiting.push(message)
          waitingBytes += payload.length
        }
      }),
    /** Counts and keeps what a gateway sent and nobody could hand to `accept`, as a message that was cut off for its size. */
    refuse: (sn: string, refusal: Refusal) => {
      counters.add(tenantOf(sn), refusal.reason)
      keepRefusals([{ sn, received: clock(), decoded: { samples: [], liveOnly: [], refusals: [refusal] } }])
    },
    onStored: (listener: StoredListener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** The point is gone for good. */
    forget: (point: number) => void newestTime.delete(point),
    /** Bytes of payloads that wait for their commit. */
    pending: () => held,
    /** Takes nothing more; resolves when everything taken is committed or, while the store is away, refused. */
    close: async () => {
      closing.abort()
      for (const { fail } of [...waiting.splice(0), ...[...asking.values()].flat()]) fail(new Fault('unavailable'))
      asking.clear()
      await running
    },
  }
}
export type Ingest = ReturnType<typeof createIngest>
