// From a message in a foreign language to stored readings, whatever brought it.
import { openMapping, parseText } from '../../../../contract/parsing/mapping.ts'
import type { Db } from '../../../../server/database/db.ts'
import type { Refusal } from '../../../../server/telemetry/decode.ts'
import type { Ingest } from '../../../../server/telemetry/ingest.ts'
import type { ParsedReading } from '../../../../server/telemetry/parsed.ts'
import { nearestParse } from '../../data-parse/server/service.ts'
import type { Door } from './doors.ts'
import { asNumber, excerpt, type Heard } from './languages/heard.ts'
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

  /** Readings of known points, what is refused, and how many values have no point. */
  const sort = ({ Id }: Door, { find }: SenderPoints, { values, isQuiet }: Heard) => {
    const readings: ParsedReading[] = []
    const refusals: Refusal[] = []
    let unmatched = 0
    for (const { device, key, time, value } of values) {
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

  /** Stores what was heard. Resolves when that is on disk. */
  const take = async (door: Door, payload: Buffer, heard: Heard, topic = ''): Promise<Taken> => {
    alive(door)
    const { readings, refusals, unmatched } = sort(door, await pointsOf(door.GatewayId), heard)
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
    if (message.readings.length + message.refusals.length + message.unmatched) await ingest.acceptParsed(door.SN, payload, message)
    tallies.stored(door.Id, message.readings.length)
    return { readings: readings.length, ...(fault && { fault }) }
  }

  /** Takes a message through its parser. `device`: the device named outside the payload, such as by the topic. */
  const takeByParser = async (door: Door, payload: Buffer, topic: string, device = ''): Promise<Taken> => {
    const known = device ? (await pointsOf(door.GatewayId)).deviceOf(device) : undefined
    const parser = await parsers.of(door, known)
    if (!parser) return take(door, payload, { values: [], fault: 'no parser is assigned to this gateway or its project' }, topic)
    const { readings, faults } = parseText(parser, payload.toString(), topic)
    const [fault] = faults.filter(({ reason }) => reason !== 'nothing' || !readings.length)
    const values = readings.map((reading) => ({ ...reading, device: reading.device || device }))
    return take(door, payload, { values, ...(fault && { fault: `${fault.reason} ${fault.text}`.trim() }) }, topic)
  }

  return { take, takeByParser, forgetParsers: parsers.forget, tallies }
}
export type Intake = ReturnType<typeof openIntake>
