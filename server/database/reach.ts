import type { Statement } from './batch.ts'

/**
 * Tables of the server's own book-keeping, which no list shows: without triggers, and nothing is removed or emptied with their rows
 * (reach.test.ts). Who reads one of them is not kept from their writes.
 */
export const apart = ['change', 'change_head', 'change_checkpoint', 'machine_use', 'session'] as const
/** Tables of which a tenant sees rows of others as well: its plan is its agent's. */
export const shared = ['version'] as const
const naming = (tables: readonly string[]) => new RegExp(`\\b(${tables.join('|')})\\b`)
const [namingApart, namingShared] = [naming(apart), naming(shared)]

/** At most what a transaction of ours changes. */
export type Reach = {
  /** It acts in this tenant, and row-level security holds it to its rows; undefined for the platform's. */
  tenant: string | undefined
  /** It writes to nothing but tables that stand apart. */
  apart: boolean
}

/** What answers differently without anything being written. */
const moving =
  /\b(now|random|gen_random_uuid|clock_timestamp|statement_timestamp|timeofday|nextval|pg_\w+|current_(date|time|timestamp)|localtime\w*)\b/i

/** Whether what a statement writes stands apart: by the names behind the verbs. */
const writesApart = (text: string) => {
  const plain = text.replace(/\bdo\s+(update\s+set|nothing)\b|\bfor\s+(no\s+key\s+)?update\b/gi, ' ')
  const verbs = plain.match(/\b(insert|update|delete|merge|lock|truncate|call|do|penstock_\w+)\b/gi)?.length ?? 0
  const into = [...plain.matchAll(/\b(?:insert\s+into|update|delete\s+from)\s+"?(\w+)/gi)].map((match) => match[1])
  return verbs === into.length && into.every((name) => (apart as readonly unknown[]).includes(name))
}

const read = (text: string) => ({
  moves: moving.test(text),
  /** May give a transaction its number; too often is harmless, and one that we do not hear of counts as one that changes all. */
  writes: /\b(insert|update|delete|merge|lock)\b/i.test(text),
  writesApart: writesApart(text),
  namesApart: namingApart.test(text),
  namesShared: namingShared.test(text),
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
  /** A table that stands apart as well. */
  apart: boolean
}
/** What statements read in a scope: as which role, in which tenant. */
export const readingOf = ([scope, ...statements]: readonly [Statement, ...Statement[]]): Reading => {
  const traits = statements.map(traitsOf)
  const own = scope.values[0] === 'penstock_tenant' && !traits.some(({ namesShared }) => namesShared)
  return { tenant: own ? String(scope.values[1]) : undefined, apart: traits.some(({ namesApart }) => namesApart) }
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
    if (reach.apart && !reading.apart) return true
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
