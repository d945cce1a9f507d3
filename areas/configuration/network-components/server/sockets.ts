// Sockets of a port for senders that connect, with their limits.
import { createSocket } from 'node:dgram'
import { createServer, type Server, type Socket } from 'node:net'
import { networkOf } from '../../../../server/http/addresses.ts'

/** Maximum connections per port, and per network. */
const [mostCallers, mostOfNetwork] = [2000, 64]
/** Limits: pending datagrams in total and per address, and addresses with remembered partial messages. */
const [mostWaiting, mostOfAddress, mostSpeakers] = [1000, 32, 1000]

export type Open = { close(): Promise<void> }
type At = { Port: number; host: string }

/** Opens a TCP port: `converse` reads a connection until it ends. */
export const openTcp = ({ Port, host }: At, converse: (socket: Socket) => Promise<void>): Promise<Open> =>
  new Promise((resolve, reject) => {
    const sockets = new Map<Socket, string>()
    const server: Server = createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 }, (socket) => {
      const network = networkOf(socket.remoteAddress ?? '')
      const ofNetwork = [...sockets.values()].filter((one) => one === network).length
      socket.on('error', () => socket.destroy())
      if (sockets.size >= mostCallers || ofNetwork >= mostOfNetwork) return void socket.destroy()
      sockets.set(socket, network)
      socket.on('close', () => sockets.delete(socket))
      // No acknowledgement without a commit: the sender reconnects and retransmits.
      converse(socket).catch(() => undefined)
    })
    server.once('error', reject)
    server.listen({ host, port: Port }, () => {
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

type Speaker = { take(bytes: Buffer): Promise<boolean>; close(): void }
type SpeakerOf = (address: string, answer: (bytes: Buffer) => void, end: () => void) => Speaker
/** Datagrams, each holding whole frames, with one speaker per address. Datagrams above the limits are dropped; senders that expect an answer retransmit. */
export const openUdp = ({ Port, host }: At, speakerOf: SpeakerOf): Promise<Open> =>
  new Promise((resolve, reject) => {
    const speakers = new Map<string, { speaker: Speaker; waiting: number; last: Promise<unknown> }>()
    const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4')
    let waiting = 0
    const forget = (key: string) => {
      const gone = speakers.get(key)
      speakers.delete(key)
      gone?.speaker.close()
    }
    const find = (address: string, port: number) => {
      const key = `${address} ${port}`
      const answer = (bytes: Buffer) => socket.send(bytes, port, address, () => undefined)
      const known = speakers.get(key)
      speakers.delete(key)
      if (speakers.size >= mostSpeakers) forget(speakers.keys().next().value!)
      const of = known ?? {
        ...{ waiting: 0, last: Promise.resolve() },
        speaker: speakerOf(address, answer, () => forget(key)),
      }
      speakers.set(key, of)
      return of
    }
    socket.once('error', reject)
    socket.on('message', (bytes, { address, port }) => {
      const of = find(address, port)
      if (waiting >= mostWaiting || of.waiting >= mostOfAddress) return
      waiting++
      of.waiting++
      const work = async () => {
        if (!(await of.speaker.take(bytes))) forget(`${address} ${port}`)
      }
      of.last = of.last
        .then(work)
        .catch(() => undefined)
        .finally(() => {
          waiting--
          of.waiting--
        })
    })
    socket.bind({ address: host, port: Port }, () => {
      socket.off('error', reject)
      socket.on('error', () => undefined)
      resolve({
        close: () => {
          for (const key of [...speakers.keys()]) forget(key)
          return new Promise((closed) => socket.close(() => closed()))
        },
      })
    })
  })
