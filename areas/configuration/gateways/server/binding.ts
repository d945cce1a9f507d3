import { sql } from 'kysely'
import type { Body } from '../../../../contract/call.ts'
import type { Database, Db } from '../../../../server/database/db.ts'
import { Fault, FieldFaults } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { record, store, tenantOf } from '../../../../server/resource/store.ts'
import type { Claim, Stock } from '../../../people/serials/server/service.ts'
import { type Gateway, gateway, type gatewayCalls } from '../contract.ts'
import { assertOwnKind } from './commands.ts'

const gateways = store(gateway)
/** State reported by the former box, cleared when another one takes over. */
const saidByBox = [
  ...['SecretHash', 'ConfigVersion', 'LastHeartbeatTime', 'Ip', 'FirmwareVer', 'HardwareVer', 'CCID', 'Rssi', 'CpuRate', 'MemRate'],
  ...['DiskRate', 'UpTime', 'TimeOffsetMs', 'CacheCount', 'RemoteLock', 'RemoteLockTime', 'Capabilities', 'ReportedSettings'],
]
const emptied = sql.join(saidByBox.map((name) => sql.raw(`"${name}" = null`)))

/** Binds boxes from the stock to gateways, unbinds and exchanges them. */
export const openBinding = (database: Database, stock: Stock, now: () => number) => {
  /** Claims concern serial numbers in other companies' stock, so they use the server's own handle. The history names the person. */
  const claiming = <T>(actor: Actor, claim: Claim, enterprise: number, work: (db: Db) => Promise<T>) =>
    database.system.tx(async (db) => {
      await db.rows(sql`select set_config('penstock.user', ${String(actor.UserId)}, true)`)
      await stock.claim(db, claim, enterprise)
      db.emit({ resource: 'gatewaySn', id: claim.Id, verb: 'update', EnterpriseId: claim.EnterpriseId })
      return work(db)
    })

  /** Assigns another box, or none. Devices, points and history stay. */
  const exchange = async (db: Db, actor: Actor, id: number, SN: string | null, type?: Pick<Claim, 'GatewayTypeId' | 'SubTypeId'>) => {
    const before = await gateways.find(db, actor, id)
    assertOwnKind(before)
    const [held] = await db.rows<Pick<Gateway, 'SN'>>(sql`select "SN" from gateway where "Id" = ${id} for update`)
    if (SN === null && held!.SN === null) throw new Fault('gatewayReleased', { name: before.GatewayName })
    if (SN !== null && SN === held!.SN) throw new FieldFaults([{ field: 'SN', rule: 'taken' }], 'taken')
    await db.rows(sql`
      update gateway set "SN" = ${SN}, "FormerSN" = coalesce("SN", "FormerSN"), "BoundTime" = ${new Date(now())}, "OnlineStatus" = ${SN === null ? 0 : 2}, "ConfigStatus" = 1,
        "LastOfflineTime" = case when "OnlineStatus" = 1 then ${new Date(now())}::timestamptz else "LastOfflineTime" end, ${emptied},
        "GatewayTypeId" = coalesce(${type?.GatewayTypeId ?? null}::smallint, "GatewayTypeId"),
        "GatewaySubTypeId" = coalesce(${type?.SubTypeId ?? null}::smallint, "GatewaySubTypeId"), "UpdateTime" = now() where "Id" = ${id}`)
    const after = await gateways.find(db, actor, id)
    await record(db, actor, gateway, 'update', id, before.EnterpriseId, before, after)
    return after
  }

  return {
    async bind(db: Db, actor: Actor, { ProjectId, GatewayName, ...label }: Body<typeof gatewayCalls.bind>) {
      const enterprise = await tenantOf(db, actor, gateway, { ProjectId })
      const claim = await stock.prove(actor, label)
      const { SN, GatewayTypeId } = claim
      return claiming(actor, claim, enterprise, (db) =>
        gateways.create(db, actor, {
          ...{ SN, ProjectId, GatewayName: GatewayName?.trim() || SN },
          ...{ GatewayTypeId: GatewayTypeId as 1, GatewaySubTypeId: claim.SubTypeId as 1 | null },
        }),
      )
    },
    unbind: (db: Db, actor: Actor, id: number) => db.tx((db) => exchange(db, actor, id, null)),
    /** Without a code for a serial number that could also be added without one. */
    async replace(db: Db, actor: Actor, { Id, SN, Code }: Body<typeof gatewayCalls.replace>) {
      const { EnterpriseId } = await gateways.find(db, actor, Id)
      if (!Code) return db.tx((db) => exchange(db, actor, Id, SN.trim().toUpperCase()))
      const claim = await stock.prove(actor, { SN, Code })
      return claiming(actor, claim, EnterpriseId, (db) => exchange(db, actor, Id, claim.SN, claim))
    },
  }
}
export type Binding = ReturnType<typeof openBinding>
