// A hub behind a real HTTP server on a free port, for tests here and in other folders.
import type { AddressInfo } from 'node:net'
import { type HubConnection, HubConnectionBuilder, LogLevel } from '@microsoft/signalr'
import Fastify from 'fastify'
import WebSocket from 'ws'
import type { LiveValue } from '../../contract/hub.ts'
import { wrapFaults } from '../http/wrapper.ts'
import type { Actor } from '../identity/actor.ts'
import { Hub, hubPath } from './hub.ts'
import type { HubOptions } from './hubOptions.ts'
import { negotiateRoute } from './negotiate.ts'
import { separator } from './protocol.ts'

export const actorOf = (UserId: number, more: Partial<Actor> = {}): Actor => ({
  UserId,
  EnterpriseId: 1,
  platform: false,
  projects: 'all',
  may: new Set(['m10201']),
  zone: 'UTC',
  tenantZone: 'UTC',
  origin: { ip: '127.0.0.1', requestId: 'test' },
  language: 'en',
  session: `s${UserId}`,
  ...more,
})

export type Frame = { type?: number; target?: string; arguments?: unknown[]; error?: string; result?: unknown; invocationId?: string }

/** `sessions` are bearer tokens; points below 1000 belong to enterprise 1, the others to enterprise 2. */
export const startHub = async (options: Partial<HubOptions> = {}) => {
  const sessions = new Map<string, Actor | { ended: string }>([
    ['anna', actorOf(11)],
    ['ben', actorOf(12, { projects: [7] })],
    ['foreign', actorOf(21, { EnterpriseId: 2 })],
    ['root', actorOf(1, { platform: true })],
    ['over', { ended: 'expired' }],
  ])
  const latest = new Map<number, LiveValue>()
  const hub = new Hub({
    authenticate: async (bearer) => sessions.get(bearer ?? ''),
    visible: async (actor, ids) => ids.filter((id) => actor.platform || id < 1000 === (actor.EnterpriseId === 1)),
    latest: (id) => latest.get(id),
    log: { info: () => {}, warn: () => {}, error: () => {} },
    ...options,
  })
  const app = Fastify({ routerOptions: { caseSensitive: false } })
  wrapFaults(app)
  app.register(async (api) => void negotiateRoute(api, hub), { prefix: '/api' })
  await app.listen({ host: '127.0.0.1', port: 0 })
  hub.attach(app.server)
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}${hubPath}`
  const clients: HubConnection[] = []
  const sockets: WebSocket[] = []

  const ticket = async (bearer: string) => {
    const answer = await fetch(`${url}/negotiate?negotiateVersion=1`, { method: 'POST', headers: { authorization: `Bearer ${bearer}` } })
    return ((await answer.json()) as { connectionToken: string }).connectionToken
  }
  const open = (id: string, headers: Record<string, string> = {}) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}?id=${id}`, { headers })
    socket.on('error', () => {})
    sockets.push(socket)
    return socket
  }

  return {
    hub,
    sessions,
    latest,
    url,
    ticket,
    open,
    push(...values: LiveValue[]) {
      for (const v of values) latest.set(v[0], v)
      hub.pushValues(values)
    },
    /** A client as the console uses it. */
    async client(bearer: string, headers: Record<string, string> = {}) {
      const client = new HubConnectionBuilder()
        .withUrl(url, { accessTokenFactory: () => bearer, headers })
        .configureLogging(LogLevel.None)
        .build()
      clients.push(client)
      await client.start()
      return client
    },
    /** A client that sends exactly what the test gives it, after a handshake unless `handshake` is false. */
    async raw(bearer: string, handshake = true) {
      const socket = open(await ticket(bearer))
      const frames: Frame[] = []
      let closed: number | undefined
      socket.on('close', (code) => {
        closed = code
      })
      socket.on('message', (data) => {
        for (const text of String(data).split(separator)) if (text) frames.push(JSON.parse(text) as Frame)
      })
      await new Promise((resolve) => socket.once('open', resolve))
      const send = (message: unknown) => socket.send(JSON.stringify(message) + separator)
      if (handshake) {
        send({ protocol: 'json', version: 1 })
        await new Promise((resolve) => socket.once('message', resolve))
      }
      return { socket, frames, send, closed: () => closed }
    },
    async stop() {
      await Promise.all(clients.map((c) => c.stop()))
      for (const socket of sockets) socket.terminate()
      await hub.close()
      await app.close()
    },
  }
}
