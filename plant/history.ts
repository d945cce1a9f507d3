// What the gateway would have read: a day of the plant as readings, rounded as registers round them.
import { demoPlant, vaccineRoom } from '../contract/demo-plant.ts'
import type { DemoPoint } from '../contract/demo-points.ts'
import { day } from './model/conditions.ts'
import { counters, shownAt, total } from './model/counters.ts'
import { faultsOf } from './model/faults.ts'
import type { World } from './model/world.ts'
import { scales, through } from './past.ts'
import { signals } from './signals.ts'

/** Times are epoch s; `until` is excluded; `fine` = a reading a minute instead of a quarter-hour; `mapped`: one a minute of the second cold room. */
export type Asked = { start: number; until: number; fine: boolean; mapped?: boolean }

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
  return Points.map((p, i) => ({
    at: demoPlant.slice(0, device).reduce((sum, before) => sum + before.Points.length, i),
    device,
    get: known.get(p.ParaName)!.get,
    round: rounding(p),
    isJudged: p.AlarmLow !== null || p.AlarmHigh !== null,
    counter: counters.findIndex((of) => of.device === DeviceName && of.point === p.ParaName),
  }))
})
const roomDevice = demoPlant.findIndex(({ DeviceName }) => DeviceName === vaccineRoom)
const [others, room] = [points.filter(({ device }) => device !== roomDevice), points.filter(({ device }) => device === roomDevice)]
const judged = others.filter((p) => p.isJudged)
/** Switches of the second cold room are read when they change, too. */
const switched = room.filter(({ at }) => demoPlant[roomDevice]!.Points[at - room[0]!.at]!.ParaDataType === 0)

/** Each year the cold store's meter is out of reach three times: for an hour, a night and two days. By month, day and hour, UTC. */
const cuts: readonly [month: number, day: number, hour: number, hours: number][] = [
  [1, 9, 2, 1.25],
  [4, 21, 20, 9],
  [8, 12, 7, 50],
]
const cutDevice = demoPlant.findIndex(({ DeviceName }) => DeviceName === 'Cold store power meter')
const isCutOff = (seconds: number) =>
  cuts.some(([month, date, at, hours]) => {
    const start = Date.UTC(new Date(seconds * 1000).getUTCFullYear(), month, date, at) / 1000
    return seconds >= start && seconds < start + hours * 3600
  })

/** Triples that grow without boxes of their own. */
class Readings {
  #rows = new Float64Array(3 * 32_768)
  #length = 0
  add(point: number, seconds: number, value: number) {
    if (this.#length === this.#rows.length) {
      const larger = new Float64Array(2 * this.#rows.length)
      larger.set(this.#rows)
      this.#rows = larger
    }
    this.#rows[this.#length++] = point
    this.#rows[this.#length++] = seconds
    this.#rows[this.#length++] = value
  }
  rows = () => this.#rows.slice(0, this.#length)
}

/** s before and after a fault in which points with limits are read every minute, so that an alarm has the readings it came from. */
const [lead, trail] = [120, 900]

/** Readings of a day by time, as triples: index of the point in the table, epoch s, value. `start` is 00:00 UTC. */
export const historyOf = ({ start, until, fine, mapped = false }: Asked): Float64Array => {
  const faults = faultsOf(start / day)
  const totals = new Map<number, number[]>()
  const readings = new Readings()
  const read = (w: World) =>
    totals.set(
      w.seconds,
      counters.map((of) => total(w, of)),
    )
  const states = new Map<number, number>()
  const readRoom = (w: World) => {
    const isFull = fine || mapped || w.seconds % 900 === 0
    for (const p of isFull ? room : switched) {
      const value = p.round(Number(p.get(w)))
      if (isFull || states.get(p.at) !== value) readings.add(p.at, w.seconds, value)
      states.set(p.at, value)
    }
  }
  through(start, (w) => {
    const { seconds } = w
    if (seconds === start || seconds === start + day) read(w)
    if (seconds >= until || seconds === start + day || seconds % 60) return
    readRoom(w)
    const isFull = fine || seconds % 900 === 0
    if (!isFull && !faults.some((f) => seconds >= f.start - lead && seconds < f.end + trail)) return
    read(w)
    const cut = isCutOff(seconds) ? cutDevice : -1
    for (const p of isFull ? others : judged)
      if (p.device !== cut && !w.silent.has(p.device)) readings.add(p.at, seconds, p.counter < 0 ? p.round(Number(p.get(w))) : 0)
  })
  const scale = scales(start, totals.get(start)!, totals.get(start + day)!)
  const counted = new Map([...totals].map(([seconds, of]) => [seconds, scale(of, (seconds - start) / day)]))
  const rows = readings.rows()
  for (let at = 0; at < rows.length; at += 3) {
    const { counter, round } = points[rows[at]!]!
    if (counter >= 0) rows[at + 2] = round(shownAt(counters[counter]!, counted.get(rows[at + 1]!)![counter]!, start / day))
  }
  return rows
}
