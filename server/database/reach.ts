import type { Statement } from './batch.ts'

/**
 * Tables of the server's own book-keeping, which no list shows: without triggers, and nothing is removed or emptied with their rows
 * (reach.test.ts). Who reads one of them is not kept from their writes.
 */
export const apart = ['change', 'change_head', 'change_checkpoint', 'machine_use', 'session'] as const
const named = new RegExp(`\\b(${apart.join('|')})\\b`)

/** At most what a transaction of ours changes. */
export type Reach = {
  /** It acts in this tenant, and row-level security holds it to its rows; undefined for the platform's. */
  tenant: string | undefined
  /** It writes to nothing but tables that stand apart. */
  apart: boolean
}

/** May give a transaction its number; too often is harmless, and one that we do not hear of counts as one that changes all. */
export const writes = ({ text }: Statement) => /\b(insert|update|delete|merge|lock)\b/i.test(text)

/** Whether what a statement writes stands apart: by the names behind the verbs. */
export const writesApart = ({ text }: Statement) => {
  const plain = text.replace(/\bdo\s+(update\s+set|nothing)\b|\bfor\s+(no\s+key\s+)?update\b/gi, ' ')
  const verbs = plain.match(/\b(insert|update|delete|merge|lock|truncate|call|do|penstock_\w+)\b/gi)?.length ?? 0
  const into = [...plain.matchAll(/\b(?:insert\s+into|update|delete\s+from)\s+"?(\w+)/gi)].map((match) => match[1])
  return verbs === into.length && into.every((name) => (apart as readonly unknown[]).includes(name))
}

/** By whom something is read, and whether from a table that stands apart. */
export type Reading = { tenant: string | undefined; apart: boolean }
export const namesApart = (text: string) => named.test(text)

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
