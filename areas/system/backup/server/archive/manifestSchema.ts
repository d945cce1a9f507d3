// Schema of a manifest. Its names become paths and table names, so each must match the pattern of names that we write.
import { type Static, type TSchema, Type } from 'typebox'
import { BackupFile } from '../../contract.ts'

/** Tables whose rows are private, or worthless outside their database. */
export const neverDumped: readonly string[] = ['migration', 'session', 'login_attempt', 'known_browser']
/** Tables of readings that are not closed yet. */
export const openTables = ['late', 'latest', 'counter']

const strict = <T extends Record<string, TSchema>>(properties: T) => Type.Object(properties, { additionalProperties: false })
const like = (pattern: string) => Type.String({ pattern: `^(?:${pattern})$`, maxLength: 200 })
const Count = Type.Integer({ minimum: 0 })
const Text = Type.String({ maxLength: 300 })
const Hash = like('[0-9a-f]{64}')
const file = (Name: TSchema & { static?: string }) => ({ Name: Name as ReturnType<typeof like>, Size: Count, Sha256: Hash })

const tableName = '[a-z][a-z0-9_]{0,62}'
const hotTable = 'hot_\\d{1,12}'
const readingsTable = `${openTables.join('|')}|${hotTable}`
const readingsFile = '(?:segment|raw|minute|quarter|hold)-\\d{4}-\\d{2}-\\d{2}-[0-9a-f-]{36}\\.parquet'
const storedFile = '\\d{1,16}_[0-9a-f]{32}\\.[a-z0-9]{2,5}'
const Identifier = like('[A-Za-z_][A-Za-z0-9_]{0,62}')
export const namePattern = /^penstock-(db|files)-\d{8}T\d{6}Z(-\d+)?$/

const Kind = Type.Unsafe<'db' | 'files'>(Type.Union([Type.Literal('db'), Type.Literal('files')]))
const head = { Format: Type.Integer({ minimum: 1 }), Kind, Name: like(namePattern.source.slice(1, -1)), Time: Type.Integer() }
const marks = { SealKey: Type.Optional(like('[0-9a-f]{16}')), Seal: Type.Optional(Hash), Sha256: Type.Optional(Hash) }
const manifest = {
  ...head,
  DurationMs: Count,
  Version: Text,
  By: Type.Union([Text, Type.Null()]),
  Size: Count,
  AddedSize: Count,
  /** Migrations that created the tables, in order, with their hashes. */
  Migrations: Type.Array(Type.Tuple([like('\\d{4}_\\w{1,100}\\.sql'), Hash])),
  Tables: Type.Array(
    strict({
      Table: like(tableName),
      Columns: Type.Array(Identifier, { minItems: 1 }),
      Rows: Count,
      /** Hash of the rows. */
      Content: Hash,
      ...file(like(`${tableName}\\.copy\\.gz`)),
    }),
  ),
  /** Positions of the sequences. */
  Sequences: Type.Array(strict({ Name: Identifier, Last: Type.Integer({ minimum: 1 }), Called: Type.Boolean() })),
  Readings: Type.Union([
    Type.Null(),
    strict({
      Format: Type.Integer({ minimum: 1 }),
      readings: Count,
      tables: Type.Array(like(readingsTable)),
      Tables: Type.Array(strict(file(like(`(?:${readingsTable})\\.parquet`)))),
      files: Type.Array(like(readingsFile)),
      manifest: Type.Array(
        strict({
          kind: Type.Unsafe<'hot' | 'segment' | 'raw' | 'minute' | 'quarter' | 'hold'>(like('hot|segment|raw|minute|quarter|hold')),
          file: like(`${hotTable}|${readingsFile}`),
          start: Type.Number(),
          end: Type.Number(),
          rows: Type.Number(),
          bytes: Type.Number(),
          top: Type.Number(),
          low: Type.Number(),
          high: Type.Number(),
        }),
      ),
    }),
  ]),
  /** Files shared by several backups. */
  Pool: Type.Array(strict(file(like(`${readingsFile}|${storedFile}`)))),
  /** Public keys of the log's signatures. */
  Keys: Type.Record(like('[0-9a-f]{16}'), Type.String({ maxLength: 1000 }), { additionalProperties: false }),
  Things: Type.Record(like('[A-Za-z]{1,60}'), Count, { additionalProperties: false }),
}
export const ManifestSchema = strict({ ...manifest, ...marks })
export const EncryptedSchema = strict({
  ...head,
  Shown: strict(BackupFile.properties),
  Archive: strict(file(like('archive\\.tar\\.age'))),
  ...marks,
})

const same = (a: readonly string[], b: readonly string[]) => a.length === b.length && new Set([...a, ...b]).size === a.length
/** Whether the parts are consistent: unique names, each file in its folder, and every reference listed. */
export const agrees = (m: Static<typeof ManifestSchema>): boolean => {
  const [pool, readings] = [m.Pool.map((f) => f.Name), m.Readings]
  const tables = m.Tables.map((t) => t.Table)
  return (
    namePattern.exec(m.Name)?.[1] === m.Kind &&
    new Set(tables).size === tables.length &&
    m.Tables.every((t) => t.Name === `${t.Table}.copy.gz` && !neverDumped.includes(t.Table)) &&
    (m.Kind === 'db' ? tables.length > 0 : !tables.length && !readings && pool.every((name) => new RegExp(`^${storedFile}$`).test(name))) &&
    (m.Kind === 'files' ? new Set(pool).size === pool.length : same(pool, readings?.files ?? [])) &&
    (!readings ||
      (same(readings.tables, [...new Set(readings.tables)]) &&
        openTables.every((name) => readings.tables.includes(name)) &&
        same(
          readings.Tables.map((t) => t.Name),
          readings.tables.map((name) => `${name}.parquet`),
        ) &&
        readings.manifest.every((e) => (e.kind === 'hot' ? readings.tables : readings.files).includes(e.file))))
  )
}
