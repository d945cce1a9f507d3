// The area on a real database and front door, with a way round it; for tests.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { inject } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import { startKit } from '../../../../main/testing/kit.ts'
import { alarmRoutes } from '../../../alarms/alarms/server/routes.ts'
import { linkEntries } from './chain.ts'
import { openLogKeys } from './keys.ts'
import { logRoutes } from './routes.ts'
import type { Verdict } from './verify.ts'

export type Entry = {
  Id: number
  EnterpriseId: number
  Time: string
  Kind: number
  UserNO: string
  Verb: string
  Resource: string
  ObjectName: string
  Ip: string
  Seq: number | null
}
export type Item = { Field: string; FieldName: string; Before: string | null; After: string | null }

export const startArea = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'penstock-logs-'))
  const clock = { now: Date.now() }
  const keys = openLogKeys(join(folder, 'keys'))
  const kit = await startKit({ clock: () => clock.now, areas: (database) => [alarmRoutes, (api) => logRoutes(api, database, keys)] })
  const [{ name }] = (await kit.db.rows<{ name: string }>(sql`select current_database() as name`)) as [{ name: string }]
  /** The superuser: what somebody with the database's password can do. */
  const adminUrl = inject('postgresUrl').replace(/\w+$/, name)
  const intruder = new pg.Client({ connectionString: adminUrl })
  await intruder.connect()
  return {
    kit,
    keys,
    folder,
    clock,
    adminUrl,
    intruder,
    linked: () => linkEntries(kit.database, keys, () => clock.now),
    list: async (as: string, query = '') => (await kit.data<Page<Entry>>(as, 'GET', `/System/Log/List${query}`)).Items,
    verdict: (as = 'owner', body: object = {}) => kit.data<Verdict>(as, 'POST', '/System/Log/Verify', body),
    project: (ProjectName: string, as = 'owner') => kit.data<{ Id: number }>(as, 'POST', '/Project/Project', { ProjectName }),
    close: async () => {
      await intruder.end()
      await kit.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
export type Area = Awaited<ReturnType<typeof startArea>>
