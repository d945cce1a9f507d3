import { registersOf } from '../../../contract/data-types.ts'
import { type ModbusAddress, modbusTcp } from '../../../contract/protocols/modbus.ts'
import type { Block, PointRow } from '../driver.ts'

export type ModbusBlock = Block & {
  unit: number
  /** RegisterType of the point table: 0 coil, 1 discrete input, 3 input register, 4 holding register. */
  register: number
  start: number
  count: number
  timeoutMs: number
}

/** Unused addresses that cost less to read than another request. */
const widestHole = 10
/** [APP] 6.1 to 6.4: at most 2,000 bits or 125 registers. */
const limit = (register: number) => (register < 2 ? 2000 : 125)

const places = new WeakMap<PointRow, ModbusAddress>()
/** @throws RangeError for an address that the configuration check refuses */
export const place = (point: PointRow): ModbusAddress => {
  const known = places.get(point)
  if (known) return known
  const parsed = modbusTcp.parse(point.Address)
  if ('at' in parsed) throw new RangeError(`${point.Address} is no address`)
  places.set(point, parsed.address)
  return parsed.address
}
const span = (point: PointRow) => (point.RegisterType < 2 ? 1 : registersOf(point.ParaDataType))

const blockOf = (points: readonly PointRow[]): ModbusBlock => {
  const first = points[0]!
  const start = Math.min(...points.map((p) => place(p).start))
  return {
    points,
    unit: first.SlaveNumber,
    register: first.RegisterType,
    start,
    count: Math.max(...points.map((p) => place(p).start + span(p))) - start,
    gapMs: Math.max(...points.map((p) => p.IntervalTime)),
    timeoutMs: Math.max(...points.map((p) => p.Timeout)),
  }
}

/** As few requests as possible: points of one unit and register type, gaps of at most 10, within the protocol's limits. */
export const plan = (points: readonly PointRow[]): ModbusBlock[] => {
  const runs: PointRow[][] = []
  let end = 0
  let start = 0
  const kinds = Map.groupBy(points, (p) => p.SlaveNumber * 8 + p.RegisterType)
  for (const same of kinds.values()) {
    let run: PointRow[] | undefined
    for (const point of same.toSorted((a, b) => place(a).start - place(b).start)) {
      const { start: address } = place(point)
      const last = address + span(point)
      if (!run || address - end > widestHole || Math.max(end, last) - start > limit(point.RegisterType)) {
        run = []
        runs.push(run)
        start = address
        end = address
      }
      run.push(point)
      end = Math.max(end, last)
    }
  }
  return runs.map(blockOf)
}

/** Two halves of a block that the device refused because of an address. */
export const halves = (block: ModbusBlock): ModbusBlock[] => {
  if (block.points.length < 2) return [block]
  const middle = block.points.length >> 1
  return [blockOf(block.points.slice(0, middle)), blockOf(block.points.slice(middle))]
}
