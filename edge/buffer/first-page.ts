import { closeSync, fstatSync, fsyncSync, openSync, readSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { prepareLayout } from './layout.ts'

const pageBytes = 4096

/**
 * Replaces the first page of a queue's file: header and schema, which are the same in all files except for counters, and point to the
 * tables. The old page is saved as `<file>.first`.
 */
export const renewFirstPage = (file: string) => {
  const model = `${file}.model`
  rmSync(model, { force: true })
  const db = new DatabaseSync(model)
  db.exec('PRAGMA auto_vacuum = INCREMENTAL')
  prepareLayout(db)
  db.close()
  const page = Buffer.alloc(pageBytes)
  const from = openSync(model, 'r')
  readSync(from, page)
  closeSync(from)
  rmSync(model)
  const to = openSync(file, 'r+')
  const old = Buffer.alloc(pageBytes)
  readSync(to, old, 0, pageBytes, 0)
  writeFileSync(`${file}.first`, old)
  // File format, 1.3: size in pages, and first page and number of free pages; the size is valid while the two counters are equal.
  page.writeUInt32BE(Math.ceil(fstatSync(to).size / pageBytes), 28)
  page.writeUInt32BE(0, 32)
  page.writeUInt32BE(0, 36)
  page.copy(page, 92, 24, 28)
  writeSync(to, page, 0, pageBytes, 0)
  fsyncSync(to)
  closeSync(to)
}
