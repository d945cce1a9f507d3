// Notices of a reader. Visible, counted and readable notices use the same condition, so a badge always equals its list (ruling 26).
import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Page } from '../../../../contract/call.ts'
import type { Language } from '../../../../contract/languages.ts'
import { shortened } from '../../../../contract/text.ts'
import type { Db } from '../../../../server/database/db.ts'
import { notFound } from '../../../../server/http/faults.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { countedTo, filters, type Listing, paged } from '../../../../server/resource/list.ts'
import { and, type Sql, table, visible } from '../../../../server/resource/sql.ts'
import { type AlarmFacts, nameIn, sentenceIn, unhandled } from '../../../alarms/alarms/server/service.ts'
import { gateway } from '../../../configuration/gateways/contract.ts'
import { trialUser } from '../../../people/trial-users/contract.ts'
import { user } from '../../../people/users/contract.ts'
import { type BizType, type NoticeCounts, type NoticeItem, type NoticeTab, notice, noticeTabs } from '../contract.ts'
import { cleanRichText } from './richText.ts'

export { cleanRichText }

type Item = Static<typeof NoticeItem>
/** For an alarm, also the facts of its value: each reader gets them in his language. */
type WordValues = { [name: string]: string | number | AlarmFacts } & { Facts?: AlarmFacts }
const valuesIn = ({ Facts, ...values }: WordValues, language: Language): Record<string, string | number> => ({
  ...(values as Record<string, string | number>),
  ...(typeof values.RuleName === 'string' ? { RuleName: nameIn(language, { RuleName: values.RuleName }) } : {}),
  ...(Facts ? { Value: sentenceIn(language, Facts, null) || '-' } : {}),
})
type Held = Item & { Wording: string | null; WordValues: WordValues | null }

/** A notice of the server: its words (`notice.made.<Wording>`), subject, recipients, and the key that prevents repeats. */
export type Made = {
  EnterpriseId: number
  BizType: Exclude<BizType, 7>
  Wording: string
  WordValues: WordValues
  /** Notices with the same Source in a tenant are stored once. */
  Source: string
  /** Restricts the recipients: people with access to the project, holders of the permission, and the named people. */
  ProjectId?: number | null
  Permission?: string
  UserIds?: readonly number[]
  /** Target of the notice: resource name and Id. */
  ObjectType?: string
  ObjectId?: number
}

/** Stores notices of the server, and returns the number of new ones. Consoles are notified after the commit. */
export const notifyAll = async (db: Db, all: readonly Made[]): Promise<number> => {
  const given = all.map(({ ProjectId = null, Permission = null, ObjectType = null, ObjectId = null, UserIds = [], ...made }) => ({
    ...{ ...made, ProjectId, Permission, ObjectType, ObjectId, UserIds },
    PushTitle: shortened(word('en', `notice.made.${made.Wording}`, valuesIn(made.WordValues, 'en')), 200),
  }))
  const rows = await db.rows<{ Id: number; EnterpriseId: number; ProjectId: number | null }>(sql`
    insert into notice ("EnterpriseId", "BizType", "PushTitle", "Wording", "WordValues", "Source", "ProjectId", "Permission", "UserIds", "ObjectType", "ObjectId")
    select "EnterpriseId", "BizType", "PushTitle", "Wording", "WordValues", "Source", "ProjectId", "Permission", "UserIds", "ObjectType", "ObjectId"
    from rows from (jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as ("EnterpriseId" bigint, "BizType" smallint, "PushTitle" text, "Wording" text,
      "WordValues" jsonb, "Source" text, "ProjectId" bigint, "Permission" text, "UserIds" jsonb, "ObjectType" text, "ObjectId" bigint)) with ordinality
    order by ordinality
    on conflict ("EnterpriseId", "Source") do nothing returning "Id", "EnterpriseId", "ProjectId"`)
  for (const { Id, EnterpriseId, ProjectId } of rows) db.emit({ resource: notice.name, id: Id, verb: 'create', EnterpriseId, ProjectId })
  return rows.length
}
/** A notice that counts repetitions: sending it again increases `Count`. */
export type Flood = Made & { Count: number }
export const addUp = async (db: Db, floods: readonly Flood[]) => {
  for (const { EnterpriseId, BizType, Wording, WordValues, Source, ProjectId = null, Permission = null, ...more } of floods) {
    const { ObjectType = null, ObjectId = null, Count } = more
    const [row] = await db.rows<{ Id: number; isNew: boolean }>(sql`
      insert into notice ("EnterpriseId", "BizType", "PushTitle", "Wording", "WordValues", "Source", "ProjectId", "Permission", "ObjectType", "ObjectId")
      values (${EnterpriseId}, ${BizType}, ${word('en', `notice.made.${Wording}`, valuesIn(WordValues, 'en'))}, ${Wording}, ${JSON.stringify(WordValues)}::jsonb, ${Source}, ${ProjectId}, ${Permission}, ${ObjectType}, ${ObjectId})
      on conflict ("EnterpriseId", "Source") do update set "ObjectId" = excluded."ObjectId", "UpdateTime" = now(),
        "WordValues" = notice."WordValues" || jsonb_build_object('Count', (notice."WordValues" ->> 'Count')::int + ${Count}::int)
      returning "Id", xmax = 0 as "isNew"`)
    db.emit({ resource: notice.name, id: row!.Id, verb: row!.isNew ? 'create' : 'update', EnterpriseId, ProjectId })
  }
}
/** Stores one notice; false if it was sent before. */
export const notify = async (db: Db, made: Made): Promise<boolean> => (await notifyAll(db, [made])) > 0

/** A notice about an alarm for one person, once per Source. */
export const createNotice = (
  db: Db,
  m: { EnterpriseId: number; UserId: number; BizType: number; Source: string; AlmInfoId: number | null } & Pick<
    Made,
    'Wording' | 'WordValues'
  >,
) =>
  notify(db, {
    ...{ EnterpriseId: m.EnterpriseId, BizType: m.BizType as Made['BizType'], Wording: m.Wording, WordValues: m.WordValues },
    ...{ Source: m.Source, UserIds: [m.UserId] },
    ...(m.AlmInfoId ? { ObjectType: 'alarmInfo', ObjectId: m.AlmInfoId } : {}),
  })

type Written = { EnterpriseId: number; BizType: BizType; PushTitle: string; PushContent: string; UserIds: readonly number[] }

/** A notice with a given text, for these people. */
export const writeNotice = async (db: Db, { EnterpriseId, BizType, PushTitle, PushContent, UserIds }: Written) => {
  const [row] = await db.rows<{ Id: number }>(sql`
    insert into notice ("EnterpriseId", "BizType", "PushTitle", "PushContent", "UserIds")
    values (${EnterpriseId}, ${BizType}, ${PushTitle}, ${cleanRichText(PushContent)}, ${JSON.stringify(UserIds)}::jsonb) returning "Id"`)
  db.emit({ resource: notice.name, id: row!.Id, verb: 'create', EnterpriseId })
}
/** Removes notices created or ended before a time, except announcements without an end. Returns their number. */
export const forgetNotices = async (db: Db, before: Date): Promise<number> =>
  (
    await db.rows(
      sql`delete from notice where coalesce("ExpireTime", case when "BizType" = 7 then null else "CreateTime" end) < ${before} returning 1`,
    )
  ).length

/** Whether a notice addresses a person of table "user", by their aliases; optionally without the person's organisation. */
export const addresses = (user: string, notice = 't', byOrgan = true) => {
  const of = (column: string) => sql.raw(`${user}."${column}"`)
  const named = (column: string) => sql.raw(`${notice}."${column}"`)
  return sql`(${named('OrganIds')} = '[]' and ${named('RoleIds')} = '[]' and ${named('UserIds')} = '[]'
    or ${named('UserIds')} @> to_jsonb(${of('Id')}) or ${byOrgan ? sql`${named('OrganIds')} @> to_jsonb(${of('BelongOrganId')})` : sql`false`}
    or exists (select 1 from user_role ur where ur."UserId" = ${of('Id')} and ${named('RoleIds')} @> to_jsonb(ur."RoleId")))`
}

const current = sql`coalesce(t."PublishTime" <= now(), true) and coalesce(t."ExpireTime" > now(), true)`

/** Condition for notices `t` that a person may see now. */
const mine = (actor: Actor): Sql =>
  and([
    visible(notice, actor),
    current,
    sql`exists (select 1 from "user" me where me."Id" = ${actor.UserId} and ${addresses('me')})`,
    // A notice for everyone who sees an alarm excludes people whose personal settings suppress it.
    sql`(t."ObjectType" is null or t."UserIds" <> '[]' or t."BizType" not in (1, 2) or not exists (select 1 from alarm_user_setting s where s."UserId" = ${actor.UserId} and not (
      s."Setting" -> 'Methods' @> '1' and s."Setting" -> 'Types' @> to_jsonb(t."BizType") and coalesce(s."Setting" -> 'Levels' @> (t."WordValues" -> 'AlarmLevel'), true))))`,
    // A notice about a person is hidden from people who do not see that person.
    ...(actor.dataScope ? [user, trialUser] : []).map(
      (r) =>
        sql`(t."ObjectType" is distinct from ${r.name} or exists (select 1 from ${table(r)} about where about."Id" = t."ObjectId" and ${visible(r, actor, 'about')}))`,
    ),
    sql`(t."Permission" is null or t."Permission" = any(${[...actor.may]}::text[]))`,
    ...(actor.projects === 'all' ? [] : [sql`(t."ProjectId" is null or t."ProjectId" = any(${actor.projects}::bigint[]))`]),
  ])
const own = (actor: Actor) => sql`left join notice_user o on o."NoticeId" = t."Id" and o."UserId" = ${actor.UserId}`

const columns = (
  zone: string,
) => sql`t."Id", t."EnterpriseId", t."PushTitle", t."PushContent", t."BizType", t."AlmRuleId", t."ObjectType", t."ObjectId",
  t."Wording", t."WordValues", to_char(t."CreateTime" at time zone ${zone}::text, 'YYYY-MM-DD HH24:MI:SS') as "CreateTime",
  case when o."ReadTime" is null then 1 else 2 end as "ReadStatus", coalesce(o."IsFirstPage", 0) as "IsFirstPage"`

const phrased = ({ Wording, WordValues, ...row }: Held, language: Language): Item => {
  if (!Wording) return row
  const values = valuesIn(WordValues ?? {}, language)
  if (values.AlarmLevel) values.AlarmLevel = word(language, `alarmInfo.AlarmLevel.${values.AlarmLevel}`)
  return {
    ...row,
    PushTitle: word(language, `notice.made.${Wording}`, values),
    PushContent: word(language, `notice.made.${Wording}.text`, values),
  }
}
const zoneOf = (actor: Actor) => actor.zone ?? actor.tenantZone

/** Conditions on the separately stored states, and the short form of a list of business types. */
const special: Record<string, (value: string) => Sql> = {
  BizTypeList: (value) => sql`t."BizType" = any(${value.split(',').map(Number).filter(Number.isInteger)}::int[])`,
  ReadStatus: (value) => (value === '1' ? sql`o."ReadTime" is null` : sql`o."ReadTime" is not null`),
  IsFirstPage: (value) => sql`coalesce(o."IsFirstPage", 0) = ${Number(value) === 1 ? 1 : 0}`,
}
/**
 * A page of the person's notices: pinned ones first, then the newest. Pinned ones are few and read whole; the others come
 * in the index's order, so that a page costs what it holds.
 */
export const userList = async (db: Db, actor: Actor, q: Listing, language: Language): Promise<Page<Item>> => {
  const conditions = q.conditions.map((c) => ('Field' in c && Object.hasOwn(special, c.Field) ? special[c.Field]!(String(c.Value)) : c))
  const where = and([mine(actor), filters(notice, { ...q, conditions }, actor)])
  const direction = sql.raw(q.order && !q.descending ? 'asc' : 'desc')
  const rows = (more: Sql, limit: number, offset: number) => sql<Held>`
    select ${columns(zoneOf(actor))} from notice t ${own(actor)} where ${where} and ${more}
    order by t."CreateTime" ${direction}, t."Id" ${direction} limit ${limit} offset ${offset}`
  const [pinned, [count]] = await db.all([
    rows(sql`o."IsFirstPage" = 1`, 1000, 0),
    sql<{ n: number }>`select count(*)::int as n from (select 1 from notice t ${own(actor)} where ${where} limit ${countedTo + 1}) c`,
  ])
  const offset = (q.index - 1) * q.size
  const first = pinned.slice(offset, offset + q.size)
  const unpinned = sql`coalesce(o."IsFirstPage", 0) = 0`
  const rest = first.length < q.size ? await db.rows(rows(unpinned, q.size - first.length, Math.max(0, offset - pinned.length))) : []
  const Items = [...first, ...rest].map((row) => phrased(row, language))
  return paged(q, Items, count!.n)
}

export const detail = async (db: Db, actor: Actor, id: number, language: Language): Promise<Item> => {
  const [row] = await db.rows<Held>(
    sql`select ${columns(zoneOf(actor))} from notice t ${own(actor)} where t."Id" = ${id} and ${mine(actor)}`,
  )
  if (!row) throw notFound()
  return phrased(row, language)
}

export const counts = async (db: Db, actor: Actor): Promise<Static<typeof NoticeCounts>> => {
  const offline = sql<{ n: number }>`select count(*)::int as n from gateway t where "OnlineStatus" = 0 and ${visible(gateway, actor)}`
  const [unread, alarms, [gone]] = await Promise.all([
    db.rows<{ BizType: BizType; n: number }>(
      sql`select t."BizType", count(*)::int as n from notice t ${own(actor)} where ${mine(actor)} and o."ReadTime" is null group by 1`,
    ),
    actor.may.has('m10201') ? unhandled(db, actor) : { All: 0, High: 0 },
    actor.may.has(gateway.permission) ? db.rows(offline) : [{ n: 0 }],
  ])
  const of = (tab: NoticeTab) =>
    unread.filter(({ BizType }) => (noticeTabs[tab].types as readonly number[]).includes(BizType)).reduce((sum, { n }) => sum + n, 0)
  return {
    UnReadCount_GongGao: of('announcements'),
    UnReadCount_WuLianKa: of('notifications'),
    UnReadCount_SheBei: of('alarms'),
    TotalCount: alarms.All + gone!.n,
    DeviceHightTotalCount: alarms.High,
    DeviceTotalCount: alarms.All,
    GatewayOnoffTotalCount: gone!.n,
    GatewayPowerTotalCount: 0,
  }
}

/** Changes the person's own state of visible notices; all or none. */
const mark = (db: Db, actor: Actor, ids: readonly number[] | undefined, types: readonly number[], set: { read: boolean; pin?: 0 | 1 }) =>
  db.tx(async (db) => {
    const wanted = ids && [...new Set(ids)]
    const where = wanted ? sql`t."Id" = any(${wanted}::bigint[])` : sql`t."BizType" = any(${types}::int[])`
    const seen = await db.rows<{ Id: number; ReadTime: Date | null; IsFirstPage: number }>(
      sql`select t."Id", o."ReadTime", coalesce(o."IsFirstPage", 0) as "IsFirstPage" from notice t ${own(actor)} where ${where} and ${mine(actor)}`,
    )
    if (wanted && seen.length !== wanted.length) throw notFound()
    const changing = seen.filter((n) => (set.read && !n.ReadTime) || (set.pin !== undefined && n.IsFirstPage !== set.pin)).map((n) => n.Id)
    if (changing.length)
      await db.rows(sql`
        insert into notice_user ("EnterpriseId", "UserId", "NoticeId", "ReadTime", "IsFirstPage")
        select ${actor.EnterpriseId}, ${actor.UserId}, unnest(${changing}::bigint[]), ${set.read ? sql`now()` : null}, ${set.pin ?? 0}
        on conflict ("UserId", "NoticeId") do update set "ReadTime" = coalesce(notice_user."ReadTime", excluded."ReadTime"),
          "IsFirstPage" = ${set.pin === undefined ? sql`notice_user."IsFirstPage"` : sql`excluded."IsFirstPage"`}`)
    return { Changed: changing.length }
  })

/** Marks the given notices as read; without Ids, all of the business types. */
export const markRead = (db: Db, actor: Actor, ids: readonly number[] = [], types: readonly number[] = []) =>
  mark(db, actor, ids.length ? ids : undefined, types, { read: true })
export const pin = (db: Db, actor: Actor, id: number, value: 0 | 1) => mark(db, actor, [id], [], { read: false, pin: value })
