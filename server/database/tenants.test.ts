import { sql } from 'kysely'
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

const one = sql<{ one: number }>`select 1 as one`
const person = (EnterpriseId: number) => database.as({ EnterpriseId, platform: false })

test('callers of one tenant who hold all its connections and queue for more leave one to each other tenant and to the server', async () => {
  const { promise: until, resolve: release } = Promise.withResolvers<void>()
  const answered: string[] = []
  const hold = (n: number) =>
    person(2).tx(async (db) => {
      await db.rows(one)
      answered.push(`held ${n}`)
      await until
    })
  const held = Array.from({ length: 12 }, (_, n) => hold(n))
  await expect.poll(() => answered.toSorted()).toEqual(['held 0', 'held 1'])
  expect(await person(3).rows(one)).toEqual([{ one: 1 }])
  expect(await database.system.rows(one)).toEqual([{ one: 1 }])
  expect(answered).toHaveLength(2)
  release()
  await Promise.all(held)
  expect(answered).toHaveLength(12)
})
