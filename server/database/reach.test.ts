import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { resources } from '../../areas/index.ts'
import { freshDatabase } from '../../main/testing/database.ts'
import { tableName, titleOf } from '../resource/sql.ts'
import { statement } from './connect.ts'
import { apart, behind, openReaches, readingOf, shared, spreads, titles, told, traitsOf } from './reach.ts'

let fresh: Awaited<ReturnType<typeof freshDatabase>>
let admin: pg.Client
beforeAll(async () => {
  fresh = await freshDatabase()
  admin = new pg.Client({ connectionString: fresh.adminUrl })
  await admin.connect()
})
afterAll(async () => {
  await admin.end()
  await fresh.drop()
})

test('a table that stands apart has no triggers, and nothing goes or changes with its rows', async () => {
  const { rows: there } = await admin.query(`select 1 from unnest($1::text[]) name where to_regclass(name) is not null`, [apart])
  expect(there.length).toBe(apart.length)
  const { rows } = await admin.query(
    `select conrelid::regclass::text as "By" from pg_constraint where contype = 'f' and confrelid = any($1::regclass[]) and (confdeltype in ('c', 'n', 'd') or confupdtype in ('c', 'n', 'd'))
     union all select tgname::text from pg_trigger where not tgisinternal and tgrelid = any($1::regclass[])
     union all select rulename::text from pg_rules where tablename = any($1::text[])`,
    [apart],
  )
  expect(rows).toEqual([])
})

/** Bits of pg_trigger.tgtype. */
const events = { insert: 4, update: 16 } as const
test.each(['insert', 'update'] as const)('what is written with rows that come or change by %s is named', async (verb) => {
  for (const [table, named] of Object.entries(spreads[verb]!)) {
    const { rows } = await admin.query<{ body: string }>(
      `select prosrc as body from pg_trigger t join pg_proc p on p.oid = tgfoid where not tgisinternal and tgrelid = $1::regclass and tgtype & $2 > 0`,
      [table, events[verb]],
    )
    const written = rows.flatMap(({ body }) => {
      // What is written under a name that is put together, or by another function, cannot be read here.
      expect(body).not.toMatch(/\b(execute|perform|penstock_\w+)\b/i)
      const into = [...body.matchAll(/\b(?:insert\s+into|update|delete\s+from)\s+"?(\w+)/gi)]
      return into.map(([, name]) => name!)
    })
    expect([...new Set(written)].sort(), table).toEqual([...named].sort())
    // Nothing follows from these in turn.
    const { rows: more } = await admin.query(
      `select tgname from pg_trigger where not tgisinternal and tgrelid = any($1::regclass[]) and tgtype & 4 > 0`,
      [named],
    )
    expect(more).toEqual([])
  }
  const { rows: rest } = await admin.query(
    `select conrelid::regclass::text from pg_constraint where contype = 'f' and confrelid = any($1::regclass[]) and confupdtype in ('c', 'n', 'd')
     union all select rulename::text from pg_rules where tablename = any($1::text[])
     union all select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('v', 'm', 'f')`,
    [Object.keys(spreads[verb]!)],
  )
  expect(rest).toEqual([])
})

test('which rows somebody sees depends on other tables that are told apart only where that is known', async () => {
  const { rows } = await admin.query<{ table: string; rule: string }>(
    `select tablename as table, coalesce(qual, '') || coalesce(with_check, '') as rule from pg_policies where schemaname = 'public'`,
  )
  const seen = new Map<string, string[]>()
  for (const { table, rule } of rows) {
    const named = rule.match(new RegExp(`\\b(${told.join('|')})\\b`, 'g')) ?? []
    const others = named.filter((name) => name !== table)
    if (others.length) seen.set(table, [...new Set(others)])
  }
  expect(Object.fromEntries(seen)).toEqual(behind)
  expect(
    readingOf([
      { text: '', values: ['penstock_tenant', '7'] },
      { text: 'select 1 from change', values: [] },
    ]).tables,
  ).toEqual(new Set(['change']))
})

test('functions of ours that a statement can call are known by their names', async () => {
  const { rows } = await admin.query(
    `select proname from pg_proc p where pronamespace = 'public'::regnamespace and prorettype <> 'trigger'::regtype and proname !~ '^penstock_'
       and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
  )
  expect(rows).toEqual([])
})

test('whoever acts in a tenant can write to nothing but rows of that tenant', async () => {
  const { rows: tables } = await admin.query<{ name: string }>(
    `select relname as name from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')
       and (has_any_column_privilege('penstock_tenant', oid, 'insert') or has_any_column_privilege('penstock_tenant', oid, 'update') or has_table_privilege('penstock_tenant', oid, 'delete'))
       and not (relkind in ('r', 'p') and relrowsecurity and relforcerowsecurity)`,
  )
  expect(tables).toEqual([])
  const { rows: policies } = await admin.query<{ tablename: string }>(
    `select tablename, policyname from pg_policies where roles && '{penstock_tenant,public}' and cmd <> 'SELECT' and permissive = 'PERMISSIVE'
       and coalesce(with_check, qual) !~ '^\\("?\\w+"? = \\(NULLIF\\(current_setting\\(''penstock.tenant''::text, true\\), ''''::text\\)\\)::bigint\\)$'`,
  )
  expect(policies).toEqual([])
})

test('of the tables that lists show by their titles only these and whose they are say what such a list shows', async () => {
  const contract = resources.filter((r) => titles[tableName(r)])
  expect(Object.fromEntries(contract.map((r) => [tableName(r), r.title]))).toEqual(titles)
  const { rows } = await admin.query<{ rule: string }>(
    `select coalesce(qual, '') || coalesce(with_check, '') as rule from pg_policies where tablename = any($1::text[])`,
    [Object.keys(titles)],
  )
  expect(new Set(rows.flatMap(({ rule }) => rule.match(/"\w+"/g) ?? []))).toEqual(new Set(['"EnterpriseId"']))
})

test('a list that shows the title of a record stays when the record keeps it, and else is read anew', () => {
  const shown = Object.keys(titles).map((table) => {
    const { text } = statement(titleOf(['It', 'ItId', resources.find((r) => tableName(r) === table)!.name]))
    return traitsOf({ text: `select t."Name", ${text} as "It" from other t`, values: [] }).reads
  })
  expect(shown).toEqual(Object.keys(titles).map((table) => [`title of ${table}`]))
  const write = (set: string, table = 'project') => traitsOf({ text: `update "${table}" set ${set} where "Id" = $1`, values: [] }).writesTo
  expect(write('"Remark" = $2')).toEqual(new Set(['project']))
  expect(write('"Remark" = $2, "ProjectName" = $3')).toEqual(new Set(['project', 'title of project']))
  expect(write('("Remark", "ProjectName") = (select 1, 2)')).toEqual(new Set(['project', 'title of project']))
  expect(write('"EnterpriseId" = $2')).toEqual(new Set(['project', 'title of project']))
  expect(write('"ProjectName" = $2', 'gateway')).toEqual(new Set(['gateway']))
  // Any other way of reading such a table depends on all of it.
  const reads = (text: string) => traitsOf({ text, values: [] }).reads
  expect(reads('select (select j."Remark" from "project" j where j."Id" = t."ProjectId") from other t')).toEqual(['project'])
  expect(reads('select (select j."ProjectName" from "project" j where j."Code" = t."ProjectId") from other t')).toEqual(['project'])
  expect(reads('select (select j."ProjectName" from "project" j where j."Id" = (select 1 from device)) from other t')).toEqual([
    ...['title of project', 'device'],
  ])
})

test('tables of which a tenant sees rows that another one writes are named', async () => {
  const { rows } = await admin.query<{ tablename: string }>(
    `select distinct tablename from pg_policies p where roles && '{penstock_tenant,public}' and cmd = 'SELECT' and exists (
       select 1 from pg_policies w where w.tablename = p.tablename and w.roles && '{penstock_tenant,public}' and w.cmd <> 'SELECT')`,
  )
  expect(rows.map((row) => row.tablename)).toEqual([...shared])
  const scope = { text: '', values: ['penstock_tenant', '7'] }
  const of = (text: string) => readingOf([scope, { text, values: [] }])
  expect(of('select 1 from project')).toEqual({ tenant: '7', tables: new Set(['project']) })
  expect(of('select 1 from "version" t')).toEqual({ tenant: undefined, tables: new Set() })
  expect(of('select 1 from session join POINT')).toEqual({ tenant: '7', tables: new Set(['session', 'point']) })
  expect(of('select 1 from penstock_sight(1, 2)').tables).toEqual(
    new Set([...told, ...Object.keys(titles).map((table) => `title of ${table}`)]),
  )
  expect(readingOf([{ text: '', values: ['penstock_platform', '0'] }])).toEqual({ tenant: undefined, tables: new Set() })
})

test('no function acts for a tenant with the rights of somebody else', async () => {
  const { rows: definers } = await admin.query(
    `select proname from pg_proc where prosecdef and pronamespace = 'public'::regnamespace and has_function_privilege('penstock_tenant', oid, 'execute')`,
  )
  expect(definers).toEqual([])
})

test('what a statement writes is known by the names behind its verbs, and in doubt it is more', () => {
  const is = (text: string) => {
    const { writes, writesTo } = traitsOf({ text, values: [] })
    return [writes, writesTo && [...writesTo].sort()]
  }
  expect(is('select 1 from project')).toEqual([false, []])
  expect(is('select 1 from project for update of t')).toEqual([true, []])
  expect(is('insert into change ("A") values ($1) on conflict do nothing')).toEqual([true, ['change']])
  expect(is('insert into change_head ("A") values ($1) on conflict ("A") do update set "A" = 1')).toEqual([true, ['change_head']])
  expect(is('update session set "LastTime" = now()')).toEqual([true, ['session']])
  expect(is('update change c set "Seq" = 1 from project')).toEqual([true, ['change']])
  expect(is('update project set "A" = 1')).toEqual([true, ['project']])
  expect(is('update alarm_info a set "IsActive" = 0')).toEqual([true, ['alarm_info', 'alarm_webhook_event']])
  expect(is('insert into alarm_info ("A") values (1)')[1]).toEqual(['alarm_info', ...spreads.insert!.alarm_info!].sort())
  expect(is('delete from alarm_info')).toEqual([true, undefined])
  expect(is('insert into project ("A") values (1)')).toEqual([true, undefined])
  expect(is('update only project set "A" = 1')).toEqual([true, undefined])
  expect(is('insert into changed ("A") values (1)')).toEqual([true, undefined])
  expect(is('with x as (delete from change returning 1) insert into organ select * from x')).toEqual([true, undefined])
  expect(is('with x as (update project set "A" = 1 returning 1) delete from change')).toEqual([true, ['change', 'project']])
  expect(is('select penstock_dictionaries(1)')[1]).toBeUndefined()
  expect(is('merge into change using x on true when matched then delete')).toEqual([true, undefined])
})

test('between two snapshots everything that ended has to be known', () => {
  const reaches = openReaches(10)
  const reading = { tenant: '1', tables: new Set(['point']) }
  const all = undefined
  const other = { tenant: '2', tables: all }
  reaches.note('100', other)
  reaches.note('102', other)
  expect(reaches.same(reading, '100:100:', '101:101:')).toBe(true)
  expect(reaches.same(reading, '100:100:', '102:102:')).toBe(false)
  // 101 is open still; then it ends, and nobody has told of it.
  expect(reaches.same(reading, '100:100:', '101:103:101')).toBe(true)
  expect(reaches.same(reading, '101:103:101', '103:103:')).toBe(false)
  reaches.note('101', { tenant: '1', tables: all })
  expect(reaches.same(reading, '101:103:101', '103:103:')).toBe(false)
  reaches.note('101', { tenant: undefined, tables: new Set(['change', 'point']) })
  expect(reaches.same(reading, '101:103:101', '103:103:')).toBe(false)
  reaches.note('101', { tenant: undefined, tables: new Set(['change', 'project']) })
  expect(reaches.same(reading, '101:103:101', '103:103:')).toBe(true)
  expect(reaches.same(reading, '100:100:', '120:120:')).toBe(false)
  // A number that is not told as text is none: nothing was written.
  reaches.note(null, other)
  for (let number = 200; number < 220; number++) reaches.note(`${number}`, other)
  expect(reaches.same(reading, '212:212:', '220:220:')).toBe(true)
  expect(reaches.same(reading, '205:205:', '212:212:')).toBe(false)
})
