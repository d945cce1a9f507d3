import type { Static } from 'typebox'
import type { DeviceHealth, Up } from '../../../../contract/gateway-protocol.ts'
import { settingsCapability } from '../../../../contract/gateway-settings.ts'
import { Quality } from '../../../../contract/telemetry.ts'
import { shortened } from '../../../../contract/text.ts'
import type { Change, Database } from '../../../../server/database/db.ts'
import { PresenceWriter } from './presenceWriter.ts'
import type { GatewayMeta, Registry } from './registry.ts'

/** Limits of the contract's fields: numbers up to 1e15, texts of 50 characters. */
const measure = (n: number | undefined) => (n !== undefined && Math.abs(n) <= 1e15 ? n : undefined)
const label = (text: string | undefined) => text && shortened(text, 50)
/** A count that fits its column. */
const within = (n: number | undefined, most = 1e15) => (n !== undefined && n >= 0 && n <= most ? n : undefined)

/** Maximum stored capabilities of a gateway. */
const mostCapabilities = 50
/** Status of a device that was never seen. */
const neverHeardOf = 3
/** Interval at which the time of the newest reading is written for devices that send continuously, ms: each is a row. */
const dataTimesEvery = 5000

/** Silence after which a gateway counts as offline, ms. */
export const patience = (heartbeatPeriod: number) => Math.max(180_000, 3 * heartbeatPeriod * 1000)

const iso = (ms: number) => new Date(ms).toISOString()

/**
 * Presence of gateways. Messages update memory immediately and PostgreSQL with the next flush, one statement for all gateways.
 * A gateway is online with its birth or any message, offline with its will or after silence (`patience`), by `steady`, a
 * monotonic clock in ms.
 */
export class Presence {
  readonly #registry: Registry
  readonly #writer: PresenceWriter
  readonly #now: () => number
  readonly #steady: () => number
  readonly #lastSeen = new Map<number, number>()
  /** Newest live reading of each device, epoch ms: written as text only with the flush. */
  readonly #dataTimes = new Map<number, number>()
  #dataTimesAt = Number.NEGATIVE_INFINITY
  /** Devices that went offline with their gateway. Their next good reading marks them online; their next health report may take minutes. */
  readonly #lostWithGateway = new Set<number>()
  #flushing: Promise<void> = Promise.resolve()

  constructor(database: Database, registry: Registry, now: () => number = Date.now, steady: () => number = now) {
    this.#registry = registry
    this.#writer = new PresenceWriter(database.system, registry)
    this.#now = now
    this.#steady = steady
  }

  #deviceStatus(gateway: GatewayMeta, id: number, status: number) {
    const device = this.#registry.device(id)
    if (!device || device.GatewayId !== gateway.Id) return false
    if (device.Status !== status) {
      device.Status = status
      this.#writer.patchDevice(id, { Status: status })
      this.#writer.mark('device', device, gateway.ProjectId)
    }
    return true
  }

  #loseDevices(gateway: GatewayMeta) {
    for (const device of this.#registry.devicesOf(gateway.Id)) {
      if (device.Status === neverHeardOf) continue
      if (device.Status === 1) this.#lostWithGateway.add(device.Id)
      this.#deviceStatus(gateway, device.Id, 0)
    }
  }

  #turn(gateway: GatewayMeta, online: boolean) {
    if ((gateway.OnlineStatus === 1) === online) return
    if (!online && gateway.OnlineStatus === 2) return
    gateway.OnlineStatus = online ? 1 : 0
    this.#writer.patch(gateway, { OnlineStatus: gateway.OnlineStatus, [online ? 'LastOnlineTime' : 'LastOfflineTime']: iso(this.#now()) })
    this.#writer.mark('gateway', gateway, gateway.ProjectId)
    if (!online) this.#loseDevices(gateway)
  }

  #comeBack(id: number) {
    const gateway = this.#registry.gatewayById(this.#registry.device(id)?.GatewayId ?? 0)
    if (gateway?.OnlineStatus !== 1) return
    this.#lostWithGateway.delete(id)
    this.#deviceStatus(gateway, id, 1)
  }

  /** Any message of a gateway except its will. */
  seen(gateway: GatewayMeta) {
    this.#lastSeen.set(gateway.Id, this.#steady())
    this.#turn(gateway, true)
  }
  /** Handles a birth or will; returns true if the gateway runs another configuration than before. */
  state(gateway: GatewayMeta, data: Up['state']['Data']): boolean {
    if (!data.Online) {
      this.#turn(gateway, false)
      return false
    }
    const version = within(data.ConfigVersion, 0x7fffffff)
    const [Ip, FirmwareVer, HardwareVer, CCID] = [data.Ip, data.FirmwareVer, data.HardwareVer, data.CCID].map(label)
    const Capabilities = (data.Capabilities ?? []).slice(0, mostCapabilities)
    const hadSettings = gateway.Capabilities?.includes(settingsCapability) ?? false
    gateway.Capabilities = Capabilities
    this.#writer.patch(gateway, {
      Ip,
      FirmwareVer,
      HardwareVer,
      CCID,
      ConfigVersion: version,
      Capabilities,
      ReportedSettings: data.Settings ?? {},
    })
    this.#writer.mark('gateway', gateway, gateway.ProjectId)
    const changed = version !== undefined && version !== gateway.ConfigVersion
    if (changed) gateway.ConfigVersion = version
    return changed || hadSettings !== Capabilities.includes(settingsCapability)
  }
  heartbeat(gateway: GatewayMeta, data: Up['heartbeat']['Data']) {
    const [Rssi, CpuRate, MemRate, DiskRate, UpTime] = [data.Rssi, data.Cpu, data.Mem, data.Disk, data.UpTime].map(measure)
    const CacheCount = within(data.CacheCount)
    this.#writer.patch(gateway, { LastHeartbeatTime: iso(this.#now()), Rssi, CpuRate, MemRate, DiskRate, UpTime, CacheCount })
    const { RemoteLock } = data
    if (RemoteLock !== undefined && RemoteLock !== gateway.RemoteLock) {
      gateway.RemoteLock = RemoteLock
      this.#writer.patch(gateway, { RemoteLock, RemoteLockTime: iso(this.#now()) })
      this.#writer.mark('gateway', gateway, gateway.ProjectId)
    }
    for (const { DeviceId, Status, OkCount, ErrCount } of (data.Devices ?? []) as Static<typeof DeviceHealth>[])
      if ([0, 1, 2].includes(Status) && this.#deviceStatus(gateway, DeviceId, Status)) {
        this.#lostWithGateway.delete(DeviceId)
        this.#writer.patchDevice(DeviceId, { OkCount: within(OkCount), ErrCount: within(ErrCount) })
      }
  }
  /** Server clock minus gateway clock, ms. */
  offset(gateway: GatewayMeta, ms: number) {
    this.#writer.patch(gateway, { TimeOffsetMs: measure(ms) })
  }
  /** Live readings of these points have been stored. */
  stored(samples: readonly { point: number; time: number; quality?: number }[]) {
    for (const { point, time, quality = 0 } of samples) {
      const device = this.#registry.get(point)?.DeviceId
      if (device === undefined) continue
      if (time > (this.#dataTimes.get(device) ?? 0)) this.#dataTimes.set(device, time)
      if (quality <= Quality.uncertain && this.#lostWithGateway.has(device)) this.#comeBack(device)
    }
  }
  /** Marks gateways offline after too long a silence. Those that were online at our start get a full period. */
  tick() {
    for (const gateway of this.#registry.gateways()) {
      if (gateway.OnlineStatus !== 1) continue
      const last = this.#lastSeen.get(gateway.Id)
      if (last === undefined) this.#lastSeen.set(gateway.Id, this.#steady())
      else if (this.#steady() - last > patience(gateway.HeartbeatPeriod)) this.#turn(gateway, false)
    }
    for (const id of this.#lastSeen.keys()) if (!this.#registry.gatewayById(id)) this.#lastSeen.delete(id)
  }
  /** The gateway was released from its hardware: drops pending updates and marks its devices offline. */
  forget(id: number) {
    this.#writer.forget(id)
    this.#lastSeen.delete(id)
    const gateway = this.#registry.gatewayById(id)
    if (gateway) this.#loseDevices(gateway)
  }

  #takeDataTimes(everything: boolean) {
    const due = everything || this.#steady() - this.#dataTimesAt >= dataTimesEvery
    if (due) this.#dataTimesAt = this.#steady()
    for (const [id, time] of this.#dataTimes) {
      const device = this.#registry.device(id)
      if (!due && device?.Status !== neverHeardOf) continue
      this.#dataTimes.delete(id)
      this.#writer.patchDevice(id, { LastDataTime: iso(time) })
      const gateway = device && this.#registry.gatewayById(device.GatewayId)
      // The next heartbeat may take minutes.
      if (gateway && device.Status === neverHeardOf) this.#deviceStatus(gateway, id, 1)
    }
  }

  /** Writes pending updates. `everything` includes those that are normally written at intervals. */
  flush(everything = false) {
    const done = this.#flushing.then(() => {
      this.#takeDataTimes(everything)
      return this.#writer.write()
    })
    this.#flushing = done.catch(() => undefined)
    return done
  }
  /** Announces a change that this area made itself. */
  announce(change: Change) {
    this.#writer.announce(change)
  }
  isOwn(change: Change) {
    return this.#writer.isOwn(change)
  }
}
