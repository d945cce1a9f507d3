import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { applicationUrl } from '../../../../server/database/connect.ts'

let kit: Kit
const processes: ChildProcess[] = []
const start = async (name: string) => {
  const [at] = await kit.db.rows<{ name: string }>(sql`select current_database() as name`)
  const { url } = applicationUrl(inject('postgresUrl').replace(/\w+$/, at!.name))
  const child = fork(join(import.meta.dirname, '../../../../main/testing/timer-process.ts'), [url, name], { stdio: 'inherit' })
  processes.push(child)
  await once(child, 'message')
  return child
}
beforeAll(async () => {
  kit = await startKit()
  // By the owner, as a migration would.
  const { default: pg } = await import('pg')
  const [at] = await kit.db.rows<{ name: string }>(sql`select current_database() as name`)
  const owner = new pg.Client({ connectionString: inject('postgresUrl').replace(/\w+$/, at!.name) })
  await owner.connect()
  await owner.query(
    `create table timer_effect ("Task" int not null, "Process" text not null); select penstock_system_table('timer_effect')`,
  )
  await owner.end()
})
afterAll(async () => {
  for (const child of processes) child.kill('SIGKILL')
  await kit?.close()
})

type Effect = { Task: number; Process: string }
const effects = () => kit.db.rows<Effect>(sql`select "Task", "Process" from timer_effect`)
/** Tasks that are due once, together. */
const due = (from: number, to: number) =>
  kit.db.rows(sql`
    insert into timer ("EnterpriseId", "TimerName", "Method", "Keep", "Cron", "NextTime")
    select ${kit.enterprises.ours}, 'Task ' || n, 'cleanNotices', n, '0 0 0 1 1 ?', now() from generate_series(${from}::int, ${to}::int) n`)
const settled = async () => {
  for (;;) {
    const [row] = await kit.db.rows<{ open: number }>(sql`
      select count(*)::int as open from timer t where "NextTime" <= now() or exists (select 1 from timer_log l where l."TimerId" = t."Id" and l."Result" = 0)`)
    if (!row!.open) return
    await new Promise((done) => setTimeout(done, 50))
  }
}

it('two processes on one database run every task exactly once, also when one of them is killed on the way', async () => {
  const [first] = await Promise.all([start('first'), start('second')])
  await due(1, 120)
  await settled()
  const both = await effects()
  expect(both.map((e) => e.Task).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 120 }, (_, i) => i + 1))
  expect(new Set(both.map((e) => e.Process))).toEqual(new Set(['first', 'second']))

  await due(121, 240)
  first.kill('SIGKILL')
  await once(first, 'exit')
  for (;;) {
    const [row] = await kit.db.rows<{ open: number }>(sql`select count(*)::int as open from timer where "NextTime" <= now()`)
    if (!row!.open) break
    await new Promise((done) => setTimeout(done, 50))
  }
  // The killed process's unfinished run is not repeated; the other process does everything else.
  const [{ begun }] = (await kit.db.rows<{ begun: number }>(
    sql`select count(*)::int as begun from timer_log where "Process" = 'first' and "Result" = 0`,
  )) as [{ begun: number }]
  await kit.db.rows(sql`delete from timer where "Id" in (select "TimerId" from timer_log where "Process" = 'first' and "Result" = 0)`)
  await settled()
  const all = (await effects()).map((e) => e.Task)
  expect(new Set(all).size).toBe(all.length)
  expect(all.length).toBeGreaterThanOrEqual(240 - begun)
  expect(all.length).toBeLessThanOrEqual(240)
})
