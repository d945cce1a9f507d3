import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'
import { answerAndClose, hasOneHost, releaseConnection } from '../http/connectionGuard.ts'

/** Takes the upgrade of one path. */
export type Door = (request: IncomingMessage, socket: Duplex, head: Buffer) => void
export type Doors = Readonly<Record<string, Door>>

export const refuseUpgrade = (socket: Duplex, status: string) => answerAndClose(socket as Socket, status, socket instanceof TLSSocket)

export const sameHost = (origin: string, request: IncomingMessage) => URL.parse(origin)?.host === request.headers.host

/** Takes WebSocket upgrades by path and refuses all others. Pages of other origins are refused; programs send no origin. */
export const openDoors = (server: Server, doors: Doors, allowOrigin = sameHost) =>
  server.on('upgrade', (request, socket, head) => {
    // Node has taken its own listener away: without one, a connection that is reset would end the process.
    socket.on('error', () => {})
    releaseConnection(socket as Socket)
    const path = URL.parse(request.url!, 'http://hub')?.pathname.toLowerCase().replace(/\/$/, '') ?? ''
    const { origin } = request.headers
    if (!hasOneHost(request)) refuseUpgrade(socket, '400 Bad Request')
    else if (!Object.hasOwn(doors, path)) refuseUpgrade(socket, '404 Not Found')
    else if (origin && !allowOrigin(origin, request)) refuseUpgrade(socket, '403 Forbidden')
    else doors[path]!(request, socket, head)
  })
