// Sensors of rooms over time: which point is where, from when to when.
import { sql } from 'kysely'
import type { Row } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault, type FieldFault, FieldFaults, notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { store } from '../../../../server/resource/store.ts'
import { point } from '../../../configuration/points/contract.ts'
import type { GivenSensor } from '../calls.ts'
import { calibrated, coldCalibration, coldSensorBind, coldStorage, finished, mostSensors, Sensor } from '../contract.ts'
import { writeRules } from './rules.ts'

export type Room = Row<typeof coldStorage>
export const zoneOf = (actor: Actor) => actor.zone ?? actor.tenantZone
/** A moment as the wall of a zone shows it. */
export const wallText = (at: number, zone: string) => new Date(at).toLocaleString('sv-SE', { timeZone: zone })

/** The server alone sets these, by binding. */
const set = { set: 'always' } as const
const { fields } = coldSensorBind
const bound = {
  ...coldSensorBind,
  fields: {
    ...fields,
    ...{ ColdStorageId: { ...fields.ColdStorageId, ...set }, SensorType: { ...fields.SensorType, ...set } },
    ...{ ParaId: { ...fields.ParaId, ...set }, DeviceId: { ...fields.DeviceId, ...set } },
    ...{ BindTime: { ...fields.BindTime, ...set }, UnbindTime: { ...fields.UnbindTime, ...set } },
  },
}
const binds = store(bound)
const calibrations = store(coldCalibration)

type Point = { Id: number; ParaName: string; DeviceId: number; GatewayId: number; ProjectId: number; Unit: string }
const pointsOf = async (db: Db, actor: Actor, ids: readonly number[]) => {
  const rows = await db.rows<Point>(sql`
    select t."Id", t."ParaName", t."DeviceId", d."GatewayId", g."ProjectId", coalesce(t."ParaUnitName", '') as "Unit"
    from point t join device d on d."Id" = t."DeviceId" join gateway g on g."Id" = d."GatewayId"
    where t."Id" = any(${[...ids]}::bigint[]) and ${visible(point, actor)}`)
  return new Map(rows.map((row) => [row.Id, row]))
}

/** Bands and formulas are in °C. */
const isOtherScale = (unit: string) => /^\s*(°?\s*F|℉|K|°K)\s*$/i.test(unit)

type Binding = { room: Room; sensors: readonly GivenSensor[]; bindTime: string; place: (i: number) => string; gateway?: number }

/** Sensors that are, or were at that time or later, in a room. */
const boundElsewhere = async (db: Db, { sensors, bindTime }: Binding, zone: string) => {
  const rows = await db.rows<{ ParaId: number }>(sql`
    select distinct "ParaId" from cold_sensor_bind where "ParaId" = any(${sensors.map(({ ParaId }) => ParaId)}::bigint[])
      and ("UnbindTime" is null or "UnbindTime" > (${bindTime}::timestamp at time zone ${zone}::text))`)
  return new Set(rows.map(({ ParaId }) => ParaId))
}

const faultsOf = async (db: Db, actor: Actor, binding: Binding, points: ReadonlyMap<number, Point>): Promise<FieldFault[]> => {
  const { room, sensors, place, gateway } = binding
  const elsewhere = await boundElsewhere(db, binding, zoneOf(actor))
  return sensors.flatMap(({ ParaId, SensorType, CalibDate, CalibDue, CalibOffset }, i): FieldFault[] => {
    const found = points.get(ParaId)
    const at = (field: string, rule: string): FieldFault[] => [{ field: `${place(i)}${field}`, rule }]
    if (!found || (gateway !== undefined && found.GatewayId !== gateway)) return at('ParaId', 'unknownReference')
    if (found.ProjectId !== room.ProjectId) return at('ParaId', 'pointElsewhere')
    if (sensors.findIndex((other) => other.ParaId === ParaId) < i || elsewhere.has(ParaId)) return at('ParaId', 'cold.sensorTaken')
    if ((SensorType === Sensor.temperature || SensorType === Sensor.outdoor) && isOtherScale(found.Unit))
      return at('ParaId', 'cold.celsius')
    if (CalibOffset && !CalibDate) return at('CalibDate', 'cold.calibDay')
    if (CalibDate && !CalibDue) return at('CalibDue', 'required')
    if (CalibDate && CalibDue! <= CalibDate) return at('CalibDue', 'calibDue')
    return []
  })
}

/** Binds sensors to a room that the caller has locked. All or none. */
export const bindSensors = async (db: Db, actor: Actor, binding: Binding) => {
  const { room, sensors, bindTime } = binding
  const points = await pointsOf(
    db,
    actor,
    sensors.map(({ ParaId }) => ParaId),
  )
  const faults = await faultsOf(db, actor, binding, points)
  if (faults.length) throw new FieldFaults(faults)
  const made = []
  for (const { ParaId, SensorType, SensorName, ProductSN, SensorClass, Position, X, Y, Z, CalibDate, CalibDue, CalibOffset } of sensors) {
    const { ParaName, DeviceId } = points.get(ParaId)!
    const { Id } = await binds.create(db, actor, {
      ...{ SensorName: SensorName?.trim() || ParaName, ColdStorageId: room.Id, SensorType, ParaId, DeviceId, BindTime: bindTime },
      ...{ ProductSN: ProductSN?.trim() || null, SensorClass: SensorClass?.trim() || null, Position: Position ?? null },
      ...{ X: X ?? null, Y: Y ?? null, Z: Z ?? null },
    })
    if (CalibDate && calibrated.includes(SensorType))
      await calibrations.create(db, actor, { SensorBindId: Id, CalibDate, CalibDue: CalibDue!, CalibOffset: CalibOffset ?? 0 })
    made.push(await binds.find(db, actor, Id))
  }
  return made
}

/** A moment that people enter: not after now. */
export const momentGiven = async (db: Db, actor: Actor, given: string | undefined, now: number, field: string): Promise<string> => {
  const zone = zoneOf(actor)
  if (given === undefined) return wallText(now, zone)
  const [row] = await db
    .rows<{ At: number }>(sql`select (extract(epoch from ${given}::timestamp at time zone ${zone}::text) * 1000)::float8 as "At"`)
    .catch(() => [])
  if (!row) throw new FieldFaults([{ field, rule: 'noSuchDay' }])
  if (row.At > now) throw new FieldFaults([{ field, rule: 'inFuture' }])
  return given
}

const rooms = store(coldStorage)
/** The room, locked to the end of the transaction: what is bound to it, and its rules, change one after the other. */
export const lockRoom = async (db: Db, actor: Actor, id: number): Promise<Room> => {
  const [row] = await db.rows(sql`select 1 from cold_storage t where "Id" = ${id} and ${visible(coldStorage, actor)} for no key update`)
  if (!row) throw notFound()
  return rooms.find(db, actor, id)
}

type Bind = GivenSensor & { ColdStorageId: number; BindTime?: string | undefined }
export const bindOne = (db: Db, actor: Actor, { ColdStorageId, BindTime, ...sensor }: Bind, now: number) =>
  db.tx(async (db) => {
    const room = await lockRoom(db, actor, ColdStorageId)
    if (room.InitStatus !== finished || room.IsCompose === 1) throw new Fault('wrongState', { title: room.StorageName })
    if (room.BindCount >= mostSensors)
      throw new FieldFaults([{ field: 'ColdStorageId', rule: 'cold.sensorsFull', values: { most: mostSensors } }])
    const bindTime = await momentGiven(db, actor, BindTime, now, 'BindTime')
    const [made] = await bindSensors(db, actor, { room, sensors: [sensor], bindTime, place: () => '' })
    await writeRules(db, actor, room.Id)
    return made!
  })

export const unbindOne = (
  db: Db,
  actor: Actor,
  { SensorBindId, UnbindTime }: { SensorBindId: number; UnbindTime?: string | undefined },
  now: number,
) =>
  db.tx(async (db) => {
    const of = await binds.find(db, actor, SensorBindId)
    const room = await lockRoom(db, actor, of.ColdStorageId)
    const sensor = await binds.find(db, actor, SensorBindId)
    if (sensor.UnbindTime !== null) throw new Fault('wrongState', { title: sensor.SensorName })
    const end = await momentGiven(db, actor, UnbindTime, now, 'UnbindTime')
    if (end < sensor.BindTime) throw new FieldFaults([{ field: 'UnbindTime', rule: 'cold.beforeBound' }])
    const row = await binds.update(db, actor, SensorBindId, { UnbindTime: end })
    await writeRules(db, actor, room.Id)
    return row
  })

/** Forgets what an earlier try bound to a room that was never ready. */
export const forgetBindings = async (db: Db, actor: Actor, room: Pick<Room, 'Id'>) => {
  const rows = await db.rows<{ Id: number }>(sql`select "Id" from cold_sensor_bind where "ColdStorageId" = ${room.Id} order by "Id"`)
  if (rows.length)
    await binds.remove(
      db,
      actor,
      rows.map(({ Id }) => Id),
    )
}
