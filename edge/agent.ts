import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { gatewaySettings } from '../contract/gateway-settings.ts'
import type { Allowed } from '../contract/networks.ts'
import { DiskBuffer } from './buffer/disk-buffer.ts'
import type { Stats } from './buffer/queue.ts'
import { type Clock, startClock, watchClock } from './clock.ts'
import type { Config } from './config/assembly.ts'
import { loadConfig } from './config/store.ts'
import { handlers } from './handlers.ts'
import type { Place } from './listening/allowed.ts'
import { type Doors, openDoors } from './listening/doors.ts'
import { ownSettings } from './own-settings.ts'
import { type Poller, startPoller } from './poll/poller.ts'
import { event, Reports } from './reports.ts'
import { startTracing, type Tracing } from './tracing.ts'
import { commands } from './uplink/commands.ts'
import { Connection } from './uplink/connection.ts'
import { Outbox } from './uplink/outbox.ts'

export type GatewayOptions = {
  /** URL of the broker: mqtt, mqtts, tcp, ws or wss. */
  server: string
  sn: string
  /** The gateway's secret. */
  key: string
  /** Folder of persistent data; created if missing. */
  data: string
  /** Size limit of the store-and-forward buffer, MB; default 1024. */
  bufferMb?: number
  /** Maximum history messages per second; default 20. The configuration may set both. */
  backfillPerSecond?: number
  /** Time without an acknowledgement after which readings are sent again as history; default 10 s. */
  ackTimeoutMs?: number
  /** Pauses between attempts to reach the server, or a device. */
  reconnectMs?: { min: number; max: number }
  /** Addresses and ports on which devices may connect; none by default. */
  listen?: readonly Place[]
  /** Networks of MQTT and HTTP sources; by default all except link-local addresses. */
  outbound?: Allowed
  /** Networks that drivers and net tests may reach; all by default. */
  reach?: Allowed
  /** The machine's clock, epoch ms. */
  clock?: () => number
  /** Writes one log line; it never contains secrets. */
  log?(line: string): void
}

export type GatewayStatus = {
  online: boolean
  configVersion: number | undefined
  /** Readings on disk that the server has not acknowledged. */
  queued: number
  /** Readings lost because the buffer was full, since the folder was created. */
  dropped: number
  /** Messages from the server that could not be understood. */
  malformed: number
  devices: { DeviceId: number; Status: number; OkCount: number; ErrCount: number }[]
}

/** Opening the buffer with a smaller limit than configured would drop readings. */
const bufferMb = ({ bufferMb = gatewaySettings.BufferSize.default }: GatewayOptions, config: Config | undefined) =>
  Number(config?.Settings?.BufferSize ?? bufferMb)

const timesyncMs = 86_400_000

class Agent {
  readonly #options: GatewayOptions
  readonly #clock: Clock
  readonly #buffer: DiskBuffer
  readonly #outbox: Outbox
  readonly #settings: ReturnType<typeof ownSettings>
  readonly #poller: Poller
  readonly #connection: Connection
  readonly #reports: Reports
  readonly #tracing: Tracing
  readonly #doors: Doors
  #config: Config | undefined
  #malformed = 0
  #follow: Awaited<ReturnType<typeof commands>> | undefined
  #asking: NodeJS.Timeout | undefined
  #unwatch = () => {}
  #closing: Promise<void> | undefined

  constructor(options: GatewayOptions, config: Config | undefined, buffer: DiskBuffer) {
    this.#options = options
    this.#clock = startClock(options.clock)
    this.#config = config
    this.#buffer = buffer
    this.#connection = this.#makeConnection()
    this.#outbox = new Outbox({
      buffer,
      now: this.#clock.now,
      publish: (kind, payload) => {
        this.#settings.log('debug', `up/${kind}, ${payload.length} characters`)
        this.#connection.publish(kind, payload)
      },
      onRecovered: () => this.#poller.resend(),
      ackTimeoutMs: options.ackTimeoutMs,
    })
    this.#settings = ownSettings({
      start: { BackfillRate: options.backfillPerSecond, BufferSize: options.bufferMb },
      setBackfillRate: (perSecond) => this.#outbox.setBackfillRate(perSecond),
      setBufferBytes: (bytes) => buffer.setLimit(bytes),
      log: options.log ?? (() => {}),
    })
    this.#doors = openDoors(options.listen ?? [], (text) => this.#reports.event(event.channel, 1, text))
    this.#poller = startPoller({
      ...{ doors: this.#doors, outbound: options.outbound, reach: options.reach },
      now: this.#clock.now,
      folder: options.data,
      emit: (item, isCached) => this.#outbox.add(item, isCached),
      onEvent: (type, level, text) => {
        this.#reports.event(type, level, text)
        this.#reports.beatSoon(500)
      },
      // Report every device once, or the server shows it as unknown.
      onFirst: () => this.#reports.beatSoon(500),
      reconnectMs: options.reconnectMs,
    })
    this.#tracing = startTracing({
      poller: this.#poller,
      now: this.#clock.now,
      publish: (data) => this.#connection.publish('trace', this.#connection.envelope(data)),
    })
    const { data: folder } = options
    const [clock, settings, poller, connection] = [this.#clock, this.#settings, this.#poller, this.#connection]
    this.#reports = new Reports({ folder, clock, buffer, settings, poller, connection, config: () => this.#config })
  }

  #makeConnection() {
    const { server, sn, key, reconnectMs } = this.#options
    return new Connection({
      ...{ server, sn, key, reconnectMs },
      now: this.#clock.now,
      onOnline: () => {
        this.#settings.log('info', `connected to the server as ${sn}`)
        this.#reports.state()
        this.#connection.publish('event', this.#connection.envelope({ Type: event.online, Level: 0, Text: 'online' }))
        this.#askTime()
        this.#reports.beat()
        this.#outbox.online()
        this.#poller.resend()
      },
      onOffline: (why) => {
        this.#settings.log('error', `no connection to the server: ${why}`)
        this.#reports.rest()
        this.#outbox.offline()
      },
      onMessage: (kind, payload) => {
        this.#settings.log('debug', `down/${kind}, ${payload.length} bytes`)
        void this.#follow?.(kind, payload).catch((error: Error) => this.#settings.log('error', `${kind}: ${error.message}`))
      },
    })
  }

  async #applied(config: Config) {
    this.#config = config
    await this.#settings.apply(config.Settings)
    this.#reports.state()
    this.#reports.beat()
    this.#reports.event(event.configApplied, 0, `configuration ${config.ConfigVersion}: ${config.Points.length} points`)
  }
  #askTime() {
    this.#connection.publish('timesync', this.#connection.envelope({ T1: this.#clock.now() }))
  }

  async start() {
    const [clock, buffer, poller, config] = [this.#clock, this.#buffer, this.#poller, this.#config]
    await this.#settings.apply(config?.Settings)
    this.#follow = await commands({
      buffer,
      clock,
      handlers: handlers({
        reach: this.#options.reach,
        ...{ folder: this.#options.data, clock, poller, tracing: this.#tracing, doors: this.#doors },
        onApplied: (applied) => this.#applied(applied),
      }),
      onAck: (msgId) => this.#outbox.acknowledged(msgId),
      reply: (reply) => this.#connection.publish('reply', JSON.stringify(reply)),
      onMalformed: (problem) => {
        this.#malformed++
        this.#settings.log('error', `not understood: ${problem}`)
      },
    })
    this.#asking = setInterval(() => this.#askTime(), timesyncMs)
    this.#unwatch = watchClock(clock, (ms) => {
      this.#settings.log('info', `the machine's clock was set by ${Math.round(ms / 1000)} s`)
      this.#askTime()
    })
    this.#connection.open()
    const { salvaged } = buffer.stats
    if (salvaged !== undefined)
      this.#reports.event(event.storageDamaged, 2, `the file of the buffer was damaged and put aside; ${salvaged} readings could be saved`)
    if (config) await poller.apply(config)
  }

  bufferFull(stats: Stats) {
    this.#reports.bufferFull(stats)
  }
  bufferDamaged(stats: Stats) {
    this.#reports.bufferDamaged(stats)
  }

  status(): GatewayStatus {
    this.#reports.lookForRoom()
    const { readings, dropped } = this.#buffer.stats
    return {
      online: this.#connection.online,
      configVersion: this.#config?.ConfigVersion,
      queued: readings,
      dropped,
      malformed: this.#malformed,
      devices: this.#poller.health(),
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }
  async #close() {
    this.#reports.rest()
    clearInterval(this.#asking)
    this.#unwatch()
    this.#tracing.close()
    await this.#poller.close()
    this.#outbox.close()
    await this.#connection.close()
    await this.#buffer.close()
  }
}

/**
 * A gateway in this process: polls its configured devices, buffers readings until the server has stored them, and executes commands. It runs
 * independently of the server. Rejects if another process uses the folder.
 */
export const startGateway = async (options: GatewayOptions): Promise<Pick<Agent, 'close' | 'status'>> => {
  const { data } = options
  await mkdir(data, { recursive: true, mode: 0o700 })
  const config = await loadConfig(data)
  let agent: Agent | undefined
  const buffer = await DiskBuffer.open(
    join(data, 'readings.db'),
    bufferMb(options, config) * 1024 * 1024,
    (stats) => agent?.bufferFull(stats),
    (stats) => agent?.bufferDamaged(stats),
  )
  agent = new Agent(options, config, buffer)
  await agent.start()
  return agent
}
