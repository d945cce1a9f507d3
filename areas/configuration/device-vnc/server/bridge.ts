import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { RawData, WebSocket } from 'ws'
import type { Actor } from '../../../../server/identity/actor.ts'
import { type Rate, rate } from '../../../../server/jobs/throttle.ts'
import { frameCounter } from '../../../../server/live/frameCounter.ts'
import type { PanelEnd, ViewerMessage } from '../contract.ts'
import { pressedInput } from './input.ts'
import type { PanelLimits } from './limits.ts'
import { drawing, type Screen, signIn } from './panelSide.ts'
import { Ended, type Reading, reader } from './reading.ts'
import { viewing } from './viewerSide.ts'

/** A person who views a panel. */
export type Viewer = { Id: number; EnterpriseId: number; Title: string; UserName: string; bearer: string; origin: Actor['origin'] }

type Surroundings = {
  limits: PanelLimits
  /** Monotonic clock, ms. */
  steady: () => number
  /** Calls back when it is this panel's turn to be read. */
  turn: (read: () => void) => void
  asked: (bridge: Bridge, text: string) => void
  ready: (bridge: Bridge) => void
  gone: (bridge: Bridge, reason: PanelEnd) => void
}

/** Connects one browser to a panel. Each side is read only as fast as the other one accepts data. */
export class Bridge {
  actor: Actor
  mayControl = false
  /** Start of the current control, and the total before it. */
  controlsSince: number | undefined
  controlledMs = 0
  /** Whether a person has used it since the last check of the session. */
  isUsed = false
  readonly viewer: Viewer
  readonly begun: number
  readonly #socket: WebSocket
  readonly #around: Surroundings
  readonly #pressed = pressedInput()
  /** Rate of control changes: each one notifies all viewers of the panel and adds a log entry. */
  readonly #requests: Rate
  /** RFB messages still allowed within the current WebSocket message. */
  #messagesLeft = 0
  readonly #pauses = new Set<'login' | 'rate' | 'panel'>()
  readonly #panelPauses = new Set<'browser' | 'turn'>()
  #panel: Socket | undefined
  #screen: Screen | undefined
  #ended: PanelEnd | undefined
  #inputAt = 0
  #heardAt: number
  #pingedAt: number
  /** Time of the last data that the browser, and the panel, accepted. */
  #sentAt: number
  #writtenAt: number
  /** Time of the browser's oldest unanswered update request. */
  #awaitedSince: number | undefined

  constructor(socket: WebSocket, raw: Duplex, actor: Actor, viewer: Viewer, around: Surroundings) {
    this.#socket = socket
    this.#around = around
    this.actor = actor
    this.viewer = viewer
    this.begun = this.#heardAt = this.#pingedAt = this.#sentAt = this.#writtenAt = around.steady()
    this.#requests = rate(around.limits.requestsPerSecond, around.limits.requestBurst, around.steady)
    this.#pause('login')
    this.#limitRate(raw)
    socket.on('pong', () => {
      this.#heardAt = around.steady()
    })
    socket.on('error', () => this.end('malformed'))
    socket.on('close', () => this.end('left'))
  }

  get isReady() {
    return this.#screen !== undefined
  }
  get controls() {
    return this.controlsSince !== undefined
  }
  get ended() {
    return this.#ended !== undefined
  }
  /** Idle control ends. */
  get isIdle() {
    return this.controls && this.#around.steady() - this.#inputAt > this.#around.limits.idleControlMs
  }

  send(message: ViewerMessage) {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify(message))
  }

  /** Connects to a verified address and signs in with the panel's password. */
  connect({ address, family }: { address: string; family: number }, port: number, password: string | undefined) {
    if (this.ended) return
    const panel = connect({ host: address, port, family, noDelay: true, keepAlive: true, keepAliveInitialDelay: 15_000 })
    this.#panel = panel
    const late = setTimeout(() => this.end('silent'), this.#around.limits.loginMs).unref()
    panel.on('close', () => {
      clearTimeout(late)
      this.end('closed')
    })
    panel.on('error', () => this.end(panel.bytesRead ? 'closed' : 'unreachable'))
    panel.on('drain', () => this.#resume('panel'))
    let read = reader(this.#signIn(panel, password, late))
    panel.on('data', (chunk) => {
      this.#pausePanel('turn')
      this.#around.turn(() => this.#resumePanel('turn'))
      this.#guarded(() => {
        const wasReady = this.isReady
        const rest = read(chunk)
        if (!this.#screen) return
        if (!wasReady) {
          read = reader(drawing(this.#screen))
          if (rest?.length) read(rest)
        }
        this.#awaitedSince = undefined
        // The browser gets a chunk only after all of it has been checked.
        this.#show(wasReady ? chunk : rest!)
      })
    })
  }

  *#signIn(panel: Socket, password: string | undefined, late: NodeJS.Timeout): Reading {
    this.#screen = yield* signIn((bytes) => panel.write(bytes), password)
    clearTimeout(late)
    this.#begin(this.#screen)
    this.#around.ready(this)
  }

  /** Starts the browser's session. */
  #begin(screen: Screen) {
    const read = reader(
      viewing({
        screen,
        name: this.viewer.Title,
        send: (bytes) => this.#show(bytes),
        forward: (bytes) => this.#forward(bytes),
        input: (message) => this.#input(message),
        count: () => {
          if (this.#messagesLeft-- === 0) throw new Ended('malformed')
        },
      }),
    )
    this.#socket.on('message', (data: RawData, isBinary) => {
      // All RFB messages of one WebSocket message are sent in one piece.
      this.#panel?.cork()
      this.#guarded(() => {
        this.#heardAt = this.#around.steady()
        this.#messagesLeft = this.#around.limits.messagesAtOnce
        if (isBinary) return void read(data as Buffer)
        this.#requests.take()
        if (this.#requests.wait()) throw new Ended('malformed')
        this.#around.asked(this, String(data))
      })
      this.#panel?.uncork()
    })
    this.#resume('login')
  }

  #show(bytes: Buffer) {
    if (!bytes.length || this.#socket.readyState !== this.#socket.OPEN) return
    if (!this.#socket.bufferedAmount) this.#sentAt = this.#around.steady()
    this.#socket.send(bytes, () => {
      this.#sentAt = this.#around.steady()
      if (this.#socket.bufferedAmount <= this.#around.limits.pauseBytes) this.#resumePanel('browser')
    })
    if (this.#socket.bufferedAmount > this.#around.limits.pauseBytes) this.#pausePanel('browser')
  }

  #forward(bytes: Buffer) {
    if (bytes[0] === 3) this.#awaitedSince ??= bytes[1] === 0 ? this.#around.steady() : undefined
    if (!this.#panel?.write(bytes)) this.#pause('panel')
  }

  #input(message: Buffer) {
    if (!this.controls) return
    if (!this.#pressed.follow(message)) throw new Ended('malformed')
    this.#inputAt = this.#around.steady()
    this.isUsed = true
    this.#forward(message)
  }

  control() {
    this.controlsSince = this.#inputAt = this.#around.steady()
  }
  /** Releases control, and all pressed keys and buttons. */
  release() {
    if (this.controlsSince === undefined) return
    for (const message of this.#pressed.released()) this.#panel?.write(message)
    this.controlledMs += this.#around.steady() - this.controlsSince
    this.controlsSince = undefined
  }

  #guarded(work: () => void) {
    if (this.ended) return
    try {
      work()
    } catch (error) {
      if (!(error instanceof Ended)) throw error
      this.end(error.reason, error.text)
    }
  }

  #pause(reason: 'login' | 'rate' | 'panel') {
    if (reason === 'panel' && !this.#pauses.has(reason)) this.#writtenAt = this.#around.steady()
    this.#pauses.add(reason)
    this.#socket.pause()
  }
  #resume(reason: 'login' | 'rate' | 'panel') {
    this.#pauses.delete(reason)
    if (!this.#pauses.size) this.#socket.resume()
  }

  #pausePanel(reason: 'browser' | 'turn') {
    this.#panelPauses.add(reason)
    this.#panel?.pause()
  }
  #resumePanel(reason: 'browser' | 'turn') {
    this.#panelPauses.delete(reason)
    if (!this.#panelPauses.size) this.#panel?.resume()
  }

  /** Charges for bytes and frames before ws parses them. Above the rate, the browser waits. */
  #limitRate(raw: Duplex) {
    const { bytesPerSecond, byteBurst, frameCost } = this.#around.limits
    const share = rate(bytesPerSecond, byteBurst, this.#around.steady)
    const framesOf = frameCounter()
    raw.prependListener('data', (chunk: Buffer) => {
      share.take(chunk.length + framesOf(chunk) * frameCost)
      const ms = share.wait()
      if (!ms || this.#pauses.has('rate')) return
      this.#pause('rate')
      setTimeout(() => this.#resume('rate'), ms).unref()
    })
  }

  /** Time-outs; called every second. */
  tick() {
    const { limits, steady } = this.#around
    const now = steady()
    if (this.#awaitedSince !== undefined && now - this.#awaitedSince > limits.drawMs) return this.end('silent')
    if (this.#socket.bufferedAmount && now - this.#sentAt > limits.stallMs) return this.end('slow')
    if (this.#pauses.has('panel') && now - this.#writtenAt > limits.stallMs) return this.end('silent')
    // A browser that is not read cannot answer.
    if (this.#pauses.size) this.#heardAt = now
    if (now - this.#heardAt > limits.goneMs) return this.end('left')
    if (now - this.#pingedAt > limits.pingMs && this.#socket.readyState === this.#socket.OPEN) {
      this.#pingedAt = now
      this.#socket.ping()
    }
  }

  end(reason: PanelEnd, text?: string) {
    if (this.ended) return
    this.release()
    this.#ended = reason
    this.#panel?.end()
    this.send({ Ended: reason, ...(text ? { Text: text } : {}) })
    this.#pauses.clear()
    this.#socket.resume()
    this.#socket.close(1000)
    setTimeout(() => {
      this.#panel?.destroy()
      this.#socket.terminate()
    }, this.#around.limits.closeMs).unref()
    this.#around.gone(this, reason)
  }
}
