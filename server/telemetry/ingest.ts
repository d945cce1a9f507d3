import type { Rejection } from '../../contract/telemetry.ts'
import { Fault } from '../http/faults.ts'
import { type Batch, type CommitOptions, Committer, type StoredListener, type Taken } from './commit.ts'
import { type Decoded, decode, nothingDecoded, type Refusal, refuseWhole } from './decode.ts'
import { createFairQueue } from './fairQueue.ts'
import { createParsedReader, type ParsedMessage } from './parsed.ts'
import type { PointRegistry, Stored } from './sample.ts'
import { scatteredMonths } from './spread.ts'

export type IngestOptions = CommitOptions & {
  registry: PointRegistry
  /** Epoch ms. */
  clock: () => number
  /** False = the disk budget is used up: readings are refused, so that gateways keep them. */
  hasRoom?: () => boolean
  /** Bytes of payloads in memory that wait for their commit. */
  maxBytes?: number
  /** Time of the newest reading of a point, epoch ms. */
  newestOf?: (point: number) => number | undefined
  /** Readings of one commit, where a message counts as ten. The next batch is decoded during the commit. */
  batchSize?: number
}

type Message = {
  sn: string
  kind: 'data' | 'history'
  payload: Buffer
  /** Parsed content of a foreign sender's message, used instead of the payload. */
  parsed?: ParsedMessage
  /** Nothing of it is taken. */
  refused?: Rejection | undefined
  /** Its points were looked up. */
  isAsked?: true
  done: (answer: { MsgId?: string; readings: number }) => void
  fail: (error: Error) => void
}
/** Bytes that a reading costs, and a message beside its readings, as measured (docs/performance.md). */
const [readingCost, messageCost] = [16, 256]
/** What a gateway may cost in one turn: some ten small messages, a thousand readings. */
const quantum = 16 * 1024
/** More readings in one commit would hold up the process: filling takes about a microsecond a row, an acknowledgement ten. */
const [readingsAtOnce, messageSize] = [25_000, 10]
/** A refusal that becomes a row of SQLite: some 6 microseconds with its deletion. It weighs more, as writing its log comes on top. */
const [refusalSize, refusalCost] = [15, 15 * readingCost]
/**
 * A month over which the readings of a message are scattered, as readings: of a batch, which is stored in one go, and of the sender's rate.
 * A message of 323 months takes ClickHouse a second.
 */
const [monthSize, monthReadings] = [400, 100_000]
const costOf = (bytes: number, readings = 0) => messageCost + Math.max(bytes, readings * readingCost)

/**
 * From message to commit. Tenants and gateways take turns in a fair queue, before their messages are decoded. While one commit is
 * under way the next batch gathers (group commit). A stalled store is retried with the same batch until it works or ingest closes;
 * `accept` waits for it, which holds gateways back.
 */
export class Ingest {
  readonly #options: IngestOptions
  readonly #registry: PointRegistry
  readonly #clock: () => number
  readonly #hasRoom: () => boolean
  readonly #maxBytes: number
  readonly #batchSize: number
  readonly #committer: Committer
  readonly #readParsed: ReturnType<typeof createParsedReader>
  readonly #waiting = createFairQueue<Message>(quantum)
  #gathering: Taken[] = []
  #gatheredSize = 0
  /** Messages of gateways whose points are being looked up, in the order of arrival. */
  readonly #asking = new Map<string, Message[]>()
  #pendingBytes = 0
  #running: Promise<void> | undefined
  readonly #closing = new AbortController()

  constructor(options: IngestOptions) {
    const { registry, clock, hasRoom = () => true, maxBytes = 64 * 1024 * 1024, batchSize = readingsAtOnce } = options
    this.#options = options
    this.#registry = registry
    this.#clock = clock
    this.#hasRoom = hasRoom
    this.#maxBytes = maxBytes
    this.#batchSize = batchSize
    this.#readParsed = createParsedReader(registry, options.newestOf)
    this.#committer = new Committer({ ...options, tenantOf: (sn) => this.#tenantOf(sn) }, this.#closing)
  }

  #tenantOf(sn: string) {
    return this.#registry.enterpriseOf?.(sn) ?? this.#registry.ofGateway(sn)[0]?.EnterpriseId ?? 0
  }
  #gather({ sn, payload, done, fail }: Message, decoded: Decoded, received: number) {
    const readings = decoded.samples.length + decoded.liveOnly.length + decoded.refused + (decoded.unmatched ?? 0)
    const rows = decoded.refusals.length
    const months = scatteredMonths(decoded.samples)
    const size = readings + months * monthSize
    const more = costOf(payload.length, size) - costOf(payload.length) + rows * refusalCost
    if (more) this.#waiting.charge(this.#tenantOf(sn), sn, more)
    this.#gatheredSize += messageSize + size + rows * refusalSize
    const counted = { readings: readings + months * monthReadings }
    const answer = decoded.MsgId === undefined ? counted : { MsgId: decoded.MsgId, ...counted }
    this.#gathering.push({ sn, bytes: payload.length, received, decoded, done: () => done(answer), fail })
    this.#running ??= this.#pump()
  }
  #decode({ sn, kind, payload, parsed, refused }: Message, received: number) {
    if (refused) return refuseWhole(refused, kind, payload)
    return parsed ? this.#readParsed(sn, parsed, received) : decode(sn, kind, payload, this.#registry, received)
  }
  /** In the order of arrival: a point's readings never overtake each other. */
  #read(message: Message) {
    const { sn } = message
    const behind = this.#asking.get(sn)
    if (behind) return void behind.push(message)
    const received = this.#clock()
    const decoded = this.#decode(message, received)
    const found = !message.isAsked && decoded.unknown.length ? this.#registry.find?.(sn, decoded.unknown) : undefined
    if (!found) return this.#gather(message, decoded, received)
    const queue = [message]
    this.#asking.set(sn, queue)
    const goOn = () => {
      if (this.#asking.get(sn) !== queue) return
      this.#asking.delete(sn)
      message.isAsked = true
      // In turns with others: a gateway may have many that wait, and a batch has a bound.
      this.#waiting.pushBack(
        this.#tenantOf(sn),
        sn,
        queue.map((item) => ({ item, cost: costOf(item.payload.length) })),
      )
      this.#fillAhead()
    }
    found.then(goOn, goOn)
  }
  /** Decodes what is next in the queue until the batch has this size. */
  #fill(size: number) {
    while (this.#gatheredSize < size) {
      const message = this.#waiting.shift()
      if (!message) return
      this.#read(message)
    }
  }
  /** Keeps some room in a batch until its commit, so that small late messages need not wait for the next one. */
  #fillAhead() {
    this.#fill(this.#batchSize * 0.75)
  }

  async #pump() {
    while (this.#gathering.length) {
      // What else has arrived, also while the last batch was acknowledged, comes along: sockets are read between the two.
      await new Promise(setImmediate)
      await new Promise(setImmediate)
      this.#fill(this.#batchSize)
      const batch = this.#gathering
      this.#gathering = []
      this.#gatheredSize = 0
      const committed = this.#committer.commit(batch)
      this.#fillAhead()
      await committed
      for (const { bytes } of batch) this.#pendingBytes -= bytes
    }
    this.#running = undefined
  }

  /**
   * Takes a message; resolves when its readings are on disk (findings 9), rejected ones kept. `readings` is what counts for the sender's
   * rate, more than there are where they are scattered over months. Fails with Fault `unavailable`
   * when it cannot promise that: the message must not be acknowledged then. `refused`: nothing of it is stored, and it is kept with this
   * reason in its turn, so that a flood of such messages holds up nobody either.
   */
  accept(sn: string, kind: 'data' | 'history', payload: Buffer, refused?: Rejection): Promise<{ MsgId?: string; readings: number }> {
    return this.#take({ sn, kind, payload, refused })
  }
  /** The same for a message of a foreign sender, which is parsed already; `payload` counts for its share. */
  acceptParsed(sn: string, payload: Buffer, parsed: ParsedMessage): Promise<{ readings: number }> {
    return this.#take({ sn, kind: 'data', payload, parsed })
  }
  #take(message: Omit<Message, 'done' | 'fail'>): Promise<{ MsgId?: string; readings: number }> {
    const { sn, payload } = message
    return new Promise((done, fail) => {
      if (this.#closing.signal.aborted || !this.#hasRoom() || (this.#pendingBytes && this.#pendingBytes + payload.length > this.#maxBytes))
        return fail(new Fault('unavailable'))
      this.#pendingBytes += payload.length
      this.#waiting.push(this.#tenantOf(sn), sn, costOf(payload.length), { ...message, done, fail })
      this.#fillAhead()
    })
  }
  /** Counts and keeps input that cannot go to `accept`, such as a message that was cut off because of its size. */
  refuse(sn: string, refusal: Refusal) {
    this.#options.counters.add(this.#tenantOf(sn), refusal.reason)
    const decoded = { ...nothingDecoded(), refusals: [refusal], refused: 1 }
    void this.#committer.keepRefusals([{ sn, received: this.#clock(), decoded }])
  }
  onStored(listener: StoredListener) {
    return this.#committer.onStored(listener)
  }
  /** Delivers live readings that another process has stored. */
  tell(live: readonly Stored[], batch: Batch) {
    this.#committer.tell(live, batch)
  }
  /** The point is gone for good. */
  forget(point: number) {
    this.#committer.forget(point)
  }
  /** Bytes of payloads that wait for their commit. */
  pending() {
    return this.#pendingBytes
  }
  /** Refuses what is not decoded yet: another process has it now. */
  dropWaiting() {
    for (const { fail, payload } of this.#waiting.clear()) {
      this.#pendingBytes -= payload.length
      fail(new Fault('unavailable'))
    }
  }
  /** Takes nothing more; resolves when everything taken is committed or, while the store is away, refused. */
  async close() {
    this.#closing.abort()
    for (const { fail } of [...this.#waiting.clear(), ...[...this.#asking.values()].flat()]) fail(new Fault('unavailable'))
    this.#asking.clear()
    await this.#running
  }
}
