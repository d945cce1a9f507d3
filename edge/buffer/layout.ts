// The tables of the queue's file, and the checksums that detect damage of tables and rows.
import { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'

/** Schema versions, in order. A file may end with any of them: it is of an earlier version, or its creation was interrupted. */
const steps = [
  `CREATE TABLE reading (
    Seq INTEGER PRIMARY KEY AUTOINCREMENT, MsgId TEXT NOT NULL UNIQUE, Items TEXT NOT NULL, Count INTEGER NOT NULL, Live INTEGER NOT NULL
  ) STRICT`,
  'CREATE TABLE command (Seq INTEGER PRIMARY KEY AUTOINCREMENT, MsgId TEXT NOT NULL UNIQUE, Reply TEXT) STRICT',
  'CREATE TABLE counter (Name TEXT PRIMARY KEY, Value INTEGER NOT NULL) STRICT',
  // Null in rows of earlier versions.
  'ALTER TABLE reading ADD COLUMN Sum INTEGER',
  'ALTER TABLE command ADD COLUMN Sum INTEGER',
  'CREATE TABLE damaged (Seq, MsgId, Items, Count, Sum)',
]
const layoutOf = (db: DatabaseSync) =>
  JSON.stringify(db.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name').all()).replace(/(\s|\\n)+/g, '')
const known = (() => {
  const db = new DatabaseSync(':memory:')
  const layouts = [layoutOf(db)]
  for (const step of steps) {
    db.exec(step)
    layouts.push(layoutOf(db))
  }
  db.close()
  return layouts
})()

/** Number of applied steps; -1 for a foreign schema. */
export const stepsOf = (db: DatabaseSync) => known.indexOf(layoutOf(db))

/** Whether the tables are ours or missing, and contain only valid values. `dropped` is stored twice, once negated. */
export const isOurs = (db: DatabaseSync) => {
  const done = stepsOf(db)
  const none = (sql: string) => db.prepare(`${sql} LIMIT 1`).get() === undefined
  return (
    done >= 0 &&
    (done < 1 || none('SELECT 1 FROM reading WHERE Seq NOT BETWEEN 1 AND 1e15 OR Count NOT BETWEEN 0 AND 1e9')) &&
    (done < 2 || none('SELECT 1 FROM command WHERE Seq NOT BETWEEN 1 AND 1e15')) &&
    (done < 5 || (db.prepare('SELECT * FROM command').all() as (Command & Summed)[]).every(isIntact.command)) &&
    (done < steps.length ||
      none(
        `SELECT 1 FROM (SELECT total(Value) AS sum, count(*) AS rows FROM counter WHERE Name IN ('dropped', '-dropped')) WHERE sum <> 0 OR rows <> 2`,
      ))
  )
}

/** Creates the tables, or upgrades those of an earlier version. */
export const prepareLayout = (db: DatabaseSync) => {
  db.exec('BEGIN IMMEDIATE')
  for (const step of steps.slice(stepsOf(db))) db.exec(step)
  db.exec(`
    INSERT OR IGNORE INTO counter VALUES ('dropped', 0);
    INSERT OR IGNORE INTO counter SELECT '-dropped', -Value FROM counter WHERE Name = 'dropped';
    UPDATE sqlite_sequence SET seq = 0;
    UPDATE reading SET Live = 0 WHERE Live <> 0;
    COMMIT`)
}

type Reading = { Seq: number; MsgId: string; Items: string; Count: number }
type Command = { MsgId: string; Reply: string | null }
/** Null in rows of versions without checksums. */
type Summed = { Sum: number | null }
export const sumOfReading = ({ Seq, MsgId, Items, Count }: Reading) => crc32(`${Seq} ${Count} ${MsgId} ${Items}`) | 0
export const sumOfCommand = ({ MsgId, Reply }: Command) => crc32(`${MsgId} ${Reply === null ? '' : `:${Reply}`}`) | 0

const isJson = (text: string) => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
/** Whether a row is unchanged. CRC-32 detects every burst of up to 32 bits; rows without a checksum are only checked for their format. */
export const isIntact = {
  reading: (row: Reading & Summed) =>
    typeof row.MsgId === 'string' &&
    typeof row.Items === 'string' &&
    (row.Sum === null ? row.Count > 0 && isJson(`[${row.Items}]`) : row.Sum === sumOfReading(row)),
  command: (row: Command & Summed) =>
    typeof row.MsgId === 'string' && (row.Sum === null ? row.Reply === null || isJson(row.Reply) : row.Sum === sumOfCommand(row)),
}
