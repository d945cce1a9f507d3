// Drivers and languages that a company has disabled.
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'

/** 1 drivers by `ProtocolType`, 2 languages of external senders. */
type Kind = 1 | 2

export const switchedOff = async (db: Db, enterprise: number, kind: Kind): Promise<Set<number>> => {
  const rows = await db.rows<{ Number: number }>(
    sql`select "Number" from protocol_plugin where "EnterpriseId" = ${enterprise} and "Kind" = ${kind} and "Status" = 0`,
  )
  return new Set(rows.map((row) => row.Number))
}

/** Locks the plugin row until commit, so nobody can disable it in between. */
export const assertSwitchedOn = async (db: Db, enterprise: number, kind: Kind, number: number, field: string) => {
  const [row] = await db.rows<{ Status: number }>(sql`
    select "Status" from protocol_plugin where "EnterpriseId" = ${enterprise} and "Kind" = ${kind} and "Number" = ${number} for share`)
  if (row?.Status === 0) throw new FieldFaults([{ field, rule: 'pluginOff' }])
}
