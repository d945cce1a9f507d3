// Foreign senders of all gateway processes, at the owner.
import { type Foreign, matchesFilter, type Send } from '../mqtt/foreign.ts'
import type { ForeignAnswer, ForeignDown, ForeignNews, ForeignQuestion, OpenSession } from './frames.ts'
import { topicOf } from './frames.ts'
import type { Nats } from './natsConnection.ts'

type Connection = { sn: string; filters: readonly string[]; send: Send }

/** Answers questions about senders, and represents their connections: each has one `send`, as on a broker of this process. */
export const followForeign = (nats: Nats, foreign: Foreign, tenantOf: (sn: string) => number | undefined) => {
  const connections = new Map<string, Connection>()

  const make = (process: string, session: number, sn: string): Connection => {
    const made: Connection = {
      sn,
      filters: [],
      send: (topic, payload, isRetained) => {
        if (!made.filters.some((filter) => matchesFilter(filter, topic))) return false
        const down: ForeignDown = {
          session,
          topic,
          payload: Buffer.from(payload).toString('base64'),
          ...(isRetained ? { isRetained } : {}),
        }
        return nats.publish(nats.subject('process', process, 'send'), JSON.stringify(down))
      },
    }
    return made
  }
  const connectionOf = (process: string, session: number, sn: string) => {
    const key = `${process}/${session}`
    const known = connections.get(key)
    if (known) return known
    const made = make(process, session, sn)
    connections.set(key, made)
    foreign.joined(sn, made.send)
    return made
  }
  return {
    /** A session is open, or closed. */
    changed: (process: string, { session, sn, kinds }: OpenSession) => {
      if (kinds) {
        connectionOf(process, session, sn).filters = kinds
        return
      }
      const key = `${process}/${session}`
      const known = connections.get(key)
      connections.delete(key)
      if (known) foreign.left(known.sn, known.send)
    },
    answer: async (question: ForeignQuestion): Promise<ForeignAnswer> => {
      if (question.ask === 'mayWill') return { may: await foreign.mayWill(question.sn, question.topic) }
      if (question.ask === 'maySubscribe') return { may: await foreign.maySubscribe(question.sn, question.topic) }
      const sn = await foreign.login(question.token)
      if (sn === undefined) return {}
      const tenant = tenantOf(sn)
      return { sn, mostBytes: foreign.mostBytes(sn), ...(tenant === undefined ? {} : { tenant }) }
    },
    news: (process: string, news: ForeignNews) => {
      if ('tooLarge' in news) return foreign.tooLarge(news.sn, news.tooLarge)
      foreign.subscribed(news.sn, news.subscribed, connectionOf(process, news.session, news.sn).send)
    },
    /** Resolves with the number of readings when they are stored. */
    take: (process: string, session: number, sn: string, bytes: Buffer): Promise<number> => {
      const { topic, payload } = topicOf(bytes)
      return foreign.onMessage(sn, topic, payload, connectionOf(process, session, sn).send)
    },
  }
}
export type ForeignSessions = ReturnType<typeof followForeign>
