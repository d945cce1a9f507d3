import type { Logger } from 'pino'
import { type Hello, protocol } from './frames.ts'

/** ms of silence after which an owner counts as away, and after which it is forgotten. */
const [awayMs, forgottenMs] = [3000, 10_000]

type Heard = Hello & { heardAt: number }

/**
 * The process that owns the database, by what the owners say of themselves. Of two that both say so, such as one that was frozen and
 * wakes, the later one is the owner. One that is silent for ten seconds is forgotten. `now` is a clock in ms that nobody sets.
 */
export const followOwners = (now: () => number, log: Pick<Logger, 'warn'>) => {
  const owners = new Map<string, Heard>()
  const listeners: ((owner: string) => void)[] = []
  const waiting = new Set<() => void>()
  /** Numbers of protocols that were heard, and that this process does not speak. */
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
    /** It stops, and says so. */
    left: (owner: string) => {
      owners.delete(owner)
      choose()
    },
    tick: choose,
    /** The latest owner, whether or not it is there now. */
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
