import type { HubConnection } from '@microsoft/signalr'
import { type HubMessages, hubMethods, type LiveValue } from '../../contract/areas/hub.ts'
import { previewed } from '../session/preview.ts'
import { token } from '../session/token.ts'
import { language } from '../words/words.ts'

export type Connection = 'connecting' | 'live' | 'interrupted' | 'closed'
type Listener<K extends keyof HubMessages> = (...args: HubMessages[K]) => void

/** Waits between tries, ms; the last one repeats for as long as it takes. */
const waits = [0, 1000, 2000, 5000, 10_000, 20_000]

/**
 * The one connection to the live hub. It connects when somebody is signed in, goes on trying when it is cut, and asks
 * again for every point that is on a screen when it is back.
 */
class Hub {
  #connection: HubConnection | undefined
  #state: Connection = 'closed'
  #stop = 0
  readonly #stateListeners = new Set<() => void>()
  readonly #listeners: { [K in keyof HubMessages]: Set<Listener<K>> } = {
    Values: new Set(),
    Changed: new Set(),
    Alarm: new Set(),
    Notice: new Set(),
    Ended: new Set(),
  }
  /** The token that the connection was made with. */
  token: string | null = null
  /** Points to ask for after each connect; `points.ts` keeps it. */
  wanted: () => number[] = () => []

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
    const connection = new HubConnectionBuilder()
      .withUrl('/api/hubs/sysmsghub', {
        accessTokenFactory: () => {
          this.token = token()
          return this.token ?? ''
        },
        transport: HttpTransportType.WebSockets,
        withCredentials: false,
        // In the preview of a role, what that role would hear.
        headers: { 'Accept-Language': language(), ...(role ? { 'X-As-Role': String(role.Id) } : {}) },
      })
      .withAutomaticReconnect({ nextRetryDelayInMilliseconds: ({ previousRetryCount: n }) => waits[n] ?? waits.at(-1)! })
      .configureLogging(LogLevel.None)
      .build()
    this.#connection = connection
    for (const name of Object.keys(this.#listeners) as (keyof HubMessages)[]) connection.on(name, (...args) => this.#hear(name, args))
    const joined = () => this.#join(connection, userId)
    connection.onreconnecting(() => this.#become('interrupted'))
    connection.onreconnected(joined)
    connection.onclose(() => this.#connect(connection, joined, run, 1))
    await this.#connect(connection, joined, run, 0)
  }

  /** Tries until it is connected or a stop has come in between. */
  async #connect(connection: HubConnection, joined: () => Promise<void>, run: number, tries: number) {
    for (let n = tries; run === this.#stop; n++) {
      if (n > 0) {
        this.#become('interrupted')
        await new Promise((done) => setTimeout(done, waits[n] ?? waits.at(-1)))
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
    const connection = this.#connection
    this.#connection = undefined
    await connection?.stop()
    this.#become('closed')
  }

  async subscribe(ids: number[]) {
    if (this.#state !== 'live' || !ids.length) return
    const answer = await this.#connection?.invoke<{ Values: LiveValue[] } | LiveValue[] | null>(hubMethods.Subscribe, ids).catch(() => null)
    const values = Array.isArray(answer) ? answer : answer?.Values
    if (values?.length) this.#hear('Values', [{ Seq: 0, Values: values }])
  }
  async unsubscribe(ids: number[]) {
    if (this.#state === 'live' && ids.length) await this.#connection?.invoke(hubMethods.Unsubscribe, ids).catch(() => undefined)
  }

  async #join(connection: HubConnection, userId: number) {
    await connection.invoke(hubMethods.LoginConnect, userId)
    this.#become('live')
    await this.subscribe(this.wanted())
  }
  #hear<K extends keyof HubMessages>(name: K, args: unknown[]) {
    for (const listener of this.#listeners[name]) listener(...(args as HubMessages[K]))
  }
  #become(state: Connection) {
    if (state === this.#state) return
    this.#state = state
    for (const listener of this.#stateListeners) listener()
  }
}

export const hub = new Hub()
