import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Page } from '../../../../contract/call.ts'
import type { Resource, Row } from '../../../../contract/resource.ts'
import type { Database, Db } from '../../../../server/database/db.ts'
import { Fault, FieldFaults } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { Attempts } from '../../../../server/identity/attempts.ts'
import { forgetWaysIn } from '../../../../server/identity/browsers.ts'
import { assertNotBroader, changingSight } from '../../../../server/identity/dataScope.ts'
import { confirmMove, movesAddress } from '../../../../server/identity/ownAddress.ts'
import { hashPassword } from '../../../../server/identity/passwords.ts'
import { authorize, exceeds, type Granting, hasAllRights, rolesOf } from '../../../../server/identity/rights.ts'
import { unknownIds } from '../../../../server/identity/scopedRows.ts'
import { isUsable, lockAccount } from '../../../../server/identity/sessionRows.ts'
import type { Sessions } from '../../../../server/identity/sessions.ts'
import { generated, oneTimeUntil } from '../../../../server/identity/setup.ts'
import { isZone } from '../../../../server/identity/zones.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { record, store } from '../../../../server/resource/store.ts'
import { post } from '../../posts/contract.ts'
import { role } from '../../roles/contract.ts'
import { user } from '../contract.ts'
import { guardingPlatform } from './administrators.ts'
import { rolesOfPerson, rolesToGive } from './choosableRoles.ts'

type User = Row<typeof user>
type Values = Record<string, unknown>
export type Account = User & { RoleIds: number[]; RoleNames: string; PostIds: number[]; PostNames: string; LockUntil: string | null }
type Held = { UserId: number; Id: number; Name: string }

type NewAccount = Values & { RoleIds?: readonly number[]; PostIds?: readonly number[] }
type Secret = { OneTimePwd: string; hash: string }

/** A password to begin with, and what is kept of it. */
export const oneTime = async (): Promise<Secret> => {
  const OneTimePwd = generated()
  return { OneTimePwd, hash: await hashPassword(OneTimePwd) }
}

const people = store(user)
const described = user
const seen = (r: object, actor: Actor, alias: string) => visible(r as Resource, actor, alias)

/** Empty texts count as missing. The zone must be valid, because it applies to all times that the person reads. */
const cleaned = (given: Values): Values => {
  const values = Object.fromEntries(Object.entries(given).map(([k, v]) => [k, v === '' ? null : v]))
  if (values.TimeZoneKey && !isZone(String(values.TimeZoneKey))) throw new FieldFaults([{ field: 'TimeZoneKey', rule: 'zone' }])
  return values
}

/** Rows with the roles and posts of their people, and until when failed attempts keep an address or a browser from signing in. */
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

/** Accounts of people: made, changed, locked and given roles by those who have no fewer rights themselves. */
export const usersService = (database: Database, sessions: Sessions, clock: () => number = Date.now) => {
  const guarding = guardingPlatform(clock)
  const one = async (db: Db, actor: Actor, id: number) =>
    (await withRoles(db, database.system, actor, [await people.find(db, actor, id)]))[0]!
  const reread = (ids: readonly number[]) => sessions.changed((who) => ids.includes(who.UserId))

  const mayAct = async (db: Db, id: number) =>
    (
      await db.rows(
        sql`select 1 from "user" u join enterprise e on e."Id" = u."EnterpriseId" where u."Id" = ${id} and ${isUsable(new Date(clock()))}`,
      )
    ).length > 0

  /** Somebody else whom the actor may rule over; notFound for people of other tenants. */
  const target = async (db: Db, actor: Actor, id: number, self: 'allowed' | 'refused' = 'refused') => {
    const row = await people.find(db, actor, id)
    if (id === actor.UserId && self === 'refused') throw new Fault('notYourself')
    const roles = await authorize(db, actor, id)
    return { row, roles, isPlatform: roles.some((r) => r.IsPlatform === 1) }
  }
  type Target = Awaited<ReturnType<typeof target>>
  /** Judges the person and changes him in one transaction. */
  const ruling = <T>(db: Db, actor: Actor, id: number, work: (db: Db, found: Target) => Promise<T>, self?: 'allowed' | 'refused') =>
    changingSight(db, actor, async (db) => {
      const found = await target(db, actor, id, self)
      return guarding(db, found.isPlatform, (db) => work(db, found))
    })

  /** Gives exactly these roles, all of the person's tenant and none beyond the actor's rights. */
  const assign = async (db: Db, actor: Actor, { Id, EnterpriseId }: { Id: number; EnterpriseId: number }, wanted: readonly number[]) => {
    const ids = [...new Set(wanted)]
    if ((await unknownIds(db, actor, 'role', { ids, tenant: EnterpriseId })).size)
      throw new FieldFaults([{ field: 'RoleIds', rule: 'unknownReference' }])
    const before = (await rolesOf(db, Id)).map((r) => r.Id)
    const roles = await db.rows<Granting & { Id: number }>(
      sql`select "Id", "RouteRole", "IsPlatform", "MenuCodes", "ProjectIds", "DataScope" from role where "Id" = any(${ids}::bigint[]) and "EnterpriseId" = ${EnterpriseId} for share`,
    )
    if (exceeds(actor, roles)) throw new Fault('moreRights')
    await assertNotBroader(
      db,
      actor,
      () => [Id],
      () =>
        db.all([
          sql`delete from user_role where "UserId" = ${Id} and "RoleId" <> all(${ids}::bigint[])`,
          sql`insert into user_role ("EnterpriseId", "UserId", "RoleId") select ${EnterpriseId}, ${Id}, unnest(${ids}::bigint[]) on conflict do nothing`,
        ]),
    )
    await record(db, actor, described, 'update', Id, EnterpriseId, { RoleIds: before }, { RoleIds: ids })
    return !isDeepStrictEqual(before.toSorted(), ids.toSorted())
  }

  /** Exactly these posts, all of the person's tenant and in the actor's sight. */
  const setPosts = async (db: Db, actor: Actor, { Id, EnterpriseId }: { Id: number; EnterpriseId: number }, wanted: readonly number[]) => {
    const ids = [...new Set(wanted)]
    if ((await unknownIds(db, actor, 'post', { ids, tenant: EnterpriseId })).size)
      throw new FieldFaults([{ field: 'PostIds', rule: 'unknownReference' }])
    // Posts that the actor does not see stay.
    const gone = await db.rows<{ Id: number }>(sql`
      delete from user_post where "UserId" = ${Id} and "PostId" <> all(${ids}::bigint[])
        and exists (select 1 from post p where p."Id" = "PostId" and ${seen(post, actor, 'p')}) returning "PostId" as "Id"`)
    const more = await db.rows(sql`
      insert into user_post ("EnterpriseId", "UserId", "PostId") select ${EnterpriseId}, ${Id}, unnest(${ids}::bigint[]) on conflict do nothing returning 1`)
    if (gone.length || more.length) await record(db, actor, described, 'update', Id, EnterpriseId, null, { PostIds: ids })
  }

  const createIn = async (db: Db, actor: Actor, { RoleIds = [], PostIds, ...draft }: NewAccount, { hash }: Secret): Promise<User> => {
    // Without an organisation he would be out of sight at once.
    if (actor.dataScope?.organs.user && !draft.BelongOrganId) throw new FieldFaults([{ field: 'BelongOrganId', rule: 'required' }])
    const row = await people.create(db, actor, cleaned(draft))
    await db.rows(
      sql`update "user" set "PasswordHash" = ${hash}, "MustChangePwd" = 1, "OneTimeUntil" = ${oneTimeUntil(clock())} where "Id" = ${row.Id}`,
    )
    if (RoleIds.length) await assign(db, actor, row, RoleIds)
    if (PostIds?.length) await setPosts(db, actor, row, PostIds)
    return row
  }

  const setRoles = async (db: Db, actor: Actor, id: number, choose: (held: number[]) => readonly number[]) => {
    const give = (db: Db, { row, roles }: Target) => assign(db, actor, row, choose(roles.map((r) => r.Id)))
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
    // Who is unlocked need not wait for the half hour of his failed attempts.
    if (!IsLock) await database.system.rows(sql`delete from login_attempt where "Account" = lower(${row.UserNO})`)
    return one(db, actor, id)
  }

  return {
    one,
    reread,
    guarding,
    setRoles,
    async list(db: Db, actor: Actor, q: Parameters<typeof people.list>[2]): Promise<Page<Account>> {
      const page = await people.list(db, actor, q)
      return { ...page, Items: await withRoles(db, database.system, actor, page.Items) }
    },
    createIn,
    /** The account and the password it begins with, which nobody can read again. */
    async create(actor: Actor, draft: NewAccount) {
      if (draft.RoleIds?.length && !actor.may.has('m10402.authorise')) throw new Fault('forbidden', { permission: 'm10402.authorise' })
      const secret = await oneTime()
      // The hash is the server's business, so the handle is; what the actor sees bounds every statement all the same.
      const made = await changingSight(database.system, actor, (db) => createIn(db, actor, draft, secret))
      return { ...(await one(database.as(actor), actor, made.Id)), OneTimePwd: secret.OneTimePwd }
    },
    /** All or none. */
    async importSheet(actor: Actor, drafts: readonly Values[]) {
      // One after the other, so that sign-ins have their turns in between.
      const secrets: Secret[] = []
      for (const _ of drafts) secrets.push(await oneTime())
      await database.system.tx(async (db) => {
        // The hashes of a long sheet take seconds; who may no longer act by then gets no accounts.
        if (!(await lockAccount(db, actor.UserId, new Date(clock())))) throw new Fault('sessionOver')
        for (const [i, draft] of drafts.entries()) await createIn(db, actor, draft, secrets[i]!)
      })
      return { Added: drafts.length, Accounts: drafts.map((d, i) => ({ UserNO: String(d.UserNO), OneTimePwd: secrets[i]!.OneTimePwd })) }
    },
    async update(db: Db, actor: Actor, id: number, { PostIds, ...given }: Values & { PostIds?: readonly number[] }) {
      const values = cleaned(given)
      const change = async (db: Db, { row: held }: Target) => {
        if (id === actor.UserId && movesAddress(actor, held, values)) throw new Fault('ownAddress')
        const prolonged = values.ValidTo !== undefined && values.ValidTo !== held.ValidTo
        if (id === actor.UserId && prolonged && !hasAllRights(actor)) throw new Fault('notYourself')
        const row = await people.update(db, actor, id, values)
        if (PostIds) await setPosts(db, actor, row, PostIds)
        if (await mayAct(db, id)) return { row, held, announceEnd: undefined }
        if (id === actor.UserId) throw new Fault('notYourself')
        return { row, held, announceEnd: await sessions.endPeople(db, [id], 'locked') }
      }
      const { row, held, announceEnd } = await ruling(db, actor, id, change, values.Status === 0 ? 'refused' : 'allowed')
      announceEnd?.()
      if (row.UpdateStamp !== held.UpdateStamp) reread([id])
      return one(db, actor, id)
    },
    /** All or none; their sessions end with them. */
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
    /** A password for the next sign-in, which asks for another; every session of the account ends. */
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
    async setAccount(db: Db, actor: Actor, { Avatar, Pwd, ...change }: Values & { Pwd?: string }, attempts: Attempts) {
      // Before the transaction: the hash takes time, and the attempt counts even where all else is undone.
      if (movesAddress(actor, await people.find(db, actor, actor.UserId), change)) await confirmMove(database.system, attempts, actor, Pwd)
      // Of what people change themselves, a session knows zone and language.
      const isNew = await changingSight(db, actor, async (db) => {
        const before = await people.find(db, actor, actor.UserId)
        const row = await people.update(db, actor, actor.UserId, cleaned(change))
        const isNew = row.TimeZoneKey !== before.TimeZoneKey || row.Language !== before.Language
        if (Avatar === undefined || Avatar === row.Avatar) return isNew
        await db.rows(sql`update "user" set "Avatar" = ${Avatar || null} where "Id" = ${actor.UserId}`)
        await record(db, actor, described, 'update', actor.UserId, actor.EnterpriseId, { Avatar: row.Avatar }, { Avatar })
        return isNew
      })
      if (isNew) reread([actor.UserId])
      return one(db, actor, actor.UserId)
    },
    /** Sessions of one's own that are alive, the latest first. */
    sessions: (actor: Actor) => {
      const local = (name: string) =>
        sql`to_char(${sql.raw(`"${name}"`)} at time zone ${actor.zone ?? actor.tenantZone}::text, 'YYYY-MM-DD HH24:MI:SS') as ${sql.raw(`"${name}"`)}`
      return database.system.rows<{
        Session: string
        Ip: string
        Agent: string
        CreateTime: string
        LastTime: string
        Current: boolean
      }>(sql`
        select "Id" as "Session", coalesce("Ip", '') as "Ip", coalesce("Agent", '') as "Agent", ${local('CreateTime')}, ${local('LastTime')}, "Id" = ${actor.session} as "Current"
        from session s where "UserId" = ${actor.UserId} and "EndTime" is null and s."LastTime" > now() - interval '7 days' order by s."LastTime" desc limit 50`)
    },
    async endSession(actor: Actor, session: string) {
      const [own] = await database.system.rows(
        sql`select 1 from session where "Id" = ${session} and "UserId" = ${actor.UserId} and "EndTime" is null`,
      )
      if (!own) throw new Fault('notFound')
      await sessions.end(session, 'logout')
      return null
    },
  }
}
