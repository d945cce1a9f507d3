import { createPrivateKey, randomBytes, X509Certificate } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Row } from '../../../../contract/resource.ts'
import type { Database, Db } from '../../../../server/database/db.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { Vault } from '../../../../server/identity/vault.ts'
import { crud } from '../../../../server/resource/crud.ts'
import { type Check, record, store } from '../../../../server/resource/store.ts'
import { overHj212, overHttp, schemesOf, statistics, thirdPartyAccess } from '../contract.ts'
import { signingPrefix } from './targets.ts'

/** Vault name of an access's secret and client certificate. */
export const accessSecret = (id: number) => `thirdPartyAccess.${id}`
export const accessCertificate = (id: number) => `thirdPartyAccess.${id}.certificate`

const minute = 60
/** Checks a PEM certificate and key, in the form that TLS takes. */
const certificateOf = (cert: string, key: string): string => {
  const refuse = (field: string) => () => {
    throw new FieldFaults([{ field, rule: 'thirdPartyAccess.pem' }])
  }
  const parsed = attempt(() => new X509Certificate(cert)) ?? refuse('Certificate')()
  const own = attempt(() => createPrivateKey(key)) ?? refuse('PrivateKey')()
  if (!parsed.checkPrivateKey(own)) refuse('PrivateKey')()
  return JSON.stringify({ cert, key })
}
const attempt = <T>(work: () => T): T | undefined => {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** Checks that the address has the target's scheme, and that HJ 212 has an MN. */
const check: Check = async (_db, _actor, given, held) => {
  const { Target = overHttp, Url, MN, Mode, Period = minute } = { ...held, ...given } as Partial<Row<typeof thirdPartyAccess>>
  if (Mode === statistics && Period % minute) throw new FieldFaults([{ field: 'Period', rule: 'thirdPartyAccess.wholeMinutes' }])
  const schemes = schemesOf[Target] ?? []
  const { protocol, hostname, username, password } = URL.parse(String(Url)) ?? {}
  if (!hostname || !schemes.includes(protocol?.slice(0, -1) ?? '') || username || password)
    throw new FieldFaults([
      { field: 'Url', rule: 'thirdPartyAccess.scheme', values: { schemes: schemes.map((s) => `${s}://`).join(', ') } },
    ])
  if (Target === overHj212 && !MN) throw new FieldFaults([{ field: 'MN', rule: 'required' }])
  return given
}
const tryNow = (db: Db, id: number) => db.rows(sql`update third_party_access set "NextTime" = now(), "Failures" = 0 where "Id" = ${id}`)
const rows = store(thirdPartyAccess, check)

/** Routes of external systems that get readings. A secret is in one answer only. */
export const accessRoutes = (app: FastifyInstance, { database, vault }: { database: Database; vault: Vault }) => {
  const seal = (actor: Actor, Id: number, field: 'Secret' | 'Password' | 'Certificate', secret: string | null) =>
    database.system.tx(async (db: Db) => {
      const row = await rows.find(db, actor, Id)
      await record(db, actor, thirdPartyAccess, 'update', Id, row.EnterpriseId, {}, { [field]: 'reset' })
      await vault.put(db, row.EnterpriseId, (field === 'Certificate' ? accessCertificate : accessSecret)(Id), secret)
      if (field !== 'Secret') await tryNow(db, Id)
      return row
    })
  crud(app, thirdPartyAccess, {
    check,
    own: {
      // A new receiver must not get requests signed with the old receiver's secret.
      update: (_, actor, id, change) =>
        database.system.tx(async (db) => {
          const { Url, EnterpriseId, Mode } = await rows.find(db, actor, id)
          const row = await rows.update(db, actor, id, change)
          await tryNow(db, id)
          // The cursors of the modes count different things.
          if (row.Mode !== Mode) await db.rows(sql`update third_party_access set "Cursor" = null where "Id" = ${id}`)
          if (row.Url !== Url) for (const name of [accessSecret, accessCertificate]) await vault.put(db, EnterpriseId, name(id), null)
          return row
        }),
      remove: (_, actor, ids) =>
        database.system.tx(async (db) => {
          for (const id of ids)
            for (const name of [accessSecret, accessCertificate])
              await vault.put(db, (await rows.find(db, actor, id)).EnterpriseId, name(id), null)
          return rows.remove(db, actor, ids)
        }),
    },
    acts: {
      resetKey: async ({ actor, row: { Id } }) => {
        const Secret = `${signingPrefix}${randomBytes(32).toString('base64')}`
        return { ...(await seal(actor, Id, 'Secret', Secret)), Secret }
      },
      setPassword: ({ actor, row: { Id }, body: { Password } }) => seal(actor, Id, 'Password', String(Password)),
      setCertificate: ({ actor, row: { Id }, body: { Certificate, PrivateKey } }) =>
        seal(actor, Id, 'Certificate', Certificate || PrivateKey ? certificateOf(String(Certificate), String(PrivateKey)) : null),
    },
  })
}
