import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A line between two programs that can be cut: connections drop without a word, and new ones are refused until it is mended. */
export const startLine = async (to: number) => {
  const open = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    if (isCut) return void near.destroy()
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
    mend: () => {
      isCut = false
    },
    close: () => {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}
