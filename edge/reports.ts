import { statfs } from 'node:fs/promises'
import { cpus, freemem, loadavg, totalmem } from 'node:os'
import { wideTypes } from '../contract/data-types.ts'
import { browseCapability, channelsCapability, traceCapability, trustCapability } from '../contract/gateway-protocol.ts'
import { settingsCapability } from '../contract/gateway-settings.ts'
import { version } from '../contract/version.ts'
import type { DiskBuffer } from './buffer/disk-buffer.ts'
import type { Stats } from './buffer/queue.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config/assembly.ts'
import { driverCapabilities } from './drivers/index.ts'
import { serialPorts } from './drivers/serial.ts'
import type { ownSettings } from './own-settings.ts'
import type { Poller } from './poll/poller.ts'
import type { Connection } from './uplink/connection.ts'

export const event = { online: 1, channel: 4, configApplied: 6, storageFull: 8, storageDamaged: 13 } as const
const capabilities = [
  settingsCapability,
  'config',
  'write',
  'read',
  'nettest',
  'timesync',
  browseCapability,
  traceCapability,
  trustCapability,
  channelsCapability,
  wideTypes,
  ...driverCapabilities,
]
/** Words that a server stores. */
const mostCapabilities = 50
const firmware = version
const fullNoticeMs = 3_600_000
const damageNoticeMs = 60_000

type Needs = {
  /** The folder whose disk is reported. */
  folder: string
  clock: Clock
  buffer: DiskBuffer
  settings: ReturnType<typeof ownSettings>
  poller: Poller
  connection: Connection
  config: () => Config | undefined
}

const round = (percent: number) => Math.round(percent * 10) / 10

/** What a gateway tells about itself: its state, heartbeats and events. */
export class Reports {
  readonly #needs: Needs
  readonly #bootTime: number
  #fullNoticeAt = Number.NEGATIVE_INFINITY
  #damageNoticeAt = Number.NEGATIVE_INFINITY
  #beating: NodeJS.Timeout | undefined

  constructor(needs: Needs) {
    this.#needs = needs
    this.#bootTime = needs.clock.now()
  }

  event(Type: number, Level: number, Text: string) {
    const { settings, connection } = this.#needs
    settings.log(Level > 1 ? 'error' : 'info', Text)
    connection.publishLater('event', connection.envelope({ Type, Level, Text: Text.slice(0, 500) }))
  }

  bufferFull({ dropped }: Stats) {
    if (performance.now() - this.#fullNoticeAt < fullNoticeMs) return
    this.#fullNoticeAt = performance.now()
    this.event(event.storageFull, 2, `the buffer is full, ${dropped} readings were dropped so far`)
  }
  /** Says so once when the buffer is empty after it was full. */
  lookForRoom() {
    if (this.#needs.buffer.stats.readings || !Number.isFinite(this.#fullNoticeAt)) return
    this.#fullNoticeAt = Number.NEGATIVE_INFINITY
    this.event(event.storageFull, 0, 'the buffer has room again: everything in it has been sent')
  }
  bufferDamaged({ damaged }: Stats) {
    if (performance.now() - this.#damageNoticeAt < damageNoticeMs) return
    this.#damageNoticeAt = performance.now()
    this.event(event.storageDamaged, 2, `${damaged} readings in the buffer were no longer what had been written and are not sent`)
  }

  state() {
    const { connection, config, settings } = this.#needs
    connection.publish(
      'state',
      connection.envelope({
        Online: 1,
        FirmwareVer: firmware,
        HardwareVer: 'soft',
        ConfigVersion: config()?.ConfigVersion,
        Ip: connection.address,
        BootTime: this.#bootTime,
        Capabilities: [...capabilities, ...serialPorts().map((port) => `serial:${port}`)].slice(0, mostCapabilities),
        Settings: settings.running(),
      }),
      true,
    )
  }

  async #heartbeat() {
    const { folder, clock, buffer, connection, poller } = this.#needs
    const disk = await statfs(folder).catch(() => undefined)
    const { readings, dropped } = buffer.stats
    this.lookForRoom()
    connection.publish(
      'heartbeat',
      connection.envelope({
        Cpu: round(Math.min(100, (loadavg()[0]! / cpus().length) * 100)),
        Mem: round((1 - freemem() / totalmem()) * 100),
        Disk: disk && round((1 - disk.bavail / disk.blocks) * 100),
        UpTime: Math.round((clock.now() - this.#bootTime) / 1000),
        CacheCount: readings,
        Dropped: dropped,
        Devices: poller.health().slice(0, 2000),
      }),
    )
  }
  /** A heartbeat now, and then one each period. */
  beat() {
    void this.#heartbeat()
    this.beatSoon(Math.max(5, this.#needs.config()?.HeartbeatPeriod ?? 60) * 1000)
  }
  beatSoon(ms: number) {
    this.rest()
    this.#beating = setTimeout(() => this.beat(), ms)
  }
  /** No heartbeats until the next `beat`. */
  rest() {
    clearTimeout(this.#beating)
  }
}
