import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { freshDatabase } from '../../main/testing/database.ts'
import { connect } from './connect.ts'
import type { Database } from './db.ts'
import { type Lease, openLease } from './lease.ts'
import { locks } from './locks.ts'

let fresh: Awaited<ReturnType<typeof freshDatabase>>
const leases: Lease[] = []
const databases: Database[] = []
beforeEach(async () => {
  fresh = await freshDatabase()
})
afterEach(async () => {
  for (const lease of leases.splice(0)) await lease.release()
  for (const database of databases.splice(0)) await database.close()
  await fresh.drop()
})

const anybody = async () => () => {}
/** As a server does: it waits, then signs. */
const open = () => {
  const lost: Error[] = []
  const said: unknown[] = []
  const lease = openLease({ warn: (words: unknown) => void said.push(words) }, (error) => lost.push(error))
  leases.push(lease)
  const take = async (standBy: () => Promise<() => unknown> = anybody) => {
    await lease.hold(fresh.adminUrl, standBy)
    const database = connect(fresh.url, 2)
    databases.push(database)
    await lease.sign(database)
    return database
  }
  return { ...lease, take, lost, said }
}
const asAdmin = async (text: string) => {
  const client = new pg.Client({ connectionString: fresh.adminUrl })
  await client.connect()
  return client.query(text).finally(() => client.end())
}
/** Ends the sessions that hold the lock of this database. */
const endSession = () =>
  asAdmin(`select pg_terminate_backend(pid, 5000) from pg_locks where locktype = 'advisory' and granted and objid = ${locks.owner}
    and database = (select oid from pg_database where datname = current_database())`)

test('the second of two is on standby until the first ends', async () => {
  const [first, second] = [open(), open()]
  await first.take()
  const seen: string[] = []
  const waiting = second.take(async () => {
    seen.push('stands by')
    return () => seen.push('no longer')
  })
  await vi.waitFor(() => expect(seen).toEqual(['stands by']), 5000)
  expect([first.isOwner(), second.isOwner()]).toEqual([true, false])
  await first.release()
  await waiting
  expect(seen).toEqual(['stands by', 'no longer'])
  expect([first.isOwner(), second.isOwner()]).toEqual([false, true])
})

test('a standby server can give up, even before it starts waiting', async () => {
  const [first, second] = [open(), open()]
  await first.take()
  const waiting = second.take()
  setTimeout(second.giveUp, 100)
  await expect(waiting).rejects.toThrow('stopped')
  await expect(second.take()).rejects.toThrow('stopped')
})

test('an owner whose session drops regains the lock unless another process owned it since, and ends if one did', async () => {
  const [first, second] = [open(), open()]
  await first.take()
  await endSession()
  await vi.waitFor(() => expect(first.said).toEqual([expect.stringContaining('has ended'), expect.stringContaining('no other was')]), 5000)
  expect(first.isOwner()).toBe(true)
  expect(first.lost).toEqual([])

  // Another owner has been there before this one looks again.
  await asAdmin(`update secret set "Value" = 'another' where "Name" = 'owner'`)
  await endSession()
  await vi.waitFor(() => expect(first.lost).toHaveLength(1), 5000)
  expect(first.isOwner()).toBe(false)
  await second.take()
  expect(second.isOwner()).toBe(true)
})

test('a transaction that the owner before left open is over when the next one begins', async () => {
  const first = open()
  const left = await first.take()
  const begun = Promise.withResolvers<void>()
  const hanging = left.system.tx(async (db) => {
    await db.rows(sql`insert into secret ("Name", "Value") values ('half', 'x')`)
    begun.resolve()
    await new Promise((done) => setTimeout(done, 3000))
    await db.rows(sql`select 1`)
  })
  const over = expect(hanging).rejects.toThrow()
  await begun.promise
  await first.release()
  const next = await open().take()
  await next.system.rows(sql`insert into secret ("Name", "Value") values ('half', 'y')`)
  await over
})
