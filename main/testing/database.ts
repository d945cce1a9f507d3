import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { applicationUrl } from '../../server/database/connect.ts'
import { migrate } from '../../server/database/migrate.ts'

const template = 'penstock_template'
const named = (name: string) => inject('postgresUrl').replace(/\w+$/, name)

const asAdmin = async (work: (client: pg.Client) => Promise<unknown>) => {
  const client = new pg.Client({ connectionString: named('postgres') })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

/**
 * A migrated, empty database of a test file's own: `url` signs in as the application, `adminUrl` as the superuser. The first
 * one to ask migrates the template that all copy.
 */
export const freshDatabase = async () => {
  const name = `test_${randomBytes(6).toString('hex')}`
  await asAdmin(async (client) => {
    await client.query('select pg_advisory_lock(1)')
    const made = await client.query('select 1 from pg_database where datname = $1', [template])
    if (!made.rowCount) {
      await client.query('drop database if exists penstock_growing')
      await client.query('create database penstock_growing')
      await migrate(named('penstock_growing'))
      await client.query(`alter database penstock_growing rename to ${template}`)
    }
    // Copied as files it costs a quarter of what it costs through the log.
    await client.query(`create database ${name} template ${template} strategy file_copy`)
  })
  const adminUrl = named(name)
  return { adminUrl, url: applicationUrl(adminUrl).url, drop: () => asAdmin((c) => c.query(`drop database ${name} with (force)`)) }
}
