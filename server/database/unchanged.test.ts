import fc from 'fast-check'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase } from '../testing/database.ts'
import { connect } from './connect.ts'
import type { Database, Db } from './db.ts'
import { openUnchanged, seenIn, snapshot } from './unchanged.ts'

let fresh: Awaited<ReturnType<typeof freshDatabase>>
let here: Database
let elsewhere: Database
let tenants: number[]
beforeAll(async () => {
  fresh = await freshDatabase()
  here = connect(fresh.url, 4)
  elsewhere = connect(fresh.url, 4)
  const made = await here.system.rows<{ Id: number }>(sql`insert into enterprise ("Name") values ('A'), ('B') returning "Id"`)
  tenants = made.map((e) => e.Id)
})
afterAll(async () => {
  await here.close()
  await elsewhere.close()
  await fresh.drop()
})

const projects = (holds: string) =>
  [
    sql<{
      Id: number
      ProjectName: string
    }>`select "Id", "EnterpriseId", "ProjectName" from project where "ProjectName" like ${`%${holds}%`} order by "Id"`,
    sql<{ n: number }>`select count(*)::int as n from project where "ProjectName" like ${`%${holds}%`}`,
  ] as const
const scopes = () => [
  { EnterpriseId: tenants[0]!, platform: false },
  { EnterpriseId: tenants[1]!, platform: false },
  { EnterpriseId: 0, platform: true },
]
/** What is remembered is what is stored, whoever asks, before and after. */
const same = async () => {
  for (const database of [here, elsewhere])
    for (const scope of scopes())
      for (const holds of ['', '1'])
        expect(await database.as(scope).unchanged(projects(holds))).toEqual(await database.as(scope).all(projects(holds)))
}

test('answers are those of the database, whatever writes come in between, from here and from elsewhere', async () => {
  const write = fc.record({
    kind: fc.constantFrom('insert', 'update', 'delete', 'undone', 'nothing'),
    from: fc.nat(1),
    tenant: fc.nat(1),
    name: fc.nat(30),
    asked: fc.integer({ min: 1, max: 3 }),
  })
  let made = 0
  await fc.assert(
    fc.asyncProperty(fc.array(write, { maxLength: 12 }), async (writes) => {
      for (const { kind, from, tenant, name, asked } of writes) {
        const db: Db = [here, elsewhere][from]!.as({ EnterpriseId: tenants[tenant]!, platform: false })
        const insert = () =>
          db.rows(sql`insert into project ("EnterpriseId", "ProjectName") values (${tenants[tenant]}, ${`P${name} ${made++}`})`)
        if (kind === 'insert') await insert()
        if (kind === 'update')
          await db.rows(sql`update project set "ProjectName" = ${`Q${name} ${made++}`} where "Id" % 3 = ${name % 3}`).catch(() => {})
        if (kind === 'delete') await db.rows(sql`delete from project where "Id" % 5 = ${name % 5}`)
        if (kind === 'undone')
          await db
            .tx(async (db) => {
              await db.rows(sql`delete from project`)
              throw new Error('undone')
            })
            .catch(() => {})
        for (let i = 0; i < asked; i++) await same()
      }
    }),
    { numRuns: 12 },
  )
})

test('what another connection has not committed is not seen, and is from its commit on', async () => {
  const db = here.as(scopes()[0]!)
  const client = new pg.Client({ connectionString: fresh.adminUrl })
  await client.connect()
  await client.query('begin')
  await client.query(`insert into project ("EnterpriseId", "ProjectName") values (${tenants[0]}, 'Open 1')`)
  const names = async () => (await db.unchanged(projects('Open')))[0].map((p) => p.ProjectName)
  for (let i = 0; i < 3; i++) expect(await names()).toEqual([])
  await client.query('commit')
  await client.end()
  for (let i = 0; i < 3; i++) expect(await names()).toEqual(['Open 1'])
})

test('writers and readers at once: nobody reads less than what he has written', async () => {
  const work = async (database: Database, tenant: number, own: string) => {
    const db = database.as({ EnterpriseId: tenant, platform: false })
    for (let i = 1; i <= 25; i++) {
      await db.rows(sql`insert into project ("EnterpriseId", "ProjectName") values (${tenant}, ${`${own} ${i}`})`)
      const [rows, [count]] = await db.unchanged(projects(own))
      expect([rows.length, count!.n]).toEqual([i, i])
    }
  }
  await Promise.all(['Una', 'Dua', 'Tria'].flatMap((own) => tenants.map((tenant, i) => work([here, elsewhere][i]!, tenant, own))))
})

test('rows that a caller changes are his own', async () => {
  const db = here.as(scopes()[2]!)
  for (let i = 0; i < 3; i++) {
    const [rows] = await db.unchanged(projects('Una'))
    expect(rows[0]!.ProjectName).toBe('Una 1')
    rows[0]!.ProjectName = 'mine'
    rows.reverse()
  }
})

const scopeOf = (tenant: string) => ({ text: '', values: ['penstock_tenant', tenant] })

/** Kept and read again. The cluster is shared: others may write in between. */
const keptOn = async (client: () => pg.Client, most?: number) => {
  const memory = openUnchanged(client, most)
  await expect.poll(() => memory.keyOf([scopeOf('1')])).toBeDefined()
  const key = memory.keyOf([scopeOf('1')])!
  const put = async () => {
    const own = new pg.Client({ connectionString: fresh.url })
    await own.connect()
    const seen = seenIn((await own.query(snapshot as pg.QueryConfig)).rows)
    await own.end()
    memory.put(key, memory.life(), seen, seen, [[{ kept: 'yes' }]])
  }
  return { memory, key, put }
}

test('an answer is given again while nothing is committed, and never under another snapshot', async () => {
  const { memory, key, put } = await keptOn(() => new pg.Client({ connectionString: fresh.url }))
  await expect
    .poll(async () => {
      await put()
      return memory.get(key)
    })
    .toEqual([[{ kept: 'yes' }]])
  await here.system.rows(sql`update enterprise set "Name" = "Name" where "Id" = ${tenants[0]}`)
  expect(await memory.get(key)).toBeUndefined()
  memory.put(key, memory.life(), '1:1:', '2:2:', [[{ kept: 'between two' }]])
  expect(memory.bytes()).toBe(0)
  await memory.close()
})

test('everything is forgotten when the connection that watches breaks', async () => {
  const clients: pg.Client[] = []
  const { memory, key, put } = await keptOn(() => {
    const client = new pg.Client({ connectionString: fresh.url })
    clients.push(client)
    return client
  })
  const born = memory.life()
  await put()
  const admin = new pg.Client({ connectionString: fresh.adminUrl })
  await admin.connect()
  await admin.query('select pg_terminate_backend($1)', [(clients[0] as unknown as { processID: number }).processID])
  await admin.end()
  await expect.poll(() => memory.bytes()).toBe(0)
  expect(await memory.get(key)).toBeUndefined()
  memory.put(key, born, '3:3:', '3:3:', [[{ kept: 'from before' }]])
  expect(memory.bytes()).toBe(0)
  await memory.close()
})

test('memory is bounded, and what moves by itself is not kept', async () => {
  const { memory } = await keptOn(() => new pg.Client({ connectionString: fresh.url }), 40_000)
  const keyOf = (text: string, ...values: unknown[]) => memory.keyOf([scopeOf('1'), { text, values }])
  for (let i = 0; i < 500; i++) memory.put(keyOf('select', i)!, memory.life(), '5:5:', '5:5:', [[{ text: 'x'.repeat(100) }]])
  expect(memory.bytes()).toBeLessThanOrEqual(40_000)
  expect(memory.bytes()).toBeGreaterThan(20_000)
  memory.put(keyOf('select', 'long')!, memory.life(), '5:5:', '5:5:', [[{ text: 'x'.repeat(100_000) }]])
  expect(memory.bytes()).toBeLessThanOrEqual(40_000)
  for (const text of ['select now()', 'select random()', `select nextval('a')`, 'select current_date', 'select pg_sleep(1)'])
    expect(keyOf(text)).toBeUndefined()
  expect(keyOf('select', new Date())).toBeUndefined()
  expect(keyOf('select', Number.NaN)).toBeUndefined()
  expect(keyOf('select', 1)).not.toBe(keyOf('select', '1'))
  const one = { text: 'select 1 as one', values: [] }
  expect(memory.keyOf([scopeOf('1'), one])).not.toBe(memory.keyOf([scopeOf('2'), one]))
  await memory.close()
})
