// The PROXY protocol, versions 1 and 2 (haproxy.org, proxy-protocol.txt): a balancer names the address of its caller before the first byte
// of a connection.
import { createServer, isIP, type Server, type Socket } from 'node:net'

const [signature, word] = [Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1'), Buffer.from('PROXY ')]
/** Bytes: header without addresses (2.2); longest header of version 1 (2.1), and of version 2 with its extensions. */
const sizes = { fixed: 16, text: 107, binary: 2048 }
/** Balancers send the header immediately. ms. */
const patience = 5000

type Header = { length: number; address?: string }

const ofText = (bytes: Buffer): Header | 'incomplete' | undefined => {
  const end = bytes.subarray(0, sizes.text).indexOf('\r\n')
  if (end < 0) return bytes.length < sizes.text ? 'incomplete' : undefined
  const [, family, address = ''] = bytes.toString('latin1', 0, end).split(' ')
  const length = end + 2
  if (family === 'UNKNOWN') return { length }
  return isIP(address) && family === `TCP${isIP(address)}` ? { length, address } : undefined
}

const ofBinary = (bytes: Buffer): Header | 'incomplete' | undefined => {
  if (bytes.length < sizes.fixed) return 'incomplete'
  const [command, family, length] = [bytes[12]!, bytes[13]!, sizes.fixed + bytes.readUInt16BE(14)]
  if (command !== 0x20 && command !== 0x21) return
  if (length > sizes.binary) return
  if (bytes.length < length) return 'incomplete'
  // A health check of the balancer itself, or a family without addresses.
  if (command === 0x20 || (family !== 0x11 && family !== 0x21)) return { length }
  const isFour = family === 0x11
  if (length < sizes.fixed + (isFour ? 12 : 36)) return
  const of = bytes.subarray(sizes.fixed, sizes.fixed + (isFour ? 4 : 16))
  const groups = Array.from({ length: 8 }, (_, i) => (isFour ? '' : of.readUInt16BE(2 * i).toString(16)))
  return { length, address: isFour ? of.join('.') : groups.join(':') }
}

/**
 * The header at the start of a connection: its length in bytes, and the address that it names, if any. Returns undefined if the bytes are
 * no header.
 */
export const proxyHeader = (bytes: Buffer): Header | 'incomplete' | undefined => {
  const begins = (start: Buffer) => bytes.subarray(0, start.length).equals(start.subarray(0, bytes.length))
  if (begins(signature)) return ofBinary(bytes)
  return begins(word) ? ofText(bytes) : undefined
}

type Guard = {
  isBalancer(address: string): boolean
  /** Whether another connection may wait for its header besides `waiting` others. */
  hasRoom(waiting: number): boolean
  /** The balancer sent no header: it is not set up for it. */
  refuse(detail: string, socket: Socket): void
}

const keyOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`

/**
 * A server that reads the headers of balancers and hands each connection to `server`, which does not listen itself. Other callers connect
 * without a header.
 */
export const behindProxies = (server: Server, { isBalancer, hasRoom, refuse }: Guard) => {
  const addresses = new Map<string, string>()
  const waiting = new Set<Socket>()
  const handOver = (socket: Socket, { length, address }: Header, bytes: Buffer) => {
    if (address !== undefined) {
      const key = keyOf(socket)
      addresses.set(key, address)
      socket.once('close', () => addresses.delete(key))
    }
    socket.pause()
    if (bytes.length > length) socket.unshift(bytes.subarray(length))
    server.emit('connection', socket)
  }
  const readHeader = (socket: Socket) => {
    let bytes: Buffer = Buffer.alloc(0)
    const timer = setTimeout(() => socket.destroy(), patience)
    waiting.add(socket)
    const over = () => {
      clearTimeout(timer)
      waiting.delete(socket)
      socket.off('data', take).off('close', over)
    }
    const take = (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk])
      const header = proxyHeader(bytes)
      if (header === 'incomplete') return
      over()
      if (header) return handOver(socket, header, bytes)
      refuse('A connection of a balancer does not begin with a header of the PROXY protocol.', socket)
      socket.destroy()
    }
    socket.on('data', take).once('close', over)
  }
  const entry = createServer((socket) => {
    socket.on('error', () => undefined)
    if (!isBalancer(socket.remoteAddress ?? '')) server.emit('connection', socket)
    else if (hasRoom(waiting.size)) readHeader(socket)
    else socket.destroy()
  })
  return {
    entry,
    /** The address that the balancer named for this connection, also over TLS. */
    addressOf: (socket: Socket) => addresses.get(keyOf(socket)),
    close: () => {
      for (const socket of waiting) socket.destroy()
    },
  }
}
