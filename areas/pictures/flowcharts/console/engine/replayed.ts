// The state of a picture at a moment: the latest reading of each point until then, and the active alarms. Pure.

import type { Newest } from '../../compiled.ts'
import type { Opened, Past, Standing } from '../../contract.ts'

/** Entries at or before a moment. */
const until = (times: readonly number[], moment: number) => {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (times[middle]! <= moment) low = middle + 1
    else high = middle
  }
  return low
}

/** History keeps no quality of what has no value: it did not answer. */
const noAnswer = 2

/** The newest reading of a point at a moment of the past. */
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

/** The alarms active at a moment, one a point. Whether they had been acknowledged by then is unknown. */
export const alarmsAt = ({ Alarms }: Past, moment: number): Standing[] => {
  const standing = Alarms.filter(({ Start, End }) => Start <= moment && (End === null || End > moment))
  return [...Map.groupBy(standing, ({ ParaId }) => ParaId)].map(([ParaId, of]) => ({
    ...{ ParaId, Level: Math.max(...of.map(({ Level }) => Level)) },
    ...{ Unacknowledged: false, Shelved: false },
  }))
}

/** Its points as they are judged in the past: a device that is gone today answered then. Entries that stand for a while are not old within it. */
export const pointsThen = (points: Opened['Points'], step: number): Opened['Points'] =>
  points.map((point) => ({ ...point, DeviceStatus: 1, ExpectedMs: Math.max(point.ExpectedMs, step) }))
