import { type RawBuilder, sql } from 'kysely'
import type { Change, Database } from '../../../../server/database/db.ts'
import type { PointMeta, PointRegistry } from '../../../../server/telemetry/sample.ts'
import { lookUps } from './lookups.ts'

/** What the server knows of a gateway without asking PostgreSQL. */
export type GatewayMeta = {
  Id: number
  EnterpriseId: number
  ProjectId: number
  GatewayName: string
  /** Null of a released gateway. */
  SN: string | null
  /** The box before this one. */
  FormerSN: string | null
  /** s */
  HeartbeatPeriod: number
  OnlineStatus: 0 | 1 | 2
  /** The version the gateway says it runs. */
  ConfigVersion: number | null
  /** 1 when it says that it is locked; null before its first report. */
  RemoteLock: 0 | 1 | null
  /** What it said that it can do; null before it said anything. */
  Capabilities: readonly string[] | null
}
/** With a serial number, as long as that is not taken from it. */
export type ConnectedGateway = GatewayMeta & { SN: string }
export type DeviceMeta = { Id: number; EnterpriseId: number; GatewayId: number; DeviceName: string; Status: number; ModelId: number | null }

export type Registry = PointRegistry & {
  gateway(sn: string): ConnectedGateway | undefined
  /** The gateway that this serial number was taken from, if no gateway has it now. */
  formerGateway(sn: string): GatewayMeta | undefined
  gatewayById(id: number): GatewayMeta | undefined
  gateways(): Iterable<GatewayMeta>
  device(id: number): DeviceMeta | undefined
  devicesOf(gatewayId: number): DeviceMeta[]
  pointsOf(gatewayId: number): readonly PointMeta[]
  /** Every point. */
  all(): Iterable<PointMeta>
  /** Resolves when all changes so far are applied. */
  settled(): Promise<void>
  /** Follows one committed change; answers the gateways whose configuration it may have changed. */
  refresh(change: Pick<Change, 'resource' | 'id'>): Promise<readonly number[]>
}

type Limits = Pick<PointMeta, 'IsStore' | 'AlarmLow' | 'AlarmHigh' | 'ProjectLow' | 'ProjectHigh' | 'AxisMin' | 'AxisMax' | 'ParaDataType'>
type PointRow = Limits & { Id: number; DeviceId: number; ParaName: string }

const pointColumns = sql.raw(
  '"Id", "DeviceId", "ParaName", "IsStore", "AlarmLow", "AlarmHigh", "ProjectLow", "ProjectHigh", "AxisMin", "AxisMax", "ParaDataType"',
)
const gatewayColumns = sql.raw(
  '"Id", "EnterpriseId", "ProjectId", "GatewayName", "SN", "FormerSN", "HeartbeatPeriod", "OnlineStatus", "ConfigVersion", "RemoteLock", "Capabilities"',
)
const deviceColumns = sql.raw('"Id", "EnterpriseId", "GatewayId", "DeviceName", "Status", "ModelId"')
const page = 20_000

/** Loads every gateway, device and point, and follows changes: about 250 bytes a point, names shared. */
export const openRegistry = async (database: Database): Promise<Registry> => {
  const db = database.system
  const gateways = new Map<number, GatewayMeta>()
  const bySn = new Map<string, ConnectedGateway>()
  const byFormerSn = new Map<string, GatewayMeta>()
  const devices = new Map<number, DeviceMeta>()
  const points = new Map<number, PointMeta>()
  /** Point ids by device, device ids by gateway. */
  const ofDevice = new Map<number, Set<number>>()
  const ofGateway = new Map<number, Set<number>>()
  /** Points by gateway id. */
  const lists = new Map<number, readonly PointMeta[]>()
  const listeners = new Set<Parameters<PointRegistry['onChange']>[0]>()
  const emit: Parameters<PointRegistry['onChange']>[0] = (...change) => {
    for (const listener of listeners) listener(...change)
  }
  const member = (groups: Map<number, Set<number>>, group: number, id: number, is: boolean) => {
    const set = groups.get(group) ?? new Set()
    if (is) groups.set(group, set.add(id))
    else if (set.delete(id) && !set.size) groups.delete(group)
  }

  const putPoint = (row: PointRow) => {
    const device = devices.get(row.DeviceId)
    const gateway = device && gateways.get(device.GatewayId)
    if (!gateway) return
    const { EnterpriseId, ProjectId, Id: GatewayId, SN } = gateway
    const { Id, DeviceId, ParaName, IsStore, AlarmLow, AlarmHigh, ProjectLow, ProjectHigh, AxisMin, AxisMax, ParaDataType } = row
    const { DeviceName } = device
    const meta: PointMeta = {
      ...{ Id, EnterpriseId, ProjectId, GatewayId, SN: SN ?? '', DeviceId, DeviceName, ParaName },
      ...{ IsStore, AlarmLow, AlarmHigh, ProjectLow, ProjectHigh, AxisMin, AxisMax, ParaDataType },
    }
    const before = points.get(Id)
    points.set(Id, meta)
    member(ofDevice, DeviceId, Id, true)
    lists.delete(GatewayId)
    if (before) lists.delete(before.GatewayId)
    emit(meta, before)
  }
  const dropPoint = (id: number) => {
    const old = points.get(id)
    if (!old) return
    points.delete(id)
    member(ofDevice, old.DeviceId, id, false)
    lists.delete(old.GatewayId)
    emit({ Id: id, removed: true })
  }
  const putDevice = (row: DeviceMeta) => {
    const old = devices.get(row.Id)
    if (old && old.GatewayId !== row.GatewayId) member(ofGateway, old.GatewayId, row.Id, false)
    devices.set(row.Id, row)
    member(ofGateway, row.GatewayId, row.Id, true)
  }
  const dropDevice = (id: number) => {
    for (const point of ofDevice.get(id) ?? []) dropPoint(point)
    const old = devices.get(id)
    if (old) member(ofGateway, old.GatewayId, id, false)
    devices.delete(id)
  }
  const putGateway = (row: GatewayMeta) => {
    gateways.set(row.Id, row)
    if (row.SN) bySn.set(row.SN, row as ConnectedGateway)
    if (row.FormerSN) byFormerSn.set(row.FormerSN, row)
  }
  /** Forgets the serial numbers of a gateway, unless another one has them by now. */
  const dropSerials = ({ Id, SN, FormerSN }: GatewayMeta) => {
    if (SN && bySn.get(SN)?.Id === Id) bySn.delete(SN)
    if (FormerSN && byFormerSn.get(FormerSN)?.Id === Id) byFormerSn.delete(FormerSN)
  }
  const dropGateway = (id: number) => {
    for (const device of ofGateway.get(id) ?? []) dropDevice(device)
    const old = gateways.get(id)
    if (old) dropSerials(old)
    lists.delete(id)
    gateways.delete(id)
  }

  const all = async <T extends { Id: number }>(query: (after: number) => RawBuilder<T>, put: (row: T) => void) => {
    for (let after = 0, rows: T[] = []; ; after = rows.at(-1)!.Id) {
      rows = await db.rows(query(after))
      rows.forEach(put)
      if (rows.length < page) return
    }
  }
  const from =
    <T>(columns: typeof pointColumns, table: string) =>
    (after: number) =>
      sql<T>`select ${columns} from ${sql.table(table)} where "Id" > ${after} order by "Id" limit ${page}`
  await all(from<GatewayMeta>(gatewayColumns, 'gateway'), putGateway)
  await all(from<DeviceMeta>(deviceColumns, 'device'), putDevice)
  await all(from<PointRow>(pointColumns, 'point'), putPoint)

  /** One reading after the other, so that an older answer never overwrites a newer one. */
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(read: () => Promise<T>): Promise<T> => {
    const next = last.then(read)
    last = next.catch(() => undefined)
    return next
  }

  /** Batches changes that arrive together, such as those of an import. */
  let waiting = new Set<number>()
  let reading: Promise<void> | undefined
  const readPoints = () => {
    reading ??= inTurn(async () => {
      const ids = waiting
      waiting = new Set()
      reading = undefined
      const rows = await db.rows(sql<PointRow>`select ${pointColumns} from point where "Id" = any(${[...ids]}::bigint[])`)
      for (const row of rows) {
        ids.delete(row.Id)
        putPoint(row)
      }
      for (const id of ids) dropPoint(id)
    })
    return reading
  }
  const reread = async (where: ReturnType<typeof sql>) =>
    (await db.rows(sql<PointRow>`select ${pointColumns} from point where ${where}`)).forEach(putPoint)

  const find = lookUps((ids) => {
    for (const id of ids) waiting.add(id)
    return readPoints()
  })
  const followPoint = async (id: number) => {
    const before = points.get(id)?.GatewayId
    waiting.add(id)
    await readPoints()
    return [before, points.get(id)?.GatewayId].filter((g) => g !== undefined)
  }
  const follow: Record<string, (id: number) => Promise<readonly number[]>> = {
    device: async (id) => {
      const before = devices.get(id)
      const [row] = await db.rows(sql<DeviceMeta>`select ${deviceColumns} from device where "Id" = ${id}`)
      if (!row) dropDevice(id)
      else {
        // Presence is newer in memory than in the table.
        putDevice({ ...row, Status: before?.Status ?? row.Status })
        // Fields of a device that its points depend on.
        const fields = ['DeviceName', 'GatewayId', 'ModelId'] as const
        if (!before || fields.some((name) => before[name] !== row[name])) await reread(sql`"DeviceId" = ${id}`)
      }
      return [...new Set([before?.GatewayId, row?.GatewayId].filter((g) => g !== undefined))]
    },
    gateway: async (id) => {
      const before = gateways.get(id)
      const [row] = await db.rows(sql<GatewayMeta>`select ${gatewayColumns} from gateway where "Id" = ${id}`)
      if (!row) {
        dropGateway(id)
        return []
      }
      const hasNewBox = before !== undefined && before.SN !== row.SN
      const moved = !before || before.ProjectId !== row.ProjectId || hasNewBox
      // Presence is newer in memory than in the table, but that of another box.
      const { OnlineStatus, ConfigVersion, RemoteLock, Capabilities } = before && !hasNewBox ? before : row
      if (before) dropSerials(before)
      putGateway(before ? Object.assign(before, row, { OnlineStatus, ConfigVersion, RemoteLock, Capabilities }) : row)
      if (moved) await reread(sql`"DeviceId" = any(${[...(ofGateway.get(id) ?? [])]}::bigint[])`)
      return [id]
    },
  }
  /** Gateways by the Ids of their settings: a setting that is removed has no row to ask. */
  const settings = new Map(
    (await db.rows(sql<{ Id: number; GatewayId: number }>`select "Id", "GatewayId" from gateway_para`)).map((s) => [s.Id, s.GatewayId]),
  )
  const followSetting = async (id: number) => {
    const [gateway = settings.get(id)] = await channel('gateway_para')(id)
    if (gateway !== undefined) settings.set(id, gateway)
    return gateway === undefined ? [] : [gateway]
  }
  const channel = (table: string) => async (id: number) =>
    (await db.rows(sql<{ GatewayId: number }>`select "GatewayId" from ${sql.table(table)} where "Id" = ${id}`)).map((r) => r.GatewayId)

  const pointsOf = (id: number): readonly PointMeta[] => {
    const cached = lists.get(id)
    if (cached) return cached
    const list = [...(ofGateway.get(id) ?? [])].flatMap((d) => [...(ofDevice.get(d) ?? [])].map((p) => points.get(p)!))
    lists.set(id, list)
    return list
  }

  return {
    get: (id) => points.get(id),
    find,
    ofGateway: (sn) => {
      const gateway = bySn.get(sn)
      return gateway ? pointsOf(gateway.Id) : []
    },
    pointsOf,
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    enterpriseOf: (sn) => (bySn.get(sn) ?? byFormerSn.get(sn))?.EnterpriseId,
    gateway: (sn) => bySn.get(sn),
    formerGateway: (sn) => (bySn.has(sn) ? undefined : byFormerSn.get(sn)),
    gatewayById: (id) => gateways.get(id),
    gateways: () => gateways.values(),
    device: (id) => devices.get(id),
    devicesOf: (gatewayId) => [...(ofGateway.get(gatewayId) ?? [])].map((id) => devices.get(id)!),
    all: () => points.values(),
    settled: async () => void (await last),
    refresh: async ({ resource, id }) => {
      if (resource === 'netProtocol') return channel('net_protocol')(id)
      if (resource === 'serialProtocol') return channel('serial_protocol')(id)
      if (resource === 'point') return followPoint(id)
      if (resource === 'gatewayPara') return followSetting(id)
      const found = follow[resource]
      return found ? inTurn(() => found(id)) : []
    },
  }
}
