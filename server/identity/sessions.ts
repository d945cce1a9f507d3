import { createHash, createSecretKey, timingSafeEqual } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { type Language, languages } from '../../contract/languages.ts'
import type { Database } from '../database/db.ts'
import { Fault, notFound } from '../http/faults.ts'
import type { Actor } from './actor.ts'
import { isBroader, loadDataScope } from './dataScope.ts'
import { installationKey } from './installation.ts'
import { codesOf, exceeds, type Granting, licensedOf } from './rights.ts'
import { makeToken, readToken } from './tokens.ts'
import { openZones, zoneOrUtc } from './zones.ts'

/** Days a session lives at most, and without a call. */
const lifetime = { days: 30, idleDays: 7 }
/** How long an actor is believed without asking the database: rights taken away are gone within it (security.md S04). */
const believedMs = 4000

/** Resources on which it depends what a narrowed person sees. */
const narrowing = new Set(['project', 'organ', 'user', 'dataPermission'])

/** All that an account may see that must choose its password first. */
const passwordScreen = 'm10401'

export type Ended = { ended: string }
export type Who = Actor | Ended | undefined

type Row = {
  SecretHash: Buffer
  EndReason: string | null
  Over: boolean
  UserId: number
  EnterpriseId: number
  TimeZoneKey: string | null
  TenantZone: string
  Language: string | null
  Usable: boolean
  TenantStatus: number
  /** The tenant's time has begun and is not over. */
  Current: boolean
  TenantCodes: string[] | null
  /** A data permission narrows what he sees. */
  Narrowed: boolean
  /** Its last call is a while ago. */
  Stale: boolean
  /** The last call that was somebody's is. */
  Unused: boolean
  MustChangePwd: number
  IsPlatform: number | null
  IsAdmin: boolean | null
  MenuCodes: string[]
  AllProjects: boolean | null
  ProjectIds: number[] | null
  RoleId: number | null
}

const actorOf = (row: Row, id: string): Actor => {
  const platform = row.IsPlatform === 1
  const licensed = platform ? undefined : licensedOf(row.TenantCodes)
  const codes = codesOf({ platform, admin: row.IsAdmin === true, codes: row.MenuCodes })
  const may = new Set(row.MustChangePwd ? [passwordScreen] : codes.filter((code) => licensed?.has(code) ?? true))
  return {
    UserId: row.UserId,
    EnterpriseId: row.EnterpriseId,
    platform,
    projects: platform || row.AllProjects ? 'all' : (row.ProjectIds ?? []),
    may,
    ...(row.MustChangePwd ? { mustChangePassword: true } : {}),
    ...(licensed ? { licensed } : {}),
    zone: row.TimeZoneKey && zoneOrUtc(row.TimeZoneKey),
    tenantZone: zoneOrUtc(row.TenantZone),
    language: languages.includes(row.Language as Language) ? (row.Language as Language) : 'zh',
    role: row.RoleId,
    session: id,
  }
}

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
  const read = async (s: RawBuilder<unknown>): Promise<Row | undefined> => {
    const today = new Date(now())
    const [row] = await db.rows<Row>(sql`
      select s."SecretHash", s."EndReason", s."RoleId", u."Id" as "UserId", u."EnterpriseId", u."TimeZoneKey", e."TimeZoneKey" as "TenantZone",
        coalesce(u."Language", e."Language") as "Language", u."MustChangePwd",
        u."Status" = 1 and u."IsLock" = 0 and coalesce(u."ValidTo" > ${today}, true) and e."Status" = 1 as "Usable", e."Status" as "TenantStatus",
        coalesce(e."GrantFrom" <= ${today}, true) and coalesce(e."GrantTo" > ${today}, true) as "Current",
        coalesce(e."MenuCodes", (select array(select jsonb_array_elements_text(v."MenuCodes")) from version v where v."Id" = e."VersionId")) as "TenantCodes",
        s."EndTime" is not null or s."CreateTime" < now() - make_interval(days => ${lifetime.days}) or s."LastTime" < now() - make_interval(days => ${lifetime.idleDays})
          or coalesce(s."UseTime" < now() - make_interval(mins => e."IdleMinutes"), false) as "Over",
        s."LastTime" < now() - interval '1 minute' as "Stale", s."UseTime" < now() - interval '1 minute' as "Unused",
        r."IsPlatform", r."IsAdmin", r."MenuCodes", r."AllProjects", r."ProjectIds", coalesce(r."Narrowed", false) as "Narrowed"
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
  const judged = async (row: Row, id: string, used: boolean): Promise<Actor | Ended> => {
    if (row.Over) return { ended: row.EndReason ?? 'expired' }
    if (!row.Usable) return { ended: row.TenantStatus === 1 ? 'locked' : 'tenant' }
    const actor = actorOf(row, id)
    if (!row.Current && !actor.platform) return { ended: 'expiredTenant' }
    if (row.Stale || (used && row.Unused))
      void db
        .rows(sql`update session set "LastTime" = now(), "UseTime" = case when ${used} then now() else "UseTime" end where "Id" = ${id}`)
        .catch(() => {})
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
    /** The actor as one who had this role alone would be, to look and not to touch; notFound for roles he does not see. */
    async asRole(actor: Actor, roleId: number): Promise<Actor> {
      const [role] = await db.rows<Granting & { EnterpriseId: number; TenantCodes: string[] | null; Narrowed: boolean }>(sql`
        select r."EnterpriseId", r."RouteRole", r."IsPlatform", r."MenuCodes", r."ProjectIds", r."DataScope",
          coalesce(e."MenuCodes", (select array(select jsonb_array_elements_text(v."MenuCodes")) from version v where v."Id" = e."VersionId")) as "TenantCodes",
          r."DataScope" <> 5 or exists (select 1 from role_data_permission x where x."RoleId" = r."Id") as "Narrowed"
        from role r join enterprise e on e."Id" = r."EnterpriseId"
        where r."Id" = ${roleId} and (${actor.platform} or r."EnterpriseId" = ${actor.EnterpriseId})`)
      if (!role || !actor.may.has('m10403')) throw notFound()
      if (exceeds(actor, [role])) throw new Fault('moreRights')
      const platform = role.IsPlatform === 1
      const licensed = platform ? undefined : licensedOf(role.TenantCodes)
      const codes = codesOf({ platform, admin: role.RouteRole === 'admin', codes: role.MenuCodes })
      const { dataScope: _, licensed: __, ...plain } = actor
      const preview =
        role.Narrowed && !platform ? await loadDataScope(db, actor.UserId, roleId) : { projects: role.ProjectIds ?? ('all' as const) }
      if (!actor.platform && isBroader(preview, actor)) throw new Fault('moreRights')
      for (const listener of previews) listener(actor, roleId)
      return {
        ...plain,
        ...(licensed ? { licensed } : {}),
        EnterpriseId: role.EnterpriseId,
        platform,
        may: new Set(codes.filter((code) => licensed?.has(code) ?? true)),
        ...preview,
        preview: true,
      }
    },
    /** A new session, acting as one role where one is named; the oldest beyond `most` are displaced. */
    async begin(
      userId: number,
      { most, ip, agent, role = null }: { most: number; ip: string; agent: string; role?: number | null },
    ): Promise<string> {
      const made = makeToken(key)
      const displaced = await db.tx(async (db) => {
        await db.rows(sql`update "user" set "LastLoginTime" = now(), "LastLoginIp" = ${ip} where "Id" = ${userId}`)
        await db.rows(
          sql`insert into session ("Id", "UserId", "SecretHash", "Ip", "Agent", "RoleId") values (${made.id}, ${userId}, ${made.secretHash}, ${ip}, ${agent.slice(0, 300)}, ${role})`,
        )
        return db.rows<{ Id: string }>(sql`
          update session set "EndTime" = now(), "EndReason" = 'displaced' where "Id" in (
            select "Id" from session where "UserId" = ${userId} and "EndTime" is null order by "CreateTime" desc, "Id" = ${made.id} desc offset ${most}) returning "Id"`)
      })
      forget(
        displaced.map((s) => s.Id),
        'displaced',
      )
      return made.token
    },
    async live(userId: number): Promise<boolean> {
      const rows = await db.rows(
        sql`select 1 from session where "UserId" = ${userId} and "EndTime" is null and "LastTime" > now() - make_interval(days => ${lifetime.idleDays}) limit 1`,
      )
      return rows.length > 0
    },
    async end(session: string, reason: string) {
      await db.rows(sql`update session set "EndTime" = now(), "EndReason" = ${reason} where "Id" = ${session} and "EndTime" is null`)
      forget([session], reason)
    },
    /** All sessions of a person; the one that asks is renewed by the caller. */
    async endAll(userId: number, reason: string, asking = '') {
      const rows = await db.rows<{ Id: string }>(
        sql`update session set "EndTime" = now(), "EndReason" = ${reason} where "UserId" = ${userId} and "EndTime" is null returning "Id"`,
      )
      for (const { Id } of rows) forget([Id], Id === asking ? 'renewed' : reason)
    },
    /** All sessions of several people. */
    async endPeople(userIds: readonly number[], reason: string) {
      const rows = await db.rows<{ Id: string }>(
        sql`update session set "EndTime" = now(), "EndReason" = ${reason} where "UserId" = any(${userIds}::bigint[]) and "EndTime" is null returning "Id"`,
      )
      forget(
        rows.map((s) => s.Id),
        reason,
      )
    },
    /** Ids of the open sessions of people who are about to be removed. Pass them to `gone` after the commit. */
    async openSessionsOf(userIds: readonly number[]) {
      const rows = await db.rows<{ Id: string }>(
        sql`select "Id" from session where "UserId" = any(${userIds}::bigint[]) and "EndTime" is null`,
      )
      return rows.map((s) => s.Id)
    },
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
