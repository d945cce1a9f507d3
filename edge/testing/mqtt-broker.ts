// A foreign broker that misbehaves on command.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import { Aedes } from 'aedes'
import type { Behaviour } from './raw.ts'

const publish = 3

export const startBroker = async ({ tls, password }: { tls?: TlsOptions; password?: string } = {}) => {
  const sockets = new Set<Socket>()
  const forbidden = new Set<string>()
  const broker = await Aedes.createBroker()
  let how: Behaviour = 'good'
  broker.authenticate = (_client, _user, given, done) => done(null, password === undefined || given?.toString() === password)
  broker.authorizeSubscribe = (_client, subscription, done) =>
    done(null, how === 'refused' || forbidden.has(subscription.topic) ? null : subscription)
  /** What the broker sends, through a line that may spoil it. */
  const serve = (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
    const line = new Duplex({
      read: () => {},
      write: (chunk: Buffer, _encoding, done) => {
        const isMessage = chunk[0]! >> 4 === publish
        if (how === 'cut' && isMessage) socket.end(chunk.subarray(0, chunk.length - 1))
        else if (!(how === 'silent' && isMessage) && socket.writable) socket.write(chunk)
        done()
      },
      final: (done) => {
        socket.end()
        done()
      },
    })
    socket.on('data', (chunk) => line.push(chunk))
    socket.on('close', () => line.destroy())
    line.on('close', () => socket.destroy())
    broker.handle(line as unknown as Socket)
  }
  const server = tls ? createTlsServer(tls, serve) : createServer(serve)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    /** Subscriptions to it are refused. */
    forbidden,
    publish: (topic: string, payload: string, retain = true) =>
      new Promise<void>((resolve) =>
        broker.publish({ cmd: 'publish', topic, payload: Buffer.from(payload), qos: 0, retain, dup: false }, () => resolve()),
      ),
    behave: (next: Behaviour) => {
      // A broker judges a subscription when it is made.
      if ((next === 'refused') !== (how === 'refused')) cut()
      how = next
    },
    cut,
    connections: () => sockets.size,
    close: async () => {
      cut()
      await new Promise<void>((resolve) => server.close(() => resolve()))
      await new Promise<void>((resolve) => broker.close(() => resolve()))
    },
  }
}
