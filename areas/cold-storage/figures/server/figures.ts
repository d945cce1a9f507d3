import { sql } from 'kysely'
import type { Answer } from '../../../../contract/call.ts'
import type { Language } from '../../../../contract/languages.ts'
import type { Db } from '../../../../server/database/db.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { holdMs } from '../../excursions/server/service.ts'
import { calibrated, Sensor as Kind, type SensorType, type StorageType } from '../../rooms/contract.ts'
import { wallText } from '../../rooms/server/service.ts'
import { type coldFigureCalls, type Standard, usualStandard } from '../contract.ts'
import { piecesOf, pointFigures, switchedOf, uniformityOf } from '../figures.ts'
import { type Asked, type Needs, type RoomData, roomData } from './data.ts'

const thousandths = (value: number) => Math.round(value * 1000) / 1000
type Limits = { low: number | null; high: number | null; holdMs: number; energy?: number }

const figuresOf = (room: RoomData, { Start, End }: Asked, limits: Limits) => {
  const span = { start: Start, end: End }
  const temperatures = room.sensors.filter(({ SensorType }) => SensorType === Kind.temperature)
  const readings = temperatures.map((sensor) => room.readings(sensor))
  const Points = temperatures.map(({ Id, SensorName, Position }, i) => ({
    ...{ SensorBindId: Id, SensorName, Position },
    ...pointFigures(readings[i]!, { ...span, ...limits }),
  }))
  const known = Points.flatMap((point) => (point.Avg === null ? [] : [{ ...point, Avg: point.Avg, half: (point.Max! - point.Min!) / 2 }]))
  const byAvg = known.toSorted((a, b) => a.Avg - b.Avg)
  const Avg = known.length ? thousandths(known.reduce((sum, point) => sum + point.Avg, 0) / known.length) : null
  return {
    ...{ ColdStorageId: room.Id, StorageName: room.StorageName, Start, End, Points },
    Room: {
      ...{ Hottest: byAvg.at(-1)?.SensorBindId ?? null, Coldest: byAvg[0]?.SensorBindId ?? null, Avg },
      Uniformity: uniformityOf(readings.map((of) => piecesOf(of, { ...span, holdMs: limits.holdMs }))),
      Fluctuation: known.length ? thousandths(Math.max(...known.map(({ half }) => half))) : null,
      Deviation: Avg === null || room.TempSet === null ? null : thousandths(Avg - room.TempSet),
    },
  }
}

export const statisticsOf = async (
  db: Db,
  actor: Actor,
  asked: Asked,
  needs: Needs,
): Promise<Answer<typeof coldFigureCalls.statistics>> => {
  const room = await roomData(db, actor, asked, needs)
  const of = (type: SensorType) =>
    switchedOf(
      room.sensors.filter(({ SensorType }) => SensorType === type).map((sensor) => room.readings(sensor)),
      { start: asked.Start, end: asked.End, holdMs },
    )
  return {
    ...figuresOf(room, asked, { low: room.TempLow, high: room.TempHigh, holdMs }),
    ...{ Door: of(Kind.door), Defrost: of(Kind.defrost), Compressor: of(Kind.compressor), PowerCut: of(Kind.powerCut) },
  }
}

/** What the company asks of a kind of room, or what is usual. */
export const standardOf = async (db: Db, enterprise: number, type: StorageType): Promise<Standard> => {
  const [row] = await db.rows<{ Standard: Standard }>(
    sql`select "Standard" from cold_standard where "EnterpriseId" = ${enterprise} and "StorageType" = ${type}`,
  )
  return row?.Standard ?? usualStandard(type)
}

type Checked = Answer<typeof coldFigureCalls.check>
/** Missing readings of a point that a check allows, in percent. */
const mostMissing = 2
export const checkOf = async (db: Db, actor: Actor, asked: Asked, needs: Needs, language: Language): Promise<Checked> => {
  const room = await roomData(db, actor, asked, needs)
  const [{ EnterpriseId }] = (await db.rows<{ EnterpriseId: number }>(
    sql`select "EnterpriseId" from cold_storage where "Id" = ${room.Id}`,
  )) as [{ EnterpriseId: number }]
  const standard = await standardOf(db, EnterpriseId, room.StorageType)
  const { TempLow: low, TempHigh: high, DeltaH: energy, IntervalMin } = standard
  const figures = figuresOf(room, asked, { low, high, energy, holdMs: IntervalMin * 60_000 })
  const reason = (Code: string, IsShort: 0 | 1, SensorName: string | null = null, values: Record<string, string | number> = {}) => ({
    ...{ Code, SensorName, IsShort },
    Text: word(language, `cold.check.${Code}`, { sensor: SensorName ?? '', ...values }),
  })
  const { Points, Room } = figures
  const lastDay = wallText(asked.End, room.Zone).slice(0, 10)
  const Reasons = [
    ...(Points.length < standard.MinPoints ? [reason('points', 1, null, { count: Points.length, least: standard.MinPoints })] : []),
    ...(asked.End - asked.Start < standard.MinHours * 3_600_000 ? [reason('hours', 1, null, { least: standard.MinHours })] : []),
    ...Points.filter(({ KnownPercent }) => KnownPercent < 100 - mostMissing).map((point) =>
      reason('missing', 1, point.SensorName, { percent: thousandths(100 - point.KnownPercent) }),
    ),
    ...room.sensors
      .filter(({ SensorType, CalibDue }) => calibrated.includes(SensorType as SensorType) && (CalibDue === null || CalibDue < lastDay))
      .map(({ SensorName }) => reason('calibration', 1, SensorName)),
    ...Points.filter(({ OutsideMinutes }) => OutsideMinutes > 0).map((point) =>
      reason('outside', 0, point.SensorName, { minutes: point.OutsideMinutes }),
    ),
    ...(standard.MaxUniformity !== null && (Room.Uniformity ?? 0) > standard.MaxUniformity
      ? [reason('uniformity', 0, null, { value: Room.Uniformity! })]
      : []),
    ...(standard.MaxFluctuation !== null && (Room.Fluctuation ?? 0) > standard.MaxFluctuation
      ? [reason('fluctuation', 0, null, { value: Room.Fluctuation! })]
      : []),
  ]
  const Result = Reasons.some(({ IsShort }) => IsShort === 1) ? 3 : Reasons.length ? 2 : 1
  return { ...figures, Standard: standard, Result, Reasons }
}
