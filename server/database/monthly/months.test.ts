import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase } from '../../../main/testing/database.ts'
import { connect } from '../connect.ts'
import type { Database } from '../db.ts'
import { keepMonths, monthsBefore, openMonths, removeMonth } from './months.ts'
import { isPlain } from './partition.ts'
import { type MonthlyTable, monthOf } from './tables.ts'

let fresh: Awaited<ReturnType<typeof freshDatabase>>
let database: Database
let admin: pg.Client
beforeAll(async () => {
  fresh = await freshDatabase()
  database = connect(fresh.url)
  admin = new pg.Client({ connectionString: fresh.adminUrl })
  await admin.connect()
})
afterAll(async () => {
  await database?.close()
  await admin?.end()
  await fresh?.drop()
})

const company = (EnterpriseId: number) => database.as({ EnterpriseId, platform: false })
const now = async () => (await admin.query<{ now: Date }>('select now()')).rows[0]!.now
const far = new Date(Date.UTC(2999))

/** Creates an append-only table with the log's grants and policies. */
const growing = async (name: string): Promise<MonthlyTable> => {
  await admin.query(`
    create table ${name} ("Id" bigint generated always as identity primary key, "EnterpriseId" bigint not null,
      "Time" timestamptz not null default now(), "Seq" bigint, "Text" text not null);
    create unique index ${name}_seq on ${name} ("EnterpriseId", "Seq");
    create index ${name}_open on ${name} ("Id") where "Seq" is null;
    select penstock_tenant_table('${name}');
    revoke update, delete on ${name} from penstock_tenant, penstock_platform;
    grant update ("Seq") on ${name} to penstock_platform;
    create policy once on ${name} as restrictive for update to penstock_platform using ("Seq" is null) with check (true)`)
  return {
    table: name,
    time: 'Time',
    keys: [
      { name: `${name}_pkey`, columns: ['Id'] },
      { name: `${name}_seq`, columns: ['EnterpriseId', 'Seq'] },
    ],
  }
}
const fill = (table: string, rows: number) =>
  admin.query(
    `insert into ${table} ("EnterpriseId", "Time", "Text") select 1 + n % 2, now() - n * interval '1 minute', 'of before' from generate_series(1, $1::int) n`,
    [rows],
  )
const count = async (table: string) => Number((await admin.query(`select count(*) as n from ${table}`)).rows[0].n)

test('a new database has its log by month, and the months of the next quarter', async () => {
  expect(await isPlain(admin, 'change')).toBe(false)
  const months = await monthsBefore(fresh.adminUrl, 'change', far)
  expect(months.at(-1)!.to).toEqual(monthOf(await now(), 4))
  for (const [i, month] of months.entries()) expect(month.from).toEqual(i ? months[i - 1]!.to : undefined)
})

test('a table is divided while people write: each row is there once, Ids go on, and nobody gets an error', async () => {
  const monthly = await growing('busy')
  await fill('busy', 30_000)
  let stop = false
  const writer = async (EnterpriseId: number) => {
    let written = 0
    for (; !stop; written++)
      await company(EnterpriseId).rows(sql`insert into busy ("EnterpriseId", "Text") values (${EnterpriseId}, 'of now')`)
    return written
  }
  const writers = [1, 2, 1, 2].map(writer)
  // A large one is left for later at a start.
  await keepMonths(admin, { isSmall: true, tables: [monthly] })
  expect(await isPlain(admin, 'busy')).toBe(true)
  await keepMonths(admin, { tables: [monthly] })
  expect(await isPlain(admin, 'busy')).toBe(false)
  stop = true
  const written = (await Promise.all(writers)).reduce((a, b) => a + b)
  expect(await count('busy')).toBe(30_000 + written)
  const { rows } = await admin.query(`select count(distinct "Id")::int as n, max("Id")::int as last from busy`)
  expect(rows).toEqual([{ n: 30_000 + written, last: 30_000 + written }])
})

test('rights, policies and indexes are those of the table before, and nobody reaches a month by itself', async () => {
  const monthly = await growing('closed')
  await fill('closed', 100)
  await keepMonths(admin, { isSmall: true, tables: [monthly] })
  expect(await company(1).rows(sql`select distinct "EnterpriseId" as of from closed`)).toEqual([{ of: 1 }])
  await expect(company(1).rows(sql`insert into closed ("EnterpriseId", "Text") values (2, 'x')`)).rejects.toThrow(/row-level security/)
  for (const statement of [sql`delete from closed`, sql`update closed set "Text" = 'x'`])
    for (const db of [company(1), database.system]) await expect(db.rows(statement)).rejects.toThrow(/permission denied/)
  await database.system.rows(sql`update closed set "Seq" = "Id"`)
  expect(await database.system.rows(sql`update closed set "Seq" = 7 returning 1`)).toEqual([])
  for (const { name } of await monthsBefore(fresh.adminUrl, 'closed', far))
    for (const db of [company(1), database.system])
      await expect(db.rows(sql`select 1 from ${sql.table(name)}`)).rejects.toThrow(/permission denied/)
  const indexes = await admin.query(`select indexdef as text from pg_indexes where tablename = 'closed' order by 1`)
  expect(indexes.rows.map((row) => row.text)).toEqual([
    expect.stringMatching(/INDEX closed_open .*\("Id"\) WHERE \("Seq" IS NULL\)/),
    expect.stringMatching(/UNIQUE INDEX closed_pkey .*\("Id", "Time"\)/),
    expect.stringMatching(/UNIQUE INDEX closed_seq .*\("EnterpriseId", "Seq", "Time"\)/),
  ])
})

test('a process that ends in the middle leaves a table that works, and the next one divides it', async () => {
  const monthly = await growing('halved')
  await fill('halved', 100)
  await admin.query(`alter table halved add constraint halved_until check ("Time" < '2020-01-01') not valid`)
  await admin.query(`create unique index halved_seq_timed on halved ("EnterpriseId")`).catch(() => {})
  await keepMonths(admin, { tables: [monthly] })
  await company(1).rows(sql`insert into halved ("EnterpriseId", "Text") values (1, 'of now')`)
  expect(await count('halved')).toBe(101)
  // Again, and nothing changes.
  const months = await monthsBefore(fresh.adminUrl, 'halved', far)
  await keepMonths(admin, { tables: [monthly] })
  expect(await monthsBefore(fresh.adminUrl, 'halved', far)).toEqual(months)
})

test('a month goes as a whole, also when the process that removes it ends before it is done', async () => {
  const monthly = await growing('past')
  await fill('past', 100)
  await keepMonths(admin, { isSmall: true, tables: [monthly] })
  const [first, second, ...others] = await monthsBefore(fresh.adminUrl, 'past', far)
  await admin.query(`insert into past ("EnterpriseId", "Time", "Text") values (1, $1, 'later')`, [others[0]!.from])
  await removeMonth(fresh.adminUrl, 'past', first!)
  expect(await count('past')).toBe(1)
  await admin.query(`comment on table ${second!.name} is 'forgotten'`)
  await admin.query(`alter table past detach partition ${second!.name}`)
  await keepMonths(admin, { tables: [monthly] })
  expect(await monthsBefore(fresh.adminUrl, 'past', far)).toEqual(others)
  expect((await admin.query('select from pg_class where relname = $1', [second!.name])).rowCount).toBe(0)
  expect(await count('past')).toBe(1)
})

test('the next month that cannot be made is named, and comes with the next look once it can', async () => {
  const months = await monthsBefore(fresh.adminUrl, 'change', far)
  const next = monthOf(await now(), 1)
  for (const { name, from } of months) if (from && from >= next) await admin.query(`alter table change detach partition ${name}`)
  const first = months.find((m) => m.from && m.from >= next)!
  const missing: { table: string; month: Date }[] = []
  const keeping = openMonths(fresh.adminUrl, { log: { warn: () => {} }, missing: (of) => missing.push(of) })
  await keeping.look()
  // At the end of a month, the first partition starts one month later.
  expect(missing.map((m) => m.table)).toEqual(Number(first.from) > Number(next) ? [] : ['change'])
  for (const { name, from } of months) if (from && from >= next) await admin.query(`drop table ${name}`)
  await keeping.look()
  await keeping.close()
  expect(await monthsBefore(fresh.adminUrl, 'change', far)).toEqual(months)
})
