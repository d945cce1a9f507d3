import type { Socket } from 'node:net'

/** Bytes for a device that it has not taken yet. While there are more, nothing is read from it: each frame may want an answer. */
const mostUnsent = 64 * 1024

/** Reads one piece in a turn of the event loop, so that a device that floods does not hold up the others. */
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
