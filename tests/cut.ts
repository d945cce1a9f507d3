import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/**
 * A line between two programs that can be cut: connections drop without a word, and new ones are refused until it is mended. Or it
 * freezes: nothing passes and no side is notified, as behind a router that dropped its connections; new ones hang, too.
 */
export const startLine = async (to: number) => {
  const open = new Set<Socket>()
  let isCut = false
  let isFrozen = false
  const server = createServer((near) => {
    if (isCut) return void near.destroy()
    if (isFrozen) {
      open.add(near.on('error', () => {}).on('close', () => open.delete(near)))
      return
    }
    const far = connect(to, '127.0.0.1')
    for (const [a, b] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(a)
      a.on('error', () => {}).on('close', () => {
        open.delete(a)
        b.destroy()
      })
      a.pipe(b)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as { port: number }).port,
    cut: () => {
      isCut = true
      for (const socket of open) socket.destroy()
    },
    freeze: () => {
      isFrozen = true
      for (const socket of open) socket.unpipe().pause()
    },
    /** For new connections: those that were frozen stay so. */
    mend: () => {
      isCut = false
      isFrozen = false
    },
    close: () => {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}
