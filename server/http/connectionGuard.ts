// Bounds each connection before its bytes are parsed: requests that wait for an answer, pieces of a body, bytes of strangers.
import { IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { bareAnswer, commonHeaders } from './headers.ts'

export const connectionLimits = {
  /** Requests of one connection that have no answer yet. Browsers and fetch send one after the other. */
  unanswered: 8,
  /** The parser gets so many bytes of a chunk first, then twice as many each time: what is refused costs no more than that. */
  firstSlice: 512,
  /** Pieces of a body, and one more for every so many bytes. A piece costs the same, however small it is. */
  pieces: 256,
  bytesOfPiece: 64,
  /** Bytes that a connection brings before others have their turn; Node reads up to 2 MB of each in one go. */
  bytesOfTurn: 32 * 1024,
  /** Bytes of a body that are parsed after its answer. What comes later is dropped unparsed, and for so long. */
  afterAnswer: 64 * 1024,
  lingerMs: 30_000,
}

/** A request whose body comes in a bounded number of pieces. Fastify and busboy bound only its bytes, and store an object for each piece. */
class CountedRequest extends IncomingMessage {
  #pieces = 0
  #bytes = 0

  override push(chunk: Buffer | null, encoding?: BufferEncoding) {
    if (chunk) this.#bytes += chunk.length
    if (chunk && ++this.#pieces > connectionLimits.pieces + this.#bytes / connectionLimits.bytesOfPiece) {
      this.socket.destroy()
      return false
    }
    return super.push(chunk, encoding)
  }
}

/** Fastify's options for a server of such requests. */
export const countedRequests = (https?: object) =>
  https ? { https: { ...https, IncomingMessage: CountedRequest } } : { http: { IncomingMessage: CountedRequest } }

/** Proxies and servers differ in which of two Host headers they read. */
export const hasOneHost = ({ rawHeaders }: IncomingMessage) =>
  rawHeaders.filter((name, i) => i % 2 === 0 && name.length === 4 && name.toLowerCase() === 'host').length < 2

export type Guarded = {
  /** ms for which no more is read from a stranger who sent so many bytes. */
  delayOf?: ((socket: Socket, bytes: number) => number) | undefined
}

type Connection = ReturnType<typeof guard>
const connections = new WeakMap<Socket, Connection>()

const guard = (socket: Socket, { delayOf = () => 0 }: Guarded) => {
  const [parse] = socket.listeners('data') as ((chunk: Buffer) => void)[]
  if (!parse) throw new Error('Node no longer parses what a connection emits as data.')
  let [unanswered, isNamed, drops] = [0, false, false]
  let delay: NodeJS.Timeout | undefined
  let [bytesOfTurn, isResting] = [0, false]
  /** What of a chunk has not been parsed. */
  let rest: Buffer | undefined
  /** Answered before its body was whole. */
  let early: { request: IncomingMessage; bytes: number } | undefined

  const charge = (bytes: number) => {
    const ms = isNamed || delay ? 0 : delayOf(socket, bytes)
    if (!ms) return
    socket.pause()
    delay = setTimeout(readOn, ms).unref()
  }
  const readOn = () => {
    clearTimeout(delay)
    delay = undefined
    socket.resume()
  }
  /** Closes this side, and lets the other one finish: unread bytes would reset the connection and lose the answer. */
  const drop = () => {
    drops = true
    socket.end()
    setTimeout(() => socket.destroy(), connectionLimits.lingerMs).unref()
    if (!delay) socket.resume()
  }
  const follow = (bytes: number) => {
    if (early?.request.complete) early = undefined
    if (!early) return
    early.bytes += bytes
    if (early.bytes > connectionLimits.afterAnswer) drop()
  }
  const giveTurn = (bytes: number) => {
    bytesOfTurn += bytes
    if (isResting || bytesOfTurn < connectionLimits.bytesOfTurn || socket.isPaused()) return
    ;[bytesOfTurn, isResting] = [0, true]
    socket.pause()
    setImmediate(() => {
      isResting = false
      if (!delay) socket.resume()
    })
  }
  const receive = (chunk: Buffer) => {
    if (delay || isResting) socket.pause()
    // Node reads on as soon as the body is wanted.
    if (isResting) return void socket.unshift(chunk)
    if (drops && !delay) return charge(chunk.length)
    let size = connectionLimits.firstSlice
    for (let at = 0; at < chunk.length && !socket.destroyed && !drops; size *= 2) {
      if (socket.isPaused()) return void socket.unshift(chunk.subarray(at))
      const slice = chunk.subarray(at, at + size)
      at += slice.length
      rest = chunk.subarray(at)
      parse.call(socket, slice)
      // An upgrade has taken the rest.
      if (!rest) return
      follow(slice.length)
      charge(slice.length)
    }
    rest = undefined
    giveTurn(chunk.length)
  }
  socket.off('data', parse)
  // Node gives up its shortcut, which parses what is read without an event.
  socket.on('data', receive)
  socket.once('close', () => clearTimeout(delay))

  return {
    /** Whether the request may be worked on. */
    begin(request: IncomingMessage, response: ServerResponse) {
      if (socket.destroyed) return
      if (++unanswered > connectionLimits.unanswered) return void socket.destroy()
      response.once('close', () => {
        unanswered--
        if (!request.complete) early = { request, bytes: 0 }
      })
      return true
    },
    name() {
      isNamed = true
      if (delay) readOn()
    },
    release() {
      socket.off('data', receive)
      clearTimeout(delay)
      delay = undefined
      if (rest?.length) socket.unshift(rest)
      rest = undefined
    },
  }
}

/** The connection's requests come from a person with an account, whose own limits replace those of strangers. */
export const nameConnection = (socket: Socket) => connections.get(socket)?.name()

/** Puts a guard between each connection of a server and its parser. Called once its listener of requests is there, and before it listens. */
export const guardConnections = (server: Server, isHttps: boolean, options: Guarded = {}) => {
  const headers = { ...commonHeaders(isHttps), connection: 'close', 'content-length': '0' }
  const handlers = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[]
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    const connection = connections.get(request.socket)
    if (connection && !connection.begin(request, response)) return
    if (!hasOneHost(request)) return void response.writeHead(400, headers).end()
    for (const handle of handlers) handle.call(server, request, response)
  })
  // Node answers without our headers.
  server.on('checkExpectation', (_request, response: ServerResponse) => response.writeHead(417, headers).end())
  server.on(isHttps ? 'secureConnection' : 'connection', (socket: Socket) => {
    if (!socket.destroyed) connections.set(socket, guard(socket, options))
  })
}

/** The connection no longer speaks HTTP. Who takes an upgrade calls this first. */
export const releaseConnection = (socket: Socket) => connections.get(socket)?.release()

/** Answers a connection that has no route, and closes it whether the other side does or not. */
export const answerAndClose = (socket: Socket, status: string, isHttps: boolean) => {
  if (socket.destroyed) return
  socket.end(bareAnswer(status, isHttps), () => socket.destroy())
  setTimeout(() => socket.destroy(), 2000).unref()
}
