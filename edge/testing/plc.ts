// Modbus TCP peers: a library's server that keeps registers, and a raw one that says whatever a test wants.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import modbusSerial, { type ServerTCP } from 'modbus-serial'
import type { ChannelRow, PointRow } from '../drivers/driver.ts'

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

/** A peer that answers each request with what `answer` makes of it, later if it likes. */
export const startRaw = async (answer: (request: Buffer, socket: Socket) => void) => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('data', (request) => answer(request, socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

export const channelRow = (port: number, change: Partial<ChannelRow> = {}): ChannelRow => ({
  Id: 1,
  CommType: 0,
  ProtocolType: 0,
  Ip: '127.0.0.1',
  Port: port,
  InterFrameMs: 0,
  RetryCount: 0,
  ...change,
})

/** A point that is read every 100 ms and uploaded with every scan, unless the test says otherwise. */
export const pointRow = (Id: number, Address: number | string, change: Partial<PointRow> = {}): PointRow => ({
  Row: Id,
  Id,
  DeviceId: 1,
  ParaName: `p${Id}`,
  ReadWriteType: 0,
  RegisterType: 4,
  ParaDataType: 2,
  Address: String(Address),
  SlaveNumber: 1,
  SampleLow: null,
  SampleHigh: null,
  ProjectLow: null,
  ProjectHigh: null,
  DecimalDigits: 2,
  UploadMode: 1,
  CollectPeriod: 100,
  IntervalTime: 0,
  Timeout: 500,
  UploadPeriod: 60,
  CollectType: 0,
  IsCache: 0,
  ...change,
})

/** One device on one channel with these points. */
export const tableOf = (port: number, points: PointRow[], channel: Partial<ChannelRow> = {}) => ({
  Channels: [channelRow(port, channel)],
  Devices: [{ Id: 1, DeviceName: 'PLC', CommType: 0, ChannelId: 1, SlaveNumber: 1 }],
  Points: points,
})
