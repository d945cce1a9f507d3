// SQL keeps to PostgreSQL 15: the same migrations on an installed server, where there is one.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { debianPostgres } from '../../main/testing/debian.ts'
import { connect } from './connect.ts'
import type { Database } from './db.ts'
import { type Postgres, startPostgres } from './embedded.ts'
import { migrate } from './migrate.ts'

const bin = debianPostgres()

describe.skipIf(!bin)('on the oldest installed PostgreSQL server (Debian package postgresql)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'penstock-debian-'))
  let postgres: Postgres
  let database: Database

  beforeAll(async () => {
    const log = { info: () => undefined, error: () => undefined }
    postgres = await startPostgres({ folder: join(folder, 'postgres'), log, settings: { fsync: 'off' }, bin: bin! })
    database = connect(await migrate(postgres.url), 4)
  })
  afterAll(async () => {
    await database?.close()
    await postgres?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('every migration runs, and once', async () => {
    const before = await database.system.rows<{ n: number }>(sql`select count(*) as n from pg_tables where schemaname = 'public'`)
    expect(before[0]!.n).toBeGreaterThan(10)
    await migrate(postgres.url)
    const after = await database.system.rows<{ n: number }>(sql`select count(*) as n from pg_tables where schemaname = 'public'`)
    expect(after).toEqual(before)
  })

  test('a tenant sees its own rows only', async () => {
    const [a, b] = await database.system.rows<{ Id: number }>(
      sql`insert into enterprise ("Name") values ('First'), ('Second') returning "Id"`,
    )
    const insert = (tenant: number, name: string) =>
      database
        .as({ EnterpriseId: tenant, platform: false })
        .rows(sql`insert into project ("EnterpriseId", "ProjectName") values (${tenant}, ${name})`)
    await insert(a!.Id, 'Works')
    await insert(b!.Id, 'Store')
    const seen = database.as({ EnterpriseId: a!.Id, platform: false })
    expect(await seen.rows(sql`select "ProjectName" from project`)).toEqual([{ ProjectName: 'Works' }])
    await expect(seen.rows(sql`insert into project ("EnterpriseId", "ProjectName") values (${b!.Id}, 'Foreign')`)).rejects.toThrow(
      'row-level security',
    )
  })
})
