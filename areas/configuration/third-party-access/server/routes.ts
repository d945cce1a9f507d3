import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Database } from '../../../../server/database/db.ts'
import type { Vault } from '../../../../server/identity/vault.ts'
import { crud } from '../../../../server/resource/crud.ts'
import { record, store } from '../../../../server/resource/store.ts'
import { thirdPartyAccess } from '../contract.ts'

/** Under which the secret of an access is sealed. */
export const accessSecret = (id: number) => `thirdPartyAccess.${id}`
const rows = store(thirdPartyAccess)

/** Systems of others that get readings. A secret passes through here once, on its way out. */
export const accessRoutes = (app: FastifyInstance, { database, vault }: { database: Database; vault: Vault }) =>
  crud(app, thirdPartyAccess, {
    own: {
      // A new receiver must not get requests signed with the old receiver's secret.
      update: (_, actor, id, change) =>
        database.system.tx(async (db) => {
          const { Url, EnterpriseId } = await rows.find(db, actor, id)
          const row = await rows.update(db, actor, id, change)
          await db.rows(sql`update third_party_access set "NextTime" = now(), "Failures" = 0 where "Id" = ${id}`)
          if (row.Url !== Url) await vault.put(db, EnterpriseId, accessSecret(id), null)
          return row
        }),
      remove: (_, actor, ids) =>
        database.system.tx(async (db) => {
          for (const id of ids) await vault.put(db, (await rows.find(db, actor, id)).EnterpriseId, accessSecret(id), null)
          return rows.remove(db, actor, ids)
        }),
    },
    acts: {
      resetKey: ({ actor, row: { Id } }) =>
        database.system.tx(async (db) => {
          const row = await rows.find(db, actor, Id)
          await record(db, actor, thirdPartyAccess, 'update', Id, row.EnterpriseId, {}, { Secret: 'reset' })
          const Secret = `whsec_${randomBytes(32).toString('base64')}`
          await vault.put(db, row.EnterpriseId, accessSecret(Id), Secret)
          return { ...row, Secret }
        }),
    },
  })
