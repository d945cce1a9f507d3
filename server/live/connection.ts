import type { Duplex } from 'node:stream'
import type { RawData, WebSocket } from 'ws'
import { hubMethods } from '../../contract/hub.ts'
import type { Language } from '../../contract/languages.ts'
import { Fault } from '../http/faults.ts'
import type { Actor } from '../identity/actor.ts'
import { frameCounter } from './frameCounter.ts'
import type { Limits } from './limits.ts'
import { Outlet } from './outlet.ts'
import {
  aliveFrame,
  closeFrame,
  errorFrame,
  type Incoming,
  Malformed,
  pingFrame,
  readHandshake,
  readMessage,
  refusalFrame,
  resultFrame,
  separator,
  welcomeFrame,
} from './protocol.ts'
import type { HubTicket, Ticket } from './tickets.ts'
import type { Turns } from './turns.ts'

export type CutReason = 'malformed' | 'tooManyCalls' | 'silent' | 'noHandshake' | 'slow' | 'stalled' | 'ended' | 'shutdown' | 'left'

export type Surroundings = {
  limits: Limits
  clock: () => number
  turns: Turns
  /** Performs a call; throws Fault for what the caller gets to know. */
  call: (connection: Connection, target: string, args: unknown[]) => Promise<unknown>
  failed: (error: unknown, target: string) => void
  gone: (connection: Connection, reason: CutReason) => void
}

/** One client from upgrade to close. What it does wrong ends it and nothing else. */
export class Connection {
  actor: Actor
  readonly bearer: string
  /** Looked at as this role alone. */
  readonly role: number | undefined
  /** The language that the client requested. */
  asked: Language | undefined
  readonly points = new Set<number>()
  readonly outlet: Outlet
  greeted = false
  checkedAt: number
  readonly #socket: WebSocket
  readonly #raw: Duplex
  /** Bytes that came after it was cut for what it sent: they are not parsed. */
  #dropped: number | undefined
  readonly #around: Surroundings
  readonly #openedAt: number
  #heardAt: number
  #pingedAt: number
  #askedAt = Number.NEGATIVE_INFINITY
  #partial = ''
  #calls: number
  #callsAt: number
  #waiting = 0
  #cut: CutReason | undefined

  constructor(socket: WebSocket, raw: Duplex, ticket: Ticket<HubTicket>, around: Surroundings) {
    this.#socket = socket
    this.#raw = raw
    this.#around = around
    this.actor = ticket.actor
    this.bearer = ticket.bearer
    this.role = ticket.role
    this.asked = ticket.language
    this.#openedAt = this.#heardAt = this.#pingedAt = this.#callsAt = this.checkedAt = around.clock()
    this.#calls = around.limits.callBurst
    this.outlet = new Outlet(socket, around.limits, around.clock, () => this.drop('slow'))
    socket.on('message', (data, binary) => this.#received(data, binary))
    this.#guard()
    socket.on('error', () => this.#stopReading()) // a frame that is too large or broken: ws closes, and 'close' follows
    socket.on('close', () => {
      this.outlet.close()
      around.gone(this, this.#cut ?? 'left')
    })
  }

  /** True until it is closed or being closed. */
  get open() {
    return this.#cut === undefined && this.#socket.readyState === this.#socket.OPEN
  }

  /** What its client asked for, else the person's. */
  get language(): Language {
    return this.asked ?? this.actor.language
  }

  /** Unsent bytes. */
  get buffered() {
    return this.#socket.bufferedAmount
  }

  /** Says why, closes, and does not wait long for the other side. */
  end(reason: CutReason, error: string | undefined, allowReconnect: boolean) {
    if (!this.open) return
    this.outlet.send(this.greeted ? closeFrame(error, allowReconnect) : refusalFrame(error ?? reason))
    this.#cut = reason
    this.#socket.close(1000)
    if (reason === 'tooManyCalls' || reason === 'malformed') this.#stopReading()
    setTimeout(() => this.#socket.terminate(), this.#around.limits.closeMs).unref()
  }

  /** Charges the person for bytes and frames before ws parses them: also for pings, fragments, and what comes while it closes. */
  #guard() {
    const [parse] = this.#raw.listeners('data') as ((chunk: Buffer) => void)[]
    if (!parse) throw new Error('ws no longer parses what a connection emits as data.')
    const framesOf = frameCounter()
    this.#raw.off('data', parse)
    this.#raw.on('data', (chunk: Buffer) => {
      if (this.#dropped === undefined && !this.#around.turns.mayParse(this.actor.UserId, chunk.length, framesOf(chunk))) {
        this.end('tooManyCalls', 'Too many calls.', false)
        this.#stopReading()
      }
      if (this.#dropped === undefined) return parse.call(this.#raw, chunk)
      this.#dropped += chunk.length
      // So much may be on its way; the last words would be lost if it were not taken.
      if (this.#dropped > this.#around.limits.message) this.#raw.pause()
    })
  }

  /** Closes this side; the other one has a moment for the last words. */
  #stopReading() {
    this.#dropped ??= 0
    this.#raw.end()
    setTimeout(() => this.#socket.terminate(), this.#around.limits.closeMs).unref()
  }

  /** For a client that does not take what it is sent. */
  drop(reason: CutReason) {
    this.#cut ??= reason
    this.#socket.terminate()
  }

  /** Keep-alive and time-outs; the hub calls it every second. */
  tick() {
    const { limits, clock } = this.#around
    const now = clock()
    if (!this.greeted && now - this.#openedAt > limits.handshakeMs) this.end('noHandshake', 'No handshake came.', false)
    else if (now - this.#heardAt > limits.silenceMs) this.end('silent', 'Nothing was heard from the client.', true)
    else if (this.outlet.stalledFor(now) > limits.stallMs) this.drop('stalled')
    else if (this.greeted) {
      const asked = now - this.#askedAt < limits.aliveForMs
      // The hub looks once a second, and its timer may be early.
      if (now - this.#pingedAt < (asked ? limits.aliveMs - 500 : limits.pingMs)) return
      this.#pingedAt = now
      this.outlet.send(asked ? aliveFrame : pingFrame)
    }
  }

  #received(data: RawData, binary: boolean) {
    if (!this.open) return
    this.#heardAt = this.#around.clock()
    try {
      if (binary) throw new Malformed('binary frame')
      const text = String(data)
      const parts = (this.#partial + text).split(separator)
      // The frame itself has been charged.
      if (!this.#around.turns.mayParse(this.actor.UserId, 0, Math.max(0, parts.length - 2)))
        return this.end('tooManyCalls', 'Too many calls.', false)
      this.#partial = parts.pop()!
      if (this.#partial.length > this.#around.limits.message) throw new Malformed('message too large')
      for (const part of parts) if (this.open) this.#message(part)
    } catch (error) {
      if (!(error instanceof Malformed)) throw error
      this.end('malformed', `Not understood: ${error.message}.`, false)
    }
  }

  #message(text: string) {
    if (!this.greeted) {
      const refused = readHandshake(text)
      if (refused) return this.end('malformed', refused, false)
      this.greeted = true
      return this.outlet.send(welcomeFrame)
    }
    if (!this.#allowed()) return this.end('tooManyCalls', 'Too many calls.', false)
    const message = readMessage(text)
    if (message.kind === 'close') return this.end('left', undefined, false)
    // Bypasses the queue: the answer shows that the line is alive.
    if (message.kind === 'invocation' && message.target === hubMethods.Ask) {
      this.#askedAt = this.#around.clock()
      if (message.id !== undefined) this.outlet.send(resultFrame(message.id, null))
    } else if (message.kind === 'invocation' || message.kind === 'stream') this.#enqueue(message)
  }

  /** A bucket of `callBurst`, filled at `callsPerSecond`. */
  #allowed() {
    const { limits, clock } = this.#around
    const now = clock()
    this.#calls = Math.min(limits.callBurst, this.#calls + ((now - this.#callsAt) / 1000) * limits.callsPerSecond)
    this.#callsAt = now
    return this.#calls-- >= 1 && this.#waiting <= limits.callBurst
  }

  /** One call of a person after the other, so that Subscribe and Unsubscribe take effect in the order they were sent. */
  #enqueue({ kind, target, args, id }: Extract<Incoming, { target: string }>) {
    const failed = (error: unknown) => {
      if (!(error instanceof Fault)) this.#around.failed(error, target)
      if (id !== undefined) this.outlet.send(errorFrame(id, error instanceof Fault ? error.key : 'internal'))
    }
    const work = async () => {
      if (kind === 'stream') throw new Fault('invalid')
      const result = await this.#around.call(this, target, args)
      if (id !== undefined) this.outlet.send(resultFrame(id, result))
    }
    const ids = args.reduce<number>((sum, arg) => sum + (Array.isArray(arg) ? arg.length : 0), 0)
    try {
      const over = this.#around.turns.call(
        this.actor.UserId,
        ids,
        () => this.open,
        () => work().catch(failed),
      )
      this.#waiting++
      void over.finally(() => this.#waiting--)
    } catch (error) {
      failed(error)
    }
  }
}
