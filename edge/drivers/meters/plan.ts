import type { MeterAddress } from '../../../contract/protocols/meters.ts'
import type { Parsed } from '../../../contract/protocols/protocol.ts'
import type { Block, DeviceRow, PointRow } from '../driver.ts'

/** Values from one answer of one meter. */
export type MeterBlock = Block & { meter: DeviceRow; identifier: string; timeoutMs: number }

type Parse = (text: string) => Parsed<MeterAddress> | { at: number }

/** Maps points to meters and values. */
export const meterPlan = (devices: readonly DeviceRow[], parse: Parse) => {
  const byId = new Map(devices.map((device) => [device.Id, device]))
  /** @throws RangeError for a point that the configuration check refuses */
  const meterOf = (point: PointRow): DeviceRow => {
    const device = byId.get(point.DeviceId)
    if (!device) throw new RangeError(`point ${point.Id} has no meter`)
    return device
  }
  /** @throws RangeError for an address that the configuration check refuses */
  const placeOf = ({ Address }: PointRow): MeterAddress => {
    const parsed = parse(Address)
    if ('at' in parsed) throw new RangeError(`${Address} is no address`)
    return parsed.address
  }
  const addressOf = (meter: DeviceRow) => String(meter.Settings?.MeterAddress ?? '').toUpperCase()
  const blockOf = (points: readonly PointRow[]): MeterBlock => {
    const meter = meterOf(points[0]!)
    return {
      ...{ points, meter, unit: addressOf(meter), identifier: placeOf(points[0]!).identifier },
      gapMs: Math.max(...points.map((p) => p.IntervalTime)),
      timeoutMs: Math.max(...points.map((p) => p.Timeout)),
    }
  }
  return {
    ...{ meterOf, placeOf, addressOf },
    plan: (points: readonly PointRow[]): MeterBlock[] =>
      [...Map.groupBy(points, (p) => `${p.DeviceId}/${placeOf(p).identifier}`).values()].map(blockOf),
    split: (block: MeterBlock): MeterBlock[] => block.points.map((point) => blockOf([point])),
    unitOf: (point: PointRow) => addressOf(meterOf(point)),
  }
}
