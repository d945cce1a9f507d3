// The record of a report: all inputs of its computation. A record yields the same numbers in every later version, so
// changing a formula requires a new format version.
import { holdMs, type Reading } from '../excursions/excursions.ts'
import { switchedOf } from '../figures/figures.ts'
import { type Reason, reasonsOf, resultOf, roomFigures } from '../figures/judging.ts'
import { Sensor } from '../rooms/sensors.ts'
import type { Mark } from './contract.ts'

export const format = 1
export const minute = 60_000
/** As the report prints them beside the numbers. */
export const formulas = {
  minute: 'value at a minute = last corrected reading at or before it, if not older than IntervalMin',
  uniformity: 'mean over time of (max - min over points at one moment)',
  fluctuation: 'max over points of (max - min over time) / 2',
  deviation: 'mean of the points - set point',
  mkt: '(DeltaH / R) / -ln(sum(w * exp(-DeltaH / (R * T))) / sum(w)), R = 8.3144e-3 kJ/(mol K)',
}

export type Calibration = { CalibDate: string; CalibDue: string; CalibOffset: number; CertificateNo: string | null }
export type RecordSensor = {
  Id: number
  SensorName: string
  SensorType: number
  Position: number | null
  X: number | null
  Y: number | null
  Z: number | null
  ProductSN: string | null
  SensorClass: string | null
  /** Bound during the report, epoch ms. */
  From: number
  Until: number
  Calibrations: Calibration[]
  /** Corrected values minute by minute from Start on; null where none is known. */
  Values?: (number | null)[]
  /** Changes of a two-valued sensor: moment and value. */
  Changes?: [time: number, value: number | null][]
}
/** Acceptance limits of a report, in the order in which it prints them. */
export const criteriaLimits = [
  ...(['TempLow', 'TempHigh', 'MaxUniformity', 'MaxFluctuation', 'MinPoints', 'IntervalMin', 'MinHours'] as const),
  ...(['RecoverMaxMin', 'PowerCutMinMin', 'DeltaH'] as const),
] as const
export type RecordCriteria = {
  CriteriaName: string
  TempLow: number | null
  TempHigh: number | null
  MaxUniformity: number | null
  MaxFluctuation: number | null
  MinPoints: number
  IntervalMin: number
  MinHours: number
  RecoverMaxMin: number | null
  PowerCutMinMin: number | null
  DeltaH: number
  SetBy: string | null
  SetTime: number | null
}
export type RecordExcursion = {
  SensorName: string
  SensorType: number
  Side: number
  Begin: number
  End: number | null
  Minutes: number
  Peak: number
  DegreeMinutes: number
  Disposition: number
  Cause: string | null
}
export type ColdRecord = {
  Format: number
  Version: string
  ReportNo: string
  ReportType: number
  Period: number | null
  CheckKind: number | null
  LoadState: number | null
  Season: number | null
  Purpose: string | null
  Company: string
  TimeZone: string
  Author: string | null
  /** Time of computation, epoch ms. */
  Made: number
  Start: number
  End: number
  /** The last day, in the company's time zone. */
  LastDay: string
  Room: {
    Id: number
    StorageName: string
    StorageNo: string | null
    StorageType: number
    IsCompose: number
    TempLow: number | null
    TempHigh: number | null
    TempSet: number | null
    Area: number | null
    Volume: number | null
  }
  Criteria: RecordCriteria
  /** The first reading of the time, epoch ms. */
  FirstReading: number | null
  Sensors: RecordSensor[]
  Marks: Mark[]
  Excursions: RecordExcursion[]
  Formulas: typeof formulas
}

/** Readings of a sensor in time order, accessed by index to avoid millions of objects. null: no value. */
export type Readings = { count: number; time: (i: number) => number; value: (i: number) => number | null }

/** The value at the start of each minute; NaN if unknown. */
export const minuteValues = ({ count, time, value }: Readings, start: number, end: number, holds: number): Float64Array => {
  let at = -1
  return Float64Array.from({ length: Math.ceil((end - start) / minute) }, (_, i) => {
    const now = start + i * minute
    while (at + 1 < count && time(at + 1) <= now) at++
    const last = at >= 0 && now - time(at) < holds ? value(at) : null
    return last === null ? Number.NaN : Math.round(last * 1000) / 1000
  })
}

/** Maximum switch changes per report. */
export const mostChanges = 100_000
/** A sensor's last reading before each change, and one where it begins to be unknown. */
export const changesOf = ({ count, time, value }: Readings, holds: number, end: number, most: number): [number, number | null][] => {
  const changes: [number, number | null][] = []
  const put = (at: number, state: number | null) => {
    if (at >= end || (changes.length ? changes.at(-1)![1] === state : state === null)) return
    if (changes.length >= most) throw new Error('A report has too many changes.')
    changes.push([at, state])
  }
  for (let i = 0; i < count; i++) {
    const [at, now] = [time(i), value(i)]
    put(at, now === null ? null : Number(now !== 0))
    const next = i + 1 < count ? time(i + 1) : Number.POSITIVE_INFINITY
    if (next > at + holds) put(at + holds, null)
  }
  return changes
}

/** How much longer a check of minute values may hold each of them. */
const readingsOf = ({ Start }: ColdRecord, { Values = [] }: RecordSensor): Reading[] =>
  Values.map((value, i) => ({ time: Start + i * minute, value }))

const inBand = (value: number, { TempLow, TempHigh }: Pick<RecordCriteria, 'TempLow' | 'TempHigh'>) =>
  (TempLow === null || value >= TempLow) && (TempHigh === null || value <= TempHigh)

const rounded = (value: number) => Math.round(value * 1000) / 1000

/** The warmest of some points minute by minute, and whether any of them is outside the band. */
const minutesOf = ({ Start, End, Criteria }: ColdRecord, points: readonly RecordSensor[]) => {
  const count = Math.ceil((End - Start) / minute)
  const highest = new Float64Array(count).fill(Number.NaN)
  const isOut = new Uint8Array(count)
  for (const { Values = [] } of points)
    for (const [i, value] of Values.entries()) {
      if (value === null) continue
      if (!(highest[i]! >= value)) highest[i] = value
      if (!inBand(value, Criteria)) isOut[i] = 1
    }
  return { highest: (i: number) => (Number.isNaN(highest[i] ?? Number.NaN) ? null : highest[i]!), isOut: (i: number) => isOut[i] === 1 }
}

/** What a test between two moments shows. Minutes: until the room was back for good, or until the first point left the band upwards. */
const markFigures = (record: ColdRecord, points: readonly RecordSensor[]) => {
  const { Criteria, Start } = record
  if (!record.Marks.length) return []
  const { highest, isOut } = minutesOf(record, points)
  return record.Marks.map(({ Kind, From, To }) => {
    const [first, last] = [Math.max(0, Math.floor((From - Start) / minute)), Math.floor((To - Start) / minute)]
    const indices = Array.from({ length: Math.max(0, last - first) }, (_, i) => first + i)
    const Before = highest(first)
    const Max = indices.reduce<number | null>(
      (most, i) => Math.max(most ?? Number.NEGATIVE_INFINITY, highest(i) ?? Number.NEGATIVE_INFINITY),
      null,
    )
    const peak = Max === null || !Number.isFinite(Max) ? null : Max
    const out = indices.filter(isOut)
    const over = indices.find((i) => Criteria.TempHigh !== null && (highest(i) ?? Number.NEGATIVE_INFINITY) > Criteria.TempHigh)
    const isKnown = indices.some((i) => highest(i) !== null)
    const recovery = !isKnown || out.at(-1) === indices.at(-1) ? null : out.length ? out.at(-1)! + 1 - first : 0
    const held = !isKnown ? null : (over ?? last) - first
    const Minutes = Kind === 1 ? recovery : held
    const limit = Kind === 1 ? Criteria.RecoverMaxMin : Criteria.PowerCutMinMin
    const isMet = Kind === 1 ? Minutes !== null && Minutes <= limit! : Minutes !== null && Minutes >= limit!
    return {
      ...{ Kind, From, To, Before, Max: peak, Rise: Before === null || peak === null ? null : rounded(peak - Before), Minutes },
      /** 1: the band held to the end of the test. */
      IsWhole: Number(Kind === 2 && isKnown && over === undefined),
      IsMet: limit === null ? null : Number(isMet),
    }
  })
}

/** The calibration in effect at the end of the report. */
const calibrationAt = ({ Calibrations }: RecordSensor, day: string) =>
  Calibrations.toSorted((a, b) => (a.CalibDate < b.CalibDate ? -1 : 1)).findLast(({ CalibDate }) => CalibDate <= day)

/** All numbers of a report. */
export const recordFigures = (record: ColdRecord) => {
  const { Start: start, End: end, Criteria, LastDay: lastDay, Room, Sensors } = record
  const span = { start, end }
  const sensors = Sensors.map((sensor) => ({ ...sensor, CalibDue: calibrationAt(sensor, lastDay)?.CalibDue ?? null }))
  const { TempLow: low, TempHigh: high, DeltaH: energy } = Criteria
  const room = { TempSet: Room.TempSet, sensors, readings: (sensor: RecordSensor) => readingsOf(record, sensor) }
  const figures = roomFigures(room, span, { low, high, energy, holdMs: minute })
  const points = sensors.filter(({ SensorType }) => SensorType === Sensor.temperature)
  const Marks = markFigures(record, points)
  const failed = Marks.flatMap((mark): Reason[] =>
    mark.IsMet !== 0
      ? []
      : [{ Code: mark.Kind === 1 ? 'recovery' : 'powerCut', SensorName: null, IsShort: 0, Values: { minutes: mark.Minutes ?? '–' } }],
  )
  const isCheck = record.ReportType === 2
  const reasons = [
    ...reasonsOf(figures, sensors, isCheck ? Criteria : { ...Criteria, MinPoints: 1, MinHours: 0 }, { ...span, lastDay }),
    ...failed,
  ]
  const switched = (type: number) => {
    const series = sensors.filter(({ SensorType }) => SensorType === type)
    if (!series.length) return null
    const readings = series.map(({ Changes = [] }) => Changes.map(([time, value]) => ({ time, value })))
    return switchedOf(readings, { ...span, holdMs: Number.POSITIVE_INFINITY })
  }
  return {
    ...figures,
    ...{ Door: switched(Sensor.door), Defrost: switched(Sensor.defrost) },
    ...{ Compressor: switched(Sensor.compressor), PowerCut: switched(Sensor.powerCut) },
    /** Proposed position of the permanent sensor: the point closest to a limit, or furthest beyond it. */
    Proposed: proposedOf(figures.Points, Criteria),
    Marks,
    /** 1: criteria were set after the first reading. */
    IsLate: Number(Criteria.SetTime !== null && record.FirstReading !== null && Criteria.SetTime > record.FirstReading),
    Result: resultOf(reasons),
    Reasons: reasons,
  }
}
export type RecordFigures = ReturnType<typeof recordFigures>

type Point = { SensorBindId: number; Min: number | null; Max: number | null }
const proposedOf = (points: readonly Point[], { TempLow, TempHigh }: Pick<RecordCriteria, 'TempLow' | 'TempHigh'>): number | null => {
  const room = ({ Min, Max }: Point) =>
    Math.min(TempHigh === null ? Number.POSITIVE_INFINITY : TempHigh - Max!, TempLow === null ? Number.POSITIVE_INFINITY : Min! - TempLow)
  const known = points.filter(({ Min }) => Min !== null)
  return known.toSorted((a, b) => room(a) - room(b))[0]?.SensorBindId ?? null
}

/** How long values of two-valued sensors hold. */
export const switchHoldMs = holdMs

const pieces = 250
export type Drawn = { Time: number[]; Value: (number | null)[] }
/** Downsamples to minimum and maximum per interval, so that extremes survive. */
const thinned = (values: readonly (number | null)[], start: number): Drawn => {
  const step = Math.max(1, Math.ceil(values.length / pieces))
  const [Time, Value]: [number[], (number | null)[]] = [[], []]
  for (let from = 0; from < values.length; from += step) {
    const known = values.slice(from, from + step).flatMap((value, i) => (value === null ? [] : [{ value, i }]))
    const sorted = known.toSorted((a, b) => a.value - b.value)
    const [low, high] = [sorted[0], sorted.at(-1)]
    const shown = low && high ? [...new Set([low, high])].sort((a, b) => a.i - b.i) : [{ value: null, i: 0 }]
    for (const { value, i } of shown) {
      Time.push(start + (from + i) * minute)
      Value.push(value)
    }
  }
  return { Time, Value }
}

/** A record without its values: the texts, numbers and curves of a page. */
export type ReadRecord = Omit<ColdRecord, 'Sensors'> & { Sensors: (Omit<RecordSensor, 'Values' | 'Changes'> & { Curve?: Drawn })[] }
export const readRecord = (record: ColdRecord): { record: ReadRecord; figures: RecordFigures } => ({
  record: {
    ...record,
    Sensors: record.Sensors.map(({ Values, Changes: _, ...sensor }) => ({
      ...sensor,
      ...(Values && { Curve: thinned(Values, record.Start) }),
    })),
  },
  figures: recordFigures(record),
})
