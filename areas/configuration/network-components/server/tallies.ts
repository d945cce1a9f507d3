import { type DoorMessage, type DoorState, keptMessages, keptPayload, mostSeen, type SeenKey } from '../contract.ts'

/** What a door has done since the server's start. */
type Tally = Omit<DoorState, 'Id' | 'Connections' | 'Seen'> & {
  seen: Map<string, Omit<SeenKey, 'PerMinute'> & { first: number }>
  messages: DoorMessage[]
  nextMessage: number
}
const nothing = (): Tally => ({
  ...{ Messages: 0, Readings: 0, Rejected: 0, Unmatched: 0, LastMessage: null, LastFault: null },
  ...{ seen: new Map(), messages: [], nextMessage: 1 },
})
type Message = { payload: Buffer; topic: string; readings: number; unmatched: number; refused: number; fault: string | undefined }

/** Counts, last messages, and the keys that no point takes, of each door. */
export const createTallies = (now: () => number) => {
  const tallies = new Map<number, Tally>()
  const of = (id: number) => {
    const tally = tallies.get(id) ?? nothing()
    tallies.set(id, tally)
    return tally
  }
  return {
    /** A value that no point takes; null where it is no number. */
    see: (id: number, device: string, key: string, value: number | null) => {
      const { seen } = of(id)
      const known = seen.get(`${device}\n${key}`)
      if (known) Object.assign(known, { Count: known.Count + 1, LastValue: value, LastTime: now() })
      else if (seen.size < mostSeen)
        seen.set(`${device}\n${key}`, { Device: device, Key: key, Count: 1, LastValue: value, LastTime: now(), first: now() })
    },
    heard: (id: number, { payload, topic, readings, unmatched, refused, fault }: Message) => {
      const tally = of(id)
      tally.Messages++
      tally.LastMessage = now()
      tally.Unmatched += unmatched
      tally.Rejected += refused
      if (refused) tally.LastFault = fault ?? null
      tally.messages.unshift({
        ...{ Id: tally.nextMessage++, Time: now(), Topic: topic.slice(0, 200), Readings: readings },
        Payload: payload.toString('utf8', 0, keptPayload),
      })
      tally.messages.length = Math.min(tally.messages.length, keptMessages)
    },
    stored: (id: number, readings: number) => {
      of(id).Readings += readings
    },
    stateOf: (id: number) => {
      const { seen, messages: _, nextMessage: __, ...counts } = of(id)
      return { Id: id, ...counts, Seen: seen.size }
    },
    messagesOf: (id: number): readonly DoorMessage[] => of(id).messages,
    /** The most frequent first. */
    seenBy: (id: number): SeenKey[] =>
      [...of(id).seen.values()]
        .map(({ first, ...key }) => ({ ...key, PerMinute: Math.round((key.Count / Math.max(1, (now() - first) / 60_000)) * 10) / 10 }))
        .sort((a, b) => b.Count - a.Count),
    /** These have points by now. */
    adopted: (id: number, keys: readonly { Device: string; Key: string }[]) => {
      const { seen } = of(id)
      for (const { Device, Key } of keys) seen.delete(`${Device}\n${Key}`)
    },
    drop: (id: number) => void tallies.delete(id),
  }
}
