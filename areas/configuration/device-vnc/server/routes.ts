import { isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Row } from '../../../../contract/resource.ts'
import type { Allowed } from '../../../../server/channels/outbound.ts'
import type { Database, Db } from '../../../../server/database/db.ts'
import { Fault, FieldFaults } from '../../../../server/http/faults.ts'
import { serve } from '../../../../server/http/serve.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { bearer } from '../../../../server/identity/authenticate.ts'
import { isTrial } from '../../../../server/identity/receivers.ts'
import type { Vault } from '../../../../server/identity/vault.ts'
import { crud } from '../../../../server/resource/crud.ts'
import { assertSecretsBound } from '../../../../server/resource/settings.ts'
import { record, store } from '../../../../server/resource/store.ts'
import { deviceVnc, deviceVncCalls, panelSecrets, panelShapes } from '../contract.ts'
import { type PanelBroker, passwordName } from './broker.ts'

type Values = Record<string, unknown>
type Needs = { database: Database; vault: Vault; allowed: Allowed; broker: Pick<PanelBroker, 'issue'> }

/** Panels and their passwords, which are moved into the vault. */
export const deviceVncRoutes = (app: FastifyInstance, { database, vault, allowed, broker }: Needs) => {
  /** Host names are checked when a viewer connects, because their address may change. */
  const assertAllowed = ({ Host, Port }: Values) => {
    const address = String(Host)
    if (isIP(address) && !allowed(address, Number(Port))) throw new FieldFaults([{ field: 'Host', rule: 'addressNotAllowed' }])
  }
  const rows = store(deviceVnc, async (_db, _actor, given, before?: Row<typeof deviceVnc>) => {
    assertAllowed({ Port: deviceVnc.fields.Port.default, ...before, ...given })
    if (before) assertSecretsBound(panelSecrets, () => before.HasPassword === 1, before, given)
    return given.Password === undefined ? given : { ...given, HasPassword: given.Password === null ? 0 : 1 }
  })
  const putPassword = async (db: Db, { Id, EnterpriseId }: { Id: number; EnterpriseId: number }, { Password }: Values) =>
    vault.put(db, EnterpriseId, passwordName(Id), Password as string | null | undefined)

  // A tenant's database handle cannot read secrets; the store's conditions restrict the server's handle to the actor.
  crud(app, deviceVnc, {
    shapes: panelShapes,
    own: {
      create: (_, actor, draft) =>
        database.system.tx(async (db) => {
          const made = await rows.create(db, actor, draft)
          await putPassword(db, made, draft)
          return made
        }),
      update: (_, actor, id, change) => database.system.tx((db) => update(db, actor, id, change)),
    },
  })
  const update = async (db: Db, actor: Actor, id: number, change: Values) => {
    const row = await rows.update(db, actor, id, change)
    await putPassword(db, row, change)
    // The row does not show that the password changed, so the change is recorded separately.
    if (change.Password !== undefined) await record(db, actor, deviceVnc, 'update', id, row.EnterpriseId, {}, { Password: 'reset' })
    return row
  }

  serve(app, deviceVncCalls.open, async ({ db, actor, body, request }) => {
    const token = bearer(request)
    // A program has no session that could be ended.
    if (!token) throw new Fault('forbidden', { permission: deviceVnc.permission })
    const [person] = await database.system.rows<{ UserName: string; IsTrial: boolean }>(
      sql`select "UserName", ${isTrial(sql`u."Id"`)} as "IsTrial" from "user" u where u."Id" = ${actor.UserId}`,
    )
    // Trial accounts are public. A panel shows confidential data, and the number of viewers is limited.
    if (person?.IsTrial) throw new Fault('forbidden', { permission: deviceVnc.permission })
    const { Id, EnterpriseId, VncName, Enabled } = await rows.find(db, actor, body.Id)
    if (!Enabled) throw new Fault('wrongState', { title: VncName })
    const who = { UserName: person?.UserName ?? '', bearer: token, origin: actor.origin }
    return broker.issue(actor, { Id, EnterpriseId, Title: VncName, ...who })
  })
}
