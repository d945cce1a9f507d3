import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Rejected } from './sample.ts'

export type RejectedRow = Rejected & { Id: number }
export type RejectedPage = { TotalCount: number; Items: RejectedRow[] }
type Following = { EnterpriseId: number; SN: string; since: number; id: number; limit: number }
type Whose = { EnterpriseId: number; serials: readonly string[] }
type Wanted = Whose & { page: number; size: number }

const schema = `
  create table if not exists rejected (Id integer primary key, EnterpriseId integer not null, SN text not null, reason text not null,
    detail text not null, received integer not null, payload text not null, bytes integer not null);
  create index if not exists rejected_sn on rejected (EnterpriseId, SN, Id);
  create index if not exists rejected_oldest on rejected (EnterpriseId, Id, bytes);
  create index if not exists rejected_unparsed on rejected (EnterpriseId, SN, Id) where reason = 'notParsed';
  create table if not exists dropped (EnterpriseId integer primary key, count integer not null);`

/** Columns beside the payload, bytes, about. */
const overhead = 120
/** Bytes of a payload in a list; newest rows that are listed, and that are counted by reason: a tenant may have half a million. */
const [shown, listed, judged] = [4096, 20_000, 1000]
/** What is deleted in one turn of the event loop: about a millisecond, more while SQLite empties its log. */
const [stepRows, stepBytes] = [500, 1024 * 1024]

const statementsOf = (db: DatabaseSync) => ({
  insert: db.prepare('insert into rejected (EnterpriseId, SN, reason, detail, received, payload, bytes) values (?, ?, ?, ?, ?, ?, ?)'),
  oldest: db.prepare(`select Id, bytes from rejected indexed by rejected_oldest where EnterpriseId = ? order by Id limit ${stepRows}`),
  removeTo: db.prepare('delete from rejected indexed by rejected_oldest where EnterpriseId = ? and Id <= ? returning SN'),
  countDropped: db.prepare('insert into dropped values (?, ?) on conflict (EnterpriseId) do update set count = count + excluded.count'),
})

/** A text with NUL characters would end at the first. */
const beginning = `cast(substr(cast(payload as blob), 1, ${shown}) as text)`
/** The Ids of the newest rows, from the index alone: rows of two boxes are not sorted with their payloads. */
const newest = ({ EnterpriseId, serials }: Whose, most: number) => {
  const each = `select Id from (select Id from rejected where EnterpriseId = ? and SN = ? order by Id desc limit ${most})`
  return { sql: serials.map(() => each).join(' union all '), values: serials.flatMap((SN) => [EnterpriseId, SN]) }
}
const reading = (db: DatabaseSync) => ({
  /** Newest first; `page` from 1. */
  rows: ({ page, size, ...of }: Wanted): RejectedRow[] => {
    const skipped = (page - 1) * size
    if (!of.serials.length || skipped >= listed) return []
    const { sql, values } = newest(of, skipped + size)
    const columns = `Id, EnterpriseId, SN, reason, detail, received, ${beginning} as payload`
    const some = `select Id from (${sql}) order by Id desc limit ? offset ?`
    return db
      .prepare(`select ${columns} from rejected where Id in (${some}) order by Id desc`)
      .all(...values, size, skipped) as RejectedRow[]
  },
  /** The newest rows since then, by reason. */
  reasons: (of: Whose, since: number) => {
    const { sql, values } = newest(of, judged)
    const counts = `select reason, count(*) as count from rejected where Id in (${sql}) and received >= ? group by reason`
    return db.prepare(counts).all(...values, since) as { reason: RejectedRow['reason']; count: number }[]
  },
})

/** How many rows there are of each gateway: counting half a million of them would hold up the event loop. */
const counting = (db: DatabaseSync) => {
  const key = (EnterpriseId: number, SN: string) => `${EnterpriseId} ${SN}`
  const counts = new Map<string, number>()
  for (const { EnterpriseId, SN, count } of db
    .prepare('select EnterpriseId, SN, count(*) as count from rejected group by EnterpriseId, SN')
    .all())
    counts.set(key(Number(EnterpriseId), String(SN)), Number(count))
  return {
    add: (EnterpriseId: number, SN: string, more: number) => {
      const sum = (counts.get(key(EnterpriseId, SN)) ?? 0) + more
      if (sum > 0) counts.set(key(EnterpriseId, SN), sum)
      else counts.delete(key(EnterpriseId, SN))
    },
    of: ({ EnterpriseId, serials }: Whose) => serials.reduce((sum, SN) => sum + (counts.get(key(EnterpriseId, SN)) ?? 0), 0),
  }
}

/** Messages of a gateway that could not be parsed, in their order, received since then, after a row's Id. */
const unparsed =
  (db: DatabaseSync) =>
  ({ EnterpriseId, SN, since, id, limit }: Following): RejectedRow[] =>
    db
      .prepare(
        `select Id, EnterpriseId, SN, reason, detail, received, payload from rejected
         where EnterpriseId = ? and SN = ? and Id > ? and reason = 'notParsed' and received >= ? order by Id limit ?`,
      )
      .all(EnterpriseId, SN, id, since, limit) as RejectedRow[]
type Removed = { SN: string; bytes: number }
const removed = (db: DatabaseSync, EnterpriseId: number, ids: readonly number[]): Removed[] => {
  const statement = db.prepare('delete from rejected where EnterpriseId = ? and Id = ? returning SN, bytes')
  return ids.flatMap((id) => (statement.get(EnterpriseId, id) as Removed | undefined) ?? [])
}

const openFile = (folder: string) => {
  mkdirSync(folder, { recursive: true })
  const db = new DatabaseSync(join(folder, 'rejected.db'))
  db.exec(`pragma journal_mode = wal; pragma synchronous = normal; ${schema}`)
  return db
}

/**
 * Dead-letter store of rejected readings, for inspection and replay: at most `maxBytes` a tenant. Beyond that the oldest are dropped and counted.
 * In SQLite with its log: survives a crash of the process; a power cut may cost the last moments, which no promise covers.
 */
export const openRejected = (folder: string, maxBytes = 64 * 1024 * 1024) => {
  const db = openFile(folder)
  const { insert, oldest, removeTo, countDropped } = statementsOf(db)
  const { rows, reasons } = reading(db)
  const held = new Map<number, number>()
  for (const row of db.prepare('select EnterpriseId, sum(bytes) as bytes from rejected group by EnterpriseId').all())
    held.set(Number(row.EnterpriseId), Number(row.bytes))

  /** Tenants that are trimmed down to nine tenths, so that a full one is not trimmed at every reading. */
  const full = new Set<number>()
  let later: NodeJS.Immediate | undefined
  const counts = counting(db)
  /** Rows of gateways that a transaction adds or deletes. */
  let counted: [EnterpriseId: number, SN: string, more: number][] = []
  /** One step of bounded work; more than a slice of `add` brings, so that a tenant does not outgrow its share. */
  const trim = (EnterpriseId: number) => {
    let bytes = held.get(EnterpriseId) ?? 0
    const least = bytes - stepBytes
    let [last, count] = [0, 0]
    for (const row of oldest.all(EnterpriseId)) {
      if (bytes <= maxBytes * 0.9 || bytes < least) break
      bytes -= Number(row.bytes)
      last = Number(row.Id)
      count++
    }
    const dropped = count ? removeTo.all(EnterpriseId, last) : []
    if (count) countDropped.run(EnterpriseId, count)
    held.set(EnterpriseId, bytes)
    for (const { SN } of dropped) counted.push([EnterpriseId, String(SN), -1])
    if (!count || bytes <= maxBytes * 0.9) full.delete(EnterpriseId)
  }
  const inTransaction = (tenants: Iterable<number>, work: () => void) => {
    const before = [...tenants].map((EnterpriseId) => [EnterpriseId, held.get(EnterpriseId) ?? 0] as const)
    counted = []
    db.exec('begin')
    try {
      work()
      db.exec('commit')
      for (const [EnterpriseId, SN, more] of counted) counts.add(EnterpriseId, SN, more)
    } catch (error) {
      db.exec('rollback')
      for (const [EnterpriseId, bytes] of before) held.set(EnterpriseId, bytes)
      throw error
    }
  }
  const trimLater = () => {
    later ??= full.size
      ? setImmediate(() => {
          later = undefined
          const EnterpriseId: number = full.values().next().value!
          try {
            inTransaction([EnterpriseId], () => trim(EnterpriseId))
          } catch {
            // For example on a full disk. The next reading tries again and reports it.
            full.clear()
          }
          trimLater()
        })
      : undefined
  }

  return {
    add: (rows: readonly Rejected[]) => {
      const tenants = new Set(rows.map((r) => r.EnterpriseId))
      inTransaction(tenants, () => {
        for (const r of rows) {
          const bytes = overhead + Buffer.byteLength(r.payload) + Buffer.byteLength(r.detail)
          insert.run(r.EnterpriseId, r.SN, r.reason, r.detail, r.received, r.payload, bytes)
          held.set(r.EnterpriseId, (held.get(r.EnterpriseId) ?? 0) + bytes)
          counted.push([r.EnterpriseId, r.SN, 1])
        }
        for (const EnterpriseId of tenants) {
          if (held.get(EnterpriseId)! > maxBytes) full.add(EnterpriseId)
          if (full.has(EnterpriseId)) trim(EnterpriseId)
        }
      })
      trimLater()
    },
    list: (wanted: Wanted): RejectedPage => ({ TotalCount: counts.of(wanted), Items: rows(wanted) }),
    count: counts.of,
    reasons,
    after: unparsed(db),
    /** These are mended. */
    remove: (EnterpriseId: number, ids: readonly number[]) =>
      inTransaction([EnterpriseId], () => {
        for (const { SN, bytes } of removed(db, EnterpriseId, ids)) {
          held.set(EnterpriseId, (held.get(EnterpriseId) ?? 0) - bytes)
          counted.push([EnterpriseId, SN, -1])
        }
      }),
    /** Rows of a tenant that had to make room. */
    dropped: (EnterpriseId: number) => Number(db.prepare('select count from dropped where EnterpriseId = ?').get(EnterpriseId)?.count ?? 0),
    bytes: (EnterpriseId: number) => held.get(EnterpriseId) ?? 0,
    close: () => {
      clearImmediate(later)
      db.close()
    },
  }
}
export type RejectedStore = ReturnType<typeof openRejected>
