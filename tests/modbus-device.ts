import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

/**
 * A Modbus TCP device of tests: 65,536 holding registers and coils. `reads` (of registers), `coilReads` and `writes` are what
 * the peer saw, `onRead` may change the registers before each answer. Modbus Application Protocol V1.1b3, sections 6.1 to 6.12.
 */
export const startDevice = async (port = 0) => {
  const registers = new Uint16Array(65_536)
  const coils = new Uint8Array(65_536)
  const writes: { address: number; values: number[]; at: number }[] = []
  const state = { reads: 0, coilReads: 0, onRead: (_address: number, _count: number) => {} }
  const sockets = new Set<Socket>()

  const answer = (pdu: Buffer): Buffer => {
    const [code, address, count] = [pdu[0]!, pdu.readUInt16BE(1), pdu.readUInt16BE(3)]
    if (code === 1 || code === 2) {
      state.coilReads++
      const bytes = Buffer.alloc(2 + Math.ceil(count / 8))
      bytes[0] = code
      bytes[1] = bytes.length - 2
      for (let i = 0; i < count; i++) if (coils[address + i]) bytes[2 + (i >> 3)]! |= 1 << (i & 7)
      return bytes
    }
    if (code === 3 || code === 4) {
      state.reads++
      state.onRead(address, count)
      const bytes = Buffer.alloc(2 + count * 2)
      bytes[0] = code
      bytes[1] = count * 2
      for (let i = 0; i < count; i++) bytes.writeUInt16BE(registers[address + i]!, 2 + i * 2)
      return bytes
    }
    if (code === 5) coils[address] = count ? 1 : 0
    if (code === 6) registers[address] = count
    if (code === 16) for (let i = 0; i < count; i++) registers[address + i] = pdu.readUInt16BE(6 + i * 2)
    if (code !== 5 && code !== 6 && code !== 16) return Buffer.from([code | 0x80, 1])
    writes.push({ address, values: code === 16 ? [...registers.subarray(address, address + count)] : [count], at: Date.now() })
    return pdu.subarray(0, 5)
  }

  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    let held = Buffer.alloc(0)
    socket.on('data', (chunk) => {
      held = Buffer.concat([held, chunk])
      while (held.length >= 7 && held.length >= 6 + held.readUInt16BE(4)) {
        const frame = held.subarray(0, 6 + held.readUInt16BE(4))
        held = held.subarray(frame.length)
        const pdu = answer(frame.subarray(7))
        const head = Buffer.from(frame.subarray(0, 7))
        head.writeUInt16BE(pdu.length + 1, 4)
        socket.write(Buffer.concat([head, pdu]))
      }
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const view = new DataView(new ArrayBuffer(4))
  return {
    port: (server.address() as { port: number }).port,
    registers,
    coils,
    writes,
    state,
    setFloat: (address: number, value: number) => {
      view.setFloat32(0, value)
      registers[address] = view.getUint16(0)
      registers[address + 1] = view.getUint16(2)
    },
    setUInt32: (address: number, value: number) => {
      registers[address] = value >>> 16
      registers[address + 1] = value & 0xffff
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
