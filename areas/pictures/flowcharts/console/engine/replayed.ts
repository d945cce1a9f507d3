// The state of a picture at a time in the past: the latest reading of each point before it, and the active alarms. Pure.

import type { Newest } from '../../compiled.ts'
import type { Opened, Past, Standing } from '../../contract.ts'

/** Number of entries up to a time. */
const until = (times: readonly number[], moment: number) => {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (times[middle]! <= moment) low = middle + 1
    else high = middle
  }
  return low
}

/** History stores no quality for missing values: they count as no answer. */
const noAnswer = 2

/** The latest reading of a point at a time in the past. */
export const newestAt = (past: Past) => {
  const points = new Map(past.Points.map((point) => [point.ParaId, point]))
  return (id: number, moment: number): Newest | undefined => {
    const point = points.get(id)
    const at = point ? until(point.Time, moment) - 1 : -1
    if (!point || at < 0) return undefined
    const Value = point.Value[at] ?? null
    return { Time: point.Time[at]!, Value, Quality: Value === null ? noAnswer : 0 }
  }
}

/** The active alarms at a time, one per point. Whether they were acknowledged by then is unknown. */
export const alarmsAt = ({ Alarms }: Past, moment: number): Standing[] => {
  const standing = Alarms.filter(({ Start, End }) => Start <= moment && (End === null || End > moment))
  return [...Map.groupBy(standing, ({ ParaId }) => ParaId)].map(([ParaId, of]) => ({
    ...{ ParaId, Level: Math.max(...of.map(({ Level }) => Level)) },
    ...{ Unacknowledged: false, Shelved: false },
  }))
}

/** Its points for a replay: a device that has been deleted counts as online, and an aggregated entry is not stale within its step. */
export const pointsThen = (points: Opened['Points'], step: number): Opened['Points'] =>
  points.map((point) => ({ ...point, DeviceStatus: 1, ExpectedMs: Math.max(point.ExpectedMs, step) }))
