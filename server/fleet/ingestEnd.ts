// The end of a process that stores readings: it takes messages of gateway processes, and has the owner number and judge what it stores.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { Fault } from '../http/faults.ts'
import { type Commit, countedOf, readingsOf, type Settling } from '../telemetry/commit.ts'
import { lateOf } from '../telemetry/late.ts'
import type { Rejected } from '../telemetry/sample.ts'
import type { FollowedOwner } from './followOwner.ts'
import { decodeUp, type Hello, inFrames, parse, protocol, type UpMessage } from './frames.ts'
import { openHandling } from './handling.ts'
import { type Nats, newMemberName } from './natsConnection.ts'
import {
  encodeRows,
  type Join,
  type Keep,
  type LateFrame,
  type Reserve,
  type Reserved,
  rowsAtOnce,
  type StoredAnswer,
  type StoredFrame,
} from './storedFrames.ts'

/** ms: announcement interval; timeout of an answer; interval of tries. */
const times = { join: 1000, answer: 2000, again: 100 }
/** Entries of one frame: points that have late readings; refused readings, which may be control characters of six bytes each. */
const [lateAtOnce, refusedAtOnce] = [10_000, { entries: 500, bytes: 400_000 }]

export type IngestEndOptions = {
  owner: FollowedOwner
  schema: string
  tenantOf(sn: string): number
  log: Pick<Logger, 'warn'>
}
export type Taker = {
  /** Stores the readings of a message. Rejects if they could not be stored. */
  take(sn: string, kind: 'data' | 'history', payload: Buffer): Promise<{ MsgId?: string; readings: number }>
  /** Refuses messages that are not decoded yet. */
  dropWaiting(): void
}

/** Numbers from the owner, and its answers. `gone`: it counts this process as gone. */
const settleWith = (
  { owner, log }: Pick<IngestEndOptions, 'owner' | 'log'>,
  name: () => string,
  tenantOf: (sn: string) => number,
  { join, gone }: { join: () => void; gone: () => void },
): Settling & { end(): void; readings(): number } => {
  const { nats } = owner
  let isEnding = false
  /** Whose numbers they are. */
  let numbered: { owner: string; name: string } | undefined
  let seq = 0
  let readings = 0
  const subject = (to: string, token: string, from = name()) => nats.subject('storing', to, token, from)
  const request = async <A>(to: string, token: string, question: object, from?: string): Promise<A> =>
    JSON.parse(await nats.request(subject(to, token, from), JSON.stringify(question), times.answer))
  /** Until it is answered; `ask` answers undefined to be called again. */
  const until = async <A>(ask: (to: string) => Promise<A | undefined>): Promise<A> => {
    for (;;) {
      if (isEnding) throw new Fault('unavailable')
      const to = owner.name()
      const answer = to === undefined ? undefined : await ask(to).catch(() => undefined)
      if (answer !== undefined) return answer
      await sleep(times.again)
    }
  }
  const refuseGone = (): never => {
    gone()
    throw new Fault('unavailable')
  }
  const sendParts = (to: string, from: string, first: number, commit: Commit) => {
    const { live } = readingsOf(commit.messages)
    for (let at = 0; at < live.length; at += rowsAtOnce)
      nats.publish(subject(to, 'rows', from), encodeRows(seq, first, live.slice(at, at + rowsAtOnce)))
    const late = [...lateOf(commit.rows, commit.doubtful, commit.replaced)].map(([point, counts]): LateFrame['late'][number] => [
      point,
      counts.late,
      counts.replaced,
    ])
    for (let at = 0; at < late.length; at += lateAtOnce)
      nats.publish(subject(to, 'late', from), JSON.stringify({ seq, late: late.slice(at, at + lateAtOnce) } satisfies LateFrame))
    return { rows: live.length, lates: late.length }
  }
  const keep = async (rejected: Rejected[]) => {
    for (const some of inFrames(rejected, refusedAtOnce, (one) => Buffer.byteLength(JSON.stringify(one))))
      await until((to) => request<object>(to, 'keep', { rejected: some } satisfies Keep))
  }
  return {
    reserve: async (amount) => {
      const { first, ...from } = await until(async (to) => {
        const as = name()
        // A new owner has to know this process first.
        join()
        return { ...(await request<Reserved>(to, 'reserve', { amount } satisfies Reserve, as)), owner: to, name: as }
      })
      if (first === undefined) return refuseGone()
      numbered = from
      return first
    },
    settle: async (commit) => {
      const { rows, first, messages } = commit
      const asked = numbered
      seq++
      const counted = countedOf(messages, commit.replaced, tenantOf)
      const frame = { seq, first, amount: rows.length, counted, senders: [...new Set(messages.map(({ sn }) => sn))] }
      /** Who has the readings. */
      let told: { to: string; rows: number; lates: number } | undefined
      const isStored = await until(async (to) => {
        const from = name()
        // Other numbers count for another owner.
        if (rows.length && (asked?.owner !== to || asked.name !== from)) return false
        join()
        if (told?.to !== to) told = { to, ...sendParts(to, from, first, commit) }
        const sent = { rows: told.rows, lates: told.lates }
        const answer = await request<StoredAnswer>(to, 'stored', { ...frame, ...sent } satisfies StoredFrame, from)
        if (!('again' in answer)) return answer.isStored
        if (answer.again === 'lost') told = undefined
        return undefined
      })
      if (isStored) readings += rows.length
      else if (!rows.length) return refuseGone()
      else log.warn({ process: name() }, 'Arrival numbers of readings were given up: they are stored again.')
      return isStored
    },
    keep,
    /** Stored and judged since the start. */
    readings: () => readings,
    end: () => {
      isEnding = true
    },
  }
}

/** Takes messages under a name until the returned function is called. */
const listenAs = (nats: Nats, name: string, take: Taker['take'], log: IngestEndOptions['log']) => {
  const handling = openHandling(nats, name, async (_process, { sn, kind, payload }: UpMessage) => {
    const { MsgId, readings } = await take(sn, kind as 'data' | 'history', payload)
    if (MsgId) handling.ack(sn, { MsgId })
    return readings
  })
  const heard: Record<string, (process: string, data: Uint8Array) => void> = {
    up: (process, data) => handling.take(process, decodeUp(data)),
    base: (process, data) => handling.begins(process, data),
  }
  const stops = [
    nats.subscribe(nats.subject('ingest', name, 'there'), (_data, answer) => answer('')),
    nats.subscribe(nats.subject('ingest', name, '*', '*'), (data, _answer, subject) => {
      const [token = '', process = ''] = subject.split('.').slice(-2)
      try {
        heard[token]?.(process, data)
      } catch (err) {
        log.warn({ err, process }, 'A frame of a gateway process could not be read')
      }
    }),
  ]
  return () => {
    handling.leave()
    for (const stop of stops) stop()
  }
}

/**
 * Announces this process to the owner and takes messages. A process that the owner counts as gone goes on under another name: what it had
 * begun under the former one is not acknowledged.
 */
export const openIngestEnd = ({ owner, schema, tenantOf, log }: IngestEndOptions) => {
  const { nats } = owner
  let name = newMemberName()
  let taker: Taker | undefined
  let leave = () => {}
  const join = () => {
    const to = taker && owner.name()
    if (to) nats.publish(nats.subject('storing', to, 'join', name), JSON.stringify({ protocol, schema } satisfies Join))
  }
  const gone = () => {
    log.warn({ process: name }, 'The owner counts this process as gone: it goes on under another name.')
    leave()
    taker?.dropWaiting()
    name = newMemberName()
    if (taker) leave = listenAs(nats, name, taker.take, log)
    join()
  }
  const settling = settleWith({ owner, log }, () => name, tenantOf, { join, gone })
  let heard = ''
  const stopHearing = nats.subscribe(nats.subject('hello'), (data) => {
    const announced = parse<Hello>(data).owner
    if (announced === heard || announced !== owner.name()) return
    heard = announced
    join()
  })
  const timer = setInterval(join, times.join)
  return {
    settling,
    /** Begins to take messages. */
    start: (by: Taker) => {
      taker = by
      leave = listenAs(nats, name, by.take, log)
      join()
    },
    /** Ends taking messages. Gateway processes send those in hand to others at once. */
    close: () => {
      clearInterval(timer)
      stopHearing()
      const to = owner.name()
      if (to) nats.publish(nats.subject('storing', to, 'left', name), '')
      leave()
      settling.end()
    },
  }
}
export type IngestEnd = ReturnType<typeof openIngestEnd>
