import { createServer, type Server, type Socket } from 'node:net'
import type { DemoDevice } from '../contract/demo-plant.ts'
import type { DemoPoint } from '../contract/demo-points.ts'
import type { World } from './model/world.ts'
import { fromWords, toWords, width } from './registers.ts'
import { type Signal, signals } from './signals.ts'

type Place = { point: DemoPoint; signal: Signal /** Which of its registers. */; word: number; bit?: number }
type Memory = { bits: Map<number, Place>[]; words: Map<number, Place[]>[] }

/** Refused with a Modbus exception: 1 function, 2 address, 3 value (Modbus application protocol V1.1b3, section 7). */
class Refusal extends Error {
  readonly code: number
  constructor(code: number) {
    super(`exception ${code}`)
    this.code = code
  }
}

const layOut = (device: DemoDevice): Memory => {
  const known = signals(device.DeviceName)
  const memory: Memory = { bits: [new Map(), new Map()], words: [new Map(), new Map()] }
  for (const point of device.Points) {
    const signal = known.get(point.ParaName)
    if (!signal) throw new Error(`${device.DeviceName}: nothing moves "${point.ParaName}"`)
    const [address, bit] = point.Address.split('.').map(Number)
    if (point.RegisterType < 2) memory.bits[point.RegisterType]!.set(address!, { point, signal, word: 0 })
    else
      for (let word = 0; word < width(point); word++) {
        const table = memory.words[point.RegisterType - 3]!
        table.set(address! + word, [...(table.get(address! + word) ?? []), { point, signal, word, bit }])
      }
  }
  return memory
}

/** One Modbus TCP device that shows a part of the world. */
export const controller = (device: DemoDevice, index: number, world: World) => {
  const memory = layOut(device)
  const find = <T>(table: Map<number, T>, address: number): T => {
    const found = table.get(address)
    if (!found) throw new Refusal(2)
    return found
  }
  const wordAt = (places: readonly Place[]) => {
    if (places[0]!.bit === undefined) return toWords(places[0]!.point, Number(places[0]!.signal.get(world)))[places[0]!.word]!
    return places.reduce((word, p) => word | (Number(p.signal.get(world)) << p.bit!), 0)
  }
  const range = (start: number, count: number, most: number) => {
    if (count < 1 || count > most) throw new Refusal(3)
    return Array.from({ length: count }, (_, i) => start + i)
  }
  const change = (place: Place, value: number) => {
    const { AxisMin, AxisMax, RegisterType } = place.point
    if (!place.signal.set || RegisterType === 1 || RegisterType === 3) throw new Refusal(2)
    if (!Number.isFinite(value) || value < (AxisMin ?? value) - 1e-6 || value > (AxisMax ?? value) + 1e-6) throw new Refusal(3)
    place.signal.set(world, value)
  }
  /** Whole numbers only: half of a float would be another number in between. */
  const write = (start: number, words: readonly number[]) => {
    for (let i = 0; i < words.length; ) {
      const place = find(memory.words[1]!, start + i)[0]!
      const size = width(place.point)
      if (place.word !== 0 || i + size > words.length) throw new Refusal(3)
      change(place, fromWords(place.point, words.slice(i, i + size)))
      i += size
    }
  }

  /** Reply PDU to a request PDU. */
  const answer = (pdu: Buffer): Buffer => {
    const fn = pdu[0]!
    if (pdu.length < 5) throw new Refusal(3)
    const start = pdu.readUInt16BE(1)
    const value = pdu.readUInt16BE(3)
    switch (fn) {
      case 1:
      case 2: {
        const bits = range(start, value, 2000).map((a) => Number(find(memory.bits[fn - 1]!, a).signal.get(world)))
        const bytes = Buffer.alloc(Math.ceil(bits.length / 8))
        bits.forEach((b, i) => {
          bytes[i >> 3]! |= b << (i & 7)
        })
        return Buffer.concat([Buffer.of(fn, bytes.length), bytes])
      }
      case 3:
      case 4: {
        const table = memory.words[fn === 3 ? 1 : 0]!
        const words = range(start, value, 125).map((a) => wordAt(find(table, a)))
        const reply = Buffer.alloc(2 + words.length * 2)
        reply.set([fn, words.length * 2])
        words.forEach((w, i) => {
          reply.writeUInt16BE(w, 2 + i * 2)
        })
        return reply
      }
      case 5:
        if (value !== 0 && value !== 0xff00) throw new Refusal(3)
        change(find(memory.bits[0]!, start), value ? 1 : 0)
        return pdu.subarray(0, 5)
      case 6:
        write(start, [value])
        return pdu.subarray(0, 5)
      case 16:
        if (value < 1 || value > 123 || pdu[5] !== value * 2 || pdu.length !== 6 + value * 2) throw new Refusal(3)
        write(
          start,
          Array.from({ length: value }, (_, i) => pdu.readUInt16BE(6 + i * 2)),
        )
        return pdu.subarray(0, 5)
      default:
        throw new Refusal(1)
    }
  }
  const reply = (pdu: Buffer) => {
    try {
      return answer(pdu)
    } catch (error) {
      if (error instanceof Refusal) return Buffer.of(pdu[0]! | 0x80, error.code)
      throw error
    }
  }
  return serve((unit, pdu) => (unit !== device.SlaveNumber || world.silent.has(index) ? undefined : reply(pdu)))
}

/** Modbus TCP framing; a request without an answer stays without one. */
const serve = (answer: (unit: number, pdu: Buffer) => Buffer | undefined): Server & { drop(): void } => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    let received: Buffer = Buffer.alloc(0)
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (bytes) => {
      received = Buffer.concat([received, bytes])
      while (received.length >= 8) {
        const size = received.readUInt16BE(4)
        if (received.readUInt16BE(2) !== 0 || size < 2 || size > 254) return socket.destroy()
        if (received.length < 6 + size) return
        const pdu = answer(received[6]!, received.subarray(7, 6 + size))
        if (pdu) {
          const head = Buffer.from(received.subarray(0, 7))
          head.writeUInt16BE(pdu.length + 1, 4)
          socket.write(Buffer.concat([head, pdu]))
        }
        received = received.subarray(6 + size)
      }
    })
  })
  return Object.assign(server, {
    drop: () => {
      for (const socket of sockets) socket.destroy()
    },
  })
}
