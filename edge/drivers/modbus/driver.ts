import { targetOf } from '../../../contract/protocols/index.ts'
import { type Driver, DriverFault, type Opening, type PointRow, type Reading } from '../driver.ts'
import { lineOf } from '../lines.ts'
import { decode, encode, readingOf, toRaw } from '../values.ts'
import { ascii, type Framing, mbap, rtu } from './frames.ts'
import { ModbusLink } from './link.ts'
import { halves, type ModbusBlock, place, plan } from './plan.ts'
import { SerialLink } from './serial-link.ts'

/** Timeout of a TCP connect, ms. */
const connectTimeoutMs = 3000

/** [APP] 6: read function of each register type of the point table. */
const readFunctions: Record<number, number> = { 0: 1, 1: 2, 3: 4, 4: 3 }

const pdu = (fn: number, ...words: number[]) => {
  const bytes = Buffer.alloc(1 + words.length * 2)
  bytes[0] = fn
  words.forEach((word, i) => {
    bytes.writeUInt16BE(word, 1 + i * 2)
  })
  return bytes
}

const reading = (point: PointRow, data: Buffer, start: number): Reading => {
  const { start: address, bit } = place(point)
  const at = address - start
  const raw =
    point.RegisterType < 2
      ? (data[at >> 3]! >> (at & 7)) & 1
      : bit === undefined
        ? decode(point.ParaDataType, data, at * 2)
        : (data.readUInt16BE(at * 2) >> bit) & 1
  return readingOf(point, raw)
}

const framings: Readonly<Record<number, Framing>> = { 0: mbap, 1: rtu, 2: ascii }

/** Modbus TCP (ProtocolType 0), RTU (1) and ASCII (2); RTU and ASCII over TCP or on a serial line. */
export const modbus = ({ channel, changed, dialled }: Pick<Opening, 'channel' | 'changed' | 'dialled'>): Driver<ModbusBlock> => {
  const framing = framings[channel.ProtocolType] ?? mbap
  const link =
    targetOf(channel) === 'dials'
      ? new ModbusLink(channel.Ip!, channel.Port!, framing, changed)
      : new SerialLink(lineOf({ channel, dialled }), framing, changed)

  const fetch = async (unit: number, register: number, start: number, count: number, timeoutMs: number) => {
    const reply = await link.request(unit, pdu(readFunctions[register]!, start, count), timeoutMs)
    const expected = register < 2 ? Math.ceil(count / 8) : count * 2
    if (reply[1] !== expected || reply.length !== expected + 2) {
      link.close()
      throw new DriverFault('garbled', `${reply.length - 2} bytes came instead of ${expected}`)
    }
    return reply.subarray(2)
  }

  /** The device echoes address and value, or address and count, of the write ([APP] 6.5, 6.6, 6.12). */
  const store = async (point: PointRow, request: Buffer) => {
    const reply = await link.request(point.SlaveNumber, request, point.Timeout)
    if (reply.compare(request.subarray(0, 5)) !== 0) throw new DriverFault('garbled', 'the device confirmed another write')
  }

  return {
    plan,
    split: halves,
    get connected() {
      return link.connected
    },
    connect: () => link.connect(connectTimeoutMs),
    read: async (block) => {
      const data = await fetch(block.unit, block.register, block.start, block.count, block.timeoutMs)
      return block.points.map((point) => reading(point, data, block.start))
    },
    write: async (point, value) => {
      const { start: address, bit } = place(point)
      const raw = toRaw(point, value)
      const bytes = encode(point.ParaDataType, raw)
      if (point.RegisterType === 0) return store(point, pdu(5, address, raw ? 0xff00 : 0))
      if (bit !== undefined) {
        const old = (await fetch(point.SlaveNumber, 4, address, 1, point.Timeout)).readUInt16BE(0)
        return store(point, pdu(6, address, raw ? old | (1 << bit) : old & ~(1 << bit) & 0xffff))
      }
      if (bytes.length === 2) return store(point, pdu(6, address, bytes.readUInt16BE(0)))
      return store(point, Buffer.concat([pdu(16, address, bytes.length / 2), Buffer.of(bytes.length), bytes]))
    },
    close: () => link.close(),
    trace: (receive) => link.trace(receive),
  }
}

export default modbus
