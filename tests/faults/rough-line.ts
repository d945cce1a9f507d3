import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { pause } from './tiers.ts'

/** What happens to each piece of bytes, in both directions; in order, as TCP has it. */
export type Manner = {
  /** Bytes of a piece; by default, each chunk is one piece. */
  piece?: number
  /** ms that each takes, at least and at most. */
  delay?: readonly [number, number]
  /** Of pieces that wait for their repetition, as after a loss: 0.2 to 1.2 s. */
  lost?: number
  bytesPerSecond?: number
  /** Of pieces after which both ends get a reset. */
  reset?: number
}

const most = 256 * 1024
const between = (low: number, high: number) => low + Math.random() * (high - low)

/** A connection whose behaviour can be changed. The next chunk follows it. */
export const startRoughLine = async (to: number, first: Manner = {}) => {
  let manner = first
  let resets = 0
  const open = new Set<Socket>()
  const carry = (from: Socket, into: Socket) => {
    let held = 0
    let last = Promise.resolve()
    const bring = async (chunk: Buffer) => {
      const size = manner.piece ?? chunk.length
      for (let at = 0; at < chunk.length && !into.destroyed; at += size) {
        const { delay = [0, 0], lost = 0, bytesPerSecond = Number.POSITIVE_INFINITY, reset = 0 } = manner
        const piece = chunk.subarray(at, at + size)
        const wait = between(...delay) + (Math.random() < lost ? between(200, 1200) : 0) + (1000 * piece.length) / bytesPerSecond
        if (wait >= 1) await pause(wait)
        if (Math.random() < reset) {
          resets++
          from.resetAndDestroy()
          into.resetAndDestroy()
        } else if (!into.destroyed) into.write(piece)
      }
      held -= chunk.length
      if (held < most) from.resume()
    }
    from.on('data', (chunk: Buffer) => {
      held += chunk.length
      if (held >= most) from.pause()
      last = last.then(() => bring(chunk))
    })
    from.on('end', () => void last.then(() => into.end()))
    from.on('error', () => {})
    from.on('close', () => {
      open.delete(from)
      void last.then(() => into.destroy())
    })
    open.add(from)
  }
  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1')
    carry(near, far)
    carry(far, near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as { port: number }).port,
    behave: (next: Manner) => {
      manner = next
    },
    resets: () => resets,
    close: () => {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}
