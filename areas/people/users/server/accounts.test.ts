// What an account has beside its name: posts, a time, a lock; and sheets of accounts.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Page, Wrapper } from '../../../../contract/call.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { readSheet } from '../../../../server/files/sheetReader.ts'
import { writeSheet } from '../../../../server/files/xlsx.ts'

type Made = { Id: number; UserNO: string; OneTimePwd: string; PostNames: string; PostIds: number[] }

let kit: Kit
let now = Date.now()
let count = 0
beforeAll(async () => {
  kit = await startKit({ clock: () => now })
})
afterAll(() => kit.close())

const make = (more: object = {}) =>
  kit.data<Made>('owner', 'POST', '/System/User', { UserNO: `account_${++count}`, UserName: `Account ${count}`, ...more })
const login = (UserNO: string, Pwd: string) => kit.call<{ Token: string }>(undefined, 'POST', '/Auth/Login', { UserNO, Pwd })
const fault = async (...given: Parameters<Kit['call']>) => (await kit.call(...given)).Details?.Fault
const moment = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ')

it('holds posts of its tenant; a post that somebody holds stays, and the answer says who', async () => {
  const organ = await kit.data<{ Id: number }>('owner', 'POST', '/System/Organ', { OrganName: 'Works' })
  const post = async (PostName: string) =>
    (await kit.data<{ Id: number }>('owner', 'POST', '/System/Post', { PostName, BelongOrganId: organ.Id })).Id
  const [operator, supervisor] = [await post('Operator'), await post('Supervisor')]
  const made = await make({ PostIds: [operator] })
  expect(made).toMatchObject({ PostIds: [operator], PostNames: 'Operator' })
  const changed = await kit.data<Made>('owner', 'PUT', '/System/User', { Id: made.Id, PostIds: [supervisor] })
  expect(changed).toMatchObject({ PostIds: [supervisor], PostNames: 'Supervisor' })
  const list = await kit.data<Page<Made>>('owner', 'GET', `/System/User/List?UserNO=${made.UserNO}`)
  expect(list.Items).toMatchObject([{ PostNames: 'Supervisor' }])
  expect(await kit.call('owner', 'DELETE', '/System/Post', { Id: supervisor })).toMatchObject({
    StatusCode: 409,
    Details: { UsedBy: [{ Resource: 'user', Id: made.Id }] },
  })
  expect(await kit.data('owner', 'DELETE', '/System/Post/BatchDelete', { Ids: [operator] })).toEqual({ Removed: 1 })
  expect(await kit.call('stranger', 'POST', '/System/User', { UserNO: 'posted', UserName: 'x', PostIds: [supervisor] })).toMatchObject({
    StatusCode: 400,
    Details: { Fields: { PostIds: [expect.any(String)] } },
  })
})

it('ends on its day: signed out, and in no more', async () => {
  const made = await make({ ValidTo: moment(now + 3_600_000) })
  const { Token } = (await login(made.UserNO, made.OneTimePwd)).Data
  expect((await kit.call(Token, 'GET', '/System/User/UserInfo')).Succeeded).toBe(true)
  now += 3_700_000
  expect(await fault(Token, 'GET', '/System/User/UserInfo')).toBe('accountLocked')
  expect(await fault(undefined, 'POST', '/Auth/Login', { UserNO: made.UserNO, Pwd: made.OneTimePwd })).toBe('wrongCredentials')
  await kit.data('owner', 'PUT', '/System/User', { Id: made.Id, ValidTo: null })
  expect((await login(made.UserNO, made.OneTimePwd)).Succeeded).toBe(true)
})

it('is closed for half an hour by five failures, which its administrator sees and ends', async () => {
  const made = await make()
  for (let i = 0; i < 5; i++) expect((await login(made.UserNO, 'wrong')).Succeeded).toBe(false)
  expect((await login(made.UserNO, made.OneTimePwd)).Details?.Fault).toBe('tooManyTries')
  const seen = await kit.data<{ LockUntil: string | null }>('owner', 'GET', `/System/User?Id=${made.Id}`)
  expect(seen.LockUntil).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  expect(await kit.data('owner', 'POST', '/System/User/UnLock', { Id: made.Id })).toMatchObject({ LockUntil: null })
  expect((await login(made.UserNO, made.OneTimePwd)).Succeeded).toBe(true)
})

it('a secret question is set by either path', async () => {
  const enterprise = kit.enterprises.ours
  await kit.data('platform', 'PUT', '/System/Enterprise', { Id: enterprise, SecretQuestions: 1 })
  await kit.data('owner', 'POST', '/System/User/SetQuestion', { Pwd: kit.password, Answers: [{ Question: 1, Answer: '1980' }] })
  const { Items } = await kit.data<{ Items: { Question: number; IsSet: boolean }[] }>('owner', 'GET', '/Auth/PwdQuestion')
  expect(Items.find((q) => q.Question === 1)?.IsSet).toBe(true)
})

const send = async (file: Buffer, as = 'owner') => {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(file)]), 'users.xlsx')
  const packed = new Response(form)
  const answer = await kit.app.inject({
    method: 'POST',
    url: '/api/System/User/Import',
    headers: {
      'content-type': packed.headers.get('content-type')!,
      'accept-language': 'en',
      authorization: `Bearer ${kit.people.get(as)!.token}`,
    },
    payload: Buffer.from(await packed.arrayBuffer()),
  })
  return answer.json() as Wrapper<{ Added: number; Accounts: { UserNO: string; OneTimePwd: string }[] }>
}

it('comes from a sheet in which nothing may be wrong, with a password each that works; a list leaves as one', async () => {
  const template = await kit.request('owner', 'GET', '/System/User/Template')
  const [header] = await readSheet(template.rawPayload)
  expect(header).toEqual(['Account', 'Name', 'Phone', 'E-mail', 'Language', 'Time zone', 'Remark'])
  const titles = header as string[]
  const row = (account: string) => [account, `Name of ${account}`, null, null, 'English', 'Europe/Madrid', null]
  const good = await send(await writeSheet(titles, [row('sheet_one'), row('sheet_two')]))
  expect(good.Data.Accounts.map((a) => a.UserNO)).toEqual(['sheet_one', 'sheet_two'])
  for (const { UserNO, OneTimePwd } of good.Data.Accounts) expect((await login(UserNO, OneTimePwd)).Succeeded).toBe(true)

  const twice = await send(await writeSheet(titles, [row('sheet_three'), row('SHEET_THREE'), row('no spaces')]))
  expect(twice.Details?.Rows).toMatchObject([
    { Row: 3, Field: 'UserNO' },
    { Row: 4, Field: 'UserNO' },
  ])
  const taken = await send(await writeSheet(titles, [row('sheet_four'), row('sheet_one')]))
  expect(taken).toMatchObject({ StatusCode: 409 })
  expect((await kit.data<Page<object>>('owner', 'GET', '/System/User/List?UserNO=sheet_four')).TotalCount).toBe(0)
  expect((await send(await writeSheet(titles, [row('sheet_five')]), 'viewer')).StatusCode).toBe(403)

  const csv = (await kit.request('owner', 'GET', '/System/User/Output?Format=csv&Fields=UserNO,UserName&Search=sheet_')).body
  expect(csv).toContain('sheet_one,Name of sheet_one')
})
