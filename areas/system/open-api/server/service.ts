import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Language } from '../../../../contract/languages.ts'
import type { Row } from '../../../../contract/resource.ts'
import type { Database, Db } from '../../../../server/database/db.ts'
import { within } from '../../../../server/http/addresses.ts'
import { Fault, FieldFaults } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { hashOf, sealedName, signingKey } from '../../../../server/identity/credentials.ts'
import { changingSight } from '../../../../server/identity/dataScope.ts'
import { authorize } from '../../../../server/identity/rights.ts'
import type { Vault } from '../../../../server/identity/vault.ts'
import { record, store } from '../../../../server/resource/store.ts'
import { rightsTree } from '../../../people/roles/server/service.ts'
import { apiCredential } from '../contract.ts'

type Values = Record<string, unknown>
type Credential = Row<typeof apiCredential>
/** A program acts for the person who creates it. */
const rows = store(apiCredential, async (_db, actor, given, held) => (held ? given : { ...given, UserId: actor.UserId }))
const described = apiCredential

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const newAccessKey = () => `PK${[...randomBytes(18)].map((b) => letters[b % letters.length]).join('')}`

/** Credentials of programs. Each secret is returned once. */
export const openApiService = (database: Database, vault: Vault) => {
  const system = database.system
  const checkNets = ({ IpAllow }: Values) => {
    try {
      within(String(IpAllow ?? ''), '127.0.0.1')
    } catch {
      throw new FieldFaults([{ field: 'IpAllow', rule: 'pattern' }])
    }
  }
  const giveSecret = async (db: Db, row: Credential) => {
    const Secret = randomBytes(32).toString('base64url')
    await db.rows(sql`update api_credential set "SecretHash" = ${hashOf(Secret)}, "UpdateTime" = now() where "Id" = ${row.Id}`)
    await vault.put(db, row.EnterpriseId, sealedName(row.Id), signingKey(Secret))
    return Secret
  }
  /** Programs whose permissions are within the actor's own can be disabled, removed and taken over. */
  const findWithin = async (db: Db, actor: Actor, id: number): Promise<Credential> => {
    const row = await rows.find(db, actor, id)
    const beyond = (row.Permissions as string[]).some((code) => !actor.may.has(code))
    if (row.UserId !== actor.UserId && beyond) throw new Fault('moreRights')
    return row
  }
  /** A program acts with its owner's rights, so only the owner, or a user with all of these rights, can change it. */
  const findRuled = async (db: Db, actor: Actor, id: number): Promise<Credential> => {
    const row = await findWithin(db, actor, id)
    if (row.UserId) await authorize(db, actor, row.UserId)
    return row
  }
  const set = (actor: Actor, id: number, change: ReturnType<typeof sql>, what: (row: Credential) => Values, find = findRuled) =>
    changingSight(system, actor, async (db) => {
      const before = await find(db, actor, id)
      await db.rows(sql`update api_credential set ${change}, "UpdateTime" = now() where "Id" = ${id}`)
      const after = await rows.find(db, actor, id)
      await record(db, actor, described, 'update', id, before.EnterpriseId, what(before), what(after))
      return after
    })

  return {
    create: (actor: Actor, draft: Values) =>
      system.tx(async (db) => {
        checkNets(draft)
        const { EnterpriseId: _, UserId: __, ...given } = draft
        const made = await rows.create(db, actor, given)
        await db.rows(sql`update api_credential set "AccessKey" = ${newAccessKey()} where "Id" = ${made.Id}`)
        const Secret = await giveSecret(db, made)
        return { ...(await rows.find(db, actor, made.Id)), Secret }
      }),
    update: (actor: Actor, id: number, change: Values) =>
      changingSight(system, actor, async (db) => {
        checkNets(change)
        await findRuled(db, actor, id)
        return rows.update(db, actor, id, change)
      }),
    remove: (actor: Actor, ids: readonly number[]) =>
      system.tx(async (db) => {
        for (const id of new Set(ids)) {
          const { EnterpriseId } = await findWithin(db, actor, id)
          await vault.put(db, EnterpriseId, sealedName(id), null)
        }
        return rows.remove(db, actor, ids)
      }),
    async authList(db: Db, actor: Actor, id: number, language: Language) {
      const { Permissions } = await rows.find(db, actor, id)
      return rightsTree(new Set(Permissions as string[]), actor, language)
    },
    auth: async (actor: Actor, id: number, codes: readonly string[]) => {
      const wanted = [...new Set(codes)]
      if (wanted.some((code) => !actor.may.has(code))) throw new Fault('moreRights')
      return set(actor, id, sql`"Permissions" = ${JSON.stringify(wanted)}::jsonb`, ({ Permissions }) => ({ Permissions }))
    },
    setStatus: (actor: Actor, id: number, status: 0 | 1) =>
      set(actor, id, sql`"Status" = ${status}`, ({ Status }) => ({ Status }), status ? findRuled : findWithin),
    /** Resetting the key of someone else's program takes it over, which requires the right to remove it. It then acts with the new owner's rights. */
    resetKey: (actor: Actor, id: number) =>
      changingSight(system, actor, async (db) => {
        const before = await findWithin(db, actor, id)
        const taken = before.UserId !== actor.UserId
        if (taken && !actor.may.has(`${described.permission}.remove`)) throw new Fault('moreRights')
        if (taken) await db.rows(sql`update api_credential set "UserId" = ${actor.UserId} where "Id" = ${id}`)
        const Secret = await giveSecret(db, before)
        const after = await rows.find(db, actor, id)
        const owner = ({ UserId, UserName }: Values) => (taken ? { UserId, UserName } : {})
        await record(db, actor, described, 'update', id, before.EnterpriseId, owner(before), { ...owner(after), Secret: 'reset' })
        return { ...after, Secret }
      }),
  }
}
