// From a foreign message to stored readings, over any transport.
import { setImmediate } from 'node:timers/promises'
import type { Sandbox } from '../../../../sandbox/sandbox.ts'
import type { Db } from '../../../../server/database/db.ts'
import type { Refusal } from '../../../../server/telemetry/decode.ts'
import type { Ingest } from '../../../../server/telemetry/ingest.ts'
import { createTurns } from '../../../../server/telemetry/messageTurns.ts'
import type { ParsedMessage, ParsedReading } from '../../../../server/telemetry/parsed.ts'
import type { Door } from './doors.ts'
import { keptText } from './kept.ts'
import { asNumber, excerpt, type Heard } from './languages/heard.ts'
import { openParsers, type Report } from './parsers.ts'
import type { SenderPoints } from './senders.ts'
import { createTallies } from './tallies.ts'

type Needs = {
  db: Db
  ingest: Pick<Ingest, 'acceptParsed'>
  pointsOf(gateway: number): Promise<SenderPoints>
  /** Whether readings of a tenant are stored at present. */
  stores(EnterpriseId: number): boolean
  /** Marks the sender as online. */
  alive(door: Door): void
  sandbox: Sandbox
  /** Stores an event from a sender's script. */
  report: Report
  now(): number
}
export type Taken = { readings: number; fault?: string }
/** A parsed message. */
export type Message = {
  payload: Buffer
  heard: Heard
  topic?: string
  device?: string
  /** Readings that follow from the message but are not among its values. */
  readings?: readonly ParsedReading[]
  /** The message reports that its sender is offline. */
  isDeath?: boolean
  /** Formats a binary payload for display. */
  show?: (payload: Buffer) => string
  /** Called with the readings that its values became. */
  taken?: (readings: readonly ParsedReading[]) => void
}
/** A message that a script parses, outside the queue. */
type Later = { later: () => Promise<Message> }
export type Hearing = () => Promise<Message | Later | undefined>
type Sorted = { message: Required<Omit<ParsedMessage, 'isHistory'>>; bytes: Buffer; taken: Taken }
/** Values that are looked up before the event loop continues. */
const sortedAtOnce = 5000

export const openIntake = ({ db, ingest, pointsOf, stores, alive, sandbox, report, now }: Needs) => {
  const tallies = createTallies(now)
  const parsers = openParsers(db, sandbox, report, now)
  /** Parses one message at a time across all senders, since parsing takes milliseconds. */
  const inTurn = createTurns(1)

  /** Readings of known points, errors, and the number of values without a point. */
  const sort = async ({ Id }: Door, { find }: SenderPoints, { values, isQuiet, skipped }: Heard) => {
    const readings: ParsedReading[] = []
    const refusals: Refusal[] = []
    let unmatched = 0
    for (const [i, { device, key, time, value, quality = 0, isHistory }] of values.entries()) {
      if (i % sortedAtOnce === sortedAtOnce - 1) await setImmediate()
      const [number, point] = [asNumber(value), find({ device, key })]
      if (point !== undefined && number !== undefined)
        readings.push({ point, time, value: quality >= 2 ? null : number, quality, isHistory })
      else if (point !== undefined && value === null) readings.push({ point, time, value, quality: 2, isHistory })
      else if (point !== undefined) refusals.push({ reason: 'notANumber', detail: `${device} ${key}`.trim(), payload: excerpt(value) })
      else if (!isQuiet) {
        unmatched++
        tallies.see(Id, device, key, number ?? null)
      }
    }
    if (skipped)
      refusals.push({ reason: 'notANumber', detail: `${skipped} values of a kind that no point has`, payload: '', count: skipped })
    return { readings, refusals, unmatched }
  }

  /** The readings to store, and the answer to the sender. */
  const sorted = async (door: Door, { payload, heard, topic = '', device = '', ...more }: Message): Promise<Sorted> => {
    if (!more.isDeath) alive(door)
    const { readings: own, refusals, unmatched } = await sort(door, await pointsOf(door.GatewayId), heard)
    more.taken?.(own)
    const readings = more.readings?.length ? [...own, ...more.readings] : own
    const { fault } = heard
    if (fault) {
      refusals.push({ reason: 'notParsed', detail: fault.slice(0, 200), payload: keptText({ topic, device, payload }) })
    }
    const refused = refusals.reduce((sum, { count = 1 }) => sum + count, 0)
    const shown = { payload, topic, show: more.show }
    tallies.heard(door.Id, { ...shown, readings: own.length, unmatched, refused, fault: fault ?? refusals[0]?.detail })
    const isOpen = stores(door.EnterpriseId)
    const closed: Refusal[] = readings.length ? [{ reason: 'tenantClosed', detail: '', payload: '', count: readings.length }] : []
    const message = isOpen ? { readings, refusals, unmatched } : { readings: [], refusals: closed, unmatched: 0 }
    return { message, bytes: payload, taken: { readings: own.length, ...(fault && { fault }) } }
  }

  /**
   * Parses a message in its turn and stores it. Resolves when it is on disk. `cost`: its bytes, or their unpacked size; `hear`
   * returns undefined for a message without values.
   */
  const take = async (door: Door, cost: number, hear: Hearing): Promise<Taken> => {
    const first = await inTurn(door, cost, async () => {
      const message = await hear()
      return message && ('later' in message ? message : sorted(door, message))
    })
    const parsed = first && 'later' in first ? await first.later() : undefined
    const found = parsed ? await inTurn(door, 0, () => sorted(door, parsed)) : (first as Sorted | undefined)
    if (!found) return { readings: 0 }
    const { message, bytes, taken } = found
    if (message.readings.length + message.refusals.length + message.unmatched) await ingest.acceptParsed(door.SN, bytes, message)
    if (message.readings.length) tallies.stored(door.Id, taken.readings)
    return taken
  }

  /** Parses a message with its sender's parser. `device`: the device named outside the payload, such as by the topic. */
  const hearByParser = async (door: Door, payload: Buffer, topic: string, device = '', time = now()): Promise<Message | Later> => {
    const point = device ? (await pointsOf(door.GatewayId)).deviceOf(device) : undefined
    const read = await parsers.read({ door, payload, topic, device, point, time })
    const message = (heard: Heard): Message => ({ payload, topic, device, heard })
    return typeof read === 'function' ? { later: async () => message(await read()) } : message(read)
  }

  /** Parses a refused message with the present parser and stores the result. Resolves with the readings. */
  const replay = async (door: Door, { payload, topic, device }: { payload: Buffer; topic: string; device: string }, time: number) => {
    const points = await pointsOf(door.GatewayId)
    const read = await parsers.read({
      door,
      payload,
      topic,
      device,
      point: device ? points.deviceOf(device) : undefined,
      time,
      isReplay: true,
    })
    const heard = typeof read === 'function' ? await read() : read
    if (heard.fault || !stores(door.EnterpriseId)) return 0
    const values = heard.values.map((value) => ({ ...value, time: value.time ?? time }))
    const { readings } = await inTurn(door, payload.length, () => sort(door, points, { values }))
    if (readings.length) await ingest.acceptParsed(door.SN, payload, { readings, isHistory: true })
    return readings.length
  }

  return { take, hearByParser, replay, encode: parsers.encode, forgetParsers: parsers.forget, tallies }
}
export type Intake = ReturnType<typeof openIntake>
