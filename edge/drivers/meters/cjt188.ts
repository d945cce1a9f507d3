import { itemsOfType, unitFactors, valve, writtenAs } from '../../../contract/protocols/cjt188-data.ts'
import type { Part } from '../../../contract/protocols/meter-data.ts'
import { cjt188 as protocol } from '../../../contract/protocols/meters.ts'
import { settingOf } from '../../../contract/protocols/settings.ts'
import { Quality } from '../../../contract/telemetry.ts'
import { type DeviceRow, type Driver, DriverFault, type OpenDriver, type PointRow, type Reading } from '../driver.ts'
import { lineOf } from '../lines.ts'
import { Questions } from '../questions.ts'
import { browseItems } from './browse.ts'
import { anyone, cjt188Layout, frameOf, type MeterFrame, takeAnswer } from './frames.ts'
import { bytesOf, digitsFor, meterReading, rawOf, unknown } from './parts.ts'
import { type MeterBlock, meterPlan } from './plan.ts'

/** Control codes (CJ/T 188-2004, 6.2.5). */
const codes = { read: 0x01, address: 0x03, write: 0x04 }
const refusal = 0x40
/** The identifier of a meter's address. */
const addressIdentifier = '810A'
const [open, shut] = [0x55, 0x99]
const anyType = 0xaa
const findTimeoutMs = 2000

type Asked = { address: string; type: number; control: number; identifier: Buffer; data?: Buffer; timeoutMs: number; meaning: string }

/** The reading of a value in an answer, in the unit of its identifier regardless of the meter's unit. */
const reading = (point: PointRow, part: Part, data: Buffer, at: number): Reading => {
  const raw = rawOf(part, data.subarray(at, at + part.bytes))
  if (!part.hasUnit) return meterReading(point, part.decimals, raw)
  const factor = unitFactors[part.unit ?? '']?.get(data[at + part.bytes]!)
  const told = meterReading(point, part.decimals, raw * (factor ?? 1))
  // Unknown unit code: the value is uncertain.
  return factor === undefined && told.quality === Quality.good ? { ...told, quality: Quality.uncertain } : told
}
const widthOf = ({ bytes, hasUnit }: Part) => bytes + (hasUnit ? 1 : 0)

/** Water, heat, gas and electricity meters by CJ/T 188 (ProtocolType 30). */
export const cjt188: OpenDriver = ({ channel, devices, changed, dialled }): Driver<MeterBlock> => {
  const preamble = Number(settingOf(protocol.channel, channel.Settings, 'Preamble') ?? 0)
  const line = new Questions(lineOf({ channel, dialled }), changed)
  const { plan, split, placeOf, addressOf, meterOf, unitOf } = meterPlan(devices, (text) => protocol.parse(text))
  const settingOfMeter = (meter: DeviceRow, name: string) => String(settingOf(protocol.device, meter.Settings, name))
  const typeOf = (meter: DeviceRow) => settingOfMeter(meter, 'MeterType')
  const identifierBytes = (meter: DeviceRow, identifier: string) => {
    const bytes = Buffer.from(identifier, 'hex')
    return settingOfMeter(meter, 'IdentifierOrder') === 'high' ? bytes : bytes.reverse()
  }
  let serial = 0

  /** The data after the identifier and number of the answer. */
  const ask = async ({ address, type, control, identifier, data, timeoutMs, meaning }: Asked): Promise<MeterFrame> => {
    const asked = Buffer.concat([identifier, Buffer.of(serial), data ?? Buffer.alloc(0)])
    serial = (serial + 1) & 0xff
    const isAnyone = address === anyone(cjt188Layout)
    return line.ask<MeterFrame>({
      bytes: frameOf(cjt188Layout, { address, type, control, data: asked }, preamble),
      ...{ timeoutMs, who: isAnyone ? 'no meter' : `meter ${address}`, meaning: `meter ${address}: ${meaning}` },
      take: (received) => {
        const frame = takeAnswer(cjt188Layout, received)
        if (!frame) return undefined
        if (!isAnyone && frame.address !== address) throw new Error(`meter ${frame.address} answered instead of ${address}`)
        if ((frame.control & ~refusal) !== (control | 0x80))
          throw new Error(`control ${frame.control.toString(16)} answered ${control.toString(16)}`)
        const isRefused = (frame.control & refusal) !== 0
        if (!isRefused && !frame.data.subarray(0, 2).equals(identifier)) throw new Error('the meter answered with another value')
        const answer = isRefused ? new DriverFault('refused', `the meter refused: status ${frame.data.subarray(1).toString('hex')}`) : frame
        const said = isRefused ? 'refused' : `${meaning}, ${frame.data.length} bytes`
        return { answer, frame: frame.bytes, meaning: `meter ${frame.address}: ${said}` }
      },
    })
  }
  const of = (meter: DeviceRow, identifier: string, timeoutMs: number) => ({
    ...{ address: addressOf(meter), type: Number.parseInt(typeOf(meter), 16), timeoutMs },
    identifier: identifierBytes(meter, identifier),
  })

  const read = async ({ points, meter, identifier, timeoutMs }: MeterBlock): Promise<Reading[]> => {
    const frame = await ask({ ...of(meter, identifier, timeoutMs), control: codes.read, meaning: `read ${identifier}` })
    const data = frame.data.subarray(3)
    const parts = itemsOfType(typeOf(meter)).get(identifier)?.parts
    if (!parts) return points.map((p) => (placeOf(p).place === 1 ? meterReading(p, 0, rawOf({}, data)) : unknown))
    const size = parts.reduce((sum, part) => sum + widthOf(part), 0)
    if (data.length !== size) throw new DriverFault('garbled', `${identifier} has ${size} bytes, and ${data.length} came`)
    return points.map((point) => {
      const index = placeOf(point).place - 1
      const part = parts[index]
      return part
        ? reading(
            point,
            part,
            data,
            parts.slice(0, index).reduce((sum, before) => sum + widthOf(before), 0),
          )
        : unknown
    })
  }
  const write = async (point: PointRow, value: number) => {
    const meter = meterOf(point)
    const { identifier } = placeOf(point)
    const item = itemsOfType(typeOf(meter)).get(identifier)
    if (!item?.isWritable) throw new RangeError(`${identifier} cannot be written`)
    const part = item.parts[0]!
    if (identifier === valve && value !== 0 && value !== 1) throw new RangeError(`${value} is neither 0 nor 1`)
    const data = identifier === valve ? Buffer.of(value ? open : shut) : bytesOf(part, digitsFor(point, part, value))
    const target = writtenAs[identifier] ?? identifier
    await ask({ ...of(meter, target, point.Timeout), control: codes.write, data, meaning: `write ${target}` })
  }
  const find = async () => {
    const identifier = Buffer.from(addressIdentifier, 'hex').reverse()
    const asked = { address: anyone(cjt188Layout), type: anyType, control: codes.address, timeoutMs: findTimeoutMs }
    return (await ask({ ...asked, identifier, meaning: 'who is there' })).address
  }

  return {
    ...{ plan, split, unitOf, read, write },
    get connected() {
      return line.connected
    },
    connect: () => line.connect(),
    browse: (below) => browseItems(itemsOfType(devices[0] ? typeOf(devices[0]) : '10'), below, find),
    close: () => line.close(),
    trace: (receive) => line.trace(receive),
  }
}

export default cjt188
