import { sql } from 'kysely'
import type { Answer } from '../../../../contract/call.ts'
import type { Db } from '../../../../server/database/db.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { store } from '../../../../server/resource/store.ts'
import type { Rejected } from '../../../../server/telemetry/sample.ts'
import { type deviceCalls, device as deviceResource } from '../../devices/contract.ts'
import { foreignGateway, gateway as gatewayResource, serialsOf } from '../contract.ts'

export type Stages = Answer<typeof deviceCalls.whyNoData>
type Stage = Stages[number]

/** Telemetry about the points of a device and rejected readings of a gateway. */
export type Evidence = {
  latest(point: number): { Time: number; Value: number | null; Quality: number } | undefined
  /** Time of the newest stored reading of these points, epoch ms. */
  lastStored(points: readonly number[]): Promise<number | undefined>
  /** Rejected readings of the last hour, by reason. */
  rejections(enterprise: number, serials: readonly string[]): Promise<readonly { reason: Rejected['reason']; count: number }[]>
}

type PointRow = { Id: number; IsStore: number; limited: boolean; CollectPeriod: number; UploadPeriod: number; UploadMode: number }

const stage = (Stage: Stage['Stage'], Ok: Stage['Ok'], Reason: string, Values: Record<string, unknown> = {}): Stage => ({
  Stage,
  Ok,
  Reason,
  Values,
})

/** Longest expected interval of readings, ms; null if only changes are sent. */
const expected = (points: readonly PointRow[]) => {
  const periods = points.filter((p) => p.UploadMode !== 3).map((p) => (p.UploadMode === 0 ? p.UploadPeriod * 1000 : p.CollectPeriod))
  return periods.length ? Math.max(Math.min(...periods) * 3, 30_000) : null
}

/**
 * The path from the device to the screen, stage by stage, with the findings of each. Reasons have words at `why.<Stage>.<Reason>`;
 * times among the values are epoch ms.
 */
export const whyNoData = async (db: Db, actor: Actor, id: number, evidence: Evidence, now: () => number = Date.now): Promise<Stages> => {
  const device = await store(deviceResource).find(db, actor, id)
  const gateway = await store(gatewayResource).find(db, actor, device.GatewayId)
  const [points, [moments], [push], [channel]] = await db.all([
    sql<PointRow>`select "Id", "IsStore", "AlarmLow" is not null or "AlarmHigh" is not null as limited, "CollectPeriod", "UploadPeriod", "UploadMode"
      from point where "DeviceId" = ${id}`,
    sql<{ Beat: Date | null; Offline: Date | null }>`select "LastHeartbeatTime" as "Beat", "LastOfflineTime" as "Offline"
      from gateway where "Id" = ${gateway.Id}`,
    sql<{
      Code: number | null
    }>`select "Code" from command where "GatewayId" = ${gateway.Id} and "CmdType" = 'config' order by "Id" desc limit 1`,
    sql<{ Name: string; Target: string }>`select "ProtocolName" as "Name", "Ip" || ':' || "Port" as "Target" from net_protocol
        where ${device.CommType} = 0 and "Id" = ${device.NetProtocolId}
      union all select "ProtocolName", "SerialPort" || ', ' || "BaudRate" from serial_protocol
        where ${device.CommType} = 1 and "Id" = ${device.SerialProtocolId}`,
  ])
  const ids = points.map((p) => p.Id)
  const [stored, rejections] = await Promise.all([
    ids.length ? evidence.lastStored(ids) : undefined,
    evidence.rejections(gateway.EnterpriseId, serialsOf(gateway)),
  ])
  const names = { GatewayName: gateway.GatewayName, SN: gateway.SN ?? gateway.FormerSN, DeviceName: device.DeviceName }
  const code = push?.Code ?? 0
  const isForeign = Number(gateway.GatewayTypeId) === foreignGateway

  const connection = () => {
    if (gateway.SN === null) return stage('gateway', false, 'released', names)
    if (gateway.OnlineStatus === 2) return stage('gateway', false, 'neverConnected', names)
    if (gateway.OnlineStatus === 0) return stage('gateway', false, 'offline', { ...names, Since: moments?.Offline?.getTime() ?? null })
    return stage('gateway', true, 'online', { ...names, Last: moments?.Beat?.getTime() ?? null })
  }
  const config = () => {
    if (!points.length) return stage('config', false, 'noPoints', names)
    if (isForeign) return stage('config', true, 'foreign', names)
    if (gateway.ConfigStatus === 2) return stage('config', null, 'pushing', names)
    if (gateway.ConfigStatus === 3)
      return stage('config', false, 'failed', { ...names, Code: code, Result: word(actor.language, `result.${code}`) })
    if (gateway.ConfigStatus === 1) return stage('config', false, gateway.ConfigVersion ? 'changed' : 'neverPushed', names)
    return stage('config', true, 'inSync', { ...names, Version: gateway.ConfigVersion })
  }
  const transport = () => {
    const values = { ...names, Channel: channel?.Name ?? '', Target: channel?.Target ?? '', Slave: device.SlaveNumber }
    const counts = { Ok: device.OkCount ?? 0, Errors: device.ErrCount ?? 0 }
    if (isForeign) return stage('transport', device.Status === 3 ? null : device.Status === 1, 'foreign', names)
    if (!channel) return stage('transport', false, 'noChannel', values)
    if (device.Status === 3) return stage('transport', null, 'neverHeard', values)
    if (device.Status === 0) return stage('transport', false, 'offline', values)
    if (device.Status === 2) return stage('transport', false, counts.Ok ? 'errors' : 'noAnswer', { ...values, ...counts })
    return stage('transport', true, 'answers', { ...values, ...counts })
  }
  const parse = () => {
    const [top] = [...rejections].sort((a, b) => b.count - a.count)
    if (!top) return stage('parse', true, 'nothingRejected', names)
    return stage('parse', false, top.reason, { ...names, Count: top.count, Total: rejections.reduce((n, r) => n + r.count, 0) })
  }
  const rejectedReadings = () => {
    const live = points.filter((p) => p.IsStore === 1).length
    if (!points.length) return stage('store', null, 'noPoints', names)
    if (live === points.length) return stage('store', true, 'liveOnly', { ...names, Points: live })
    if (stored === undefined) return stage('store', false, 'never', names)
    const most = expected(points)
    const late = most !== null && now() - stored > most
    return stage('store', !late, late ? 'stale' : 'recent', {
      ...names,
      Last: stored,
      ...(most === null ? {} : { Seconds: Math.round(most / 1000) }),
    })
  }
  const rule = () => {
    const bad = ids.filter((p) => (evidence.latest(p)?.Quality ?? 0) >= 2).length
    const limited = points.filter((p) => p.limited).length
    if (bad) return stage('rule', false, 'badQuality', { ...names, Count: bad, Points: points.length })
    return limited
      ? stage('rule', true, 'watched', { ...names, Count: limited, Points: points.length })
      : stage('rule', null, 'noLimits', names)
  }
  return [connection(), config(), transport(), parse(), rejectedReadings(), rule()]
}
