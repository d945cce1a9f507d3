import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase } from '../../main/testing/database.ts'
import { Fault } from '../http/faults.ts'
import { connect } from './connect.ts'
import type { Database, Db } from './db.ts'

let fresh: Awaited<ReturnType<typeof freshDatabase>>
let database: Database
beforeAll(async () => {
  fresh = await freshDatabase()
  database = connect(fresh.url, 2)
})
afterAll(async () => {
  await database.close()
  await fresh.drop()
})
const scope = { EnterpriseId: 1, platform: true }
const connection = async (db: Db = database.as(scope)) => (await db.rows<{ pid: number }>(sql`select pg_backend_pid() as pid`))[0]!.pid

test('work that is refused in a transaction changes nothing, and its connection serves the next one', async () => {
  const first = await connection()
  for (const refusal of [new Fault('notFound'), new Error('undone')]) {
    const refused = database.as(scope).tx(async (db) => {
      await db.rows(sql`insert into enterprise ("Name") values ('Refused')`)
      throw refusal
    })
    await expect(refused).rejects.toBe(refusal)
  }
  const wrong = database.as(scope).tx((db) => db.rows(sql`select 1 / 0`))
  await expect(wrong).rejects.toMatchObject({ code: '22012' })
  expect(await connection()).toBe(first)
  expect(await database.system.rows(sql`select 1 from enterprise where "Name" = 'Refused'`)).toEqual([])
})

test('a connection that ends during a transaction is replaced', async () => {
  const first = await connection()
  const admin = new pg.Client({ connectionString: fresh.adminUrl })
  await admin.connect()
  const lost = database.as(scope).tx(async (db) => {
    await admin.query('select pg_terminate_backend($1, 10000)', [await connection(db)])
    await connection(db)
  })
  await expect(lost).rejects.toMatchObject({ key: 'unavailable' })
  await admin.end()
  expect(await connection()).not.toBe(first)
})

test('work that goes on after its transaction reaches nothing', async () => {
  let late: Promise<unknown> | undefined
  const refused = database.as(scope).tx(async (db) => {
    await connection(db)
    late = new Promise((done) => setTimeout(done, 50)).then(() => db.rows(sql`insert into enterprise ("Name") values ('Late')`))
    late.catch(() => undefined)
    throw new Fault('notFound')
  })
  await expect(refused).rejects.toMatchObject({ key: 'notFound' })
  await expect(late).rejects.toThrow('The transaction is over.')
  expect(await database.system.rows(sql`select 1 from enterprise where "Name" = 'Late'`)).toEqual([])
})
