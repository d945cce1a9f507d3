// Handles messages of gateway processes: each once, and answers when they are stored.
import { collectFrames, encodeAnswer, type UpAnswer, type UpMessage } from './frames.ts'
import type { Nats } from './natsConnection.ts'

/** Sequence numbers begin again after this one. */
const numbers = 2 ** 32
/** Requests to send again, of one process, ms. */
const againMs = 50
/** Answers of a process that are kept, some seconds of them: a message comes again after half a second without one. */
const keptAnswers = 4096

/**
 * Messages of each process in the order in which they were sent: a later reading must not overtake one that was lost. What comes after a gap
 * is dropped, and the process is asked to send again. `ask` does that.
 */
const openOrder = (ask: (process: string) => void) => {
  /** Next number of each process, and when it was asked. */
  const known = new Map<string, { next: number; askedAt: number }>()
  const after = (seq: number) => (seq + 1) % numbers
  /** How far a number is ahead of another; negative behind it. */
  const ahead = (seq: number, next: number) => ((seq - next + numbers + numbers / 2) % numbers) - numbers / 2
  return {
    takes: (process: string, seq: number) => {
      const state = known.get(process) ?? { next: seq, askedAt: Number.NEGATIVE_INFINITY }
      known.set(process, state)
      const distance = ahead(seq, state.next)
      if (distance === 0) state.next = after(seq)
      if (distance <= 0) return true
      if (performance.now() - state.askedAt > againMs) {
        state.askedAt = performance.now()
        ask(process)
      }
      return false
    },
    /** What the process has sent before this number is answered, or wanted no more. */
    begins: (process: string, seq: number) => {
      const state = known.get(process)
      if (state && ahead(seq, state.next) > 0) state.next = seq
    },
    forget: (process: string) => void known.delete(process),
  }
}

/** Answers to messages that were taken: one that comes again, because its answer was late or lost, is not worked on twice. */
const keepAnswers = () => {
  const known = new Map<string, Map<number, UpAnswer>>()
  return {
    get: (process: string, seq: number) => known.get(process)?.get(seq),
    put: (process: string, answer: UpAnswer) => {
      const own = known.get(process) ?? new Map<number, UpAnswer>()
      known.set(process, own)
      own.set(answer.seq, answer)
      if (own.size > keptAnswers) own.delete(own.keys().next().value!)
    },
    forget: (process: string) => void known.delete(process),
  }
}

/**
 * Runs `work` on messages, and replies to the process that sent them: to this process, or under the name of an ingest process. Replies carry
 * pending acknowledgements. `work` resolves with the number of readings.
 */
export const openHandling = (
  nats: Pick<Nats, 'publish' | 'subject'>,
  name: string | undefined,
  work: (process: string, message: UpMessage) => Promise<number>,
) => {
  const subject = (process: string, token: string) => nats.subject('process', process, token, ...(name ? [name] : []))
  const order = openOrder((process) => void nats.publish(subject(process, 'again'), ''))
  const answers = keepAnswers()
  /** Sequence numbers in progress, by process; duplicates are ignored. */
  const running = new Map<string, Set<number>>()
  const acks = new Map<string, { inHand: number; waiting: string[] }>()
  const frames = new Map<string, ReturnType<typeof collectFrames>>()
  const all = new Set<Promise<unknown>>()
  let isLeaving = false

  const send = (process: string, answer: UpAnswer) => {
    const frame = frames.get(process) ?? collectFrames((bytes) => void nats.publish(subject(process, 'answers'), bytes))
    frames.set(process, frame)
    frame(encodeAnswer(answer))
  }
  const answer = (process: string, { sn, seq }: UpMessage, isTaken: boolean, readings: number) => {
    const own = acks.get(sn)!
    const answered = { seq, isTaken, readings, acks: own.waiting.splice(0) }
    if (--own.inHand === 0) acks.delete(sn)
    if (isTaken) answers.put(process, answered)
    send(process, answered)
  }
  const handle = (process: string, message: UpMessage) =>
    work(process, message).then(
      (readings) => answer(process, message, true, readings),
      () => isLeaving || answer(process, message, false, 0),
    )
  const take = (process: string, message: UpMessage) => {
    const own = running.get(process) ?? new Set()
    running.set(process, own)
    if (own.has(message.seq)) return
    const before = answers.get(process, message.seq)
    if (before) return send(process, before)
    own.add(message.seq)
    const ofGateway = acks.get(message.sn) ?? { inHand: 0, waiting: [] }
    ofGateway.inHand++
    acks.set(message.sn, ofGateway)
    const handled = handle(process, message).finally(() => {
      own.delete(message.seq)
      all.delete(handled)
    })
    all.add(handled)
  }
  return {
    /** Messages of one frame. */
    take: (process: string, messages: readonly UpMessage[]) => {
      for (const message of messages) {
        if (!order.takes(process, message.seq)) return
        take(process, message)
      }
    },
    begins: (process: string, data: Uint8Array) => order.begins(process, Number(Buffer.from(data).toString())),
    /** Attaches the acknowledgement to a pending reply; false if there is none. */
    ack: (sn: string, payload: unknown) => acks.get(sn)?.waiting.push(JSON.stringify(payload)) !== undefined,
    forget: (process: string) => {
      running.delete(process)
      frames.delete(process)
      order.forget(process)
      answers.forget(process)
    },
    /** Refusals are answered no more: other processes get the messages, in their order. A refused one would disconnect its gateway. */
    leave: () => {
      isLeaving = true
    },
    idle: () => Promise.allSettled(all),
  }
}
