// How a room gets its sensors: what a gateway seems to have, binding it, and what is still missing.
import { sql } from 'kysely'
import type { Language } from '../../../../contract/languages.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault, notFound } from '../../../../server/http/faults.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { store } from '../../../../server/resource/store.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { gateway } from '../../../configuration/gateways/contract.ts'
import { point } from '../../../configuration/points/contract.ts'
import type { GivenSensor, Missing, ProposedSensor } from '../calls.ts'
import { begun, calibrated, coldStorage, finished, Sensor, type SensorType } from '../contract.ts'
import { ownRooms } from './rooms.ts'
import { writeRules } from './rules.ts'
import { bindSensors, forgetBindings, lockRoom, momentGiven, type Room, wallText, zoneOf } from './sensors.ts'

export type Needs = { telemetry: Pick<Telemetry, 'latest' | 'aside'>; clock: () => number }

type Gateway = { Id: number; SN: string; GatewayName: string; ProjectId: number }
/** The gateway of a serial number in any case. One that is not there and one that the caller does not see get the same answer. */
const gatewayOf = async (db: Db, actor: Actor, sn: string): Promise<Gateway> => {
  const [row] = await db.rows<Gateway>(sql`
    select t."Id", t."SN", t."GatewayName", t."ProjectId" from gateway t where t."SN" = ${sn.trim().toUpperCase()} and ${visible(gateway, actor)}`)
  if (!row) throw notFound()
  return row
}

const isTemperature = (unit: string) => /^\s*(°\s*C|℃|C)\s*$/i.test(unit)
const byUnit = (unit: string, name: string): SensorType | null => {
  if (isTemperature(unit)) return Sensor.temperature
  if (/^\s*(%|%\s*RH)\s*$/i.test(unit) && /humid|湿度|humedad|RH/i.test(name)) return Sensor.humidity
  if (/^\s*kW\s*$/i.test(unit)) return Sensor.power
  return /^\s*kWh\s*$/i.test(unit) ? Sensor.energy : null
}
/** What two-valued points are by their names; the first that fits counts. */
const states: readonly [RegExp, SensorType][] = [
  [/power.?(cut|fail|loss)|mains fail|停电|断电|corte de (luz|corriente)|fallo de red|停電/i, Sensor.powerCut],
  [/defrost|化霜|除霜|desescarche|霜取/i, Sensor.defrost],
  [/door|门|puerta|ドア|扉/i, Sensor.door],
  [/compressor|压缩机|compresor|圧縮機|コンプレッサ/i, Sensor.compressor],
  [/\bfan\b|风机|风扇|ventilador|ファン/i, Sensor.fan],
]
const isCommand = (name: string) => /command|cmd|指令|命令|orden|mando|コマンド/i.test(name)
/** Temperatures of the machine, and settings: they do not describe the room. */
const isOfMachine = (name: string) =>
  /evaporator|condenser|suction|discharge|set ?point|hysteresis|蒸发|冷凝|吸气|排气|设定|evaporador|condensador|consigna|蒸発|凝縮|設定/i.test(
    name,
  )
const isOutside = (name: string) => /outdoor|outside|ambient|室外|环境温度|exterior|外気|屋外/i.test(name)
/** What a point seems to be, by its name and unit. */
export const sensorTypeOf = (name: string, unit: string, isBool: boolean): SensorType | null => {
  if (isCommand(name)) return null
  if (isBool) return states.find(([pattern]) => pattern.test(name))?.[1] ?? null
  if (isOfMachine(name)) return null
  const type = byUnit(unit, name)
  return type === Sensor.temperature && isOutside(name) ? Sensor.outdoor : type
}
const places: readonly [RegExp, number][] = [
  [/corner|角|esquina|rincón|隅/i, 1],
  [/cent(re|er)|middle|中心|中央|中间|centro/i, 2],
  [/door|门|puerta|ドア|扉/i, 3],
  [/outlet|supply|出风|送风|salida|吹出/i, 4],
  [/rack|shelf|货架|estanter|ラック|棚/i, 5],
]
export const positionOf = (name: string, type: SensorType | null): number | null =>
  type !== null && calibrated.includes(type) ? (places.find(([pattern]) => pattern.test(name))?.[1] ?? 6) : null

const mostProposed = 500
type Found = { ParaId: number; ParaName: string; DeviceName: string; Unit: string; ParaDataType: number; IsBound: number }
export const propose = async (db: Db, actor: Actor, sn: string, { telemetry }: Needs) => {
  const { Id, SN, GatewayName, ProjectId } = await gatewayOf(db, actor, sn)
  const rows = await db.rows<Found>(sql`
    select t."Id" as "ParaId", t."ParaName", d."DeviceName", coalesce(t."ParaUnitName", '') as "Unit", t."ParaDataType",
      (exists (select 1 from cold_sensor_bind b where b."ParaId" = t."Id" and b."UnbindTime" is null))::int as "IsBound"
    from point t join device d on d."Id" = t."DeviceId" where d."GatewayId" = ${Id} and ${visible(point, actor)}
    order by d."DeviceName", t."Id" limit ${mostProposed + 1}`)
  const Sensors = rows.slice(0, mostProposed).map(({ ParaDataType, ...row }): ProposedSensor => {
    const type = sensorTypeOf(row.ParaName, row.Unit, ParaDataType === 0)
    return { ...row, SensorType: type, Position: positionOf(row.ParaName, type), Value: telemetry.latest.get(row.ParaId)?.value ?? null }
  })
  return { SN, GatewayName, ProjectId, Sensors, More: rows.length > mostProposed }
}

type Bound = { SensorName: string; SensorType: number; ParaId: number | null; CalibDue: string | null; IsThere: boolean }
/** Missing parts of a room: required ones first, then findings of a check. */
export const missingOf = async (db: Db, room: Room, { telemetry, clock }: Needs, zone: string, language: Language): Promise<Missing[]> => {
  const sensors = await db.rows<Bound>(sql`
    select b."SensorName", b."SensorType", b."ParaId", b."CalibDue", p."Id" is not null as "IsThere"
    from cold_sensor_bind b left join point p on p."Id" = b."ParaId"
    where b."ColdStorageId" = ${room.Id} and b."UnbindTime" is null order by b."Id"`)
  const today = wallText(clock(), zone).slice(0, 10)
  const missing = (Code: string, IsNeeded: 0 | 1, SensorName: string | null = null): Missing => ({
    ...{ Code, SensorName, IsNeeded },
    Text: word(language, `cold.missing.${Code}`, { sensor: SensorName ?? '' }),
  })
  const temperatures = sensors.filter(({ SensorType }) => SensorType === Sensor.temperature)
  return [
    ...(room.SN === null ? [missing('gateway', 1)] : []),
    ...(temperatures.length ? [] : [missing('temperature', 1)]),
    ...(room.TempLow === null && room.TempHigh === null ? [missing('band', 1)] : []),
    ...sensors.filter(({ IsThere }) => !IsThere).map(({ SensorName }) => missing('point', 1, SensorName)),
    ...(temperatures.length === 1 ? [missing('second', 0)] : []),
    ...sensors
      .filter(({ IsThere, ParaId }) => IsThere && telemetry.latest.get(ParaId!) === undefined)
      .map(({ SensorName }) => missing('reading', 0, SensorName)),
    ...sensors
      .filter(({ SensorType, CalibDue }) => calibrated.includes(SensorType as SensorType) && (CalibDue === null || CalibDue < today))
      .map(({ SensorName, CalibDue }) => missing(CalibDue === null ? 'calibration' : 'expired', 0, SensorName)),
  ]
}

const rooms = store(coldStorage)
const isReady = (missing: readonly Missing[]) => missing.every(({ IsNeeded }) => IsNeeded === 0)
export const stateOf = async (db: Db, actor: Actor, id: number, needs: Needs, language: Language) => {
  const room = await rooms.find(db, actor, id)
  const Missing = room.IsCompose === 1 ? [] : await missingOf(db, room, needs, zoneOf(actor), language)
  return { Id: id, InitStatus: room.InitStatus, Finished: Number(room.InitStatus === finished && isReady(Missing)), Missing }
}

type Init = { Id: number; SN: string; BindTime?: string | undefined; Sensors: readonly GivenSensor[] }
/** What was bound by an earlier try that was not finished gives way. */
export const initRoom = (db: Db, actor: Actor, { Id, SN, BindTime, Sensors }: Init, needs: Needs, language: Language) =>
  db.tx(async (db) => {
    const room = await lockRoom(db, actor, Id)
    if (room.InitStatus === finished || room.IsCompose === 1) throw new Fault('wrongState', { title: room.StorageName })
    const of = await gatewayOf(db, actor, SN)
    if (of.ProjectId !== room.ProjectId) throw notFound()
    const now = needs.clock()
    const bindTime = await momentGiven(db, actor, BindTime, now, 'BindTime')
    await forgetBindings(db, actor, room)
    const place = (i: number) => `Sensors.${i}.`
    await bindSensors(db, actor, { room, sensors: Sensors, bindTime, place, gateway: of.Id })
    await ownRooms.update(db, actor, Id, { SN: of.SN, GatewayId: of.Id, InitStatus: begun })
    const Missing = await missingOf(db, { ...room, SN: of.SN }, needs, zoneOf(actor), language)
    const ready = isReady(Missing)
    if (ready) await ownRooms.update(db, actor, Id, { InitStatus: finished, InitTime: new Date(now) as never })
    if (ready) await writeRules(db, actor, Id)
    return { Id, InitStatus: ready ? finished : begun, Finished: Number(ready), Missing }
  })
