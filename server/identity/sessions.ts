import { createHash, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { FaultKey } from '../../contract/faults.ts'
import type { Database, Db } from '../database/db.ts'
import { Fault } from '../http/faults.ts'
import type { Actor } from './actor.ts'
import { type ActorRow, actorOf, readActor } from './actorRow.ts'
import { loadDataScope, seesNothing } from './dataScope.ts'
import { installationKey } from './installation.ts'
import { previewOf } from './preview.ts'
import {
  endContinued,
  endOpen,
  endSessions,
  insertSession,
  type LockedAccount,
  lifetime,
  lockAccount,
  openSessionsOf,
} from './sessionRows.ts'
import { makeToken, readToken } from './tokens.ts'
import { concerns, type Whose } from './whose.ts'
import { openZones } from './zones.ts'

/** How long an actor is believed without asking the database: rights taken away are gone within it (security.md S04). */
const believedMs = 4000

/** Resources on which it depends what a narrowed person sees. */
const narrowing = new Set(['project', 'organ', 'user', 'dataPermission'])

export type Ended = { ended: string }
/** Where a session begins, the one role it acts as, and whether its account's password was given. */
type From = { ip: string; agent: string; role?: number | null; byPassword?: boolean }
export type Who = Actor | Ended | undefined

/** `clock` (ms, may be monotonic) ages the cache of actors; `now` is the time of day, epoch ms. */
export class Sessions {
  readonly #db: Db
  readonly #key: KeyObject
  readonly #clock: () => number
  readonly #now: () => number
  /** Identifies this installation without revealing its key. */
  readonly installation: string
  readonly close: () => void
  readonly #believed = new Map<string, { who: Actor; until: number; secretHash: Buffer; used: boolean }>()
  /** Queries under way by session; concurrent calls share one. */
  readonly #loading = new Map<string, { who: Promise<Who>; secretHash: Buffer; used: boolean }>()
  readonly #enders = new Set<(session: string, reason: string) => void>()
  readonly #watchers = new Set<(of: (actor: Actor) => boolean, whose: Whose) => void>()
  readonly #previews = new Set<(actor: Actor, roleId: number) => void>()

  constructor(database: Database, secret: Buffer, clock: () => number, now: () => number) {
    this.#db = database.system
    this.#key = createSecretKey(secret)
    this.#clock = clock
    this.#now = now
    this.installation = createHash('sha256').update('installation').update(secret).digest('hex').slice(0, 12)
    // What a data permission leaves of a tenant depends on rows that come, move and go.
    this.close = database.onChange(({ resource, EnterpriseId }) => {
      if (resource === 'version') this.changed('all')
      if (narrowing.has(resource)) this.changed({ EnterpriseId, narrowed: true })
    })
  }

  async #judged(row: ActorRow, id: string, used: boolean): Promise<Actor | Ended> {
    if (row.Over) return { ended: row.EndReason ?? 'expired' }
    if (!row.Usable) return { ended: row.TenantStatus === 1 ? 'locked' : 'tenant' }
    const actor = actorOf(row, id)
    if (!row.Current && !actor.platform) return { ended: 'expiredTenant' }
    if (row.Stale || (used && row.Unused))
      void this.#db
        .rows(sql`update session set "LastTime" = now(), "UseTime" = case when ${used} then now() else "UseTime" end where "Id" = ${id}`)
        .catch(() => {})
    if (row.Narrowed === null) return { ...actor, ...seesNothing }
    return row.Narrowed && !actor.platform ? { ...actor, ...(await loadDataScope(this.#db, row.UserId, row.RoleId)) } : actor
  }
  async #load(id: string, secretHash: Buffer, used: boolean): Promise<Who> {
    const row = await readActor(this.#db, this.#now(), sql`(select * from session where "Id" = ${id})`)
    return row && timingSafeEqual(row.SecretHash, secretHash) ? this.#judged(row, id, used) : { ended: 'logout' }
  }

  /** Loads the actor, one query for all concurrent calls. A result is not cached if the session ended or changed during the query. */
  #ask(id: string, secretHash: Buffer, used: boolean): Promise<Who> {
    const shared = this.#loading.get(id)
    if (shared && (shared.used || !used) && timingSafeEqual(shared.secretHash, secretHash)) return shared.who
    const until = this.#clock() + believedMs
    const answer = this.#load(id, secretHash, used).then((who) => {
      if (this.#loading.get(id)?.who !== answer) return who
      this.#loading.delete(id)
      if (this.#believed.size > 10_000) this.#believed.clear()
      if (who && !('ended' in who)) this.#believed.set(id, { who, until, secretHash, used })
      else this.#believed.delete(id)
      return who
    })
    this.#loading.set(id, { who: answer, secretHash, used })
    answer.catch(() => this.#loading.get(id)?.who === answer && this.#loading.delete(id))
    return answer
  }

  /** These sessions are over: forgets them and closes their hub connections. */
  gone(ids: readonly string[], reason: string) {
    for (const id of ids) {
      this.#believed.delete(id)
      this.#loading.delete(id)
      for (const listener of this.#enders) listener(id, reason)
    }
    return ids.length
  }

  /** Rights, zone or language of some people changed: their next call reloads them, and hub connections are checked again. */
  changed(whose: Whose) {
    const of = concerns(whose)
    this.#loading.clear()
    for (const [id, { who }] of this.#believed) if (of(who)) this.#believed.delete(id)
    for (const listener of this.#watchers) listener(of, whose)
  }

  /** Begins a session if the account may act and `vouch` agrees; both are asked under the account's lock. */
  async #start(
    userId: number,
    { ip, agent, role = null, byPassword = false }: From,
    refusal: FaultKey,
    vouch: (db: Db, account: LockedAccount) => Promise<{ continues?: string } | false>,
  ): Promise<string> {
    const { token, ...made } = makeToken(this.#key)
    const displaced = await this.#db.tx(async (db) => {
      const account = await lockAccount(db, userId, new Date(this.#now()))
      const vouched = account && (await vouch(db, account))
      if (!vouched) throw new Fault(refusal)
      return insertSession(db, account, { ...made, userId, ip, agent, role, byPassword }, vouched.continues)
    })
    this.gone(displaced, 'displaced')
    return token
  }

  /** A person acting without a session, with one role where one is given: a program or work in the background. `name` replaces its id. */
  async actorOf(userId: number, name: string, role: number | null = null): Promise<Who> {
    const none = sql`(select ''::bytea as "SecretHash", null::text as "EndReason", ${role}::bigint as "RoleId", ${userId}::bigint as "UserId", null::timestamptz as "EndTime", now() as "CreateTime", now() as "LastTime", now() as "UseTime")`
    const row = await readActor(this.#db, this.#now(), none)
    return row && this.#judged(row, name, true)
  }
  /** The actor behind a token; how it ended; or nothing for a token we did not make. `used`: a person made the call, not a background refresh of a screen. */
  async who(token: string, used = true): Promise<Who> {
    const read = readToken(this.#key, token)
    if (!read) return
    const { id, secretHash } = read
    const cached = this.#believed.get(id)
    const left = (cached?.until ?? 0) - this.#clock()
    if (!cached || left <= 0 || (used && !cached.used) || !timingSafeEqual(cached.secretHash, secretHash))
      return this.#ask(id, secretHash, used)
    // Refresh ahead of expiry, so that no call waits. If the database is down, the next call reports it.
    if (left < believedMs / 2) void this.#ask(id, secretHash, used).catch(() => {})
    return cached.who
  }
  /** Nothing has changed since this actor was loaded, a moment ago. */
  isCurrent(who: Actor) {
    const cached = this.#believed.get(who.session)
    return cached?.who === who && cached.until > this.#clock()
  }
  /** The actor as one who had this role alone would be, to look and not to touch; notFound for roles he does not see. */
  async asRole(actor: Actor, roleId: number): Promise<Actor> {
    const preview = await previewOf(this.#db, actor, roleId)
    for (const listener of this.#previews) listener(actor, roleId)
    return preview
  }
  /** A new session for an account that signed in with the password of this hash, or while it had that password. */
  begin(userId: number, { passwordHash, ...from }: From & { passwordHash: string }): Promise<string> {
    return this.#start(userId, from, 'wrongCredentials', async (_, account) => account.PasswordHash === passwordHash && {})
  }
  /** The session continues under another token; its age stays. */
  async renew(actor: Actor, from: From): Promise<string> {
    const token = await this.#start(
      actor.UserId,
      from,
      'sessionOver',
      async (db) => (await endOpen(db, actor.session, 'renewed')) && { continues: actor.session },
    )
    this.gone([actor.session], 'renewed')
    return token
  }
  /** The only session that outlives `change`, which replaces the password of this hash. */
  async renewAlone(actor: Actor, { passwordHash, ...from }: From & { passwordHash: string }, change: (db: Db) => Promise<unknown>) {
    let ended: string[] = []
    const token = await this.#start(actor.UserId, from, 'sessionOver', async (db, account) => {
      if (account.PasswordHash !== passwordHash || !(await endOpen(db, actor.session, 'password'))) return false
      await change(db)
      ended = await endSessions(db, [actor.UserId], 'password')
      return {}
    })
    this.gone(ended, 'password')
    this.gone([actor.session], 'renewed')
    return token
  }
  async live(userId: number): Promise<boolean> {
    const rows = await this.#db.rows(
      sql`select 1 from session where "UserId" = ${userId} and "EndTime" is null and "LastTime" > now() - make_interval(days => ${lifetime.idleDays}) limit 1`,
    )
    return rows.length > 0
  }
  async end(session: string, reason: string) {
    const ended = await this.#db.tx((db) => endContinued(db, session, reason))
    this.gone([...new Set([session, ...ended])], reason)
  }
  /** All sessions of people whose rows the transaction `db` has changed. Call the answer after the commit. */
  async endPeople(db: Db, userIds: readonly number[], reason: string) {
    const ended = await endSessions(db, userIds, reason)
    return () => void this.gone(ended, reason)
  }
  /** Ids of the open sessions of people who are about to be removed. Pass them to `gone` after the commit. */
  openSessionsOf(userIds: readonly number[]) {
    return openSessionsOf(this.#db, userIds)
  }
  /** Removes sessions that ended, or came to the end of their life, before a moment. Answers how many went. */
  async sweep(before: Date) {
    const rows = await this.#db.rows(
      sql`delete from session where "EndTime" < ${before} or "CreateTime" + make_interval(days => ${lifetime.days}) < ${before} returning 1`,
    )
    return rows.length
  }
  onChanged(listener: (of: (actor: Actor) => boolean, whose: Whose) => void) {
    this.#watchers.add(listener)
    return () => this.#watchers.delete(listener)
  }
  /** Called when somebody previews a role. */
  onPreview(listener: (actor: Actor, roleId: number) => void) {
    this.#previews.add(listener)
    return () => this.#previews.delete(listener)
  }
  /** Called when a session ends, so that its hub connections close. */
  onEnd(listener: (session: string, reason: string) => void) {
    this.#enders.add(listener)
    return () => this.#enders.delete(listener)
  }
}

export const openSessions = async (database: Database, clock: () => number, now: () => number = Date.now) => {
  await openZones(database.system)
  return new Sessions(database, await installationKey(database.system, 'token'), clock, now)
}
