// Identifies connections on a port: devices of described protocols by their registration packet, HJ 212 stations by each frame.

import { mostIdentity } from '../../../../contract/protocols/dialled.ts'
import { createFrameReader } from '../../../../server/hj212/frame.ts'
import { networkOf } from '../../../../server/http/addresses.ts'
import { hj212 } from '../contract.ts'
import { type DescribedDoor, isDescribed, openTalk, registrationOf, type Talk, type WriteOutcome, type Written } from './dialling.ts'
import { type Door, type Doors, hashOf, registrationToken } from './doors.ts'
import type { Intake } from './intake.ts'
import { type Caller, isFrom, isHere, type Stations } from './stations.ts'
import type { LoginThrottle } from './throttle.ts'

/** Silence limits, ms: within an HJ 212 frame, and between two frames. */
const [frameMs, idleMs] = [60_000, 1_800_000]
type Needs = { doors: Doors; stations: Stations; intake: Intake; throttle: LoginThrottle; gone(door: Door): void }
/** Each UDP datagram contains whole frames. */
export type Link = Caller & { isDatagram: boolean; end(): void }
export type Conversation = {
  /** False after it has closed. */
  take(bytes: Buffer): Promise<boolean>
  /** Time limit for its next bytes, ms. */
  patienceMs(): number
  close(): void
}

export const openCallers = ({ doors, stations, intake, throttle, gone }: Needs) => {
  const talks = new Map<number, Talk>()

  /** The device of these first bytes. `isOpen`: more bytes may identify it. */
  const find = (link: Link, first: Buffer): { door?: DescribedDoor; length: number; isOpen: boolean } => {
    let isOpen = false
    for (const door of doors.all()) {
      if (door.Status !== 1 || !isDescribed(door) || !isHere(door, link)) continue
      const registration = registrationOf(door)
      if (first.subarray(0, registration.length).equals(registration)) return { door, length: registration.length, isOpen: false }
      isOpen ||= first.length < registration.length && registration.subarray(0, first.length).equals(first)
    }
    return { length: 0, isOpen }
  }
  const mayEnter = async (door: DescribedDoor, link: Link) => {
    if ((await throttle(registrationToken(registrationOf(door)), networkOf(link.address))) !== 'right') return false
    const other = talks.get(door.Id)
    const fault = !isFrom(door, link)
      ? `${link.address} is not in its networks`
      : other && !other.isSilent()
        ? `${link.address} registered as a device that is connected`
        : undefined
    if (fault === undefined) return true
    intake.tallies.turnedAway(door.Id, fault)
    return false
  }
  const enter = (door: DescribedDoor, link: Link): Talk => {
    talks.get(door.Id)?.end()
    const talk = openTalk(door, link, intake)
    talks.set(door.Id, talk)
    link.known(door)
    return talk
  }
  const hasStations = (link: Link) => [...doors.all()].some((door) => door.Language === hj212 && door.Status === 1 && isHere(door, link))

  const openConversation = (link: Link): Conversation => {
    let first: Buffer | undefined = Buffer.alloc(0)
    let door: DescribedDoor | undefined
    let talk: Talk | undefined
    const station = stations.callerOf(link)
    let reader = createFrameReader()
    const takeFrames = async (bytes: Buffer) => {
      if (link.isDatagram) reader = createFrameReader()
      for (const frame of reader.take(bytes)) if (!(await station.take(frame))) return false
      return !reader.isLost()
    }
    const greet = async (bytes: Buffer): Promise<boolean> => {
      const said = Buffer.concat([first ?? Buffer.alloc(0), bytes])
      const found = find(link, said)
      first = found.isOpen && said.length < mostIdentity ? said : undefined
      if (first) return true
      if (!found.door) {
        if (hasStations(link)) return takeFrames(said)
        stations.turnAway(link.place)
        await throttle(registrationToken(hashOf(said.toString('latin1'))), networkOf(link.address))
        return false
      }
      if (!(await mayEnter(found.door, link))) return false
      door = found.door
      talk = enter(door, link)
      const rest = said.subarray(found.length)
      if (rest.length) await talk.take(rest)
      return true
    }
    return {
      take: async (bytes) => {
        if (talk) await talk.take(bytes)
        else return first ? greet(bytes) : takeFrames(bytes)
        return true
      },
      // A polled device is not idle: its session detects silence.
      patienceMs: () => (talk ? 0 : reader.isWithin() ? frameMs : idleMs),
      close: () => {
        talk?.close()
        if (!door || talks.get(door.Id) !== talk) return
        talks.delete(door.Id)
        gone(door)
      },
    }
  }
  return {
    openConversation,
    cut: (id: number) => talks.get(id)?.end(),
    has: (id: number) => talks.has(id),
    write: async ({ Id }: Door, written: Written): Promise<WriteOutcome> => (await talks.get(Id)?.write(written)) ?? 'noAnswer',
  }
}
export type Callers = ReturnType<typeof openCallers>
