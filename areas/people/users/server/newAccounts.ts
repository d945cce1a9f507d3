import { sql } from 'kysely'
import type { Row } from '../../../../contract/resource.ts'
import type { Database, Db } from '../../../../server/database/db.ts'
import { Fault, FieldFaults } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { changingSight } from '../../../../server/identity/dataScope.ts'
import { hashPassword } from '../../../../server/identity/passwords.ts'
import { lockAccount } from '../../../../server/identity/sessionRows.ts'
import { generated, oneTimeUntil } from '../../../../server/identity/setup.ts'
import { isZone } from '../../../../server/identity/zones.ts'
import { store } from '../../../../server/resource/store.ts'
import { user } from '../contract.ts'
import { assignRoles, setPosts } from './memberships.ts'
import { assertStartPicture } from './startPicture.ts'

type User = Row<typeof user>
type Values = Record<string, unknown>
type NewAccount = Values & { RoleIds?: readonly number[]; PostIds?: readonly number[] }
export type Secret = { OneTimePwd: string; hash: string }

/** A first password and its hash. */
export const oneTime = async (): Promise<Secret> => {
  const OneTimePwd = generated()
  return { OneTimePwd, hash: await hashPassword(OneTimePwd) }
}

export const people = store(user)

/** Empty texts count as missing. The zone must be valid, because it applies to all times that the person reads. */
export const cleaned = (given: Values): Values => {
  const values = Object.fromEntries(Object.entries(given).map(([k, v]) => [k, v === '' ? null : v]))
  if (values.TimeZoneKey && !isZone(String(values.TimeZoneKey))) throw new FieldFaults([{ field: 'TimeZoneKey', rule: 'zone' }])
  return values
}

/** Adds accounts, one or those of a sheet. */
export const newAccounts = (database: Database, one: (db: Db, actor: Actor, id: number) => Promise<object>, clock: () => number) => {
  const createIn = async (db: Db, actor: Actor, { RoleIds = [], PostIds, ...draft }: NewAccount, { hash }: Secret): Promise<User> => {
    // Without an organisation, the new account would be invisible to the actor.
    if (actor.dataScope?.organs.user && !draft.BelongOrganId) throw new FieldFaults([{ field: 'BelongOrganId', rule: 'required' }])
    const row = await people.create(db, actor, cleaned(draft))
    await db.rows(
      sql`update "user" set "PasswordHash" = ${hash}, "MustChangePwd" = 1, "OneTimeUntil" = ${oneTimeUntil(clock())} where "Id" = ${row.Id}`,
    )
    if (RoleIds.length) await assignRoles(db, actor, row, RoleIds)
    if (PostIds?.length) await setPosts(db, actor, row, PostIds)
    await assertStartPicture(db, row)
    return row
  }

  return {
    createIn,
    /** Returns the account and its initial password, which cannot be read again. */
    async create(actor: Actor, draft: NewAccount) {
      if (draft.RoleIds?.length && !actor.may.has('m10402.authorise')) throw new Fault('forbidden', { permission: 'm10402.authorise' })
      const secret = await oneTime()
      // Only the server's database handle can write the hash; every statement is still limited to the actor's scope.
      const made = await changingSight(database.system, actor, (db) => createIn(db, actor, draft, secret))
      return { ...(await one(database.as(actor), actor, made.Id)), OneTimePwd: secret.OneTimePwd }
    },
    /** All or none. */
    async importSheet(actor: Actor, drafts: readonly Values[]) {
      // Hashed one after the other, so that sign-ins get their turn in between.
      const secrets: Secret[] = []
      for (const _ of drafts) secrets.push(await oneTime())
      await database.system.tx(async (db) => {
        // The hashes of a long sheet take seconds, so the actor's rights are checked again.
        if (!(await lockAccount(db, actor.UserId, new Date(clock())))) throw new Fault('sessionOver')
        for (const [i, draft] of drafts.entries()) await createIn(db, actor, draft, secrets[i]!)
      })
      return { Added: drafts.length, Accounts: drafts.map((d, i) => ({ UserNO: String(d.UserNO), OneTimePwd: secrets[i]!.OneTimePwd })) }
    },
  }
}
