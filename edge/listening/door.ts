import { mostIdentity } from '../../contract/protocols/dialled.ts'
import { withoutHeartbeats } from '../../contract/protocols/heartbeats.ts'
import type { ChannelRow } from '../drivers/driver.ts'
import type { LineUser } from '../drivers/serial.ts'
import { type Caller, openPort, type Port, type PortPlace } from './callers.ts'
import { type Identity, identityOf } from './identity.ts'

/** Timeout of the identification of a connection, ms. */
const patienceMs = 10_000
/** Minimum interval of events about refused connections of a port, ms. */
const reportEveryMs = 60_000
/** Maximum remembered addresses of unknown devices. */
const mostUnknown = 50

type Present = { caller: Caller; lastByte: number; take(bytes: Buffer): void; close(): void }
/** A channel whose device connects to us. */
export type Expected = {
  key: string
  identity: Identity
  arrived: () => void
  present: Present | undefined
  user: LineUser | undefined
  /** Number of second connections refused while the first one is active. */
  refused: number
}
type Guest = { first: Buffer; timer: NodeJS.Timeout; of?: Expected }
export type Unknown = { from: string; said: string; count: number }

/** One port to which devices connect. The first bytes of a connection identify its channel. */
export class Door {
  readonly place: PortPlace
  readonly expected = new Map<string, Expected>()
  readonly unknown = new Map<string, Unknown>()
  /** Why the port is not open. */
  problem: string | undefined
  readonly #report: (text: string) => void
  readonly #guests = new Map<Caller, Guest>()
  #port: Port | undefined
  #reportedAt = Number.NEGATIVE_INFINITY

  constructor(place: PortPlace, report: (text: string) => void) {
    this.place = place
    this.#report = report
  }

  async open() {
    try {
      this.#port = await openPort(this.place, {
        heard: (caller, bytes) => this.#heard(caller, bytes),
        gone: (caller, why) => this.#gone(caller, why),
      })
      this.problem = undefined
    } catch (error) {
      this.problem = `port ${this.place.port}: ${(error as Error).message}`
      this.#report(this.problem)
    }
  }

  async close() {
    for (const one of [...this.expected.values()]) this.forget(one.key)
    for (const { timer } of this.#guests.values()) clearTimeout(timer)
    this.#guests.clear()
    await this.#port?.close()
  }

  expect(key: string, row: ChannelRow, arrived: () => void) {
    this.expected.set(key, { key, identity: identityOf(row), arrived, present: undefined, user: undefined, refused: 0 })
  }
  forget(key: string) {
    const one = this.expected.get(key)
    this.expected.delete(key)
    if (one) this.#lose(one, 'the channel is no more')
  }

  #lose(one: Expected, why: string) {
    const { present, user } = one
    one.present = undefined
    one.user = undefined
    present?.close()
    present?.caller.end()
    user?.lost(why)
  }

  #heard(caller: Caller, bytes: Buffer) {
    const guest = this.#guests.get(caller)
    if (guest?.of) return guest.of.present?.caller === caller ? guest.of.present.take(bytes) : caller.end()
    const known = guest ?? this.#greet(caller)
    known.first = Buffer.concat([known.first, bytes])
    let isOpen = false
    for (const one of this.expected.values()) {
      if (!one.identity.mayComeFrom(caller.from)) continue
      const length = one.identity.registered(known.first.subarray(0, mostIdentity))
      if (length) return this.#enter(one, caller, known, known.first.subarray(length))
      isOpen ||= length === undefined
    }
    if (!isOpen || known.first.length > mostIdentity) this.#turnAway(caller, known)
  }

  #greet(caller: Caller): Guest {
    const guest: Guest = { first: Buffer.alloc(0), timer: setTimeout(() => this.#turnAway(caller, guest), patienceMs) }
    this.#guests.set(caller, guest)
    return guest
  }

  /** A second connection with the same registration is refused until the first has been silent for long. */
  #enter(one: Expected, caller: Caller, guest: Guest, rest: Buffer) {
    clearTimeout(guest.timer)
    if (one.present && performance.now() - one.present.lastByte < one.identity.patienceMs) {
      one.refused++
      this.#guests.delete(caller)
      caller.end()
      return this.#told(`${caller.from} registered as a device that is connected; refused ${one.refused} times`)
    }
    this.#lose(one, 'another connection took its place')
    const stream = withoutHeartbeats(one.identity.heartbeat, (bytes) => one.user?.received(Buffer.from(bytes)))
    const present: Present = {
      ...{ caller, lastByte: performance.now(), close: stream.close },
      take: (bytes) => {
        present.lastByte = performance.now()
        // Some devices repeat their registration.
        if (one.identity.registered(bytes) !== bytes.length) stream.take(bytes)
      },
    }
    guest.of = one
    one.present = present
    one.arrived()
    if (rest.length) present.take(rest)
  }

  #turnAway(caller: Caller, { first, timer }: Guest) {
    clearTimeout(timer)
    this.#guests.delete(caller)
    caller.end()
    const said = first.subarray(0, 32).toString('hex')
    const known = this.unknown.get(caller.from)
    if (known || this.unknown.size < mostUnknown) this.unknown.set(caller.from, { from: caller.from, said, count: (known?.count ?? 0) + 1 })
    const all = [...this.unknown.values()].reduce((sum, { count }) => sum + count, 0)
    this.#told(`${caller.from} is unknown and was closed; it said ${said || 'nothing'} (${all} so far)`)
  }

  #told(text: string) {
    if (performance.now() - this.#reportedAt < reportEveryMs) return
    this.#reportedAt = performance.now()
    this.#report(`port ${this.place.port}: ${text}`)
  }

  #gone(caller: Caller, why: string) {
    const guest = this.#guests.get(caller)
    if (!guest) return
    this.#guests.delete(caller)
    clearTimeout(guest.timer)
    if (guest.of?.present?.caller === caller) this.#lose(guest.of, why)
  }
}
