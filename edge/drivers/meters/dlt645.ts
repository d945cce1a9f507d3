import { itemOf } from '../../../contract/protocols/dlt645-data.ts'
import type { MeterItem } from '../../../contract/protocols/meter-data.ts'
import { dlt645Old, itemsOf, dlt645 as protocol2007 } from '../../../contract/protocols/meters.ts'
import { settingOf } from '../../../contract/protocols/settings.ts'
import { type Driver, DriverFault, type OpenDriver, type PointRow, type Reading } from '../driver.ts'
import { lineOf } from '../lines.ts'
import { Questions } from '../questions.ts'
import { browseItems } from './browse.ts'
import { addressBytes, anyone, dlt645Layout, frameOf, type MeterFrame, masked, takeAnswer } from './frames.ts'
import { bytesOf, digitsFor, meterReading, rawOf, unknown } from './parts.ts'
import { type MeterBlock, meterPlan } from './plan.ts'

/** Control codes: 2007, 7.2; 1997, 6.2. */
const codes2007 = { read: 0x11, more: 0x12, address: 0x13, write: 0x14 }
const codes1997 = { read: 0x01, more: 0x02, address: 0x01, write: 0x04 }
const [refusal, followUp] = [0x40, 0x20]
/** Bits of the error byte (2007, 7.3; the first three are the same in 1997). */
const errors = [
  ['other error', 'refused'],
  ['the meter does not have this value', 'address'],
  ['wrong password, or no right to write', 'refused'],
  ['the baud rate cannot be changed', 'refused'],
  ['too many time zones', 'refused'],
  ['too many periods', 'refused'],
  ['too many tariffs', 'refused'],
] as const
/** Maximum follow-up frames of an answer (2007: numbers 1 to 255). */
const mostFrames = 255
const findTimeoutMs = 2000
/** Possible end byte of a 1997 answer with several values. */
const terminator = 0xaa

/** The fault of an error byte. */
export const refusalOf = (byte: number): DriverFault => {
  const [text, kind] = errors.find((_, bit) => (byte >> bit) & 1) ?? errors[0]
  return new DriverFault(kind, `the meter answered error ${byte.toString(16).padStart(2, '0')} (${text})`)
}

type Asked = { address: string; control: number; data: Buffer; timeoutMs: number; meaning: string; secret?: [from: number, count: number] }

type Items = ReadonlyMap<string, MeterItem>
type Place = ReturnType<typeof meterPlan>['placeOf']
/** Readings of the points of an answer. @throws DriverFault garbled if its size differs from its identifier's */
const readings = (items: Items, placeOf: Place, { points, identifier }: MeterBlock, data: Buffer): Reading[] => {
  const item = itemOf(items, identifier)
  if (!item) return points.map((p) => (placeOf(p).place === 1 ? meterReading(p, 0, rawOf({}, data)) : unknown))
  const { parts } = item
  const size = parts.reduce((sum, { bytes }) => sum + bytes, 0)
  const own = item.isBlock && data.length % size === 1 && data.at(-1) === terminator ? data.subarray(0, -1) : data
  if (item.isBlock ? own.length % size : own.length !== size)
    throw new DriverFault('garbled', `${identifier} has ${size} bytes, and ${own.length} came`)
  return points.map((point) => {
    const index = placeOf(point).place - 1
    const [round, of] = [Math.floor(index / parts.length), index % parts.length]
    const part = parts[of]!
    const at = round * size + parts.slice(0, of).reduce((sum, { bytes }) => sum + bytes, 0)
    if (at + part.bytes > own.length) return unknown
    return meterReading(point, part.decimals, rawOf(part, own.subarray(at, at + part.bytes)))
  })
}

/** Level and password, and for 2007 the operator. */
const authority = (isOld: boolean, password: string, operator: string) => {
  if (!password && isOld) return Buffer.alloc(0)
  const [level, digits] = [password.slice(0, 2) || '00', password.slice(2) || '000000']
  const who = isOld ? Buffer.alloc(0) : addressBytes(operator)
  return Buffer.concat([Buffer.from(level, 'hex'), addressBytes(digits), who])
}

/** Electricity meters by DL/T 645-2007 (ProtocolType 20) and -1997 (21). */
export const dlt645: OpenDriver = ({ channel, devices, changed, dialled }): Driver<MeterBlock> => {
  const isOld = channel.ProtocolType === dlt645Old.number
  const protocol = isOld ? dlt645Old : protocol2007
  const [codes, items] = [isOld ? codes1997 : codes2007, itemsOf(protocol.number)]
  const setting = (name: string) => settingOf(protocol.channel, channel.Settings, name)
  const text = (name: string) => String(setting(name) ?? '')
  const preamble = Number(setting('Preamble') ?? 0)
  const line = new Questions(lineOf({ channel, dialled }), changed)
  const { plan, split, placeOf, addressOf, meterOf, unitOf } = meterPlan(devices, (text) => protocol.parse(text))

  const ask = ({ address, control, data, timeoutMs, meaning, secret }: Asked): Promise<MeterFrame> => {
    const bytes = frameOf(dlt645Layout, { address, type: 0, control, data }, preamble)
    const isAnyone = address === anyone(dlt645Layout)
    return line.ask<MeterFrame>({
      ...{ bytes, timeoutMs, who: isAnyone ? 'no meter' : `meter ${address}`, meaning: `meter ${address}: ${meaning}` },
      ...(secret ? { shown: masked(dlt645Layout, bytes, preamble, ...secret) } : {}),
      take: (received) => {
        const frame = takeAnswer(dlt645Layout, received)
        if (!frame) return undefined
        if (!isAnyone && frame.address !== address) throw new Error(`meter ${frame.address} answered instead of ${address}`)
        if ((frame.control & ~(refusal | followUp)) !== (control | 0x80))
          throw new Error(`control ${frame.control.toString(16)} answered ${control.toString(16)}`)
        const answer = frame.control & refusal ? refusalOf(frame.data[0] ?? 1) : frame
        const said = answer instanceof DriverFault ? answer.message : `${meaning}, ${frame.data.length} bytes`
        return { answer, frame: frame.bytes, meaning: `meter ${frame.address}: ${said}` }
      },
    })
  }

  const identifierOf = (frame: MeterFrame, wanted: Buffer) => {
    if (!frame.data.subarray(0, wanted.length).equals(wanted)) throw new DriverFault('garbled', 'the meter answered with another value')
    return frame.data.subarray(wanted.length)
  }
  /** The data of an identifier, from one or more frames. */
  const fetch = async (address: string, identifier: string, timeoutMs: number): Promise<Buffer> => {
    const wanted = addressBytes(identifier)
    const asked = { address, timeoutMs, meaning: `read ${identifier}` }
    let frame = await ask({ ...asked, control: codes.read, data: wanted })
    const parts = [identifierOf(frame, wanted)]
    for (let n = 1; frame.control & followUp; n++) {
      if (n > mostFrames) throw new DriverFault('garbled', 'an answer without end')
      const number = isOld ? [] : [n]
      frame = await ask({
        ...asked,
        control: codes.more,
        data: Buffer.concat([wanted, Buffer.from(number)]),
        meaning: `more of ${identifier}`,
      })
      const part = identifierOf(frame, wanted)
      if (!isOld && part.at(-1) !== n) throw new DriverFault('garbled', `frame ${part.at(-1)} came instead of ${n}`)
      parts.push(isOld ? part : part.subarray(0, -1))
    }
    return Buffer.concat(parts)
  }

  const write = async (point: PointRow, value: number) => {
    const { identifier } = placeOf(point)
    const part = items.get(identifier)?.isWritable ? items.get(identifier)!.parts[0] : undefined
    if (!part) throw new RangeError(`${identifier} cannot be written`)
    const [wanted, allowed] = [addressBytes(identifier), authority(isOld, text('Password'), text('Operator') || '00000000')]
    const data = Buffer.concat([wanted, allowed, bytesOf(part, digitsFor(point, part, value))])
    await ask({
      ...{ address: addressOf(meterOf(point)), control: codes.write, data, timeoutMs: point.Timeout, meaning: `write ${identifier}` },
      secret: [wanted.length, Math.min(4, allowed.length)],
    })
  }
  const find = async () => {
    const data = isOld ? addressBytes('9010') : Buffer.alloc(0)
    const asked = { address: anyone(dlt645Layout), control: codes.address, timeoutMs: findTimeoutMs, meaning: 'who is there' }
    return (await ask({ ...asked, data })).address
  }

  return {
    ...{ plan, split, unitOf, write },
    get connected() {
      return line.connected
    },
    connect: () => line.connect(),
    read: async (block) => readings(items, placeOf, block, await fetch(String(block.unit), block.identifier, block.timeoutMs)),
    browse: (below) => browseItems(items, below, find),
    close: () => line.close(),
    trace: (receive) => line.trace(receive),
  }
}

export default dlt645
