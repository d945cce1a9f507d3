// Where messages of gateways go: readings to an ingest process, if there are any, all else to the owner.
import type { UpAnswer, UpMessage } from './frames.ts'
import { type Asked, type Outstanding, openOutstanding } from './outstanding.ts'

/** An ingest process by name; the owner. */
export type Target = string | typeof toOwner
export const toOwner = Symbol('the owner')

type Options = {
  /** False while not connected. */
  send(target: Target, frame: Buffer): boolean
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
  let [best, highest] = [toOwner as Target, -1]
  for (const process of processes) {
    const weight = hashOf(`${process} ${sn}`)
    if (weight > highest) [best, highest] = [process, weight]
  }
  return best
}

/** Of a gateway with messages under way. `held`: later ones, until those are answered, because it moves to another process. */
type Place = { target: Target; inHand: number; held: Asked[] }

/** Readings of a gateway are at one process at a time: a later one must not overtake an earlier one. */
export const openTargets = ({ send, now, mostBytes }: Options) => {
  const all = new Map<Target, Outstanding>()
  const places = new Map<string, Place>()
  let processes: readonly string[] = []
  let window: number | undefined
  const of = (target: Target) => {
    const known = all.get(target)
    if (known) return known
    const outstanding = openOutstanding((frame) => send(target, frame), now, mostBytes)
    if (window !== undefined) outstanding.setWindow(window)
    all.set(target, outstanding)
    return outstanding
  }
  const isReading = ({ kind }: Pick<UpMessage, 'kind'>) => kind === 'data' || kind === 'history'

  const sendFrom = (place: Place, asked: Asked) => {
    const { sn, done, fail } = asked
    place.inHand++
    const over = () => {
      if (--place.inHand) return
      if (!place.held.length) return void places.delete(sn)
      place.target = placeOf(sn, processes)
      for (const held of place.held.splice(0)) sendFrom(place, held)
    }
    of(place.target).put({
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
  const askPlace = (asked: Asked) => {
    const target = placeOf(asked.sn, processes)
    const place = places.get(asked.sn) ?? { target, inHand: 0, held: [] }
    places.set(asked.sn, place)
    if (place.held.length || place.target !== target) place.held.push(asked)
    else sendFrom(place, asked)
  }
  /** Their messages go elsewhere, in their order. */
  const leave = (target: Target) => {
    const messages = all.get(target)?.takeBack() ?? []
    all.delete(target)
    const moved = new Set<string>()
    for (const message of messages) {
      const place = places.get(message.sn)
      if (place && !moved.has(message.sn)) place.target = placeOf(message.sn, processes)
      moved.add(message.sn)
      of(place?.target ?? toOwner).put(message)
    }
  }
  const each = (work: (outstanding: Outstanding) => void) => {
    for (const outstanding of all.values()) work(outstanding)
  }
  return {
    /** Resolves with the number of readings once they are stored; rejects when the message could not be taken. */
    ask: (tenant: number, message: Omit<UpMessage, 'seq'>) =>
      isReading(message)
        ? new Promise<number>((done, fail) => askPlace({ ...message, tenant, done, fail }))
        : of(toOwner).ask(tenant, message),
    /** Returns the message that is answered; undefined for a second answer. */
    answered: (target: Target, answer: UpAnswer) => all.get(target)?.answered(answer),
    /** The ingest processes that there are now. */
    follow: (names: readonly string[]) => {
      processes = names
      for (const target of [...all.keys()]) if (target !== toOwner && !names.includes(target as string)) leave(target)
    },
    tick: () => each((outstanding) => outstanding.tick()),
    /** Retransmits everything after a change of the connection; or of the owner, what it has to answer. */
    sendAllAgain: (target?: Target) => (target ? all.get(target)?.sendAllAgain() : each((outstanding) => outstanding.sendAllAgain())),
    setWindow: (bytes: number) => {
      window = bytes
      each((outstanding) => outstanding.setWindow(bytes))
    },
    /** Bytes under way, and queued messages. */
    waiting: () => {
      const sum = { bytes: 0, queued: 0 }
      each((outstanding) => {
        const { bytes, queued } = outstanding.waiting()
        sum.bytes += bytes
        sum.queued += queued
      })
      for (const { held } of places.values()) sum.queued += held.length
      return sum
    },
    /** Rejects all messages, since their gateways were disconnected. */
    clear: () => {
      const held = [...places.values()].flatMap((place) => place.held.splice(0))
      for (const { fail } of held) fail(new Error('The connection to the other servers is lost.'))
      each((outstanding) => outstanding.clear())
    },
  }
}
export type Targets = ReturnType<typeof openTargets>
