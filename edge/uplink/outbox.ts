import { randomUUID } from 'node:crypto'
import { maxMessageBytes } from '../../contract/gateway-protocol.ts'
import type { DiskBuffer } from '../buffer/disk-buffer.ts'
import type { Item } from '../poll/taking.ts'

export type OutboxOptions = {
  buffer: DiskBuffer
  now: () => number
  /** Sends if connected; the payload is a whole message. */
  publish(kind: 'data' | 'history', payload: string): void
  /** Acknowledgements have resumed: change-mode values that were sent as history must be sent live again. */
  onRecovered(): void
  backfillPerSecond?: number
  ackTimeoutMs?: number
}

/** Time for which readings are collected into one message, ms: a scan becomes one message. */
const gatherMs = 10
/** Leaves space for the envelope and a comma per item. */
const maxItemsBytes = maxMessageBytes - 4096
const maxHistoryBytes = 128 * 1024
/** Maximum unacknowledged messages in flight. Above it, readings are queued and sent as history. */
const maxLive = 200
const maxHistory = 10

/**
 * Readings on their way to the server. Each message goes to disk and to the server at the same time, and leaves the disk only when the
 * server confirms that it is stored (findings 9). Readings that were not sent, or not acknowledged in time, follow as history, oldest first.
 */
export class Outbox {
  readonly #o: OutboxOptions
  readonly #live = new Map<string, number>()
  readonly #history = new Map<string, { seqs: number[]; at: number }>()
  readonly #ackTimeoutMs: number
  #gathered = { cached: [] as string[], fleeting: [] as string[] }
  #counts = { cached: 0, fleeting: 0 }
  #bytes = { cached: 0, fleeting: 0 }
  #flushing: NodeJS.Timeout | undefined
  #online = false
  #stalled = false
  #cursor = 0
  #batch = 0
  #fetching = false
  readonly #expiring: NodeJS.Timeout
  #filling: NodeJS.Timeout | undefined

  constructor(options: OutboxOptions) {
    this.#o = options
    this.#ackTimeoutMs = options.ackTimeoutMs ?? 10_000
    this.setBackfillRate(options.backfillPerSecond ?? 20)
    this.#expiring = setInterval(() => this.#expire(), Math.min(1000, this.#ackTimeoutMs))
  }

  /** Sets the maximum history messages per second. */
  setBackfillRate(perSecond: number) {
    clearInterval(this.#filling)
    this.#filling = setInterval(() => void this.#backfill(), 1000 / perSecond)
  }

  add(item: Item, isCached: boolean) {
    const way = isCached ? 'cached' : 'fleeting'
    const json = JSON.stringify(item)
    if (this.#bytes[way] + json.length + 1 > maxItemsBytes) this.#send(way)
    this.#gathered[way].push(json)
    this.#bytes[way] += json.length + 1
    this.#counts[way] += Object.keys(item.V).length
    this.#flushing ??= setTimeout(() => this.#flush(), gatherMs)
  }

  online() {
    this.#online = true
    this.#cursor = 0
  }

  offline() {
    this.#online = false
    this.#stalled = false
    this.#live.clear()
    this.#history.clear()
    void this.#o.buffer.change({ do: 'demote' })
  }

  acknowledged(msgId: string) {
    const batch = this.#history.get(msgId)
    if (batch) void this.#o.buffer.change({ do: 'removeRows', Seqs: batch.seqs })
    else void this.#o.buffer.change({ do: 'remove', MsgId: msgId })
    this.#history.delete(msgId)
    this.#live.delete(msgId)
    if (!this.#stalled) return
    this.#stalled = false
    this.#o.onRecovered()
  }

  close() {
    clearInterval(this.#filling)
    clearInterval(this.#expiring)
    this.#flush()
  }

  #flush() {
    clearTimeout(this.#flushing)
    this.#flushing = undefined
    this.#send('cached')
    this.#send('fleeting')
  }

  #send(way: 'cached' | 'fleeting') {
    const items = this.#gathered[way].join(',')
    if (!items) return
    const MsgId = randomUUID()
    if (way === 'cached') {
      const isLive = this.#online && this.#live.size < maxLive
      void this.#o.buffer.change({ do: 'append', MsgId, Items: items, Count: this.#counts.cached, Live: isLive })
      if (isLive) {
        this.#live.set(MsgId, performance.now())
        this.#o.publish('data', this.#message(MsgId, items))
      }
    } else if (this.#online) this.#o.publish('data', this.#message(MsgId, items))
    this.#gathered[way] = []
    this.#bytes[way] = 0
    this.#counts[way] = 0
  }

  #message(MsgId: string, items: string, rest = '') {
    return `{"MsgId":"${MsgId}","Ts":${this.#o.now()},"Ver":1,"Data":{"Items":[${items}]${rest}}}`
  }

  /** Sends one history message, the oldest that is not in flight. */
  async #backfill() {
    if (!this.#online || this.#fetching || this.#history.size >= maxHistory || this.#o.buffer.stats.readings === 0) return
    this.#fetching = true
    try {
      const { rows, more } = await this.#o.buffer.chunk(this.#cursor, maxHistoryBytes)
      const underWay = new Set([...this.#history.values()].flatMap((b) => b.seqs))
      const fresh = rows.filter((r) => !underWay.has(r.Seq))
      // Restarts from the beginning: rows that were live when the cursor passed may be history now.
      this.#cursor = rows.at(-1)?.Seq ?? (this.#history.size ? this.#cursor : 0)
      if (!fresh.length || !this.#online) return
      const MsgId = randomUUID()
      this.#history.set(MsgId, { seqs: fresh.map((r) => r.Seq), at: performance.now() })
      const items = fresh.map((r) => r.Items).join(',')
      this.#o.publish('history', this.#message(MsgId, items, `,"Backfill":1,"Batch":${++this.#batch},"Last":${more ? 0 : 1}`))
    } catch {
      // The buffer is being closed.
    } finally {
      this.#fetching = false
    }
  }

  #expire() {
    const late = performance.now() - this.#ackTimeoutMs
    for (const [MsgId, at] of this.#live) {
      if (at > late) continue
      this.#live.delete(MsgId)
      this.#stalled = true
      void this.#o.buffer.change({ do: 'demote', MsgId })
    }
    for (const [MsgId, { at }] of this.#history) {
      if (at > late) continue
      this.#history.delete(MsgId)
      this.#stalled = true
      this.#cursor = 0
    }
  }
}
