import { DriverFault, type Frame } from '../driver.ts'
import { type Line, openTcp } from '../tcp.ts'
import { type Apdu, functions, Garbled, iFrame, meaningOf, modulo, sFrame, takeApdu, uFrame } from './frames.ts'

/** Limits of unacknowledged frames, and timeouts in ms (5.4, 9.6). */
export type Parameters = { k: number; w: number; t0: number; t1: number; t2: number; t3: number }
type Options = Parameters & { host: string; port: number; heard(asdu: Buffer): void; lost(why: string): void }

/** Connection to a station: numbered frames, acknowledgements and tests. Protocol violations close it. */
export class Iec104Link {
  readonly #o: Options
  #line: Line | undefined
  #opening: Line | undefined
  #received: Buffer = Buffer.alloc(0)
  #isStarted = false
  #starting: ((fault?: DriverFault) => void) | undefined
  /** Next sequence numbers, and the first of ours that is unacknowledged. */
  #sent = 0
  #expected = 0
  #acknowledged = 0
  /** Received frames that we have not acknowledged. */
  #owed = 0
  #queue: Buffer[] = []
  #t1: NodeJS.Timeout | undefined
  #t1Test: NodeJS.Timeout | undefined
  #t2: NodeJS.Timeout | undefined
  #t3: NodeJS.Timeout | undefined
  #trace: ((frame: Frame) => void) | undefined

  constructor(options: Options) {
    this.#o = options
  }

  get connected() {
    return this.#isStarted
  }
  trace(receive: ((frame: Frame) => void) | undefined) {
    this.#trace = receive
  }

  async connect() {
    this.close()
    const { host, port, t0, t1 } = this.#o
    const line = await openTcp(
      { host, port, timeoutMs: t0, received: (bytes) => this.#take(bytes), lost: (why) => this.#end(why) },
      (opening) => {
        this.#opening = opening
      },
    )
    this.#line = line
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => this.#end(`the start of data was not confirmed within ${t1} ms`), t1)
      this.#starting = (fault) => {
        clearTimeout(timer)
        this.#starting = undefined
        if (fault) return reject(fault)
        this.#isStarted = true
        resolve()
      }
      this.#write(uFrame(functions.startAct))
      this.#idle()
    })
  }

  /** Sends a command; queues it while too many are unacknowledged. */
  send(asdu: Buffer) {
    this.#queue.push(asdu)
    this.#sendQueued()
  }

  close() {
    this.#opening?.close()
    this.#opening = undefined
    this.#reset('closed')
  }

  #sendQueued() {
    while (this.#queue.length && this.#isStarted && this.#unacknowledged() < this.#o.k) {
      this.#write(iFrame(this.#sent, this.#expected, this.#queue.shift()!))
      this.#sent = (this.#sent + 1) % modulo
      this.#owed = 0
      clearTimeout(this.#t2)
      this.#t2 = undefined
      this.#t1 ??= setTimeout(() => this.#end(`a command was not acknowledged within ${this.#o.t1} ms`), this.#o.t1)
    }
  }
  #unacknowledged() {
    return (this.#sent - this.#acknowledged + modulo) % modulo
  }

  #write(bytes: Buffer) {
    this.#trace?.({ isSent: true, bytes, meaning: meaningOf(takeApdu(bytes)!) })
    this.#line?.write(bytes)
  }

  /** Ends the connection, and reports it unless we closed it. */
  #end(why: string) {
    const wasStarted = this.#isStarted
    this.#reset(why)
    if (wasStarted) this.#o.lost(why)
  }
  #reset(why: string) {
    for (const timer of [this.#t1, this.#t1Test, this.#t2, this.#t3]) clearTimeout(timer)
    this.#t1 = this.#t1Test = this.#t2 = this.#t3 = undefined
    this.#line?.close()
    this.#line = undefined
    this.#isStarted = false
    this.#received = Buffer.alloc(0)
    this.#queue = []
    this.#sent = this.#expected = this.#acknowledged = this.#owed = 0
    this.#starting?.(new DriverFault('down', `${this.#o.host}:${this.#o.port}: ${why}`))
  }

  /** Tests the line after a period of silence. */
  #idle() {
    const { t1, t3 } = this.#o
    clearTimeout(this.#t3)
    this.#t3 = setTimeout(() => {
      this.#write(uFrame(functions.testAct))
      this.#t1Test ??= setTimeout(() => this.#end(`a test was not confirmed within ${t1} ms`), t1)
    }, t3)
  }

  #take(bytes: Buffer) {
    this.#received = this.#received.length ? Buffer.concat([this.#received, bytes]) : bytes
    try {
      for (let apdu = takeApdu(this.#received); apdu; apdu = this.#line && takeApdu(this.#received)) {
        this.#trace?.({ isSent: false, bytes: this.#received.subarray(0, apdu.length), meaning: meaningOf(apdu) })
        this.#received = this.#received.subarray(apdu.length)
        this.#idle()
        this.#follow(apdu)
      }
    } catch (error) {
      if (!(error instanceof Garbled)) throw error
      this.#trace?.({ isSent: false, bytes: this.#received.subarray(0, 300), meaning: error.message })
      this.#end(error.message)
    }
  }

  #follow(apdu: Apdu) {
    if (apdu.kind === 'U') return this.#control(apdu.function)
    this.#acknowledge(apdu.received)
    if (apdu.kind === 'S') return
    if (apdu.sent !== this.#expected) throw new Garbled(`frame ${apdu.sent} came instead of ${this.#expected}`)
    this.#expected = (this.#expected + 1) % modulo
    this.#owed++
    if (this.#owed >= this.#o.w) this.#confirm()
    else this.#t2 ??= setTimeout(() => this.#confirm(), this.#o.t2)
    this.#o.heard(apdu.asdu)
  }
  #control(fn: number) {
    if (fn === functions.testAct) this.#write(uFrame(functions.testCon))
    if (fn === functions.startCon) this.#starting?.()
    if (fn !== functions.testCon) return
    clearTimeout(this.#t1Test)
    this.#t1Test = undefined
  }

  #confirm() {
    clearTimeout(this.#t2)
    this.#t2 = undefined
    this.#owed = 0
    this.#write(sFrame(this.#expected))
  }
  #acknowledge(received: number) {
    const count = (received - this.#acknowledged + modulo) % modulo
    if (count > this.#unacknowledged()) throw new Garbled(`frame ${received} was acknowledged before it was sent`)
    if (!count) return
    this.#acknowledged = received
    clearTimeout(this.#t1)
    this.#t1 = undefined
    if (this.#unacknowledged()) this.#t1 = setTimeout(() => this.#end(`a command was not acknowledged within ${this.#o.t1} ms`), this.#o.t1)
    this.#sendQueued()
  }
}
