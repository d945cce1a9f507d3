import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Kit } from '../../../../main/testing/kit.ts'
import { monthsBefore } from '../../../../server/database/monthly/months.ts'
import { type Area, startArea } from './harness.ts'
import { openLogKeys, shareLogKeys } from './keys.ts'
import { forgetBefore } from './verify.ts'

let area: Area
let kit: Kit
beforeAll(async () => {
  area = await startArea()
  kit = area.kit
})
afterAll(() => area?.close())

const list: Area['list'] = (...given) => area.list(...given)
const project: Area['project'] = (...given) => area.project(...given)
const verdict: Area['verdict'] = (...given) => area.verdict(...given)
const linked = () => area.linked()

describe('the chain', () => {
  beforeEach(async () => {
    await linked()
  })

  it('links each tenant’s entries under concurrent writers', async () => {
    await Promise.all(Array.from({ length: 40 }, (_, i) => project(`At once ${i}`, i % 2 ? 'owner' : 'stranger')))
    await Promise.all([linked(), linked(), linked()])
    await linked()
    for (const as of ['owner', 'stranger']) {
      const said = await verdict(as)
      expect(said).toMatchObject({ Sound: true, Problems: [], From: 1 })
      expect(said.Entries).toBe(said.To)
      expect(said.Entries).toBeGreaterThan(19)
    }
    expect(await verdict('platform', { EnterpriseId: kit.enterprises.theirs })).toEqual(await verdict('stranger'))
    // A tenant's manager verifies his own, whatever he names.
    expect(await verdict('owner', { EnterpriseId: kit.enterprises.theirs })).toEqual(await verdict('owner'))
  })

  const tampered = async (statement: string, values: unknown[], undo: () => Promise<unknown>) => {
    await area.intruder.query(statement, values)
    const said = await verdict()
    await undo()
    expect(await verdict()).toMatchObject({ Sound: true })
    return said.Problems
  }
  const someone = async () => {
    const { Id } = await project(`Evidence ${Math.random()}`)
    await linked()
    const { rows } = await area.intruder.query(`select * from change where "Resource" = 'project' and "RecordId" = $1`, [Id])
    return rows[0] as { Id: string; Seq: string; Time: Date; Hash: Buffer }
  }

  it('finds a row that was altered by SQL, and names it', async () => {
    const { Id, Seq } = await someone()
    await project('After it')
    await linked()
    const problems = await tampered(
      `update change set "After" = jsonb_set("After", '{ProjectName}', '"Innocent"') where "Id" = $1 returning *`,
      [Id],
      () =>
        area.intruder.query(
          `update change c set "After" = jsonb_set(c."After", '{ProjectName}', to_jsonb(p."ProjectName")) from project p where c."Id" = $1 and p."Id" = c."RecordId"`,
          [Id],
        ),
    )
    expect(problems).toEqual([{ Kind: 'altered', Seq: Number(Seq), Id: Number(Id) }])
  })

  it('finds who did it changed, and when', async () => {
    const { Id, Seq, Time } = await someone()
    for (const [set, back] of [
      [`"UserId" = 999`, `"UserId" = ${kit.people.get('owner')!.id}`],
      [`"Time" = "Time" - interval '1 day'`, `"Time" = "Time" + interval '1 day'`],
      [`"Ip" = '10.0.0.1'`, `"Ip" = '127.0.0.1'`],
    ])
      expect(
        await tampered(`update change set ${set} where "Id" = $1`, [Id], () =>
          area.intruder.query(`update change set ${back} where "Id" = $1`, [Id]),
        ),
      ).toEqual([{ Kind: 'altered', Seq: Number(Seq), Id: Number(Id) }])
    expect(Time).toBeInstanceOf(Date)
  })

  it('finds an entry taken out of the middle, and the newest ones cut off', async () => {
    const middle = await someone()
    const last = await someone()
    const away = (seqs: string) =>
      `create temp table away as select * from change where "EnterpriseId" = ${kit.enterprises.ours} and "Seq" in (${seqs}); delete from change where "Id" in (select "Id" from away)`
    const back = () => area.intruder.query('insert into change overriding system value select * from away; drop table away')
    expect(await tampered(away(middle.Seq), [], back)).toEqual([{ Kind: 'missing', Seq: Number(middle.Seq), Id: null }])
    expect(await tampered(away(last.Seq), [], back)).toEqual([{ Kind: 'truncated', Seq: Number(last.Seq), Id: null }])
  })

  it('detects a rebuilt chain, because its author cannot sign', async () => {
    const { Id, Seq } = await someone()
    const head = await area.intruder.query(`select * from change_head where "EnterpriseId" = $1`, [kit.enterprises.ours])
    await area.intruder.query('begin')
    await area.intruder.query(`update change set "Verb" = 'update', "Hash" = null, "Seq" = null where "Id" = $1`, [Id])
    await area.intruder.query(
      `update change_head set "Seq" = $2, "Hash" = (select "Hash" from change where "EnterpriseId" = $1 and "Seq" = $2) where "EnterpriseId" = $1`,
      [kit.enterprises.ours, Number(Seq) - 1],
    )
    await area.intruder.query('commit')
    expect((await verdict()).Problems).toContainEqual({ Kind: 'signature', Seq: Number(Seq) - 1, Id: null })
    const { rows } = head
    await area.intruder.query(`update change set "Verb" = 'create', "Seq" = $2, "Hash" = $3 where "Id" = $1`, [Id, Seq, rows[0].Hash])
    await area.intruder.query(`update change_head set "Seq" = $2, "Hash" = $3 where "EnterpriseId" = $1`, [
      kit.enterprises.ours,
      rows[0].Seq,
      rows[0].Hash,
    ])
    expect(await verdict()).toMatchObject({ Sound: true })
  })

  it('cannot be changed by the server’s own roles, only linked once', async () => {
    const { Id } = await someone()
    for (const statement of [
      sql`update change set "Verb" = 'x' where "Id" = ${Number(Id)}`,
      sql`update change set "Before" = null where "Id" = ${Number(Id)}`,
    ])
      await expect(kit.db.rows(statement)).rejects.toThrow(/permission denied/)
    expect(await kit.db.rows(sql`update change set "Hash" = '\\x00' where "Id" = ${Number(Id)} returning 1`)).toEqual([])
    await expect(kit.db.rows(sql`delete from change where "Id" = ${Number(Id)}`)).rejects.toThrow(/permission denied/)
    // The only function that removes entries stops where no signature covers them. Here there is none.
    const forget = sql<{ n: number }>`select penstock_forget_changes(${kit.enterprises.ours}, 1000000)::int as n`
    expect(await kit.db.rows(forget)).toEqual([{ n: 0 }])
    const tenant = kit.database.as({ EnterpriseId: kit.enterprises.ours, platform: false })
    await expect(tenant.rows(sql`delete from change where "Id" = ${Number(Id)}`)).rejects.toThrow(/permission denied/)
    await expect(tenant.rows(forget)).rejects.toThrow(/permission denied/)
    await expect(tenant.rows(sql`update change_head set "Seq" = 1`)).rejects.toThrow(/permission denied/)
  })

  it('stays sound when retention takes its beginning, and what it took is signed for', async () => {
    const before = await verdict()
    const middle = await someone()
    await new Promise((done) => setTimeout(done, 10))
    const cut = new Date()
    await someone()
    const { removed, unsound } = await forgetBefore(kit.database, area.adminUrl, area.keys, cut, () => area.clock.now)
    expect(unsound).toBe(0)
    expect(removed).toBeGreaterThan(before.Entries)
    const after = await verdict()
    expect(after).toMatchObject({ Sound: true, From: Number(middle.Seq) + 1, Entries: 1 })
    expect((await list('owner')).filter((e) => e.Seq !== null)).toHaveLength(1)
    // The signature of removed entries cannot be moved.
    const wrong = await tampered(
      `update change_checkpoint set "Seq" = "Seq" - 1 where "EnterpriseId" = $1 and "Removed" = 1`,
      [kit.enterprises.ours],
      () =>
        area.intruder.query(`update change_checkpoint set "Seq" = "Seq" + 1 where "EnterpriseId" = $1 and "Removed" = 1`, [
          kit.enterprises.ours,
        ]),
    )
    expect(wrong.map((p) => p.Kind)).toContain('signature')
  })

  it('that does not verify keeps its entries from retention', async () => {
    const { Id } = await someone()
    await new Promise((done) => setTimeout(done, 10))
    await area.intruder.query(`update change set "Ip" = '10.9.9.9' where "Id" = $1`, [Id])
    const { unsound } = await forgetBefore(kit.database, area.adminUrl, area.keys, new Date(Date.now() + 1000), () => area.clock.now)
    expect(unsound).toBe(1)
    expect(await kit.db.rows(sql`select 1 as there from change where "Id" = ${Number(Id)}`)).toEqual([{ there: 1 }])
    await area.intruder.query(`update change set "Ip" = '127.0.0.1' where "Id" = $1`, [Id])
  })

  it('of another installation verifies with its public key, and says so without it', async () => {
    const elsewhere = openLogKeys(join(area.folder, 'elsewhere'))
    const place = elsewhere.sign({ EnterpriseId: 1, Seq: 1, Hash: Buffer.alloc(32), Time: new Date(area.clock.now) })
    expect(elsewhere.verifies(place)).toBe(true)
    expect(elsewhere.verifies({ ...place, Seq: 2 })).toBe(false)
    expect(area.keys.verifies(place)).toBeUndefined()
  })

  it('is verified by each server of one database: those without keys take the shared ones, and each key of a server is shared', async () => {
    const [vault, place] = [randomBytes(32), { EnterpriseId: 1, Seq: 1, Hash: Buffer.alloc(32), Time: new Date(area.clock.now) }]
    const [first, second, third] = ['first', 'second', 'third'].map((name) => join(area.folder, name)) as [string, string, string]
    await shareLogKeys(kit.database, vault, first)
    await shareLogKeys(kit.database, vault, second)
    const signed = openLogKeys(first).sign(place)
    expect(openLogKeys(second).sign(place)).toEqual(signed)
    const own = openLogKeys(third).sign(place)
    await shareLogKeys(kit.database, vault, third)
    expect([openLogKeys(third).sign(place), openLogKeys(third).verifies(signed)]).toEqual([own, true])
    await shareLogKeys(kit.database, vault, second)
    expect(openLogKeys(second).verifies(own)).toBe(true)
    // Who can only change rows cannot read them.
    const [row] = await kit.db.rows<{ Value: Buffer }>(sql`select "Value" from secret where "Name" = 'logKeys'`)
    expect(row!.Value.toString('latin1')).not.toContain('PRIVATE KEY')
  })

  it('signs a place for good once a day', async () => {
    const count = async () => (await verdict('stranger')).Checkpoints
    await project('One', 'stranger')
    await linked()
    const first = await count()
    await project('Two', 'stranger')
    await linked()
    expect(await count()).toBe(first)
    area.clock.now += 86_400_001
    await project('Three', 'stranger')
    await linked()
    expect(await count()).toBe(first + 1)
  })
})

it('the chain of a log by month stays sound when whole months go, which is no work a row, and a month stays while one company’s chain is unsound', async () => {
  const own = await startArea()
  const { kit, adminUrl } = own
  const { ours, theirs } = kit.enterprises
  const at = (plus: number) => new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() + plus))
  const months = async () => (await monthsBefore(adminUrl, 'change', at(9))).length
  /** Entries of the next two months, as if they were over: an empty month would go. */
  const later = async () => {
    const entry = sql`insert into change ("EnterpriseId", "Time", "Resource", "RecordId", "Verb")`
    for (const month of [at(1), at(2)])
      for (const company of [ours, theirs])
        await kit.db.rows(
          sql`${entry} select ${company}, ${month}::timestamptz + n * interval '1 minute', 'project', n, 'create' from generate_series(1, 50) n`,
        )
    await own.linked()
  }
  await own.project('Of the present')
  await later()
  const before = await months()
  expect(before).toBeGreaterThanOrEqual(3)
  const altered = async (ip: string | null) => {
    await own.intruder.query(`update change set "Ip" = $2 where "EnterpriseId" = $1 and "Time" = $3`, [
      ours,
      ip,
      new Date(Number(at(2)) + 60_000),
    ])
  }
  await altered('10.9.9.9')
  const forget = () => forgetBefore(kit.database, adminUrl, own.keys, at(3), () => own.clock.now)
  expect(await forget()).toMatchObject({ unsound: 1, removed: expect.any(Number) })
  expect(
    await kit.db.rows(sql`select "EnterpriseId" as company, count(*)::int as n from change where "Time" >= ${at(2)} group by 1`),
  ).toEqual([{ company: ours, n: 50 }])
  expect(await months()).toBe(before)
  await altered(null)
  expect(await forget()).toMatchObject({ unsound: 0, removed: expect.any(Number) })
  expect(await months()).toBeLessThan(before)
  expect(await kit.db.rows(sql`select 1 from change where "Time" >= ${at(2)}`)).toEqual([])
  expect(await own.verdict()).toMatchObject({ Sound: true, Entries: 0 })
  // Without a partition for the present month nothing is written, and nothing half done.
  expect(await kit.call('owner', 'POST', '/Project/Project', { ProjectName: 'Of no month' })).toMatchObject({ StatusCode: 503 })
  expect(await kit.db.rows(sql`select 1 from project where "ProjectName" = 'Of no month'`)).toEqual([])
  await own.close()
})
