import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'

const tooLong = () => Object.assign(new Error('The other end sends more than an answer.'), { code: 'EPROTO' })

/**
 * A connection to a stranger's server, which may send so many bytes, and `allow` so many more. With the first byte beyond, the connection ends
 * before anything parses it: a flood of short lines or packets costs a turn of the event loop for each 64 kB, and fills memory.
 */
export class BoundedSocket extends Duplex {
  readonly #socket: Socket
  #left: number

  constructor(socket: Socket, most: number) {
    super({ allowHalfOpen: false })
    this.#socket = socket
    this.#left = most
    for (const event of ['connect', 'timeout']) socket.on(event, () => this.emit(event))
    socket.on('data', (bytes) => this.#take(bytes))
    socket.on('end', () => this.push(null))
    socket.on('error', (error) => this.destroy(error))
    socket.on('close', () => this.destroy())
  }

  #take(bytes: Buffer) {
    this.#left -= bytes.length
    if (this.#left < 0) return void this.destroy(tooLong())
    if (!this.push(bytes)) this.#socket.pause()
  }
  allow(bytes: number) {
    this.#left += bytes
  }
  /** As of a socket that is not connected yet. */
  connect(port: number, host: string, connected: () => void) {
    this.#socket.connect(port, host, connected)
    return this
  }
  setTimeout(ms: number) {
    this.#socket.setTimeout(ms)
    return this
  }

  override _read() {
    this.#socket.resume()
  }
  override _write(bytes: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void) {
    this.#socket.write(bytes, done)
  }
  override _final(done: (error?: Error | null) => void) {
    this.#socket.end(() => done())
  }
  override _destroy(error: Error | null, done: (error?: Error | null) => void) {
    this.#socket.destroy()
    done(error)
  }
}
