// From a message in a foreign language to stored readings, whatever brought it.
import { setImmediate } from 'node:timers/promises'
import { openMapping, parseText } from '../../../../contract/parsing/mapping.ts'
import type { Db } from '../../../../server/database/db.ts'
import type { Refusal } from '../../../../server/telemetry/decode.ts'
import type { Ingest } from '../../../../server/telemetry/ingest.ts'
import { createTurns } from '../../../../server/telemetry/messageTurns.ts'
import type { ParsedMessage, ParsedReading } from '../../../../server/telemetry/parsed.ts'
import { nearestParse } from '../../data-parse/server/service.ts'
import type { Door } from './doors.ts'
import { asNumber, excerpt, type Heard, jsonFault } from './languages/heard.ts'
import type { SenderPoints } from './senders.ts'
import { createTallies } from './tallies.ts'

type Needs = {
  db: Db
  ingest: Pick<Ingest, 'acceptParsed'>
  pointsOf(gateway: number): Promise<SenderPoints>
  /** Whether readings of a tenant are stored now. */
  stores(EnterpriseId: number): boolean
  /** Marks the sender as online. */
  alive(door: Door): void
  now(): number
}
export type Taken = { readings: number; fault?: string }
/** A message as it was read. */
export type Message = { payload: Buffer; heard: Heard; topic?: string }
type Sorted = { message: Required<ParsedMessage>; bytes: Buffer; taken: Taken }
/** Values that are looked up before other work comes in between. */
const sortedAtOnce = 5000
/** A rejected message is kept whole up to this length. */
const keptRejected = 65_536

type Parser = ReturnType<typeof openMapping>
/** The parsers of senders; forgotten when any parser or assignment changes. */
const createParsers = (db: Db) => {
  const opened = new Map<string, Promise<Parser | undefined>>()
  return {
    of: (door: Door, device: number | undefined): Promise<Parser | undefined> => {
      const key = `${door.GatewayId}/${device ?? ''}`
      const found = opened.get(key)
      if (found) return found
      if (opened.size > 10_000) opened.clear()
      const loading = nearestParse(db, { GatewayId: door.GatewayId, ProjectId: door.ProjectId, DeviceId: device ?? null }).then(
        (parse) => parse && openMapping(parse.Mapping),
      )
      opened.set(key, loading)
      loading.catch(() => opened.delete(key))
      return loading
    },
    forget: () => opened.clear(),
  }
}

export const openIntake = ({ db, ingest, pointsOf, stores, alive, now }: Needs) => {
  const tallies = createTallies(now)
  const parsers = createParsers(db)
  /** One at a time, whoever sends: reading a message takes milliseconds. */
  const inTurn = createTurns(1)

  /** Readings of known points, what is refused, and how many values have no point. */
  const sort = async ({ Id }: Door, { find }: SenderPoints, { values, isQuiet }: Heard) => {
    const readings: ParsedReading[] = []
    const refusals: Refusal[] = []
    let unmatched = 0
    for (const [i, { device, key, time, value }] of values.entries()) {
      if (i % sortedAtOnce === sortedAtOnce - 1) await setImmediate()
      const [number, point] = [asNumber(value), find({ device, key })]
      if (point !== undefined && number !== undefined) readings.push({ point, time, value: number })
      else if (point !== undefined) refusals.push({ reason: 'notANumber', detail: `${device} ${key}`.trim(), payload: excerpt(value) })
      else if (!isQuiet) {
        unmatched++
        tallies.see(Id, device, key, number ?? null)
      }
    }
    return { readings, refusals, unmatched }
  }

  /** What of a message is to be stored, and what its sender is told. */
  const sorted = async (door: Door, { payload, heard, topic = '' }: Message): Promise<Sorted> => {
    alive(door)
    const { readings, refusals, unmatched } = await sort(door, await pointsOf(door.GatewayId), heard)
    const { fault } = heard
    if (fault) {
      const whole = `${topic ? `${topic}\n` : ''}${payload.subarray(0, keptRejected)}`
      refusals.push({ reason: 'notParsed', detail: fault.slice(0, 200), payload: whole })
    }
    const refused = refusals.length
    tallies.heard(door.Id, { payload, topic, readings: readings.length, unmatched, refused, fault: fault ?? refusals[0]?.detail })
    const isOpen = stores(door.EnterpriseId)
    const closed: Refusal[] = readings.length ? [{ reason: 'tenantClosed', detail: '', payload: '', count: readings.length }] : []
    const message = isOpen ? { readings, refusals, unmatched } : { readings: [], refusals: closed, unmatched: 0 }
    return { message, bytes: payload, taken: { readings: readings.length, ...(fault && { fault }) } }
  }

  /**
   * Reads a message in its turn, and stores it. Resolves when that is on disk. `cost`: its bytes, or what they may unpack to; `hear`
   * answers undefined for a message that has no values.
   */
  const take = async (door: Door, cost: number, hear: () => Promise<Message | undefined>): Promise<Taken> => {
    const found = await inTurn(door, cost, async () => {
      const message = await hear()
      return message && sorted(door, message)
    })
    if (!found) return { readings: 0 }
    const { message, bytes, taken } = found
    if (message.readings.length + message.refusals.length + message.unmatched) await ingest.acceptParsed(door.SN, bytes, message)
    tallies.stored(door.Id, message.readings.length)
    return taken
  }

  /** What the parser of a sender makes of a message. `device`: the device named outside the payload, such as by the topic. */
  const hearByParser = async (door: Door, payload: Buffer, topic: string, device = ''): Promise<Message> => {
    const known = device ? (await pointsOf(door.GatewayId)).deviceOf(device) : undefined
    const parser = await parsers.of(door, known)
    const fault = parser ? jsonFault(payload) : 'no parser is assigned to this gateway or its project'
    if (fault || !parser) return { payload, topic, heard: { values: [], fault } }
    const { readings, faults } = parseText(parser, payload.toString(), topic)
    const [first] = faults.filter(({ reason }) => reason !== 'nothing' || !readings.length)
    const values = readings.map((reading) => ({ ...reading, device: reading.device || device }))
    return { payload, topic, heard: { values, ...(first && { fault: `${first.reason} ${first.text}`.trim() }) } }
  }

  return { take, hearByParser, forgetParsers: parsers.forget, tallies }
}
export type Intake = ReturnType<typeof openIntake>
