import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Rejected } from './sample.ts'

export type RejectedRow = Rejected & { Id: number }
export type RejectedPage = { TotalCount: number; Items: RejectedRow[] }

const schema = `
  create table if not exists rejected (Id integer primary key, EnterpriseId integer not null, SN text not null, reason text not null,
    detail text not null, received integer not null, payload text not null, bytes integer not null);
  create index if not exists rejected_sn on rejected (EnterpriseId, SN, Id);
  create table if not exists dropped (EnterpriseId integer primary key, count integer not null);`

/** Columns beside the payload, bytes, about. */
const overhead = 120

/**
 * Readings that were not stored, kept for people and for replay: at most `maxBytes` a tenant, then the oldest go and are counted.
 * In SQLite with its log: survives a crash of the process; a power cut may cost the last moments, which no promise covers.
 */
export const openRejected = (folder: string, maxBytes = 64 * 1024 * 1024) => {
  mkdirSync(folder, { recursive: true })
  const db = new DatabaseSync(join(folder, 'rejected.db'))
  db.exec(`pragma journal_mode = wal; pragma synchronous = normal; ${schema}`)
  const insert = db.prepare(
    'insert into rejected (EnterpriseId, SN, reason, detail, received, payload, bytes) values (?, ?, ?, ?, ?, ?, ?)',
  )
  const oldest = db.prepare('select Id, bytes from rejected where EnterpriseId = ? order by Id limit 500')
  const removeTo = db.prepare('delete from rejected where EnterpriseId = ? and Id <= ?')
  const countDropped = db.prepare(
    'insert into dropped values (?, ?) on conflict (EnterpriseId) do update set count = count + excluded.count',
  )
  const held = new Map<number, number>()
  for (const row of db.prepare('select EnterpriseId, sum(bytes) as bytes from rejected group by EnterpriseId').all())
    held.set(Number(row.EnterpriseId), Number(row.bytes))

  /** Down to nine tenths, so that a full tenant is not trimmed at every reading. */
  const trim = (EnterpriseId: number) => {
    let bytes = held.get(EnterpriseId) ?? 0
    if (bytes <= maxBytes) return
    let count = 0
    while (bytes > maxBytes * 0.9) {
      let last = 0
      for (const row of oldest.all(EnterpriseId)) {
        if (bytes <= maxBytes * 0.9) break
        bytes -= Number(row.bytes)
        last = Number(row.Id)
        count++
      }
      if (!last) break
      removeTo.run(EnterpriseId, last)
    }
    held.set(EnterpriseId, bytes)
    countDropped.run(EnterpriseId, count)
  }

  return {
    add: (rows: readonly Rejected[]) => {
      db.exec('begin')
      try {
        for (const r of rows) {
          const bytes = overhead + Buffer.byteLength(r.payload) + Buffer.byteLength(r.detail)
          insert.run(r.EnterpriseId, r.SN, r.reason, r.detail, r.received, r.payload, bytes)
          held.set(r.EnterpriseId, (held.get(r.EnterpriseId) ?? 0) + bytes)
        }
        for (const EnterpriseId of new Set(rows.map((r) => r.EnterpriseId))) trim(EnterpriseId)
        db.exec('commit')
      } catch (error) {
        db.exec('rollback')
        throw error
      }
    },
    /** Newest first; `page` from 1. Without SN, all gateways of the tenant. */
    list: ({ EnterpriseId, SN, page, size }: { EnterpriseId: number; SN?: string; page: number; size: number }): RejectedPage => {
      const condition = `EnterpriseId = ?${SN === undefined ? '' : ' and SN = ?'}`
      const values = SN === undefined ? [EnterpriseId] : [EnterpriseId, SN]
      const total = db.prepare(`select count(*) as total from rejected where ${condition}`).get(...values)
      const columns = 'Id, EnterpriseId, SN, reason, detail, received, payload'
      const items = db.prepare(`select ${columns} from rejected where ${condition} order by Id desc limit ? offset ?`)
      return { TotalCount: Number(total!.total), Items: items.all(...values, size, (page - 1) * size) as RejectedRow[] }
    },
    /** Rejected readings of a tenant that had to make room. */
    dropped: (EnterpriseId: number) => Number(db.prepare('select count from dropped where EnterpriseId = ?').get(EnterpriseId)?.count ?? 0),
    bytes: (EnterpriseId: number) => held.get(EnterpriseId) ?? 0,
    close: () => db.close(),
  }
}
export type RejectedStore = ReturnType<typeof openRejected>
