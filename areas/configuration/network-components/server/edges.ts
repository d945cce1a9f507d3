// Sparkplug edge nodes as foreign senders: births and deaths become presence, and writes become commands.
import type { Send } from '../../../../server/mqtt/foreign.ts'
import { ahead } from '../../../../server/telemetry/decode.ts'
import type { ParsedReading } from '../../../../server/telemetry/parsed.ts'
import type { Door } from './doors.ts'
import { EdgeNodes } from './edgeNodes.ts'
import type { Intake, Message } from './intake.ts'
import { asNumber, type Heard } from './languages/heard.ts'
import { describe, formerStateTopic, maySubscribe, placeOf, stateTopic, topicOf } from './languages/sparkplug.ts'
import type { SenderPoints } from './senders.ts'

const [ok, noAnswer, failed] = [0, 2, 201]
/** Timeout of a caller (ten seconds) and maximum pending writes. */
const [waitedMs, mostWaiting] = [10_000, 1000]
const noBytes = Buffer.alloc(0)

type Needs = {
  intake: Pick<Intake, 'take'>
  pointsOf(gateway: number): Promise<SenderPoints>
  gone(door: Door): void
  deviceIs(door: Door, device: number, isThere: boolean): void
  answer(sn: string, MsgId: string, code: number, text?: string): void
  sendsOf(sn: string): Iterable<Send>
  now(): number
}
type Wanted = { device: string; key: string; value: number }
type Waiting = Wanted & { MsgId: string; until: number }

/** A write succeeds when its edge node reports the new value. */
const openWrites = ({ answer, sendsOf, now }: Pick<Needs, 'answer' | 'sendsOf' | 'now'>, nodes: EdgeNodes) => {
  const waiting = new Map<string, Waiting[]>()
  const keep = (sn: string, rest: Waiting[]) => (rest.length ? waiting.set(sn, rest) : waiting.delete(sn))
  return {
    reported: (sn: string, { values }: Heard) => {
      const asked = waiting.get(sn)
      if (!asked) return
      // A message may have 20,000 values, and 1,000 writes may wait.
      const wanted = Map.groupBy(asked, ({ device, key, value }) => `${device}\n${key}\n${value}`)
      for (const { device, key, value, isHistory } of values) {
        const text = isHistory ? '' : `${device}\n${key}\n${asNumber(value)}`
        for (const { MsgId } of wanted.get(text) ?? []) answer(sn, MsgId, ok)
        wanted.delete(text)
      }
      keep(
        sn,
        [...wanted.values()].flat().filter(({ until }) => until > now()),
      )
    },
    /** Result code of a write that finishes immediately; undefined if a reply will follow. */
    write: ({ SN }: Door, MsgId: string, wanted: Wanted): [code: number, text?: string] | undefined => {
      const others = (waiting.get(SN) ?? []).filter(({ until }) => until > now())
      if (others.length >= mostWaiting) return [failed, 'too many writes wait']
      for (const send of sendsOf(SN)) {
        const command = nodes.commandOf(send, wanted)
        if (command === null) return [failed, 'its datatype takes no such value']
        if (!command || !send(command.topic, command.payload)) continue
        keep(SN, [...others, { ...wanted, value: command.reported, MsgId, until: now() + waitedMs }])
        return undefined
      }
      return [noAnswer]
    },
  }
}

/** The newest time of each point that an edge node has reported since its birth: a death ends the values of these points. */
const openReported = () => {
  const reported = new Map<number, Map<number, number>>()
  return {
    note: ({ Id }: Door, readings: readonly ParsedReading[], now: number) => {
      const times = reported.get(Id) ?? new Map<number, number>()
      reported.set(Id, times)
      for (const { point, time, isHistory } of readings) {
        const at = time ?? now
        // Timestamps too far ahead are rejected, and the gap after them would be, too.
        if (!isHistory && at <= now + ahead) times.set(point, Math.max(times.get(point) ?? 0, at))
      }
    },
    drop: (id: number) => reported.delete(id),
    /** Readings without a value, for some or all of its points. */
    end: ({ Id }: Door, of: readonly number[] | undefined, at: number): ParsedReading[] => {
      const times = reported.get(Id)
      if (!times) return []
      const points = (of ?? [...times.keys()]).filter((point) => times.has(point))
      const readings = points.map((point) => ({ point, time: Math.max(at, times.get(point)! + 1), value: null, quality: 2 as const }))
      if (of) for (const point of points) times.delete(point)
      else reported.delete(Id)
      return readings
    },
  }
}

export const openEdges = (needs: Needs) => {
  const { intake, pointsOf, gone, deviceIs, sendsOf, now } = needs
  const nodes = new EdgeNodes(now)
  const writes = openWrites(needs, nodes)
  const reported = openReported()
  /** Edge nodes that wait for their primary host compare this with the will of an earlier session. */
  const since = now()

  const died = async (door: Door, device: string, at: number): Promise<Pick<Message, 'readings' | 'isDeath'>> => {
    const points = await pointsOf(door.GatewayId)
    if (!device) gone(door)
    const known = device ? points.deviceOf(device) : undefined
    if (known !== undefined) deviceIs(door, known, false)
    const gaps = reported.end(door, device ? points.ofDevice(device) : undefined, at)
    return { isDeath: device === '', readings: gaps.filter(({ point }) => points.ids.has(point)) }
  }
  const follow = async (door: Door, topic: string, payload: Buffer, send: Send): Promise<Message> => {
    const at = nodes.timeAt(send)
    const { heard = { values: [] }, born, dead } = nodes.follow(door, topic, payload, send)
    writes.reported(door.SN, heard)
    const message = { payload, topic, heard, show: describe }
    if (dead !== undefined) return { ...message, ...(await died(door, dead, at)) }
    const device = born ? (await pointsOf(door.GatewayId)).deviceOf(born) : undefined
    if (device !== undefined) deviceIs(door, device, true)
    return { ...message, taken: (readings) => reported.note(door, readings, now()) }
  }

  return {
    follow,
    write: (door: Door, MsgId: string, wanted: Wanted) => {
      const over = writes.write(door, MsgId, wanted)
      if (over) needs.answer(door.SN, MsgId, ...over)
    },
    drop: reported.drop,
    /** The will of an edge node is its death certificate. */
    mayWill: ({ SparkplugGroup, SparkplugNode }: Door, topic: string) => {
      const place = placeOf(topic)
      return place?.kind === 'NDEATH' && place.group === SparkplugGroup && place.edge === SparkplugNode
    },
    maySubscribe: ({ SparkplugGroup, SparkplugNode }: Door, filter: string) =>
      maySubscribe(filter, { group: SparkplugGroup ?? '', edge: SparkplugNode ?? '' }),
    /** Confirms to an edge node that its primary host is online. */
    subscribed: (filter: string, send: Send) => {
      if (!filter.includes('STATE/')) return
      send(stateTopic, JSON.stringify({ online: true, timestamp: since }), true)
      send(formerStateTopic, 'ONLINE', true)
    },
    /** A closed connection counts as the death of its edge node, like its last will. */
    left: (door: Door | undefined, send: Send) => {
      if (!door) return void nodes.leave(send)
      const hear = async (): Promise<Message | undefined> => {
        const at = nodes.timeAt(send)
        if (!nodes.leave(send) || [...sendsOf(door.SN)].some((other) => nodes.isBorn(other))) return undefined
        const topic = topicOf('NDEATH', { group: door.SparkplugGroup ?? '', edge: door.SparkplugNode ?? '' })
        return { payload: noBytes, topic, heard: { values: [] }, ...(await died(door, '', at)) }
      }
      intake.take(door, 0, hear).catch(() => undefined)
    },
  }
}
