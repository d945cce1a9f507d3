// A TCP balancer as one puts it in front of gateway processes: it takes the next address that answers.
import { connect, createServer, type Socket } from 'node:net'

/** Spreads connections over these ports of loopback; `taken` counts them. */
export const startBalancer = async (ports: readonly number[]) => {
  const sockets = new Set<Socket>()
  let taken = 0
  const join = (from: Socket, to: Socket) => {
    sockets.add(from)
    from.once('close', () => {
      sockets.delete(from)
      to.destroy()
    })
    from.pipe(to)
  }
  const reach = (near: Socket, tries: number) => {
    const far = connect(ports[taken++ % ports.length]!, '127.0.0.1')
    let isReached = false
    far.once('connect', () => {
      isReached = true
      join(near, far)
      join(far, near)
    })
    far.on('error', () => {
      if (isReached || tries === 0) near.destroy()
      else reach(near, tries - 1)
    })
  }
  const server = createServer((near) => {
    near.on('error', () => undefined)
    reach(near, ports.length)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    port: (server.address() as { port: number }).port,
    taken: () => taken,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}
