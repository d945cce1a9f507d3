// Searches alarms by a part of their names. Behind row-level security, `like` cannot use an index (it is not
// leakproof). The search therefore looks in a table of the tenant's alarm names, and then selects alarms by name.
import { sql } from 'kysely'
import { LogicOP } from '../../../../contract/call.ts'
import type { Language } from '../../../../contract/languages.ts'
import type { Db } from '../../../../server/database/db.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { holds, type Listing } from '../../../../server/resource/list.ts'
import { and, column, or, type Sql } from '../../../../server/resource/sql.ts'
import { gatewayFaults } from '../../alarm-settings/contract.ts'
import { endOf, nameSql, plainEnds } from './alarming/names.ts'

/** Searches row by row. Most alarms are of devices: PostgreSQL can estimate matches of a column, but not of an expression. */
const inRows = (language: Language, text: string): Sql => {
  const [name, fault] = [column('RuleName'), column('GatewayFault')]
  const translated = sql`(${fault} is not null or ${name} like any(${plainEnds.map((end) => `%${end}`)}::text[]))`
  return sql`(not ${translated} and ${holds(name, text)} or ${translated} and ${holds(nameSql(language, name, fault), text)})`
}

const ends = gatewayFaults.map(endOf)
/** Maximum matching names for an index lookup; a text with more matches is found quickly in the list's own order. */
const mostNames = 500

const named = async (db: Db, actor: Actor, language: Language, text: string): Promise<Sql> => {
  const [found] = await db.all([
    sql<{ EnterpriseId: number; Name: string; GatewayFault: number }>`
      select * from alarm_name n
      where ${actor.platform ? sql`true` : sql`"EnterpriseId" = ${actor.EnterpriseId}`} and ${holds(nameSql(language, column('Name', 'n'), column('GatewayFault', 'n')), text)}
      limit ${mostNames + 1}`,
  ])
  if (found.length > mostNames) return inRows(language, text)
  const isAny = (names: typeof found) => sql`${column('RuleName')} = any(${[...new Set(names.map((n) => n.Name))]}::text[])`
  const [plain, ofGateways] = [found.filter((n) => !n.GatewayFault), found.filter((n) => n.GatewayFault)]
  return and([
    isAny(found),
    ...(actor.platform ? [sql`${column('EnterpriseId')} = any(${[...new Set(found.map((n) => n.EnterpriseId))]}::bigint[])`] : []),
    // The name of a rule may look like the stored name of a gateway alarm.
    ...(found.some((n) => ends.some((end) => n.Name.endsWith(end)))
      ? [sql`case when ${column('GatewayFault')} is null then ${isAny(plain)} else ${isAny(ofGateways)} end`]
      : []),
  ])
}

/**
 * Alarms by number, such as `AL20260601-4711`: its beginning, or the whole part after the day. The day is that of the start
 * (UTC), so the list's index applies.
 */
const numbered = (text: string): Sql[] => {
  const [, digits] = /^-?(\d{1,15})$/.exec(text) ?? []
  if (digits) return [sql`${column('Id')} = ${Number(digits)}`]
  if (!/^AL\d{0,8}(-\d*)?$/i.test(text)) return []
  const begins = sql`${column('AlmNo')} like ${`${text.toUpperCase()}%`}`
  const [year, month, day] = [text.slice(2, 6), text.slice(6, 8), text.slice(8, 10)].map((part, i) =>
    part.length === (i ? 2 : 4) ? Number(part) : 0,
  )
  if (!year) return [begins]
  const at = (y = 0, m = 0, d = 0) => sql`${new Date(Date.UTC(year + y, (month || 1) - 1 + m, (day || 1) + d)).toISOString()}::timestamptz`
  const end = day ? at(0, 0, 1) : month ? at(0, 1) : at(1)
  return [sql`(${column('StartTime')} >= ${at()} and ${column('StartTime')} < ${end} and ${begins})`]
}

/** Rewrites a listing to search the names that the reader sees, with indexes. */
export const findable = async (db: Db, actor: Actor, language: Language, q: Listing): Promise<Listing> => {
  const hidden = actor.dataScope?.hidden.alarmInfo
  if (hidden?.has('RuleName') || hidden?.has('AlmNo')) return q
  const look = (text: string) => named(db, actor, language, text)
  const conditions = q.conditions.map((c) =>
    'Field' in c && c.Field === 'RuleName' && c.LogicOP === LogicOP.contains ? look(String(c.Value)) : c,
  )
  const search = typeof q.search === 'string' && q.search ? or([await look(q.search), ...numbered(q.search)]) : q.search
  return { ...q, search, conditions: await Promise.all(conditions) }
}
