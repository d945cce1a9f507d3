// The hash chain of each tenant's entries. Built in the background: inside the writers' transactions, the tenant's writes would
// wait for the previous hash from their first statement to their commit. In batches afterwards, it costs
// writers nothing. An entry that is altered within the half second before it is linked is not detected.
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database, Db } from '../../../../server/database/db.ts'
import { locks } from '../../../../server/database/locks.ts'
import type { LogKeys, SignedPlace } from './keys.ts'

export type Entry = { Id: number; EnterpriseId: number; Seq: number; Hash: Buffer | null; Said: string }

/** The entire entry as one text, with exact numbers and times: input of the hash. */
export const saidColumn = sql`jsonb_build_array(t."Id", t."EnterpriseId", (extract(epoch from t."Time") * 1000000)::bigint, t."UserId", t."Resource",
  t."RecordId", t."Verb", t."Before", t."After", t."RequestId", t."Ip")::text as "Said"`

/** 32 bytes: sha256 of the previous hash, the position in the chain and the entry. */
export const hashOf = (before: Buffer, seq: number, said: string) =>
  createHash('sha256').update(before).update(`${seq}\n`).update(said).digest()
export const beginning = Buffer.alloc(32)

const batch = 2000
const dayMs = 86_400_000
export const writeCheckpoint = (db: Db, place: SignedPlace, removed: 0 | 1) =>
  db.rows(sql`
    insert into change_checkpoint ("EnterpriseId", "Seq", "Hash", "Time", "KeyId", "Signature", "Removed")
    values (${place.EnterpriseId}, ${place.Seq}, ${place.Hash}, ${place.Time}, ${place.KeyId}, ${place.Signature}, ${removed})
    on conflict ("EnterpriseId", "Seq") do update set "Removed" = greatest(change_checkpoint."Removed", excluded."Removed")`)

const link = async (db: Db, tenant: number, rows: readonly Entry[], keys: LogKeys, now: Date) => {
  const [head] = await db.rows<{ Seq: number; Hash: Buffer }>(
    sql`select "Seq", "Hash" from change_head where "EnterpriseId" = ${tenant} for update`,
  )
  let [seq, hash] = [head?.Seq ?? 0, head?.Hash ?? beginning]
  const linked = rows.map(({ Id, Said }) => {
    seq++
    hash = hashOf(hash, seq, Said)
    return { Id, seq, hash }
  })
  await db.rows(sql`
    update change c set "Seq" = n."Seq", "Hash" = n."Hash" from unnest(${linked.map((l) => l.Id)}::bigint[], ${linked.map((l) => l.seq)}::bigint[],
      ${linked.map((l) => l.hash)}::bytea[]) n ("Id", "Seq", "Hash") where c."Id" = n."Id"`)
  const place = keys.sign({ EnterpriseId: tenant, Seq: seq, Hash: hash, Time: now })
  await db.rows(sql`
    insert into change_head ("EnterpriseId", "Seq", "Hash", "Time", "KeyId", "Signature")
    values (${tenant}, ${seq}, ${hash}, ${now}, ${place.KeyId}, ${place.Signature})
    on conflict ("EnterpriseId") do update set "Seq" = excluded."Seq", "Hash" = excluded."Hash", "Time" = excluded."Time",
      "KeyId" = excluded."KeyId", "Signature" = excluded."Signature"`)
  const [recent] = await db.rows(
    sql`select 1 from change_checkpoint where "EnterpriseId" = ${tenant} and "Time" > ${new Date(Number(now) - dayMs)} limit 1`,
  )
  if (!recent) await writeCheckpoint(db, place, 0)
}

/** Links new entries, oldest first; returns their number. */
export const linkEntries = (database: Database, keys: LogKeys, clock: () => number): Promise<number> =>
  database.system.tx(async (db) => {
    const [free] = await db.rows<{ mine: boolean }>(sql`select pg_try_advisory_xact_lock(${locks.log}) as mine`)
    if (!free!.mine) return 0
    const rows = await db.rows<Entry>(
      sql`select t."Id", t."EnterpriseId", ${saidColumn} from change t where t."Hash" is null order by t."Id" limit ${batch}`,
    )
    for (const [tenant, of] of Map.groupBy(rows, (row) => row.EnterpriseId)) await link(db, tenant, of, keys, new Date(clock()))
    return rows.length
  })

/** Links new entries every `everyMs`. */
export const startChain = ({
  database,
  keys,
  clock,
  log,
  everyMs = 500,
}: {
  database: Database
  keys: LogKeys
  clock: () => number
  log: { warn: (fields: object, text: string) => void }
  everyMs?: number
}) => {
  let busy: Promise<void> | undefined
  let closed = false
  const catchUp = async () => {
    while (!closed && (await linkEntries(database, keys, clock)) === batch);
  }
  const timer = setInterval(() => {
    busy ??= catchUp()
      .catch((err) => log.warn({ err }, 'log entries could not be linked'))
      .finally(() => {
        busy = undefined
      })
  }, everyMs).unref()
  return {
    async close() {
      closed = true
      clearInterval(timer)
      await busy
    },
  }
}
