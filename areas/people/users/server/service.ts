import { sql } from 'kysely'
import type { Page } from '../../../../contract/call.ts'
import type { Resource, Row } from '../../../../contract/resource.ts'
import type { Database, Db } from '../../../../server/database/db.ts'
import { Fault } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { forgetWaysIn } from '../../../../server/identity/browsers.ts'
import { changingSight } from '../../../../server/identity/dataScope.ts'
import { movesAddress } from '../../../../server/identity/ownAddress.ts'
import { authorize, hasAllRights } from '../../../../server/identity/rights.ts'
import { isUsable } from '../../../../server/identity/sessionRows.ts'
import type { Sessions } from '../../../../server/identity/sessions.ts'
import { oneTimeUntil } from '../../../../server/identity/setup.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { record } from '../../../../server/resource/store.ts'
import { post } from '../../posts/contract.ts'
import { role } from '../../roles/contract.ts'
import { user } from '../contract.ts'
import { guardingPlatform } from './administrators.ts'
import { rolesOfPerson, rolesToGive } from './choosableRoles.ts'
import { assignRoles, setPosts } from './memberships.ts'
import { cleaned, newAccounts, oneTime, people } from './newAccounts.ts'
import { ownAccount } from './ownAccount.ts'
import { assertStartPicture } from './startPicture.ts'

export { oneTime } from './newAccounts.ts'
export { startPicture } from './startPicture.ts'

type User = Row<typeof user>
type Values = Record<string, unknown>
export type Account = User & { RoleIds: number[]; RoleNames: string; PostIds: number[]; PostNames: string; LockUntil: string | null }
type Held = { UserId: number; Id: number; Name: string }

const described = user
const seen = (r: object, actor: Actor, alias: string) => visible(r as Resource, actor, alias)

/** Adds roles and job titles to rows, and the end of locks by failed attempts. */
export const withRoles = async (db: Db, system: Db, actor: Actor, rows: readonly User[]): Promise<Account[]> => {
  const ids = rows.map((r) => r.Id)
  const zone = actor.zone ?? actor.tenantZone
  const [roles, posts] = await db.all([
    sql<Held>`select ur."UserId", r."Id", r."RoleName" as "Name" from user_role ur join role r on r."Id" = ur."RoleId"
      where ur."UserId" = any(${ids}::bigint[]) and ${seen(role, actor, 'r')} order by 3`,
    sql<Held>`select up."UserId", p."Id", p."PostName" as "Name" from user_post up join post p on p."Id" = up."PostId"
      where up."UserId" = any(${ids}::bigint[]) and ${seen(post, actor, 'p')} order by p."Sort", 3`,
  ])
  const locks = await system.rows<{ Account: string; Until: string }>(sql`
    select "Account", to_char(max("LockUntil") at time zone ${zone}::text, 'YYYY-MM-DD HH24:MI:SS') as "Until" from login_attempt
    where "Account" = any(${rows.map((r) => r.UserNO.toLowerCase())}::text[]) and "LockUntil" > now() and "Source" <> 'everywhere' group by 1`)
  const until = new Map(locks.map((l) => [l.Account, l.Until]))
  const [rolesOf, postsOf] = [Map.groupBy(roles, (h) => h.UserId), Map.groupBy(posts, (h) => h.UserId)]
  const names = (held: readonly Held[]) => held.map((h) => h.Name).join(', ')
  return rows.map((row) => {
    const [role, post] = [rolesOf.get(row.Id) ?? [], postsOf.get(row.Id) ?? []]
    return {
      ...row,
      ...{ RoleIds: role.map((r) => r.Id), RoleNames: names(role), PostIds: post.map((p) => p.Id), PostNames: names(post) },
      LockUntil: until.get(row.UserNO.toLowerCase()) ?? null,
    }
  })
}

/** Whether an account can sign in now. */
const mayAct = async (db: Db, id: number, now: Date) => {
  const usable = sql`select 1 from "user" u join enterprise e on e."Id" = u."EnterpriseId" where u."Id" = ${id} and ${isUsable(now)}`
  return (await db.rows(usable)).length > 0
}

/** Finds another person whom the actor may change. Answers notFound for people of other tenants. */
const target = async (db: Db, actor: Actor, id: number, self: 'allowed' | 'refused' = 'refused') => {
  const row = await people.find(db, actor, id)
  if (id === actor.UserId && self === 'refused') throw new Fault('notYourself')
  const roles = await authorize(db, actor, id)
  return { row, roles, isPlatform: roles.some((r) => r.IsPlatform === 1) }
}
type Target = Awaited<ReturnType<typeof target>>

/** User accounts. Adding, changing, locking and assigning roles requires at least the permissions of that account. */
export const usersService = (database: Database, sessions: Sessions, clock: () => number = Date.now) => {
  const guarding = guardingPlatform(clock)
  const one = async (db: Db, actor: Actor, id: number) =>
    (await withRoles(db, database.system, actor, [await people.find(db, actor, id)]))[0]!
  const reread = (ids: readonly number[]) => sessions.changed({ users: ids })

  /** Checks the right to change a person and applies the change, in one transaction. */
  const ruling = <T>(db: Db, actor: Actor, id: number, work: (db: Db, found: Target) => Promise<T>, self?: 'allowed' | 'refused') =>
    changingSight(db, actor, async (db) => {
      const found = await target(db, actor, id, self)
      return guarding(db, found.isPlatform, (db) => work(db, found))
    })

  const setRoles = async (db: Db, actor: Actor, id: number, choose: (held: number[]) => readonly number[]) => {
    const give = (db: Db, { row, roles }: Target) => assignRoles(db, actor, row, choose(roles.map((r) => r.Id)))
    if (await ruling(db, actor, id, give)) reread([id])
    return one(db, actor, id)
  }

  const setLock = async (db: Db, actor: Actor, id: number, IsLock: 0 | 1) => {
    const { row, announceEnd } = await ruling(db, actor, id, async (db, { row }) => {
      await db.rows(sql`update "user" set "IsLock" = ${IsLock}, "UpdateTime" = now() where "Id" = ${id}`)
      await record(db, actor, described, 'update', id, row.EnterpriseId, row, await people.find(db, actor, id))
      return { row, announceEnd: IsLock ? await sessions.endPeople(db, [id], 'locked') : undefined }
    })
    announceEnd?.()
    // Unlocking also resets the failed attempts.
    if (!IsLock) await database.system.rows(sql`delete from login_attempt where "Account" = lower(${row.UserNO})`)
    return one(db, actor, id)
  }

  return {
    ...newAccounts(database, one, clock),
    ...ownAccount(database, sessions, { one, reread }),
    one,
    reread,
    guarding,
    setRoles,
    async list(db: Db, actor: Actor, q: Parameters<typeof people.list>[2]): Promise<Page<Account>> {
      const page = await people.list(db, actor, q)
      return { ...page, Items: await withRoles(db, database.system, actor, page.Items) }
    },
    async update(db: Db, actor: Actor, id: number, { PostIds, ...given }: Values & { PostIds?: readonly number[] }) {
      const values = cleaned(given)
      const change = async (db: Db, { row: held }: Target) => {
        if (id === actor.UserId && movesAddress(actor, held, values)) throw new Fault('ownAddress')
        const prolonged = values.ValidTo !== undefined && values.ValidTo !== held.ValidTo
        if (id === actor.UserId && prolonged && !hasAllRights(actor)) throw new Fault('notYourself')
        const row = await people.update(db, actor, id, values)
        if (row.IndexFlowchartId !== held.IndexFlowchartId) await assertStartPicture(db, row)
        if (PostIds) await setPosts(db, actor, row, PostIds)
        if (await mayAct(db, id, new Date(clock()))) return { row, held, announceEnd: undefined }
        if (id === actor.UserId) throw new Fault('notYourself')
        return { row, held, announceEnd: await sessions.endPeople(db, [id], 'locked') }
      }
      const { row, held, announceEnd } = await ruling(db, actor, id, change, values.Status === 0 ? 'refused' : 'allowed')
      announceEnd?.()
      if (row.UpdateStamp !== held.UpdateStamp) reread([id])
      return one(db, actor, id)
    },
    /** All or none; also ends their sessions. */
    async remove(db: Db, actor: Actor, ids: readonly number[]): Promise<number> {
      const held = await sessions.openSessionsOf(ids)
      const count = await changingSight(db, actor, async (db) => {
        let platform = false
        for (const id of ids) platform = (await target(db, actor, id)).isPlatform || platform
        return guarding(db, platform, (db) => people.remove(db, actor, ids))
      })
      sessions.gone(held, 'locked')
      reread(ids)
      return count
    },
    lock: (db: Db, actor: Actor, id: number) => setLock(db, actor, id, 1),
    unlock: (db: Db, actor: Actor, id: number) => setLock(db, actor, id, 0),
    /** Sets a one-time password, and ends every session of the account. */
    async resetPassword(db: Db, actor: Actor, id: number) {
      await target(db, actor, id)
      const { OneTimePwd, hash } = await oneTime()
      const { row, announceEnd } = await ruling(database.system, actor, id, async (db, { row }) => {
        await db.rows(
          sql`update "user" set "PasswordHash" = ${hash}, "MustChangePwd" = 1, "OneTimeUntil" = ${oneTimeUntil(clock())}, "PwdChangeTime" = now(), "UpdateTime" = now() where "Id" = ${id}`,
        )
        await forgetWaysIn(db, id)
        await db.rows(sql`delete from login_attempt where "Account" = lower(${row.UserNO})`)
        await record(db, actor, described, 'update', id, row.EnterpriseId, row, await people.find(db, actor, id))
        return { row, announceEnd: await sessions.endPeople(db, [id], 'password') }
      })
      announceEnd()
      return { UserNO: row.UserNO, OneTimePwd }
    },
    choosable: async (db: Db, actor: Actor, id: number) => rolesOfPerson(db, actor, await people.find(db, actor, id)),
    offered: rolesToGive,
  }
}
