import { createFairQueue } from '../telemetry/fairQueue.ts'
import { collectFrames, encodeUp, type UpAnswer, type UpMessage } from './frames.ts'

/** ms without an answer until a message is sent again, the first time and at most; it doubles. */
const [againMs, againAtMostMs] = [500, 4000]
/** Bytes that a message takes beside its payload, and what a gateway may send in one turn. */
const [messageCost, quantum] = [256, 16 * 1024]

type Waiting = UpMessage & {
  frame: Buffer
  sentAt: number
  againMs: number
  done: (readings: number) => void
  fail: (error: Error) => void
}
type Asked = Omit<UpMessage, 'seq'> & Pick<Waiting, 'done' | 'fail'>

/**
 * Messages of gateways that the owner has not answered yet: at most a window of bytes is under way, the rest waits in a fair queue.
 * Nothing is acknowledged to a gateway before its answer. Messages of one gateway are sent in their order, also when they are sent again.
 * `send` returns false while nothing can be sent. `now` is a clock in ms that nobody sets.
 */
export const openOutstanding = (send: (frame: Buffer) => boolean, now: () => number) => {
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
      last = (last + 1) % 2 ** 32
      const message = { ...next, seq: last, frame: encodeUp({ ...next, seq: last }), sentAt: 0, againMs }
      underWay.set(last, message)
      bytes += message.frame.length
      sendNow(message)
    }
  }
  return {
    /** Resolves with the number of readings once the owner has stored them; rejects when it could not take the message. */
    ask: (tenant: number, message: Omit<UpMessage, 'seq'>) =>
      new Promise<number>((done, fail) => {
        queue.push(tenant, message.sn, messageCost + message.payload.length, { ...message, done, fail })
        fill()
      }),
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
    /** Sends again what has waited too long for its answer. */
    tick: () => {
      for (const message of underWay.values()) {
        if (now() - message.sentAt < message.againMs) continue
        message.againMs = Math.min(againAtMostMs, message.againMs * 2)
        sendNow(message)
      }
    },
    /** Another owner, or another connection: what was sent may have been lost. */
    sendAllAgain: () => {
      for (const message of underWay.values()) {
        message.againMs = againMs
        sendNow(message)
      }
    },
    setWindow: (limit: number) => {
      window = limit
      fill()
    },
    /** Bytes under way, and messages that wait for the window. */
    waiting: () => ({ bytes, queued: queue.size() }),
    /** The connections of their gateways have ended: nobody waits for answers. */
    clear: () => {
      const error = new Error('The connection to the other servers is lost.')
      for (const { fail } of [...underWay.values(), ...queue.clear()]) fail(error)
      underWay.clear()
      bytes = 0
    },
  }
}
export type Outstanding = ReturnType<typeof openOutstanding>
