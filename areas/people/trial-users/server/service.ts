// Trial accounts (ruling 34b): visitors enter a name and a phone number and get a read-only account of the tenant for some days,
// immediately or after approval. Visitors are anonymous, so every request is counted and limited.
import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { Language } from '../../../../contract/languages.ts'
import type { Row } from '../../../../contract/resource.ts'
import type { Delivery } from '../../../../server/channels/delivery.ts'
import type { Database, Db } from '../../../../server/database/db.ts'
import { tenantLocks } from '../../../../server/database/locks.ts'
import { networkOf } from '../../../../server/http/addresses.ts'
import { Fault } from '../../../../server/http/faults.ts'
import { word } from '../../../../server/http/words.ts'
import { type Actor, serverActor } from '../../../../server/identity/actor.ts'
import { checkNewPassword, hashPassword } from '../../../../server/identity/passwords.ts'
import type { Sessions } from '../../../../server/identity/sessions.ts'
import { trialRole } from '../../../../server/identity/setup.ts'
import { record, store } from '../../../../server/resource/store.ts'
import { notify } from '../../../system/notices/server/service.ts'
import { usersService } from '../../users/server/service.ts'
import { trialDays, trialLimits, trialUser } from '../contract.ts'

const rows = store(trialUser)
const described = trialUser
const biz = 11
const dayMs = 86_400_000
/** Without ambiguous letters and digits. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
const accountName = () => `trial_${Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join('')}`
const utc = (time: Date) => time.toISOString().slice(0, 16).replace('T', ' ')

type Tenant = { Id: number; Name: string; TrialUsers: 0 | 1 | 2; PasswordMin: number | null }
type Asked = { Slug?: string; TrialName: string; Phone: string; Email?: string; Pwd: string }
type Held = Row<typeof trialUser> & { Language: Language }
export type Trials = ReturnType<typeof trialService>

/** Refuses requests above the limits per network, day and tenant, and repeated phone numbers. */
const assertWithinLimits = async (db: Db, tenant: Tenant, ip: string, phone: string, now: number) => {
  const since = (ms: number) => new Date(now - ms)
  const [n] = await db.rows<{ hour: string[]; day: number; waiting: number; phone: number }>(sql`
    select coalesce(array_agg("Ip") filter (where "CreateTime" > ${since(3_600_000)}), '{}') as hour, count(*)::int as day,
      (select count(*)::int from trial_user where "EnterpriseId" = ${tenant.Id} and "Status" = 0) as waiting,
      (select count(*)::int from trial_user where "EnterpriseId" = ${tenant.Id} and "Phone" = ${phone}
        and ("Status" = 0 or "ExpireTime" > ${since(0)})) as phone
    from trial_user where "EnterpriseId" = ${tenant.Id} and "CreateTime" > ${since(dayMs)}`)
  const ofNetwork = n!.hour.filter((address) => networkOf(address) === networkOf(ip)).length
  if (ofNetwork >= trialLimits.addressAnHour || n!.day >= trialLimits.aDay || n!.waiting >= trialLimits.waiting) throw new Fault('tooMany')
  if (n!.phone) throw new Fault('trialTwice')
}

/** Locks an open request that the actor can see until the transaction ends. */
const waiting = async (db: Db, actor: Actor, id: number): Promise<Held> => {
  const row = await rows.find(db, actor, id)
  const [held] = await db.rows<Pick<Held, 'Language'>>(
    sql`select "Language" from trial_user where "Id" = ${id} and "Status" = 0 for update`,
  )
  if (!held) throw new Fault('trialAnswered')
  return { ...row, ...held }
}

export const trialService = (database: Database, sessions: Sessions, delivery: Pick<Delivery, 'deliver'>, clock: () => number) => {
  const system = database.system
  const users = usersService(database, sessions)
  const tenantOf = async (slug: string | undefined) =>
    (
      await system.rows<Tenant>(sql`
        select "Id", "Name", "TrialUsers", "PasswordMin" from enterprise
        where "TrialUsers" > 0 and "Status" = 1 and ${slug ? sql`"Slug" = ${slug}` : sql`true`} order by "Id" limit 1`)
    )[0]

  const write = async (db: Db, { EnterpriseId, Id, Email, Language, UserNO }: Held, name: 'given' | 'refused', until: Date) => {
    if (!Email) return
    const values = {
      title: word(Language, `trial.${name}Title`),
      content: word(Language, `trial.${name}Text`, { account: String(UserNO), until: utc(until) }),
    }
    await delivery.deliver(db, { EnterpriseId, Method: 'email', BizType: biz, address: Email, values, Source: `trial ${Id} ${name}` })
  }

  /** Creates the account of a request, with the visitor's password; the approver needs at least its permissions. */
  const open = async (db: Db, actor: Actor, row: Held) => {
    const { EnterpriseId, Id } = row
    const [held] = await db.rows<{ hash: string }>(sql`delete from trial_password where "TrialId" = ${Id} returning "PasswordHash" as hash`)
    const until = new Date(clock() + trialDays * dayMs)
    const account = { EnterpriseId, UserNO: row.UserNO, UserName: row.TrialName, Phone: row.Phone, Email: row.Email }
    const made = await users.createIn(
      db,
      actor,
      { ...account, RoleIds: [await trialRole(db, EnterpriseId)] },
      { OneTimePwd: '', hash: held!.hash },
    )
    await db.rows(sql`update "user" set "MustChangePwd" = 0, "ValidTo" = ${until} where "Id" = ${made.Id}`)
    await db.rows(
      sql`update trial_user set "Status" = 1, "UserId" = ${made.Id}, "ExpireTime" = ${until}, "UpdateTime" = now() where "Id" = ${Id}`,
    )
    await write(db, row, 'given', until)
  }

  const answered = async (actor: Actor, id: number, work: (db: Db, row: Held) => Promise<unknown>) => {
    await system.tx(async (db) => {
      const row = await waiting(db, actor, id)
      await work(db, row)
      await record(db, actor, described, 'update', id, row.EnterpriseId, row, await rows.find(db, actor, id))
    })
    return rows.find(database.as(actor), actor, id)
  }

  return {
    async offer(slug: string | undefined) {
      const tenant = await tenantOf(slug)
      return { Offered: tenant !== undefined, AtOnce: tenant?.TrialUsers === 2, Days: trialDays, PasswordMin: tenant?.PasswordMin ?? 8 }
    },
    async ask({ Slug, Pwd, ...asked }: Asked, ip: string, language: Language) {
      const tenant = await tenantOf(Slug)
      if (!tenant) throw new Fault('trialsOff')
      const Phone = asked.Phone.replace(/[ ()-]/g, '')
      // Checked before the expensive hash, and again under the lock.
      await assertWithinLimits(system, tenant, ip, Phone, clock())
      checkNewPassword(Pwd, [asked.TrialName, Phone, tenant.Name], tenant.PasswordMin ?? undefined)
      const hash = await hashPassword(Pwd)
      const UserNO = accountName()
      const actor = serverActor(tenant.Id)
      const made = await system.tx(async (db) => {
        await db.rows(sql`select pg_advisory_xact_lock(${tenantLocks.trials}, ${tenant.Id}::int)`)
        await assertWithinLimits(db, tenant, ip, Phone, clock())
        const [{ Id }] = (await db.rows<{ Id: number }>(sql`
          insert into trial_user ("EnterpriseId", "TrialName", "Phone", "Email", "Status", "UserNO", "Ip", "Language", "CreateTime")
          values (${tenant.Id}, ${asked.TrialName.trim()}, ${Phone}, ${asked.Email ?? null}, 0, ${UserNO}, ${ip}, ${language}, ${new Date(clock())}) returning "Id"`)) as [
          { Id: number },
        ]
        await db.rows(sql`insert into trial_password ("TrialId", "PasswordHash") values (${Id}, ${hash})`)
        const row = await rows.find(db, actor, Id)
        await record(db, actor, described, 'create', Id, tenant.Id, null, row)
        if (tenant.TrialUsers === 2) await open(db, actor, { ...row, Language: language })
        else
          await notify(db, {
            EnterpriseId: tenant.Id,
            BizType: biz,
            Wording: 'trialAsked',
            WordValues: { TrialName: row.TrialName, Phone },
            Source: `trial ${Id}`,
            Permission: 'm10455.grant',
            ObjectType: trialUser.name,
            ObjectId: Id,
          })
        return rows.find(db, actor, Id)
      })
      return { UserNO, ExpireTime: made.ExpireTime }
    },
    grant: (actor: Actor, id: number) => answered(actor, id, (db, row) => open(db, actor, row)),
    refuse: (actor: Actor, id: number) =>
      answered(actor, id, async (db, row) => {
        await db.rows(sql`delete from trial_password where "TrialId" = ${id}`)
        await db.rows(sql`update trial_user set "Status" = 2, "UpdateTime" = now() where "Id" = ${id}`)
        await write(db, row, 'refused', new Date(clock()))
      }),
  }
}

/**
 * Removes expired trial accounts to make room for others; the log of requests stays. Accounts with an extended period or with references
 * stay, too. Returns the number of removed accounts.
 */
export const forgetTrials = async (database: Database, sessions: Sessions, now: Date): Promise<number> => {
  const users = usersService(database, sessions)
  const system = database.system
  const over = await system.rows<{ Id: number; UserId: number; EnterpriseId: number }>(sql`
    select t."Id", t."UserId", t."EnterpriseId" from trial_user t join "user" u on u."Id" = t."UserId" and u."ValidTo" <= ${now}
    where t."UserId" is not null and t."ExpireTime" <= ${now}`)
  let count = 0
  for (const { Id, UserId, EnterpriseId } of over)
    try {
      count += await users.remove(system, serverActor(EnterpriseId), [UserId])
      await system.rows(sql`update trial_user set "UserId" = null where "Id" = ${Id}`)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
    }
  return count
}
