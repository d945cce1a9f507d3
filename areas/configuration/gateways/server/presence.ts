import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { DeviceHealth, Up } from '../../../../contract/gateway-protocol.ts'
import { type GatewaySettings, settingsCapability } from '../../../../contract/gateway-settings.ts'
import { Quality } from '../../../../contract/telemetry.ts'
import { shortened } from '../../../../contract/text.ts'
import type { Change, Database } from '../../../../server/database/db.ts'
import type { GatewayMeta, Registry } from './registry.ts'

/** Columns of a gateway that its messages fill; null = unchanged. Moments are ISO texts. SN says which box it was. */
const gatewayPatch = {
  SN: 'text',
  OnlineStatus: 'smallint',
  ConfigVersion: 'integer',
  LastHeartbeatTime: 'timestamptz',
  LastOnlineTime: 'timestamptz',
  LastOfflineTime: 'timestamptz',
  Ip: 'text',
  FirmwareVer: 'text',
  HardwareVer: 'text',
  CCID: 'text',
  Rssi: 'double precision',
  CpuRate: 'double precision',
  MemRate: 'double precision',
  DiskRate: 'double precision',
  UpTime: 'double precision',
  TimeOffsetMs: 'double precision',
  CacheCount: 'bigint',
  RemoteLock: 'smallint',
  RemoteLockTime: 'timestamptz',
  Capabilities: 'jsonb',
  ReportedSettings: 'jsonb',
} as const
const devicePatch = { Status: 'smallint', OkCount: 'bigint', ErrCount: 'bigint', LastDataTime: 'timestamptz' } as const

type Patch<T> = { [K in keyof T]?: string | number | readonly string[] | GatewaySettings }

const names = (patch: Record<string, string>) => Object.entries(patch).map(([name, type]) => sql.raw(`"${name}" ${type}`))
/**
 * All patches of a flush in one statement. It serves all tenants, so it waits for no row that somebody is changing; answers the rows that
 * it has written.
 */
const write = (table: string, patch: Record<string, string>, rows: readonly { Id: number }[]) => {
  const sets = Object.keys(patch).flatMap((name) => (name === 'SN' ? [] : [sql.raw(`"${name}" = coalesce(v."${name}", t."${name}")`)]))
  return sql<{ Id: number }>`
    with free as (select "Id" from ${sql.table(table)} where "Id" = any(${rows.map(({ Id }) => Id)}::bigint[]) order by "Id" for no key update skip locked)
    update ${sql.table(table)} t set ${sql.join(sets)} from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
    as v("Id" bigint, ${sql.join(names(patch))}), free where t."Id" = v."Id" and free."Id" = t."Id"
      ${'SN' in patch ? sql`and v."SN" = t."SN"` : sql``} returning t."Id"`
}

/** What the contract's fields can hold: numbers up to 1e15, texts of 50. */
const measure = (n: number | undefined) => (n !== undefined && Math.abs(n) <= 1e15 ? n : undefined)
const label = (text: string | undefined) => text && shortened(text, 50)
/** Class 22 of PostgreSQL: the data itself is refused, now and at every further try. */
const isBadData = (error: unknown) => (error as { code?: string }).code?.startsWith('22') ?? false
/** A count that its column can hold. */
const within = (n: number | undefined, most = 1e15) => (n !== undefined && n >= 0 && n <= most ? n : undefined)

/** Capabilities of a gateway that are stored. */
const mostCapabilities = 50
/** Status of a device. */
const neverHeardOf = 3
/** Of devices that send all the time the time of their newest reading is written so often, ms: each is a row. */
const dataTimesEvery = 5000

/** Silence after which a gateway counts as gone, ms. */
export const patience = (heartbeatPeriod: number) => Math.max(180_000, 3 * heartbeatPeriod * 1000)

/**
 * Presence of gateways. Messages update memory immediately and PostgreSQL with the next flush, one statement for all gateways.
 * A gateway is online with its birth or any message, offline with its will or after silence (`patience`), by `steady`, a
 * monotonic clock in ms.
 */
export const openPresence = (database: Database, registry: Registry, now: () => number = Date.now, steady: () => number = now) => {
  const db = database.system
  const lastSeen = new Map<number, number>()
  let gateways = new Map<number, Patch<typeof gatewayPatch>>()
  let devices = new Map<number, Patch<typeof devicePatch>>()
  let announced = new Map<string, Change>()
  /** Newest live reading of each device, epoch ms: written as text only with the flush. */
  const dataTimes = new Map<number, number>()
  /** Devices that went offline with their gateway. Their next good reading says that they are back; their health may be minutes away. */
  const lostWithGateway = new Set<number>()
  let dataTimesAt = Number.NEGATIVE_INFINITY
  let flushing: Promise<void> = Promise.resolve()
  const own = new WeakSet<Change>()
  const announce = (change: Change) => {
    own.add(change)
    db.emit(change)
  }
  const iso = (ms: number) => new Date(ms).toISOString()

  const patch = (gateway: GatewayMeta, values: Patch<typeof gatewayPatch>) => {
    const { Id, SN } = gateway
    if (SN === null) return
    gateways.set(Id, { ...gateways.get(Id), SN, ...Object.fromEntries(Object.entries(values).filter(([, v]) => v !== undefined)) })
  }
  const patchDevice = (id: number, values: Patch<typeof devicePatch>) => devices.set(id, { ...devices.get(id), ...values })
  const mark = (resource: 'gateway' | 'device', row: { Id: number; EnterpriseId: number }, ProjectId: number) =>
    announced.set(`${resource}/${row.Id}`, { resource, id: row.Id, verb: 'update', EnterpriseId: row.EnterpriseId, ProjectId })
  const deviceStatus = (gateway: GatewayMeta, id: number, status: number) => {
    const device = registry.device(id)
    if (!device || device.GatewayId !== gateway.Id) return false
    if (device.Status !== status) {
      device.Status = status
      patchDevice(id, { Status: status })
      mark('device', device, gateway.ProjectId)
    }
    return true
  }

  const loseDevices = (gateway: GatewayMeta) => {
    for (const device of registry.devicesOf(gateway.Id)) {
      if (device.Status === neverHeardOf) continue
      if (device.Status === 1) lostWithGateway.add(device.Id)
      deviceStatus(gateway, device.Id, 0)
    }
  }

  const turn = (gateway: GatewayMeta, online: boolean) => {
    if ((gateway.OnlineStatus === 1) === online) return
    if (!online && gateway.OnlineStatus === 2) return
    gateway.OnlineStatus = online ? 1 : 0
    patch(gateway, { OnlineStatus: gateway.OnlineStatus, [online ? 'LastOnlineTime' : 'LastOfflineTime']: iso(now()) })
    mark('gateway', gateway, gateway.ProjectId)
    if (!online) loseDevices(gateway)
  }

  const comeBack = (id: number) => {
    const gateway = registry.gatewayById(registry.device(id)?.GatewayId ?? 0)
    if (gateway?.OnlineStatus !== 1) return
    lostWithGateway.delete(id)
    deviceStatus(gateway, id, 1)
  }

  /** What comes later is newer. */
  const merge = <P>(older: Map<number, P>, newer: Map<number, P>) =>
    new Map([...older, ...[...newer].map(([id, values]) => [id, { ...older.get(id), ...values }] as const)])
  const restore = (g: typeof gateways, d: typeof devices, t: typeof announced) => {
    gateways = merge(g, gateways)
    devices = merge(d, devices)
    announced = new Map([...t, ...announced])
  }
  /** The rows of each table that were written. PostgreSQL may refuse one of them: then each is written by itself, and only the bad one dropped. */
  const writeAll = async (patches: readonly { table: string; patch: Record<string, string>; rows: { Id: number }[] }[]) => {
    const idsOf = (rows: readonly { Id: number }[]) => new Set(rows.map(({ Id }) => Id))
    try {
      return (await db.all(patches.map(({ table, patch, rows }) => write(table, patch, rows)))).map(idsOf)
    } catch (error) {
      if (!isBadData(error)) throw error
    }
    return Promise.all(
      patches.map(async ({ table, patch, rows }) => {
        const written = new Set<number>()
        for (const row of rows)
          for (const { Id } of await db.rows(write(table, patch, [row])).catch((reason) => {
            if (!isBadData(reason)) throw reason
            return [row]
          }))
            written.add(Id)
        return written
      }),
    )
  }

  const flush = (everything = false) => {
    flushing = flushing.then(async () => {
      const due = everything || steady() - dataTimesAt >= dataTimesEvery
      if (due) dataTimesAt = steady()
      for (const [id, time] of dataTimes) {
        const device = registry.device(id)
        if (!due && device?.Status !== neverHeardOf) continue
        dataTimes.delete(id)
        patchDevice(id, { LastDataTime: iso(time) })
        const gateway = device && registry.gatewayById(device.GatewayId)
        // Its heartbeat may be minutes away.
        if (gateway && device.Status === neverHeardOf) deviceStatus(gateway, id, 1)
      }
      if (!gateways.size && !devices.size && !announced.size) return
      const [g, d, t] = [gateways, devices, announced]
      gateways = new Map()
      devices = new Map()
      announced = new Map()
      const rows = <P>(patches: Map<number, P>) => [...patches].map(([Id, values]) => ({ Id, ...values })).sort((a, b) => a.Id - b.Id)
      const patches = [
        { table: 'gateway', patch: gatewayPatch, rows: rows(g) },
        { table: 'device', patch: devicePatch, rows: rows(d) },
      ]
      const written = await writeAll(patches).catch((error) => {
        restore(g, d, t)
        throw error
      })
      // Rows that somebody is changing wait for the next flush, with what is to be announced of them.
      // What another box of a gateway has said is of no use.
      const isCurrent = (id: number) => registry.gatewayById(id)?.SN === g.get(id)!.SN
      const isLeft = (at: number, id: number) => !written[at]!.has(id) && (at === 0 ? isCurrent(id) : registry.device(id))
      const left = <P>(of: Map<number, P>, at: number) => new Map([...of].filter(([id]) => isLeft(at, id)))
      const [gatewaysLeft, devicesLeft] = [left(g, 0), left(d, 1)]
      const waits = ({ resource, id }: Change) => (resource === 'gateway' ? gatewaysLeft : devicesLeft).has(id)
      restore(gatewaysLeft, devicesLeft, new Map([...t].filter(([, change]) => waits(change))))
      for (const change of t.values()) if (!waits(change)) announce(change)
    })
    const done = flushing
    flushing = flushing.catch(() => undefined)
    return done
  }

  return {
    /** Any message of a gateway but its will. */
    seen(gateway: GatewayMeta) {
      lastSeen.set(gateway.Id, steady())
      turn(gateway, true)
    },
    /** Birth or will; true when it runs another configuration than before. */
    state(gateway: GatewayMeta, data: Up['state']['Data']): boolean {
      if (!data.Online) {
        turn(gateway, false)
        return false
      }
      const version = within(data.ConfigVersion, 0x7fffffff)
      const [Ip, FirmwareVer, HardwareVer, CCID] = [data.Ip, data.FirmwareVer, data.HardwareVer, data.CCID].map(label)
      const Capabilities = (data.Capabilities ?? []).slice(0, mostCapabilities)
      const hadSettings = gateway.Capabilities?.includes(settingsCapability) ?? false
      gateway.Capabilities = Capabilities
      patch(gateway, { Ip, FirmwareVer, HardwareVer, CCID, ConfigVersion: version, Capabilities, ReportedSettings: data.Settings ?? {} })
      mark('gateway', gateway, gateway.ProjectId)
      const changed = version !== undefined && version !== gateway.ConfigVersion
      if (changed) gateway.ConfigVersion = version
      return changed || hadSettings !== Capabilities.includes(settingsCapability)
    },
    heartbeat(gateway: GatewayMeta, data: Up['heartbeat']['Data']) {
      const [Rssi, CpuRate, MemRate, DiskRate, UpTime] = [data.Rssi, data.Cpu, data.Mem, data.Disk, data.UpTime].map(measure)
      const CacheCount = within(data.CacheCount)
      patch(gateway, { LastHeartbeatTime: iso(now()), Rssi, CpuRate, MemRate, DiskRate, UpTime, CacheCount })
      const { RemoteLock } = data
      if (RemoteLock !== undefined && RemoteLock !== gateway.RemoteLock) {
        gateway.RemoteLock = RemoteLock
        patch(gateway, { RemoteLock, RemoteLockTime: iso(now()) })
        mark('gateway', gateway, gateway.ProjectId)
      }
      for (const { DeviceId, Status, OkCount, ErrCount } of (data.Devices ?? []) as Static<typeof DeviceHealth>[])
        if ([0, 1, 2].includes(Status) && deviceStatus(gateway, DeviceId, Status)) {
          lostWithGateway.delete(DeviceId)
          patchDevice(DeviceId, { OkCount: within(OkCount), ErrCount: within(ErrCount) })
        }
    },
    /** ms, server's clock minus the gateway's. */
    offset: (gateway: GatewayMeta, ms: number) => patch(gateway, { TimeOffsetMs: measure(ms) }),
    /** Live readings of these points have been stored. */
    stored(samples: readonly { point: number; time: number; quality?: number }[]) {
      for (const { point, time, quality = 0 } of samples) {
        const device = registry.get(point)?.DeviceId
        if (device === undefined) continue
        if (time > (dataTimes.get(device) ?? 0)) dataTimes.set(device, time)
        if (quality <= Quality.uncertain && lostWithGateway.has(device)) comeBack(device)
      }
    },
    /** Ends the presence of gateways that have been silent for too long. Those that were online at our start get a full period. */
    tick() {
      for (const gateway of registry.gateways()) {
        if (gateway.OnlineStatus !== 1) continue
        const last = lastSeen.get(gateway.Id)
        if (last === undefined) lastSeen.set(gateway.Id, steady())
        else if (steady() - last > patience(gateway.HeartbeatPeriod)) turn(gateway, false)
      }
      for (const id of lastSeen.keys()) if (!registry.gatewayById(id)) lastSeen.delete(id)
    },
    /** Its box was taken from it: nothing that waits is true any more, and its devices are offline. */
    forget(id: number) {
      gateways.delete(id)
      lastSeen.delete(id)
      const gateway = registry.gatewayById(id)
      if (gateway) loseDevices(gateway)
    },
    /** What has come since the last time; `everything` at the end, with what is else written now and then. */
    flush,
    /** Announces a change that this area made itself. */
    announce,
    isOwn: (change: Change) => own.has(change),
  }
}
export type Presence = ReturnType<typeof openPresence>
