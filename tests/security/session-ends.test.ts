// A session that is renewed, or a sign-in under way, while the password changes, the account is locked or the person signs out.
// Each test holds back the request's statement with a row lock, so that the two meet in the order in which they did harm.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Wrapper } from '../../contract/call.ts'
import { resetPassword } from '../../server/identity/setup.ts'
import { type House, password, startHouse, until } from '../house.ts'
import { person } from '../two-tenants.ts'

let house: House
let tenant: number
let manager: string
const db = () => house.database.system

beforeAll(async () => {
  house = await startHouse()
  tenant = (await house.data('POST', '/System/Enterprise', { Name: 'Works', ManagerNO: 'WorksManager', ManagerName: 'M' })).Id
  manager = await person(house, tenant, 'worksBoss', 'Boss', 'Company manager')
})
afterAll(() => house?.close())

type Answer = Wrapper<{ Token: string } | null>
const renewed = 'a river runs through it'
let made = 0
const newPerson = async () => {
  const name = `person${++made}`
  const token = await person(house, tenant, name, name, 'Viewer')
  const [row] = await db().rows<{ Id: number }>(sql`select "Id" from "user" where "UserNO" = ${name}`)
  return { name, token, Id: row!.Id }
}
const idOf = (token: string) => token.split('.')[0]!
const lives = async (token: string | undefined) =>
  token !== undefined && (await house.call(token, 'GET', '/System/User/UserInfo')).Succeeded
const open = async (userId: number) =>
  (await db().rows<{ Id: string }>(sql`select "Id" from session where "UserId" = ${userId} and "EndTime" is null`)).map((s) => s.Id)
const actAs = (token: string) => house.call<{ Token: string } | null>(token, 'POST', '/Auth/ActAs', { RoleId: null })

/** How many of the server's connections wait for a lock. */
const waiting = async () =>
  (
    await db().rows(sql`
      select distinct pid from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()`)
  ).length
/** Runs requests one after the other, each when the one before waits for the rows of `locking`, and then lets them go on. */
const meet = async (locking: ReturnType<typeof sql>, requests: (() => Promise<unknown>)[]): Promise<Answer[]> => {
  const under = await db().tx(async (held) => {
    await held.rows(locking)
    const begun: Promise<unknown>[] = []
    for (const [i, request] of requests.entries()) {
      begun.push(request())
      await until('the request to wait', async () => (await waiting()) > i)
    }
    return { begun }
  })
  return (await Promise.all(under.begun)) as Answer[]
}
const rowOf = (token: string) => sql`select 1 from session where "Id" = ${idOf(token)} for update`

type Person = Awaited<ReturnType<typeof newPerson>>
const byManager = (path: string) => (p: Person) => house.call(manager, 'POST', path, { Id: p.Id })
const close = (Status: number) => house.data('PUT', '/System/Enterprise', { Id: tenant, Status })

it.each<[string, (p: Person) => Promise<unknown>, ((p: Person) => Promise<unknown>)?]>([
  ['a lock that is lifted again', byManager('/System/User/Lock'), byManager('/System/User/UnLock')],
  ['a password reset', byManager('/System/User/ResetPwd')],
  ['a sign-out', (p) => house.call(p.token, 'POST', '/Auth/Logout', {})],
  ['the closing of the tenant, opened again', () => close(0), () => close(1)],
])('a session that is renewed during %s does not outlive it', async (_, end, undo) => {
  const p = await newPerson()
  const [renewal] = await meet(rowOf(p.token), [() => actAs(p.token), () => end(p)])
  await undo?.(p)
  if (undo && !(await lives(manager))) manager = await house.login('worksBoss')
  expect([await lives(p.token), await lives(renewal?.Data?.Token), await open(p.Id)]).toEqual([false, false, []])
})

it('a stolen session that is renewed during a change of password does not outlive it', async () => {
  const p = await newPerson()
  const stolen = await house.login(p.name)
  const change = () => house.call(p.token, 'POST', '/System/User/SetPwd', { OldPwd: password, NewPwd: renewed })
  const [renewal, changed] = await meet(rowOf(stolen), [() => actAs(stolen), change])
  expect(changed!.Succeeded).toBe(true)
  expect([await lives(stolen), await lives(renewal!.Data?.Token), await lives(p.token)]).toEqual([false, false, false])
  expect(await open(p.Id)).toEqual([idOf(changed!.Data!.Token)])
})

it('a sign-in with the old password ends without a session if the password is reset during it', async () => {
  const p = await newPerson()
  const signIn = () => house.call(undefined, 'POST', '/Auth/LoginConfirm', { UserNO: p.name, Pwd: password })
  const account = sql`select 1 from "user" where "Id" = ${p.Id} for update`
  const [, answer] = await meet(account, [() => resetPassword(house.database, p.name), signIn])
  expect(answer).toMatchObject({ Succeeded: false, Details: { Fault: 'wrongCredentials' } })
  expect(await open(p.Id)).toEqual([])
})

it('twenty sign-ins with the old password, begun during a change of it, leave one session', async () => {
  const p = await newPerson()
  const change = house.call<{ Token: string }>(p.token, 'POST', '/System/User/SetPwd', { OldPwd: password, NewPwd: renewed })
  const signIns = Array.from({ length: 20 }, () => house.call(undefined, 'POST', '/Auth/LoginConfirm', { UserNO: p.name, Pwd: password }))
  const changed = await change
  await Promise.all(signIns)
  expect(changed.Succeeded).toBe(true)
  expect(await open(p.Id)).toEqual([idOf(changed.Data.Token)])
})

it('one session that is renewed eight times at once continues once', async () => {
  const p = await newPerson()
  const answers = await Promise.all(Array.from({ length: 8 }, () => actAs(p.token)))
  const token = answers.find((a) => a.Succeeded)!.Data!.Token
  expect(answers.filter((a) => a.Succeeded)).toHaveLength(1)
  expect(await open(p.Id)).toEqual([idOf(token)])
  expect(await lives(token)).toBe(true)
})

it('where a tenant allows one session, renewals and confirmed sign-ins keep to it', async () => {
  const p = await newPerson()
  const other = await house.login(p.name)
  await house.data('PUT', '/System/Enterprise', { Id: tenant, SingleLogin: 1 })
  // Who was displaced first is answered without a body.
  await Promise.allSettled([actAs(p.token), actAs(other)])
  expect(await open(p.Id)).toHaveLength(1)
  const confirm = () => house.call(undefined, 'POST', '/Auth/LoginConfirm', { UserNO: p.name, Pwd: password })
  await Promise.all(Array.from({ length: 5 }, confirm))
  expect(await open(p.Id)).toHaveLength(1)
  await house.data('PUT', '/System/Enterprise', { Id: tenant, SingleLogin: 0 })
})

it('a renewed session is as old as the sign-in', async () => {
  const p = await newPerson()
  await db().rows(sql`update session set "CreateTime" = now() - interval '29 days' where "Id" = ${idOf(p.token)}`)
  const once = (await actAs(p.token)).Data!.Token
  const twice = (await actAs(once)).Data!.Token
  const rows = await db().rows<{ Begun: string }>(
    sql`select distinct "CreateTime"::text as "Begun" from session where "Id" in (${idOf(p.token)}, ${idOf(twice)})`,
  )
  expect(rows).toHaveLength(1)
  expect(await lives(twice)).toBe(true)
})

it('nobody ends his own account by a date, nor the last account that administers the platform', async () => {
  const [admin] = await db().rows<{ Id: number; RoleId: number }>(
    sql`select u."Id", ur."RoleId" from "user" u join user_role ur on ur."UserId" = u."Id" where u."UserNO" = 'admin'`,
  )
  const past = '2001-01-01 00:00:00'
  const end = (token: string, Id: number, ValidTo: string | null) => house.call(token, 'PUT', '/System/User', { Id, ValidTo })
  expect(await end(house.admin, admin!.Id, past)).toMatchObject({ Details: { Fault: 'notYourself' } })
  expect(await end(house.admin, admin!.Id, '2099-01-01 00:00:00')).toMatchObject({ Details: { Fault: 'lastPlatform' } })
  // The platform cannot be left to a deputy whose time ends.
  await house.data('POST', '/System/User', { UserNO: 'deputy', UserName: 'Deputy', RoleIds: [admin!.RoleId] })
  await db().rows(sql`
    update "user" d set "PasswordHash" = a."PasswordHash", "MustChangePwd" = 0, "ValidTo" = now() + interval '1 day' from "user" a
    where d."UserNO" = 'deputy' and a."UserNO" = 'admin'`)
  const deputy = await house.login('deputy')
  expect(await end(deputy, admin!.Id, past)).toMatchObject({ Details: { Fault: 'lastPlatform' } })
  expect(await house.login('admin')).toBeTruthy()
})

it('an account whose end is moved into the past and back has no session left', async () => {
  const p = await newPerson()
  for (const ValidTo of ['2001-01-01 00:00:00', null]) await house.data('PUT', '/System/User', { Id: p.Id, ValidTo }, manager)
  expect([await lives(p.token), await open(p.Id)]).toEqual([false, []])
})
