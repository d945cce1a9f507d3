import { createFairQueue } from '../telemetry/fairQueue.ts'
import { collectFrames, encodeUp, type UpAnswer, type UpMessage } from './frames.ts'

/** Retransmission timeout in ms, initial and maximum; it doubles. */
const [againMs, againAtMostMs] = [500, 4000]
/** Overhead of a message, and quantum of a gateway in the fair queue, bytes. */
const [messageCost, quantum] = [256, 16 * 1024]

type Waiting = UpMessage & {
  tenant: number
  frame: Buffer
  sentAt: number
  againMs: number
  done: (readings: number) => void
  fail: (error: Error) => void
}
/** A message that is not sent yet. */
export type Asked = Omit<UpMessage, 'seq'> & { tenant: number } & Pick<Waiting, 'done' | 'fail'>

/**
 * Messages that another process has not answered yet. A window limits the bytes in flight; the rest waits in a fair queue. Messages of a gateway
 * keep their order, also when retransmitted. `send` returns false while disconnected. `now`: monotonic clock, ms. `mostBytes`: of a frame; a
 * longer message fails at once, since it would hold its part of the window forever.
 */
export const openOutstanding = (send: (frame: Buffer) => boolean, now: () => number, mostBytes: () => number) => {
  const underWay = new Map<number, Waiting>()
  const queue = createFairQueue<Asked>(quantum)
  let window = 4 * 1024 * 1024
  let [bytes, last] = [0, 0]
  const frames = collectFrames((frame) => void send(frame))

  const sendNow = (message: Waiting) => {
    message.sentAt = now()
    frames(message.frame)
  }
  const fill = () => {
    while (bytes < window) {
      const next = queue.shift()
      if (!next) return
      const seq = (last + 1) % 2 ** 32
      const frame = encodeUp({ ...next, seq })
      if (frame.length > mostBytes()) {
        next.fail(new Error(`NATS takes no message of ${frame.length} bytes.`))
        continue
      }
      last = seq
      const message = { ...next, seq: last, frame, sentAt: 0, againMs }
      underWay.set(last, message)
      bytes += message.frame.length
      sendNow(message)
    }
  }
  const put = (asked: Asked) => {
    queue.push(asked.tenant, asked.sn, messageCost + asked.payload.length, asked)
    fill()
  }
  return {
    /** Resolves with the number of readings once they are stored; rejects when the message could not be taken. */
    ask: (tenant: number, message: Omit<UpMessage, 'seq'>) => new Promise<number>((done, fail) => put({ ...message, tenant, done, fail })),
    put,
    /** Returns all messages, in the order of each gateway: another process is asked. */
    takeBack: (): Asked[] => {
      const all = [...underWay.values(), ...queue.clear()]
      underWay.clear()
      bytes = 0
      return all
    },
    /** Returns the message that is answered; undefined for a second answer. */
    answered: ({ seq, isTaken, readings }: UpAnswer): UpMessage | undefined => {
      const message = underWay.get(seq)
      if (!message) return undefined
      underWay.delete(seq)
      bytes -= message.frame.length
      if (isTaken) message.done(readings)
      else message.fail(new Error('The server could not keep a message.'))
      fill()
      return message
    },
    /** Retransmits messages whose timeout expired. */
    tick: () => {
      for (const message of underWay.values()) {
        if (now() - message.sentAt < message.againMs) continue
        message.againMs = Math.min(againAtMostMs, message.againMs * 2)
        sendNow(message)
      }
    },
    /** Retransmits everything after a change of owner or connection. */
    sendAllAgain: () => {
      for (const message of underWay.values()) {
        message.againMs = againMs
        sendNow(message)
      }
    },
    /** Sequence number of the oldest message that is not answered, or of the next one. */
    base: (): number => underWay.keys().next().value ?? (last + 1) % 2 ** 32,
    setWindow: (limit: number) => {
      window = limit
      fill()
    },
    /** Bytes in flight, and queued messages. */
    waiting: () => ({ bytes, queued: queue.size() }),
    /** Rejects all messages, since their gateways were disconnected. */
    clear: () => {
      const error = new Error('The connection to the other servers is lost.')
      for (const { fail } of [...underWay.values(), ...queue.clear()]) fail(error)
      underWay.clear()
      bytes = 0
    },
  }
}
export type Outstanding = ReturnType<typeof openOutstanding>
