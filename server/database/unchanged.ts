import { performance } from 'node:perf_hooks'
import type pg from 'pg'
import type { Statement } from './batch.ts'
import type { Rows } from './db.ts'
import { openReaches, type Reach, type Reading, readingOf, traitsOf } from './reach.ts'

/** The rows of some statements, which nobody who is given them may change, or the text that was made of them. */
export type Kept = readonly Rows[] | Buffer
type Held = { seen: string; reading: Reading; kept: Kept; bytes: number }
/** Where the answer of some statements is kept, and what its reading depends on. */
export type Place = { key: string; reading: Reading }

/**
 * The state of the whole cluster that a statement sees. What a row's visibility depends on is its transaction's place in this
 * (PostgreSQL, Transaction Isolation; pg_current_snapshot): two equal answers within one life of the cluster see the same rows, whoever
 * writes, from wherever, whether or not we hear of it.
 */
export const snapshot: Statement = { name: 'snapshot', text: 'select pg_current_snapshot()::text as "Seen"', values: [] }
/** The number of the transaction that it is part of, if that has one (it has written). */
export const own: Statement = { name: 'own', text: 'select pg_current_xact_id_if_assigned()::text as "Own"', values: [] }
export const seenIn = (rows: Rows | undefined) => String(rows?.[0]?.Seen)

const plain = (value: unknown): boolean =>
  value === null ||
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  Number.isFinite(value) ||
  (Array.isArray(value) && value.every(plain))

/** Bytes that it takes, roughly: of rows a slot for each value and its letters. */
const weigh = (kept: Kept) => {
  let bytes = 200
  if (Buffer.isBuffer(kept)) return bytes + kept.length
  for (const rows of kept)
    for (const row of rows)
      for (const name in row) {
        const value = row[name]
        bytes +=
          24 +
          (typeof value === 'string'
            ? 2 * value.length
            : typeof value === 'object' && value !== null
              ? 2 * JSON.stringify(value).length
              : 0)
      }
  return bytes
}
export const copies = (results: readonly Rows[]) => results.map((rows) => rows.map((row) => ({ ...row })))

/**
 * Answers of statements that only read, kept as long as the cluster's snapshot is the one they were read in, but for transactions
 * that cannot have changed them (`reach.ts`). `connect` opens the connection that is asked for it: when that breaks, PostgreSQL may
 * have crashed and may give a snapshot's numbers out again, so all is forgotten. Calls that come while one question is under way
 * share the next. `most` is in bytes; least lately asked goes first.
 */
export const openUnchanged = (connect: () => pg.Client, most = 16 * 1024 * 1024) => {
  const held = new Map<string, Held>()
  const reaches = openReaches()
  let bytes = 0
  /** The newest snapshot anybody has told of: what is kept under another is likely over, and not worth asking for. */
  let latest = ''
  let life = 0
  let watch: pg.Client | undefined
  let opening: Promise<void> | undefined
  let triedAt = Number.NEGATIVE_INFINITY

  const drop = (key: string) => {
    bytes -= held.get(key)?.bytes ?? 0
    held.delete(key)
  }
  const forget = () => {
    held.clear()
    reaches.clear()
    bytes = 0
    life++
  }
  const open = () => {
    if (watch || opening || performance.now() - triedAt < 1000) return
    triedAt = performance.now()
    const client = connect()
    const over = () => {
      if (watch !== client) return
      watch = undefined
      forget()
    }
    client.on('error', over).on('end', over)
    opening = client
      .connect()
      .then(() => {
        watch = client
        forget()
      })
      .catch(() => {})
      .finally(() => {
        opening = undefined
      })
  }

  const ask = async () => {
    const { rows } = await watch!.query(snapshot as pg.QueryConfig)
    latest = seenIn(rows)
    return latest
  }
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<string> | undefined
  /** The snapshot at a moment after the call. */
  const seen = () => {
    next ??= running.then(() => {
      const asked = ask()
      next = undefined
      running = asked.catch(() => {})
      return asked
    })
    return next
  }

  return {
    /** Where the answer of statements, their scope first, is kept; nothing where it is not to be. */
    placeOf: (all: readonly [Statement, ...Statement[]], as: 'rows' | 'text' | 'part' = 'rows'): Place | undefined => {
      const [scope, ...statements] = all
      if (!statements.every((s) => s.values.every(plain) && !traitsOf(s).moves)) return
      const key = JSON.stringify([as, scope.values, ...statements.flatMap((s) => [s.name ?? s.text, s.values])])
      return { key, reading: readingOf(all) }
    },
    /** Changes when what is kept is forgotten: what was read before must not be kept after. */
    life: () => life,
    /** What a transaction of ours, begun in the life `born`, changes at most; its number as `own` tells it. */
    wrote: (born: number, number: unknown, reach: Reach) => {
      if (born === life) reaches.note(number, reach)
    },
    /** What is kept there, and the snapshot it was found to hold in. */
    get: async ({ key }: Place): Promise<{ kept: Kept; seen: string } | undefined> => {
      open()
      const found = held.get(key)
      if (!found || !watch || !reaches.same(found.reading, found.seen, latest)) return
      const born = life
      const now = await seen().catch(() => undefined)
      if (now === undefined || born !== life || !watch || !reaches.same(found.reading, found.seen, now)) return
      found.seen = now
      if (held.get(key) === found) {
        held.delete(key)
        held.set(key, found)
      }
      return { kept: found.kept, seen: now }
    },
    /** `before` and `after`: the snapshots around the statements. Where nothing came between that matters, what they read is that of both. */
    put: ({ key, reading }: Place, born: number, before: string, after: string, kept: Kept) => {
      latest = after
      drop(key)
      if (born !== life || !watch || !reaches.same(reading, before, after)) return
      const weight = weigh(kept)
      if (weight > most / 50) return
      held.set(key, { seen: after, reading, kept, bytes: weight })
      bytes += weight
      for (const oldest of held.keys()) {
        if (bytes <= most) break
        drop(oldest)
      }
    },
    bytes: () => bytes,
    /** The connection that watches, which nobody else's work stands before; nothing while it is not open. */
    watching: () => {
      open()
      return watch
    },
    /** Whether PostgreSQL answers on the connection that watches, which nobody else's work stands before; throws when it breaks meanwhile. */
    alive: async (): Promise<boolean> => {
      open()
      await opening
      await watch?.query('select 1')
      return watch !== undefined
    },
    close: async () => {
      await opening
      await watch?.end().catch(() => {})
    },
  }
}
