import type { Counters } from '../mqtt/uplink.ts'
import type { Beat, OpenSession, SessionsFrame } from './frames.ts'

/** Heartbeat timeout of gateway processes, ms. They disconnect their gateways earlier (brokerEnd.ts). */
const goneMs = 6000

/** Interval of requests for all sessions of a process, ms: changes that arrive before its answer ask for nothing more. */
const askAgainMs = 900

type Peer = { seq: number; heardAt: number; askedAt: number; sessions: Map<number, OpenSession>; waiting: number }
type Place = { process: string; session: number }

type Reactions = {
  /** Requests all sessions of a process after a missed frame. */
  askAll(process: string): void
  /** Closes a session whose gateway has connected elsewhere. */
  cut(process: string, sn: string, session: number): void
  /** A session that this owner did not know. */
  opened(process: string, session: OpenSession): void
  /** A session of a foreign sender is open, or closed. */
  foreign?(process: string, session: OpenSession): void
}

/** Totals of all processes; connections of live processes only. */
const sumOf = (counted: ReadonlyMap<string, Counters>, isThere: (process: string) => boolean): Counters => {
  const sum: Counters = { connected: 0, messages: {}, refused: {} }
  for (const [process, counters] of counted) {
    if (isThere(process)) sum.connected += counters.connected
    for (const part of ['messages', 'refused'] as const)
      for (const [key, n] of Object.entries(counters[part])) {
        const counts: Partial<Record<string, number>> = sum[part]
        counts[key] = (counts[key] ?? 0) + n
      }
  }
  return sum
}

/** Tracks the sessions at all gateway processes. `now`: monotonic clock, ms. */
export const hearSessions = ({ askAll, cut, opened, foreign }: Reactions, now: () => number) => {
  const peers = new Map<string, Peer>()
  const places = new Map<string, Place>()
  /** Includes processes that are gone, so that totals never decrease. */
  const counted = new Map<string, Counters>()

  const peerOf = (process: string) => {
    const known = peers.get(process)
    if (known) return known
    const made: Peer = { seq: -1, heardAt: now(), askedAt: Number.NEGATIVE_INFINITY, sessions: new Map(), waiting: 0 }
    peers.set(process, made)
    return made
  }
  const ask = (process: string, peer: Peer) => {
    if (now() - peer.askedAt < askAgainMs) return
    peer.askedAt = now()
    askAll(process)
  }
  const close = (process: string, { session, sn, isForeign }: OpenSession) => {
    if (isForeign) foreign?.(process, { session, sn })
    const place = places.get(sn)
    if (place?.process === process && place.session === session) places.delete(sn)
  }
  const open = (process: string, { session, sn }: OpenSession, isNew: boolean) => {
    const place = places.get(sn)
    if (place && (place.process !== process || place.session !== session)) {
      // After a resync, this may be the older of two sessions.
      if (!isNew && place.process !== process) return
      if (place.process !== process) cut(place.process, sn, place.session)
    }
    places.set(sn, { process, session })
  }
  const forget = (process: string, peer: Peer) => {
    for (const session of peer.sessions.values()) close(process, session)
    peer.sessions.clear()
  }
  const of = (sn: string) => {
    const place = places.get(sn)
    const session = place && peers.get(place.process)?.sessions.get(place.session)
    return place && session && { ...place, ...session, kinds: session.kinds ?? [] }
  }
  return {
    frame: ({ process, seq, isFirst, sessions }: SessionsFrame) => {
      const peer = peerOf(process)
      peer.heardAt = now()
      if (isFirst) {
        peer.askedAt = Number.NEGATIVE_INFINITY
        forget(process, peer)
      } else if (seq !== peer.seq + 1) return ask(process, peer)
      peer.seq = seq
      for (const session of sessions) {
        const isNew = !isFirst && !peer.sessions.has(session.session)
        if (session.kinds) {
          if (!peer.sessions.has(session.session)) opened(process, session)
          peer.sessions.set(session.session, session)
          open(process, session, isNew)
          if (session.isForeign) foreign?.(process, session)
        } else {
          const was = peer.sessions.get(session.session)
          peer.sessions.delete(session.session)
          if (was) close(process, was)
        }
      }
    },
    beat: ({ process, seq, counters, waiting }: Beat) => {
      const peer = peerOf(process)
      Object.assign(peer, { heardAt: now(), waiting })
      counted.set(process, counters)
      if (seq !== peer.seq) ask(process, peer)
    },
    left: (process: string) => {
      const peer = peers.get(process)
      if (peer) forget(process, peer)
      peers.delete(process)
    },
    /** Removes processes whose heartbeat timed out, and returns them. */
    tick: () => {
      const gone = [...peers].filter(([, peer]) => now() - peer.heardAt > goneMs)
      for (const [process, peer] of gone) {
        forget(process, peer)
        peers.delete(process)
      }
      return gone.map(([process]) => process)
    },
    /** Where a gateway is connected. */
    of,
    /** Whether the gateway is connected elsewhere since this session. */
    isOld: (process: string, session: number, sn: string) => {
      const place = places.get(sn)
      return place !== undefined && (place.process !== process || place.session !== session)
    },
    hears: (sn: string, kind: string) => {
      const found = of(sn)
      return found !== undefined && [kind, '+', '#'].some((last) => found.kinds.includes(last))
    },
    processes: () => [...peers.keys()],
    counters: () => sumOf(counted, (process) => peers.has(process)),
    waiting: () => [...peers.values()].reduce((sum, { waiting }) => sum + waiting, 0),
  }
}
export type HeardSessions = ReturnType<typeof hearSessions>
