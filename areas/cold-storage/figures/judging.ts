// Statistics of a room's points, and their assessment against acceptance criteria. Pure.
import type { Reading } from '../excursions/excursions.ts'
import { calibrated, Sensor as Kind, type SensorType } from '../rooms/sensors.ts'
import type { Standard } from './contract.ts'
import { piecesOf, pointFigures, type Span, uniformityOf } from './figures.ts'

export type JudgedSensor = { Id: number; SensorName: string; SensorType: number; Position: number | null; CalibDue: string | null }
export type Limits = { low: number | null; high: number | null; holdMs: number; energy?: number }
type Room<S> = { TempSet: number | null; sensors: readonly S[]; readings: (sensor: S) => readonly Reading[] }

const thousandths = (value: number) => Math.round(value * 1000) / 1000

export const roomFigures = <S extends JudgedSensor>(room: Room<S>, span: Span, limits: Limits) => {
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
    Points,
    Room: {
      ...{ Hottest: byAvg.at(-1)?.SensorBindId ?? null, Coldest: byAvg[0]?.SensorBindId ?? null, Avg },
      Uniformity: uniformityOf(readings.map((of) => piecesOf(of, { ...span, holdMs: limits.holdMs }))),
      Fluctuation: known.length ? thousandths(Math.max(...known.map(({ half }) => half))) : null,
      Deviation: Avg === null || room.TempSet === null ? null : thousandths(Avg - room.TempSet),
    },
  }
}
export type RoomFigures = ReturnType<typeof roomFigures>

/** Why a check does not pass. IsShort 1: data are missing; 0: a limit is broken. Words at `cold.check.<Code>`. */
export type Reason = { Code: string; SensorName: string | null; IsShort: 0 | 1; Values: Record<string, string | number> }
type Asked = Omit<Standard, 'StorageType' | 'StandardName' | 'DeltaH' | 'IntervalMin' | 'TempLow' | 'TempHigh'>

/** Maximum missing readings of a point, percent. */
const mostMissing = 2
/** `lastDay`: the last day of the report. Calibrations must be valid on it. */
export const reasonsOf = (
  { Points, Room }: RoomFigures,
  sensors: readonly JudgedSensor[],
  standard: Asked,
  { start, end, lastDay }: Span & { lastDay: string },
): Reason[] => {
  const reason = (Code: string, IsShort: 0 | 1, SensorName: string | null = null, Values: Reason['Values'] = {}) => [
    { Code, SensorName, IsShort, Values },
  ]
  const { MinPoints, MinHours, MaxUniformity, MaxFluctuation } = standard
  return [
    ...(Points.length < MinPoints ? reason('points', 1, null, { count: Points.length, least: MinPoints }) : []),
    ...(end - start < MinHours * 3_600_000 ? reason('hours', 1, null, { least: MinHours }) : []),
    ...Points.filter(({ KnownPercent }) => KnownPercent < 100 - mostMissing).flatMap((point) =>
      reason('missing', 1, point.SensorName, { percent: thousandths(100 - point.KnownPercent) }),
    ),
    ...sensors
      .filter(({ SensorType, CalibDue }) => calibrated.includes(SensorType as SensorType) && (CalibDue === null || CalibDue < lastDay))
      .flatMap(({ SensorName }) => reason('calibration', 1, SensorName)),
    ...Points.filter(({ OutsideMinutes }) => OutsideMinutes > 0).flatMap((point) =>
      reason('outside', 0, point.SensorName, { minutes: point.OutsideMinutes }),
    ),
    ...(MaxUniformity !== null && (Room.Uniformity ?? 0) > MaxUniformity ? reason('uniformity', 0, null, { value: Room.Uniformity! }) : []),
    ...(MaxFluctuation !== null && (Room.Fluctuation ?? 0) > MaxFluctuation
      ? reason('fluctuation', 0, null, { value: Room.Fluctuation! })
      : []),
  ]
}

/** 1 pass, 2 fail, 3 insufficient data. */
export const resultOf = (reasons: readonly Pick<Reason, 'IsShort'>[]) =>
  reasons.some(({ IsShort }) => IsShort === 1) ? 3 : reasons.length ? 2 : 1
