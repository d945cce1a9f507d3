// Handles messages of gateway processes: each once, and answers when they are stored.
import { collectFrames, encodeAnswer, type UpMessage } from './frames.ts'
import type { Nats } from './natsConnection.ts'

/**
 * Runs `work` and replies to the process that sent the message, where its answer goes to `subject`. Replies carry pending acknowledgements.
 * `work` resolves with the number of readings.
 */
export const openHandling = (
  nats: Nats,
  subject: (process: string) => string,
  work: (process: string, message: UpMessage) => Promise<number>,
) => {
  /** Sequence numbers in progress, by process; duplicates are ignored. */
  const running = new Map<string, Set<number>>()
  const acks = new Map<string, { inHand: number; waiting: string[] }>()
  const frames = new Map<string, ReturnType<typeof collectFrames>>()
  const all = new Set<Promise<void>>()

  const answer = (process: string, message: UpMessage, isTaken: boolean, readings: number) => {
    const own = acks.get(message.sn)!
    const waiting = own.waiting.splice(0)
    if (--own.inHand === 0) acks.delete(message.sn)
    const frame = frames.get(process) ?? collectFrames((bytes) => void nats.publish(subject(process), bytes))
    frames.set(process, frame)
    frame(encodeAnswer({ seq: message.seq, isTaken, readings, acks: waiting }))
  }
  const handle = (process: string, message: UpMessage) =>
    work(process, message).then(
      (readings) => answer(process, message, true, readings),
      () => answer(process, message, false, 0),
    )
  return {
    take: (process: string, message: UpMessage) => {
      const own = running.get(process) ?? new Set()
      running.set(process, own)
      if (own.has(message.seq)) return
      own.add(message.seq)
      const ofGateway = acks.get(message.sn) ?? { inHand: 0, waiting: [] }
      ofGateway.inHand++
      acks.set(message.sn, ofGateway)
      const handled = handle(process, message).finally(() => {
        own.delete(message.seq)
        all.delete(handled)
      })
      all.add(handled)
    },
    /** Attaches the acknowledgement to a pending reply; false if there is none. */
    ack: (sn: string, payload: unknown) => acks.get(sn)?.waiting.push(JSON.stringify(payload)) !== undefined,
    forget: (process: string) => {
      running.delete(process)
      frames.delete(process)
    },
    idle: () => Promise.allSettled(all),
  }
}
