// Checks that all servers of a database use the same vault key, which encrypts stored passwords and API keys.
import { sql } from 'kysely'
import pg from 'pg'
import { applicationUrl } from '../database/connect.ts'
import type { Database } from '../database/db.ts'
import { sealed, unsealed } from './vault.ts'

const name = 'vaultCheck'

/** The installation, the name that it is sealed under, and what is sealed. */
const mark = [0, name, 'penstock'] as const

const differs = new Error(
  "This server's vault key is not the one that stored passwords of this database are sealed with. Copy vault.key from the data folder of " +
    `another server, or give all servers the same PENSTOCK_VAULT_KEY. If that key is lost: delete from secret where "Name" = '${name}', and ` +
    'enter passwords and keys of services again.',
)
const isOther = (key: Buffer, known: Buffer | undefined) => known !== undefined && unsealed(key, mark[0], mark[1], known) !== mark[2]

/**
 * Compares this server's vault key with the installation's. The first server stores a check value encrypted with its key. Throws a message
 * for operators if the keys differ.
 */
export const agreeOnVaultKey = async ({ system }: Database, key: Buffer) => {
  const [row] = await system.rows<{ Value: Buffer }>(sql`select "Value" from secret where "Name" = ${name}`)
  if (isOther(key, row?.Value)) throw differs
  if (!row) await system.rows(sql`insert into secret ("Name", "Value") values (${name}, ${sealed(key, ...mark)}) on conflict do nothing`)
}

/** The same for a standby server, on its own connection. Does nothing if the database cannot be read yet. */
export const compareVaultKey = async (adminUrl: string, key: Buffer) => {
  const client = new pg.Client({ connectionString: applicationUrl(adminUrl).url, connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  const known = await client
    .connect()
    .then(() => client.query('set role penstock_platform'))
    .then(() => client.query<{ Value: Buffer }>('select "Value" from secret where "Name" = $1', [name]))
    .then(
      ({ rows }) => rows[0]?.Value,
      () => undefined,
    )
  await client.end().catch(() => {})
  if (isOther(key, known)) throw differs
}
