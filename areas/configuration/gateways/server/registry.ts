import { type RawBuilder, sql } from 'kysely'
import type { Change, Database, Db } from '../../../../server/database/db.ts'
import { serial } from '../../../../server/jobs/serial.ts'
import { inSlices } from '../../../../server/jobs/slices.ts'
import type { PointMeta, PointRegistry } from '../../../../server/telemetry/sample.ts'
import { lookUps } from './lookups.ts'
import { type ConnectedGateway, type DeviceMeta, type GatewayMeta, PlantIndex, type PointRow } from './plantIndex.ts'

export type { ConnectedGateway, DeviceMeta, GatewayMeta } from './plantIndex.ts'

export type Registry = PointRegistry & {
  gateway(sn: string): ConnectedGateway | undefined
  /** The gateway that had this serial number before, if no gateway has it now. */
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
  /** Follows one committed change; returns the gateways whose configuration it may have changed. */
  refresh(change: Pick<Change, 'resource' | 'id'>): Promise<readonly number[]>
}

const pointColumns = sql.raw(
  '"Id", "DeviceId", "ParaName", "IsStore", "AlarmLow", "AlarmHigh", "ProjectLow", "ProjectHigh", "AxisMin", "AxisMax", "ParaDataType"',
)
const gatewayColumns = sql.raw(
  '"Id", "EnterpriseId", "ProjectId", "GatewayName", "GatewayTypeId", "SN", "FormerSN", "HeartbeatPeriod", "OnlineStatus", "ConfigVersion", "RemoteLock", "Capabilities"',
)
const deviceColumns = sql.raw('"Id", "EnterpriseId", "GatewayId", "DeviceName", "Status", "ModelId"')
const page = 20_000

const rowsAfter =
  <T>(columns: typeof pointColumns, table: string) =>
  (after: number) =>
    sql<T>`select ${columns} from ${sql.table(table)} where "Id" > ${after} order by "Id" limit ${page}`
/** Reads a table page by page. */
const readAll = async <T extends { Id: number }>(db: Db, query: (after: number) => RawBuilder<T>, put: (row: T) => void) => {
  for (let after = 0, rows: T[] = []; ; after = rows.at(-1)!.Id) {
    rows = await db.rows(query(after))
    rows.forEach(put)
    if (rows.length < page) return
  }
}
const gatewaysOf = async (db: Db, table: string, id: number) =>
  (await db.rows(sql<{ GatewayId: number }>`select "GatewayId" from ${sql.table(table)} where "Id" = ${id}`)).map((r) => r.GatewayId)

/** Gateways with a channel of this described protocol. */
const describedGateways = async (db: Db, id: number) => {
  const rows = await db.rows<{ GatewayId: number }>(sql`
    select "GatewayId" from net_protocol where "SelfParseId" = ${id} union select "GatewayId" from serial_protocol where "SelfParseId" = ${id}`)
  return rows.map(({ GatewayId }) => GatewayId)
}

/** Rereads the rows of changed points. Changes that arrive together, such as those of an import, are one query. */
const pointReader = (db: Db, index: PlantIndex, inTurn: ReturnType<typeof serial>) => {
  let waiting = new Set<number>()
  let reading: Promise<void> | undefined
  return (ids: readonly number[]) => {
    for (const id of ids) waiting.add(id)
    reading ??= inTurn(async () => {
      const ids = waiting
      waiting = new Set()
      reading = undefined
      const rows = await db.rows(sql<PointRow>`select ${pointColumns} from point where "Id" = any(${[...ids]}::bigint[])`)
      for (const row of rows) {
        ids.delete(row.Id)
        index.putPoint(row)
      }
      for (const id of ids) index.dropPoint(id)
    })
    return reading
  }
}

/** Follows one changed row; returns the gateways whose configuration it may have changed. */
const follower = (db: Db, index: PlantIndex) => {
  /** Yields to other calls: a gateway may have 40,000 points. Changes that arrive in the meantime are queued. */
  const reread = async (where: ReturnType<typeof sql>) => {
    await inSlices(
      await db.rows(sql<PointRow>`select ${pointColumns} from point where ${where}`),
      () => 1,
      (row) => index.putPoint(row),
    )
  }
  return {
    device: async (id: number) => {
      const before = index.devices.get(id)
      const [row] = await db.rows(sql<DeviceMeta>`select ${deviceColumns} from device where "Id" = ${id}`)
      if (!row) index.dropDevice(id)
      else {
        // Memory has newer presence than the table.
        index.putDevice({ ...row, Status: before?.Status ?? row.Status })
        // Device fields that its points depend on.
        const fields = ['DeviceName', 'GatewayId', 'ModelId'] as const
        if (!before || fields.some((name) => before[name] !== row[name])) await reread(sql`"DeviceId" = ${id}`)
      }
      return [...new Set([before?.GatewayId, row?.GatewayId].filter((g) => g !== undefined))]
    },
    gateway: async (id: number) => {
      const before = index.gateways.get(id)
      const [row] = await db.rows(sql<GatewayMeta>`select ${gatewayColumns} from gateway where "Id" = ${id}`)
      if (!row) {
        index.dropGateway(id)
        return []
      }
      const hasNewBox = before !== undefined && before.SN !== row.SN
      const moved = !before || before.ProjectId !== row.ProjectId || hasNewBox
      // Memory has newer presence than the table, unless it is that of another box.
      const { OnlineStatus, ConfigVersion, RemoteLock, Capabilities } = before && !hasNewBox ? before : row
      if (before) index.dropSerials(before)
      index.putGateway(before ? Object.assign(before, row, { OnlineStatus, ConfigVersion, RemoteLock, Capabilities }) : row)
      if (moved) await reread(sql`"DeviceId" = any(${index.deviceIdsOf(id)}::bigint[])`)
      return [id]
    },
  }
}

/** Gateways by the Ids of their settings: a deleted setting has no row to read. */
const settingFollower = async (db: Db) => {
  const settings = new Map(
    (await db.rows(sql<{ Id: number; GatewayId: number }>`select "Id", "GatewayId" from gateway_para`)).map((s) => [s.Id, s.GatewayId]),
  )
  return async (id: number) => {
    const [gateway = settings.get(id)] = await gatewaysOf(db, 'gateway_para', id)
    if (gateway !== undefined) settings.set(id, gateway)
    return gateway === undefined ? [] : [gateway]
  }
}

/** Loads all gateways, devices and points, and follows changes. */
export const openRegistry = async (database: Database): Promise<Registry> => {
  const db = database.system
  const index = new PlantIndex()
  const { points, devices, gateways, bySn, byFormerSn } = index
  await readAll(db, rowsAfter<GatewayMeta>(gatewayColumns, 'gateway'), (row) => index.putGateway(row))
  await readAll(db, rowsAfter<DeviceMeta>(deviceColumns, 'device'), (row) => index.putDevice(row))
  await readAll(db, rowsAfter<PointRow>(pointColumns, 'point'), (row) => index.putPoint(row))

  /** Reads one at a time, so that an older result never overwrites a newer one. */
  const inTurn = serial()
  const readPoints = pointReader(db, index, inTurn)
  const follow = follower(db, index)
  const followSetting = await settingFollower(db)
  const followPoint = async (id: number) => {
    const before = points.get(id)?.GatewayId
    await readPoints([id])
    return [before, points.get(id)?.GatewayId].filter((g) => g !== undefined)
  }

  return {
    get: (id) => points.get(id),
    find: lookUps(readPoints),
    ofGateway: (sn) => {
      const gateway = bySn.get(sn)
      return gateway ? index.pointsOf(gateway.Id) : []
    },
    pointsOf: (id) => index.pointsOf(id),
    onChange: (listener) => index.onChange(listener),
    enterpriseOf: (sn) => (bySn.get(sn) ?? byFormerSn.get(sn))?.EnterpriseId,
    gateway: (sn) => bySn.get(sn),
    formerGateway: (sn) => (bySn.has(sn) ? undefined : byFormerSn.get(sn)),
    gatewayById: (id) => gateways.get(id),
    gateways: () => gateways.values(),
    device: (id) => devices.get(id),
    devicesOf: (gatewayId) => index.deviceIdsOf(gatewayId).map((id) => devices.get(id)!),
    all: () => points.values(),
    settled: () => inTurn(async () => undefined),
    refresh: async ({ resource, id }) => {
      if (resource === 'netProtocol') return gatewaysOf(db, 'net_protocol', id)
      if (resource === 'serialProtocol') return gatewaysOf(db, 'serial_protocol', id)
      if (resource === 'selfParse') return describedGateways(db, id)
      if (resource === 'point') return followPoint(id)
      if (resource === 'gatewayPara') return followSetting(id)
      if (resource === 'device' || resource === 'gateway') return inTurn(() => follow[resource](id))
      return []
    },
  }
}
