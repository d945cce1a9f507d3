import type { Socket } from 'node:net'

/** Maximum unsent bytes to a device. Above it, reading pauses: each received frame may need an answer. */
const mostUnsent = 64 * 1024

/** Reads one chunk per turn of the event loop, so that a device that floods does not delay the others. */
export const hearPaced = (socket: Socket, received: (bytes: Buffer) => void) => {
  const next = () => {
    if (!socket.destroyed && socket.writableLength <= mostUnsent) socket.resume()
  }
  socket.on('data', (bytes) => {
    socket.pause()
    setImmediate(next)
    received(bytes)
  })
  socket.on('drain', next)
}
