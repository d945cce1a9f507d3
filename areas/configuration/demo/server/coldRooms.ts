// The demo company's cold rooms: a frozen store and a room for vaccines, with their sensors, excursions and reports.
import { sql } from 'kysely'
import { mappingWeekBefore, vaccineRoom } from '../../../../contract/demo-plant.ts'
import type { Db } from '../../../../server/database/db.ts'
import type { FileStore } from '../../../../server/files/store.ts'
import { serverActor } from '../../../../server/identity/actor.ts'
import { store } from '../../../../server/resource/store.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { decidePast, pastExcursions } from '../../../cold-storage/excursions/server/service.ts'
import { pastMapping, pastRunning } from '../../../cold-storage/reports/server/service.ts'
import type { GivenSensor } from '../../../cold-storage/rooms/calls.ts'
import { coldCalibration, coldStorage, Sensor } from '../../../cold-storage/rooms/contract.ts'
import { initRoom } from '../../../cold-storage/rooms/server/service.ts'
import { demoSN } from '../contract.ts'
import { type Company, person } from './maintenance/company.ts'
import { say, type Words } from './maintenance/words.ts'

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
const dayText = (at: number) => new Date(at).toISOString().slice(0, 10)
const momentText = (at: number) => new Date(at).toISOString().slice(0, 19).replace('T', ' ')

type Place = readonly [position: number, x: number, y: number, z: number]
type Sketch = { point: string; type: GivenSensor['SensorType']; place?: Place; offset?: number }
type Room = { name: Words; fields: Record<string, unknown>; sensors: readonly Sketch[] }

/** Five probes at the door, one in the centre and one in a corner, five at the air outlet. */
const places: readonly Place[] = [
  ...([
    [3, 3, 0.5, 0.5],
    [3, 6, 0.5, 0.5],
    [3, 4.5, 0.5, 2.2],
    [3, 2, 1.7, 1.5],
    [3, 7, 1.7, 1.5],
    [2, 4.5, 3, 1.5],
  ] as const),
  ...([
    [1, 0.5, 5.5, 0.5],
    [4, 2.2, 5, 2.2],
    [4, 3.8, 5.4, 2.4],
    [4, 5.7, 5.4, 2.4],
    [4, 7.2, 5, 2.2],
    [4, 4.8, 4.1, 1.8],
  ] as const),
]
const rooms: readonly Room[] = [
  {
    name: say('Frozen store', '冷冻库', 'Almacén congelado', '冷凍庫'),
    fields: {
      ...{ StorageNo: 'CR-1', StorageType: 3, TempLow: -25, TempHigh: -15, TempSet: -20, Area: 24, Volume: 60, DoorCount: 1, Layers: 2 },
      ...{ Refrigerant: 'R449A', RatedPowerKW: 5 },
    },
    sensors: [
      { point: 'Cold room/Air temperature', type: Sensor.temperature, place: [4, 2, 3, 2.2], offset: 0.2 },
      { point: 'Cold room/Product temperature', type: Sensor.temperature, place: [2, 3, 2, 1] },
      { point: 'Cold room/Air humidity', type: Sensor.humidity },
      { point: 'Cold room/Door open', type: Sensor.door },
      { point: 'Cold room/Compressor running', type: Sensor.compressor },
      { point: 'Cold room/Defrosting', type: Sensor.defrost },
      { point: 'Cold room/Fan running', type: Sensor.fan },
      { point: 'Cold store power meter/Active power', type: Sensor.power },
      { point: 'Cold store power meter/Active energy', type: Sensor.energy },
      { point: 'Weather station/Air temperature', type: Sensor.outdoor },
    ],
  },
  {
    name: say('Vaccine room', '疫苗库', 'Cámara de vacunas', 'ワクチン保冷室'),
    fields: {
      ...{ StorageNo: 'CR-2', StorageType: 1, TempLow: 2, TempHigh: 8, TempSet: 5, HumLow: 35, HumHigh: 75 },
      ...{ Area: 54, Volume: 160, DoorCount: 1, Layers: 3 },
    },
    sensors: [
      ...places.map((place, i) => ({
        ...{ point: `${vaccineRoom}/Temperature ${i + 1}`, type: Sensor.temperature, place, offset: [0.1, 0, 0, -0.1][i % 4]! },
      })),
      { point: `${vaccineRoom}/Humidity at the door`, type: Sensor.humidity, place: [3, 4.5, 0.6, 1.5] },
      { point: `${vaccineRoom}/Humidity at the back`, type: Sensor.humidity, place: [4, 4.5, 5.3, 1.5] },
      { point: `${vaccineRoom}/Door open`, type: Sensor.door },
      { point: `${vaccineRoom}/Power cut`, type: Sensor.powerCut },
    ],
  },
]

export type ColdNeeds = { telemetry: Pick<Telemetry, 'aside' | 'latest' | 'top'>; store: FileStore; font?: string | undefined }

/** Adds a calibration before the first reading, and one two months ago: the next is due in ten months. */
const recalibrate = async (db: Db, { EnterpriseId, now }: Company, room: number) => {
  const again = now - 60 * day
  const sensors = await db.rows<{ Id: number; CalibDate: string; CalibOffset: number }>(sql`
    select "Id", "CalibDate", "CalibOffset"::float8 as "CalibOffset" from cold_sensor_bind
    where "ColdStorageId" = ${room} and "CalibDate" < ${dayText(again)} order by "Id"`)
  for (const [i, { Id, CalibOffset }] of sensors.entries())
    await store(coldCalibration).create(db, serverActor(EnterpriseId), {
      ...{ SensorBindId: Id, CalibDate: dayText(again), CalibDue: dayText(again + 365 * day), CalibOffset },
      CertificateNo: `CAL-${dayText(again).slice(2, 4)}-${String(i + 101)}`,
    })
}

/** Sets up a room with its available sensors. Undefined without a temperature sensor. */
const setUp = async (db: Db, c: Company, { name, fields, sensors }: Room, needs: ColdNeeds): Promise<number | undefined> => {
  const { EnterpriseId, ProjectId, points, language, since, now } = c
  const actor = { ...serverActor(EnterpriseId), language }
  const Sensors = sensors.flatMap(
    ({ point, type, place: [Position = null, X = null, Y = null, Z = null] = [], offset }, i): GivenSensor[] => {
      const ParaId = points.get(point)
      if (!ParaId) return []
      const first = since - 20 * day
      const isMeasured = type <= Sensor.humidity
      const calibration = { CalibDate: dayText(first), CalibDue: dayText(first + 365 * day), CalibOffset: offset ?? 0 }
      const label = {
        ProductSN: `${type === Sensor.humidity ? 'RH' : 'PT'}${24_100 + i}`,
        SensorClass: type === Sensor.humidity ? '±2 %' : 'A',
      }
      return [{ ParaId, SensorType: type, Position: Position as never, X, Y, Z, ...(isMeasured ? { ...calibration, ...label } : {}) }]
    },
  )
  if (!Sensors.some(({ SensorType }) => SensorType === Sensor.temperature)) return
  const { Id } = await store(coldStorage).create(db, actor, { ...fields, StorageName: name[language], ProjectId })
  await initRoom(
    db,
    actor,
    { Id, SN: demoSN, BindTime: momentText(since), Sensors },
    { telemetry: needs.telemetry, clock: () => now },
    language,
  )
  await recalibrate(db, c, Id)
  return Id
}

const causes = {
  door: say('The door was left open.', '门未关好。', 'La puerta quedó abierta.', '扉が開いたままでした。'),
  long: say(
    'Too warm for too long: the goods of this place were destroyed.',
    '超温时间过长：该处货物已销毁。',
    'Demasiado tiempo fuera de rango: se destruyó la mercancía de esta zona.',
    '温度逸脱が長すぎたため、この場所の品物を廃棄しました。',
  ),
}
/** Records dispositions of past excursions. Recent ones stay open for visitors to try. */
const decide = async (db: Db, c: Company, UserId: number, ids: readonly number[]) => {
  const rows = await db.rows<{ Id: number; Minutes: number; Ended: number }>(sql`
    select "Id", "Minutes"::float8 as "Minutes", (extract(epoch from "EndTime") * 1000)::float8 as "Ended" from cold_excursion
    where "ColdStorageId" = any(${[...ids]}::bigint[]) and "EndTime" < ${new Date(c.now - 14 * day)} order by "Id"`)
  for (const { Id, Minutes, Ended } of rows) {
    const [Disposition, cause] = Minutes > 120 ? ([3, causes.long] as const) : ([1, causes.door] as const)
    await decidePast(db, person(c, UserId, Ended + 3 * hour), Id, { at: Ended + 3 * hour, Disposition, Cause: cause[c.language] })
  }
}

/** Finds an interval with an open door: a test of how soon the room returns to its band. */
const doorTest = async ({ telemetry }: ColdNeeds, point: number | undefined, from: number) => {
  const [column] = point ? await telemetry.aside.columns([point], from, from + day) : []
  const at = column?.value.indexOf(1) ?? -1
  return at < 0 ? [] : [{ Kind: 1 as const, From: column!.time[at]!, To: column!.time[at]! + hour }]
}

/** A mapping report over the week of minutes, approved, and a running report of a week as a draft. */
const writeReports = async (db: Db, c: Company, needs: ColdNeeds, ColdStorageId: number) => {
  const { EnterpriseId, language, planner, points, since, now } = c
  const people = await db.rows<{ Id: number; UserNO: string }>(sql`
    select "Id", "UserNO" from "user" where "EnterpriseId" = ${EnterpriseId} and "UserNO" in ('demo_nuria', 'demo_elena')`)
  const step = (no: string, at: number) => {
    const found = people.find(({ UserNO }) => UserNO === no)
    return found && { UserId: found.Id, at: Math.min(at, now) }
  }
  const past = { ...needs, font: needs.font }
  const of = { EnterpriseId, language }
  const { start, end } = mappingWeekBefore(now)
  if (start >= since) {
    const made = Math.min(end + 9 * hour, now)
    await pastMapping(db, past, {
      ...{ ...of, author: { UserId: planner, at: made }, checker: step('demo_nuria', made + 5 * hour) },
      ...{ approver: step('demo_elena', made + 26 * hour), criteria: { at: start - 3 * day, MaxUniformity: 4, RecoverMaxMin: 30 } },
      asked: {
        ...{ ColdStorageId, Start: start, End: end, CheckKind: 2, LoadState: 1, Season: 3, Language: language },
        Purpose: say('Yearly mapping with goods', '年度满载温度分布验证', 'Mapeo anual con carga', '年次温度マッピング（積載時）')[
          language
        ],
        Marks: await doorTest(needs, points.get(`${vaccineRoom}/Door open`), start + 2 * day),
      },
    })
  }
  const [last] = await db.rows<{ Day: string }>(sql`
    select to_char("BeginTime", 'YYYY-MM-DD') as "Day" from cold_excursion
    where "ColdStorageId" = ${ColdStorageId} and "BeginTime" < ${new Date(now - 8 * day)} order by "BeginTime" desc limit 1`)
  if (now - since < 15 * day) return
  const Day = last?.Day ?? dayText(now - 8 * day)
  await pastRunning(db, past, { ...of, author: { UserId: planner, at: now - 10 * minute }, asked: { ColdStorageId, Period: 2, Day } })
}

/** Sets up the demo plant's cold rooms with their history. Skips companies that already have rooms. */
export const seedColdRooms = async (db: Db, c: Company, needs: ColdNeeds) => {
  const own = await db.rows(sql`select 1 from cold_storage where "EnterpriseId" = ${c.EnterpriseId} limit 1`)
  if (own.length) return
  const ids: (number | undefined)[] = []
  for (const room of rooms) ids.push(await setUp(db, c, room, needs))
  const made = ids.filter((id) => id !== undefined)
  await pastExcursions(db, { telemetry: needs.telemetry, now: c.now }, made)
  await decide(db, c, c.planner, made)
  if (ids[1]) await writeReports(db, c, needs, ids[1])
}
