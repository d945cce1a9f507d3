// How sessions begin and end in the database. Every transaction that begins one locks the account first, and so does everything that ends
// sessions for a reason (a password, a lock, a sign-out). A session therefore begins before such an end, which ends it too, or not at all.
import { sql } from 'kysely'
import type { Db } from '../database/db.ts'

/** Sessions of an account where its tenant does not insist on one (ruling 13). */
const severalSessions = 5

/** Days a session lives at most, and without a call. */
export const lifetime = { days: 30, idleDays: 7 }
/** Whether the account `u` of the tenant `e` may act: neither is closed, locked or past its end. */
export const isUsable = (today: Date) =>
  sql<boolean>`(u."Status" = 1 and u."IsLock" = 0 and coalesce(u."ValidTo" > ${today}, true) and e."Status" = 1)`

export type LockedAccount = { PasswordHash: string; SingleLogin: number }

/** Locks the tenant against closing and the account against changes until the transaction ends; nothing for an account that may not act. */
export const lockAccount = async (db: Db, userId: number, today: Date): Promise<LockedAccount | undefined> => {
  // In a statement of its own: after a wait, PostgreSQL rereads only the rows that it locks.
  await db.rows(sql`select 1 from enterprise where "Id" = (select "EnterpriseId" from "user" where "Id" = ${userId}) for share`)
  const [account] = await db.rows<LockedAccount & { Usable: boolean }>(sql`
    select u."PasswordHash", e."SingleLogin", ${isUsable(today)} as "Usable"
    from "user" u join enterprise e on e."Id" = u."EnterpriseId" where u."Id" = ${userId} for no key update of u`)
  return account?.Usable ? account : undefined
}

/** `byPassword`: it begins with the password of the account, not by another way in. */
export type NewSession = {
  id: string
  secretHash: Buffer
  userId: number
  ip: string
  agent: string
  role: number | null
  byPassword: boolean
}

/**
 * A session of a locked account, which continues another where `continues` names one: its time, and how it began, are then those of the first
 * sign-in.
 * Answers the ids of the sessions that it displaced.
 */
export const insertSession = async (
  db: Db,
  { SingleLogin }: LockedAccount,
  { id, secretHash, userId, ip, agent, role, byPassword }: NewSession,
  continues?: string,
) => {
  const most = SingleLogin === 1 ? 1 : severalSessions
  const [, , displaced] = await db.all([
    sql`update "user" set "LastLoginTime" = now(), "LastLoginIp" = ${ip} where "Id" = ${userId}`,
    sql`
      insert into session ("Id", "UserId", "SecretHash", "Ip", "Agent", "RoleId", "CreateTime", "ByPassword") values (${id}, ${userId}, ${secretHash}, ${ip},
        ${agent.slice(0, 300)}, ${role}, coalesce((select "CreateTime" from session where "Id" = ${continues ?? null}), now()),
        coalesce((select "ByPassword" from session where "Id" = ${continues ?? null}), ${byPassword ? 1 : 0}::smallint))`,
    sql<{ Id: string }>`
      update session set "EndTime" = now(), "EndReason" = 'displaced' where "Id" in (
        select "Id" from session where "UserId" = ${userId} and "EndTime" is null order by "Id" = ${id} desc, "CreateTime" desc offset ${most})
      returning "Id"`,
  ])
  return displaced.map((s) => s.Id)
}

/** Ends one session of a locked account; false where it was over already. */
export const endOpen = async (db: Db, session: string, reason: string) => {
  const ended = await db.rows(
    sql`update session set "EndTime" = now(), "EndReason" = ${reason} where "Id" = ${session} and "EndTime" is null returning 1`,
  )
  return ended.length > 0
}

/** Ends a session, and what continues it where it was renewed a moment ago: both have the same beginning. */
export const endContinued = async (db: Db, session: string, reason: string) => {
  await db.rows(sql`select 1 from "user" where "Id" = (select "UserId" from session where "Id" = ${session}) for no key update`)
  const ended = await db.rows<{ Id: string }>(sql`
    update session s set "EndTime" = now(), "EndReason" = ${reason} from session of
    where of."Id" = ${session} and s."UserId" = of."UserId" and s."CreateTime" = of."CreateTime" and s."EndTime" is null returning s."Id"`)
  return ended.map((s) => s.Id)
}

/** Ends all sessions of people whose rows the transaction has changed or locked. */
export const endSessions = async (db: Db, userIds: readonly number[], reason: string) => {
  const ended = await db.rows<{ Id: string }>(
    sql`update session set "EndTime" = now(), "EndReason" = ${reason} where "UserId" = any(${userIds}::bigint[]) and "EndTime" is null returning "Id"`,
  )
  return ended.map((s) => s.Id)
}

export const openSessionsOf = async (db: Db, userIds: readonly number[]) => {
  const rows = await db.rows<{ Id: string }>(sql`select "Id" from session where "UserId" = any(${userIds}::bigint[]) and "EndTime" is null`)
  return rows.map((s) => s.Id)
}

/** Whether a session began with the password of its account. */
export const beganByPassword = async (db: Db, session: string): Promise<boolean> =>
  (await db.rows(sql`select 1 from session where "Id" = ${session} and "ByPassword" = 1`)).length > 0
