// A Modbus TCP peer: a library's server that keeps registers.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import modbusSerial, { type ServerTCP } from 'modbus-serial'

export { startRaw } from './raw.ts'
export { channelRow, pointRow, tableOf } from './rows.ts'

const Server = (modbusSerial as unknown as { ServerTCP: typeof ServerTCP }).ServerTCP

/** A request, and the first register of what was answered. */
export type Asked = { unit: number; register: number; start: number; count: number; served: number }

/** Registers and bits that a test sets; `asked` holds the requests as they came. Port 0 takes a free one. */
export const startPlc = async (port = 0) => {
  const words = new Uint16Array(65536)
  const bits = new Uint8Array(65536)
  const asked: Asked[] = []
  const written: [address: number, value: number][] = []
  const missing = new Set<number>()
  let closed: Promise<void> | undefined
  const refuse = (start: number, count: number) => {
    for (let a = start; a < start + count; a++)
      if (missing.has(a)) throw Object.assign(new Error('illegal data address'), { modbusErrorCode: 2 })
  }
  const read = (register: number) => (start: number, count: number, unit: number) => {
    asked.push({ unit, register, start, count, served: words[start]! })
    refuse(start, count)
    return [...words.subarray(start, start + count)]
  }
  const server = new Server(
    {
      getMultipleHoldingRegisters: read(4),
      getMultipleInputRegisters: read(3),
      getHoldingRegister: (a: number, unit: number) => read(4)(a, 1, unit)[0]!,
      getInputRegister: (a: number, unit: number) => read(3)(a, 1, unit)[0]!,
      getCoil: (a: number) => bits[a] === 1,
      getDiscreteInput: (a: number) => bits[a] === 1,
      setRegister: (a: number, v: number) => {
        words[a] = v
        written.push([a, v])
      },
      setCoil: (a: number, v: boolean) => {
        bits[a] = v ? 1 : 0
        written.push([a, v ? 1 : 0])
      },
    },
    // The library takes the number 0 for its default, 502; the text is a free port.
    { host: '127.0.0.1', port: String(port) as unknown as number, unitID: 255 },
  )
  await once(server, 'initialized')
  const address = (server as unknown as { _server: { address(): AddressInfo } })._server.address()
  return {
    port: address.port,
    words,
    bits,
    asked,
    written,
    /** Addresses that answer exception 2. */
    missing,
    float: (address: number, value: number) => {
      const bytes = Buffer.alloc(4)
      bytes.writeFloatBE(value)
      words[address] = bytes.readUInt16BE(0)
      words[address + 1] = bytes.readUInt16BE(2)
    },
    close: () => {
      closed ??= new Promise<void>((resolve) => server.close(() => resolve()))
      return closed
    },
  }
}
