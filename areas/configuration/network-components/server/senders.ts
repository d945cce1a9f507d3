// Maps values of a foreign sender to points.
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import type { PointRegistry } from '../../../../server/telemetry/sample.ts'
import { type NamedPoint, pointFinder } from '../../data-parse/contract.ts'

export type SenderPoints = {
  find: ReturnType<typeof pointFinder>
  /** The names under which the sender knows a point. */
  nameOf(point: number): { device: string; key: string } | undefined
  /** The device with this name of the sender. */
  deviceOf(device: string): number | undefined
  /** The points of a device, by the sender's name for it. */
  ofDevice(device: string): number[]
  ids: ReadonlySet<number>
}
type Row = NamedPoint & { DeviceId: number; SenderName: string | null }

const load = async (db: Db, gateway: number): Promise<SenderPoints> => {
  const rows = await db.rows<Row>(sql`
    select p."Id", p."ParaName", p."Address", d."Id" as "DeviceId", d."SenderName", coalesce(d."SenderName", d."DeviceName") as "DeviceName",
      coalesce(d."SenderName" = '', count(*) over () = count(*) over (partition by d."Id")) as "IsOwn"
    from point p join device d on d."Id" = p."DeviceId" where d."GatewayId" = ${gateway}`)
  const byId = new Map(rows.map((row) => [row.Id, row]))
  const devices = new Map(rows.map((row) => [row.DeviceName, row.DeviceId]))
  const ofDevice = Map.groupBy(rows, (row) => row.DeviceName)
  return {
    find: pointFinder(rows),
    nameOf: (point) => {
      const row = byId.get(point)
      return row && { device: row.IsOwn && row.SenderName === '' ? '' : row.DeviceName, key: row.Address }
    },
    deviceOf: (device) => devices.get(device),
    ofDevice: (device) => (ofDevice.get(device) ?? []).map(({ Id }) => Id),
    ids: new Set(byId.keys()),
  }
}

/** Senders whose points are in memory. */
const most = 5000

/** The points of senders, loaded with their first message and reloaded after a change. */
export const openSenderPoints = (db: Db, registry: Pick<PointRegistry, 'onChange'>) => {
  const loaded = new Map<number, Promise<SenderPoints>>()
  const known = new Map<number, SenderPoints>()
  const forget = (gateway: number) => {
    loaded.delete(gateway)
    known.delete(gateway)
  }
  const stop = registry.onChange((changed, before) => {
    if ('GatewayId' in changed) forget(changed.GatewayId)
    if (before) forget(before.GatewayId)
    if ('removed' in changed) for (const [gateway, points] of known) if (points.ids.has(changed.Id)) forget(gateway)
  })
  const of = (gateway: number): Promise<SenderPoints> => {
    const found = loaded.get(gateway)
    if (found) return found
    if (loaded.size >= most) forget(loaded.keys().next().value!)
    const loading = load(db, gateway)
    loaded.set(gateway, loading)
    loading.then(
      (points) => loaded.get(gateway) === loading && known.set(gateway, points),
      () => loaded.get(gateway) === loading && forget(gateway),
    )
    return loading
  }
  return { of, forget, close: stop }
}
