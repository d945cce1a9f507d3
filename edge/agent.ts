import { mkdir, statfs } from 'node:fs/promises'
import { cpus, freemem, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { wideTypes } from '../contract/data-types.ts'
import { gatewaySettings, settingsCapability } from '../contract/gateway-settings.ts'
import { version } from '../contract/version.ts'
import { DiskBuffer } from './buffer/disk-buffer.ts'
import type { Stats } from './buffer/queue.ts'
import { startClock, watchClock } from './clock.ts'
import type { Config } from './config/assembly.ts'
import { loadConfig } from './config/store.ts'
import { driverCapabilities } from './drivers/index.ts'
import { handlers } from './handlers.ts'
import { ownSettings } from './own-settings.ts'
import { startPoller } from './poll/poller.ts'
import { commands } from './uplink/commands.ts'
import { Connection } from './uplink/connection.ts'
import { Outbox } from './uplink/outbox.ts'

export type GatewayOptions = {
  /** URL of the broker: mqtt, mqtts, tcp, ws or wss. */
  server: string
  sn: string
  /** The gateway's secret. */
  key: string
  /** Folder for what must survive; made when missing. */
  data: string
  /** MB of readings kept while the server does not take them; default 1024. */
  bufferMb?: number
  /** Messages of history a second, at most; default 20. A configuration may set both. */
  backfillPerSecond?: number
  /** After this time without an acknowledgement readings are sent again, as history; default 10 s. */
  ackTimeoutMs?: number
  /** Pauses between attempts to reach the server, or a device. */
  reconnectMs?: { min: number; max: number }
  /** One line for each thing worth knowing; secrets are never in it. */
  log?(line: string): void
}

export type GatewayStatus = {
  online: boolean
  configVersion: number | undefined
  /** Readings on disk that the server has not acknowledged. */
  queued: number
  /** Readings lost because the buffer was full, since the folder was made. */
  dropped: number
  /** Messages from the server that could not be understood. */
  malformed: number
  devices: { DeviceId: number; Status: number; OkCount: number; ErrCount: number }[]
}

const event = { online: 1, configApplied: 6, storageFull: 8, storageDamaged: 13 } as const
const capabilities = [settingsCapability, 'config', 'write', 'read', 'nettest', 'timesync', wideTypes, ...driverCapabilities]
const firmware = version
const timesyncMs = 86_400_000
const fullNoticeMs = 3_600_000
const damageNoticeMs = 60_000

/**
 * A gateway in this process: polls what it was configured to, keeps readings until the server has stored them, follows commands. It runs
 * whether the server can be reached or not. Rejects when the folder is in use by another one.
 */
export const startGateway = async (options: GatewayOptions): Promise<{ close(): Promise<void>; status(): GatewayStatus }> => {
  const { sn, data } = options
  const clock = startClock()
  const bootTime = clock.now()
  let malformed = 0
  let fullNoticeAt = Number.NEGATIVE_INFINITY
  await mkdir(data, { recursive: true, mode: 0o700 })
  let config = await loadConfig(data)

  const onFull = ({ dropped }: Stats) => {
    if (performance.now() - fullNoticeAt < fullNoticeMs) return
    fullNoticeAt = performance.now()
    logEvent(event.storageFull, 2, `the buffer is full, ${dropped} readings were dropped so far`)
  }
  let damageNoticeAt = Number.NEGATIVE_INFINITY
  const onDamaged = ({ damaged }: Stats) => {
    if (performance.now() - damageNoticeAt < damageNoticeMs) return
    damageNoticeAt = performance.now()
    logEvent(event.storageDamaged, 2, `${damaged} readings in the buffer were no longer what had been written and are not sent`)
  }
  const buffer = await DiskBuffer.open(join(data, 'readings.db'), bufferMb(options, config) * 1024 * 1024, onFull, onDamaged)
  const outbox = new Outbox({
    buffer,
    now: clock.now,
    publish: (kind, payload) => {
      settings.log('debug', `up/${kind}, ${payload.length} characters`)
      connection.publish(kind, payload)
    },
    onRecovered: () => poller.resend(),
    ackTimeoutMs: options.ackTimeoutMs,
  })
  const settings = ownSettings({
    start: { BackfillRate: options.backfillPerSecond, BufferSize: options.bufferMb },
    setBackfillRate: (perSecond) => outbox.setBackfillRate(perSecond),
    setBufferBytes: (bytes) => buffer.setLimit(bytes),
    log: options.log ?? (() => {}),
  })
  await settings.apply(config?.Settings)
  const poller = startPoller({
    now: clock.now,
    emit: (item, isCached) => outbox.add(item, isCached),
    onEvent: (type, level, text) => {
      logEvent(type, level, text)
      beatSoon(500)
    },
    // Report every device once, or the server shows it as unknown.
    onFirst: () => beatSoon(500),
    reconnectMs: options.reconnectMs,
  })
  const follow = await commands({
    buffer,
    clock,
    handlers: handlers({
      folder: data,
      clock,
      poller,
      onApplied: async (applied) => {
        config = applied
        await settings.apply(applied.Settings)
        tellState()
        beat()
        logEvent(event.configApplied, 0, `configuration ${applied.ConfigVersion}: ${applied.Points.length} points`)
      },
    }),
    onAck: (msgId) => outbox.acknowledged(msgId),
    reply: (reply) => connection.publish('reply', JSON.stringify(reply)),
    onMalformed: (problem) => {
      malformed++
      settings.log('error', `not understood: ${problem}`)
    },
  })

  const logEvent = (Type: number, Level: number, Text: string) => {
    settings.log(Level > 1 ? 'error' : 'info', Text)
    connection.publishLater('event', connection.envelope({ Type, Level, Text: Text.slice(0, 500) }))
  }
  const tellState = () =>
    connection.publish(
      'state',
      connection.envelope({
        Online: 1,
        FirmwareVer: firmware,
        HardwareVer: 'soft',
        ConfigVersion: config?.ConfigVersion,
        Ip: connection.address,
        BootTime: bootTime,
        Capabilities: capabilities,
        Settings: settings.running(),
      }),
      true,
    )
  const heartbeat = async () => {
    const disk = await statfs(data).catch(() => undefined)
    const { readings, dropped } = buffer.stats
    if (!readings && Number.isFinite(fullNoticeAt)) {
      fullNoticeAt = Number.NEGATIVE_INFINITY
      logEvent(event.storageFull, 0, 'the buffer has room again: everything in it has been sent')
    }
    connection.publish(
      'heartbeat',
      connection.envelope({
        Cpu: round(Math.min(100, (loadavg()[0]! / cpus().length) * 100)),
        Mem: round((1 - freemem() / totalmem()) * 100),
        Disk: disk && round((1 - disk.bavail / disk.blocks) * 100),
        UpTime: Math.round((clock.now() - bootTime) / 1000),
        CacheCount: readings,
        Dropped: dropped,
        Devices: poller.health().slice(0, 2000),
      }),
    )
  }
  let beating: NodeJS.Timeout | undefined
  const beatSoon = (ms: number) => {
    clearTimeout(beating)
    beating = setTimeout(beat, ms)
  }
  const beat = () => {
    void heartbeat()
    beatSoon(Math.max(5, config?.HeartbeatPeriod ?? 60) * 1000)
  }
  const askTime = () => connection.publish('timesync', connection.envelope({ T1: clock.now() }))
  const asking = setInterval(askTime, timesyncMs)
  const unwatch = watchClock(clock, (ms) => {
    settings.log('info', `the machine's clock was set by ${Math.round(ms / 1000)} s`)
    askTime()
  })

  const connection = new Connection({
    server: options.server,
    sn,
    key: options.key,
    now: clock.now,
    reconnectMs: options.reconnectMs,
    onOnline: () => {
      settings.log('info', `connected to the server as ${sn}`)
      tellState()
      connection.publish('event', connection.envelope({ Type: event.online, Level: 0, Text: 'online' }))
      askTime()
      beat()
      outbox.online()
      poller.resend()
    },
    onOffline: (why) => {
      settings.log('error', `no connection to the server: ${why}`)
      clearTimeout(beating)
      outbox.offline()
    },
    onMessage: (kind, payload) => {
      settings.log('debug', `down/${kind}, ${payload.length} bytes`)
      void follow(kind, payload).catch((error: Error) => settings.log('error', `${kind}: ${error.message}`))
    },
  })
  const { salvaged } = buffer.stats
  if (salvaged !== undefined)
    logEvent(event.storageDamaged, 2, `the file of the buffer was damaged and put aside; ${salvaged} readings could be saved`)
  if (config) await poller.apply(config)

  let closing: Promise<void> | undefined
  const close = async () => {
    clearTimeout(beating)
    clearInterval(asking)
    unwatch()
    await poller.close()
    outbox.close()
    await connection.close()
    await buffer.close()
  }
  return {
    status: () => {
      const { readings, dropped } = buffer.stats
      if (!readings && Number.isFinite(fullNoticeAt)) {
        fullNoticeAt = Number.NEGATIVE_INFINITY
        logEvent(event.storageFull, 0, 'the buffer has room again: everything in it has been sent')
      }
      return {
        online: connection.online,
        configVersion: config?.ConfigVersion,
        queued: readings,
        dropped,
        malformed,
        devices: poller.health(),
      }
    },
    close: () => {
      closing ??= close()
      return closing
    },
  }
}

/** A buffer that opens with less than it is set to would drop readings. */
const bufferMb = ({ bufferMb = gatewaySettings.BufferSize.default }: GatewayOptions, config: Config | undefined) =>
  Number(config?.Settings?.BufferSize ?? bufferMb)

const round = (percent: number) => Math.round(percent * 10) / 10
