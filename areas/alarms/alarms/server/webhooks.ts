import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Delivery } from '../../../../server/channels/delivery.ts'
import { hookSecret } from '../../../../server/channels/send.ts'
import type { Database, Db } from '../../../../server/database/db.ts'
import { word } from '../../../../server/http/words.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { Vault } from '../../../../server/identity/vault.ts'
import { crud } from '../../../../server/resource/crud.ts'
import { record, store } from '../../../../server/resource/store.ts'
import { alarmWebhook, MaybeSecret, WithSecret } from '../../alarm-webhooks/contract.ts'

type Needs = { database: Database; vault: Vault; delivery: Pick<Delivery, 'deliver'> }

const r = alarmWebhook
const rows = store(alarmWebhook)
/** Only people who see all projects may subscribe to the whole tenant. */
const wide = store({ ...alarmWebhook, owner: 'tenant' })

/** Routes of alarm webhooks. A secret is in one answer only. */
export const webhookRoutes = (app: FastifyInstance, { database, vault, delivery }: Needs) => {
  const giveSecret = async (db: Db, { Id, EnterpriseId }: { Id: number; EnterpriseId: number }) => {
    const Secret = `whsec_${randomBytes(32).toString('base64')}`
    await vault.put(db, EnterpriseId, hookSecret(Id), Secret)
    return Secret
  }
  const replaceSecret = async (db: Db, actor: Actor, row: { Id: number; EnterpriseId: number }) => {
    await record(db, actor, r, 'update', row.Id, row.EnterpriseId, {}, { Secret: 'reset' })
    return { ...row, Secret: await giveSecret(db, row) }
  }
  const tellAll = (db: Db, actor: Actor, id: number, title: string, content: string) =>
    rows.find(db, actor, id).then(({ EnterpriseId }) =>
      delivery.deliver(db, {
        ...{ EnterpriseId, BizType: 11, Method: 'webhook', AlarmWebhookId: id, values: { title, content }, asked: true },
        body: { Event: 'test', Time: new Date().toISOString(), Title: title, Content: content },
      }),
    )

  crud(app, r, {
    own: {
      create: (_, actor, draft) =>
        database.system.tx(async (db) => {
          const made = await (actor.projects === 'all' ? wide : rows).create(db, actor, draft)
          return { ...made, Secret: await giveSecret(db, made) }
        }),
      // A new receiver must not get messages signed with the secret of the previous one.
      update: (_, actor, id, change) =>
        database.system.tx(async (db) => {
          const { Url } = await rows.find(db, actor, id)
          const row = await rows.update(db, actor, id, change)
          return row.Url === Url ? row : replaceSecret(db, actor, row)
        }),
      remove: (_, actor, ids) =>
        database.system.tx(async (db) => {
          for (const id of ids) await vault.put(db, (await rows.find(db, actor, id)).EnterpriseId, hookSecret(id), null)
          return rows.remove(db, actor, ids)
        }),
    },
    shapes: { made: WithSecret, changed: MaybeSecret },
    acts: {
      resetKey: ({ actor, row: { Id } }) =>
        database.system.tx(async (db) => {
          return replaceSecret(db, actor, await rows.find(db, actor, Id))
        }),
      test: ({ db, actor, row, request }) => {
        const language = languageOf(request)
        return tellAll(db, actor, row.Id, word(language, 'sample.title'), word(language, 'sample.content'))
      },
    },
  })
}
