import { formOf } from '../../../contract/data-types.ts'
import { type S7Address, s7 } from '../../../contract/protocols/s7.ts'
import type { Block, PointRow } from '../driver.ts'
import type { Range } from './frames.ts'

/** Adjacent points. */
export type Run = { range: Range; points: readonly PointRow[] }
export type S7Block = Block & { runs: readonly Run[]; timeoutMs: number }

/** Unused bytes that cost less to read than another item. */
const widestHole = 16
/** Maximum bytes of a run: it fits into an answer of the smallest common PDU, 240. */
const longestRun = 200
/** Items per request. */
export const mostItems = 20

const places = new WeakMap<PointRow, S7Address>()
/** @throws RangeError for an address that the configuration check refuses */
export const place = (point: PointRow): S7Address => {
  const known = places.get(point)
  if (known) return known
  const parsed = s7.parse(point.Address)
  if ('at' in parsed) throw new RangeError(`${point.Address} is no address`)
  places.set(point, parsed.address)
  return parsed.address
}

/** Bytes of a point: a bit, or the letter B, takes one. */
export const bytesOf = (point: PointRow) => {
  const { bit, size } = place(point)
  return bit !== undefined || size === 1 ? 1 : formOf(point.ParaDataType).order.length
}

const runOf = (points: readonly PointRow[]): Run => {
  const { area, db } = place(points[0]!)
  const byte = Math.min(...points.map((p) => place(p).byte))
  return { points, range: { area, db, byte, length: Math.max(...points.map((p) => place(p).byte + bytesOf(p))) - byte } }
}
/** Runs of single points, after the controller refused a longer run. */
export const alone = ({ points }: Run): Run[] => points.map((point) => runOf([point]))

const blockOf = (runs: readonly Run[]): S7Block => {
  const points = runs.flatMap((run) => run.points)
  return {
    ...{ points, runs, unit: 0 },
    gapMs: Math.max(...points.map((p) => p.IntervalTime)),
    timeoutMs: Math.max(...points.map((p) => p.Timeout)),
  }
}

/** As few items as possible: bytes of one area with gaps of at most 16. */
export const plan = (points: readonly PointRow[]): S7Block[] => {
  const runs: Run[] = []
  for (const same of Map.groupBy(points, (p) => `${place(p).area}${place(p).db}`).values()) {
    let run: PointRow[] = []
    let [start, end] = [0, 0]
    const close = () => {
      if (run.length) runs.push(runOf(run))
    }
    for (const point of same.toSorted((a, b) => place(a).byte - place(b).byte)) {
      const { byte } = place(point)
      const last = byte + bytesOf(point)
      if (!run.length || byte - end > widestHole || Math.max(end, last) - start > longestRun) {
        close()
        run = []
        start = byte
        end = byte
      }
      run.push(point)
      end = Math.max(end, last)
    }
    close()
  }
  return Array.from({ length: Math.ceil(runs.length / mostItems) }, (_, i) => blockOf(runs.slice(i * mostItems, (i + 1) * mostItems)))
}

/** Bytes of a request and an answer without items, and of each item. */
const [askedHead, answeredHead, askedItem, answeredItem] = [12, 14, 12, 4]
/** Splits runs into requests that fit, with their answers, into a PDU. */
export const requestsOf = (runs: readonly Run[], pdu: number): Run[][] => {
  const requests: Run[][] = []
  let [asked, answered] = [Number.POSITIVE_INFINITY, 0]
  for (const run of runs) {
    const size = answeredItem + run.range.length + (run.range.length & 1)
    if (asked + askedItem > pdu || answered + size > pdu || (requests.at(-1)?.length ?? 0) >= mostItems) {
      requests.push([])
      asked = askedHead
      answered = answeredHead
    }
    requests.at(-1)!.push(run)
    asked += askedItem
    answered += size
  }
  return requests
}
