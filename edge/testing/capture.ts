// What goes over a line between a driver and its device, as a capture that Wireshark's dissectors read.
import { execFileSync } from 'node:child_process'
import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

type Packet = { isSent: boolean; bytes: Buffer }
export type Tap = { port: number; packets: Packet[]; close(): void }

/** A port in front of a device's. */
export const tapTcp = async (to: number): Promise<Tap> => {
  const packets: Packet[] = []
  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1')
    const carry = (from: typeof near, onto: typeof near, isSent: boolean) => {
      from.on('data', (bytes) => {
        packets.push({ isSent, bytes })
        onto.write(bytes)
      })
      from.on('error', () => undefined)
      from.on('close', () => onto.destroy())
    }
    carry(near, far, true)
    carry(far, near, false)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, packets, close: () => void server.close() }
}
export const tapUdp = async (to: number): Promise<Tap> => {
  const packets: Packet[] = []
  const [near, far] = [createSocket('udp4'), createSocket('udp4')]
  let driver: RemoteInfo | undefined
  near.on('message', (bytes, from) => {
    driver = from
    packets.push({ isSent: true, bytes })
    far.send(bytes, to, '127.0.0.1')
  })
  far.on('message', (bytes) => {
    packets.push({ isSent: false, bytes })
    if (driver) near.send(bytes, driver.port, driver.address)
  })
  near.bind(0, '127.0.0.1')
  far.bind(0, '127.0.0.1')
  await Promise.all([once(near, 'listening'), once(far, 'listening')])
  const close = () => {
    near.close()
    far.close()
  }
  return { port: near.address().port, packets, close }
}

const [ours, theirs] = [Buffer.of(10, 0, 0, 1), Buffer.of(10, 0, 0, 2)]
const ownPort = 40_000
const shorts = (...numbers: number[]) => Buffer.from(numbers.flatMap((n) => [n >> 8, n & 255]))
const word = (n: number) => Buffer.of(n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255)
const [tcp, udp, ack, raw] = [6, 17, 0x18, 101]

/** Packets of IPv4, without checksums, which tshark does not verify. `port`: where the protocol is at home. */
const pcapOf = (packets: readonly Packet[], transport: 'tcp' | 'udp', port: number): Buffer => {
  const little = (...numbers: number[]) => Buffer.concat(numbers.map((n) => word(n).reverse()))
  const next = { sent: 1, received: 1 }
  const records = packets.flatMap(({ isSent, bytes }, i) => {
    const ports = isSent ? shorts(ownPort, port) : shorts(port, ownPort)
    const [own, other] = isSent ? [next.sent, next.received] : [next.received, next.sent]
    const head =
      transport === 'udp'
        ? Buffer.concat([ports, shorts(8 + bytes.length, 0)])
        : Buffer.concat([ports, word(own), word(other), Buffer.of(0x50, ack), shorts(65_535, 0, 0)])
    next[isSent ? 'sent' : 'received'] += bytes.length
    const [from, to] = isSent ? [ours, theirs] : [theirs, ours]
    const start = Buffer.concat([Buffer.of(0x45, 0), shorts(20 + head.length + bytes.length, i & 0xffff, 0)])
    const packet = Buffer.concat([start, Buffer.of(64, transport === 'udp' ? udp : tcp, 0, 0), from, to, head, bytes])
    return [little(1, i, packet.length, packet.length), packet]
  })
  return Buffer.concat([little(0xa1b2c3d4), Buffer.of(2, 0, 4, 0), little(0, 0, 65_535, raw), ...records])
}

/** Whether Wireshark's dissectors are here. */
export const hasTshark = (() => {
  try {
    execFileSync('tshark', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

export type Dissected = { protocols: string; isMalformed: boolean; fields: string[][] }
/** Dissector output for each packet sent by the driver: protocols, and all values of each field. */
export const dissect = ({ packets }: Tap, transport: 'tcp' | 'udp', port: number, fields: readonly string[]): Dissected[] => {
  const folder = mkdtempSync(join(tmpdir(), 'penstock-capture-'))
  try {
    const file = join(folder, 'line.pcap')
    writeFileSync(file, pcapOf(packets, transport, port))
    const shown = ['frame.protocols', '_ws.malformed', ...fields].flatMap((name) => ['-e', name])
    const args = ['-n', '-r', file, '-Y', 'ip.src == 10.0.0.1', '-T', 'fields', '-E', 'separator=|', '-E', 'occurrence=a', ...shown]
    const lines = execFileSync('tshark', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    return lines
      .split('\n')
      .filter(Boolean)
      .map((line) => {
        const [protocols = '', malformed = '', ...values] = line.split('|')
        return { protocols, isMalformed: malformed !== '', fields: values.map((text) => (text ? text.split(',') : [])) }
      })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
