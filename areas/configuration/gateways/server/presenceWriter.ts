import { sql } from 'kysely'
import type { GatewaySettings } from '../../../../contract/gateway-settings.ts'
import type { Change, Db } from '../../../../server/database/db.ts'
import type { GatewayMeta, Registry } from './registry.ts'

/** Gateway columns that messages fill; null means unchanged. Times are ISO texts. SN identifies the box. */
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
 * Writes all patches of a flush in one statement. It serves all tenants, so it skips rows that are locked. Returns the rows that it
 * wrote.
 */
const write = (table: string, patch: Record<string, string>, rows: readonly { Id: number }[]) => {
  const sets = Object.keys(patch).flatMap((name) => (name === 'SN' ? [] : [sql.raw(`"${name}" = coalesce(v."${name}", t."${name}")`)]))
  return sql<{ Id: number }>`
    with free as (select "Id" from ${sql.table(table)} where "Id" = any(${rows.map(({ Id }) => Id)}::bigint[]) order by "Id" for no key update skip locked)
    update ${sql.table(table)} t set ${sql.join(sets)} from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
    as v("Id" bigint, ${sql.join(names(patch))}), free where t."Id" = v."Id" and free."Id" = t."Id"
      ${'SN' in patch ? sql`and v."SN" = t."SN"` : sql``} returning t."Id"`
}

/** Class 22 of PostgreSQL: the data is invalid, and every retry would fail. */
const isBadData = (error: unknown) => (error as { code?: string }).code?.startsWith('22') ?? false

type Row = { Id: number; EnterpriseId: number }
type Pending = {
  gateways: Map<number, Patch<typeof gatewayPatch>>
  devices: Map<number, Patch<typeof devicePatch>>
  announced: Map<string, Change>
}
const nothing = (): Pending => ({ gateways: new Map(), devices: new Map(), announced: new Map() })
/** Later patches override earlier ones. */
const merge = <P>(older: Map<number, P>, newer: Map<number, P>) =>
  new Map([...older, ...[...newer].map(([id, values]) => [id, { ...older.get(id), ...values }] as const)])
const rowsOf = <P>(patches: Map<number, P>) => [...patches].map(([Id, values]) => ({ Id, ...values })).sort((a, b) => a.Id - b.Id)
const idsOf = (rows: readonly { Id: number }[]) => new Set(rows.map(({ Id }) => Id))

/** Collects changes of gateways and devices and writes them with one statement per table. Announces a row after the write. */
export class PresenceWriter {
  readonly #db: Db
  readonly #registry: Registry
  #pending = nothing()
  readonly #own = new WeakSet<Change>()

  constructor(db: Db, registry: Registry) {
    this.#db = db
    this.#registry = registry
  }

  announce(change: Change) {
    this.#own.add(change)
    this.#db.emit(change)
  }
  /** Whether this writer announced the change, so that no follower needs to read it. */
  isOwn(change: Change) {
    return this.#own.has(change)
  }

  patch({ Id, SN }: GatewayMeta, values: Patch<typeof gatewayPatch>) {
    if (SN === null) return
    const { gateways } = this.#pending
    gateways.set(Id, { ...gateways.get(Id), SN, ...Object.fromEntries(Object.entries(values).filter(([, v]) => v !== undefined)) })
  }
  patchDevice(id: number, values: Patch<typeof devicePatch>) {
    const { devices } = this.#pending
    devices.set(id, { ...devices.get(id), ...values })
  }
  /** Marks the row for an announcement after the next write. */
  mark(resource: 'gateway' | 'device', { Id, EnterpriseId }: Row, ProjectId: number) {
    this.#pending.announced.set(`${resource}/${Id}`, { resource, id: Id, verb: 'update', EnterpriseId, ProjectId })
  }
  forget(gateway: number) {
    this.#pending.gateways.delete(gateway)
  }

  #restore({ gateways, devices, announced }: Pending) {
    const newer = this.#pending
    this.#pending = {
      gateways: merge(gateways, newer.gateways),
      devices: merge(devices, newer.devices),
      announced: new Map([...announced, ...newer.announced]),
    }
  }

  /** Returns the written rows of each table. If PostgreSQL refuses a row, each row is written separately, and only the bad one is dropped. */
  async #writeAll(patches: readonly { table: string; patch: Record<string, string>; rows: { Id: number }[] }[]) {
    try {
      return (await this.#db.all(patches.map(({ table, patch, rows }) => write(table, patch, rows)))).map(idsOf)
    } catch (error) {
      if (!isBadData(error)) throw error
    }
    return Promise.all(
      patches.map(async ({ table, patch, rows }) => {
        const written = new Set<number>()
        for (const row of rows)
          for (const { Id } of await this.#db.rows(write(table, patch, [row])).catch((reason) => {
            if (!isBadData(reason)) throw reason
            return [row]
          }))
            written.add(Id)
        return written
      }),
    )
  }

  /** Skipped while another write runs. */
  async write() {
    const pending = this.#pending
    const { gateways, devices, announced } = pending
    if (!gateways.size && !devices.size && !announced.size) return
    this.#pending = nothing()
    const patches = [
      { table: 'gateway', patch: gatewayPatch, rows: rowsOf(gateways) },
      { table: 'device', patch: devicePatch, rows: rowsOf(devices) },
    ]
    const written = await this.#writeAll(patches).catch((error) => {
      this.#restore(pending)
      throw error
    })
    // Locked rows and their announcements wait for the next write.
    // Reports of the gateway's former box are obsolete.
    const isCurrent = (id: number) => this.#registry.gatewayById(id)?.SN === gateways.get(id)!.SN
    const isLeft = (at: number, id: number) => !written[at]!.has(id) && (at === 0 ? isCurrent(id) : this.#registry.device(id))
    const left = <P>(of: Map<number, P>, at: number) => new Map([...of].filter(([id]) => isLeft(at, id)))
    const [gatewaysLeft, devicesLeft] = [left(gateways, 0), left(devices, 1)]
    const waits = ({ resource, id }: Change) => (resource === 'gateway' ? gatewaysLeft : devicesLeft).has(id)
    this.#restore({
      gateways: gatewaysLeft,
      devices: devicesLeft,
      announced: new Map([...announced].filter(([, change]) => waits(change))),
    })
    for (const change of announced.values()) if (!waits(change)) this.announce(change)
  }
}
