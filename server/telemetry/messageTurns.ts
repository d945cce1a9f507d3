import { createFairQueue } from './fairQueue.ts'

/** Bytes from which reading a message takes milliseconds: the event loop does other work before the next. */
const largeMessage = 16 * 1024
/** What a sender may cost in one turn: bytes, and so many for each message. */
const [quantum, messageCost] = [4096, 1024]

type Sender = { EnterpriseId: number; SN: string }

/**
 * Work on messages that cost more to read than to receive. Tenants take turns, and the senders of each; messages of one sender begin in
 * their order. At most `atOnce` run together. Rejects as the work does.
 */
export const createTurns = (atOnce: number) => {
  const waiting = createFairQueue<{ bytes: number; start: () => Promise<void> }>(quantum)
  let running = 0
  let pausing = false
  const next = () => {
    while (running < atOnce && !pausing) {
      const message = waiting.shift()
      if (!message) return
      running++
      void message.start().finally(() => {
        running--
        next()
      })
      if (message.bytes < largeMessage) continue
      pausing = true
      setImmediate(() => {
        pausing = false
        next()
      })
    }
  }
  return <T>({ EnterpriseId, SN }: Sender, bytes: number, work: () => Promise<T>) =>
    new Promise<T>((done, failed) => {
      waiting.push(EnterpriseId, SN, messageCost + bytes, { bytes, start: () => work().then(done, failed) })
      next()
    })
}
