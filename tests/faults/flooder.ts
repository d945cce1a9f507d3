// Endless calls over many parallel connections, in a separate thread so that it does not slow down measurements.
import { connect, type Socket } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'

export type FloodJob = { port: number; path: string; token?: string; connections: number }
export type Flooded = { asked: number; statuses: Record<string, number> }

const { port, path, token, connections } = workerData as FloodJob
const request = `GET ${path} HTTP/1.1\r\nHost: flood\r\n${token ? `Authorization: Bearer ${token}\r\n` : ''}\r\n`
const done: Flooded = { asked: 0, statuses: {} }
const sockets = new Set<Socket>()
let stopped = false

const open = () => {
  if (stopped) return
  const socket = connect(port, '127.0.0.1', () => ask())
  sockets.add(socket)
  const ask = () => {
    done.asked++
    socket.write(request)
  }
  let held = ''
  socket.on('data', (chunk) => {
    held += chunk.toString('latin1')
    for (let end = held.indexOf('\r\n\r\n'); end >= 0; end = held.indexOf('\r\n\r\n')) {
      const size = Number(/content-length: (\d+)/i.exec(held.slice(0, end))?.[1] ?? 0)
      if (held.length < end + 4 + size) return
      const status = held.slice(9, 12)
      done.statuses[status] = (done.statuses[status] ?? 0) + 1
      held = held.slice(end + 4 + size)
      if (!stopped) ask()
    }
  })
  socket.on('error', () => undefined)
  socket.on('close', () => {
    sockets.delete(socket)
    setTimeout(open, 50)
  })
}
for (let i = 0; i < connections; i++) open()
parentPort!.on('message', () => {
  stopped = true
  for (const socket of sockets) socket.destroy()
  parentPort!.postMessage(done)
  parentPort!.close()
})
