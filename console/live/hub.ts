import type { HubConnection } from '@microsoft/signalr'
import { type HubMessages, hubMethods, type LiveValue, mostHubPoints } from '../../contract/hub.ts'
import type { Language } from '../../contract/languages.ts'
import { previewed } from '../session/preview.ts'
import { token } from '../session/token.ts'
import { language, onLanguage } from '../words/words.ts'

export type Connection = 'connecting' | 'live' | 'interrupted' | 'closed'
type Listener<K extends keyof HubMessages> = (...args: HubMessages[K]) => void

/** Delays between attempts to connect, ms. The last one repeats. */
const waits = [0, 1000, 2000, 5000, 10_000, 20_000]
/**
 * A visible page pings after this time without a message, and counts as interrupted after this time without an answer, ms. For a
 * minute after a ping, the server sends a keep-alive every two seconds.
 */
const askMs = 2500
const silenceMs = 5000
/** Delay before a refused call is retried, ms. */
const repeats = [1000, 2000, 5000]
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

/**
 * The page's one connection to the live hub. It connects after the sign-in and reconnects when the connection breaks.
 * Each reconnect subscribes again to the points on the screen.
 */
export class Hub {
  #connection: HubConnection | undefined
  #state: Connection = 'closed'
  #stop = 0
  readonly #url: string
  #subscribed = new Set<number>()
  #syncing = false
  readonly #stateListeners = new Set<() => void>()
  readonly #listeners: { [K in keyof HubMessages]: Set<Listener<K>> } = {
    Values: new Set(),
    Alive: new Set(),
    Changed: new Set(),
    Alarm: new Set(),
    Notice: new Set(),
    Ended: new Set(),
  }
  /** Whether the server knows this connection: only then are values live. */
  #joined = false
  #silence: ReturnType<typeof setInterval> | undefined
  #askedAt = 0
  /** Time of the last message, or when the page became visible; monotonic. */
  #heardAt = 0
  /** Time of the last message, epoch ms. */
  heard = 0
  /** The language requested at negotiation, and the current one. */
  #negotiated: Language = 'zh'
  #language: Language = 'zh'
  /** Token of the current connection. */
  token: string | null = null
  /** Points on the screen. `points.ts` sets it and calls `sync` after changes. */
  wanted: () => number[] = () => []
  /** Called with points that are no longer subscribed. */
  left: (ids: Iterable<number>) => void = () => undefined

  constructor(url = '/api/hubs/sysmsghub') {
    this.#url = url
    onLanguage(() => this.#speak())
  }

  get state() {
    return this.#state
  }
  readonly onState = (listener: () => void) => {
    this.#stateListeners.add(listener)
    return () => {
      this.#stateListeners.delete(listener)
    }
  }
  on<K extends keyof HubMessages>(message: K, listener: Listener<K>) {
    this.#listeners[message].add(listener)
    return () => {
      this.#listeners[message].delete(listener)
    }
  }

  async start(userId: number) {
    const run = ++this.#stop
    this.#become('connecting')
    const { HubConnectionBuilder, HttpTransportType, LogLevel } = await import('@microsoft/signalr')
    if (run !== this.#stop) return
    const role = previewed()
    this.#negotiated = language()
    const connection = new HubConnectionBuilder()
      .withUrl(this.#url, {
        accessTokenFactory: () => {
          this.token = token()
          return this.token ?? ''
        },
        transport: HttpTransportType.WebSockets,
        withCredentials: false,
        // During a preview as a role, receives the messages of that role.
        headers: { 'Accept-Language': this.#negotiated, ...(role ? { 'X-As-Role': String(role.Id) } : {}) },
      })
      .withAutomaticReconnect({ nextRetryDelayInMilliseconds: ({ previousRetryCount: n }) => waits[n] ?? waits.at(-1)! })
      .configureLogging(LogLevel.None)
      .build()
    this.#connection = connection
    this.#watchSilence(connection)
    for (const name of Object.keys(this.#listeners) as (keyof HubMessages)[]) connection.on(name, (...args) => this.#hear(name, args))
    const joined = () => this.#join(connection, userId)
    this.heard = Date.now()
    const cut = () => {
      this.#joined = false
      this.#become('interrupted')
    }
    connection.onreconnecting(cut)
    connection.onreconnected(joined)
    connection.onclose(() => {
      this.#joined = false
      void this.#connect(connection, joined, run, 1)
    })
    await this.#connect(connection, joined, run, 0)
  }

  /** Retries until it is connected or stopped. */
  async #connect(connection: HubConnection, joined: () => Promise<void>, run: number, tries: number) {
    for (let n = tries; run === this.#stop; n++) {
      if (n > 0) {
        this.#become('interrupted')
        await pause(waits[n] ?? waits.at(-1)!)
      }
      try {
        if (run === this.#stop) await connection.start()
        return await joined()
      } catch {
        await connection.stop()
      }
    }
  }

  async stop() {
    this.#stop++
    clearInterval(this.#silence)
    globalThis.document?.removeEventListener('visibilitychange', this.#onVisible)
    const connection = this.#connection
    this.#connection = undefined
    this.#joined = false
    await connection?.stop()
    this.#become('closed')
  }

  /** Subscribes and unsubscribes points in batches within the hub's limit. Retries a refused call after a delay. */
  async sync() {
    if (this.#syncing) return
    this.#syncing = true
    for (let refused = 0; this.#state === 'live'; ) {
      const subscribed = this.#subscribed
      const wanted = new Set(this.wanted())
      const leaving = [...subscribed].filter((id) => !wanted.has(id))
      const joining = [...wanted].filter((id) => !subscribed.has(id)).slice(0, mostHubPoints - subscribed.size)
      if (!leaving.length && !joining.length) break
      if (await this.#call(subscribed, leaving, joining)) refused = 0
      else await pause(repeats[refused++] ?? repeats.at(-1)!)
    }
    this.#syncing = false
  }
  /** Unsubscribes one batch, or subscribes one when none is left. Returns whether the hub accepted it. */
  async #call(subscribed: Set<number>, leaving: number[], joining: number[]) {
    try {
      if (leaving.length) {
        await this.#connection?.invoke(hubMethods.Unsubscribe, leaving)
        for (const id of leaving) subscribed.delete(id)
        this.left(leaving)
        return true
      }
      const answer = await this.#connection?.invoke<{ Values: LiveValue[] } | LiveValue[] | null>(hubMethods.Subscribe, joining)
      for (const id of joining) subscribed.add(id)
      const values = Array.isArray(answer) ? answer : answer?.Values
      if (values?.length) this.#hear('Values', [{ Seq: 0, Values: values }])
      return true
    } catch {
      return false
    }
  }

  /** Heartbeat: a dead connection closes no socket. After `silenceMs` without an answer, the page shows an interruption and keeps pinging. */
  #watchSilence(connection: HubConnection) {
    clearInterval(this.#silence)
    this.#silence = setInterval(() => {
      if (globalThis.document?.hidden || connection.state !== 'Connected') return
      const now = performance.now()
      if (this.#state === 'live' && now - this.#heardAt > silenceMs) this.#become('interrupted')
      // Any message counts as an answer.
      if (now - Math.max(this.#askedAt, this.#heardAt) >= askMs) this.#ask(connection)
    }, 500)
    globalThis.document?.addEventListener('visibilitychange', this.#onVisible)
  }
  /** Timers of a hidden page are suspended, so it pings before it reports an interruption. */
  readonly #onVisible = () => {
    if (document.hidden) return
    this.#heardAt = performance.now()
    if (this.#connection?.state === 'Connected') this.#ask(this.#connection)
  }
  #ask(connection: HubConnection) {
    this.#askedAt = performance.now()
    connection.invoke(hubMethods.Ask).then(
      () => this.#arrived(),
      () => undefined,
    )
  }
  #arrived() {
    this.#heardAt = performance.now()
    this.heard = Date.now()
    if (this.#joined) this.#become('live')
  }

  async #join(connection: HubConnection, userId: number) {
    await connection.invoke(hubMethods.LoginConnect, userId)
    this.#language = this.#negotiated
    this.left(this.#subscribed)
    this.#subscribed = new Set()
    this.#joined = true
    this.#arrived()
    this.#speak()
    void this.sync()
  }
  /** Requests texts in the page's language, also after it changes. */
  #speak() {
    const now = language()
    if (!this.#joined || this.#language === now) return
    this.#language = now
    this.#connection?.invoke(hubMethods.SetLanguage, now).catch(() => {
      // Older servers only know the language set at negotiation.
    })
  }
  #hear<K extends keyof HubMessages>(name: K, args: unknown[]) {
    this.#arrived()
    for (const listener of this.#listeners[name]) listener(...(args as HubMessages[K]))
  }
  #become(state: Connection) {
    if (state === this.#state) return
    this.#state = state
    for (const listener of this.#stateListeners) listener()
  }
}

export const hub = new Hub()
