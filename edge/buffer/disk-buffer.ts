import { Worker } from 'node:worker_threads'
import type { Change, Chunk, Stats } from './queue.ts'
import type { Request } from './worker.ts'

type Call = Request extends infer R ? (R extends unknown ? Omit<R, 'id'> : never) : never

/** Maximum bytes of readings that wait for the disk. If the disk is too slow, the newest are refused and counted. */
const maxWaitingBytes = 32 * 1024 * 1024

/**
 * The queue in its worker thread, with group commit: changes during a commit are batched into the next one. Order is preserved, so a
 * removal after an append takes effect.
 */
export class DiskBuffer {
  readonly #worker: Worker
  readonly #waiting = new Map<number, { resolve(answer: unknown): void; reject(error: Error): void }>()
  #id = 0
  #changes: Change[] = []
  #waitingBytes = 0
  #refused = 0
  #batch: Promise<void> | undefined
  #tail: Promise<void> = Promise.resolve()
  #failure: Error | undefined
  #last: Stats = { readings: 0, bytes: 0, dropped: 0, isFull: false, damaged: 0 }
  readonly #onFull: (stats: Stats) => void
  readonly #onDamaged: (stats: Stats) => void

  private constructor(file: string, maxBytes: number, onFull: (stats: Stats) => void, onDamaged: (stats: Stats) => void) {
    this.#onFull = onFull
    this.#onDamaged = onDamaged
    this.#worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: { file, maxBytes } })
    this.#worker.on('message', ({ id, answer }: { id: number; answer: unknown }) => {
      this.#waiting.get(id)?.resolve(answer)
      this.#waiting.delete(id)
    })
    const fail = (error: Error) => {
      this.#failure ??= error
      for (const waiting of this.#waiting.values()) waiting.reject(error)
      this.#waiting.clear()
    }
    this.#worker.on('error', fail)
    this.#worker.on('exit', () => fail(new Error('the buffer is closed')))
  }

  /** Throws if another process has the file open. */
  static async open(file: string, maxBytes: number, onFull: (stats: Stats) => void, onDamaged: (stats: Stats) => void = () => {}) {
    const buffer = new DiskBuffer(file, maxBytes, onFull, onDamaged)
    buffer.#last = (await buffer.#call({ call: 'stats' })) as Stats
    return buffer
  }

  get stats(): Stats {
    return { ...this.#last, dropped: this.#last.dropped + this.#refused }
  }

  /** Resolves when the change is on disk. */
  change(change: Change): Promise<void> {
    const bytes = change.do === 'append' ? change.Items.length : 0
    if (this.#waitingBytes + bytes > maxWaitingBytes && change.do === 'append') {
      this.#refused += change.Count
      this.#onFull(this.stats)
      return Promise.resolve()
    }
    this.#waitingBytes += bytes
    this.#changes.push(change)
    if (!this.#batch) {
      this.#batch = this.#tail.then(() => this.#commit())
      this.#tail = this.#batch.catch(() => {})
    }
    return this.#batch
  }

  async chunk(afterSeq: number, maxBytes: number): Promise<Chunk> {
    const { stats, ...chunk } = (await this.#call({ call: 'chunk', afterSeq, maxBytes })) as Chunk & { stats: Stats }
    const isNew = stats.damaged > this.#last.damaged
    this.#last = stats
    if (isNew) this.#onDamaged(this.stats)
    return chunk
  }

  /** Maximum bytes of readings. The next change drops the excess. */
  async setLimit(maxBytes: number) {
    await this.#call({ call: 'limit', maxBytes })
  }

  commands() {
    return this.#call({ call: 'commands' }) as Promise<{ MsgId: string; Reply: string | null }[]>
  }

  async close() {
    await this.#tail
    await this.#call({ call: 'close' })
    await this.#worker.terminate()
  }

  async #commit() {
    // Waits one turn of the event loop, to commit simultaneous changes together.
    await new Promise((resolve) => setImmediate(resolve))
    this.#batch = undefined
    const changes = this.#changes.splice(0)
    this.#last = (await this.#call({ call: 'apply', changes })) as Stats
    for (const c of changes) if (c.do === 'append') this.#waitingBytes -= c.Items.length
    if (this.#last.isFull) this.#onFull(this.stats)
  }

  #call(call: Call): Promise<unknown> {
    if (this.#failure) return Promise.reject(this.#failure)
    const id = ++this.#id
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#worker.postMessage({ ...call, id })
    })
  }
}
