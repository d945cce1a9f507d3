// Every call that is served, asked by an administrator of one organisation of a tenant: what belongs to the other one does not exist for
// him, and no answer shows a field that is hidden from him (docs/security.md). The calls come from the server itself, as those of two
// tenants do: a new one is covered the day it is there.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { calls, resources } from '../areas/index.ts'
import { LogicOP } from '../contract/call.ts'
import { hubMethods } from '../contract/hub.ts'
import { tenantPermissions } from '../contract/menus.ts'
import { connectHub, until } from './house.ts'
import { hidden, startTwoOrganisations, westIds } from './two-organisations.ts'
import { ask as askOf, fill, idsOf, isList, meaning, type Operation, type Request, served } from './two-tenants.operations.ts'
import { rowsOf } from './two-tenants.ts'

let world: Awaited<ReturnType<typeof startTwoOrganisations>>
let operations: Operation[]
beforeAll(async () => {
  world = await startTwoOrganisations()
  operations = (await served(world.house.origin, world.manager)).filter((o) => !isAlias(o) && !ends(o))
})
afterAll(() => world?.house.close())

const ask = (token: string, o: Operation, request: Request) => askOf(world.house.origin, world.manager, token, o, request)
const missing = 999_999_999
const westId = /\b9\d{7}\b/
/** Names of West, and hidden values in rows of East. */
const shown = (text: string) => [world.secret, ...hidden].filter((word) => text.includes(word))
/** The same calls on other paths. */
const aliases = new Set([...calls, ...resources].flatMap((c) => c.aliases ?? []))
const isAlias = (o: Operation) => aliases.values().some((path) => o.path === path || o.path.startsWith(`${path}/`))
/** Calls that begin or end a session. */
const ends = (o: Operation) => /\/Auth\/(Logout|Login|LoginConfirm|ActAs)$|\/negotiate$|\/User\/SetPwd$/i.test(o.path)
const isOutput = (sheet: Operation) => (o: Operation) => o.method === 'GET' && o.path === sheet.path.replace(/Import$/, 'Output')
const ofEast = (o: Operation) => (name: string) => (meaning(o, name) === 'EnterpriseId' ? world.EnterpriseId : world.east[meaning(o, name)])
/** Rows of West, and rows that name it, table by table. Refusals are noted in the log. */
const rowsOfWest = async () => {
  const { change, change_head: _, ...rows } = await rowsOf(world.house, world.EnterpriseId)
  return Object.entries(rows).flatMap(([table, text]) => text.split('\n').flatMap((row) => (westId.test(row) ? [`${table} ${row}`] : [])))
}

it('shows his own organisation to its administrator, by every call that reads', async () => {
  const about = ['user', 'role', 'organ', 'dataPermission', 'apiCredential', 'department', 'post', 'project']
  const reads = operations.filter(
    (o) =>
      idsOf(o).some((name) => about.includes(meaning(o, name))) &&
      // His own, whatever UserId it names; he has none yet.
      o.path !== '/System/ThemeSet' &&
      (o.permission === 'session' ? o.method === 'GET' : tenantPermissions.includes(o.permission) && !o.permission.includes('.')),
  )
  for (const o of reads) expect((await ask(world.admin, o, fill(o, ofEast(o)))).code, o.name).toBe(200)
  expect(reads.length).toBeGreaterThan(30)
})

it('another organisation’s record is answered like one that does not exist, by every call, in every field', {
  timeout: 1_200_000,
}, async () => {
  const { admin, west } = world
  const before = await rowsOfWest()
  const problems: string[] = []
  let asked = 0
  for (const o of operations)
    for (const at of idsOf(o).filter((name) => west[meaning(o, name)])) {
      const answers: string[] = []
      for (const id of [west[meaning(o, at)]!, missing]) {
        const own = (name: string) => (isList(o) || o.method === 'DELETE' || /Users$/.test(name) ? undefined : ofEast(o)(name))
        const { text, wrapper, status, code } = await ask(
          admin,
          o,
          fill(o, (name) => (name === at ? id : own(name))),
        )
        asked++
        for (const word of shown(text)) problems.push(`${o.name} ${at}: shows ${word}`)
        if (status >= 500) problems.push(`${o.name} ${at}: ${status}`)
        const { Details, ...rest } = (wrapper ?? {}) as { Details?: { RequestId?: string } }
        const { RequestId: _, ...details } = Details ?? {}
        answers.push(JSON.stringify({ status, code, ...rest, details }).replaceAll(new RegExp(`\\b${id}\\b`, 'g'), 'ID'))
      }
      if (answers[0] !== answers[1]) problems.push(`${o.name} ${at}: ${answers[0]!.slice(0, 300)} instead of ${answers[1]!.slice(0, 300)}`)
    }
  expect(problems).toEqual([])
  expect(await rowsOfWest()).toEqual(before)
  expect(asked).toBeGreaterThan(150)
})

it('no list, statistic, file or record shows the other organisation, or a hidden field', { timeout: 1_200_000 }, async () => {
  const problems: string[] = []
  const reads = (o: Operation) => o.method === 'GET' || (!o.permission.includes('.') && o.method !== 'DELETE' && !isList(o))
  const all = operations.filter(reads)
  for (const o of all)
    for (const id of idsOf(o).length ? [() => undefined, ofEast(o)] : [() => undefined]) {
      const { text } = await ask(world.admin, o, fill(o, id))
      for (const word of shown(text)) problems.push(`${o.name}: shows ${word}`)
    }
  expect(problems).toEqual([])
  const own = await world.house.data<{ Items: { UserName: string }[] }>('GET', '/System/User/List', undefined, world.admin)
  expect(own.Items.map((u) => u.UserName).sort()).toEqual(['East administrator', 'East colleague'])
})

it('the palette search finds other spellings of permitted records, and nothing of another organisation', async () => {
  const { house, manager, admin, secret } = world
  const found = async (path: string, Field: string, Value: string, token: string) => {
    const QueryInfo = JSON.stringify({ RelOP: 1, QueryConditions: [{ Field, Value, LogicOP: LogicOP.resembles }] })
    const { Items } = await house.data<{ Items: unknown[] }>('GET', `${path}/List?${new URLSearchParams({ QueryInfo })}`, undefined, token)
    return Items.length
  }
  for (const [path, Field, kind] of [
    ['/Project/Project', 'ProjectName', 'project'],
    ['/Project/Gateway', 'GatewayName', 'gateway'],
    ['/System/User', 'UserName', 'person'],
  ] as const) {
    const typed = `${secret.toLowerCase()}-${kind.replace('e', 'É')}`
    expect([await found(path, Field, typed, manager), await found(path, Field, typed, admin)], path).toEqual([1, 0])
  }
  expect(await found('/Project/Project', 'ProjectName', '%', admin)).toBe(await found('/Project/Project', 'ProjectName', '-', admin))
})

it('no sheet changes the other organisation, also not the one that the manager of both exports', { timeout: 1_200_000 }, async () => {
  const { house, manager, admin } = world
  const before = await rowsOfWest()
  const imports = operations.filter((o) => o.path.endsWith('/Import') && operations.some(isOutput(o)))
  for (const o of imports) {
    const output = operations.find(isOutput(o))!
    const headers = (token: string) => ({ authorization: `Bearer ${token}`, 'accept-language': 'en' })
    const given = fill(output, () => undefined).path
    const file = await fetch(`${house.origin}/api${given}`, { headers: headers(manager) })
    expect(file.status, given).toBe(200)
    const body = new FormData()
    body.set('file', new File([await file.bytes()], 'sheet.csv'))
    const answer = await fetch(`${house.origin}/api${fill(o, ofEast(o)).path}`, { method: 'POST', headers: headers(admin), body })
    expect(answer.status, o.name).toBeLessThan(500)
  }
  expect(imports.length).toBeGreaterThan(5)
  expect(await rowsOfWest()).toEqual(before)
})

it('a preview as a role makes only calls that are known to read, and those write nothing', { timeout: 1_200_000 }, async () => {
  const { house } = world
  const db = house.database.system
  const [role] = await db.rows<{ Id: number }>(sql`select "Id" from role where "IsPlatform" = 1`)
  // This one writes into its history each minute.
  await db.rows(sql`update timer set "Status" = 0 where "Method" = 'reports'`)
  await expect.poll(() => db.rows(sql`select 1 from timer_log where "Result" = 0`)).toEqual([])
  const preview = { 'x-as-role': String(role!.Id) }
  const look = (o: Operation) => askOf(house.origin, house.admin, house.admin, o, fill(o, ofEast(o)), preview)
  const lastEntry = async () => (await db.rows<{ n: number }>(sql`select max("Id") as n from change`))[0]!.n
  const stored = async () => {
    const rows = await Promise.all([1, world.EnterpriseId].map((tenant) => rowsOf(house, tenant)))
    // The log is looked at below.
    return rows.map(({ change, change_head: _, ...others }) => others)
  }
  const all = (await served(house.origin, house.admin)).filter((o) => o.permission !== 'public' && !isAlias(o))
  const [before, first] = [await stored(), await lastEntry()]
  const problems: string[] = []
  let answered = 0
  for (const o of all) {
    const { code, wrapper } = await look(o)
    if ((wrapper?.Details?.Fault === 'previewOnly') === o.reads) problems.push(`${o.name}: ${wrapper?.Details?.Fault ?? code}`)
    if (o.reads && code === 200) answered++
  }
  const hub = await connectHub(house.origin, house.admin, preview)
  for (const method of Object.values(hubMethods))
    await hub.connection
      .invoke(method, method === 'LoginConnect' ? 1 : method === 'SetLanguage' ? 'es' : [world.east.point])
      .catch((error) => problems.push(`${method}: ${error}`))
  await hub.connection.stop()
  expect(problems).toEqual([])
  expect(await stored()).toEqual(before)
  // The log names looks as a role, refusals and exports; nothing else has happened.
  const verbs = await db.rows<{ Verb: string }>(sql`select distinct "Verb" from change where "Id" > ${first}`)
  expect(verbs.map((v) => v.Verb).filter((verb) => !['preview', 'refused', 'export'].includes(verb))).toEqual([])
  // A GET that writes.
  expect(all.find((o) => o.path === '/WeChat/WeiXinGrant/GrantUrl')).toMatchObject({ reads: false })
  expect(answered).toBeGreaterThan(300)
})

it('the hub says that something changed, and not what, when it is another organisation’s', async () => {
  const { house, west, manager, admin } = world
  const hub = await connectHub(house.origin, admin)
  const [paths, names] = [
    {
      organ: 'Organ',
      department: 'Department',
      post: 'Post',
      role: 'Role',
      dataPermission: 'DataPermissions',
      user: 'User',
      apiCredential: 'Api',
    },
    { organ: 'Address', dataPermission: 'Remark' } as Record<string, string>,
  ]
  for (const [resource, path] of Object.entries(paths)) {
    await house.data('PUT', `/System/${path}`, { Id: west[resource], [names[resource] ?? 'Remark']: 'changed' }, manager)
    await until(`a change of ${resource}`, () => hub.changes.some((c) => c.Resource === resource))
  }
  expect(hub.changes.filter((c) => c.Id >= westIds.from && c.Id <= westIds.to)).toEqual([])
  await hub.connection.stop()
})
