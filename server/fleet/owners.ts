import type { Logger } from 'pino'
import { type Hello, protocol } from './frames.ts'

/** Heartbeat timeouts in ms: for an owner to count as unavailable, and to be forgotten. */
const [awayMs, forgottenMs] = [3000, 10_000]

type Heard = Hello & { heardAt: number }

/**
 * Tracks which process owns the database, from announcements. If two claim it, for example after one was frozen, the latest wins. An owner
 * is forgotten after ten seconds without an announcement. `now`: monotonic clock, ms.
 */
export const followOwners = (now: () => number, log: Pick<Logger, 'warn'>) => {
  const owners = new Map<string, Heard>()
  const listeners: ((owner: string) => void)[] = []
  const waiting = new Set<() => void>()
  /** Unsupported protocol versions already logged. */
  const foreign = new Set<number>()
  let current: Heard | undefined

  const choose = () => {
    for (const [id, { heardAt }] of owners) if (now() - heardAt > forgottenMs) owners.delete(id)
    const latest = [...owners.values()].reduce<Heard | undefined>(
      (best, owner) => (best && best.epoch > owner.epoch ? best : owner),
      undefined,
    )
    const isAnother = latest !== undefined && latest.owner !== current?.owner
    current = latest
    if (isAnother) for (const listener of listeners) listener(latest.owner)
  }
  return {
    heard: (hello: Hello) => {
      if (hello.protocol !== protocol) {
        if (foreign.size < 100 && !foreign.has(hello.protocol))
          log.warn(
            { theirs: hello.protocol, own: protocol },
            'A server of another version is in this fleet: its protocol is not spoken here',
          )
        foreign.add(hello.protocol)
        return
      }
      owners.set(hello.owner, { ...hello, heardAt: now() })
      choose()
      for (const wake of [...waiting]) wake()
    },
    /** The owner announced its shutdown. */
    left: (owner: string) => {
      owners.delete(owner)
      choose()
    },
    tick: choose,
    /** The latest owner, even if it is unavailable. */
    current: () => current,
    isThere: () => current !== undefined && now() - current.heardAt < awayMs,
    /** Hears of each change of the owner. */
    onChange: (listener: (owner: string) => void) => void listeners.push(listener),
    /** Resolves with the owner, once there is one; rejects after `ms`. */
    wait: (ms: number) =>
      new Promise<Hello>((done, fail) => {
        if (current) return done(current)
        const end = setTimeout(() => {
          waiting.delete(wake)
          fail(new Error('No server that owns the database is there.'))
        }, ms)
        const wake = () => {
          if (!current) return
          clearTimeout(end)
          waiting.delete(wake)
          done(current)
        }
        waiting.add(wake)
      }),
  }
}
export type Owners = ReturnType<typeof followOwners>
