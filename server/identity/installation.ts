import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../database/db.ts'

/** What an installation signs with. No backup holds them: a restore leaves the running ones, and a new machine makes its own. */
export const installationKeys = ['files', 'token', 'wechatSignIn', 'report'] as const

/** The same, and what servers of one database agree on (sharedVault.ts, and the keys of the log). */
export const runningSecrets = [...installationKeys, 'vaultCheck', 'logKeys'] as const

/** The installation's own key, made at the first start. */
export const installationKey = async (db: Db, name: (typeof installationKeys)[number]): Promise<Buffer> => {
  await db.rows(sql`insert into secret ("Name", "Value") values (${name}, ${randomBytes(32)}) on conflict do nothing`)
  return (await db.rows<{ Value: Buffer }>(sql`select "Value" from secret where "Name" = ${name}`))[0]!.Value
}
