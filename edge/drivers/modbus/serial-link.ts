import { DriverFault, type Frame as Traced } from '../driver.ts'
import { openSerial, type SerialLine, type Setting } from '../serial.ts'
import type { Framing } from './frames.ts'
import { meaningOf, replyOf } from './replies.ts'

type Waiting = { unit: number; fn: number; sent: Buffer; settle(reply: Buffer | DriverFault): void }

/** ms of silence after garbage, when the line is taken to be quiet again. */
const quietMs = 50

/**
 * A Modbus client on a serial line, with one question at a time. RTU and ASCII frames carry no transaction: after a question without an
 * answer the line is heard for as long again, so that a late answer is never taken for the next.
 */
export class SerialLink {
  readonly #setting: Setting
  readonly #framing: Framing
  readonly #changed: () => void
  #line: SerialLine | undefined
  #received: Buffer = Buffer.alloc(0)
  #waiting: Waiting | undefined
  #lastByte = 0
  /** The adapter repeats what we send. */
  #echoes = false
  #trace: ((frame: Traced) => void) | undefined

  constructor(setting: Setting, framing: Framing, changed: () => void) {
    this.#setting = setting
    this.#framing = framing
    this.#changed = changed
  }

  get connected() {
    return this.#line !== undefined
  }

  trace(receive: ((frame: Traced) => void) | undefined) {
    this.#trace = receive
  }

  /** A port opens at once, or not. */
  async connect(_timeoutMs: number) {
    this.close()
    this.#line = await openSerial(this.#setting, {
      received: (bytes) => this.#receive(bytes),
      lost: (why) => {
        this.#line = undefined
        this.#waiting?.settle(new DriverFault('down', why))
        this.#changed()
      },
    })
  }

  /** Sends a request and returns the PDU of the reply. @throws DriverFault silent, refused, address, garbled, down */
  request(unit: number, pdu: Buffer, timeoutMs: number): Promise<Buffer> {
    const line = this.#line
    if (!line) return Promise.reject(new DriverFault('down', 'not connected'))
    return new Promise((resolve, reject) => {
      line
        .alone(async () => {
          try {
            resolve(await this.#ask(line, unit, pdu, timeoutMs))
          } catch (error) {
            reject(error)
            // The line is not free for others before what may still come has come.
            if (error instanceof DriverFault && error.kind === 'silent') await this.#hearOut(timeoutMs)
            if (error instanceof DriverFault && error.kind === 'garbled') await this.#hearOut(0)
          }
        })
        .catch(reject)
    })
  }

  close() {
    const line = this.#line
    this.#line = undefined
    this.#waiting?.settle(new DriverFault('down', 'closed'))
    line?.close()
  }

  #ask(line: SerialLine, unit: number, pdu: Buffer, timeoutMs: number): Promise<Buffer> {
    if (this.#line !== line) return Promise.reject(new DriverFault('down', 'the port was closed'))
    this.#received = Buffer.alloc(0)
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => this.#waiting?.settle(new DriverFault('silent', `unit ${unit} did not answer within ${timeoutMs} ms`)),
        timeoutMs,
      )
      const settle = (reply: Buffer | DriverFault) => {
        clearTimeout(timer)
        this.#waiting = undefined
        if (reply instanceof DriverFault) reject(reply)
        else resolve(reply)
      }
      const sent = this.#framing.wrap(unit, pdu, 0)
      this.#waiting = { unit, fn: pdu[0]!, sent, settle }
      this.#trace?.({ isSent: true, bytes: sent, meaning: meaningOf(unit, pdu) })
      line.write(sent)
    })
  }

  async #hearOut(ms: number) {
    const end = performance.now() + ms
    const rest = () => Math.max(end, this.#lastByte + quietMs) - performance.now()
    while (this.#line && rest() > 0) await new Promise((resolve) => setTimeout(resolve, Math.min(rest(), quietMs)))
  }

  #receive(bytes: Buffer) {
    this.#lastByte = performance.now()
    const asked = this.#waiting
    // What comes without a question is late, or nobody's.
    if (!asked) return
    this.#received = this.#received.length ? Buffer.concat([this.#received, bytes]) : bytes
    if (!this.#withoutEcho(asked)) return
    try {
      const frame = this.#framing.take(this.#received)
      if (!frame) return
      this.#trace?.({ isSent: false, bytes: this.#received.subarray(0, frame.length), meaning: meaningOf(frame.unit, frame.pdu) })
      asked.settle(replyOf(frame, asked))
    } catch (error) {
      asked.settle(new DriverFault('garbled', (error as Error).message))
    }
  }

  /** Some adapters repeat what we send. A read shows that, since its answer is another frame; a write is confirmed by the same one. */
  #withoutEcho({ sent, fn }: Waiting): boolean {
    const isRead = fn <= 4
    if (!isRead && !this.#echoes) return true
    const start = this.#received.subarray(0, sent.length)
    if (!sent.subarray(0, start.length).equals(start)) return true
    if (start.length < sent.length) return false
    this.#echoes = true
    this.#received = this.#received.subarray(sent.length)
    return this.#received.length > 0
  }
}
