import { DriverFault, type Frame, type Opening } from '../driver.ts'
import { type Line, openTcp } from '../tcp.ts'
import {
  type Answer,
  connectPacket,
  Garbled,
  isConfirm,
  meaningOf,
  negotiated,
  type Packet,
  readAnswer,
  setupPacket,
  takePacket,
} from './frames.ts'

/** Timeout of the connection and its negotiation, ms. */
const connectTimeoutMs = 3000

/** Maximum unexpected packets between two requests. Late answers are few. */
const mostStray = 100

type Waiting = { id: number | undefined; settle(got: Answer | undefined, fault?: DriverFault): void }
type Target = { host: string; port: number; local: number; remote: number; changed: Opening['changed'] }

/** A connection to a controller, with one request at a time. Answers to earlier requests are dropped by their number. */
export class S7Link {
  readonly #to: Target
  #line: Line | undefined
  #opening: Line | undefined
  #isReady = false
  #received: Buffer = Buffer.alloc(0)
  #payload: Buffer[] = []
  #waiting: Waiting | undefined
  #id = 0
  #stray = 0
  #trace: ((frame: Frame) => void) | undefined
  /** Negotiated PDU size, bytes. */
  pdu = 0

  constructor(to: Target) {
    this.#to = to
  }

  get connected() {
    return this.#isReady
  }

  trace(receive: ((frame: Frame) => void) | undefined) {
    this.#trace = receive
  }

  async connect() {
    this.close()
    const { host, port, local, remote } = this.#to
    const options = {
      ...{ host, port, timeoutMs: connectTimeoutMs },
      received: (bytes: Buffer) => this.#receive(bytes),
      lost: (why: string) => {
        const wasReady = this.#isReady
        this.#end(new DriverFault('down', why))
        if (wasReady) this.#to.changed()
      },
    }
    this.#line = await openTcp(options, (line) => {
      this.#opening = line
    })
    try {
      await this.#ask(() => connectPacket(local, remote), connectTimeoutMs, undefined)
      const answer = await this.ask(setupPacket, connectTimeoutMs)
      this.pdu = negotiated(answer)
      this.#isReady = true
    } catch (error) {
      this.close()
      if (error instanceof DriverFault && error.kind === 'down') throw error
      throw new DriverFault('down', `${host}:${port}: ${(error as Error).message}`)
    }
  }

  /** Sends a job and returns its answer. @throws DriverFault silent, refused, garbled, down */
  async ask(packet: (id: number) => Buffer, timeoutMs: number): Promise<Answer> {
    this.#id = (this.#id % 0xffff) + 1
    const id = this.#id
    const answer = await this.#ask(() => packet(id), timeoutMs, id)
    if (!answer) throw new DriverFault('garbled', 'a connection was confirmed instead of an answer')
    if (answer.error) throw new DriverFault('refused', `the controller answered error ${answer.error.toString(16)}`)
    return answer
  }

  /** Parses an answer. After an invalid one, the connection is no longer reliable. @throws DriverFault garbled */
  checked<T>(read: () => T): T {
    try {
      return read()
    } catch (error) {
      const fault = new DriverFault('garbled', (error as Error).message)
      this.#end(fault)
      throw fault
    }
  }

  close() {
    this.#opening?.close()
    this.#opening = undefined
    this.#end(new DriverFault('down', 'closed'))
  }

  #ask(packet: () => Buffer, timeoutMs: number, id: number | undefined): Promise<Answer | undefined> {
    const line = this.#line
    if (!line) return Promise.reject(new DriverFault('down', 'not connected'))
    if (this.#waiting) return Promise.reject(new Error('one question at a time'))
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => this.#waiting?.settle(undefined, new DriverFault('silent', `no answer within ${timeoutMs} ms`)),
        timeoutMs,
      )
      const settle: Waiting['settle'] = (got, fault) => {
        clearTimeout(timer)
        this.#waiting = undefined
        if (fault) reject(fault)
        else resolve(got)
      }
      this.#waiting = { id, settle }
      this.#stray = 0
      const bytes = packet()
      this.#trace?.({ isSent: true, bytes, meaning: meaningOf(bytes) })
      line.write(bytes)
    })
  }

  #end(fault: DriverFault) {
    this.#line?.close()
    this.#line = undefined
    this.#isReady = false
    this.#received = Buffer.alloc(0)
    this.#payload = []
    this.#waiting?.settle(undefined, fault)
  }

  #receive(bytes: Buffer) {
    this.#received = this.#received.length ? Buffer.concat([this.#received, bytes]) : bytes
    try {
      for (let packet = takePacket(this.#received); packet; packet = takePacket(this.#received)) {
        const whole = this.#received.subarray(0, packet.length)
        this.#trace?.({ isSent: false, bytes: whole, meaning: meaningOf(whole) })
        this.#received = this.#received.subarray(packet.length)
        this.#take(packet)
      }
    } catch (error) {
      if (!(error instanceof Garbled)) throw error
      const wasReady = this.#isReady
      this.#end(new DriverFault('garbled', error.message))
      if (wasReady) this.#to.changed()
    }
  }

  #take(packet: Packet) {
    if (++this.#stray > mostStray) throw new Garbled('answers that nobody asked for, without end')
    if (isConfirm(packet)) {
      if (this.#waiting?.id === undefined) this.#waiting?.settle(undefined)
      return
    }
    this.#payload.push(packet.payload)
    if (!packet.isLast) {
      if (this.#payload.length > 16) throw new Garbled('an answer without end')
      return
    }
    const answer = readAnswer(Buffer.concat(this.#payload))
    this.#payload = []
    if (answer.id === this.#waiting?.id) this.#waiting.settle(answer)
  }
}
