// Meters on a line, which misbehave when a test says so.
import type { Socket } from 'node:net'
import { cjt188Layout, dlt645Layout, frameOf, type Layout } from '../drivers/meters/frames.ts'
import { type Behaviour, startRaw } from './raw.ts'

/** A frame that a master sent, read by hand: what the driver's reader does not take. */
export type Asked = { address: string; type: number; control: number; data: Buffer }
export const readAsked = (layout: Layout, bytes: Buffer): Asked => {
  const at = bytes.indexOf(0x68)
  const head = at + layout.addressAt + layout.addressBytes + (layout.hasSecondStart ? 1 : 0)
  const address = Buffer.from(bytes.subarray(at + layout.addressAt, at + layout.addressAt + layout.addressBytes)).reverse()
  const data = bytes.subarray(head + 2, head + 2 + bytes[head + 1]!).map((byte) => byte - layout.offset)
  return { address: address.toString('hex').toUpperCase(), type: bytes[at + 1]!, control: bytes[head]!, data: Buffer.from(data) }
}

export type Reply = { control: number; data: Buffer; address?: string } | undefined

/** Meters over TCP. `answer` returns a meter's answer; undefined if no meter has that address. */
export const startMeters = async (layout: Layout, answer: (asked: Asked) => Reply, refused: (asked: Asked) => Reply, lateMs: number) => {
  const sockets = new Set<Socket>()
  let how: Behaviour = 'good'
  const raw = await startRaw((bytes, socket) => {
    if (!sockets.has(socket)) socket.on('close', () => sockets.delete(socket))
    sockets.add(socket)
    const asked = readAsked(layout, bytes)
    const good = answer(asked)
    const reply = good && how === 'refused' ? refused(asked) : good
    if (!reply || how === 'silent') return
    const frame = frameOf(
      layout,
      { type: asked.type, address: reply.address ?? asked.address, control: reply.control, data: reply.data },
      2,
    )
    if (how === 'late') return void setTimeout(() => socket.writable && socket.write(frame), lateMs)
    if (how === 'cut') {
      socket.write(frame.subarray(0, frame.length - 1))
      return void socket.end()
    }
    if (how === 'garbled') frame[frame.length - 2]! ^= 0x55
    socket.write(frame)
  })
  return {
    port: raw.port,
    behave: (next: Behaviour) => {
      how = next
    },
    cut: () => {
      for (const socket of sockets) socket.destroy()
    },
    connections: () => sockets.size,
    close: raw.close,
  }
}

const bcd = (value: number, bytes: number) => Buffer.from(String(value).padStart(bytes * 2, '0'), 'hex').reverse()
const digits = (bytes: Buffer) => Number(Buffer.from(bytes).reverse().toString('hex'))

/** One DL/T 645 meter, with a value of so many bytes in each identifier. */
export const dlt645Meter = (
  { address, isOld, bytes, authority }: { address: string; isOld: boolean; bytes: number; authority: Buffer },
  values: Map<string, number>,
) => {
  const size = isOld ? 2 : 4
  const [read, write] = isOld ? [0x01, 0x04] : [0x11, 0x14]
  return (asked: Asked): Reply => {
    if (asked.address !== address) return undefined
    const identifier = Buffer.from(asked.data.subarray(0, size)).reverse().toString('hex').toUpperCase()
    const control = asked.control | 0x80
    if (!values.has(identifier)) return { control: control | 0x40, data: Buffer.of(2) }
    if (asked.control === read) return { control, data: Buffer.concat([asked.data.subarray(0, size), bcd(values.get(identifier)!, bytes)]) }
    if (asked.control !== write) return undefined
    if (!asked.data.subarray(size, size + authority.length).equals(authority)) return { control: control | 0x40, data: Buffer.of(4) }
    values.set(identifier, digits(asked.data.subarray(size + authority.length)))
    return { control, data: Buffer.alloc(0) }
  }
}

/** Water meters with a total and a settlement day, by their addresses. */
export const cjt188Meters =
  (totals: Map<string, number>, days: Map<string, number>) =>
  (asked: Asked): Reply => {
    const [total, day] = [totals.get(asked.address), days.get(asked.address)]
    if (total === undefined || day === undefined) return undefined
    const head = asked.data.subarray(0, 3)
    const identifier = Buffer.from(head.subarray(0, 2)).reverse().toString('hex').toUpperCase()
    const control = asked.control | 0x80
    if (asked.control === 4 && identifier === 'A011') {
      days.set(asked.address, digits(asked.data.subarray(3)))
      return { control, data: head }
    }
    const flow = Buffer.concat([bcd(total * 100, 4), Buffer.of(0x2c)])
    if (identifier === '901F')
      return { control, data: Buffer.concat([head, flow, flow, bcd(20_260_102_030_405, 7), Buffer.of(0x21, 0x84)]) }
    if (identifier === '8103') return { control, data: Buffer.concat([head, bcd(day, 1)]) }
    return { control: control | 0x40, data: Buffer.of(0, 0, 0) }
  }
export { cjt188Layout, dlt645Layout }
