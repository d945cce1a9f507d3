// What every resource that the kernel serves has in common, shown through the front door.
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { actCall, isPossible } from '../contract/acts.ts'
import type { Page } from '../contract/call.ts'
import { tenantPermissions } from '../contract/menus.ts'
import { type Behaviour, joined, type Resource, writable } from '../contract/resource.ts'
import { maker } from '../main/testing/drafts.ts'
import type { Kit } from '../main/testing/kit.ts'
import type { Change } from '../server/database/db.ts'
import { platformEnterprise } from '../server/identity/setup.ts'
import { tableName } from '../server/resource/sql.ts'
import { movesAsSaid } from './moves.suite.ts'

type Row = { Id: number; EnterpriseId: number } & Record<string, unknown>

export const routes = {
  ...{ find: ['GET', ''], list: ['GET', '/List'], create: ['POST', ''], update: ['PUT', ''], remove: ['DELETE', ''] },
  export: ['GET', '/Output'],
} as const
export const serving =
  (kit: Kit) =>
  (r: Resource, ...verbs: (keyof typeof routes)[]) =>
    verbs.every((verb) => kit.app.hasRoute({ method: routes[verb][0], url: `/api${r.path}${routes[verb][1]}` }))

/** Tests `of`. `resources` holds the resources that it refers to. */
export const conformance = (kit: Kit, resources: readonly Resource[], of = resources) => {
  const make = maker(kit)
  const serves = serving(kit)
  /** Who may write it: a tenant, or only the platform. */
  const writerOf = (r: Resource) => (tenantPermissions.includes(r.permission) ? 'owner' : 'platform')
  /** Whether rows belong to a project in the end, or to the tenant as a whole. */
  const ofProject = (r: Resource): boolean => {
    const owner = r.fields[r.owner]
    return r.owner === 'grant' || (owner?.kind === 'ref' && ofProject(resources.find((x) => x.name === owner.to)!))
  }
  const titleOf = (r: Resource) => r.fields[r.title]! as { kind: string; max: number; pattern?: string }
  /** Titles with a pattern, such as codes, have no capitals and no other signs. */
  const titled = (r: Resource, text: string) => {
    const { pattern } = titleOf(r)
    return pattern && !new RegExp(pattern).test(text) ? text.toLowerCase().replace(/[^a-z0-9_]/g, '') : text
  }

  it.each(resources)('$name has a column for every field and row-level security forced', async (r) => {
    const columns = await kit.db.rows<{ column_name: string }>(
      sql`select column_name from information_schema.columns where table_name = ${tableName(r)}`,
    )
    expect(columns.map((c) => c.column_name)).toEqual(
      expect.arrayContaining(['Id', 'EnterpriseId', 'CreateTime', 'UpdateTime', ...Object.keys(r.fields)]),
    )
    const [secured] = await kit.db.rows(sql`select relrowsecurity, relforcerowsecurity from pg_class where relname = ${tableName(r)}`)
    expect(secured).toEqual({ relrowsecurity: true, relforcerowsecurity: true })
  })

  describe.each([...of])('$name', (r) => {
    const owner = writerOf(r)
    const behaves = (name: Behaviour, needs: (keyof typeof routes)[], title: string, run: () => Promise<void>) => {
      if (!serves(r, ...needs) || (r.differs?.create && needs.includes('create'))) return
      const why = r.differs?.[name]
      // An excuse that is no longer needed fails.
      if (why) it.fails(`differs from "${title}": ${why}`, run)
      else it(title, run)
    }

    if (r.differs?.create)
      it.fails(`is not made of its fields alone: ${r.differs.create}`, async () => {
        const made = await make.create(r)
        expect(await kit.data(owner, 'GET', `${r.path}?Id=${made.Id}`)).toEqual(made)
      })

    behaves('answers', ['create', 'find'], 'returns what was written, on every generation of its path', async () => {
      const draft = await make.draft(r)
      const made = await kit.data<Row>(owner, 'POST', r.path, draft)
      expect(made).toMatchObject(draft)
      for (const path of [r.path, ...r.aliases]) {
        expect(await kit.data(owner, 'GET', `${path}?Id=${made.Id}`)).toEqual(made)
        expect(await kit.data(owner, 'POST', `${path}/Detail`, { Id: made.Id })).toEqual(made)
      }
      expect(await kit.data(owner, 'GET', `${r.path.toLowerCase()}?Id=${made.Id}`)).toEqual(made)
    })

    behaves('lists', ['create', 'list'], 'lists, searches, sorts and pages', async () => {
      const title = titled(r, `needle_${Math.random().toString(36).slice(2)}%`.slice(0, titleOf(r).max))
      const row = await make.create(r, { [r.title]: title })
      await make.create(r)
      const forms = [
        `${r.path}/List?Search=${encodeURIComponent(title)}`,
        `${r.path}/List?${r.title}=${encodeURIComponent(title)}`,
        `${r.path}/List?QueryInfo.RelOP=1&QueryInfo[QueryConditions][0][Field]=${r.title}&QueryInfo[QueryConditions][0][Value]=${encodeURIComponent(title)}&QueryInfo[QueryConditions][0][LogicOP]=2`,
      ]
      for (const form of forms) expect((await kit.data<Page<Row>>(owner, 'GET', form)).Items.map((x) => x.Id)).toEqual([row.Id])
      const posted = await kit.data<Page<Row>>(owner, 'POST', `${r.path}/List`, {
        PageIndex: '1',
        PageSize: 1,
        OrderColumn: 'Id',
        OrderType: 'Descending',
        QueryInfo: { RelOP: 1, QueryConditions: [{ Field: 'Id', Value: String(row.Id), LogicOP: 4 }] },
      })
      expect(posted).toMatchObject({ PageIndex: 1, PageSize: 1, TotalCount: 2, TotalPages: 2, HasPrevPages: false, HasNextPages: true })
      expect(posted.Items[0]!.Id).toBeGreaterThan(row.Id)
    })

    behaves('filters', ['list'], 'refuses a filter field and an operator it does not know, by name', async () => {
      expect(await kit.call(owner, 'GET', `${r.path}/List?Nonsense=1`)).toMatchObject({
        StatusCode: 400,
        Details: { Fault: 'unknownFilter' },
      })
      expect((await kit.call(owner, 'GET', `${r.path}/List?Nonsense=1`)).Errors).toContain('Nonsense')
      expect(
        await kit.call(owner, 'POST', `${r.path}/List`, { QueryInfo: { QueryConditions: [{ Field: 'Id', Value: 1, LogicOP: 99 }] } }),
      ).toMatchObject({ StatusCode: 400, Details: { Fault: 'unknownOperator' } })
      expect(await kit.call(owner, 'GET', `${r.path}/List?OrderColumn=${encodeURIComponent('Id;drop table x')}`)).toMatchObject({
        StatusCode: 400,
      })
    })

    for (const [name, act] of Object.entries(r.acts ?? {}))
      behaves('acts', ['create', 'find'], `does "${name}" where the record allows it, once or again, and for nobody else`, async () => {
        const { method, path } = actCall(r, name)
        const { Id } = await make.create(r)
        const body = { Id, ...(act.fields && (await make.draft({ ...r, fields: act.fields }))) }
        expect(await kit.call('stranger', method, path, body)).toMatchObject({ StatusCode: owner === 'owner' ? 404 : 403 })
        const row = await kit.data<Row>(owner, 'GET', `${r.path}?Id=${Id}`)
        if (!isPossible(r, act, row)) {
          expect(await kit.call(owner, method, path, body)).toMatchObject({ StatusCode: 409, Details: { Fault: 'wrongState' } })
          expect(await kit.data(owner, 'GET', `${r.path}?Id=${Id}`)).toEqual(row)
        } else if (act.set)
          for (const _ of ['once', 'again']) {
            expect(await kit.call(owner, method, path, body)).toMatchObject({ Succeeded: true })
            expect(await kit.data(owner, 'GET', `${r.path}?Id=${Id}`)).toMatchObject(act.set)
          }
      })

    for (const [name, f] of Object.entries(r.fields))
      if (f.kind === 'choice' && f.moves && f.set !== 'never')
        behaves('moves', ['create', 'find', 'update'], `moves "${name}" as its field says, and refuses every other move by name`, () =>
          movesAsSaid(kit, make, { r, name, f, owner }),
        )

    behaves('changes', ['create', 'find', 'update', 'remove'], 'changes and removes, and says who did what', async () => {
      const told: Change[] = []
      const stop = kit.database.onChange((c) => told.push(c))
      const row = await make.create(r)
      const changed = await kit.data<Row>(owner, 'PUT', r.path, { Id: row.Id, [r.title]: titled(r, 'Renamed') })
      expect(changed).toEqual({ ...row, [r.title]: titled(r, 'Renamed'), UpdateTime: changed.UpdateTime, UpdateStamp: changed.UpdateStamp })
      expect(await kit.data(owner, 'DELETE', r.path, { Ids: [row.Id] })).toEqual({ Removed: 1 })
      expect(await kit.call(owner, 'GET', `${r.path}?Id=${row.Id}`)).toMatchObject({ Succeeded: false, StatusCode: 404 })
      expect(await kit.call(owner, 'DELETE', `${r.path}/BatchDelete?Ids=${row.Id}`)).toMatchObject({ StatusCode: 404 })
      stop()
      const entries = await kit.db.rows<{ Verb: string; UserId: number; RequestId: string }>(
        sql`select "Verb", "UserId", "RequestId" from change where "Resource" = ${r.name} and "RecordId" = ${row.Id} order by "Id"`,
      )
      expect(entries.map((e) => e.Verb)).toEqual(['create', 'update', 'remove'])
      expect(entries.every((e) => e.UserId === kit.people.get(owner)!.id && e.RequestId)).toBe(true)
      expect(told.filter((c) => c.resource === r.name && c.id === row.Id).map((c) => c.verb)).toEqual(['create', 'update', 'remove'])
    })

    behaves('tenants', ['create', 'find', 'list', 'update', 'remove'], 'does not exist for another tenant', async () => {
      const row = await make.create(r)
      const before = await kit.data(owner, 'GET', `${r.path}?Id=${row.Id}`)
      for (const [method, path, body] of [
        ['GET', `${r.path}?Id=${row.Id}`],
        ['POST', `${r.path}/Detail`, { Id: row.Id }],
        ['PUT', r.path, { Id: row.Id, [r.title]: 'stolen' }],
        ['DELETE', r.path, { Id: row.Id }],
        ['DELETE', `${r.path}/BatchDelete`, [row.Id]],
      ] as const)
        expect(owner === 'platform' ? [403, 404] : [404]).toContain((await kit.call('stranger', method, path, body)).StatusCode)
      if (owner === 'platform') return
      const seen = await kit.data<Page<Row>>('stranger', 'GET', `${r.path}/List?PageSize=1000`)
      const may = [kit.enterprises.theirs, ...(r.shared ? [platformEnterprise] : [])]
      expect(seen.Items.filter((x) => !may.includes(x.EnterpriseId))).toEqual([])
      expect(await kit.data(owner, 'GET', `${r.path}?Id=${row.Id}`)).toEqual(before)
      expect((await kit.data<Page<Row>>('platform', 'GET', `${r.path}/List?Id=${row.Id}`)).Items).toHaveLength(1)
    })

    if (ofProject(r))
      behaves('projects', ['create', 'list', 'update'], 'is seen only in granted projects', async () => {
        const above = r.fields[r.owner]
        const owners = resources.find((x) => above?.kind === 'ref' && x.name === above.to)
        // Also where the field may be empty.
        const inProject = async () => make.create(r, owners ? { [r.owner]: (await make.create(owners)).Id } : {})
        const [mine, other] = [await inProject(), await inProject()]
        const projectOf = async (row: Row, of: Resource): Promise<number> => {
          if (of.owner === 'grant') return row.Id
          const { to: name } = of.fields[of.owner] as { to: string }
          const to = resources.find((x) => x.name === name)!
          return projectOf(await kit.data(owner, 'GET', `${to.path}?Id=${row[of.owner]}`), to)
        }
        const name = `granted_${r.name}`
        await kit.person(name, kit.enterprises.ours, { projects: [await projectOf(mine as Row, r)] })
        expect((await kit.data<Page<Row>>(name, 'GET', `${r.path}/List`)).Items.map((x) => x.Id)).toEqual([mine.Id])
        expect(await kit.call(name, 'PUT', r.path, { Id: other.Id, [r.title]: 'x' })).toMatchObject({ StatusCode: 404 })
      })

    behaves('permissions', ['create', 'find', 'list', 'update', 'remove'], 'needs a session and the permission', async () => {
      const row = await make.create(r)
      const draft = await make.draft(r)
      const writes = [
        ['POST', r.path, draft],
        ['PUT', r.path, { Id: row.Id }],
        ['DELETE', r.path, { Id: row.Id }],
      ] as const
      for (const [method, path, body] of writes) expect(await kit.call('viewer', method, path, body)).toMatchObject({ StatusCode: 403 })
      expect((await kit.request(undefined, 'GET', `${r.path}/List`)).statusCode).toBe(401)
      if (owner === 'owner') expect((await kit.call('viewer', 'GET', `${r.path}?Id=${row.Id}`)).Succeeded).toBe(true)
    })

    behaves('readable', ['list'], 'is read with its permission only', async () => {
      expect(await kit.call('nobody', 'GET', `${r.path}/List`)).toMatchObject({ StatusCode: 403 })
    })

    behaves('unsettable', ['create'], 'ignores fields that people may not set', async () => {
      const draft = await make.draft(r)
      const smuggled = Object.fromEntries(
        Object.entries(r.fields)
          .filter(([, f]) => f.set === 'never')
          .map(([k]) => [k, 1]),
      )
      const row = await kit.data<Row>(owner, 'POST', r.path, {
        ...draft,
        ...smuggled,
        ...(owner === 'platform' ? {} : { EnterpriseId: kit.enterprises.theirs }),
        Id: 999_999,
        CreateTime: '2000-01-01 00:00:00',
        Nonsense: 1,
      })
      expect(row).toMatchObject({ ...draft, EnterpriseId: kit.people.get(owner)!.enterprise })
      expect(row.Id).not.toBe(999_999)
      expect(row.CreateTime).not.toBe('2000-01-01 00:00:00')
      for (const [k, f] of Object.entries(r.fields)) if (f.set === 'never') expect(row[k]).toEqual(f.default ?? null)
    })

    behaves('refusals', ['create'], 'names each field it refuses', async () => {
      const draft = await make.draft(r)
      for (const [k, f] of writable(r, 'create')) {
        const bad = await kit.call(owner, 'POST', r.path, { ...draft, [k]: { nested: true } })
        expect(bad, k).toMatchObject({ Succeeded: false, StatusCode: 400 })
        expect([...new Set(Object.keys(bad.Details!.Fields!).map((name) => name.split('.')[0]))]).toEqual([k])
        if (f.required && f.default === undefined) {
          const { [k]: _, ...rest } = draft
          expect((await kit.call(owner, 'POST', r.path, rest)).Details!.Fields).toHaveProperty(k)
        }
        if (f.kind === 'number' || f.kind === 'ref')
          for (const value of ['1', -1e300, Number.MAX_SAFE_INTEGER * 4])
            expect(await kit.call(owner, 'POST', r.path, { ...draft, [k]: value })).toMatchObject({ Succeeded: false })
      }
    })

    behaves('duplicates', ['create'], 'names the field of a duplicate', async () => {
      const unique = Object.entries(r.fields).find(([, f]) => f.unique)
      if (!unique) return
      const [name, field] = unique
      const row = await make.create(r)
      const scope = typeof field.unique === 'string' && field.unique !== 'everywhere' ? { [field.unique]: row[field.unique] } : {}
      const again = await kit.call(owner, 'POST', r.path, {
        ...(await make.draft(r, { ...scope, [name]: row[name] })),
        ...(owner === 'platform' ? { EnterpriseId: row.EnterpriseId } : {}),
      })
      expect(again).toMatchObject({ StatusCode: 409, Details: { Fields: { [name]: [expect.any(String)] } } })
    })

    for (const [name, suffix] of Object.entries(r.checks ?? {}))
      behaves('duplicates', ['create'], `says whether ${name} is free, for whoever reads it`, async () => {
        const row = await make.create(r)
        const { unique } = r.fields[name] as { unique?: unknown }
        const scope = typeof unique === 'string' && unique !== 'everywhere' ? { [unique]: row[unique] } : {}
        const ask = (as: string, given: object) => kit.call(as, 'POST', `${r.path}/${suffix}`, { ...scope, [name]: row[name], ...given })
        expect(await ask('viewer', {})).toMatchObject({ Data: { Valid: false } })
        expect(await ask('viewer', { [name]: 'another' })).toMatchObject({ Data: { Valid: true } })
        expect(await ask(owner, { Id: row.Id })).toMatchObject({ Data: { Valid: true } })
        expect(await ask('stranger', { Id: row.Id })).toMatchObject({ StatusCode: 404 })
        expect(await ask('stranger', {})).toMatchObject(Object.keys(scope).length ? { StatusCode: 404 } : { Data: { Valid: true } })
        expect(await ask('nobody', {})).toMatchObject({ StatusCode: 403 })
        expect((await ask(owner, { [name]: null })).Details!.Fields).toHaveProperty(name)
      })

    behaves('references', ['create'], 'refuses references into another tenant', async () => {
      const stranger = maker(kit, 'stranger')
      for (const [, field, to] of joined(r)) {
        const target = resources.find((x) => x.name === to)!
        if (!serves(target, 'create') || r.fields[field]!.set === 'never') continue
        const foreign = await make.create(target)
        const refused = await kit.call('stranger', 'POST', r.path, await stranger.draft(r, { [field]: foreign.Id }))
        expect(refused).toMatchObject({ Succeeded: false, Details: { Fields: { [field]: [expect.any(String)] } } })
      }
    })
  })
}
