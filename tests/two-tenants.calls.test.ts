// Every call that is served, on every path: what belongs to another tenant does not exist (ruling 41, security.md S16), and who may
// press no button changes nothing (S17). The calls come from the server itself, their fields from the contract: a new one is covered
// the day it is there, or named here as one that cannot be filled.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { calls } from '../areas/index.ts'
import { tenantPermissions } from '../contract/menus.ts'
import {
  ask as askOf,
  fill,
  idsOf,
  isList,
  meaning,
  needsReadings,
  type Operation,
  type Request,
  resourceOf,
  served,
} from './two-tenants.operations.ts'
import { rowsOf, secret, startTwoTenants, type Tenant } from './two-tenants.ts'

let world: Awaited<ReturnType<typeof startTwoTenants>>
let operations: Operation[]
beforeAll(async () => {
  world = await startTwoTenants()
  operations = await served(world.house.origin, world.ours.manager)
})
afterAll(() => world?.house.close())

const ask = (token: string | undefined, o: Operation, request: Request) =>
  askOf(world.house.origin, world.theirs.manager, token, o, request)
const idOf = (o: Operation, of: Tenant) => (name: string) => {
  const what = meaning(o, name)
  return what === 'EnterpriseId' ? of.EnterpriseId : of.ids[what]
}
const missing = 999_999_999
const shows = (text: string, { SN, EnterpriseId }: Tenant) =>
  text.includes(SN) || text.includes(secret) || text.includes(`"EnterpriseId":${EnterpriseId},`)
/** Calls that begin or end a session; the hub's own have tests of their own. */
const ends = (o: Operation) => /\/Auth\/(Logout|Login|LoginConfirm|ActAs)$|\/negotiate$/i.test(o.path)

describe('the calls', () => {
  it('are those of the contract, each on all of its paths, and nothing else', () => {
    const contract = new Set<string>()
    for (const c of calls) for (const path of [c.path, ...(c.aliases ?? [])]) contract.add(`${c.method} ${path.replace(/:(\w+)/g, '{$1}')}`)
    const names = new Set(operations.map((o) => o.name))
    expect([...contract].filter((name) => !names.has(name))).toEqual([])
    const strange = operations.filter((o) => !contract.has(o.name) && !resourceOf(o.path))
    expect(strange.map((o) => o.name)).toEqual(['POST /hubs/sysmsghub/negotiate'])
    expect(operations.length).toBeGreaterThan(100)
  })

  it('name ids that this suite can fill', () => {
    for (const o of operations) for (const name of idsOf(o)) expect(idOf(o, world.ours)(name), `${o.name} ${name}`).toBeGreaterThan(0)
  })
})

it('every call and field treats another tenant’s record as missing', { timeout: 1_800_000 }, async () => {
  const { house, ours, theirs } = world
  const before = await rowsOf(house, ours.EnterpriseId)
  const problems: string[] = []
  let asked = 0
  for (const o of operations) {
    const names = idsOf(o)
    // One foreign id among one's own, and nothing but foreign ones.
    for (const at of [...names.map((name) => [name]), ...(names.length > 1 ? [names] : [])]) {
      const answers = []
      for (const stranger of [idOf(o, ours), () => missing]) {
        // A list of several ids also includes one's own.
        const own = (name: string) => (isList(o) || o.method === 'DELETE' ? undefined : idOf(o, theirs)(name))
        const request = fill(o, (name) => (at.includes(name) ? stranger(name) : own(name)))
        const { text, wrapper, status, code } = await ask(theirs.manager, o, request)
        asked++
        if (shows(text, ours)) problems.push(`${o.name} ${at}: shows it`)
        if (status >= 500) problems.push(`${o.name} ${at}: ${status}`)
        const { Details, ...rest } = (wrapper ?? {}) as { Details?: { RequestId?: string } }
        const { RequestId: _, ...details } = Details ?? {}
        let plain = JSON.stringify({ status, code, ...rest, details })
        for (const name of at) plain = plain.replaceAll(new RegExp(`\\b${stranger(name)}\\b`, 'g'), 'ID')
        answers.push(plain)
      }
      if (answers[0] !== answers[1] && !at.includes('EnterpriseId'))
        problems.push(`${o.name} ${at}: ${answers[0]!.slice(0, 300)} instead of ${answers[1]!.slice(0, 300)}`)
    }
  }
  expect(problems).toEqual([])
  expect(await rowsOf(house, ours.EnterpriseId)).toEqual(before)
  expect(asked).toBeGreaterThan(200)
})

it('whom a record belongs to gets it, by every call that reads', async () => {
  const { ours } = world
  const reads = operations.filter(
    (o) =>
      idsOf(o).length &&
      !needsReadings(o) &&
      (o.permission === 'session' ? o.method === 'GET' : tenantPermissions.includes(o.permission) && !o.permission.includes('.')),
  )
  for (const o of reads) expect((await ask(ours.manager, o, fill(o, idOf(o, ours)))).code, o.name).toBe(200)
  expect(reads.length).toBeGreaterThan(40)
})

it('lists, statistics and files show nothing of another tenant', async () => {
  const { house, ours, theirs } = world
  const without = operations.filter((o) => !idsOf(o).length || isList(o))
  for (const o of without.filter((o) => !ends(o))) {
    const { text } = await ask(
      theirs.manager,
      o,
      fill(o, () => undefined),
    )
    expect(shows(text, ours), `${o.name} shows it`).toBe(false)
  }
  const own = await house.data<{ Items: unknown[] }>('GET', '/Project/Gateway/List', undefined, ours.manager)
  expect(JSON.stringify(own)).toContain(ours.SN)
})

it('what exists elsewhere is neither confirmed nor denied when a name is taken', async () => {
  const { house, ours, theirs } = world
  const draft = (SN: string) => ({ GatewayName: `New ${SN}`, SN, ProjectId: theirs.ids.project })
  const taken = await house.call(theirs.manager, 'POST', '/Project/Gateway', draft(ours.SN))
  expect(taken).toMatchObject({ Succeeded: false })
  expect(JSON.stringify(taken)).not.toMatch(new RegExp(`${secret}|exist|tenant|enterprise`, 'i'))
  const same = await house.call(theirs.manager, 'POST', '/Project/Project', { ProjectName: `${secret} project` })
  expect(same).toMatchObject({ Succeeded: true })
  await house.data('DELETE', '/Project/Project', { Id: (same.Data as { Id: number }).Id }, theirs.manager)
})

it('nothing but the public calls answers without a session', { timeout: 240_000 }, async () => {
  const { ours } = world
  /** A quick machine asks more often than an address may. */
  const statusOf = async (token: string | undefined, o: Operation): Promise<number> => {
    for (;;) {
      const { status } = await ask(token, o, fill(o, idOf(o, ours)))
      if (status !== 429) return status
      await new Promise((done) => setTimeout(done, 500))
    }
  }
  for (const o of operations.filter((o) => o.permission !== 'public' && !ends(o)))
    for (const token of [undefined, 'forged.token']) expect(await statusOf(token, o), o.name).toBe(401)
})

it('who may press no button changes nothing: every call that writes answers 403', { timeout: 240_000 }, async () => {
  const { house, ours, viewer } = world
  const before = await rowsOf(house, ours.EnterpriseId)
  const problems: string[] = []
  const { AllPageBtn, AllPageMenu } = await house.data<{ AllPageBtn: string[]; AllPageMenu: object[] }>(
    'GET',
    '/System/BasicData',
    undefined,
    viewer,
  )
  expect(AllPageBtn).toEqual([])
  const held = JSON.stringify(AllPageMenu)
  // People change their own records without a button; separate tests cover that.
  const ofOneself = (o: Operation) => o.permission === 'session' && (o.method === 'PUT' || o.method === 'DELETE')
  for (const o of operations.filter((o) => !ends(o) && !ofOneself(o))) {
    const { code, text } = await ask(viewer, o, fill(o, idOf(o, ours)))
    const may = o.permission === 'session' || o.permission === 'public' || held.includes(`"${o.permission}"`)
    if (may ? code === 403 : code !== 403) problems.push(`${o.name} (${o.permission}): ${code} ${text.slice(0, 100)}`)
  }
  expect(problems).toEqual([])
  // What he has read himself is his own.
  const after = await rowsOf(house, ours.EnterpriseId)
  const own = ['command', 'change', 'change_head', 'notice_user', 'table_preference', 'theme_set']
  const others = (rows: Record<string, string>) => Object.fromEntries(Object.entries(rows).filter(([table]) => !own.includes(table)))
  const more = (now: string, of: string) => now.split('\n').filter((row) => !of.includes(row))
  // His own tables and theme are his to arrange; nothing of anybody else's moves.
  expect(before.table_preference).toBe('')
  expect(after.table_preference).toMatch(/^\(\d+,\d+,\d+,x,[^\n]*$/)
  expect(others(after)).toEqual(others(before))
  // Asking a device for a value is a read, and is noted; so are refusals and lists taken along.
  expect(more(after.command!, before.command!).filter((row) => !row.includes(',read,'))).toEqual([])
  expect(more(after.change!, before.change!).filter((row) => !/,(refused|export),/.test(row))).toEqual([])
})
