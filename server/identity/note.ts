// Entries of the log for what is no change of a row.

import { sql } from 'kysely'
import { shortened } from '../../contract/text.ts'
import type { Db } from '../database/db.ts'
import type { Actor } from './actor.ts'

export type Deed = {
  EnterpriseId: number
  UserId: number | null
  Resource: string
  RecordId: number
  Verb: string
  Ip?: string
  RequestId?: string
}
/** Notes what is no change of a row: a sign-in, an export, a backup. */
export const note = (
  db: Db,
  { EnterpriseId, UserId, Resource, RecordId, Verb, Ip, RequestId }: Deed,
  details: Record<string, unknown> = {},
) =>
  db.rows(sql`
    insert into change ("EnterpriseId", "UserId", "Resource", "RecordId", "Verb", "After", "RequestId", "Ip")
    values (${EnterpriseId}, ${UserId}, ${Resource}, ${RecordId}, ${Verb}, ${JSON.stringify(details)}::jsonb, ${RequestId ?? null}, ${Ip ?? null})`)

/** Notes what a person did. */
export const noteDeed = (
  db: Db,
  { EnterpriseId, UserId, origin }: Pick<Actor, 'EnterpriseId' | 'UserId' | 'origin'>,
  of: Pick<Deed, 'Resource' | 'RecordId' | 'Verb'>,
  details: Record<string, unknown> = {},
) => note(db, { ...of, EnterpriseId, UserId: UserId || null, ...(origin ? { Ip: origin.ip, RequestId: origin.requestId } : {}) }, details)

/** Maximum length of a logged value: a list of a thousand names adds nothing. */
const mostFilters = 2000
/** Notes that a list left as a file: which, what was filtered, and how many rows. */
export const noteExport = (
  db: Db,
  actor: Actor,
  Resource: string,
  Title: string,
  { Filters, ...more }: { Filters: object; Rows: number; Sha256?: string },
) => {
  const filters = shortened(JSON.stringify(Filters), mostFilters)
  return noteDeed(
    db,
    actor,
    { Resource, RecordId: 0, Verb: 'export' },
    { Title, ...more, ...(filters === '{}' ? {} : { Filters: filters }) },
  )
}
