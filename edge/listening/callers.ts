// Peers that connect to a port of this gateway: a TCP connection, or an address that sends UDP datagrams.
import { createSocket } from 'node:dgram'
import { createServer, type Socket } from 'node:net'
import { hearPaced } from '../drivers/paced.ts'

export type Caller = { from: string; write(bytes: Buffer): void; end(): void }
export type Listener = {
  heard(caller: Caller, bytes: Buffer): void
  gone(caller: Caller, why: string): void
}
export type Port = { close(): Promise<void> }
export type PortPlace = { host: string; port: number; transport: 'tcp' | 'udp' }

/** Maximum connections of a port, and of one address. */
const [mostCallers, mostOfAddress] = [500, 50]
/** Silence after which the address of a datagram sender is removed, ms. */
const datagramIdleMs = 600_000

const openTcpPort = ({ host, port }: PortPlace, { heard, gone }: Listener): Promise<Port> =>
  new Promise((resolve, reject) => {
    const sockets = new Map<Socket, string>()
    const server = createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: 30_000 }, (socket) => {
      const from = socket.remoteAddress ?? ''
      const ofAddress = [...sockets.values()].filter((one) => one === from).length
      socket.on('error', () => socket.destroy())
      if (sockets.size >= mostCallers || ofAddress >= mostOfAddress) return void socket.destroy()
      sockets.set(socket, from)
      const caller: Caller = { from, write: (bytes) => void socket.write(bytes), end: () => void socket.destroy() }
      hearPaced(socket, (bytes) => heard(caller, bytes))
      socket.on('close', () => {
        sockets.delete(socket)
        gone(caller, 'the device closed the connection')
      })
    })
    server.once('error', reject)
    server.listen({ host, port, exclusive: true }, () => {
      server.off('error', reject)
      server.on('error', () => undefined)
      resolve({
        close: () => {
          for (const socket of sockets.keys()) socket.destroy()
          return new Promise((closed) => server.close(() => closed()))
        },
      })
    })
  })

const openUdpPort = ({ host, port }: PortPlace, { heard, gone }: Listener): Promise<Port> =>
  new Promise((resolve, reject) => {
    const callers = new Map<string, { caller: Caller; last: number }>()
    const socket = createSocket({ type: host.includes(':') ? 'udp6' : 'udp4' })
    const forget = (key: string, why: string) => {
      const known = callers.get(key)
      callers.delete(key)
      if (known) gone(known.caller, why)
    }
    const sweep = setInterval(() => {
      for (const [key, { last }] of callers) if (last < performance.now() - datagramIdleMs) forget(key, 'nothing came any more')
    }, 10_000).unref()
    socket.once('error', (error) => {
      clearInterval(sweep)
      reject(error)
    })
    socket.on('message', (bytes, { address, port: from }) => {
      const key = `${address} ${from}`
      const known = callers.get(key)
      if (known) known.last = performance.now()
      else if (callers.size >= mostCallers) return
      const caller: Caller = known?.caller ?? {
        from: address,
        write: (answer) => socket.send(answer, from, address, () => undefined),
        end: () => void callers.delete(key),
      }
      callers.set(key, { caller, last: performance.now() })
      heard(caller, bytes)
    })
    socket.bind({ address: host, port, exclusive: true }, () => {
      socket.removeAllListeners('error')
      socket.on('error', () => undefined)
      resolve({
        close: () => {
          clearInterval(sweep)
          callers.clear()
          return new Promise((closed) => socket.close(() => closed()))
        },
      })
    })
  })

export const openPort = (place: PortPlace, listener: Listener) => (place.transport === 'udp' ? openUdpPort : openTcpPort)(place, listener)
