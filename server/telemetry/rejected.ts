import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Rejected } from './sample.ts'

export type RejectedRow = Rejected & { Id: number }
export type RejectedPage = { TotalCount: number; Items: RejectedRow[] }
type Following = { EnterpriseId: number; SN: string; reason: string; since: number; id: number; limit: number }
type Wanted = { EnterpriseId: number; serials?: readonly string[]; page: number; size: number }

const schema = `
  create table if not exists rejected (Id integer primary key, EnterpriseId integer not null, SN text not null, reason text not null,
    detail text not null, received integer not null, payload text not null, bytes integer not null);
  create index if not exists rejected_sn on rejected (EnterpriseId, SN, Id);
  create index if not exists rejected_oldest on rejected (EnterpriseId, Id, bytes);
  create table if not exists dropped (EnterpriseId integer primary key, count integer not null);`

/** Columns beside the payload, bytes, about. */
const overhead = 120
/** What is deleted in one turn of the event loop: about a millisecond, more while SQLite empties its log. */
const [stepRows, stepBytes] = [500, 1024 * 1024]

const statementsOf = (db: DatabaseSync) => ({
  insert: db.prepare('insert into rejected (EnterpriseId, SN, reason, detail, received, payload, bytes) values (?, ?, ?, ?, ?, ?, ?)'),
  oldest: db.prepare(`select Id, bytes from rejected indexed by rejected_oldest where EnterpriseId = ? order by Id limit ${stepRows}`),
  removeTo: db.prepare('delete from rejected indexed by rejected_oldest where EnterpriseId = ? and Id <= ?'),
  countDropped: db.prepare('insert into dropped values (?, ?) on conflict (EnterpriseId) do update set count = count + excluded.count'),
})

/** Rows of one reason and gateway in their order, received since then, after a row's Id. */
const following =
  (db: DatabaseSync) =>
  ({ EnterpriseId, SN, reason, since, id, limit }: Following): RejectedRow[] =>
    db
      .prepare(
        `select Id, EnterpriseId, SN, reason, detail, received, payload from rejected
         where EnterpriseId = ? and SN = ? and Id > ? and reason = ? and received >= ? order by Id limit ?`,
      )
      .all(EnterpriseId, SN, id, reason, since, limit) as RejectedRow[]
/** The bytes of rows that are deleted. */
const removed = (db: DatabaseSync, EnterpriseId: number, ids: readonly number[]) => {
  const statement = db.prepare('delete from rejected where EnterpriseId = ? and Id = ? returning bytes')
  return ids.reduce((bytes, id) => bytes + Number(statement.get(EnterpriseId, id)?.bytes ?? 0), 0)
}

/**
 * Dead-letter store of rejected readings, for inspection and replay: at most `maxBytes` a tenant. Beyond that the oldest are dropped and counted.
 * In SQLite with its log: survives a crash of the process; a power cut may cost the last moments, which no promise covers.
 */
export const openRejected = (folder: string, maxBytes = 64 * 1024 * 1024) => {
  mkdirSync(folder, { recursive: true })
  const db = new DatabaseSync(join(folder, 'rejected.db'))
  db.exec(`pragma journal_mode = wal; pragma synchronous = normal; ${schema}`)
  const { insert, oldest, removeTo, countDropped } = statementsOf(db)
  const held = new Map<number, number>()
  for (const row of db.prepare('select EnterpriseId, sum(bytes) as bytes from rejected group by EnterpriseId').all())
    held.set(Number(row.EnterpriseId), Number(row.bytes))

  /** Tenants that are trimmed down to nine tenths, so that a full one is not trimmed at every reading. */
  const full = new Set<number>()
  let later: NodeJS.Immediate | undefined
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
    if (count) {
      removeTo.run(EnterpriseId, last)
      countDropped.run(EnterpriseId, count)
    }
    held.set(EnterpriseId, bytes)
    if (!count || bytes <= maxBytes * 0.9) full.delete(EnterpriseId)
  }
  const inTransaction = (tenants: Iterable<number>, work: () => void) => {
    const before = [...tenants].map((EnterpriseId) => [EnterpriseId, held.get(EnterpriseId) ?? 0] as const)
    db.exec('begin')
    try {
      work()
      db.exec('commit')
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
        }
        for (const EnterpriseId of tenants) {
          if (held.get(EnterpriseId)! > maxBytes) full.add(EnterpriseId)
          if (full.has(EnterpriseId)) trim(EnterpriseId)
        }
      })
      trimLater()
    },
    /** Newest first; `page` from 1. Without serial numbers, all gateways of the tenant. */
    list: ({ EnterpriseId, serials, page, size }: Wanted): RejectedPage => {
      const condition = `EnterpriseId = ?${serials ? ` and SN in (${serials.map(() => '?').join()})` : ''}`
      const values = [EnterpriseId, ...(serials ?? [])]
      const total = db.prepare(`select count(*) as total from rejected where ${condition}`).get(...values)
      const columns = 'Id, EnterpriseId, SN, reason, detail, received, payload'
      const items = db.prepare(`select ${columns} from rejected where ${condition} order by Id desc limit ? offset ?`)
      return { TotalCount: Number(total!.total), Items: items.all(...values, size, (page - 1) * size) as RejectedRow[] }
    },
    after: following(db),
    /** These are mended. */
    remove: (EnterpriseId: number, ids: readonly number[]) =>
      inTransaction([EnterpriseId], () => held.set(EnterpriseId, (held.get(EnterpriseId) ?? 0) - removed(db, EnterpriseId, ids))),
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
