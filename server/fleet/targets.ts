// Where messages of gateways go: readings to an ingest process, if there are any, all else to the owner.
import type { UpAnswer, UpMessage } from './frames.ts'
import { type Asked, type Outstanding, openOutstanding } from './outstanding.ts'

/** An ingest process by name; the owner. */
export type Target = string | typeof ownerTarget
export const ownerTarget = Symbol('the owner')

type Options = {
  /** False while not connected. `base`: the number from which messages count. */
  send(target: Target, token: 'up' | 'base', data: Buffer | string): boolean
  /** Monotonic clock, ms. */
  now: () => number
  /** Bytes of the longest frame. */
  mostBytes: () => number
}

/** FNV-1a, 32 bits. */
const hashOf = (text: string) => {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  // Neighbouring texts differ in their last letters only: those have to reach the upper bits.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}

/** Rendezvous hashing: where a process goes, only its gateways move. */
export const placeOf = (sn: string, processes: readonly string[]): Target => {
  let [best, highest] = [ownerTarget as Target, -1]
  for (const process of processes) {
    const weight = hashOf(`${process} ${sn}`)
    if (weight > highest) [best, highest] = [process, weight]
  }
  return best
}

/** Of a gateway with messages under way. `held`: later ones, until those are answered, because it moves to another process. */
type Place = { target: Target; inHand: number; held: Asked[] }

/** Readings of a gateway are at one process at a time: a later one must not overtake an earlier one. */
const openPlaces = (wanted: (sn: string) => Target, put: (target: Target, asked: Asked) => void) => {
  const places = new Map<string, Place>()
  const sendFrom = (place: Place, asked: Asked) => {
    const { sn, done, fail } = asked
    place.inHand++
    const over = () => {
      if (--place.inHand) return
      if (!place.held.length) return void places.delete(sn)
      place.target = wanted(sn)
      for (const held of place.held.splice(0)) sendFrom(place, held)
    }
    put(place.target, {
      ...asked,
      done: (readings) => {
        over()
        done(readings)
      },
      fail: (error) => {
        over()
        fail(error)
      },
    })
  }
  return {
    ask: (asked: Asked) => {
      const target = wanted(asked.sn)
      const place = places.get(asked.sn) ?? { target, inHand: 0, held: [] }
      places.set(asked.sn, place)
      if (place.held.length || place.target !== target) place.held.push(asked)
      else sendFrom(place, asked)
    },
    /** The process of these messages is gone: they go elsewhere, in their order. */
    move: (messages: readonly Asked[]) => {
      for (const sn of new Set(messages.map((message) => message.sn))) {
        const place = places.get(sn)
        if (place) place.target = wanted(sn)
      }
      for (const message of messages) put(places.get(message.sn)?.target ?? ownerTarget, message)
    },
    held: () => [...places.values()].reduce((sum, { held }) => sum + held.length, 0),
    clear: (error: Error) => {
      for (const { fail } of [...places.values()].flatMap(({ held }) => held.splice(0))) fail(error)
    },
  }
}

/** Sends messages to the processes that there are. */
export const openTargets = ({ send, now, mostBytes }: Options) => {
  const all = new Map<Target, Outstanding>()
  let processes: readonly string[] = []
  let window: number | undefined
  const of = (target: Target) => {
    const known = all.get(target)
    if (known) return known
    const outstanding = openOutstanding((frame) => send(target, 'up', frame), now, mostBytes)
    if (window !== undefined) outstanding.setWindow(window)
    all.set(target, outstanding)
    return outstanding
  }
  const places = openPlaces(
    (sn) => placeOf(sn, processes),
    (target, asked) => of(target).put(asked),
  )
  const isReading = ({ kind }: Pick<UpMessage, 'kind'>) => kind === 'data' || kind === 'history'
  const leave = (target: Target) => {
    const messages = all.get(target)?.takeBack() ?? []
    all.delete(target)
    places.move(messages)
  }
  const each = (work: (outstanding: Outstanding) => void) => {
    for (const outstanding of all.values()) work(outstanding)
  }
  return {
    /** Resolves with the number of readings once they are stored; rejects when the message could not be taken. */
    ask: (tenant: number, message: Omit<UpMessage, 'seq'>) =>
      isReading(message)
        ? new Promise<number>((done, fail) => places.ask({ ...message, tenant, done, fail }))
        : of(ownerTarget).ask(tenant, message),
    /** Returns the message that is answered; undefined for a second answer. */
    answered: (target: Target, answer: UpAnswer) => all.get(target)?.answered(answer),
    /** The ingest processes that there are now. */
    follow: (names: readonly string[]) => {
      processes = names
      for (const target of [...all.keys()]) if (target !== ownerTarget && !names.includes(target as string)) leave(target)
    },
    tick: () => each((outstanding) => outstanding.tick()),
    /** Retransmits everything after a change of the connection; or of the owner, what it has to answer. */
    sendAllAgain: (target?: Target) => (target ? all.get(target)?.sendAllAgain() : each((outstanding) => outstanding.sendAllAgain())),
    /** A process has missed messages. */
    askedAgain: (target: Target) => {
      const outstanding = all.get(target)
      if (!outstanding) return
      send(target, 'base', String(outstanding.base()))
      outstanding.sendAllAgain()
    },
    setWindow: (bytes: number) => {
      window = bytes
      each((outstanding) => outstanding.setWindow(bytes))
    },
    /** Bytes under way, and queued messages. */
    waiting: () => {
      const sum = { bytes: 0, queued: places.held() }
      each((outstanding) => {
        const { bytes, queued } = outstanding.waiting()
        sum.bytes += bytes
        sum.queued += queued
      })
      return sum
    },
    /** Rejects all messages, since their gateways were disconnected. */
    clear: () => {
      places.clear(new Error('The connection to the other servers is lost.'))
      each((outstanding) => outstanding.clear())
    },
  }
}
export type Targets = ReturnType<typeof openTargets>
