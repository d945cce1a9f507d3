// Requests for a trial account by strangers, and the use of that account (findings M2, M3, M4).
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type House, startHouse } from '../house.ts'
import { person } from '../two-tenants.ts'

let house: House
let tenant: number
let manager: string
let slug: string
const Pwd = 'seven calm herons'
const db = () => house.database.system
beforeAll(async () => {
  house = await startHouse()
  tenant = (await house.data('POST', '/System/Enterprise', { Name: 'Works', ManagerNO: 'WorksManager', ManagerName: 'M' })).Id
  manager = await person(house, tenant, 'worksBoss', 'Boss', 'Company manager')
  await house.data('PUT', '/System/Enterprise', { Id: tenant, TrialUsers: 2 })
  slug = (await db().rows<{ Slug: string }>(sql`select "Slug" from enterprise where "Id" = ${tenant}`))[0]!.Slug
})
afterAll(() => house?.close())
// An address asks five times an hour.
beforeEach(() => db().rows(sql`update trial_user set "CreateTime" = now() - interval '2 hours'`))

let phones = 100
const visitor = async () => {
  const asked = await house.call<{ UserNO: string }>(undefined, 'POST', '/System/TrialUser', {
    ...{ Slug: slug, TrialName: 'Visitor', Phone: `+34600000${++phones}`, Pwd },
  })
  expect(asked.Errors).toBeNull()
  const [row] = await db().rows<{ Id: number }>(sql`select "Id" from "user" where "UserNO" = ${asked.Data.UserNO}`)
  const login = await house.data<{ Token: string; Menu: string[] }>('POST', '/Auth/Login', { UserNO: asked.Data.UserNO, Pwd })
  return { ...login, UserNO: asked.Data.UserNO, Id: row!.Id }
}
const faultOf = async (token: string, method: string, path: string, body?: object) =>
  (await house.call(token, method, path, body)).Details?.Fault

test('a role that is named Trial is not given to visitors, whichever comes first', async () => {
  const make = (RoleName: string) => house.data('POST', '/System/Role', { RoleName, RouteRole: 'admin' }, manager)
  await make('Trial')
  const { Menu, Token } = await visitor()
  expect(Menu.filter((code) => code.includes('.'))).toEqual([])
  expect(await faultOf(Token, 'GET', '/System/User/List')).toBe('forbidden')
  // Renamed, the visitors' role stays theirs.
  const [own] = await db().rows<{ Id: number }>(sql`select "Id" from role where "EnterpriseId" = ${tenant} and "RoleName" = 'Trial 2'`)
  await house.data('PUT', '/System/Role', { Id: own!.Id, RoleName: 'Guests' }, manager)
  await make('Trial 2')
  expect((await visitor()).Menu.filter((code) => code.includes('.'))).toEqual([])
  for (const [path, body] of [
    ['/System/Role', { Id: own!.Id, RouteRole: 'admin' }],
    ['/System/Role/AuthorizationMenu', { RoleId: own!.Id, MenuCodes: ['m10402', 'm10402.add'] }],
  ] as const)
    expect(await faultOf(manager, path.endsWith('Menu') ? 'POST' : 'PUT', path, body), path).toBe('trialRights')
  await db().rows(sql`update role set "MenuCodes" = "MenuCodes" || '{m10402.add}'::text[] where "Id" = ${own!.Id}`)
  const refused = await house.call(undefined, 'POST', '/System/TrialUser', { Slug: slug, TrialName: 'V', Phone: '+34600099', Pwd })
  expect(refused.Details?.Fault).toBe('trialRights')
  await db().rows(sql`update role set "MenuCodes" = array_remove("MenuCodes", 'm10402.add') where "Id" = ${own!.Id}`)
})

test('a visitor opens no field panel', async () => {
  const { Token, Menu } = await visitor()
  expect(Menu).toContain('m10122')
  expect(await faultOf(Token, 'POST', '/Project/DeviceVnc/Open', { Id: 1 })).toBe('forbidden')
  expect(await faultOf(manager, 'POST', '/Project/DeviceVnc/Open', { Id: 1 })).toBe('notFound')
})

test('a visitor gets no message outside the console, and moves neither phone nor e-mail', async () => {
  const { Token, Id } = await visitor()
  for (const change of [{ Phone: '+15550001111' }, { Email: 'somebody.else@example.com' }])
    expect(await faultOf(Token, 'PUT', '/System/User/Account', { ...change, Pwd })).toBe('trialAccount')
  expect(await faultOf(Token, 'PUT', '/System/User/Account', { UserName: 'Vera' })).toBeUndefined()
  // A sample of a template goes to the caller: here to a manager who holds the visitors' role as well.
  const boss = await person(house, tenant, 'formerBoss', 'Former', 'Company manager')
  await house.data('PUT', '/System/User/Account', { Email: 'boss@example.com', Pwd: 'a password of tests' }, boss)
  const mail = { TemplateName: 'mail', Title: 't', Content: 'c' }
  const template = (await house.data('POST', '/Alarm/AlmEmailTemplate', mail, manager)).Id
  const share = () => faultOf(boss, 'POST', '/Alarm/AlmEmailTemplate/ShareMsgTemplate', { Id: template, title: 'x' })
  expect(await share()).toBeUndefined()
  await db().rows(sql`
    insert into user_role ("EnterpriseId", "UserId", "RoleId")
    select ${tenant}, u."Id", ur."RoleId" from "user" u, user_role ur where u."UserNO" = 'formerBoss' and ur."UserId" = ${Id}`)
  expect(await share()).toBe('trialAccount')
})

const upload = async (token: string, purpose: string, bytes: number) => {
  const body = new FormData()
  body.append('file', new Blob([Buffer.alloc(bytes, 'a')]), 'a.txt')
  const headers = { authorization: `Bearer ${token}`, 'accept-language': 'en' }
  const answer = await fetch(`${house.origin}/api/System/File/Upload?Purpose=${purpose}`, { method: 'POST', headers, body })
  return (await answer.json()) as { Succeeded: boolean; Data: { FilePath: string }; Details?: { Fault: string } }
}
const used = () => house.data<{ Files: number; Used: number }>('GET', '/System/File/Usage', undefined, manager)

test('a visitor sends no attachments, and nobody holds more than 100 MB of them outside records', async () => {
  const { Token } = await visitor()
  for (const purpose of ['attachment', 'logo', 'picture'])
    expect((await upload(Token, purpose, 1000)).Details?.Fault, purpose).toBe('nothingToAttach')
  const before = await used()
  const sent = await upload(manager, 'attachment', 1000)
  await db().rows(sql`update stored_file set "Size" = 100 * 1024 * 1024 where "EnterpriseId" = ${tenant} and "Size" = 1000`)
  expect((await upload(manager, 'attachment', 1000)).Details?.Fault).toBe('tooMuchUnattached')
  await house.data('DELETE', '/System/File', { FilePath: sent.Data.FilePath }, manager)
  expect(await used()).toEqual(before)
})

test('an attachment that a record gives up counts until its content is gone', async () => {
  const { Id } = await house.data('POST', '/Alarm/AlarmPlan', { PlanName: 'Plan' }, manager)
  const before = await used()
  const give = async (Files: object[]) => house.data('PUT', '/Alarm/AlarmPlan', { Id, Files }, manager)
  const paths: string[] = []
  for (let i = 0; i < 3; i++) {
    const { FilePath } = (await upload(manager, 'attachment', 1_000_000)).Data
    await give([{ FilePath, FileName: 'a.txt' }])
    paths.push(FilePath)
  }
  await give([])
  const lie = () => paths.filter((path) => existsSync(join(house.folder, path))).length
  const now = await used()
  expect(now.Used - before.Used).toBe(lie() * 1_000_000)
  expect(lie()).toBe(3)
})

test('everybody else gives the password to move an own address, on whichever screen', async () => {
  const [own] = await db().rows<{ Id: number }>(sql`select "Id" from "user" where "UserNO" = 'worksBoss'`)
  expect(await faultOf(manager, 'PUT', '/System/User/Account', { Phone: '+15550001111' })).toBe('invalid')
  expect(await faultOf(manager, 'PUT', '/System/User/Account', { Phone: '+15550001111', Pwd: 'a guess' })).toBe('wrongPassword')
  expect(await faultOf(manager, 'PUT', '/System/User', { Id: own!.Id, Email: 'thief@example.com' })).toBe('ownAddress')
  const right = { Phone: '+15550001111', Pwd: 'a password of tests' }
  expect(await house.data('PUT', '/System/User/Account', right, manager)).toMatchObject({ Phone: '+15550001111' })
})
