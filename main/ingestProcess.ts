// The role `ingest` alone: stores the readings of gateways in ClickHouse. The owner of the database numbers and judges them.
import type { Logger } from 'pino'
import { knownGateway, type ReadingOptions, refuseFormerReadings, takeReadings } from '../areas/configuration/gateways/server/readings.ts'
import type { Registry } from '../areas/configuration/gateways/server/registry.ts'
import { openStanding } from '../areas/people/enterprises/server/standing.ts'
import type { Context } from '../server/context.ts'
import { newestMigration } from '../server/database/migrate.ts'
import { followOwner } from '../server/fleet/followOwner.ts'
import { openIngestEnd } from '../server/fleet/ingestEnd.ts'
import type { Figure } from '../server/http/health.ts'
import type { Settling } from '../server/telemetry/commit.ts'
import { keptPayload, nameOf } from '../server/telemetry/decode.ts'
import type { Ingest } from '../server/telemetry/ingest.ts'
import { openWriter } from '../server/telemetry/writer.ts'
import { openProcess } from './closers.ts'
import { clickhouseOf } from './engines.ts'
import { openFleetDatabase, openFollowedRegistry } from './followedRegistry.ts'
import { openHealthPort } from './healthPort.ts'
import type { Settings } from './settings.ts'

type Needs = {
  settings: Settings & { natsUrl: string; databaseUrl: string }
  log: Logger
  isStopping: () => boolean
}

const clock = Date.now

type Parts = { registry: Registry; ingest: Ingest; settling: Settling; stores: (EnterpriseId: number) => boolean }
const takerOf = ({ registry, ingest, settling, stores }: Parts) => {
  const reject: ReadingOptions['reject'] = ({ EnterpriseId, SN }, reason, detail, payload) =>
    settling.keep([{ EnterpriseId, SN, reason, detail, received: clock(), payload: payload.toString().slice(0, keptPayload) }])
  const accept: Ingest['accept'] = (...message) => ingest.accept(...message)
  return async (sn: string, kind: 'data' | 'history', payload: Buffer) => {
    const gateway = await knownGateway(registry, sn)
    if (gateway) return takeReadings({ ingest: accept, stores }, gateway, [sn, kind, payload])
    const MsgId = (await refuseFormerReadings({ registry, reject }, sn, kind, payload)) && nameOf(payload)
    return MsgId ? { MsgId, readings: 0 } : { readings: 0 }
  }
}

const openAll = async ({ settings, log, isStopping }: Needs, opened: Context['opened']) => {
  const owner = opened(await followOwner(settings.natsUrl, log), (o) => o.close())
  await owner.wait(isStopping)
  const database = opened(await openFleetDatabase(settings, log), (d) => d.close())
  const { registry } = opened(await openFollowedRegistry({ owner, database, log }), (r) => r.close())
  const { stores } = opened(await openStanding(database, clock), (s) => s.close())
  const end = openIngestEnd({ owner, schema: newestMigration(), tenantOf: (sn) => registry.enterpriseOf?.(sn) ?? 0, log })
  const { settling } = end
  const clickhouse = clickhouseOf(settings)!
  const writer = opened(await openWriter({ clickhouse, registry, settling, clock, log }), (w) => w.close())
  opened(end, (e) => e.close())
  end.start({ take: takerOf({ registry, ingest: writer.ingest, settling, stores }), dropWaiting: () => writer.ingest.dropWaiting() })
  const probes = [
    { name: 'database', ready: database.ready },
    { name: 'telemetry', ready: writer.ready },
    { name: 'owner', ready: () => owner.name() !== undefined },
  ]
  const figures: Figure[] = [
    { name: 'ingest_pending_bytes', help: 'Bytes of messages that wait for their commit', read: () => writer.ingest.pending() },
    { name: 'ingest_readings_total', help: 'Readings that this process has stored', read: settling.readings },
  ]
  opened(await openHealthPort(settings, { probes, figures }), (stop) => stop())
}

/** Waits for an owner of this version, then starts the process. Returns a close function. */
export const openIngestProcess = (needs: Needs) => openProcess(needs.log, (opened) => openAll(needs, opened))
