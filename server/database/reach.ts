import type { Statement } from './batch.ts'

/**
 * Tables of the server's own book-keeping: without triggers, and nothing is removed or emptied with their rows (reach.test.ts). What is
 * written to them changes no answer but of those who read them.
 */
export const apart = [
  ...['change', 'change_head', 'change_checkpoint', 'machine_use', 'session'],
  ...['alarm_cursor', 'alarm_reading', 'alarm_rule_state', 'alarm_state', 'alarm_action', 'alarm_push', 'notice_due'],
  ...['alm_push_record', 'known_browser', 'login_attempt', 'timer_log'],
] as const
/** Of other tables that are written to all the time, what else is written with their rows, by triggers (reach.test.ts). */
export const spreads: Record<string, Record<string, readonly string[]>> = {
  insert: { alarm_info: ['alarm_action', 'alarm_name', 'alarm_push', 'alarm_webhook_event', 'notice_due'], notice: [] },
  update: { alarm_info: ['alarm_webhook_event'], device: [], gateway: [], point: [], project: [], user: [] },
}
/** Of these tables the column that other lists show of them, and nothing else (resource/sql.ts, titleOf). Its own place beside its table's. */
export const titles: Record<string, string> = {
  device: 'DeviceName',
  gateway: 'GatewayName',
  point: 'ParaName',
  project: 'ProjectName',
  user: 'UserName',
}
const titlesPlace = (table: string) => `title of ${table}`
/** Tables on which it depends which rows of another one somebody sees (reach.test.ts). */
export const behind: Record<string, readonly string[]> = {}
/** Every table that is told apart from the others. */
export const told = [...new Set([...apart, ...Object.values(spreads).flatMap((of) => Object.entries(of).flat(2))])]
const places = [...told, ...Object.keys(titles).map(titlesPlace)]
/** Tables of which a tenant sees rows of others as well: its plan is its agent's. */
export const shared = ['version'] as const
const naming = (tables: readonly string[]) => new RegExp(`\\b(${tables.join('|')})\\b`, 'gi')
const [namingTold, namingShared] = [naming(told), naming(shared)]
const named = (text: string, names: RegExp) => new Set(text.match(names)?.map((name) => name.toLowerCase()))

/** At most what a transaction of ours changes. */
export type Reach = {
  /** It acts in this tenant, and row-level security holds it to its rows; undefined for the platform's. */
  tenant: string | undefined
  /** It writes to nothing but these, and titles of these; undefined: to any. */
  tables: Set<string> | undefined
}

/** What answers differently without anything being written. */
const moving =
  /\b(now|random|gen_random_uuid|clock_timestamp|statement_timestamp|timeofday|nextval|pg_\w+|current_(date|time|timestamp)|localtime\w*)\b/i

/** Tables to which a statement writes, by the names behind the verbs; undefined where one is not told apart. */
const writtenBy = (text: string): Set<string> | undefined => {
  const plain = text.replace(/\bdo\s+(update\s+set|nothing)\b|\bfor\s+(no\s+key\s+)?update\b/gi, ' ')
  const verbs = plain.match(/\b(insert|update|delete|merge|lock|truncate|call|do|penstock_\w+)\b/gi)?.length ?? 0
  const into = [...plain.matchAll(/\b(insert|update|delete)(?:\s+into|\s+from)?\s+"?(\w+)/gi)]
  if (verbs !== into.length) return
  const updates = /\bdo\s+update\s+set\b/i.test(text) ? ['update'] : []
  const tables = new Set<string>()
  for (const [, verb = '', name = ''] of into) {
    tables.add(name)
    if ((apart as readonly string[]).includes(name)) continue
    for (const kind of [verb.toLowerCase(), ...updates]) {
      const more = spreads[kind]?.[name]
      if (!more) return
      for (const table of more) tables.add(table)
      // Whose row it is decides who sees its title.
      if (titles[name] && new RegExp(`\\b(${titles[name]}|EnterpriseId)\\b`, 'i').test(text)) tables.add(titlesPlace(name))
    }
  }
  return tables
}

/** What a statement reads of the tables that are told apart; all of them where it calls a function of ours, into which nobody sees. */
const readBy = (text: string): readonly string[] => {
  if (/\bpenstock_/i.test(text)) return places
  const shown: string[] = []
  const rest = text.replace(/\(select j\."(\w+)" from "(\w+)" j where j\."Id" = /g, (all, column, table) => {
    if (titles[table] !== column) return all
    shown.push(titlesPlace(table))
    return ' '
  })
  return [...shown, ...[...named(rest, namingTold)].flatMap((table) => [table, ...(behind[table] ?? [])])]
}

const read = (text: string) => ({
  moves: moving.test(text),
  /** May give a transaction its number; too often is harmless, and one that we do not hear of counts as one that changes all. */
  writes: /\b(insert|update|delete|merge|lock)\b/i.test(text),
  writesTo: writtenBy(text),
  reads: readBy(text),
  isShared: named(text, namingShared).size > 0,
})
/** By the names of prepared statements, of which there are few. */
const known = new Map<string, ReturnType<typeof read>>()
/** What a statement's text says of it. */
export const traitsOf = ({ name, text }: Statement): ReturnType<typeof read> => {
  const traits = (name && known.get(name)) || read(text)
  if (name) known.set(name, traits)
  return traits
}

/** What something read depends on. */
export type Reading = {
  /** Nothing but rows of this tenant; undefined: of many. */
  tenant: string | undefined
  /** Those of the tables that are told apart which it reads, or of which it shows the titles. */
  tables: ReadonlySet<string>
}
/** What statements read in a scope: as which role, in which tenant. */
export const readingOf = ([scope, ...statements]: readonly [Statement, ...Statement[]]): Reading => {
  const traits = statements.map(traitsOf)
  const own = scope.values[0] === 'penstock_tenant' && !traits.some(({ isShared }) => isShared)
  return { tenant: own ? String(scope.values[1]) : undefined, tables: new Set(traits.flatMap(({ reads }) => reads)) }
}

type Snapshot = { before: number; open: ReadonlySet<number> }
/** `xmin:xmax:xip,...` (PostgreSQL, pg_current_snapshot): what is below xmax and not in the list is over. */
const parsed = (seen: string): Snapshot => {
  const [, xmax, open] = seen.split(':')
  return { before: Number(xmax), open: new Set(open ? open.split(',').map(Number) : []) }
}

/** Of our newest transactions, by their numbers, what they changed at most. */
export const openReaches = (most = 4096) => {
  const reaches = new Map<number, Reach>()
  let last = { seen: '', snapshot: parsed('0:0:') }
  const snapshotOf = (seen: string) => {
    if (seen !== last.seen) last = { seen, snapshot: parsed(seen) }
    return last.snapshot
  }
  const leaves = (reading: Reading, number: number) => {
    const reach = reaches.get(number)
    if (!reach) return false
    if (reach.tables?.isDisjointFrom(reading.tables)) return true
    return reach.tenant !== undefined && reading.tenant !== undefined && reach.tenant !== reading.tenant
  }
  return {
    note: (number: unknown, reach: Reach) => {
      if (typeof number !== 'string') return
      reaches.set(Number(number), reach)
      if (reaches.size > most) reaches.delete(reaches.keys().next().value!)
    },
    clear: () => reaches.clear(),
    /** Whether a reading under the snapshot `from` is the same under `to`, later: nothing that ended in between can have changed it. */
    same: (reading: Reading, from: string, to: string) => {
      if (from === to) return true
      const now = snapshotOf(to)
      const then = parsed(from)
      if (!(now.before - then.before <= most)) return false
      for (const number of then.open) if (!now.open.has(number) && !leaves(reading, number)) return false
      for (let number = then.before; number < now.before; number++) if (!now.open.has(number) && !leaves(reading, number)) return false
      return true
    },
  }
}
