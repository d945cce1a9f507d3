import { closeSync, existsSync, openSync, readSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { renewFirstPage } from './first-page.ts'
import { isIntact, isOurs, stepsOf } from './layout.ts'

type Row = { Seq: number; MsgId: string; Items: string; Count: number }
type Command = { MsgId: string; Reply: string | null }
type Summed = { Sum: number | null }
export type Salvaged = { rows: Row[]; commands: Command[]; dropped: number }

/** SQLITE_CORRUPT, SQLITE_NOTADB, and SQLITE_ERROR (unreadable schema). */
const damage = new Set([1, 11, 26])
const isDamage = (error: unknown) => damage.has(((error as { errcode?: number }).errcode ?? 0) & 0xff)

const headerOf = (file: string) => {
  const header = Buffer.alloc(100)
  const opened = openSync(file, 'r')
  readSync(opened, header)
  closeSync(opened)
  return header
}

const isWhole = (file: string) => {
  // Files of a later format are read-only (file format, 1.3.3); an empty file has no format yet.
  if (headerOf(file)[18]! > 2) return false
  const db = new DatabaseSync(file)
  try {
    return Object.values(db.prepare('PRAGMA integrity_check(1)').get() ?? {})[0] === 'ok' && isOurs(db)
  } catch (error) {
    // Other errors, such as a lock, are reported when the file is opened.
    return !isDamage(error)
  } finally {
    db.close()
  }
}

/** Rows of an iteration up to the first unreadable page. */
const readable = <T>(iterate: () => Iterable<unknown>): T[] => {
  const found: T[] = []
  try {
    for (const row of iterate()) found.push(row as T)
  } catch {
    // The remaining rows are unreadable.
  }
  return found
}

/** SQLite refuses a file that is shorter than its header states, so missing pages are filled with zeros (file format, 1.3). */
const pad = (file: string) => {
  const header = headerOf(file)
  const size = header.readUInt16BE(16)
  const whole = (size === 1 ? 65_536 : size) * header.readUInt32BE(28)
  if (whole > statSync(file).size && whole < 4 * 1024 ** 3) truncateSync(file, whole)
}

const hasLayout = (file: string) => {
  const db = new DatabaseSync(file)
  try {
    return stepsOf(db) >= 0
  } catch {
    return false
  } finally {
    db.close()
  }
}

/**
 * Checks a queue's file. Saves a damaged one as `<file>.damaged`, and returns the rows that can still be read from both of its ends;
 * undefined for an intact or missing file.
 */
export const salvage = (file: string): Salvaged | undefined => {
  if (!existsSync(file) || isWhole(file)) return undefined
  const aside = `${file}.damaged`
  for (const suffix of ['', '-wal', '-shm']) {
    rmSync(aside + suffix, { force: true })
    if (existsSync(file + suffix)) renameSync(file + suffix, aside + suffix)
  }
  pad(aside)
  if (!hasLayout(aside)) renewFirstPage(aside)
  const db = new DatabaseSync(aside)
  const all = <T>(sql: string) => readable<T>(() => db.prepare(sql).iterate())
  const sum = (table: string) =>
    all<{ name: string }>(`PRAGMA table_info(${table})`).some(({ name }) => name === 'Sum') ? 'CAST(Sum AS REAL) AS Sum' : 'NULL AS Sum'
  // Real numbers: a damaged number may exceed the range of integers.
  const columns = `CAST(Seq AS REAL) AS Seq, MsgId, Items, CAST(Count AS REAL) AS Count, ${sum('reading')}`
  const read = ['ASC', 'DESC'].flatMap((order) =>
    all<Row & Summed>(`SELECT ${columns} FROM reading NOT INDEXED ORDER BY reading.Seq ${order}`),
  )
  const rows = [...new Map(read.map((row) => [row.Seq, row])).values()].sort((a, b) => a.Seq - b.Seq)
  const intact = rows.filter(isIntact.reading)
  const [counter] = all<{ Value: number }>(
    "SELECT CAST(Value AS REAL) AS Value FROM counter WHERE Name = 'dropped' AND Value BETWEEN 0 AND 1e15",
  )
  const found = {
    rows: intact,
    commands: all<Command & Summed>(`SELECT MsgId, Reply, ${sum('command')} FROM command ORDER BY command.Seq`).filter(isIntact.command),
    dropped: (counter?.Value ?? 0) + rows.length - intact.length,
  }
  db.close()
  return found
}
