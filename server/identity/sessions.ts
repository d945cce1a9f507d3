import { createHash, createSecretKey, timingSafeEqual } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { FaultKey } from '../../contract/faults.ts'
import type { Database, Db } from '../database/db.ts'
import { Fault } from '../http/faults.ts'
import type { Actor } from './actor.ts'
import { type ActorRow, actorOf } from './actorRow.ts'
import { loadDataScope, seesNothing } from './dataScope.ts'
import { installationKey } from './installation.ts'
import { previewOf } from './preview.ts'
import {
  endContinued,
  endOpen,
  endSessions,
  insertSession,
  isUsable,
  type LockedAccount,
  lockAccount,
  openSessionsOf,
} from './sessionRows.ts'
import { makeToken, readToken } from './tokens.ts'
import { openZones } from './zones.ts'

/** Days a session lives at most, and without a call. */
const lifetime = { days: 30, idleDays: 7 }
/** How long an actor is believed without asking the database: rights taken away are gone within it (security.md S04). */
const believedMs = 4000

/** Resources on which it depends what a narrowed person sees. */
const narrowing = new Set(['project', 'organ', 'user', 'dataPermission'])

export type Ended = { ended: string }
/** Where a session begins, and the one role it acts as. */
type From = { ip: string; agent: string; role?: number | null }
export type Who = Actor | Ended | undefined

export type Sessions = Awaited<ReturnType<typeof openSessions>>

/** `clock` (ms, may be monotonic) ages the cache of actors; `now` is the time of day, epoch ms. */
export const openSessions = async (database: Database, clock: () => number, now: () => number = Date.now) => {
  const db = database.system
  await openZones(db)
  const secret = await installationKey(db, 'token')
  const key = createSecretKey(secret)
  const believed = new Map<string, { who: Actor; until: number; secretHash: Buffer; used: boolean }>()
  /** Queries under way by session; concurrent calls share one. */
  const loading = new Map<string, { who: Promise<Who>; secretHash: Buffer; used: boolean }>()
  const enders = new Set<(session: string, reason: string) => void>()
  const watchers = new Set<(of: (actor: Actor) => boolean) => void>()
  const previews = new Set<(actor: Actor, roleId: number) => void>()

  /** A person as the session `s` makes him act. */
  const read = async (s: RawBuilder<unknown>): Promise<ActorRow | undefined> => {
    const today = new Date(now())
    const [row] = await db.rows<ActorRow>(sql`
      select s."SecretHash", s."EndReason", s."RoleId", u."Id" as "UserId", u."EnterpriseId", u."TimeZoneKey", e."TimeZoneKey" as "TenantZone",
        coalesce(u."Language", e."Language") as "Language", u."MustChangePwd",
        ${isUsable(today)} as "Usable", e."Status" as "TenantStatus",
        coalesce(e."GrantFrom" <= ${today}, true) and coalesce(e."GrantTo" > ${today}, true) as "Current",
        coalesce(e."MenuCodes", (select array(select jsonb_array_elements_text(v."MenuCodes")) from version v where v."Id" = e."VersionId")) as "TenantCodes",
        s."EndTime" is not null or s."CreateTime" < now() - make_interval(days => ${lifetime.days}) or s."LastTime" < now() - make_interval(days => ${lifetime.idleDays})
          or coalesce(s."UseTime" < now() - make_interval(mins => e."IdleMinutes"), false) as "Over",
        s."LastTime" < now() - interval '1 minute' as "Stale", s."UseTime" < now() - interval '1 minute' as "Unused",
        r."IsPlatform", r."IsAdmin", r."MenuCodes", r."AllProjects", r."ProjectIds", r."Narrowed"
      from ${s} s join "user" u on u."Id" = s."UserId" join enterprise e on e."Id" = u."EnterpriseId"
      left join lateral (
        select max(role."IsPlatform") as "IsPlatform", bool_or(role."RouteRole" = 'admin') as "IsAdmin", bool_or(role."ProjectIds" is null) as "AllProjects",
          bool_or(role."DataScope" <> 5 or exists (select 1 from role_data_permission x where x."RoleId" = role."Id")) as "Narrowed",
          coalesce((select array_agg(distinct code) from user_role x join role y on y."Id" = x."RoleId" and y."Status" = 1, unnest(y."MenuCodes") code where x."UserId" = u."Id" and x."RoleId" = coalesce(s."RoleId", x."RoleId")), '{}') as "MenuCodes",
          (select array_agg(distinct p) from user_role x join role y on y."Id" = x."RoleId" and y."Status" = 1, unnest(y."ProjectIds") p where x."UserId" = u."Id" and x."RoleId" = coalesce(s."RoleId", x."RoleId")) as "ProjectIds"
        from user_role ur join role on role."Id" = ur."RoleId" and role."Status" = 1 where ur."UserId" = u."Id" and ur."RoleId" = coalesce(s."RoleId", ur."RoleId")
      ) r on true`)
    return row
  }
  const judged = async (row: ActorRow, id: string, used: boolean): Promise<Actor | Ended> => {
    if (row.Over) return { ended: row.EndReason ?? 'expired' }
    if (!row.Usable) return { ended: row.TenantStatus === 1 ? 'locked' : 'tenant' }
    const actor = actorOf(row, id)
    if (!row.Current && !actor.platform) return { ended: 'expiredTenant' }
    if (row.Stale || (used && row.Unused))
      void db
        .rows(sql`update session set "LastTime" = now(), "UseTime" = case when ${used} then now() else "UseTime" end where "Id" = ${id}`)
        .catch(() => {})
    if (row.Narrowed === null) return { ...actor, ...seesNothing }
    return row.Narrowed && !actor.platform ? { ...actor, ...(await loadDataScope(db, row.UserId, row.RoleId)) } : actor
  }
  const load = async (id: string, secretHash: Buffer, used: boolean): Promise<Who> => {
    const row = await read(sql`(select * from session where "Id" = ${id})`)
    return row && timingSafeEqual(row.SecretHash, secretHash) ? judged(row, id, used) : { ended: 'logout' }
  }

  /** Loads the actor, one query for all concurrent calls. A result is not cached if the session ended or changed during the query. */
  const ask = (id: string, secretHash: Buffer, used: boolean): Promise<Who> => {
    const shared = loading.get(id)
    if (shared && (shared.used || !used) && timingSafeEqual(shared.secretHash, secretHash)) return shared.who
    const until = clock() + believedMs
    const answer = load(id, secretHash, used).then((who) => {
      if (loading.get(id)?.who !== answer) return who
      loading.delete(id)
      if (believed.size > 10_000) believed.clear()
      if (who && !('ended' in who)) believed.set(id, { who, until, secretHash, used })
      else believed.delete(id)
      return who
    })
    loading.set(id, { who: answer, secretHash, used })
    answer.catch(() => loading.get(id)?.who === answer && loading.delete(id))
    return answer
  }

  const forget = (ids: readonly string[], reason: string) => {
    for (const id of ids) {
      believed.delete(id)
      loading.delete(id)
      for (const listener of enders) listener(id, reason)
    }
    return ids.length
  }

  const changed = (of: (actor: Actor) => boolean) => {
    loading.clear()
    for (const [id, { who }] of believed) if (of(who)) believed.delete(id)
    for (const listener of watchers) listener(of)
  }
  // What a data permission leaves of a tenant depends on rows that come, move and go.
  const stopFollowing = database.onChange(({ resource, EnterpriseId }) => {
    if (resource === 'version') changed(() => true)
    if (narrowing.has(resource)) changed((who) => who.dataScope !== undefined && who.EnterpriseId === EnterpriseId)
  })

  /** Begins a session if the account may act and `vouch` agrees; both are asked under the account's lock. */
  const start = async (
    userId: number,
    { ip, agent, role = null }: From,
    refusal: FaultKey,
    vouch: (db: Db, account: LockedAccount) => Promise<{ continues?: string } | false>,
  ): Promise<string> => {
    const { token, ...made } = makeToken(key)
    const displaced = await db.tx(async (db) => {
      const account = await lockAccount(db, userId, new Date(now()))
      const vouched = account && (await vouch(db, account))
      if (!vouched) throw new Fault(refusal)
      return insertSession(db, account, { ...made, userId, ip, agent, role }, vouched.continues)
    })
    forget(displaced, 'displaced')
    return token
  }

  return {
    /** Identifies this installation without revealing its key. */
    installation: createHash('sha256').update('installation').update(secret).digest('hex').slice(0, 12),
    close: stopFollowing,
    /** A person acting without a session, with one role where one is given: a program or work in the background. `name` replaces its id. */
    async actorOf(userId: number, name: string, role: number | null = null): Promise<Who> {
      const none = sql`(select ''::bytea as "SecretHash", null::text as "EndReason", ${role}::bigint as "RoleId", ${userId}::bigint as "UserId", null::timestamptz as "EndTime", now() as "CreateTime", now() as "LastTime", now() as "UseTime")`
      const row = await read(none)
      return row && judged(row, name, true)
    },
    /** The actor behind a token; how it ended; or nothing for a token we did not make. `used`: somebody is there, not his screens alone. */
    async who(token: string, used = true): Promise<Who> {
      const read = readToken(key, token)
      if (!read) return
      const { id, secretHash } = read
      const cached = believed.get(id)
      const left = (cached?.until ?? 0) - clock()
      if (!cached || left <= 0 || (used && !cached.used) || !timingSafeEqual(cached.secretHash, secretHash))
        return ask(id, secretHash, used)
      // Refresh ahead of expiry, so that no call waits. If the database is down, the next call reports it.
      if (left < believedMs / 2) void ask(id, secretHash, used).catch(() => {})
      return cached.who
    },
    /** Nothing has changed since this actor was loaded, a moment ago. */
    isCurrent(who: Actor) {
      const cached = believed.get(who.session)
      return cached?.who === who && cached.until > clock()
    },
    /** The actor as one who had this role alone would be, to look and not to touch; notFound for roles he does not see. */
    async asRole(actor: Actor, roleId: number): Promise<Actor> {
      const preview = await previewOf(db, actor, roleId)
      for (const listener of previews) listener(actor, roleId)
      return preview
    },
    /** A new session for an account that signed in with the password of this hash, or while it had that password. */
    begin(userId: number, { passwordHash, ...from }: From & { passwordHash: string }): Promise<string> {
      return start(userId, from, 'wrongCredentials', async (_, account) => account.PasswordHash === passwordHash && {})
    },
    /** The session continues under another token; its age stays. */
    async renew(actor: Actor, from: From): Promise<string> {
      const token = await start(
        actor.UserId,
        from,
        'sessionOver',
        async (db) => (await endOpen(db, actor.session, 'renewed')) && { continues: actor.session },
      )
      forget([actor.session], 'renewed')
      return token
    },
    /** The only session that outlives `change`, which replaces the password of this hash. */
    async renewAlone(actor: Actor, { passwordHash, ...from }: From & { passwordHash: string }, change: (db: Db) => Promise<unknown>) {
      let ended: string[] = []
      const token = await start(actor.UserId, from, 'sessionOver', async (db, account) => {
        if (account.PasswordHash !== passwordHash || !(await endOpen(db, actor.session, 'password'))) return false
        await change(db)
        ended = await endSessions(db, [actor.UserId], 'password')
        return {}
      })
      forget(ended, 'password')
      forget([actor.session], 'renewed')
      return token
    },
    async live(userId: number): Promise<boolean> {
      const rows = await db.rows(
        sql`select 1 from session where "UserId" = ${userId} and "EndTime" is null and "LastTime" > now() - make_interval(days => ${lifetime.idleDays}) limit 1`,
      )
      return rows.length > 0
    },
    async end(session: string, reason: string) {
      const ended = await db.tx((db) => endContinued(db, session, reason))
      forget([...new Set([session, ...ended])], reason)
    },
    /** All sessions of people whose rows the transaction `db` has changed. Call the answer after the commit. */
    async endPeople(db: Db, userIds: readonly number[], reason: string) {
      const ended = await endSessions(db, userIds, reason)
      return () => void forget(ended, reason)
    },
    /** Ids of the open sessions of people who are about to be removed. Pass them to `gone` after the commit. */
    openSessionsOf: (userIds: readonly number[]) => openSessionsOf(db, userIds),
    gone: forget,
    /** Removes sessions that ended, or came to the end of their life, before a moment. Answers how many went. */
    async sweep(before: Date) {
      const rows = await db.rows(
        sql`delete from session where "EndTime" < ${before} or "CreateTime" + make_interval(days => ${lifetime.days}) < ${before} returning 1`,
      )
      return rows.length
    },
    /** Rights, zone or language of some people changed: their next call reloads them, and hub connections are checked again. */
    changed,
    onChanged(listener: (of: (actor: Actor) => boolean) => void) {
      watchers.add(listener)
      return () => watchers.delete(listener)
    },
    /** Called when somebody previews a role. */
    onPreview(listener: (actor: Actor, roleId: number) => void) {
      previews.add(listener)
      return () => previews.delete(listener)
    },
    /** Called when a session ends, so that its hub connections close. */
    onEnd(listener: (session: string, reason: string) => void) {
      enders.add(listener)
      return () => enders.delete(listener)
    },
  }
}
