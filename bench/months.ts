// Compares a partitioned log of ten million entries with an unpartitioned one of 100,000.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { connect } from '../server/database/connect.ts'
import type { Database } from '../server/database/db.ts'
import { startPostgres } from '../server/database/embedded.ts'
import { migrate } from '../server/database/migrate.ts'
import { keepMonths, monthsBefore, removeMonth } from '../server/database/monthly/months.ts'
import { partitionTable } from '../server/database/monthly/partition.ts'
import type { MonthlyTable } from '../server/database/monthly/tables.ts'
import { type Figure, figure, quantile, timed } from './figures.ts'

const rows = Number(process.env.BENCH_ROWS ?? 10_000_000)
const few = 100_000
const quiet = { info: () => undefined, error: console.error }
const company = 1

/** Creates an unpartitioned log table. */
const makeLog = async (admin: pg.Client, table: string): Promise<MonthlyTable> => {
  await admin.query(`
    create table ${table} (like change including defaults including storage);
    alter table ${table} add primary key ("Id"), alter "Id" add generated always as identity;
    create unique index ${table}_chain on ${table} ("EnterpriseId", "Seq");
    create index ${table}_unchained on ${table} ("Id") where "Hash" is null;
    create index ${table}_record on ${table} ("EnterpriseId", "Resource", "RecordId", "Id" desc);
    create index ${table}_list on ${table} ("EnterpriseId", "Id" desc);
    create index ${table}_time on ${table} ("EnterpriseId", "Time");
    create index ${table}_user on ${table} ("EnterpriseId", "UserId", "Id" desc);
    select penstock_tenant_table('${table}')`)
  return {
    table,
    time: 'Time',
    keys: [
      { name: `${table}_pkey`, columns: ['Id'] },
      { name: `${table}_chain`, columns: ['EnterpriseId', 'Seq'] },
    ],
  }
}

/** Entries of a hundred companies, spread evenly over the last `days` days. */
const fill = async (admin: pg.Client, table: string, count: number, days: number) => {
  await admin.query(`
    insert into ${table} ("EnterpriseId", "Time", "UserId", "Resource", "RecordId", "Verb", "Before", "After", "Seq", "Hash")
      select 1 + n % 100, now() - (${count} - n) * interval '1 day' * ${days} / ${count}, n % 50, 'point', n % 100000, 'update',
        jsonb_build_object('ParaName', 'Point ' || n, 'Remark', repeat('x', 60)), jsonb_build_object('ParaName', 'Point ' || n, 'Remark', repeat('y', 60)),
        1 + n / 100, sha256(n::text::bytea) from generate_series(0, ${count} - 1) n`)
  await admin.query(`vacuum analyze ${table}`)
}

const write = (database: Database, table: string) =>
  database.as({ EnterpriseId: company, platform: false }).rows(sql`
    insert into ${sql.table(table)} ("EnterpriseId", "UserId", "Resource", "RecordId", "Verb", "After") values (${company}, 1, 'point', 1, 'update', '{"ParaName": "Point"}')`)
const list = (database: Database, table: string) =>
  database.as({ EnterpriseId: company, platform: false }).rows(sql`
    select "Id", "Time", "Verb" from ${sql.table(table)} where "EnterpriseId" = ${company} and "Time" >= now() - interval '30 days' order by "Id" desc limit 20`)

/** Median of sequential calls in ms, alternating between the tables. */
const medians = async (work: (table: string) => Promise<unknown>, tables: readonly string[], times: number) => {
  const all = tables.map(() => [] as number[])
  for (let i = 0; i < times; i++) for (const [t, table] of tables.entries()) all[t]!.push(await timed(() => work(table)))
  return all.map((ms) => quantile(ms, 0.5))
}

/** Runs four writers during `work`. Returns the longest insert in ms. */
const longestPause = async (database: Database, table: string, work: () => Promise<number>) => {
  let [over, longest] = [false, 0]
  const writers = Array.from({ length: 4 }, async () => {
    while (!over) longest = Math.max(longest, await timed(() => write(database, table)))
  })
  const locked = await work()
  over = true
  await Promise.all(writers)
  return { longest, locked }
}

export const months = async (): Promise<Figure[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'penstock-bench-'))
  const postgres = await startPostgres({ folder: join(folder, 'postgres'), log: quiet })
  const database = connect(await migrate(postgres.url))
  const admin = new pg.Client({ connectionString: postgres.url })
  try {
    await admin.connect()
    const [whole, byMonth, small] = [
      await makeLog(admin, 'log_whole'),
      await makeLog(admin, 'log_by_month'),
      await makeLog(admin, 'log_small'),
    ]
    const { rows: clock } = await admin.query<{ past: Date; now: Date }>(`select now() - interval '400 days' as past, now() as now`)
    const [{ past, now }] = clock as [{ past: Date; now: Date }]
    await fill(admin, whole.table, rows, 390)
    const { longest, locked } = await longestPause(database, whole.table, () => partitionTable(admin, whole, now))
    await admin.query('drop table log_whole')
    // A year later: entries in thirteen partitions.
    await partitionTable(admin, byMonth, past)
    await keepMonths(admin, { tables: [byMonth] })
    await fill(admin, byMonth.table, rows, 390)
    await fill(admin, small.table, few, 30)
    const tables = [byMonth.table, small.table]
    const [inserted, insertedSmall] = await medians((table) => write(database, table), tables, 2000)
    const [listed, listedSmall] = await medians((table) => list(database, table), tables, 500)
    const [, second] = await monthsBefore(postgres.url, byMonth.table, new Date())
    const detached = await timed(() => removeMonth(postgres.url, byMonth.table, second!))
    return [
      figure(`log of ${rows} entries by month: an entry`, inserted!, 'ms', insertedSmall!),
      figure(`log of ${rows} entries by month: a page of the last month`, listed!, 'ms', listedSmall!),
      figure(`log of ${rows} entries by month: a month removed`, detached, 'ms'),
      figure(`log of ${rows} entries is divided: longest exclusive lock`, locked, 'ms'),
      figure(`log of ${rows} entries is divided: longest pause of a writer`, longest, 'ms'),
    ]
  } finally {
    await database.close()
    await admin.end()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
