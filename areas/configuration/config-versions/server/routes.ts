import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import { serve } from '../../../../server/http/serve.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { crud } from '../../../../server/resource/crud.ts'
import { type Check, store } from '../../../../server/resource/store.ts'
import { gateway } from '../../gateways/contract.ts'
import { planInTurn } from '../../models/server/service.ts'
import { configVersion, configVersionCalls } from '../contract.ts'
import { compare } from './compare.ts'
import { assertSeesAll, restore } from './reset.ts'
import { versionOf } from './service.ts'

const gateways = store(gateway)

const compareVersions = async (db: Db, actor: Actor, { GatewayId, From, To }: { GatewayId: number; From?: number; To?: number }) => {
  await gateways.find(db, actor, GatewayId)
  const from = await versionOf(db, GatewayId, From)
  const to = To === undefined ? undefined : await versionOf(db, GatewayId, To)
  const found = await compare(db, actor, { gatewayId: GatewayId, from: from.Hash, to: to?.Hash })
  return { From: from.Version, To: to?.Version ?? null, ...found }
}

type Reset = { Id: number; ConfigVersion?: number; Preview?: boolean }
/** One transaction. Resets of the same gateway run one after the other. */
const resetTo = (db: Db, actor: Actor, { Id, ConfigVersion, Preview }: Reset) =>
  db.tx(async (db) => {
    const { EnterpriseId, HeartbeatPeriod } = await gateways.find(db, actor, Id)
    if (!Preview) await db.rows(sql`select 1 from gateway where "Id" = ${Id} for no key update`)
    await assertSeesAll(db, actor, Id)
    const version = await versionOf(db, Id, ConfigVersion)
    const sides = { gatewayId: Id, from: undefined, to: version.Hash }
    const found = await compare(db, actor, sides)
    if (!Preview) {
      await restore(db, actor, EnterpriseId, sides)
      if (HeartbeatPeriod !== version.HeartbeatPeriod) await gateways.update(db, actor, Id, { HeartbeatPeriod: version.HeartbeatPeriod })
    }
    return { From: null, To: version.Version, ...found }
  })

/** Labelled versions of a gateway. They are stored for good. */
const mostLabelled = 100
const checkLabel: Check<typeof configVersion> = async (db, _, given, held) => {
  if (!given.Label || !held || held.Label) return given
  const [labelled] = await db.rows<{ count: number }>(
    sql`select count(*)::int as count from config_version where "GatewayId" = ${held.GatewayId} and "Label" is not null`,
  )
  if (labelled!.count >= mostLabelled) throw new FieldFaults([{ field: 'Label', rule: 'tooManyLabels', values: { max: mostLabelled } }])
  return given
}

export const configVersionRoutes = (app: FastifyInstance) => {
  crud(app, configVersion, { check: checkLabel as Check })
  serve(app, configVersionCalls.compare, ({ db, actor, body }) => planInTurn(actor, () => compareVersions(db, actor, body)))
  serve(app, configVersionCalls.reset, ({ db, actor, body }) => planInTurn(actor, () => resetTo(db, actor, body)))
}
