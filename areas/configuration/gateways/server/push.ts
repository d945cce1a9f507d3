import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { RowError } from '../../../../contract/gateway-protocol.ts'
import type { Database, Db } from '../../../../server/database/db.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { Vault } from '../../../../server/identity/vault.ts'
import { readSettings } from '../../../../server/resource/settings.ts'
import { store } from '../../../../server/resource/store.ts'
import { createTurns } from '../../../../server/telemetry/messageTurns.ts'
import { protocolPolicy } from '../../channels/contract.ts'
import { keepVersion, takeSnapshot } from '../../config-versions/server/service.ts'
import { foreignGateway, gateway as gatewayResource } from '../contract.ts'
import { adoptVersion, type Pushed } from './adoptVersion.ts'
import { type Commands, connected, notSupported, type Outcome, type Target } from './commands.ts'
import { type Config, configHash, partsOf } from './config.ts'
import { openConfigReader, withSecrets } from './configReader.ts'
import { lostSecrets, precheck, secretObstacle } from './precheck.ts'
import type { Presence } from './presence.ts'
import type { Registry } from './registry.ts'

const partWithin = 10_000
const allWithin = 60_000
const [inSync, changed, pushing, failed] = [0, 1, 2, 3]
const gateways = store(gatewayResource)

/** Adds to row errors the point they refer to, so that a screen can link to it. */
const located = (rows: readonly RowError[], { Points, Devices }: Config): RowError[] =>
  rows.map((row) => {
    const point = Points[row.Row - 1]
    const device = point && Devices.find((d) => d.Id === point.DeviceId)
    return point ? { ...row, PointId: point.Id, DeviceId: point.DeviceId, DeviceName: device?.DeviceName } : row
  })

/** Lists the reasons why a push cannot start, in the caller's language. */
const inReasons = (actor: Actor, { Code, Detail }: NonNullable<ReturnType<typeof precheck>>, config: Config): Outcome => {
  const rows = Detail.map(({ Values, ...d }) => ({ ...d, Reason: word(actor.language, `pushReason.${d.Reason}`, Values) }))
  return { Code, Msg: '', Detail: located(rows, config) }
}

type Base = { ConfigVersion: number; Hash: string }
/** Sends a configuration part by part. Stops at the first refusal. */
const send = async (commands: Commands, now: () => number, to: Target, config: Config, base: Base, MsgId: string): Promise<Outcome> => {
  const parts = partsOf(config)
  const settings = config.Settings && { Settings: config.Settings }
  const end = now() + allWithin
  for (const [i, part] of parts.entries()) {
    const Data = { ...base, Part: i + 1, Parts: parts.length, HeartbeatPeriod: config.HeartbeatPeriod, ...part, ...(i === 0 && settings) }
    const within = Math.max(1, Math.min(partWithin, end - now()))
    const reply = commands.outcome(await commands.ask(to.SN, 'config', `${MsgId}-${i + 1}`, Data, within))
    if (reply.Code !== 0 || i === parts.length - 1) return reply
  }
  throw new Error('A configuration has at least one part.')
}

/** Writes and announces the configuration state of a gateway if it changed. With `SN`, only for the box of the push. */
const statusWriter =
  ({ system }: Database, presence: Presence) =>
  async (id: number, status: number, version: number | null = null, SN: string | null = null) => {
    const [row] = await system.rows<{ EnterpriseId: number; ProjectId: number }>(sql`
      update gateway set "ConfigStatus" = ${status}, "ConfigVersion" = coalesce(${version}::integer, "ConfigVersion")
      where "Id" = ${id} and "SN" is not distinct from coalesce(${SN}, "SN") and ("ConfigStatus" <> ${status} or ${version}::integer is not null) returning "EnterpriseId", "ProjectId"`)
    if (row) presence.announce({ resource: 'gateway', id, verb: 'update', ...row })
  }

/** Time after a start in which gateways reconnect, ms. */
const returnWithin = 30_000
const lookEvery = 200
/** Gateways that were connected when the server stopped reconnect after its start and report the version they run. */
const openReturns = (registry: Registry, settle: (id: number) => Promise<void>) => {
  const until = performance.now() + returnWithin
  const away = new Set([...registry.gateways()].flatMap(({ Id, OnlineStatus }) => (OnlineStatus === 1 ? [Id] : [])))
  return {
    /** Its birth has reported the running version. */
    reported: (id: number) => void away.delete(id),
    /** Waits until a gateway has reconnected and its row has the last accepted version. */
    async returned(id: number) {
      if (performance.now() >= until) return
      while (away.has(id) && performance.now() < until) await pause(lookEvery)
      await settle(id)
    },
  }
}

/**
 * In sync if the gateway runs the last accepted version and a push would change nothing; failed if the last push of exactly this
 * configuration was refused; otherwise changed. Reverted edits and alarm limits leave it in sync.
 */
const statusOf = async (system: Db, id: number, config: string): Promise<number | undefined> => {
  type Row = { ok: boolean; print: string; version: number }
  const latest = sql`select "Code" = 0 as ok, "Payload"->>'Fingerprint' as print, ("Payload"->>'ConfigVersion')::integer as version
    from command where "GatewayId" = ${id} and "CmdType" = 'config' and "Code" is not null
      and "SendTime" > coalesce((select "BoundTime" from gateway where "Id" = ${id}), '-infinity')`
  const [[last], [accepted], [gateway]] = await system.all([
    sql<Row>`${latest} order by "Id" desc limit 1`,
    sql<Row>`${latest} and "Code" = 0 order by "Id" desc limit 1`,
    sql<{ ConfigVersion: number | null }>`select "ConfigVersion" from gateway where "Id" = ${id}`,
  ])
  if (!gateway) return undefined
  const runsAccepted = accepted?.print === config && accepted.version === gateway.ConfigVersion
  if (runsAccepted && (last?.ok || last?.print !== config)) return inSync
  return last && !last.ok && last.print === config ? failed : changed
}

/** Foreign senders cannot be configured. */
const refuseForeign = async (commands: Commands, db: Db, actor: Actor, to: Target): Promise<Outcome> => {
  const row = await commands.begin(db, actor, to, 'config', { ConfigVersion: null })
  const refused: Outcome = { Code: notSupported, Msg: '' }
  await commands.end(db, to, row.Id, refused)
  return refused
}

/** Gateways whose state is looked at together: each takes several queries. */
const checkedAtOnce = 4

type Needs = {
  database: Database
  vault: Vault
  registry: Registry
  commands: Commands
  presence: Presence
  /** Whether the connection to this gateway is private: encrypted or local. */
  isPrivate(sn: string): Promise<boolean>
  now?: () => number
}

/**
 * A configuration with its secrets and hash, or the reason why they cannot be sent: the secrets were entered for another address,
 * or the connection is not private and the company does not allow that.
 */
const sealedReader =
  ({ database: { system }, vault, isPrivate }: Needs) =>
  async (plain: Config, hash: string, { SN, EnterpriseId }: Target) => {
    if (!plain.sealed.size) return { whole: plain, Hash: hash, obstacle: precheck(plain) }
    const { config: whole, lost } = await withSecrets(vault, EnterpriseId, plain)
    const isAllowed = async () => (await readSettings(system, protocolPolicy, EnterpriseId)).SecretsInTheOpen === 1
    const inTheOpen = !(await isPrivate(SN)) && !(await isAllowed())
    const obstacle = precheck(plain) ?? lostSecrets(plain, lost) ?? (inTheOpen ? secretObstacle(plain) : undefined)
    return { whole, Hash: await configHash(whole), obstacle }
  }

/** Schedules checks of gateways, each once, few at a time: an import changes thousands of them. `restOf`: pause of its tenant, ms. */
const openChecks = (check: (id: number) => Promise<void>, tenantOf: (id: number) => number, restOf: (id: number) => number) => {
  const due = new Map<number, NodeJS.Timeout>()
  const inTurn = createTurns(checkedAtOnce)
  return {
    configChanged: (id: number, wait = 300) => {
      if (due.has(id)) return
      const look = () => {
        due.delete(id)
        // Without PostgreSQL the state stays unchanged; the next change, push or start checks again.
        inTurn({ EnterpriseId: tenantOf(id), SN: String(id) }, 0, () => check(id)).catch(() => undefined)
      }
      due.set(id, setTimeout(look, Math.max(wait, restOf(id))))
    },
    close: () => due.forEach((timer) => void clearTimeout(timer)),
  }
}

/** Config push, all or nothing, and the state that shows whether one is due. */
export const openPush = (needs: Needs) => {
  const { database, registry, commands, presence, now = Date.now } = needs
  const { system } = database
  const running = new Map<number, Promise<Outcome>>()
  const reader = openConfigReader()
  const unseal = sealedReader(needs)
  const tenantOf = (id: number) => registry.gatewayById(id)?.EnterpriseId ?? 0
  const setStatus = statusWriter(database, presence)
  const returns = openReturns(registry, (id) => recompute(id))

  const recompute = async (id: number) => {
    if (running.has(id)) return
    await presence.flush()
    // Foreign senders are not configured from here.
    if (registry.gatewayById(id)?.GatewayTypeId === foreignGateway) return setStatus(id, inSync)
    await adoptVersion(system, id, now())
    const { Fingerprint } = await reader.read(system, id, tenantOf(id))
    const status = await statusOf(system, id, Fingerprint)
    if (status !== undefined && !running.has(id)) await setStatus(id, status)
  }

  const run = async (db: Db, actor: Actor, id: number, Note: string | null): Promise<Outcome> => {
    const gateway = connected(await gateways.find(db, actor, id))
    const to = { Id: id, EnterpriseId: gateway.EnterpriseId, SN: gateway.SN }
    if (Number(gateway.GatewayTypeId) === foreignGateway) return refuseForeign(commands, db, actor, to)
    const { config, ...hashes } = await reader.read(db, id, gateway.EnterpriseId)
    const print = { ...hashes, Points: config.Points.length, Devices: config.Devices.length, HeartbeatPeriod: config.HeartbeatPeriod, Note }
    const { whole, obstacle, ...sent } = await unseal(config, print.Hash, to)
    if (obstacle) {
      const row = await commands.begin(db, actor, to, 'config', { ...print, ConfigVersion: null })
      const refused = inReasons(actor, obstacle, config)
      await commands.end(db, to, row.Id, refused)
      return refused
    }
    const [next] = await system.rows<{ v: number }>(
      sql`update gateway set "TargetConfigVersion" = "TargetConfigVersion" + 1 where "Id" = ${id} returning "TargetConfigVersion" as v`,
    )
    const ConfigVersion = next!.v
    const Content = await takeSnapshot(system, gateway)
    const pushed: Pushed = { ...print, ConfigVersion, Content }
    const row = await commands.begin(db, actor, to, 'config', pushed)
    await setStatus(id, pushing, null, to.SN)
    const answer = await send(commands, now, to, whole, { ConfigVersion, ...sent }, row.MsgId)
    const result = answer.Detail ? { ...answer, Detail: located(answer.Detail, config) } : answer
    const isAccepted = result.Code === 0
    // In one transaction: after a crash, an accepted push without its version would be sent again.
    await system.tx(async (db) => {
      await commands.end(db, to, row.Id, result)
      if (isAccepted) await keepVersion(db, to, actor.UserId, { Version: ConfigVersion, Hash: Content, Note }, print)
    })
    const meta = registry.gatewayById(id)
    if (isAccepted && meta?.SN === to.SN) meta.ConfigVersion = ConfigVersion
    await setStatus(id, isAccepted ? inSync : failed, isAccepted ? ConfigVersion : null, to.SN)
    return result
  }

  const { configChanged, close } = openChecks(recompute, tenantOf, (id) => reader.restOf(tenantOf(id)))

  return {
    /** Pushes the configuration; concurrent callers share the result of one push. */
    push(db: Db, actor: Actor, id: number, note: string | null = null): Promise<Outcome> {
      const found = running.get(id)
      if (found) return gateways.find(db, actor, id).then(() => found)
      const started = run(db, actor, id, note).finally(() => {
        running.delete(id)
        configChanged(id)
      })
      running.set(id, started)
      return started
    },
    /** The gateway's configuration changed, or the gateway reports another version: schedules one check. */
    configChanged,
    recompute,
    ...returns,
    /** Pushes of an earlier server process have no answer. */
    async recover() {
      await system.rows(sql`update command set "Code" = 2, "Msg" = '' where "Code" is null`)
      const left = await system.rows<{ Id: number }>(sql`select "Id" from gateway where "ConfigStatus" = ${pushing}`)
      for (const { Id } of left) await recompute(Id)
    },
    close,
  }
}
export type Push = ReturnType<typeof openPush>
