import { isUtf8 } from 'node:buffer'
import { type DoorMessage, type DoorState, keptMessages, keptPayload, mostSeen, type SeenKey } from '../contract.ts'

/** A message. The text of a binary message is created on display. */
type Kept = Omit<DoorMessage, 'Payload'> & { payload: string | Buffer; show?: ((payload: Buffer) => string) | undefined }
/** Counters of a sender since the server's start. */
type Tally = Omit<DoorState, 'Id' | 'Connections' | 'Seen' | 'PortFault' | 'Strangers'> & {
  seen: Map<string, Omit<SeenKey, 'PerMinute'> & { first: number }>
  messages: Kept[]
  nextMessage: number
  /** Approximate bytes of its messages and keys. */
  bytes: number
}
const nothing = (): Tally => ({
  ...{ Messages: 0, Readings: 0, Rejected: 0, Unmatched: 0, LastMessage: null, LastFault: null },
  ...{ seen: new Map(), messages: [], nextMessage: 1, bytes: 0 },
})
type Message = Pick<Kept, 'show'> & {
  payload: Buffer
  topic: string
  readings: number
  unmatched: number
  refused: number
  fault: string | undefined
}

/** Limit for messages and keys of all senders together. */
export const mostHeldBytes = 128 * 1024 * 1024
const [bytesOfKey, bytesOfMessage] = [300, 300]
const messageBytes = ({ Topic, payload }: Kept) => bytesOfMessage + 2 * (Topic.length + payload.length)
const shownOf = ({ payload, show, ...message }: Kept): DoorMessage => ({
  ...message,
  Payload: typeof payload === 'string' ? payload : (show?.(payload) ?? '').slice(0, keptPayload),
})

/** Never in text, frequent in frames. */
const control = /[^\P{Cc}\t\n\r]/u
const shownAs = (payload: Buffer, isRead: boolean): Pick<Kept, 'payload' | 'IsHex'> => {
  // Copied, since it may be a slice of a much larger buffer.
  if (isRead) return { payload: Buffer.from(payload.subarray(0, keptPayload)), IsHex: 0 }
  const text = isUtf8(payload) ? payload.toString('utf8', 0, keptPayload) : undefined
  if (text !== undefined && !control.test(text)) return { payload: text, IsHex: 0 }
  return { payload: payload.toString('hex', 0, keptPayload / 2), IsHex: 1 }
}

/** Counters, last messages and keys without a point, per sender. */
export const createTallies = (now: () => number, most = mostHeldBytes) => {
  const tallies = new Map<number, Tally>()
  const of = (id: number) => {
    const tally = tallies.get(id) ?? nothing()
    tallies.set(id, tally)
    return tally
  }
  let held = 0
  const hold = (tally: Tally, bytes: number) => {
    tally.bytes += bytes
    held += bytes
  }
  const letGo = (tally: Tally) => {
    hold(tally, -tally.bytes)
    tally.seen.clear()
    tally.messages.length = 0
  }
  /** Evicts messages and keys of the sender that has been silent longest; counters stay. */
  const makeRoom = (id: number) => {
    for (const [other, tally] of tallies) {
      if (held <= most) return
      if (other !== id && tally.bytes) letGo(tally)
    }
  }
  return {
    /** Records a value without a point; null if it is not a number. */
    see: (id: number, device: string, key: string, value: number | null) => {
      const tally = of(id)
      const { seen } = tally
      const known = seen.get(`${device}\n${key}`)
      if (known) Object.assign(known, { Count: known.Count + 1, LastValue: value, LastTime: now() })
      else if (seen.size < mostSeen) {
        hold(tally, bytesOfKey + 4 * (device.length + key.length))
        seen.set(`${device}\n${key}`, { Device: device, Key: key, Count: 1, LastValue: value, LastTime: now(), first: now() })
      }
    },
    heard: (id: number, { payload, topic, readings, unmatched, refused, fault, show }: Message) => {
      const tally = of(id)
      // Moves the sender to the end: the map is ordered by last message.
      tallies.delete(id)
      tallies.set(id, tally)
      tally.Messages++
      tally.LastMessage = now()
      tally.Unmatched += unmatched
      tally.Rejected += refused
      if (refused) tally.LastFault = fault ?? null
      tally.messages.unshift({
        ...{ Id: tally.nextMessage++, Time: now(), Topic: topic.slice(0, 200), Readings: readings },
        ...shownAs(payload, show !== undefined),
        show,
      })
      hold(tally, messageBytes(tally.messages[0]!))
      for (const old of tally.messages.splice(keptMessages)) hold(tally, -messageBytes(old))
      makeRoom(id)
    },
    /** A caller named this sender and was refused. */
    turnedAway: (id: number, fault: string) => {
      const tally = of(id)
      tally.Rejected++
      tally.LastFault = fault
    },
    stored: (id: number, readings: number) => {
      of(id).Readings += readings
    },
    stateOf: (id: number) => {
      const { seen, messages: _, nextMessage: __, ...counts } = of(id)
      return { Id: id, ...counts, Seen: seen.size }
    },
    messagesOf: (id: number): readonly DoorMessage[] => of(id).messages.map(shownOf),
    /** Most frequent first. */
    seenBy: (id: number): SeenKey[] =>
      [...of(id).seen.values()]
        .map(({ first, ...key }) => ({ ...key, PerMinute: Math.round((key.Count / Math.max(1, (now() - first) / 60_000)) * 10) / 10 }))
        .sort((a, b) => b.Count - a.Count),
    /** These keys have points now. */
    adopted: (id: number, keys: readonly { Device: string; Key: string }[]) => {
      const tally = of(id)
      for (const { Device, Key } of keys)
        if (tally.seen.delete(`${Device}\n${Key}`)) hold(tally, -(bytesOfKey + 4 * (Device.length + Key.length)))
    },
    drop: (id: number) => {
      const tally = tallies.get(id)
      if (tally) letGo(tally)
      tallies.delete(id)
    },
  }
}
