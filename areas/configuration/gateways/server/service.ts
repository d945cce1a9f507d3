import type { Change, Database, Db } from '../../../../server/database/db.ts'
import type { GatewayKeys } from '../../../../server/fleet/keyChecks.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { Vault } from '../../../../server/identity/vault.ts'
import type { OnMessage, RefusalEvent, Uplink } from '../../../../server/mqtt/uplink.ts'
import { record, store } from '../../../../server/resource/store.ts'
import { openCardReads } from '../../../maintenance/cards/server/service.ts'
import { gateway as gatewayResource } from '../contract.ts'
import { watchClocks } from './clocks.ts'
import { type Commands, connected, openCommands, withKey } from './commands.ts'
import { openLines } from './lines.ts'
import { type MessageOptions, openMessages } from './messages.ts'
import { fits, pointsOf, type Scaling } from './points.ts'
import { Presence } from './presence.ts'
import { openPush, type Push } from './push.ts'
import type { GatewayMeta, Registry } from './registry.ts'
import { outdatedKeys, proofOf, setSecret, verifySecret } from './secrets.ts'
import { sendersOf } from './senders.ts'
import { openTraces } from './traces.ts'
import { type Evidence, whyNoData } from './why.ts'

export { gatewayCheck, inWords, noReply } from './commands.ts'

export type UplinkHandlers = GatewayKeys & {
  authenticate(sn: string, password: Buffer): Promise<boolean>
  tenantOf(sn: string): number | undefined
  onMessage: OnMessage
  refused(event: RefusalEvent): void
  /** A gateway has sent readings that another process stores. */
  seen(sn: string): void
}
export type GatewayOptions = Pick<MessageOptions, 'ingest' | 'reject'> & { stores?: MessageOptions['stores'] } & {
  database: Database
  vault: Vault
  registry: Registry
  /** Starts or joins a broker when everything behind it is ready. */
  startUplink(handlers: UplinkHandlers): Promise<Uplink>
  evidence: Evidence
  log: { warn(event: object, text: string): void }
  now?(): number
  /** Monotonic clock, ms; `now` unless given. */
  steady?(): number
}

const flushEvery = 500
const tickEvery = 1000
const retryEvery = 2000
/** Type of the event for a gateway that exceeds its rate (contract/gateway-protocol.ts). */
const slowedDown = 11
const clockIsOff = 12
/** Log interval for refusals of one kind from one source, ms. All are counted. */
const logEvery = 60_000

type Parts = { presence: Presence; commands: Commands; push: Push; uplink: () => Promise<Uplink> }
/** Follows changes of gateways, channels, devices and points for pushes. The returned function stops it. */
const followChanges = ({ database, registry, log }: GatewayOptions, { presence, commands, push, uplink }: Parts) => {
  /** The box with this serial number left the gateway. */
  const release = async (sn: string, id: number) => {
    presence.forget(id)
    commands.drop(sn)
    await (await uplink()).disconnect(sn)
  }

  const follow = async (change: Change) => {
    if (presence.isOwn(change)) return
    const before = change.resource === 'gateway' ? registry.gatewayById(change.id) : undefined
    const { HeartbeatPeriod: period, SN = null } = before ?? {}
    const gateways = await registry.refresh(change)
    if (change.resource !== 'gateway') return gateways.forEach((id) => void push.configChanged(id))
    const after = registry.gatewayById(change.id)
    if (SN !== null && SN !== after?.SN) await release(SN, change.id)
    if (after && (after.HeartbeatPeriod !== period || after.SN !== SN)) push.configChanged(change.id)
  }
  let open = true
  /** Follows a change. If PostgreSQL is unavailable, it retries later. */
  const surely = (change: Change) => {
    follow(change).catch((error: Error) => {
      log.warn({ change, error: error.message }, 'A change could not be followed; trying again')
      setTimeout(() => open && surely(change), retryEvery).unref()
    })
  }
  const stop = database.onChange(surely)
  return () => {
    open = false
    stop()
  }
}

/** Writes the state of gateways; `everything` includes updates that can wait. Logs a failure once. */
const flusher = (presence: Presence, log: GatewayOptions['log']) => {
  let flushed = true
  return (everything = false) =>
    presence.flush(everything).then(
      () => {
        flushed = true
      },
      (error: Error) => {
        if (flushed) log.warn({ error: error.message }, 'The state of gateways could not be written; trying again')
        flushed = false
      },
    )
}

const find = (db: Db, actor: Actor, id: number) => store(gatewayResource).find(db, actor, id)

/** The server's side of gateways: presence, messages, commands, config push, keys. */
export const openGateways = async (options: GatewayOptions) => {
  const { database, registry, evidence, log, now = Date.now, steady = now } = options
  const ready = Promise.withResolvers<Uplink>()
  const uplink = () => ready.promise
  const presence = new Presence(database, registry, now, steady)
  const commands = openCommands(uplink, now)
  const isPrivate = async (sn: string) => (await uplink()).isPrivate?.(sn) ?? false
  const push = openPush({ database, vault: options.vault, registry, commands, presence, isPrivate, now })
  const traces = openTraces(now)
  const cardRead = openCardReads({ system: database.system, now, announce: (change) => presence.announce(change) })
  const messages = openMessages({ stores: () => true, ...options, traces, presence, commands, push, uplink, cardRead, now })

  const logEvent = (gateway: GatewayMeta, Type: number, Text: string, Level: 0 | 1 | 2 | 3 = 2) =>
    void messages
      .event(gateway, { Type, Level, Text })
      .catch((error: Error) => log.warn({ error: error.message }, 'An event could not be stored'))
  const logged = new Map<string, number>()
  const refused = (event: RefusalEvent) => {
    const gateway = event.sn ? registry.gateway(event.sn) : undefined
    if (gateway && event.reason === 'tooLarge') messages.reject(gateway, 'tooLarge', event.detail, '')
    const key = `${event.reason}/${event.sn ?? event.address}`
    if ((logged.get(key) ?? Number.NEGATIVE_INFINITY) > now() - logEvery) return
    if (logged.size > 1000) logged.clear()
    logged.set(key, now())
    log.warn(event, event.reason === 'brokerAway' ? 'The MQTT broker cannot be reached' : 'A gateway was refused, slowed down or cut')
    if (gateway && (event.reason === 'limited' || event.reason === 'tenantLimited')) logEvent(gateway, slowedDown, event.detail)
  }
  const clocks = watchClocks(registry, now, steady, (gateway, seconds) =>
    logEvent(gateway, clockIsOff, `The times of its readings differ from the server's clock by ${seconds} s.`),
  )

  const [stopFollowing, flush] = [followChanges(options, { presence, commands, push, uplink }), flusher(presence, log)]

  const senders = sendersOf(registry, presence, commands, logEvent)
  await push.recover()
  presence.tick()
  const timers = [setInterval(() => void flush(), flushEvery), setInterval(() => presence.tick(), tickEvery)]
  const started = await options.startUplink({
    authenticate: verifySecret(database),
    proofOf,
    outdated: outdatedKeys(database),
    tenantOf: (sn) => registry.gateway(sn)?.EnterpriseId,
    onMessage: messages.onMessage,
    refused,
    seen: senders.seen,
  })
  ready.resolve(started)

  return {
    uplink: started,
    /** Messages of unknown gateways and messages rejected by reason, in addition to the uplink's own counters. */
    counters: messages.counters,
    ...senders,
    /** Listens to committed live readings. */
    stored: (samples: Parameters<Presence['stored']>[0]) => presence.stored(samples),
    /** Listens to every live reading that the store has committed. */
    timed: clocks,
    find,
    push: push.push,
    returned: push.returned,
    configChanged: push.configChanged,
    netTest: async (db: Db, actor: Actor, id: number, target: { Ip: string; Port: number } | { Serial: string }) =>
      commands.send(db, actor, connected(await find(db, actor, id)), 'nettest', target),
    ...openLines(commands, traces, now),
    timeSync: async (db: Db, actor: Actor, id: number) =>
      commands.send(db, actor, connected(await find(db, actor, id)), 'timesync', { Ts: now() }),
    ...pointsOf(database.system, registry, commands, evidence.latest),
    whyNoData: (db: Db, actor: Actor, id: number) => whyNoData(db, actor, id, evidence, now),
    /** A new key, shown once. The commit invalidates the old one and closes its connection. */
    resetKey: async (db: Db, actor: Actor, id: number): Promise<{ SN: string; Key: string }> => {
      const { row, Key } = await db.tx(async (db) => {
        const row = withKey(await find(db, actor, id))
        const Key = await setSecret(db, row)
        await record(db, actor, gatewayResource, 'update', id, row.EnterpriseId, row, { ...row, Key: 'reset' })
        return { row, Key }
      })
      await started.disconnect(row.SN)
      return { SN: row.SN, Key }
    },
    close: async () => {
      await started.close()
      timers.forEach((timer) => void clearInterval(timer))
      stopFollowing()
      push.close()
      await flush(true)
    },
  }
}
/** The reason why a value cannot be written to a point; undefined if it can. */
export const writeFault = (point: Scaling & { ReadWriteType: number }, value: number): 'notWritable' | 'doesNotFit' | undefined =>
  point.ReadWriteType === 0 ? 'notWritable' : fits(point, value) ? undefined : 'doesNotFit'

export type Gateways = Awaited<ReturnType<typeof openGateways>>
