import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase } from '../../main/testing/database.ts'
import { connect } from './connect.ts'
import type { Database } from './db.ts'

let fresh: Awaited<ReturnType<typeof freshDatabase>>
let database: Database
beforeAll(async () => {
  fresh = await freshDatabase()
  database = connect(fresh.url, 4)
})
afterAll(async () => {
  await database.close()
  await fresh.drop()
})

test('the database reports ready while every connection is busy, answers waiting callers, and reports when it is gone', async () => {
  let release = () => {}
  const until = new Promise<void>((done) => {
    release = done
  })
  const held = Array.from({ length: 4 }, () =>
    database.system.tx(async (db) => {
      await db.rows(sql`select 1`)
      await until
    }),
  )
  const waiting = database.system.rows(sql`select 1 as one`)
  expect(await database.ready()).toBe(true)
  expect(await database.priorityRead(sql`select count(*)::int as n from gateway`)).toEqual([{ n: 0 }])
  release()
  await Promise.all(held)
  expect(await waiting).toEqual([{ one: 1 }])
  const nowhere = connect('postgres://penstock_app:x@127.0.0.1:1/penstock', 4)
  expect(await nowhere.ready()).toBe(false)
  await nowhere.close()
})

test('a priority read is answered after PostgreSQL has ended every connection', async () => {
  const count = () => database.priorityRead(sql`select count(*)::int as n from gateway`)
  expect(await count()).toEqual([{ n: 0 }])
  const admin = new pg.Client({ connectionString: fresh.adminUrl })
  await admin.connect()
  const others = 'from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
  await admin.query(`select pg_terminate_backend(pid, 5000) ${others}`)
  await admin.end()
  await expect.poll(() => count().catch(String)).toEqual([{ n: 0 }])
  await expect.poll(() => database.ready()).toBe(true)
})
