// What the conformance suite shows of every settings record. `resources.test.ts` runs it on its server.
import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { settings } from '../areas/index.ts'
import type { Settings } from '../contract/settings.ts'
import type { maker } from '../main/testing/drafts.ts'
import type { Kit } from '../main/testing/kit.ts'
import { platformEnterprise } from '../server/identity/setup.ts'

type Values = Record<string, unknown>

export const settingsSuite = (kit: Kit, make: ReturnType<typeof maker>) => {
  it('settings of older data folders, which had tables of their own, are still set', async () => {
    const client = new pg.Client({ connectionString: kit.adminUrl })
    await client.connect()
    const tenant = kit.enterprises.theirs
    await client.query(`
      begin; delete from tenant_config;
      create table alarm_reminder ("EnterpriseId" bigint, "Setting" jsonb, "UpdateTime" timestamptz default now());
      insert into alarm_reminder values (${tenant}, '{"Enabled": 1, "Levels": [2], "Interval": 7, "Times": 3}');
      create table machine_limit ("Id" smallint, "Cpu" integer, "Memory" integer, "Disk" integer, "Minutes" integer);
      insert into machine_limit values (1, 80, 81, 82, 6)`)
    await client.query(readFileSync(new URL('../server/database/migrations/0121_settings.sql', import.meta.url), 'utf8'))
    const { rows } = await client.query('select "EnterpriseId"::int, "Name", "Config" from tenant_config order by "Name"')
    await client.query('rollback')
    await client.end()
    expect(rows).toEqual([
      { EnterpriseId: tenant, Name: 'alarmReminder', Config: { Enabled: 1, Levels: [2], Interval: 7, Times: 3 } },
      { EnterpriseId: platformEnterprise, Name: 'machineLimits', Config: { Cpu: 80, Memory: 81, Disk: 82, Minutes: 6 } },
    ])
  })

  describe.each(settings)('the settings $name', (s: Settings) => {
    const owner = s.per === 'tenant' ? 'owner' : 'platform'
    const get = (as: string) => kit.data<Values>(as, 'GET', s.path)
    const put = (body: Values, as: string = owner) => kit.call<Values>(as, 'PUT', s.path, body)
    const defaults = Object.fromEntries(Object.entries(s.fields).map(([name, f]) => [name, f.default ?? null]))
    const names = Object.keys(s.fields)
    const draft = () => make.draft({ fields: s.fields } as never)
    /** Another value of a field that is a number, a choice or a flag. */
    const changed = () =>
      Object.fromEntries(
        Object.entries(s.fields).map(([name, f]) => {
          if (f.kind === 'number') return [name, (f.min ?? 1) + 1]
          return [name, f.kind === 'choice' ? f.of.at(-1) : f.kind === 'flag' ? 1 - Number(f.default ?? 0) : (f.default ?? null)]
        }),
      )

    it('have their defaults until somebody sets them, then what was set; one field does not change the others', async () => {
      expect(await get(owner)).toMatchObject({ ...defaults, UpdateStamp: 0 })
      const values = await draft()
      const saved = await put(values)
      expect(saved.Data, JSON.stringify(saved)).toMatchObject(values)
      expect(await get(owner)).toEqual(saved.Data)
      // The whole answer may come back; it changes nothing.
      expect((await put(saved.Data)).Data).toEqual(saved.Data)
      const given = changed()
      for (const name of names) {
        const before = await get(owner)
        expect(await put({ [name]: given[name] })).toMatchObject({
          Data: { ...before, [name]: given[name] ?? defaults[name], UpdateStamp: expect.any(Number) },
        })
      }
    })

    it('are read and changed with their permissions only, and never those of another tenant', async () => {
      const mine = await get(owner)
      expect(await put({}, 'viewer')).toMatchObject({ StatusCode: 403 })
      expect(await put({}, 'nobody')).toMatchObject({ StatusCode: 403 })
      expect(await kit.call('nobody', 'GET', s.path)).toMatchObject({ StatusCode: 403 })
      expect((await kit.request(undefined, 'GET', s.path)).statusCode).toBe(401)
      const strange = await put({ ...changed(), EnterpriseId: kit.enterprises.ours }, 'stranger')
      expect(strange).toMatchObject(
        s.per === 'tenant' ? { Details: { Fields: { EnterpriseId: [expect.any(String)] } } } : { StatusCode: 403 },
      )
      if (s.per === 'tenant') {
        expect(await get('stranger')).toMatchObject(defaults)
        expect(await put(await draft(), 'stranger')).toMatchObject({ Succeeded: true })
      }
      expect(await get(owner)).toEqual(mine)
    })

    it('name each field they refuse, known or not', async () => {
      const before = await get(owner)
      for (const name of [...names, 'Nonsense', ...Object.keys(s.secrets)]) {
        const refused = await put({ [name]: { nested: true } })
        expect(refused, name).toMatchObject({ Succeeded: false, StatusCode: 400 })
        expect(Object.keys(refused.Details!.Fields!)).toEqual([name])
      }
      expect(await get(owner)).toEqual(before)
    })

    it('keep a change that somebody else has made first, and say who changed what', async () => {
      const fields = Object.entries(s.fields)
      // A text may have a pattern, which no text of this test fits.
      const [name, f] = fields.find(([, { kind }]) => kind === 'number' || kind === 'flag') ?? fields[0]!
      const [one, other] = f.kind === 'number' ? [1, 2] : f.kind === 'flag' ? [0, 1] : ['one', 'other']
      const before = (await put({ [name]: one })).Data
      const { UpdateStamp } = before
      expect(await put({ [name]: other, UpdateStamp })).toMatchObject({ Data: { [name]: other } })
      const late = await put({ [name]: one, UpdateStamp })
      expect(late).toMatchObject({ StatusCode: 409, Details: { Fault: 'changedMeanwhile', Current: { [name]: other } } })
      const entries = await kit.db.rows(sql`
        select "Verb", "UserId", "RecordId", "Before", "After" from change where "Resource" = ${s.name} and "UserId" = ${kit.people.get(owner)!.id}
        order by "Id" desc limit 1`)
      expect(entries).toMatchObject([{ Verb: 'update', Before: { [name]: one }, After: { [name]: other } }])
      expect(entries[0]).not.toHaveProperty('After.UpdateStamp')
    })

    const secrets = Object.keys(s.secrets)
    it.runIf(secrets.length)('take secrets and never return them', async () => {
      const planted = Object.fromEntries(secrets.map((secret) => [secret, `planted ${secret}`]))
      const set = await put(planted)
      expect(set.Data).toMatchObject(Object.fromEntries(secrets.map((secret) => [`Has${secret}`, 1])))
      expect(JSON.stringify([set, await get(owner)])).not.toContain('planted')
      const gone = await put(Object.fromEntries(secrets.map((secret) => [secret, null])))
      expect(gone.Data).toMatchObject(Object.fromEntries(secrets.map((secret) => [`Has${secret}`, 0])))
    })
  })
}
