import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { DriverFault } from '../driver.ts'

type Hear = (bytes: Buffer, from: RemoteInfo) => void
export type Shared = { send(bytes: Buffer, port: number, host: string): void; leave(): void }

type Open = { socket: Socket; hearers: Set<Hear>; ready: Promise<void> }
/** Sockets by local port. Channels share a socket: with two sockets on a port, only one would receive a datagram. */
const sockets = new Map<number, Open>()

const open = (port: number): Open => {
  const socket = createSocket({ type: 'udp4', reuseAddr: true })
  const hearers = new Set<Hear>()
  socket.on('message', (bytes, from) => {
    for (const hear of [...hearers]) hear(bytes, from)
  })
  socket.bind(port)
  const ready = once(socket, 'listening').then(() => {
    socket.setBroadcast(true)
    // Later errors, such as an unreachable host, show as timeouts.
    socket.on('error', () => {})
  })
  return { socket, hearers, ready }
}

/** Joins the socket of a port; 0 opens a separate one. @throws DriverFault down */
export const join = async (port: number, hear: Hear): Promise<Shared> => {
  const shared = (port ? sockets.get(port) : undefined) ?? open(port)
  if (port) sockets.set(port, shared)
  shared.hearers.add(hear)
  const leave = () => {
    if (!shared.hearers.delete(hear) || shared.hearers.size) return
    if (sockets.get(port) === shared) sockets.delete(port)
    shared.socket.close()
  }
  try {
    await shared.ready
  } catch (error) {
    sockets.delete(port)
    throw new DriverFault('down', `port ${port}: ${(error as Error).message}`)
  }
  return { send: (bytes, to, host) => void (shared.hearers.has(hear) && shared.socket.send(bytes, to, host, () => {})), leave }
}
