// Gateway faults as alarms. The area alarm-settings defines which faults count, with level and delay.
import { sql } from 'kysely'
import type { Database } from '../../../../server/database/db.ts'
import { type GatewayAlarms, type GatewayFault, gatewayFaults } from '../../alarm-settings/contract.ts'
import { gatewayAlarmsOf, type SettingRow } from '../../alarm-settings/server/service.ts'
import { faultNames } from './alarming/names.ts'
import { type AlarmChange, ofGateway } from './alarmRows.ts'

export type Gateway = { Id: number; EnterpriseId: number; ProjectId: number; GatewayName: string; SN: string | null; OnlineStatus: number }
type Gateways = { gatewayById(id: number): Gateway | undefined; gateways(): Iterable<Gateway> }
type Facts = {
  Id: number
  DiskRate: number | null
  FirmwareVer: string | null
  /** Start of a power cut, epoch ms; null with power. */
  PowerCut: number | null
  /** Time at which the gateway reported full storage, epoch ms; null if there is space. */
  StorageFull: number | null
  /** Epoch ms. */
  LastOffline: number | null
}
type Fault = { since: number; level: number; delay: number; value: number | null; limit: number | null }

/** Events of the gateway protocol: 3 power cut, ended by its level 0, or by 1 online and 7 restart; 8 storage full, ended by level 0. */
const factsOf = (ids: readonly number[] | undefined) => {
  const last = (type: number) =>
    sql.raw(`(select e."Id" from gateway_event e where e."GatewayId" = g."Id" and e."Type" = ${type} order by e."Id" desc limit 1)`)
  const ms = (column: string) => sql.raw(`(extract(epoch from ${column}) * 1000)::bigint`)
  // Events of the gateway's current hardware.
  const own = (event: string) => sql.raw(`g."SN" is not null and ${event}."CreateTime" >= coalesce(g."BoundTime", '-infinity')`)
  return sql<Facts>`
    select g."Id", g."DiskRate", g."FirmwareVer", ${ms('g."LastOfflineTime"')} as "LastOffline",
      case when ${own('p')} and p."Level" > 0 and p."Id" > coalesce(greatest(${last(1)}, ${last(7)}), 0) then ${ms('p."CreateTime"')} end as "PowerCut",
      case when ${own('s')} and s."Level" > 0 then ${ms('s."CreateTime"')} end as "StorageFull"
    from gateway g left join gateway_event p on p."Id" = ${last(3)} left join gateway_event s on s."Id" = ${last(8)}
    where ${ids ? sql`g."Id" = any(${[...ids]}::bigint[])` : sql`true`}`
}

/** The current faults of a gateway that count as alarms. */
const faultsOf = (gateway: Gateway, f: Facts, set: GatewayAlarms, now: number): Map<GatewayFault, Fault> => {
  const found = new Map<GatewayFault, Fault>()
  const add = (kind: GatewayFault, since: number, level: number, delay: number, value: number | null = null, limit: number | null = null) =>
    found.set(kind, { since: Math.min(since, now), level, delay, value, limit })
  if (set.Offline && gateway.OnlineStatus === 0 && gateway.SN !== null) add(1, f.LastOffline ?? now, set.OfflineLevel, set.OfflineDelay)
  if (set.Power && f.PowerCut !== null) add(2, f.PowerCut, set.PowerLevel, set.PowerDelay)
  const overfull = set.StorageLimit !== null && (f.DiskRate ?? 0) >= set.StorageLimit
  if (set.Storage && (overfull || f.StorageFull !== null))
    add(3, overfull ? now : f.StorageFull!, set.StorageLevel, set.StorageDelay, f.DiskRate, overfull ? set.StorageLimit : null)
  if (set.Firmware && set.FirmwareVer && f.FirmwareVer !== null && f.FirmwareVer !== set.FirmwareVer)
    add(4, now, set.FirmwareLevel, set.FirmwareDelay)
  return found
}

/** Interval at which values of heartbeats are checked, ms. */
const scanMs = 60_000

export const openGatewayFaults = ({ database, registry, clock }: { database: Database; registry: Gateways; clock: () => number }) => {
  const standing = new Set<string>()
  /** Faults whose delay has not expired. */
  const pending = new Map<string, { gateway: number; kind: GatewayFault; fault: Fault }>()
  let settings: SettingRow[] = []
  let scannedAt = clock()
  const keyOf = (gateway: number, kind: GatewayFault) => `${gateway} ${kind}`

  const raise = (gateway: Gateway, kind: GatewayFault, { level, value, limit }: Fault): AlarmChange => {
    standing.add(keyOf(gateway.Id, kind))
    pending.delete(keyOf(gateway.Id, kind))
    return ofGateway(gateway, kind, faultNames[kind], 'raised', clock(), { level, value, limit })
  }
  const judge = (gateway: Gateway, facts: Facts): AlarmChange[] => {
    const now = clock()
    const faults = faultsOf(gateway, facts, gatewayAlarmsOf(settings, gateway), now)
    return gatewayFaults.flatMap((kind): AlarmChange[] => {
      const key = keyOf(gateway.Id, kind)
      const fault = faults.get(kind)
      if (!fault) {
        pending.delete(key)
        return standing.delete(key) ? [ofGateway(gateway, kind, faultNames[kind], 'recovered', now)] : []
      }
      if (standing.has(key)) return []
      const oldest = { ...fault, since: Math.min(fault.since, pending.get(key)?.fault.since ?? now) }
      if (now - oldest.since >= oldest.delay * 1000) return [raise(gateway, kind, oldest)]
      pending.set(key, { gateway: gateway.Id, kind, fault: oldest })
      return []
    })
  }
  const gone = (id: number): AlarmChange[] =>
    gatewayFaults.flatMap((kind): AlarmChange[] => {
      pending.delete(keyOf(id, kind))
      if (!standing.delete(keyOf(id, kind))) return []
      return [{ kind: 'recovered', subject: `g${id} ${faultNames[kind]}`, time: clock(), value: null, level: 2, extreme: null }]
    })
  /** Checks the current state of gateways; without ids, of all. */
  const look = async (ids?: readonly number[]): Promise<AlarmChange[]> => {
    const facts = await database.system.rows(factsOf(ids))
    const known = facts.flatMap((f) => {
      const gateway = registry.gatewayById(f.Id)
      return gateway ? judge(gateway, f) : gone(f.Id)
    })
    const there = new Set(facts.map((f) => f.Id))
    return [...known, ...(ids ?? []).filter((id) => !there.has(id)).flatMap(gone)]
  }
  const read = async () => {
    settings = await database.system.rows<SettingRow>(sql`
      select s."EnterpriseId", s."ProjectId", s."GatewayId", t.* from alarm_setting s
      join alm_gateway_template t on t."Id" = s."AlmGatewayTemplateId" where s."Enabled" = 1 order by s."Id"`)
  }

  return {
    async begin(): Promise<AlarmChange[]> {
      await read()
      const rows = await database.system.rows<{ GatewayId: number; GatewayFault: GatewayFault }>(
        sql`select "GatewayId", "GatewayFault" from alarm_info where "IsActive" = 1 and "AlarmType" = 2 and "GatewayFault" is not null`,
      )
      for (const { GatewayId, GatewayFault } of rows) standing.add(keyOf(GatewayId, GatewayFault))
      const lost = rows.filter((row) => !registry.gatewayById(row.GatewayId)).map((row) => row.GatewayId)
      return [...(await look()), ...[...new Set(lost)].flatMap(gone)]
    },
    look,
    /** Settings have changed: checks everything again. */
    async reset(): Promise<AlarmChange[]> {
      await read()
      return look()
    },
    /** Whether values of heartbeats are due for a check. */
    scans: () => clock() - scannedAt >= scanMs && settings.some((s) => s.StorageLimit !== null || s.Firmware),
    scan(): Promise<AlarmChange[]> {
      scannedAt = clock()
      return look()
    },
    tick: (now: number): AlarmChange[] =>
      [...pending.values()].flatMap(({ gateway: id, kind, fault }) => {
        const gateway = registry.gatewayById(id)
        return gateway && now - fault.since >= fault.delay * 1000 ? [raise(gateway, kind, fault)] : []
      }),
  }
}
