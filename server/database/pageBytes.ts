// A page of rows with large fields, such as checklists, is no larger than the server can hold for many people at once.
import { sql } from 'kysely'
import { type Field, isStructured } from '../../contract/field.ts'
import type { Resource } from '../../contract/resource.ts'
import { FieldFaults } from '../http/faults.ts'
import { boundedQueue } from '../jobs/boundedQueue.ts'
import type { Db } from './db.ts'
import { column, type Sql, table } from './fragments.ts'

/** Rows of a page that is not weighed; bytes of structured fields and long texts in any other, and in one that waits for its turn. */
const [fewRows, mostBytes, heavyBytes] = [20, 8 * 1024 * 1024, 1024 * 1024]
/** Characters of texts that are not weighed. */
const shortText = 5000
const isLarge = (field: Field) => isStructured(field) || (field.kind === 'long' && field.max > shortText)
const turns = boundedQueue({ concurrency: 1, backlog: 200, refusal: 'tooMany' })

type Page = { r: Resource; rows: Sql; size: number; key: number }
/** Reads a page, `rows` of which selects the Ids as "Row". Heavy ones take turns by tenant. Throws FieldFaults for one that is too large. */
export const readPage = async <T>(db: Db, { r, rows, size, key }: Page, read: () => Promise<T>): Promise<T> => {
  const fields = Object.entries(r.fields).filter(([, field]) => isLarge(field))
  if (size <= fewRows || !fields.length) return read()
  const bytes = sql.join(
    fields.map(([name]) => sql`coalesce(octet_length(${column(name)}::text), 0)`),
    sql` + `,
  )
  const [row] = await db.rows<{ Bytes: number; Rows: number }>(sql`
    select coalesce(sum(${bytes}), 0)::float8 as "Bytes", count(*)::int as "Rows" from (${rows}) p join ${table(r)} t on t."Id" = p."Row"`)
  if (row!.Bytes <= heavyBytes) return read()
  if (row!.Bytes <= mostBytes) return turns(read, { key })
  const max = Math.max(fewRows, Math.floor((row!.Rows * mostBytes) / row!.Bytes))
  throw new FieldFaults([{ field: 'PageSize', rule: 'max', values: { max } }])
}
