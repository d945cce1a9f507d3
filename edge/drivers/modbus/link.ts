import { connect, type Socket } from 'node:net'
import { DriverFault, type FaultKind, type Frame as Traced } from '../driver.ts'
import { hearPaced } from '../paced.ts'
import { type Frame, type Framing, mbap } from './frames.ts'
import { meaningOf, replyOf } from './replies.ts'

type Waiting = { id: number; unit: number; fn: number; settle(reply: Buffer | DriverFault): void }

/**
 * A Modbus client on one socket with one request at a time. An answer must match transaction, unit and function of the request
 * ([TCP] 4.4.2.3): late and foreign answers are dropped and never taken for the next one. RTU frames have no transaction, so a
 * timeout closes the connection, which drops the late answer.
 */
export class ModbusLink {
  readonly #ip: string
  readonly #port: number
  readonly #framing: Framing
  readonly #changed: () => void
  #trace: ((frame: Traced) => void) | undefined
  #socket: Socket | undefined
  #connecting: Socket | undefined
  #received: Buffer = Buffer.alloc(0)
  #waiting: Waiting | undefined
  #id = 0

  constructor(ip: string, port: number, framing: Framing, changed: () => void = () => {}) {
    this.#ip = ip
    this.#port = port
    this.#framing = framing
    this.#changed = changed
  }

  trace(receive: ((frame: Traced) => void) | undefined) {
    this.#trace = receive
  }

  get connected() {
    return this.#socket !== undefined
  }

  /** Resolves when connected. Throws DriverFault `down` after the timeout. */
  connect(timeoutMs: number): Promise<void> {
    this.close()
    return new Promise((resolve, reject) => {
      const socket = connect({ host: this.#ip, port: this.#port, noDelay: true, keepAlive: true })
      this.#connecting = socket
      const fail = (why: string) => {
        clearTimeout(timer)
        socket.destroy()
        reject(new DriverFault('down', `${this.#ip}:${this.#port}: ${why}`))
      }
      const timer = setTimeout(() => fail(`no connection within ${timeoutMs} ms`), timeoutMs)
      socket.once('error', (error) => fail(error.message))
      socket.once('connect', () => {
        clearTimeout(timer)
        socket.removeAllListeners('error')
        this.#connecting = undefined
        socket.on('error', () => socket.destroy())
        hearPaced(socket, (bytes) => this.#receive(socket, bytes))
        socket.on('close', () => {
          if (socket !== this.#socket) return
          this.#lost(socket, 'down', 'the device closed the connection')
          this.#changed()
        })
        this.#socket = socket
        resolve()
      })
    })
  }

  /** Sends a request; returns the reply PDU with a matching function ([APP] 4.1). Throws DriverFault: silent, refused, address, garbled, down. */
  request(unit: number, pdu: Buffer, timeoutMs: number): Promise<Buffer> {
    const socket = this.#socket
    if (!socket) return Promise.reject(new DriverFault('down', 'not connected'))
    if (this.#waiting) return Promise.reject(new Error('one request at a time'))
    this.#id = (this.#id + 1) & 0xffff
    const id = this.#id
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting?.settle(new DriverFault('silent', `unit ${unit} did not answer within ${timeoutMs} ms`))
        if (this.#framing !== mbap) this.close()
      }, timeoutMs)
      const settle = (reply: Buffer | DriverFault) => {
        clearTimeout(timer)
        this.#waiting = undefined
        if (reply instanceof DriverFault) reject(reply)
        else resolve(reply)
      }
      this.#waiting = { id, unit, fn: pdu[0]!, settle }
      const frame = this.#framing.wrap(unit, pdu, id)
      this.#trace?.({ isSent: true, bytes: frame, meaning: meaningOf(unit, pdu) })
      socket.write(frame)
    })
  }

  close() {
    this.#connecting?.destroy(new Error('closed'))
    this.#connecting = undefined
    if (this.#socket) this.#lost(this.#socket, 'down', 'closed')
  }

  #lost(socket: Socket, kind: FaultKind, why: string) {
    socket.destroy()
    if (this.#socket !== socket) return
    this.#socket = undefined
    this.#received = Buffer.alloc(0)
    this.#waiting?.settle(new DriverFault(kind, why))
  }

  #receive(socket: Socket, bytes: Buffer) {
    if (socket !== this.#socket) return
    this.#received = this.#received.length ? Buffer.concat([this.#received, bytes]) : bytes
    try {
      for (let frame = this.#framing.take(this.#received); frame; frame = this.#framing.take(this.#received)) {
        this.#trace?.({ isSent: false, bytes: this.#received.subarray(0, frame.length), meaning: meaningOf(frame.unit, frame.pdu) })
        this.#received = this.#received.subarray(frame.length)
        this.#answer(frame)
      }
    } catch (error) {
      this.#lost(socket, 'garbled', (error as Error).message)
    }
  }

  #answer({ id, unit, pdu }: Frame) {
    const asked = this.#waiting
    if (!asked || (id !== null && id !== asked.id)) return
    asked.settle(replyOf({ unit, pdu }, asked))
  }
}
