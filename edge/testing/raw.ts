// A peer that sends exactly what a test specifies.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** What a device does with the requests that come; `late` answers after their timeout. */
export type Behaviour = 'good' | 'silent' | 'refused' | 'garbled' | 'cut' | 'late'

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
