// Rule-based machine health: each fired rule names the measured value and the limit. Remaining useful life is not estimated.
import type { HealthLimits, HealthRule, InsulationClass, Role, VibrationGroup } from '../../contract.ts'

/** Machine groups of ISO 10816-3, mm/s RMS: the borders of zones B/C and C/D. */
const vibrationLimits: Record<VibrationGroup, readonly [number, number]> = {
  ...{ rigid1: [4.5, 7.1], flexible1: [7.1, 11], rigid2: [2.8, 4.5], flexible2: [4.5, 7.1] },
}
/** Temperatures of the classes of IEC 60085, °C. */
const classTemperatures: Record<InsulationClass, number> = { B: 130, F: 155, H: 180 }
/** Kelvin below its class at which a winding is watched. */
const windingMargin = 20

/** Limits to begin with. People change them. */
export const usualLimits = (group: VibrationGroup = 'rigid2', insulation?: InsulationClass): HealthLimits => ({
  velocity: { Watch: vibrationLimits[group][0], Alarm: vibrationLimits[group][1] },
  temperature: insulation
    ? { Watch: classTemperatures[insulation] - windingMargin, Alarm: classTemperatures[insulation] }
    : { Watch: 80, Alarm: 95 },
  kurtosis: { Watch: 4, Alarm: 6 },
  crest: { Watch: 5, Alarm: 7 },
  /** Largest distance from the mean of the three phases, percent. */
  unbalance: { Watch: 2, Alarm: 5 },
  load: { Watch: 100, Alarm: 115 },
  /** Distance from what is normal, in standard deviations. */
  deviation: { Watch: 4, Alarm: 6 },
})

/** What a machine usually measures: mean and standard deviation by point. */
export type Normal = { mean: number; deviation: number }
export type Fired = { rule: HealthRule; feature: number | undefined; measured: number; limit: number; isAlarm: boolean }
export type Health = { score: number; fired: Fired[] }

export const normalOf = (values: Float64Array): Normal | undefined => {
  const known = values.filter((value) => !Number.isNaN(value))
  if (known.length < 2) return undefined
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length
  return { mean, deviation: Math.sqrt(known.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (known.length - 1)) }
}

const points = { watch: 20, alarm: 50 }
/** Minimum mean current, A: phase unbalance is not evaluated on a stopped motor. */
const leastCurrent = 0.1

const unbalanceOf = (of: readonly Role[], row: readonly number[]) => {
  const phases = (['currentA', 'currentB', 'currentC'] as const).map((role) => row[of.indexOf(role)] ?? Number.NaN)
  const mean = phases.reduce((sum, value) => sum + value, 0) / 3
  return mean > leastCurrent ? (100 * Math.max(...phases.map((value) => Math.abs(value - mean)))) / mean : Number.NaN
}

/** The score of one row of values, from 100 to 0. Each rule counts once, by its worst point. Undefined where nothing was measured. */
export const healthOf = (
  of: readonly Role[],
  normals: readonly (Normal | null | undefined)[],
  limits: HealthLimits,
  row: readonly number[],
): Health | undefined => {
  if (row.every(Number.isNaN)) return undefined
  const measured: [HealthRule, number | undefined, number][] = row.flatMap((value, i): [HealthRule, number, number][] => {
    const role = of[i]!
    const normal = normals[i]
    return [
      ...(role in limits ? [[role as HealthRule, i, value] as [HealthRule, number, number]] : []),
      ...(normal && normal.deviation > 0
        ? [['deviation', i, Math.abs(value - normal.mean) / normal.deviation] as [HealthRule, number, number]]
        : []),
    ]
  })
  measured.push(['unbalance', undefined, unbalanceOf(of, row)])
  const worst = new Map<HealthRule, Fired>()
  for (const [rule, feature, value] of measured) {
    const { Watch, Alarm } = limits[rule]
    if (!(value > Watch)) continue
    const isAlarm = value > Alarm
    const before = worst.get(rule)
    if (!before || value > before.measured) worst.set(rule, { rule, feature, measured: value, limit: isAlarm ? Alarm : Watch, isAlarm })
  }
  const fired = [...worst.values()].sort((a, b) => Number(b.isAlarm) - Number(a.isAlarm) || b.measured / b.limit - a.measured / a.limit)
  const lost = fired.reduce((sum, { isAlarm }) => sum + (isAlarm ? points.alarm : points.watch), 0)
  return { score: Math.max(0, 100 - lost), fired }
}

/** `watch` and `alarm`: shares of the test hours in which a rule fired. */
export type LearntHealth = { normals: (Normal | null)[]; hours: number; testHours: number; watch: number; alarm: number }
/** Hours with any value that a machine is learnt from. */
export const fewestHealthHours = 100

/** Learns what is normal from the first nine tenths, and is tried on the last one. Undefined where fewer hours are known. */
export const learnHealth = (columns: readonly Float64Array[], of: readonly Role[], limits: HealthLimits): LearntHealth | undefined => {
  const rows = Array.from(columns[0]!, (_, i) => columns.map((column) => column[i]!)).filter((row) => !row.every(Number.isNaN))
  const testFrom = Math.floor(0.9 * rows.length)
  if (rows.length < fewestHealthHours) return undefined
  const normals = columns.map((_, k) => normalOf(Float64Array.from(rows.slice(0, testFrom), (row) => row[k]!)))
  const tested = rows.slice(testFrom).map((row) => healthOf(of, normals, limits, row)!)
  const share = (isCounted: (health: Health) => boolean) => tested.filter(isCounted).length / tested.length
  return {
    ...{ normals: normals.map((normal) => normal ?? null), hours: testFrom, testHours: tested.length },
    watch: share(({ fired }) => fired.length > 0),
    alarm: share(({ fired }) => fired.some(({ isAlarm }) => isAlarm)),
  }
}
