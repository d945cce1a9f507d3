import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Fault } from '../http/faults.ts'
import type { Snapshot } from '../telemetry/store/duckdb/snapshot.ts'
import type { Listed } from './files.ts'

/** What older code could misread raises it. */
export const format = 1

export type TableEntry = Listed & { Table: string; Columns: string[]; Rows: number; Content: string }
export type Manifest = {
  Format: number
  Kind: 'db' | 'files'
  Name: string
  Time: number
  DurationMs: number
  Version: string
  By: string | null
  Size: number
  AddedSize: number
  /** Migrations that made the tables, in their order, with their hashes. */
  Migrations: [name: string, hash: string][]
  Tables: TableEntry[]
  /** Where numbering goes on. */
  Sequences: { Name: string; Last: number; Called: boolean }[]
  Readings: (Snapshot & { Format: number; Tables: Listed[] }) | null
  /** Contents kept once for all backups. */
  Pool: Listed[]
  /** Public keys that signed the log. */
  Keys: Record<string, string>
  Things: Record<string, number>
}
export type Sealed = Manifest & { Sha256: string }

export const version = (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }).version

const hashOf = (manifest: Manifest) => createHash('sha256').update(JSON.stringify(manifest)).digest('hex')
export const seal = (manifest: Manifest): Sealed => ({ ...manifest, Sha256: hashOf(manifest) })

/** Reads a manifest back. Throws Fault backupDamaged when it is not as it was sealed, backupNewer for one of a later version. */
export const unseal = (text: string): Sealed => {
  let given: Sealed
  try {
    given = JSON.parse(text) as Sealed
  } catch {
    throw new Fault('backupDamaged', { file: 'manifest.json' })
  }
  const { Sha256, ...manifest } = given
  if (!(manifest.Format >= 1) || hashOf(manifest) !== Sha256) throw new Fault('backupDamaged', { file: 'manifest.json' })
  if (manifest.Format > format) throw new Fault('backupNewer')
  return given
}
