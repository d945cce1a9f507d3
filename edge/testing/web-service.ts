// A web service that misbehaves on command.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer, type ServerOptions } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Behaviour } from './raw.ts'

export type Asked = { method: string; url: string; headers: IncomingMessage['headers']; body: string }
type Options = { tls?: ServerOptions; lateMs?: number }

/** Answers with what `answer` makes of each request. */
export const startWebService = async (answer: (asked: Asked, response: ServerResponse) => void, { tls, lateMs = 100 }: Options = {}) => {
  const sockets = new Set<Socket>()
  const asked: Asked[] = []
  let how: Behaviour = 'good'
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    let body = ''
    for await (const part of request) body += part
    const one = { method: request.method!, url: request.url!, headers: request.headers, body }
    asked.push(one)
    if (how === 'silent') return
    if (how === 'refused') return void response.writeHead(503).end()
    if (how === 'garbled') return void response.end('<html>')
    if (how === 'cut') {
      response.writeHead(200, { 'content-length': '100' }).write('{"val')
      return void setTimeout(() => request.socket.destroy(), 5)
    }
    if (how === 'late') await new Promise((resolve) => setTimeout(resolve, lateMs))
    answer(one, response)
  }
  const server = tls ? createSecureServer(tls, serve) : createServer(serve)
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    behave: (next: Behaviour) => {
      how = next
    },
    cut,
    connections: () => sockets.size,
    close: () => {
      cut()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
