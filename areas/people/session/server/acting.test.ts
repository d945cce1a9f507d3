import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Menu, menus, permissions } from '../../../../contract/menus.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { addRoles } from '../../../../server/identity/setup.ts'

type Item = { MenuEncoding: string; MenuType: number; MenuChildren: Item[] }
type Info = { Roles: string[]; ActingRoleId: number | null; RoleChoices: { Id: number; RoleName: string }[] }

let kit: Kit
beforeAll(async () => {
  kit = await startKit()
  await addRoles(kit.db, kit.enterprises.ours)
})
afterAll(() => kit.close())

/** A person with roles that every tenant begins with, and a token of his. */
const personWith = async (name: string, ...roles: string[]) => {
  await kit.person(name, kit.enterprises.ours, { menus: [] })
  await kit.db.rows(sql`delete from user_role where "UserId" = ${kit.people.get(name)!.id}`)
  await kit.db.rows(sql`
    insert into user_role ("EnterpriseId", "UserId", "RoleId")
    select ${kit.enterprises.ours}, ${kit.people.get(name)!.id}, "Id" from role where "EnterpriseId" = ${kit.enterprises.ours} and "RoleName" = any(${roles}::text[])`)
  return kit.people.get(name)!.token
}
const seen = async (as: string) => {
  const { AllPageMenu, AllPageBtn } = await kit.data<{ AllPageMenu: Item[]; AllPageBtn: string[] }>(as, 'GET', '/System/BasicData')
  const flat = (items: Item[]): Item[] => items.flatMap((m) => [m, ...flat(m.MenuChildren)])
  return { items: flat(AllPageMenu), codes: flat(AllPageMenu).map((m) => m.MenuEncoding), top: AllPageMenu, buttons: AllPageBtn }
}
const info = (as: string) => kit.data<Info>(as, 'GET', '/System/User/UserInfo')

describe('menus', () => {
  it('[menu-per-user] [menu-permission-code] come from the server for each person, every entry with the code of its permission', async () => {
    await kit.person('narrow', kit.enterprises.ours, { menus: ['m102', 'm10201', 'm10201.handle'] })
    const [all, narrow] = [await seen('owner'), await seen('narrow')]
    expect(narrow.codes).toEqual(expect.arrayContaining(['m102', 'm10201']))
    expect(narrow.codes).not.toContain('m10102')
    expect(narrow.buttons).toEqual(['m10201.handle'])
    expect(all.codes.length).toBeGreaterThan(narrow.codes.length + 10)
    for (const { MenuEncoding } of all.items) expect(permissions).toContain(MenuEncoding)
  })

  it('[roles-seen] [roles-toplevel] whatever the editor holds admin holds; top menus are for both, most screens of the system for admin only', async () => {
    const editor = await seen(await personWith('ed', 'Editor'))
    const admin = await seen(await personWith('ad', 'Company manager'))
    expect([(await info('ed')).Roles, (await info('ad')).Roles]).toEqual([['editor'], ['admin']])
    expect(editor.codes.filter((code) => !admin.codes.includes(code))).toEqual([])
    for (const code of ['m100', 'm101', 'm102', 'm104']) expect(editor.codes, code).toContain(code)
    const adminOnly = menus.flatMap(function below(m: Menu): string[] {
      return [...(m.editor || m.platform ? [] : [m.code]), ...(m.children ?? []).flatMap(below)]
    })
    expect(adminOnly).toEqual(expect.arrayContaining(['m103', 'm10301', 'm10402', 'm10403']))
    for (const code of adminOnly) {
      expect(editor.codes, code).not.toContain(code)
      expect(admin.codes, code).toContain(code)
    }
  })
})

describe('somebody with several roles', () => {
  it('[change-roles] acts as one of them: another token, its menus only, its rights only; and as all of them again', async () => {
    const both = await personWith('both', 'Company manager', 'Maintainer')
    const { RoleChoices, ActingRoleId } = await info(both)
    expect([RoleChoices.map((r) => r.RoleName), ActingRoleId]).toEqual([['Company manager', 'Maintainer'], null])
    const role = RoleChoices[1]!.Id
    const { Token } = await kit.data<{ Token: string }>(both, 'POST', '/Auth/ActAs', { RoleId: role })
    expect(await kit.call(both, 'GET', '/System/User/UserInfo')).toMatchObject({ StatusCode: 401 })
    expect(await info(Token)).toMatchObject({ ActingRoleId: role, Roles: ['editor'] })
    expect((await seen(Token)).codes).not.toContain('m10402')
    expect(await kit.call(Token, 'GET', '/System/User/List')).toMatchObject({ StatusCode: 403 })
    const back = await kit.data<{ Token: string }>(Token, 'POST', '/Auth/ActAs', { RoleId: null })
    expect((await seen(back.Token)).codes).toContain('m10402')
  })

  it('cannot act as a role of somebody else, and has all that is left when the chosen one is taken away', async () => {
    const two = await personWith('two', 'Viewer', 'Maintainer')
    const { RoleChoices } = await info(two)
    const foreign = await kit.data<{ RoleChoices: { Id: number }[] }>('owner', 'GET', '/System/User/UserInfo')
    expect(await kit.call(two, 'POST', '/Auth/ActAs', { RoleId: foreign.RoleChoices[0]!.Id })).toMatchObject({ StatusCode: 404 })
    const maintainer = RoleChoices.find((r) => r.RoleName === 'Maintainer')!.Id
    const { Token } = await kit.data<{ Token: string }>(two, 'POST', '/Auth/ActAs', { RoleId: maintainer })
    await kit.db.rows(sql`delete from user_role where "UserId" = ${kit.people.get('two')!.id} and "RoleId" = ${maintainer}`)
    expect(await info(Token)).toMatchObject({ ActingRoleId: null, RoleChoices: [{ RoleName: 'Viewer' }] })
  })
})

it('a lost password is replaced after a secret question, where the tenant wants it and one was answered', async () => {
  const [who, fresh] = [{ UserNO: 'lost', Pwd: kit.password }, 'a much longer password']
  await kit.db.rows(sql`update enterprise set "SecretQuestions" = 1 where "Id" = ${kit.enterprises.ours}`)
  await kit.person('lost', kit.enterprises.ours)
  await kit.data('lost', 'POST', '/Auth/PwdQuestion/Set', { Pwd: kit.password, Answers: [{ Question: 3, Answer: 'Bilbao' }] })
  await kit.db.rows(sql`update "user" set "MustChangePwd" = 1 where "UserNO" = 'lost'`)
  const { Token } = (await kit.call<{ Token: string }>(undefined, 'POST', '/Auth/Login', who)).Data
  const change = () => kit.call<{ Token: string }>(Token, 'POST', '/System/User/SetPwd', { OldPwd: kit.password, NewPwd: fresh })
  expect(await change()).toMatchObject({ StatusCode: 400, Details: { Fault: 'answerFirst' } })
  await kit.call(Token, 'POST', '/Auth/PwdQuestion/Confirm', { Question: 3, Answer: 'Vigo' })
  expect(await change()).toMatchObject({ Details: { Fault: 'answerFirst' } })
  await kit.data(Token, 'POST', '/Auth/PwdQuestion/Confirm', { Question: 3, Answer: 'bilbao' })
  expect(await change()).toMatchObject({ Succeeded: true })
})

it('an ended session shows the reason', async () => {
  const reasons = [
    ['locked', 'accountLocked'],
    ['tenant', 'enterpriseClosed'],
    ['password', 'passwordRenewed'],
    ['expired', 'sessionExpired'],
    ['logout', 'sessionOver'],
  ] as const
  for (const [reason, fault] of reasons) {
    await kit.person(`ended-${reason}`, kit.enterprises.ours)
    const { id, token } = kit.people.get(`ended-${reason}`)!
    const announce = await kit.sessions.endPeople(kit.db, [id], reason)
    announce()
    expect(await kit.call(token, 'GET', '/System/User/UserInfo')).toMatchObject({ StatusCode: 401, Details: { Fault: fault } })
  }
})
