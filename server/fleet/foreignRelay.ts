// Relays foreign senders of a gateway process to the owner, which decides what they may do.
import type { Foreign, Send } from '../mqtt/foreign.ts'
import { askOwner } from './askOwner.ts'
import { type ForeignAnswer, type ForeignDown, type ForeignNews, type ForeignQuestion, withTopic } from './frames.ts'
import type { Nats } from './natsConnection.ts'
import type { Owners } from './owners.ts'
import type { Targets } from './targets.ts'

/** Bytes reserved for header and topic in a NATS message. */
const beside = 4096

type Needs = {
  nats: Nats
  owners: Owners
  targets: Targets
  /** Of gateways and foreign senders that have logged in, by serial number. */
  tenants: Map<string, number>
  toOwner(token: string, data: string): boolean
}

/** `opened` and `closed` track the broker's connections; `send` delivers a message of the owner to one of them. */
export const relayForeign = ({ nats, owners, targets, tenants, toOwner }: Needs) => {
  const sends = new Map<number, Send>()
  const sessions = new WeakMap<Send, number>()
  const sizes = new Map<string, number>()
  const ask = (question: ForeignQuestion) => askOwner<ForeignAnswer>(nats, owners, 'foreign', question)
  const tell = (news: ForeignNews) => void toOwner('news', JSON.stringify(news))
  const sessionOf = (send: Send) => sessions.get(send) ?? 0
  const foreign: Foreign = {
    login: async (token) => {
      const { sn, tenant, mostBytes = 0 } = await ask({ ask: 'login', token })
      if (sn !== undefined) sizes.set(sn, Math.min(mostBytes, nats.mostBytes() - beside))
      if (sn !== undefined && tenant !== undefined) tenants.set(sn, tenant)
      return sn
    },
    // The owner compares the proofs of sessions.
    isCurrent: () => true,
    mayWill: async (sn, topic) => (await ask({ ask: 'mayWill', sn, topic })).may ?? false,
    maySubscribe: async (sn, topic) => (await ask({ ask: 'maySubscribe', sn, topic })).may ?? false,
    mostBytes: (sn) => sizes.get(sn) ?? 0,
    tooLarge: (sn, detail) => tell({ sn, tooLarge: detail }),
    subscribed: (sn, filter, send) => tell({ sn, session: sessionOf(send), subscribed: filter }),
    onMessage: (sn, topic, payload, send) =>
      targets.ask(tenants.get(sn) ?? 0, { sn, kind: 'foreign', session: sessionOf(send), payload: withTopic(topic, payload) }),
    // Session frames tell the owner about connections.
    joined: () => undefined,
    left: () => undefined,
  }
  return {
    foreign,
    opened: (session: number, send: Send) => {
      sends.set(session, send)
      sessions.set(send, session)
    },
    closed: (session: number) => void sends.delete(session),
    send: ({ session, topic, payload, isRetained }: ForeignDown) =>
      void sends.get(session)?.(topic, Buffer.from(payload, 'base64'), isRetained),
  }
}
export type ForeignRelay = ReturnType<typeof relayForeign>
