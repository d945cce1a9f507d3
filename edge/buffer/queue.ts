import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isIntact, prepareLayout, sumOfCommand, sumOfReading } from './layout.ts'
import { salvage } from './salvage.ts'

/** Changes of one commit. All are idempotent. */
export type Change =
  /** `Items`: content of the array, as JSON. Live: the message is in flight, so back-fill skips it. */
  | { do: 'append'; MsgId: string; Items: string; Count: number; Live: boolean }
  /** The server has stored the message. */
  | { do: 'remove'; MsgId: string }
  | { do: 'removeRows'; Seqs: number[] }
  /** The live message was not acknowledged: it becomes history. Without MsgId: all. */
  | { do: 'demote'; MsgId?: string }
  /** A received command (Reply null) or its outcome. */
  | { do: 'remember'; MsgId: string; Reply: string | null }

/**
 * `salvaged`: readings recovered from a damaged file, which is saved as `<file>.damaged`. `damaged`: readings of rows whose content
 * had changed since they were written; the last of these rows are saved in a table of that name. They count as dropped.
 */
export type Stats = { readings: number; bytes: number; dropped: number; isFull: boolean; damaged: number; salvaged?: number }
export type Chunk = { rows: { Seq: number; Items: string; Count: number }[]; more: boolean }

/** Number of commands whose outcome is remembered for repetitions. */
export const rememberedCommands = 200
/** Space left free on the disk, so that queued readings can still be removed; a quarter of a small disk. */
const reserveBytes = 16 * 1024 * 1024
/** SQLITE_FULL. */
const diskFull = 13
/** Bytes per row besides its items. */
const overhead = 64
/** Maximum saved damaged rows; the oldest are removed. */
const keptDamaged = 100

const settings = `
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA auto_vacuum = INCREMENTAL;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA wal_autocheckpoint = 200;
`

type Size = { Seq: number; Count: number; Bytes: number } | undefined

const openDatabase = (file: string) => {
  const db = new DatabaseSync(file)
  try {
    db.exec(settings)
    prepareLayout(db)
  } catch (error) {
    db.close()
    if (/locked|busy/.test((error as Error).message)) throw new Error(`${file} is in use by another gateway process.`)
    throw error
  }
  return db
}

const prepareStatements = (db: DatabaseSync) => ({
  append: db.prepare('INSERT OR IGNORE INTO reading (Seq, MsgId, Items, Count, Live, Sum) VALUES (?, ?, ?, ?, ?, ?)'),
  size: db.prepare('SELECT Seq, Count, length(CAST(Items AS BLOB)) AS Bytes FROM reading WHERE MsgId = ?'),
  sizeAt: db.prepare('SELECT Seq, Count, length(CAST(Items AS BLOB)) AS Bytes FROM reading WHERE Seq = ?'),
  oldest: db.prepare('SELECT Seq, Count, length(CAST(Items AS BLOB)) AS Bytes FROM reading ORDER BY Seq LIMIT 1'),
  remove: db.prepare('DELETE FROM reading WHERE Seq = ?'),
  demote: db.prepare('UPDATE reading SET Live = 0 WHERE MsgId = ?'),
  demoteAll: db.prepare('UPDATE reading SET Live = 0 WHERE Live = 1'),
  after: db.prepare('SELECT Seq, MsgId, Items, Count, Sum FROM reading WHERE Live = 0 AND Seq > ? ORDER BY Seq'),
  putAside: db.prepare('INSERT INTO damaged SELECT Seq, MsgId, Items, Count, Sum FROM reading WHERE Seq = ?'),
  keepAside: db.prepare('DELETE FROM damaged WHERE rowid <= (SELECT max(rowid) FROM damaged) - ?'),
  remember: db.prepare(
    'INSERT INTO command (MsgId, Reply, Sum) VALUES (?, ?, ?) ON CONFLICT (MsgId) DO UPDATE SET Reply = excluded.Reply, Sum = excluded.Sum',
  ),
  forget: db.prepare('DELETE FROM command WHERE Seq <= (SELECT max(Seq) FROM command) - ?'),
  commands: db.prepare('SELECT MsgId, Reply FROM command ORDER BY Seq'),
  dropped: db.prepare("UPDATE counter SET Value = Value + iif(Name = 'dropped', ?1, -?1)"),
})

/** Limit of the queue, bytes. Near the end of the disk, the queue keeps its size. */
const openLimit = (file: string, startBytes: number) => {
  let maxBytes = startBytes
  let measured = Number.NEGATIVE_INFINITY
  const limit = {
    bytes: maxBytes,
    measure: (queued: number) => {
      if (performance.now() - measured < 500) return
      measured = performance.now()
      const { bavail, blocks, bsize } = statfsSync(dirname(file))
      const isShort = bavail * bsize < Math.min(reserveBytes, (blocks * bsize) / 4)
      limit.bytes = isShort ? Math.min(limit.bytes, queued) : maxBytes
    },
    set: (bytes: number) => {
      maxBytes = bytes
      limit.bytes = bytes
      measured = Number.NEGATIVE_INFINITY
    },
  }
  return limit
}

type Statements = ReturnType<typeof prepareStatements>
/** Changes rows inside a transaction, and updates `stats`. */
const openRows = (statements: Statements, stats: Stats, limit: { bytes: number }, lastSeq: number) => {
  let seq = lastSeq
  const remove = (row: Size) => {
    if (!row) return 0
    statements.remove.run(row.Seq)
    stats.readings -= row.Count
    stats.bytes -= row.Bytes + overhead
    return row.Count
  }
  /** Drops this many of the oldest rows, and more until the rest is within the limit. */
  const dropOldest = (rows: number) => {
    let dropped = 0
    for (let i = 0; stats.readings > 0 && (i < rows || stats.bytes > limit.bytes); i++) dropped += remove(statements.oldest.get() as Size)
    statements.dropped.run(dropped)
    stats.dropped += dropped
    stats.isFull = true
  }
  const putAside = (seqs: readonly number[]) => {
    for (const seq of seqs) {
      statements.putAside.run(seq)
      // The count of a damaged row may be wrong, too.
      const count = Math.max(1, remove(statements.sizeAt.get(seq) as Size))
      stats.damaged += count
      stats.dropped += count
      statements.dropped.run(count)
    }
    statements.keepAside.run(keptDamaged)
  }
  const perform = (change: Change) => {
    switch (change.do) {
      case 'append': {
        const bytes = Buffer.byteLength(change.Items) + overhead
        const { MsgId, Items, Count } = change
        const Seq = ++seq
        const sum = sumOfReading({ Seq, MsgId, Items, Count })
        if (!statements.append.run(Seq, MsgId, Items, Count, change.Live ? 1 : 0, sum).changes) return
        stats.readings += change.Count
        stats.bytes += bytes
        return stats.bytes > limit.bytes ? dropOldest(1) : undefined
      }
      case 'remove':
        return remove(statements.size.get(change.MsgId) as Size)
      case 'removeRows':
        for (const seq of change.Seqs) remove(statements.sizeAt.get(seq) as Size)
        return
      case 'demote':
        return change.MsgId === undefined ? statements.demoteAll.run() : statements.demote.run(change.MsgId)
      case 'remember':
        statements.remember.run(change.MsgId, change.Reply, sumOfCommand(change))
        return statements.forget.run(rememberedCommands)
    }
  }
  return { perform, dropOldest, putAside }
}

/**
 * Unacknowledged readings on disk, oldest first. Each `apply` is one durable transaction. Above `maxBytes`, and
 * on a nearly full disk, the oldest are dropped and counted. Messages in flight when the process ended become history at the next start.
 */
export const openQueue = (file: string, maxBytes: number) => {
  const saved = salvage(file)
  const db = openDatabase(file)
  const statements = prepareStatements(db)
  const sums = db.prepare(
    'SELECT coalesce(sum(Count), 0) AS readings, coalesce(sum(length(CAST(Items AS BLOB)) + ?), 0) AS bytes FROM reading',
  )
  const start = sums.get(overhead) as { readings: number; bytes: number }
  const counter = db.prepare("SELECT Value FROM counter WHERE Name = 'dropped'").get() as { Value: number }
  const stats: Stats = { ...start, dropped: counter.Value, isFull: false, damaged: 0 }
  const { seq } = db.prepare('SELECT coalesce(max(Seq), 0) AS seq FROM reading').get() as { seq: number }

  const limit = openLimit(file, maxBytes)
  const { perform, dropOldest, putAside } = openRows(statements, stats, limit, seq)
  const transaction = (work: () => void) => {
    const before = { ...stats }
    db.exec('BEGIN IMMEDIATE')
    try {
      work()
      db.exec('COMMIT')
    } catch (error) {
      Object.assign(stats, before)
      if (db.isTransaction) db.exec('ROLLBACK')
      throw error
    }
  }
  /** Retries a failed change alone. On a full disk, the oldest readings are dropped; a change that still does not fit is counted. */
  const squeeze = (change: Change) => {
    for (let tries = 0; tries < 3; tries++) {
      try {
        return transaction(() => perform(change))
      } catch (error) {
        if ((error as { errcode?: number }).errcode !== diskFull) break
        try {
          db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
          transaction(() => dropOldest(20))
        } catch {
          break
        }
      }
    }
    if (change.do === 'append') stats.dropped += change.Count
    stats.isFull = true
  }
  if (saved) {
    transaction(() => {
      for (const { MsgId, Items, Count } of saved.rows) perform({ do: 'append', MsgId, Items, Count, Live: false })
      for (const { MsgId, Reply } of saved.commands) perform({ do: 'remember', MsgId, Reply })
      statements.dropped.run(saved.dropped)
    })
    stats.dropped += saved.dropped
    stats.salvaged = saved.rows.reduce((sum, { Count }) => sum + Count, 0)
  }

  return {
    apply(changes: readonly Change[]): Stats {
      stats.isFull = false
      try {
        limit.measure(stats.bytes)
        transaction(() => changes.forEach(perform))
      } catch {
        for (const change of changes) squeeze(change)
      }
      if (stats.readings === 0) db.exec('PRAGMA incremental_vacuum(64)')
      return { ...stats }
    },
    setLimit: limit.set,
    /** History after a row, in order, up to about `maxBytes`, but at least one row. */
    chunk(afterSeq: number, maxBytes: number): Chunk {
      const rows: Chunk['rows'] = []
      const damaged: number[] = []
      let [bytes, more] = [0, false]
      for (const row of statements.after.iterate(afterSeq) as Iterable<Parameters<typeof isIntact.reading>[0]>) {
        if (!isIntact.reading(row)) {
          damaged.push(row.Seq)
          continue
        }
        const { Seq, Items, Count } = row
        bytes += Buffer.byteLength(Items) + 1
        more = rows.length > 0 && bytes > maxBytes
        if (more) break
        rows.push({ Seq, Items, Count })
      }
      if (damaged.length) transaction(() => putAside(damaged))
      return { rows, more }
    },
    /** Received commands, oldest first, with their outcome as JSON; null if the process ended before the outcome. */
    commands: () => statements.commands.all() as { MsgId: string; Reply: string | null }[],
    stats: (): Stats => ({ ...stats }),
    close: () => db.close(),
  }
}
export type Queue = ReturnType<typeof openQueue>
