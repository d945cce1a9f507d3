import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { cardEvent, type Up } from '../../../../contract/gateway-protocol.ts'
import type { Database } from '../../../../server/database/db.ts'
import { count, type OnMessage, type Uplink } from '../../../../server/mqtt/uplink.ts'
import { keptPayload, nameOf } from '../../../../server/telemetry/decode.ts'
import { createTurns } from '../../../../server/telemetry/messageTurns.ts'
import type { Rejected } from '../../../../server/telemetry/sample.ts'
import type { CardRead } from '../../../maintenance/cards/server/service.ts'
import type { Commands } from './commands.ts'
import type { Presence } from './presence.ts'
import type { Push } from './push.ts'
import { knownGateway, type ReadingOptions, refuseFormerReadings, takeReadings } from './readings.ts'
import type { ConnectedGateway, GatewayMeta, Registry } from './registry.ts'
import type { Traces } from './traces.ts'
import { type Spoken, understand } from './understand.ts'

/** Events retained per gateway; the newest stay. */
export const keptEvents = 10_000
/** Messages other than readings that are processed concurrently: most of them wait for PostgreSQL. */
const spokenAtOnce = 8
export type MessageOptions = Pick<ReadingOptions, 'ingest' | 'stores'> & {
  database: Database
  registry: Registry
  presence: Presence
  commands: Commands
  push: Push
  traces: Traces
  uplink(): Promise<Uplink>
  reject(rejected: Rejected): void
  /** Stores a card that a gateway's reader has read. */
  cardRead(gateway: GatewayMeta, read: CardRead): Promise<void>
  now(): number
}

/** Stores the events of gateways, each once; retains the newest of each gateway. */
const eventKeeper = ({ database, presence, now }: MessageOptions) => {
  const events = new Map<number, number>()
  return async ({ Id, EnterpriseId, ProjectId }: GatewayMeta, { MsgId, Ts, Data }: Up['event']) => {
    const time = new Date(Math.abs(Ts - now()) > 400 * 86_400_000 ? now() : Ts)
    const [row] = await database.system.rows<{ Id: number }>(sql`
      insert into gateway_event ("EnterpriseId", "GatewayId", "MsgId", "Type", "Level", "Text", "Time")
      values (${EnterpriseId}, ${Id}, ${MsgId}, ${Data.Type}, ${Data.Level}, ${Data.Text}, ${time}) on conflict do nothing returning "Id"`)
    const change = { verb: 'create' as const, EnterpriseId, ProjectId }
    if (row) presence.announce({ ...change, resource: 'gatewayEvent', id: row.Id })
    // Events about power and disk space.
    if (row && [1, 3, 7, 8].includes(Data.Type)) presence.announce({ ...change, resource: 'gateway', id: Id, verb: 'update' })
    const written = (events.get(Id) ?? 0) + 1
    events.set(Id, written % 500)
    if (written === 500)
      await database.system.rows(sql`delete from gateway_event where "GatewayId" = ${Id} and "Id" <=
        (select "Id" from gateway_event where "GatewayId" = ${Id} order by "Id" desc offset ${keptEvents} limit 1)`)
  }
}

/** Handles messages of gateways. Rejects only if the server could not store something: the gateway then sends it again. */
export const openMessages = (options: MessageOptions) => {
  const { registry, presence, commands, push, now } = options
  const counters = { unknownGateway: 0, rejected: {} as Partial<Record<Rejected['reason'], number>> }

  const reject = (
    { EnterpriseId, SN }: { EnterpriseId: number; SN: string },
    reason: Rejected['reason'],
    detail: string,
    payload: Buffer | string,
  ) => {
    count(counters.rejected, reason)
    options.reject({ EnterpriseId, SN, reason, detail, received: now(), payload: payload.toString().slice(0, keptPayload) })
  }
  const down = async (sn: string, kind: 'ack' | 'timesync', payload: unknown) =>
    // If the gateway has disconnected by now, it repeats its request.
    options
      .uplink()
      .then((u) => u.publish(sn, kind, payload))
      .catch(() => undefined)

  const keep = eventKeeper(options)

  const follow: { [K in Spoken]: (gateway: ConnectedGateway, message: Up[K], received: number) => Promise<void> | void } = {
    state: (gateway, { Data }) => {
      if (presence.state(gateway, Data)) push.configChanged(gateway.Id)
    },
    heartbeat: async (gateway, { Data }) => {
      if (Data.Devices?.some(({ DeviceId }) => !registry.device(DeviceId))) await registry.settled()
      presence.heartbeat(gateway, Data)
    },
    event: async (gateway, message) => {
      const { Type, CardNo, Reader = '', ReadTime = message.Ts } = message.Data
      // Cards have a history of their own, so they never displace events.
      await (Type === cardEvent && CardNo ? options.cardRead(gateway, { CardNo, Reader, ReadTime }) : keep(gateway, message))
      await down(gateway.SN, 'ack', { MsgId: message.MsgId })
    },
    timesync: async (gateway, { MsgId, Data: { T1 } }, T2) => {
      presence.offset(gateway, T2 - T1)
      await down(gateway.SN, 'timesync', { MsgId, Ts: now(), Ver: 1, Data: { T1, T2, T3: now() } })
    },
    trace: (gateway, { Data }) => options.traces.came(gateway.Id, Data),
    reply: (gateway, message) => void commands.answered(gateway.SN, message),
  }

  /** Handles a box that was released or replaced. */
  const refuseFormer = async (sn: string, kind: string, payload: Buffer) => {
    if (!(await refuseFormerReadings({ registry, reject }, sn, kind, payload))) return void counters.unknownGateway++
    const MsgId = nameOf(payload)
    if (MsgId) await down(sn, 'ack', { MsgId })
  }
  const speak = async <K extends Spoken>(sn: string, gateway: ConnectedGateway, kind: K, payload: Buffer) => {
    const received = now()
    if (gateway.SN !== sn) return refuseFormer(sn, kind, payload)
    const understood = understand(kind, payload)
    if ('reason' in understood) {
      reject(gateway, understood.reason, understood.detail, payload)
      // As with readings: sending it again would not help.
      if (kind === 'event' && understood.MsgId) await down(gateway.SN, 'ack', { MsgId: understood.MsgId })
      return
    }
    const { message } = understood
    if (kind !== 'state' || (message as Up['state']).Data.Online) presence.seen(gateway)
    await follow[kind](gateway, message, received)
    // Only a birth reports the running version. A reply or event may have waited for the connection and arrive before the birth.
    if (kind === 'state' && (message as Up['state']).Data.Online) push.reported(gateway.Id)
  }

  const queued = createTurns(spokenAtOnce)

  const onMessage: OnMessage = async (sn, kind, payload, countReadings) => {
    const gateway = await knownGateway(registry, sn)
    if (!gateway) return refuseFormer(sn, kind, payload)
    if (kind !== 'data' && kind !== 'history') return queued(gateway, payload.length, () => speak(sn, gateway, kind, payload))
    presence.seen(gateway)
    const { MsgId, readings } = await takeReadings(options, gateway, [sn, kind, payload])
    countReadings?.(readings)
    if (MsgId && (await options.uplink()).hears(sn, 'ack')) await down(sn, 'ack', { MsgId })
  }
  return {
    onMessage,
    counters,
    reject,
    /** Adds an event of the server's own to the events of a gateway. */
    event: (gateway: GatewayMeta, Data: Up['event']['Data']) => keep(gateway, { MsgId: randomUUID(), Ts: now(), Data }),
  }
}
