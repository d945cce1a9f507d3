import { sql } from 'kysely'
import { isFloating, rangeOf } from '../../../../contract/data-types.ts'
import type { Row } from '../../../../contract/resource.ts'
import { isGone } from '../../../../contract/telemetry.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault, notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { store } from '../../../../server/resource/store.ts'
import { device as deviceResource } from '../../devices/contract.ts'
import { point as pointResource } from '../../points/contract.ts'
import { type Commands, connected, noReply, type Outcome } from './commands.ts'
import type { Registry } from './registry.ts'

type Point = Row<typeof pointResource>
export type Scaling = Pick<Point, 'SampleLow' | 'SampleHigh' | 'ProjectLow' | 'ProjectHigh' | 'ParaDataType'>

/** Whether an engineering value, scaled back and rounded for integers, fits the point's data type (area 3, scaling). */
export const fits = (p: Scaling, value: number): boolean => {
  const { SampleLow: a, SampleHigh: b, ProjectLow: c, ProjectHigh: d } = p
  const scaled = a !== null && b !== null && c !== null && d !== null && a !== b && c !== d
  const raw = scaled ? ((value - c) * (b - a)) / (d - c) + a : value
  if (p.ParaDataType === 0) return value === 0 || value === 1
  const [low, high] = rangeOf(p.ParaDataType)
  const written = isFloating(p.ParaDataType) ? raw : Math.round(raw)
  return written >= low && written <= high
}

const gatewayOf = async (db: Db, actor: Actor, registry: Registry, deviceId: number) => {
  const { GatewayId } = await store(deviceResource).find(db, actor, deviceId)
  // A new gateway may not be in the registry yet.
  const gateway = registry.gatewayById(GatewayId) ?? (await registry.settled().then(() => registry.gatewayById(GatewayId)))
  if (!gateway) throw notFound()
  return connected(gateway)
}

/** Writes one value and reads it back if the point is readable. The history records the values before and after. */
export const writePoint = async (
  db: Db,
  actor: Actor,
  registry: Registry,
  commands: Commands,
  id: number,
  value: number,
  before?: number | null,
  /** Additional data for the history. */
  evidence: object = {},
) => {
  const point = await store(pointResource).find(db, actor, id)
  if (point.ReadWriteType === 0) throw new Fault('notWritable', { name: point.ParaName })
  if (!fits(point, value)) throw new Fault('doesNotFit', { name: point.ParaName, value })
  const gateway = await gatewayOf(db, actor, registry, point.DeviceId)
  if (gateway.OnlineStatus === 0) throw new Fault('gatewayOffline', { name: gateway.GatewayName })
  const device = registry.device(point.DeviceId)
  if (device && isGone(device.Status)) throw new Fault('deviceOffline', { name: device.DeviceName })
  const data = { D: point.DeviceId, ParaId: id, Value: value, CheckBack: point.ReadWriteType === 1 ? 1 : 0 }
  return commands.send(db, actor, gateway, 'write', data, { ParaName: point.ParaName, Before: before ?? null, ...evidence })
}

type Once = { EnterpriseId: number; ParaId: number; Value: number; MsgId: string; UserId?: number | null }
/** A write by the server, executed once per message id. `within`: a further condition on the gateway `g`. */
export const writeOnce = async (
  db: Db,
  registry: Registry,
  commands: Commands,
  { EnterpriseId, ParaId, Value, MsgId, UserId = null }: Once,
  note: object,
  within = sql`true`,
): Promise<Outcome> => {
  const [point] = await db.rows<Scaling & { ParaName: string; ReadWriteType: number; GatewayId: number; DeviceId: number }>(sql`
    select t."ParaName", t."ReadWriteType", t."ParaDataType", t."SampleLow", t."SampleHigh", t."ProjectLow", t."ProjectHigh", t."DeviceId", d."GatewayId"
    from point t join device d on d."Id" = t."DeviceId" join gateway g on g."Id" = d."GatewayId"
    where t."Id" = ${ParaId} and t."EnterpriseId" = ${EnterpriseId} and ${within}`)
  const known = point && registry.gatewayById(point.GatewayId)
  if (!known) throw new Fault('notFound')
  const gateway = connected(known)
  if (point.ReadWriteType === 0) throw new Fault('notWritable', { name: point.ParaName })
  if (!fits(point, Value)) throw new Fault('doesNotFit', { name: point.ParaName, value: Value })
  const data = { D: point.DeviceId, ParaId, Value, CheckBack: point.ReadWriteType === 1 ? 1 : 0 }
  return commands.sendOnce(db, { UserId: UserId ?? 0 }, gateway, 'write', MsgId, data, { ParaName: point.ParaName, ...note })
}

/**
 * A write that a rule requests, executed once per message id; the history names the alarm. The point must be in the rule's project
 * at the time of the write: its gateway may have moved since the rule was saved.
 */
export const writeForAlarm = (
  db: Db,
  registry: Registry,
  commands: Commands,
  { AlmInfoId, ProjectId, ...write }: AlarmWrite,
  before?: number | null,
): Promise<Outcome> => writeOnce(db, registry, commands, write, { Before: before ?? null, AlmInfoId }, sql`g."ProjectId" = ${ProjectId}`)
export type AlarmWrite = {
  EnterpriseId: number
  /** The project of the rule. */
  ProjectId: number | null
  AlmInfoId: number
  ParaId: number
  Value: number
  MsgId: string
}

export type Read = Outcome & { Values: { ParaId: number; Value: number | null; Quality: number }[] }

/** Reads points of one device that the caller may read. */
export const readDevice = async (
  db: Db,
  actor: Actor,
  registry: Registry,
  commands: Commands,
  D: number,
  ParaIds: readonly number[],
): Promise<Read> => {
  const gateway = await gatewayOf(db, actor, registry, D)
  const answer = await commands.send(db, actor, gateway, 'read', { D, ParaIds: [...ParaIds] })
  // Elements may be anything.
  const given = Array.isArray(answer.Data?.Values) ? answer.Data.Values.map((value) => Object(value) as Read['Values'][number]) : []
  const asked = new Set(ParaIds)
  const isValid = ({ ParaId, Value, Quality }: Read['Values'][number]) =>
    asked.has(ParaId) && Number.isInteger(Quality) && (Value === null || Number.isFinite(Value))
  return { ...answer, Values: given.filter(isValid) }
}

/** Devices that one call reads concurrently. */
const devicesAtOnce = 10

/** Reads points on request, device by device, until one does not answer. The first code other than 0 is the overall result. */
export const readPoints = async (db: Db, actor: Actor, registry: Registry, commands: Commands, ids: readonly number[]): Promise<Read> => {
  const wanted = [...new Set(ids)]
  const points = await db.rows<Pick<Point, 'Id' | 'DeviceId' | 'ParaName' | 'ReadWriteType'>>(sql`
    select t."Id", t."DeviceId", t."ParaName", t."ReadWriteType" from point t
    where t."Id" = any(${wanted}::bigint[]) and ${visible(pointResource, actor)}`)
  if (points.length < wanted.length) throw notFound()
  const hidden = points.find((p) => p.ReadWriteType === 2)
  if (hidden) throw new Fault('notReadable', { name: hidden.ParaName })
  const byDevice = [...Map.groupBy(points, (p) => p.DeviceId)].map(([D, rows]) => ({ D, ids: rows.map((p) => p.Id) }))
  const answers: Read[] = []
  for (let i = 0; i < byDevice.length && !answers.some((a) => a.Code === noReply); i += devicesAtOnce) {
    const some = byDevice.slice(i, i + devicesAtOnce)
    answers.push(...(await Promise.all(some.map(({ D, ids }) => readDevice(db, actor, registry, commands, D, ids)))))
  }
  const worst = answers.find((a) => a.Code !== 0) ?? answers[0]!
  return { ...worst, Values: answers.flatMap((a) => a.Values) }
}

/** Reads and writes of points. `latest`: the last value of a point, for the history. */
export const pointsOf = (
  system: Db,
  registry: Registry,
  commands: Commands,
  latest: (id: number) => { Value: number | null } | undefined,
) => ({
  write: (db: Db, actor: Actor, id: number, value: number, more: object = {}) =>
    writePoint(db, actor, registry, commands, id, value, latest(id)?.Value, more),
  /** For actions that a person started, such as a pulse; otherwise as for a rule. */
  writeOnce: (write: Once, note: object) => writeOnce(system, registry, commands, write, note),
  /** For a rule: `MsgId` is the same at every attempt. Throws a Fault if the point no longer exists or is not writable. */
  writeForAlarm: (write: AlarmWrite) => writeForAlarm(system, registry, commands, write, latest(write.ParaId)?.Value),
  read: (db: Db, actor: Actor, ids: readonly number[]) => readPoints(db, actor, registry, commands, ids),
  readDevice: (db: Db, actor: Actor, id: number, points: readonly number[]) => readDevice(db, actor, registry, commands, id, points),
})
