// A controller that speaks S7, and misbehaves when a test says so.
import type { Socket } from 'node:net'
import { type Behaviour, startRaw } from './raw.ts'

const [badAddress, noObject, denied, good] = [5, 10, 3, 0xff]
const word = (n: number) => Buffer.of(n >> 8, n & 255)
const packet = (...parts: Buffer[]) => {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.of(3, 0), word(body.length + 4), body])
}
const answer = (id: number, parameters: Buffer, data: Buffer) =>
  packet(Buffer.of(2, 0xf0, 0x80, 0x32, 3, 0, 0), word(id), word(parameters.length), word(data.length), word(0), parameters, data)

/** Its areas by number, such as 0x84 with the data blocks by theirs; `pdu` is what it negotiates. */
export const startS7 = async ({ pdu = 240, lateMs = 100 } = {}) => {
  const blocks = new Map<string, Buffer>()
  const sockets = new Set<Socket>()
  const asked: { items: number; bytes: number }[] = []
  let how: Behaviour = 'good'

  const item = (at: Buffer) => {
    const isBit = at[3] === 1
    const address = at.readUIntBE(9, 3)
    return {
      block: blocks.get(`${at[8]}/${at.readUInt16BE(6)}`),
      isBit,
      ...{ byte: address >> 3, bit: address & 7, length: isBit ? 1 : at.readUInt16BE(4) },
    }
  }
  const codeOf = ({ block, byte, length }: ReturnType<typeof item>) =>
    how === 'refused' ? denied : !block ? noObject : byte + length > block.length ? badAddress : good
  const read = (id: number, pdu: Buffer) => {
    const count = pdu[11]!
    const items = Array.from({ length: count }, (_, i) => item(pdu.subarray(12 + i * 12, 24 + i * 12)))
    const data = items.map((one, i) => {
      const code = codeOf(one)
      if (code !== good) return Buffer.of(code, 0, 0, 0)
      const bytes = one.block!.subarray(one.byte, one.byte + one.length)
      const fill = bytes.length % 2 && i < count - 1 ? 1 : 0
      return Buffer.concat([Buffer.of(good, 4), word(bytes.length * 8), bytes, Buffer.alloc(fill)])
    })
    const frame = answer(id, Buffer.of(4, count), Buffer.concat(data))
    asked.push({ items: count, bytes: frame.length - 7 })
    return frame
  }
  const write = (id: number, pdu: Buffer) => {
    const one = item(pdu.subarray(12, 24))
    const code = codeOf(one)
    const bytes = pdu.subarray(28)
    if (code === good && !one.isBit) bytes.copy(one.block!, one.byte, 0, one.length)
    if (code === good && one.isBit) one.block![one.byte] = (one.block![one.byte]! & ~(1 << one.bit)) | ((bytes[0]! & 1) << one.bit)
    return answer(id, Buffer.of(5, 1), Buffer.of(code))
  }
  const replyTo = (request: Buffer): Buffer => {
    if (request[5] === 0xe0) return packet(Buffer.of(17, 0xd0, 0, 1, 0, 2, 0, 0xc0, 1, 10), request.subarray(14, 22))
    const job = request.subarray(7)
    const id = job.readUInt16BE(4)
    if (job[10] === 0xf0) return answer(id, Buffer.concat([Buffer.of(0xf0, 0), word(1), word(1), word(pdu)]), Buffer.alloc(0))
    return job[10] === 4 ? read(id, job) : write(id, job)
  }
  const raw = await startRaw((bytes, socket) => {
    if (!sockets.has(socket)) socket.on('close', () => sockets.delete(socket))
    sockets.add(socket)
    const isOpening = bytes[5] === 0xe0 || bytes[17] === 0xf0
    const frame = replyTo(bytes)
    if (isOpening) return void socket.write(frame)
    if (how === 'silent') return
    if (how === 'late') return void setTimeout(() => socket.writable && socket.write(frame), lateMs)
    if (how === 'cut') {
      socket.write(frame.subarray(0, frame.length - 1))
      return void socket.end()
    }
    if (how === 'garbled') frame[7] = 0x33
    socket.write(frame)
  })
  return {
    port: raw.port,
    /** Bytes of a data block, or of another area (0x81 inputs, 0x82 outputs, 0x83 memory). */
    area: (area: number, block: number, bytes: Buffer) => void blocks.set(`${area}/${block}`, bytes),
    /** Requests to read: items, and bytes of the PDU that answered. */
    asked,
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
