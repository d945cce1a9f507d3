import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { noteDeed } from '../../../../server/identity/note.ts'
import { authorizeAll } from '../../../../server/identity/rights.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { user } from '../../../people/users/contract.ts'
import type { Switch } from '../contract.ts'

/** The caller, or a user of the caller's tenant for those who manage its accounts. */
export const personOf = async (db: Db, actor: Actor, id = actor.UserId, change = false) => {
  if (id !== actor.UserId && !actor.may.has(change ? 'm10402.edit' : 'm10402')) throw notFound()
  const hidden = (name: string) => actor.dataScope?.hidden.user?.has(name) ?? false
  const [row] = await db.rows<{
    UserId: number
    UserNO: string
    EnterpriseId: number
    Email: string | null
    Phone: string | null
    OpenId: string | null
    OpenStatus: number
    Switches: Switch[]
  }>(sql`
    select t."Id" as "UserId", t."UserNO", t."EnterpriseId", case when ${!hidden('Email')} then t."Email" end as "Email",
      case when ${!hidden('Phone')} then t."Phone" end as "Phone", p."OpenId", coalesce(p."OpenStatus", 1) as "OpenStatus", coalesce(p."Switches", '[]') as "Switches"
    from "user" t left join user_push p on p."UserId" = t."Id" where t."Id" = ${id} and ${visible(user, actor)}`)
  if (!row) throw notFound()
  return row
}

export const setting = async (db: Db, actor: Actor, id?: number) => {
  const { OpenId, EnterpriseId: _, UserNO: __, ...rest } = await personOf(db, actor, id)
  return { ...rest, Bound: OpenId ? 1 : 0 }
}

/** Messages that a person receives outside the console. */
export const pushSettings = {
  setting,
  async change(db: Db, actor: Actor, { UserId, OpenStatus, Switches }: { UserId?: number; OpenStatus?: number; Switches?: Switch[] }) {
    const who = await personOf(db, actor, UserId, true)
    await authorizeAll(db, actor, [who.UserId])
    const key = (s: Switch) => `${s.BizType} ${s.Method}`
    // Only disabled switches are stored. The last write wins.
    const off = [...new Map([...who.Switches, ...(Switches ?? [])].map((s) => [key(s), s])).values()].filter((s) => s.On === 0)
    await db.rows(sql`
      insert into user_push ("EnterpriseId", "UserId", "OpenStatus", "Switches") values (${who.EnterpriseId}, ${who.UserId}, ${OpenStatus ?? 1}, ${JSON.stringify(off)}::jsonb)
      on conflict ("UserId") do update set "OpenStatus" = ${OpenStatus ?? who.OpenStatus}, "Switches" = excluded."Switches"`)
    await noteDeed(
      db,
      { ...actor, EnterpriseId: who.EnterpriseId },
      { Resource: 'userPush', RecordId: who.UserId, Verb: 'update' },
      { Title: who.UserNO, OpenStatus: OpenStatus ?? who.OpenStatus, Switches: off },
    )
    return setting(db, actor, UserId)
  },
  async openId(db: Db, actor: Actor, id?: number) {
    const { UserId, OpenId, OpenStatus } = await personOf(db, actor, id)
    return { UserId, OpenId, OpenStatus }
  },
}
