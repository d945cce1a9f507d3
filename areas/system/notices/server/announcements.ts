import { sql } from 'kysely'
import type { Resource } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault, type FieldFault, FieldFaults, notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { isNarrowed } from '../../../../server/identity/dataScope.ts'
import { unknownIds } from '../../../../server/identity/scopedRows.ts'
import type { Listing } from '../../../../server/resource/list.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { store } from '../../../../server/resource/store.ts'
import { organ } from '../../../people/organs/contract.ts'
import { role } from '../../../people/roles/contract.ts'
import { user } from '../../../people/users/contract.ts'
import { notice } from '../contract.ts'
import { cleanRichText } from './richText.ts'
import { addresses } from './service.ts'

type Given = Record<string, unknown>
const rows = store(notice)
const person = user
const zoneOf = (actor: Actor) => actor.zone ?? actor.tenantZone
const announcement = { Field: 'BizType', Value: 7, LogicOP: 2 }

/** The readers of an announcement to an organisation reveal its members. */
const seesOrgans = (actor: Actor) => !actor.dataScope?.hidden.user?.has('BelongOrganId')

/** Recipients must exist and belong to the tenant. */
const checkTargets = async (db: Db, actor: Actor, given: Given, tenant: number, before: Given = {}) => {
  const named = (of: Given, field: string) => (of[field] ?? []) as number[]
  const added = new Set(named(given, 'OrganIds')).difference(new Set(named(before, 'OrganIds')))
  if (added.size && !seesOrgans(actor)) throw new Fault('moreRights')
  const fields = { OrganIds: 'organ', RoleIds: 'role', UserIds: 'user' }
  const bad: FieldFault[] = []
  for (const [field, resource] of Object.entries(fields)) {
    const unknown = await unknownIds(db, actor, resource, { ids: named(given, field), tenant, existing: named(before, field) })
    if (unknown.size) bad.push({ field, rule: 'unknownReference' })
  }
  if (bad.length) throw new FieldFaults(bad)
}

/** Sanitizes the content, and stores empty recipient lists as null. */
const prepared = (given: Given): Given => ({
  ...given,
  ...(typeof given.PushContent === 'string' ? { PushContent: cleanRichText(given.PushContent) } : {}),
  ...Object.fromEntries(['OrganIds', 'RoleIds', 'UserIds'].filter((k) => given[k] === null).map((k) => [k, []])),
})

/** Only announcements can be changed and removed; notices of the server cannot. */
const announced = async (db: Db, actor: Actor, ids: readonly number[]) => {
  const found = await db.rows<{ Id: number; EnterpriseId: number; OrganIds: number[]; RoleIds: number[]; UserIds: number[] }>(
    sql`select "Id", "EnterpriseId", "OrganIds", "RoleIds", "UserIds" from notice t where "Id" = any(${[...new Set(ids)]}::bigint[]) and "BizType" = 7 and ${visible(notice, actor)}`,
  )
  if (found.length !== new Set(ids).size) throw notFound()
  return found
}

/** Narrowed users can change their own announcements, and those to people, roles and organisations that they see. */
const assertOwn = async (db: Db, actor: Actor, ids: readonly number[]) => {
  const found = await announced(db, actor, ids)
  if (!isNarrowed(actor)) return found
  for (const { Id, EnterpriseId: tenant, OrganIds, RoleIds, UserIds } of found) {
    const [written] = await db.rows(
      sql`select 1 from change where "EnterpriseId" = ${tenant} and "Resource" = 'notice' and "RecordId" = ${Id} and "Verb" = 'create' and "UserId" = ${actor.UserId}`,
    )
    if (written) continue
    const named = { organ: OrganIds, role: RoleIds, user: UserIds }
    const unknown = await Promise.all(Object.entries(named).map(([to, ids]) => unknownIds(db, actor, to, { ids, tenant })))
    if (Object.values(named).every((ids) => !ids.length) || unknown.some((ids) => ids.size)) throw new Fault('moreRights')
  }
  return found
}

export const list = (db: Db, actor: Actor, q: Listing) =>
  rows.list(db, actor, { ...q, relation: 1, conditions: [...q.conditions, announcement] })

export const publish = (db: Db, actor: Actor, given: Given) =>
  db.tx(async (db) => {
    await checkTargets(db, actor, given, actor.platform && given.EnterpriseId ? Number(given.EnterpriseId) : actor.EnterpriseId)
    return rows.create(db, actor, prepared(given))
  })

export const change = (db: Db, actor: Actor, given: Given & { Id: number }) =>
  db.tx(async (db) => {
    const [held] = await assertOwn(db, actor, [given.Id])
    await checkTargets(db, actor, given, held!.EnterpriseId, held)
    return rows.update(db, actor, given.Id, prepared(given))
  })

export const remove = async (db: Db, actor: Actor, ids: readonly number[]) => {
  await assertOwn(db, actor, ids)
  return { Removed: await rows.remove(db, actor, ids) }
}

type Reader = { Id: number; UserNO: string; UserName: string; ReadStatus: number; ReadTime: string | null }
export const readers = async (db: Db, actor: Actor, id: number) => {
  await announced(db, actor, [id])
  const Items = await db.rows<Reader>(sql`
    select t."Id", t."UserNO", t."UserName", case when o."ReadTime" is null then 1 else 2 end as "ReadStatus",
      to_char(o."ReadTime" at time zone ${zoneOf(actor)}::text, 'YYYY-MM-DD HH24:MI:SS') as "ReadTime"
    from (select * from notice where "Id" = ${id}) n join "user" t on t."EnterpriseId" = n."EnterpriseId" and t."Status" = 1 and ${addresses('t', 'n', seesOrgans(actor))}
    left join notice_user o on o."NoticeId" = n."Id" and o."UserId" = t."Id"
    where ${visible(person, actor)} order by t."UserName", t."Id" limit 10000`)
  return { Items }
}

export const addressees = async (db: Db, actor: Actor) => {
  const own = (r: object) => sql`"EnterpriseId" = ${actor.EnterpriseId} and ${visible(r as Resource, actor)}`
  const [Items, Organs, Roles] = await db.all([
    sql<{ Id: number; UserNO: string; UserName: string }>`
      select "Id", "UserNO", "UserName" from "user" t where ${own(user)} and "Status" = 1 order by "UserName", "Id" limit 10000`,
    sql<{ Id: number; Name: string }>`select "Id", "OrganName" as "Name" from organ t where ${own(organ)} order by "OrganName" limit 10000`,
    sql<{ Id: number; Name: string }>`select "Id", "RoleName" as "Name" from role t where ${own(role)} order by "RoleName" limit 1000`,
  ])
  return { Items, Organs, Roles }
}
