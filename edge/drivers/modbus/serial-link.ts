import type { Frame as Traced } from '../driver.ts'
import type { OpenLine } from '../lines.ts'
import { Questions } from '../questions.ts'
import type { Framing } from './frames.ts'
import { meaningOf, replyOf } from './replies.ts'

/** A Modbus client on a shared line: a serial port, or a connection that a device opened. */
export class SerialLink {
  readonly #line: Questions
  readonly #framing: Framing
  /** Whether the adapter echoes our bytes. */
  #echoes = false

  constructor(open: OpenLine, framing: Framing, changed: () => void) {
    this.#line = new Questions(open, changed)
    this.#framing = framing
  }

  get connected() {
    return this.#line.connected
  }

  trace(receive: ((frame: Traced) => void) | undefined) {
    this.#line.trace(receive)
  }

  /** A port opens immediately or fails. */
  connect(_timeoutMs: number) {
    return this.#line.connect()
  }

  /** Sends a request and returns the PDU of the reply. @throws DriverFault silent, refused, address, garbled, down */
  request(unit: number, pdu: Buffer, timeoutMs: number): Promise<Buffer> {
    const [bytes, fn] = [this.#framing.wrap(unit, pdu, 0), pdu[0]!]
    return this.#line.ask({
      ...{ bytes, timeoutMs, meaning: meaningOf(unit, pdu), who: `unit ${unit}` },
      take: (received) => {
        const own = this.#withoutEcho(bytes, fn, received)
        const frame = own?.length ? this.#framing.take(own) : undefined
        if (!own || !frame) return undefined
        return { answer: replyOf(frame, { unit, fn }), frame: own.subarray(0, frame.length), meaning: meaningOf(frame.unit, frame.pdu) }
      },
    })
  }

  close() {
    this.#line.close()
  }

  /** Some adapters echo our bytes. A read reveals that, since its answer differs from the request; the answer to a write is identical. */
  #withoutEcho(sent: Buffer, fn: number, received: Buffer): Buffer | undefined {
    const isRead = fn <= 4
    if (!isRead && !this.#echoes) return received
    const start = received.subarray(0, sent.length)
    if (!sent.subarray(0, start.length).equals(start)) return received
    if (start.length < sent.length) return undefined
    this.#echoes = true
    return received.subarray(sent.length)
  }
}
