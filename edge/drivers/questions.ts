import { DriverFault, type Frame } from './driver.ts'
import type { OpenLine } from './lines.ts'
import type { SharedLine } from './serial.ts'

/** A request, and how to recognise its answer. */
export type Question<T> = {
  bytes: Buffer
  /** The request with secrets masked, for a trace. */
  shown?: Buffer
  meaning: string
  timeoutMs: number
  /** Silence that ends an answer without an end mark, ms: `take` is then called again. */
  quietMs?: number
  /** Name of the device in the fault. */
  who: string
  /** The answer or refusal; undefined while more bytes are needed. @throws Error if it is not an answer */
  take(received: Buffer, isQuiet?: boolean): { answer: T | DriverFault; frame: Buffer; meaning: string } | undefined
}

type Waiting = Pick<Question<unknown>, 'take' | 'quietMs'> & { quiet?: NodeJS.Timeout; settle(answer: unknown): void }

/** Silence after garbage that ends the wait, ms. */
const quietMs = 50
/** Maximum wait for silence, ms: a device may send garbage without end. */
const longestNoiseMs = 1000
/** Most bytes received without a valid answer. */
const mostBytes = 4096
/** Maximum bytes of garbage in a trace. */
const shownGarbage = 300

/**
 * One request at a time on a line whose frames have no number. After a timeout it listens for the same time again,
 * so that a late answer is not taken for the next one.
 */
export class Questions {
  readonly #open: OpenLine
  readonly #changed: () => void
  #line: SharedLine | undefined
  #opening: { close(): void } | undefined
  #received: Buffer = Buffer.alloc(0)
  #waiting: Waiting | undefined
  #lastByte = 0
  #unasked: ((bytes: Buffer) => void) | undefined
  #trace: ((frame: Frame) => void) | undefined

  constructor(open: OpenLine, changed: () => void) {
    this.#open = open
    this.#changed = changed
  }

  get connected() {
    return this.#line !== undefined
  }

  trace(receive: ((frame: Frame) => void) | undefined) {
    this.#trace = receive
  }

  /** Receives data that arrives while no request is pending. */
  hear(receive: (bytes: Buffer) => void) {
    this.#unasked = receive
  }

  /** Sends a message without an answer. */
  async say(bytes: Buffer, meaning: string) {
    const line = this.#line
    await line?.alone(async () => {
      if (this.#line !== line) return
      this.#trace?.({ isSent: true, bytes, meaning })
      line.write(bytes)
    })
  }

  async connect() {
    this.close()
    const user = {
      received: (bytes: Buffer) => this.#receive(bytes),
      lost: (why: string) => {
        this.#line = undefined
        this.#waiting?.settle(new DriverFault('down', why))
        this.#changed()
      },
    }
    this.#line = await this.#open(user, (line) => {
      this.#opening = line
    })
  }

  /** @throws DriverFault silent, refused, address, garbled, down */
  ask<T>(question: Question<T>): Promise<T> {
    const line = this.#line
    if (!line) return Promise.reject(new DriverFault('down', 'not connected'))
    return new Promise((resolve, reject) => {
      line
        .alone(async () => {
          try {
            resolve(await this.#ask(line, question))
          } catch (error) {
            reject(error)
            // The line stays reserved until a late answer can no longer arrive.
            if (error instanceof DriverFault && error.kind === 'silent') await this.#hearOut(question.timeoutMs)
            if (error instanceof DriverFault && error.kind === 'garbled') await this.#hearOut(0)
          }
        })
        .catch(reject)
    })
  }

  close() {
    this.#opening?.close()
    this.#opening = undefined
    const line = this.#line
    this.#line = undefined
    this.#waiting?.settle(new DriverFault('down', 'closed'))
    line?.close()
  }

  #ask<T>(line: SharedLine, { bytes, shown = bytes, meaning, timeoutMs, who, quietMs, take }: Question<T>): Promise<T> {
    if (this.#line !== line) return Promise.reject(new DriverFault('down', 'the line was closed'))
    this.#received = Buffer.alloc(0)
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => this.#waiting?.settle(new DriverFault('silent', `${who} did not answer within ${timeoutMs} ms`)),
        timeoutMs,
      )
      const settle = (answer: unknown) => {
        clearTimeout(timer)
        clearTimeout(this.#waiting?.quiet)
        this.#waiting = undefined
        if (answer instanceof DriverFault) reject(answer)
        else resolve(answer as T)
      }
      this.#waiting = { take, settle, ...(quietMs === undefined ? {} : { quietMs }) }
      this.#trace?.({ isSent: true, bytes: shown, meaning })
      line.write(bytes)
    })
  }

  async #hearOut(ms: number) {
    const end = performance.now() + ms
    const rest = () => Math.min(end + longestNoiseMs, Math.max(end, this.#lastByte + quietMs)) - performance.now()
    while (this.#line && rest() > 0) await new Promise((resolve) => setTimeout(resolve, Math.min(rest(), quietMs)))
  }

  #receive(bytes: Buffer) {
    this.#lastByte = performance.now()
    const asked = this.#waiting
    // Bytes without a pending request are late or unsolicited.
    if (!asked) {
      this.#trace?.({ isSent: false, bytes: bytes.subarray(0, shownGarbage), meaning: 'nobody asked' })
      return this.#unasked?.(bytes)
    }
    this.#received = this.#received.length ? Buffer.concat([this.#received, bytes]) : bytes
    this.#take(asked, false)
    if (this.#waiting !== asked || asked.quietMs === undefined) return
    clearTimeout(asked.quiet)
    asked.quiet = setTimeout(() => this.#take(asked, true), asked.quietMs)
  }

  #take(asked: Waiting, isQuiet: boolean) {
    try {
      // A flood brings far more bytes at once: a search of all of them would delay the other channels.
      const taken = asked.take(this.#received.subarray(0, mostBytes), isQuiet)
      if (taken) {
        this.#trace?.({ isSent: false, bytes: taken.frame, meaning: taken.meaning })
        asked.settle(taken.answer)
      } else if (this.#received.length >= mostBytes) throw new Error('bytes without an answer')
    } catch (error) {
      const why = (error as Error).message
      this.#trace?.({ isSent: false, bytes: this.#received.subarray(0, shownGarbage), meaning: `no answer: ${why}` })
      asked.settle(new DriverFault('garbled', why))
    }
  }
}
