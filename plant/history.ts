// What the gateway would have read: a day of the plant as readings, rounded as registers round them.
import { demoPlant } from '../contract/demo-plant.ts'
import type { DemoPoint } from '../contract/demo-points.ts'
import { day } from './model/conditions.ts'
import { counters, total } from './model/counters.ts'
import { faultsOf } from './model/faults.ts'
import { scales, through } from './past.ts'
import { signals } from './signals.ts'

/** Times are epoch s; `until` is excluded; `fine` = a reading a minute instead of a quarter-hour. */
export type Asked = { start: number; until: number; fine: boolean }

/** Numbers that a register can hold, and digits that somebody looks at. */
const rounding = (p: DemoPoint) => {
  if (p.ParaDataType === 0) return (value: number) => value
  const digits = 10 ** (p.DecimalDigits + 1)
  const isFloat = p.ParaDataType >= 7 && p.ParaDataType <= 10
  if (isFloat) return (value: number) => Math.round(value * digits) / digits
  if (p.SampleLow === null || p.SampleHigh === null || p.ProjectLow === null || p.ProjectHigh === null) return Math.round
  const steps = (p.SampleHigh - p.SampleLow) / (p.ProjectHigh - p.ProjectLow)
  if (Number.isInteger(steps)) return (value: number) => Math.round(value * steps) / steps
  return (value: number) => Math.round((Math.round(value * steps) / steps) * digits) / digits
}

const points = demoPlant.flatMap(({ DeviceName, Points }, device) => {
  const known = signals(DeviceName)
  return Points.map((p) => ({
    device,
    get: known.get(p.ParaName)!.get,
    round: rounding(p),
    isJudged: p.AlarmLow !== null || p.AlarmHigh !== null,
    counter: counters.findIndex((of) => of.device === DeviceName && of.point === p.ParaName),
  }))
})

/** s before and after a fault in which points with limits are read every minute, so that an alarm has the readings it came from. */
const [lead, trail] = [120, 900]

/** Readings of a day by time, as triples: index of the point in the table, epoch s, value. `start` is 00:00 UTC. */
export const historyOf = ({ start, until, fine }: Asked): Float64Array => {
  const rows: number[] = []
  const faults = faultsOf(start / day)
  let [first, last] = [[] as number[], [] as number[]]
  through(start, (w) => {
    const { seconds } = w
    if (seconds === start) first = counters.map((of) => total(w, of))
    if (seconds === start + day) last = counters.map((of) => total(w, of))
    if (seconds >= until || seconds === start + day || seconds % 60) return
    const isFull = fine || seconds % 900 === 0
    if (!isFull && !faults.some((f) => seconds >= f.start - lead && seconds < f.end + trail)) return
    for (const [i, p] of points.entries())
      if ((isFull || p.isJudged) && !w.silent.has(p.device))
        rows.push(i, seconds, p.counter < 0 ? p.round(Number(p.get(w))) : total(w, counters[p.counter]!))
  })
  const scale = scales(start, first, last)
  const readings = Float64Array.from(rows)
  for (let at = 0; at < readings.length; at += 3) {
    const { counter, round } = points[readings[at]!]!
    if (counter >= 0) readings[at + 2] = round(scale[counter]!(readings[at + 2]!, (readings[at + 1]! - start) / day))
  }
  return readings
}
