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
/** Gateways with a channel of this described protocol. */
const describedGateways = async (db: Db, id: number) => {
  const rows = await db.rows<{ GatewayId: number }>(sql`
    select "GatewayId" from net_protocol where "SelfParseId" = ${id} union select "GatewayId" from serial_protocol where "SelfParseId" = ${id}`)
  return rows.map(({ GatewayId }) => GatewayId)
}

/** Rows that are read in one turn. */
const readTogether = 5000
type InTurn = ReturnType<typeof serial>
/** Reads changed rows in a turn. Changes that arrive together, such as those of an import, are one query, and others have their turns in between. */
const together = <C, T>(inTurn: InTurn, read: (changes: readonly C[]) => Promise<T>) => {
  let open: { changes: C[]; done: Promise<T> } | undefined
  const begin = () => {
    const changes: C[] = []
    const done = inTurn(() => {
      if (open?.changes === changes) open = undefined
      return read(changes)
    })
    open = { changes, done }
    return open
  }
  return (change: C): Promise<T> => {
    const batch = open && open.changes.length < readTogether ? open : begin()
    batch.changes.push(change)
    return batch.done
  }
}
/** Yields to other calls: a gateway may have 40,000 points. Changes that arrive in the meantime are queued. */
const putAll = <T>(rows: readonly T[], put: (row: T) => void) => inSlices(rows, () => 1, put)
const isIn = (ids: Iterable<number>) => sql`= any(${[...ids]}::bigint[])`
/** Those of which there is no row. */
const without = (ids: ReadonlySet<number>, rows: readonly { Id: number }[]) => ids.difference(new Set(rows.map(({ Id }) => Id)))

/** Reader of changed rows. Of those that are read together, a device comes before its points: nobody sees a point without it. */
const readerOf = (db: Db, index: PlantIndex, inTurn: InTurn) => {
  const reread = async (where: ReturnType<typeof sql>) =>
    putAll(await db.rows(sql<PointRow>`select ${pointColumns} from point where ${where}`), (row) => index.putPoint(row))
  const points = async (ids: ReadonlySet<number>) => {
    const rows = await db.rows(sql<PointRow>`select ${pointColumns} from point where "Id" ${isIn(ids)}`)
    await putAll(rows, (row) => index.putPoint(row))
    for (const id of without(ids, rows)) index.dropPoint(id)
  }
  const devices = async (ids: ReadonlySet<number>) => {
    const rows = await db.rows(sql<DeviceMeta>`select ${deviceColumns} from device where "Id" ${isIn(ids)}`)
    const changed: number[] = []
    await putAll(rows, (row) => {
      const before = index.devices.get(row.Id)
      // Memory has newer presence than the table.
      index.putDevice({ ...row, Status: before?.Status ?? row.Status })
      // Device fields that its points depend on.
      const fields = ['DeviceName', 'GatewayId', 'ModelId'] as const
      if (!before || fields.some((name) => before[name] !== row[name])) changed.push(row.Id)
    })
    for (const id of without(ids, rows)) index.dropDevice(id)
    if (changed.length) await reread(sql`"DeviceId" ${isIn(changed)}`)
  }
  const gateways = async (ids: ReadonlySet<number>) => {
    const rows = await db.rows(sql<GatewayMeta>`select ${gatewayColumns} from gateway where "Id" ${isIn(ids)}`)
    const moved: number[] = []
    await putAll(rows, (row) => {
      const before = index.gateways.get(row.Id)
      const hasNewBox = before !== undefined && before.SN !== row.SN
      if (!before || before.ProjectId !== row.ProjectId || hasNewBox) moved.push(row.Id)
      // Memory has newer presence than the table, unless it is that of another box.
      const { OnlineStatus, ConfigVersion, RemoteLock, Capabilities } = before && !hasNewBox ? before : row
      if (before) index.dropSerials(before)
      index.putGateway(before ? Object.assign(before, row, { OnlineStatus, ConfigVersion, RemoteLock, Capabilities }) : row)
    })
    for (const id of without(ids, rows)) index.dropGateway(id)
    const ofMoved = moved.flatMap((id) => index.deviceIdsOf(id))
    if (ofMoved.length) await reread(sql`"DeviceId" ${isIn(ofMoved)}`)
  }
  const readers = { gateway: gateways, device: devices, point: points }
  type Held = { kind: keyof typeof readers; id: number }
  const read = together(inTurn, async (changes: readonly Held[]) => {
    for (const [kind, reader] of Object.entries(readers)) {
      const ids = new Set(changes.filter((change) => change.kind === kind).map(({ id }) => id))
      if (ids.size) await reader(ids)
    }
  })
  return (kind: Held['kind'], id: number) => read({ kind, id })
}

type OfGateway = { Id: number; GatewayId: number }
/** The gateway that a row belongs to. */
const ownersOf = (db: Db, table: string) => {
  const read = together(serial(), async (ids: readonly number[]) => {
    const rows = await db.rows(sql<OfGateway>`select "Id", "GatewayId" from ${sql.table(table)} where "Id" ${isIn(ids)}`)
    return new Map(rows.map(({ Id, GatewayId }) => [Id, GatewayId]))
  })
  return async (id: number) => (await read(id)).get(id)
}

/** Gateways by the Ids of their settings: a deleted setting has no row to read. */
const settingFollower = async (db: Db) => {
  const settings = new Map(
    (await db.rows(sql<{ Id: number; GatewayId: number }>`select "Id", "GatewayId" from gateway_para`)).map((s) => [s.Id, s.GatewayId]),
  )
  const ownerOf = ownersOf(db, 'gateway_para')
  return async (id: number) => {
    const gateway = (await ownerOf(id)) ?? settings.get(id)
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
  const read = readerOf(db, index, inTurn)
  const followSetting = await settingFollower(db)
  const channelOwners = { netProtocol: ownersOf(db, 'net_protocol'), serialProtocol: ownersOf(db, 'serial_protocol') }
  type Held = ReadonlyMap<number, { GatewayId: number }>
  /** The gateways of a row before and after its change. */
  const around = async (kind: 'device' | 'point', held: Held, id: number) => {
    const before = held.get(id)?.GatewayId
    await read(kind, id)
    return [...new Set([before, held.get(id)?.GatewayId].filter((gateway) => gateway !== undefined))]
  }

  return {
    get: (id) => points.get(id),
    find: lookUps(async (ids) => void (await Promise.all(ids.map((id) => read('point', id))))),
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
      if (resource === 'netProtocol' || resource === 'serialProtocol') {
        const gateway = await channelOwners[resource](id)
        return gateway === undefined ? [] : [gateway]
      }
      if (resource === 'selfParse') return describedGateways(db, id)
      if (resource === 'gatewayPara') return followSetting(id)
      if (resource === 'point') return around('point', points, id)
      if (resource === 'device') return around('device', devices, id)
      if (resource === 'gateway') {
        await read('gateway', id)
        return gateways.has(id) ? [id] : []
      }
      return []
    },
  }
}
