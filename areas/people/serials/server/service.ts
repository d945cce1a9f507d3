import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { Body } from '../../../../contract/call.ts'
import { type SheetRow, unguarded } from '../../../../contract/cell.ts'
import type { Database, Db } from '../../../../server/database/db.ts'
import { readSheetPages } from '../../../../server/files/sheetReader.ts'
import { Fault, FieldFaults } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { Attempts } from '../../../../server/identity/attempts.ts'
import { hashCode, verifyCode } from '../../../../server/identity/passwords.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { record, recordAll, store, tenantOf } from '../../../../server/resource/store.ts'
import { user } from '../../users/contract.ts'
import { codePattern, gatewaySn, mostSerials, type serialCalls } from '../contract.ts'

/** Without ambiguous characters. */
const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const newCode = () => Array.from({ length: 8 }, () => alphabet[randomInt(alphabet.length)]).join('')
/** Normalizes a code: labels are read aloud, so case does not matter. */
const plain = (code: string) => code.trim().toUpperCase()
/** Serial numbers are upper case. */
const serialOf = (text: string) => text.trim().toUpperCase()
const isSerial = (sn: string) => new RegExp(gatewaySn.fields.SN.pattern).test(sn)
/** States in which a number can be bound to a gateway. */
const free = [0, 1, 2, 4]

/** Adds numbers to the stock of a company, all or none. Faults refer to them by position, `Items.3.SN`. */
export const addSerials = async (db: Db, actor: Actor, given: Body<typeof serialCalls.batchAdd>) => {
  const { Items, GatewayTypeId = 1, SubTypeId = 1, Batch = null, ProduceDate = null } = given
  const enterprise = await tenantOf(db, actor, gatewaySn, given)
  const serials = Items.map(({ SN }) => serialOf(SN))
  const first = new Map<string, number>()
  for (const [i, sn] of serials.entries()) if (!first.has(sn)) first.set(sn, i)
  const wrong = serials.flatMap((sn, i) =>
    !isSerial(sn)
      ? [{ field: `Items.${i}.SN`, rule: 'pattern' }]
      : first.get(sn)! < i
        ? [{ field: `Items.${i}.SN`, rule: 'twice', values: { row: first.get(sn)! + 1 } }]
        : [],
  )
  if (wrong.length) throw new FieldFaults(wrong)
  const Codes: { SN: string; Code: string }[] = []
  const rows: { SN: string; CodeHash: string }[] = []
  for (const [i, SN] of serials.entries()) {
    const own = Items[i]!.Code
    const Code = own ? plain(own) : newCode()
    if (!own) Codes.push({ SN, Code })
    rows.push({ SN, CodeHash: await hashCode(Code, enterprise) })
  }
  await db.tx(async (db) => {
    const added = await db.rows<{ Id: number; SN: string; Status: number }>(sql`
      insert into gateway_sn ("EnterpriseId", "SN", "CodeHash", "GatewayTypeId", "SubTypeId", "Batch", "ProduceDate")
      select ${enterprise}, r."SN", r."CodeHash", ${GatewayTypeId}, ${SubTypeId}, ${Batch}::text, ${ProduceDate}::text
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) r ("SN" text, "CodeHash" text) order by r."SN"
      on conflict do nothing returning "Id", "SN", "Status"`)
    const there = new Set(added.map(({ SN }) => SN))
    const taken = serials.flatMap((sn, i) => (there.has(sn) ? [] : [{ field: `Items.${i}.SN`, rule: 'taken' }]))
    if (taken.length) throw new FieldFaults(taken, 'taken')
    const values = { GatewayTypeId, SubTypeId, Batch, ProduceDate }
    const entries = added.map(({ Id, SN, Status }) => ({ Id, EnterpriseId: enterprise, After: { SN, ...values, Status } }))
    await recordAll(db, actor, gatewaySn, 'create', entries)
  })
  return { Added: serials.length, Codes }
}

/** Rows of a sheet that begin with a plausible serial number; skips headings. */
export const readSerials = async (file: Uint8Array, tenant: number) => {
  const Items: { SN: string; Code?: string }[] = []
  const onPage = (rows: readonly SheetRow[]) => {
    for (const { cells } of rows) {
      const [SN = '', Code = ''] = cells.map((cell) => String(unguarded(cell) ?? '').trim())
      if (!/\d/.test(SN) || !isSerial(SN.toUpperCase())) continue
      if (Items.length === mostSerials) throw new Fault('tooManySerials', { most: mostSerials })
      Items.push({ SN: SN.toUpperCase(), ...(new RegExp(codePattern).test(Code) ? { Code } : {}) })
    }
  }
  await readSheetPages(file, onPage, tenant)
  if (!Items.length) throw new Fault('sheetEmpty')
  return { Items }
}

/** Replaces a code; the code of the lost label becomes invalid. */
export const renewCode = (db: Db, actor: Actor, id: number) =>
  db.tx(async (db) => {
    const row = await store(gatewaySn).find(db, actor, id)
    const Code = newCode()
    const hash = await hashCode(Code, row.EnterpriseId)
    const [changed] = await db.rows(sql`
      update gateway_sn set "CodeHash" = ${hash}, "UpdateTime" = now() where "Id" = ${id} and "Status" <> 3 returning 1`)
    if (!changed) throw new Fault('wrongState', { title: row.SN })
    await record(db, actor, gatewaySn, 'update', id, row.EnterpriseId, {}, { Code: 'reset' })
    return { ...(await store(gatewaySn).find(db, actor, id)), Code }
  })

export const removeSerials = (db: Db, actor: Actor, ids: readonly number[]) =>
  db.tx(async (db) => {
    const [bound] = await db.rows<{ SN: string }>(
      sql`select "SN" from gateway_sn t where "Id" = any(${ids}::bigint[]) and "Status" = 3 and ${visible(gatewaySn, actor)} limit 1 for update`,
    )
    if (bound) throw new Fault('wrongState', { title: bound.SN })
    return store(gatewaySn).remove(db, actor, ids)
  })

export const lifeOf = async (db: Db, actor: Actor, id: number) => {
  const { SN, EnterpriseId } = await store(gatewaySn).find(db, actor, id)
  const zone = actor.zone ?? actor.tenantZone
  return db.rows<{ Time: string; OpType: number; FromText: string | null; ToText: string | null; UserName: string | null }>(sql`
    select to_char(l."OpTime" at time zone ${zone}::text, 'YYYY-MM-DD HH24:MI:SS') as "Time", l."OpType", l."FromText", l."ToText", t."UserName"
    from sn_agent_log l left join "user" t on t."Id" = l."UserId" and ${visible(user, actor)}
    where l."EnterpriseId" = ${EnterpriseId} and l."SN" = ${SN} order by l."Id" desc limit 200`)
}

/** A number that may be bound, with its data from the stock. */
export type Claim = { Id: number; SN: string; EnterpriseId: number; GatewayTypeId: number; SubTypeId: number | null; CodeHash: string }

/** Binding requires the code on the label. Unknown numbers, numbers in use and wrong codes get the same answer after the same time. */
export const openStock = (database: Database, attempts: Attempts) => ({
  /** The stock entry of a serial number and code. Throws `bindRefused` or `tooManyTries`. */
  async prove(actor: Actor, { SN, Code }: { SN: string; Code: string }): Promise<Claim> {
    const sn = serialOf(SN).slice(0, 60)
    let claim: Claim | undefined
    const isRight = await attempts.judge(sn, { codesOf: actor.UserId }, async () => {
      const [row] = await database.system.rows<Claim>(sql`
        select "Id", "SN", "EnterpriseId", "GatewayTypeId", "SubTypeId", "CodeHash" from gateway_sn where "SN" = ${sn} and "Status" = any(${free}::int[])`)
      claim = row
      return verifyCode(row?.CodeHash, plain(Code))
    })
    if (!isRight || !claim) throw new Fault('bindRefused')
    return claim
  },
  /** Takes the number out of the stock for a company, in the transaction that creates the gateway. Of two concurrent claims, one succeeds. */
  async claim(db: Db, { Id, CodeHash }: Claim, EnterpriseId: number) {
    const [taken] = await db.rows(sql`
      update gateway_sn set "Status" = 3, "HolderId" = ${EnterpriseId}
      where "Id" = ${Id} and "CodeHash" = ${CodeHash} and "Status" = any(${free}::int[]) returning 1`)
    if (!taken) throw new Fault('bindRefused')
  },
})
export type Stock = ReturnType<typeof openStock>
