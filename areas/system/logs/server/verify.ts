import { sql } from 'kysely'
import type { Database, Db } from '../../../../server/database/db.ts'
import { monthsBefore, removeMonth } from '../../../../server/database/monthly/months.ts'
import type { logProblems } from '../contract.ts'
import { beginning, type Entry, hashOf, saidColumn, writeCheckpoint } from './chain.ts'
import type { LogKeys, SignedPlace } from './keys.ts'

type Problem = { Kind: (typeof logProblems)[number]; Seq: number; Id: number | null }
export type Verdict = { Entries: number; From: number; To: number; Checkpoints: number; Sound: boolean; Problems: Problem[] }

const pageRows = 2000
/** Maximum number of reported problems. */
const mostProblems = 100
const place = sql`"EnterpriseId", "Seq", "Hash", "Time", "KeyId", "Signature"`

/**
 * Recomputes the chain of a tenant from the signed position where retention ended, and checks it against every
 * signature. Reports an altered entry and continues from the recorded hash, so one alteration is one problem.
 */
export const verifyChain = async (database: Database, keys: LogKeys, tenant: number): Promise<Verdict> => {
  const db = database.system
  const Problems: Problem[] = []
  const found = (Kind: Problem['Kind'], Seq: number, Id: number | null = null) => {
    if (Problems.length < mostProblems) Problems.push({ Kind, Seq, Id })
  }
  const signed = (at: SignedPlace) => {
    const good = keys.verifies(at)
    if (good !== true) found(good === undefined ? 'unknownKey' : 'signature', at.Seq)
  }
  // The head is read first: entries linked since then follow it, and are checked next time.
  const [head] = await db.rows<SignedPlace>(sql`select ${place} from change_head where "EnterpriseId" = ${tenant}`)
  const checkpoints = await db.rows<SignedPlace & { Removed: number }>(
    sql`select ${place}, "Removed" from change_checkpoint where "EnterpriseId" = ${tenant} order by "Seq"`,
  )
  const start = checkpoints.findLast((c) => c.Removed === 1)
  const kept = new Map(checkpoints.filter((c) => c.Seq >= (start?.Seq ?? 0)).map((c) => [c.Seq, c]))
  for (const checkpoint of kept.values()) signed(checkpoint)
  let [seq, hash] = [start?.Seq ?? 0, start?.Hash ?? beginning]
  const From = seq + 1
  let Entries = 0
  const end = head?.Seq ?? 0
  for (let more = true; more; ) {
    const rows = await db.rows<Entry>(sql`
      select t."Id", t."Seq", t."Hash", ${saidColumn} from change t
      where t."EnterpriseId" = ${tenant} and t."Seq" > ${seq} and t."Seq" <= ${end} order by t."Seq" limit ${pageRows}`)
    for (const row of rows) {
      for (let gap = seq + 1; gap < row.Seq && Problems.length < mostProblems; gap++) found('missing', gap)
      // After a gap the previous hash is unknown: accept the entry's hash, and let the signatures decide.
      if (row.Seq === seq + 1 && !hashOf(hash, row.Seq, row.Said).equals(row.Hash!)) found('altered', row.Seq, row.Id)
      seq = row.Seq
      hash = row.Hash!
      Entries++
      const checkpoint = kept.get(seq)
      if (checkpoint && !checkpoint.Hash.equals(hash)) found('altered', seq, row.Id)
    }
    more = rows.length === pageRows
  }
  if (head) {
    signed(head)
    if (seq < head.Seq) found('truncated', head.Seq)
    else if (!head.Hash.equals(hash)) found('altered', head.Seq)
  } else {
    const [orphan] = await db.rows<{ Seq: number }>(
      sql`select "Seq" from change where "EnterpriseId" = ${tenant} and "Seq" is not null order by "Seq" desc limit 1`,
    )
    if (orphan) found('truncated', orphan.Seq)
  }
  return { Entries, From, To: seq, Checkpoints: kept.size, Sound: Problems.length === 0, Problems }
}

/** Drops entire months in which each entry is signed as removed. Dropping a partition costs no work per row. */
const forgetMonths = async (db: Db, adminUrl: string, before: Date) => {
  let removed = 0
  for (const month of await monthsBefore(adminUrl, 'change', before)) {
    const [entries] = await db.rows<{ kept: number; all: number }>(sql`
      select count(*)::int as all, count(*) filter (where coalesce(c."Seq" > s."Seq", true))::int as kept
      from change c left join (select "EnterpriseId", max("Seq") as "Seq" from change_checkpoint where "Removed" = 1 group by 1) s using ("EnterpriseId")
      where c."Time" >= ${month.from ?? new Date(0)} and c."Time" < ${month.to}`)
    if (entries!.kept) continue
    await removeMonth(adminUrl, 'change', month)
    removed += entries!.all
  }
  return removed
}

/**
 * Removes entries before a time; signs the last of them first, so that the rest still verifies. A chain that does not
 * verify is left unchanged, because it may be evidence. Returns the number of removed entries.
 */
export const forgetBefore = async (database: Database, adminUrl: string, keys: LogKeys, before: Date, clock: () => number) => {
  const db = database.system
  const signed: { EnterpriseId: number; Seq: number }[] = []
  let unsound = 0
  for (const { EnterpriseId } of await db.rows<{ EnterpriseId: number }>(sql`select "EnterpriseId" from change_head`)) {
    const [last] = await db.rows<{ Seq: number; Hash: Buffer }>(sql`
      select "Seq", "Hash" from change where "EnterpriseId" = ${EnterpriseId} and "Seq" < (
        select coalesce(min("Seq"), 9007199254740991) from change where "EnterpriseId" = ${EnterpriseId} and "Time" >= ${before})
      order by "Seq" desc limit 1`)
    if (!last) continue
    if (!(await verifyChain(database, keys, EnterpriseId)).Sound) {
      unsound++
      continue
    }
    await writeCheckpoint(db, keys.sign({ EnterpriseId, ...last, Time: new Date(clock()) }), 1)
    signed.push({ EnterpriseId, Seq: last.Seq })
  }
  let removed = await forgetMonths(db, adminUrl, before)
  for (const { EnterpriseId, Seq } of signed)
    removed += await db.tx(async (db) => {
      const [gone] = await db.rows<{ n: number }>(sql`select penstock_forget_changes(${EnterpriseId}, ${Seq})::int as n`)
      await db.rows(sql`delete from change_checkpoint where "EnterpriseId" = ${EnterpriseId} and "Seq" < ${Seq}`)
      return gone!.n
    })
  return { removed, unsound }
}
