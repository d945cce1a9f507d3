import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'

/** Above the ports of well-known programs and 10080, the last one that fetch refuses; below those of demo plants (main/demo.ts) and those that systems give to connections. */
const [lowest, highest] = [10_081, 15_000]
const tries = 100

const isFree = async (port: number) => {
  const server = createServer()
  const free = await once(server.listen(port, '127.0.0.1'), 'listening').then(
    () => true,
    () => false,
  )
  if (free) await once(server.close(), 'close')
  return free
}

/** Whether a program listens on this port. */
export const accepts = (port: number) =>
  new Promise<boolean>((done) => {
    const socket = connect(port, '127.0.0.1', () => done(true)).on('error', () => done(false))
    socket.on('connect', () => socket.destroy())
  })

/**
 * A port for programs that need the same one after a restart, or cannot say which one they took. The system gives it to nobody else, so
 * that it is still free when the program binds it.
 */
export const freePort = async (): Promise<number> => {
  for (let i = 0; i < tries; i++) {
    const port = randomInt(lowest, highest)
    if (await isFree(port)) return port
  }
  throw new Error(`None of ${tries} ports from ${lowest} to ${highest} is free.`)
}
