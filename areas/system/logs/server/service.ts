import { sql } from 'kysely'
import type { Page } from '../../../../contract/call.ts'
import type { Language } from '../../../../contract/languages.ts'
import { joined } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { notFound } from '../../../../server/http/faults.ts'
import { hasWord, word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { readingCompanies } from '../../../../server/identity/dataScope.ts'
import { keyset } from '../../../../server/resource/keyset.ts'
import { countedTo, filters, type Listing, paged } from '../../../../server/resource/list.ts'
import { hiddenFields, visible } from '../../../../server/resource/sql.ts'
import { nameIn, nameSql } from '../../../alarms/alarms/server/service.ts'
import { resources } from '../../../index.ts'
import { log } from '../contract.ts'

const r = log
const zoneOf = (actor: Actor) => actor.zone ?? actor.tenantZone
const titles = Object.fromEntries(resources.map((r) => [r.name, r.title]))
const held = sql`coalesce(c."After", c."Before")`
/** Entries with derived columns, so that all of them can be filtered, searched and sorted; gateway alarms have their names in the reader's language. */
const entries = (
  language: Language,
) => sql`(select c."Id", c."EnterpriseId", c."UserId", c."Time", c."Time" as "CreateTime", c."Time" as "UpdateTime", case when c."Resource" = 'session' then 2 else 1 end as "Kind",
    case when c."Resource" = 'session' then coalesce(c."After" ->> 'UserNO', u."UserNO") else u."UserNO" end as "UserNO", c."Verb", c."Resource", c."RecordId", c."Ip", c."RequestId", c."Seq",
    coalesce(c."After" ->> 'Agent', '') as "Agent",
    case when c."Resource" = 'alarmInfo' then ${nameSql(language, sql`${held} ->> 'RuleName'`, sql`(${held} ->> 'GatewayFault')::int`)}
      when c."Resource" = 'call' and ${held} ? 'More' then replace(${word(language, 'call.more')}, '{count}', ${held} ->> 'More')
      else coalesce(${held} ->> coalesce(${JSON.stringify(titles)}::jsonb ->> c."Resource", 'Title'), ${held} ->> 'Title') end as "ObjectName"
  from change c left join "user" u on u."Id" = c."UserId") t`
const columns = (
  zone: string,
) => sql`t."Id", t."EnterpriseId", to_char(t."Time" at time zone ${zone}::text, 'YYYY-MM-DD HH24:MI:SS') as "Time",
  t."Kind", t."UserNO", t."Verb", t."Resource",
  t."ObjectName", t."RecordId", t."Ip", t."Agent", t."RequestId", t."Seq"`

type Row = Record<string, unknown> & { Id: number; EnterpriseId: number }

/** A page of the log in the actor's scope, newest first by default. */
export const logIn =
  (language: Language) =>
  async (db: Db, actor: Actor, q: Listing): Promise<Page<Row>> => {
    const from = entries(language)
    const where = sql`${visible(r, actor)} and ${filters(r, q, actor)}`
    const keys = keyset(r, q)
    const [found, [count]] = await db.all([
      sql<Row>`select ${columns(zoneOf(actor))}${keys.columns} from ${from} where ${where} and ${keys.where} order by ${keys.order} limit ${q.size} offset ${keys.keyed ? 0 : (q.index - 1) * q.size}`,
      sql<{
        n: number
      }>`select count(*)::int as n from (select 1 from ${from} where ${where} ${q.exact ? sql`` : sql`limit ${countedTo + 1}`}) c`,
    ])
    const Items = keys.inOrder(found)
    const cut = { more: Items.length === q.size, first: q.index === 1 && !keys.keyed }
    return { ...paged(q, Items, count!.n, keys.keyed), ...keys.cursors(Items, cut) }
  }

/** Columns that are irrelevant to an audit. */
const dull = new Set(['UpdateTime', 'UpdateStamp', 'CreateTime', 'Agent', 'ModelGave'])
const text = (value: unknown) =>
  value === null || value === undefined ? null : typeof value === 'object' ? JSON.stringify(value) : String(value)

/** Changes of an entry: the different fields of an update, all fields of a new or removed row. */
export const logItems = async (db: Db, actor: Actor, id: number, language: Language) => {
  const [row] = await db.rows<{ Resource: string; Before: Record<string, unknown> | null; After: Record<string, unknown> | null }>(
    sql`select t."Resource", t."Before", t."After" from change t where t."Id" = ${id} and ${visible(r, actor)}`,
  )
  if (!row) throw notFound()
  const named = (values: Record<string, unknown> | null): Record<string, unknown> =>
    values && row.Resource === 'alarmInfo' ? { ...values, RuleName: nameIn(language, values as never) } : (values ?? {})
  const [before, after] = [named(row.Before), named(row.After)]
  const said = (field: string, value: unknown) => {
    const key = `${row.Resource}.${field}.${String(value)}`
    return value !== null && hasWord(key) ? word(language, key) : text(value)
  }
  const nameOf = (resource: string, field: string) => {
    const key = [`${resource}.${field}`, `log.item.${field}`].find(hasWord)
    return key ? word(language, key) : field
  }
  const of = resources.find((r) => r.name === row.Resource)
  const order = Object.keys(of?.fields ?? {})
  const reader = readingCompanies(actor)
  // Log entries contain complete rows, including costs that their author cannot see.
  const concealed = of ? hiddenFields(of, reader) : reader.dataScope?.hidden[row.Resource]
  const titles = of ? joined(of).filter(([, field]) => concealed?.has(field)) : []
  const hidden = new Set([...(concealed ?? []), ...titles.map(([as]) => as)])
  return [...new Set([...order, ...Object.keys(before), ...Object.keys(after)])]
    .filter((field) => !dull.has(field) && !hidden.has(field) && text(before[field]) !== text(after[field]))
    .map((Field) => ({
      Field,
      FieldName: nameOf(row.Resource, Field),
      Before: said(Field, before[Field] ?? null),
      After: said(Field, after[Field] ?? null),
    }))
}
