import { s7 as protocol } from '../../../contract/protocols/s7.ts'
import { settingOf } from '../../../contract/protocols/settings.ts'
import { Quality } from '../../../contract/telemetry.ts'
import { type ChannelRow, type Driver, DriverFault, type OpenDriver, type PointRow, type Reading } from '../driver.ts'
import { decode, encode, readingOf, toRaw } from '../values.ts'
import { codeName, good, type ItemAnswer, isUnknown, readItems, readPacket, writePacket, writtenCode } from './frames.ts'
import { S7Link } from './link.ts'
import { alone, bytesOf, place, plan, type Run, requestsOf, type S7Block } from './plan.ts'

/** Access point of a rack and slot, for the connection of a programming device. */
const tsapOf = (rack: number, slot: number) => 0x0100 | (rack << 5) | slot
const accessPoints = ({ Settings }: ChannelRow) => {
  const setting = (name: string) => settingOf(protocol.channel, Settings, name)
  const given = (name: string) => {
    const text = setting(name)
    return typeof text === 'string' && text ? Number.parseInt(text.replace('.', ''), 16) : undefined
  }
  return { local: given('LocalTsap') ?? 0x0100, remote: given('RemoteTsap') ?? tsapOf(Number(setting('Rack')), Number(setting('Slot'))) }
}

const isSigned = 1
/** A byte is an 8-bit number, signed if its data type is. */
const rawOf = (point: PointRow, data: Buffer, at: number) => {
  const { bit, size } = place(point)
  if (bit !== undefined) return (data[at]! >> bit) & 1
  if (size === 1) return point.ParaDataType === isSigned ? data.readInt8(at) : data[at]!
  return decode(point.ParaDataType, data, at)
}
const bytesToWrite = (point: PointRow, raw: number) => {
  const { bit, size } = place(point)
  if (bit !== undefined) return Buffer.of(raw ? 1 : 0)
  const bytes = encode(point.ParaDataType, raw)
  if (size !== 1) return bytes
  const [low, high] = point.ParaDataType === isSigned ? [-128, 127] : [0, 255]
  if (raw < low! || raw > high!) throw new RangeError(`${raw} is outside ${low} to ${high}`)
  return Buffer.of(raw & 255)
}

const bad = (code: number): Reading => ({ value: null, quality: isUnknown(code) ? Quality.notConfigured : Quality.exception })
const readingsOf = ({ points, range }: Run, { code, bytes }: ItemAnswer): Reading[] =>
  points.map((point) => (code === good ? readingOf(point, rawOf(point, bytes, place(point).byte - range.byte)) : bad(code)))

/** Driver for Siemens S7 controllers. */
export const s7: OpenDriver = ({ channel, changed }): Driver<S7Block> => {
  const link = new S7Link({ host: channel.Ip!, port: channel.Port!, ...accessPoints(channel), changed })
  /** Runs that the controller refused as a whole; they are read point by point. */
  const divided = new WeakMap<Run, Run[]>()
  const current = (runs: readonly Run[]) => runs.flatMap((run) => divided.get(run) ?? [run])

  const fetch = async (runs: readonly Run[], timeoutMs: number): Promise<Map<PointRow, Reading>> => {
    const readings = new Map<PointRow, Reading>()
    for (const request of requestsOf(runs, link.pdu)) {
      const ranges = request.map(({ range }) => range)
      const answer = await link.ask((id) => readPacket(id, ranges), timeoutMs)
      const items = link.checked(() => readItems(answer, ranges))
      for (const [i, run] of request.entries()) {
        const item = items[i]!
        if (isUnknown(item.code) && run.points.length > 1) {
          divided.set(run, alone(run))
          for (const [point, reading] of await fetch(divided.get(run)!, timeoutMs)) readings.set(point, reading)
        } else
          readingsOf(run, item).forEach((reading, at) => {
            readings.set(run.points[at]!, reading)
          })
      }
    }
    return readings
  }

  return {
    plan,
    split: (block) => [block],
    get connected() {
      return link.connected
    },
    connect: () => link.connect(),
    read: async (block) => {
      const readings = await fetch(current(block.runs), block.timeoutMs)
      return block.points.map((point) => readings.get(point)!)
    },
    write: async (point, value) => {
      const bytes = bytesToWrite(point, toRaw(point, value))
      const { area, db, byte, bit } = place(point)
      const answer = await link.ask((id) => writePacket(id, { area, db, byte, length: bytesOf(point), bit }, bytes), point.Timeout)
      const code = link.checked(() => writtenCode(answer))
      if (code !== good) throw new DriverFault(isUnknown(code) ? 'address' : 'refused', codeName(code))
    },
    close: () => link.close(),
    unitOf: () => 0,
    trace: (receive) => link.trace(receive),
  }
}

export default s7
