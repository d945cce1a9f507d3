// HJ 212 stations: interprets their frames and answers them. A frame is answered after it is stored.

import type { Frame } from '../../../../server/hj212/frame.ts'
import { answerTo, type Hj212Message, isAnswer, readMessage, wantsAnswer, withoutPassword } from '../../../../server/hj212/message.ts'
import { networkOf, within } from '../../../../server/http/addresses.ts'
import { hj212 } from '../contract.ts'
import { type Door, type Doors, stationToken } from './doors.ts'
import type { Intake } from './intake.ts'
import type { Heard } from './languages/heard.ts'
import { hasValues, readValues } from './languages/hj212.ts'
import type { LoginThrottle } from './throttle.ts'

/** Limits per connection: bytes and packets of a multi-part message, and messages whose time is remembered. */
const [mostBytes, mostPackets, mostTimes] = [64 * 1024, 64, 32]

export type Place = { Port: number; Transport: 1 | 2 }
export const placeKey = ({ Port, Transport }: Place) => `${Port}/${Transport}`
type At = { place: Place; address: string }
export const isFrom = ({ Networks }: Door, { place, address }: At) => (Networks ? within(Networks, address) : place.Transport === 1)
export const isHere = (door: Door, { place }: At) => door.Port === place.Port && door.Transport === place.Transport
/** A TCP connection, or an address that sends datagrams. */
export type Caller = {
  place: Place
  address: string
  answer(bytes: Buffer): void
  /** Called when the caller is identified. */
  known(door: Door): void
}
type Needs = { doors: Doors; intake: Intake; throttle: LoginThrottle; now(): number }

/** A message whose packets cannot be parsed separately. */
type Parts = { id: string; of: number; bytes: number; texts: Map<number, string> }

export const openStations = ({ doors, intake, throttle, now }: Needs) => {
  /** Unknown callers on a port, since the start. */
  const strangers = new Map<string, number>()
  const turnAway = (place: Place) => void strangers.set(placeKey(place), (strangers.get(placeKey(place)) ?? 0) + 1)

  /** The sender of a frame. */
  const doorOf = async ({ MN, PW }: Hj212Message, caller: Caller): Promise<Door | undefined> => {
    const token = stationToken(MN, PW)
    const verdict = await throttle(token, networkOf(caller.address))
    const door = verdict === 'right' ? doors.ofToken(token) : undefined
    if (door?.Language === hj212 && isHere(door, caller) && isFrom(door, caller)) return door
    turnAway(caller.place)
    for (const one of doors.all())
      if (one.MN === MN && one.Status === 1 && isHere(one, caller))
        intake.tallies.turnedAway(one.Id, one === door ? `${caller.address} is not in its networks` : 'another PW')
    return undefined
  }

  /** State of one caller. `take` returns false if the caller is to be disconnected. */
  const callerOf = (caller: Caller) => {
    const times = new Map<string, number>()
    let parts: Parts | undefined

    const remember = (id: string, time: number | undefined) => {
      if (time === undefined) return
      times.set(id, time)
      if (times.size > mostTimes) times.delete(times.keys().next().value!)
    }
    /** Text of all packets, when the last one has arrived; packets may be split anywhere. */
    const assemble = (id: string, { packets, packet, CP }: Hj212Message): string | undefined => {
      if (packets > mostPackets || packet < 1 || packet > packets) return undefined
      if (parts?.id !== id || parts.of !== packets) parts = { id, of: packets, bytes: 0, texts: new Map() }
      parts.bytes += CP.length - (parts.texts.get(packet)?.length ?? 0)
      parts.texts.set(packet, CP)
      if (parts.bytes > mostBytes) parts = undefined
      if (parts?.texts.size !== packets) return undefined
      const texts = [...parts.texts].sort(([a], [b]) => a - b).map(([, text]) => text)
      parts = undefined
      return texts.join('')
    }
    const hear = (door: Door, message: Hj212Message, id: string): Heard | undefined => {
      if (!hasValues(message)) return { values: [], isQuiet: true }
      const isPart = message.packets > 1
      const read = (CP: string) => readValues(message, CP, door.Zone, now(), times.get(id))
      if (!isPart || message.isClosed) {
        const heard = read(message.CP)
        if (isPart) remember(id, heard.time)
        // Closes the truncated end of a message as well.
        if (!heard.fault || !isPart) return heard
      }
      const whole = assemble(id, message)
      return whole === undefined ? undefined : read(whole)
    }

    return {
      take: async (frame: Frame): Promise<boolean> => {
        const message = 'text' in frame ? readMessage(frame.text) : undefined
        // The station gets no answer and retransmits.
        if ('fault' in frame) return true
        if (!message) return false
        const door = await doorOf(message, caller)
        if (!door) return false
        caller.known(door)
        const id = `${message.MN} ${message.CN} ${message.QN}`
        const heard = hear(door, message, id)
        if (!heard) return true
        await intake.take(door, frame.text.length, async () => ({ payload: withoutPassword(frame.text), topic: `CN ${message.CN}`, heard }))
        if (wantsAnswer(message) && !isAnswer(message)) caller.answer(answerTo(message))
        return true
      },
    }
  }
  return { callerOf, turnAway, strangers: (place: Place) => strangers.get(placeKey(place)) ?? 0 }
}
export type Stations = ReturnType<typeof openStations>
