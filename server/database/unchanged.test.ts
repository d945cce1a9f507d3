import fc from 'fast-check'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase } from '../../main/testing/database.ts'
import { connect } from './connect.ts'
import type { Database, Db } from './db.ts'
import type { Reach } from './reach.ts'
import { openUnchanged, type Place, seenIn, snapshot } from './unchanged.ts'

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
  for (const tenant of tenants) {
    const [kept] = await here.system.rows<{ Id: number }>(
      sql`insert into project ("EnterpriseId", "ProjectName") values (${tenant}, 'Works') returning "Id"`,
    )
    await here.system.rows(
      sql`insert into gateway ("EnterpriseId", "GatewayName", "SN", "ProjectId") values (${tenant}, 'Gate', ${`UNCHANGED${tenant}`}, ${kept!.Id})`,
    )
  }
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
/** Of one table, with the name of a row of another one; how many there are does not depend on that one. */
const gateways = () =>
  [
    sql<{
      Id: number
    }>`select g."Id", g."GatewayName", (select j."ProjectName" from "project" j where j."Id" = g."ProjectId") as "Works" from gateway g order by 1`,
    sql<{ n: number }>`select count(*)::int as n from gateway`,
  ] as const
const scopes = () => [
  { EnterpriseId: tenants[0]!, platform: false },
  { EnterpriseId: tenants[1]!, platform: false },
  { EnterpriseId: 0, platform: true },
]
/** What is remembered is what is stored, whoever asks, before and after. */
const same = async () => {
  for (const database of [here, elsewhere])
    for (const scope of scopes()) {
      expect(await database.as(scope).unchanged(gateways())).toEqual(await database.as(scope).all(gateways()))
      for (const holds of ['', '1']) {
        const db = database.as(scope)
        const stored = await db.all(projects(holds))
        expect(await db.unchanged(projects(holds))).toEqual(stored)
        for (const of of [undefined, holds]) expect(await textOf(db, holds, of)).toBe(JSON.stringify(stored))
      }
    }
}
const textOf = async (db: Db, holds: string, of: string | undefined, write = JSON.stringify) =>
  String(
    await db.unchangedText(
      of,
      () => projects(holds),
      (rows) => Buffer.from(write(rows)),
    ),
  )

test('answers are those of the database, whatever writes come in between, from here and from elsewhere', async () => {
  const write = fc.record({
    kind: fc.constantFrom('insert', 'update', 'delete', 'undone', 'nothing', 'platform', 'book', 'both', 'gateway', 'remark'),
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
          await db.rows(sql`update project set "ProjectName" = ${`Q${name} ${made++} `} || "Id" where "Id" % 2 = ${name % 2}`)
        if (kind === 'delete') await db.rows(sql`delete from project where "Id" % 5 = ${name % 5}`).catch(() => {})
        const { system } = [here, elsewhere][from]!
        if (kind === 'platform')
          await system.rows(sql`update project set "ProjectName" = "ProjectName" || '1' where "Id" % 7 = ${name % 7}`)
        if (kind === 'gateway') await (asked > 1 ? system : db).rows(sql`update gateway set "GatewayName" = ${`G${name} ${made++}`}`)
        if (kind === 'remark') await db.rows(sql`update "project" set "Remark" = ${`S${name}`} where "Id" % 3 = ${name % 3}`)
        const book = (db: Db) =>
          db.rows(
            sql`insert into change ("EnterpriseId", "Resource", "RecordId", "Verb") values (${tenants[tenant]}, 'project', 1, 'update')`,
          )
        if (kind === 'book') await book(system)
        if (kind === 'both')
          await system.tx(async (db) => {
            await book(db)
            await db.rows(sql`update project set "ProjectName" = ${`R${name} ${made++}`} where "Id" % 3 = ${name % 3}`).catch(() => {})
          })
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

test('a text is made once for as long as nothing in it changes, and again after', async () => {
  const db = here.as(scopes()[0]!)
  let made = 0
  const counting = () => textOf(db, 'Una', 'Una', () => `${++made}`)
  const twice = async () => [await counting(), await counting()]
  // The cluster is shared: somebody else's write may come in between.
  await expect.poll(async () => new Set(await twice()).size).toBe(1)
  const last = made
  await db.rows(sql`update project set "ProjectName" = "ProjectName" where "ProjectName" = 'Una 1'`)
  expect(Number(await counting())).toBeGreaterThan(last)
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
  const place = memory.placeOf([scopeOf('1')])!
  // Whoever asks has the connection opened.
  await expect.poll(async () => (await memory.get(place)) ?? memory.life()).toBe(1)
  const put = async (at = place) => {
    const own = new pg.Client({ connectionString: fresh.url })
    await own.connect()
    const seen = seenIn((await own.query(snapshot as pg.QueryConfig)).rows)
    await own.end()
    memory.put(at, memory.life(), seen, seen, [[{ kept: 'yes' }]])
  }
  return { memory, place, put }
}

test('an answer is given again while nothing is committed, and never under another snapshot', async () => {
  const { memory, place, put } = await keptOn(() => new pg.Client({ connectionString: fresh.url }))
  await expect
    .poll(async () => {
      await put()
      return (await memory.get(place))?.kept
    })
    .toEqual([[{ kept: 'yes' }]])
  await here.system.rows(sql`update enterprise set "Name" = "Name" where "Id" = ${tenants[0]}`)
  expect(await memory.get(place)).toBeUndefined()
  memory.put(place, memory.life(), '1:1:', '2:2:', [[{ kept: 'between two' }]])
  expect(memory.bytes()).toBe(0)
  await memory.close()
})

test('of our own writes those of other tenants and of the book-keeping leave it as it is', async () => {
  const { memory, place, put } = await keptOn(() => new pg.Client({ connectionString: fresh.url }))
  const books = memory.placeOf([scopeOf('1'), { text: 'select 1 from change', values: [] }])!
  const writer = new pg.Client({ connectionString: fresh.adminUrl })
  await writer.connect()
  /** A transaction that is told of, or not. */
  const write = async (reach?: Reach) => {
    await writer.query('begin')
    await writer.query(`update enterprise set "Name" = "Name" where "Id" = ${tenants[0]}`)
    const number = (await writer.query('select pg_current_xact_id()::text as own')).rows[0].own
    if (reach) memory.wrote(memory.life(), number, reach)
    await writer.query('commit')
  }
  const left = async (at: Place, reach?: Reach) => {
    await put(at)
    await write(reach)
    return (await memory.get(at)) !== undefined
  }
  const all = undefined
  // The cluster is shared: somebody else's write may come in between, never take one away.
  const leaves = (at: Place, reach: Reach) => expect.poll(() => left(at, reach)).toBe(true)
  await leaves(place, { tenant: '2', tables: all })
  await leaves(place, { tenant: undefined, tables: new Set(['change']) })
  await leaves(books, { tenant: '2', tables: new Set(['change']) })
  await leaves(books, { tenant: undefined, tables: new Set(['project']) })
  expect(await left(place, { tenant: '1', tables: all })).toBe(false)
  expect(await left(place, { tenant: undefined, tables: all })).toBe(false)
  expect(await left(books, { tenant: undefined, tables: new Set(['change']) })).toBe(false)
  expect(await left(place)).toBe(false)
  const platform = { text: '', values: ['penstock_platform', '0'] }
  expect(await left(memory.placeOf([platform])!, { tenant: '2', tables: all })).toBe(false)
  // One that was open when it was read, and ended after.
  await writer.query('begin')
  await writer.query(`update enterprise set "Name" = "Name" where "Id" = ${tenants[0]}`)
  await put(place)
  await writer.query('commit')
  expect(await memory.get(place)).toBeUndefined()
  await writer.end()
  await memory.close()
})

test('everything is forgotten when the connection that watches breaks', async () => {
  const clients: pg.Client[] = []
  const { memory, place, put } = await keptOn(() => {
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
  expect(await memory.get(place)).toBeUndefined()
  memory.put(place, born, '3:3:', '3:3:', [[{ kept: 'from before' }]])
  expect(memory.bytes()).toBe(0)
  await memory.close()
})

test('memory is bounded, and what moves by itself is not kept', async () => {
  const { memory } = await keptOn(() => new pg.Client({ connectionString: fresh.url }), 40_000)
  const placeOf = (text: string, ...values: unknown[]) => memory.placeOf([scopeOf('1'), { text, values }])
  for (let i = 0; i < 500; i++) memory.put(placeOf('select', i)!, memory.life(), '5:5:', '5:5:', [[{ text: 'x'.repeat(100) }]])
  expect(memory.bytes()).toBeLessThanOrEqual(40_000)
  expect(memory.bytes()).toBeGreaterThan(20_000)
  memory.put(placeOf('select', 'long')!, memory.life(), '5:5:', '5:5:', [[{ text: 'x'.repeat(100_000) }]])
  expect(memory.bytes()).toBeLessThanOrEqual(40_000)
  for (const text of ['select now()', 'select random()', `select nextval('a')`, 'select current_date', 'select pg_sleep(1)'])
    expect(placeOf(text)).toBeUndefined()
  expect(placeOf('select', new Date())).toBeUndefined()
  expect(placeOf('select', Number.NaN)).toBeUndefined()
  expect(placeOf('select', 1)!.key).not.toBe(placeOf('select', '1')!.key)
  const one = { text: 'select 1 as one', values: [] }
  expect(memory.placeOf([scopeOf('1'), one])!.key).not.toBe(memory.placeOf([scopeOf('2'), one])!.key)
  await memory.close()
})
