import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import { type Channels, startChannels } from '../../../system/wechat/server/harness.ts'
import { trialLimits } from '../contract.ts'
import { trialRoutes } from './routes.ts'
import { trialService } from './service.ts'

const dayMs = 86_400_000
let moved = 0
const clock = () => Date.now() + moved
let c: Channels
beforeAll(async () => {
  c = await startChannels({
    signIns: clock,
    more: (database, sessions, { delivery }) => [(api) => trialRoutes(api, trialService(database, sessions, delivery, clock))],
  })
  await c.setUp()
})
afterAll(() => c?.close())

type Trial = { Id: number; TrialName: string; Status: number; UserNO: string; ExpireTime: string | null }
type Asked = { UserNO: string; ExpireTime: string | null }
const Pwd = 'seven calm herons'
const offer = (TrialUsers: 0 | 1 | 2, tenant = c.enterprises.ours) =>
  c.data('platform', 'PUT', '/System/Enterprise', { Id: tenant, TrialUsers })
let phones = 100
const visitor = (more: object = {}) => ({ TrialName: 'Vera Visitor', Phone: `+34 600 000 ${++phones}`, Pwd, ...more })
const ask = (more: object = {}) => c.call<Asked>(undefined, 'POST', '/System/TrialUser', visitor(more), { 'accept-language': 'es' })
const list = async (as = 'owner', query = '') => (await c.data<Page<Trial>>(as, 'GET', `/System/TrialUserLog/List${query}`)).Items
const signIn = (UserNO: string, password = Pwd) =>
  c.call<{ Token: string; Menu: string[] }>(undefined, 'POST', '/Auth/Login', { UserNO, Pwd: password })

beforeEach(async () => {
  c.mail.mails.length = 0
  // An hour later the address may ask again.
  moved += 2 * 3_600_000
  await offer(0)
})

it('nobody can ask where trials are not offered, which is the standard', async () => {
  expect(await c.call(undefined, 'GET', '/System/TrialUser/Offer')).toMatchObject({ Data: { Offered: false } })
  expect(await ask()).toMatchObject({ StatusCode: 400 })
  expect(await list()).toEqual([])
})

it('a visitor’s request notifies those who may grant it; the grant notifies him, and he can view for seven days', async () => {
  await offer(1)
  expect(await c.call(undefined, 'GET', '/System/TrialUser/Offer')).toMatchObject({ Data: { Offered: true, AtOnce: false, Days: 7 } })
  const asked = await ask({ Email: 'vera@example.com' })
  expect(asked).toMatchObject({ Succeeded: true, Data: { UserNO: expect.stringMatching(/^trial_/), ExpireTime: null } })
  const { UserNO } = asked.Data!
  expect((await signIn(UserNO)).Succeeded).toBe(false)
  const notices = await c.db.rows<{ Title: string }>(sql`select "PushTitle" as "Title" from notice where "Permission" = 'm10455.grant'`)
  expect(notices).toEqual([{ Title: 'Vera Visitor requests a trial account' }])

  const [waiting] = await list('platform', '?Status=0')
  expect(waiting).toMatchObject({ TrialName: 'Vera Visitor', UserNO, Status: 0 })
  expect(JSON.stringify(waiting)).not.toMatch(/argon2|seven calm/)
  for (const [who, status] of [
    ['viewer', 403],
    ['stranger', 404],
  ] as const)
    expect(await c.call(who, 'POST', '/System/TrialUserLog/Grant', { Id: waiting!.Id }), who).toMatchObject({ StatusCode: status })
  expect(await c.data('platform', 'POST', '/System/TrialUserLog/Grant', { Id: waiting!.Id })).toMatchObject({ Status: 1 })
  expect(await c.call('platform', 'POST', '/System/TrialUserLog/Grant', { Id: waiting!.Id })).toMatchObject({ StatusCode: 409 })

  const { Token, Menu } = (await signIn(UserNO)).Data!
  expect(Menu).toContain('m10101')
  expect(Menu.filter((code) => code.includes('.'))).toEqual([])
  expect(await c.call(Token, 'GET', '/Project/Project/List')).toMatchObject({ Succeeded: true })
  expect(await c.call(Token, 'POST', '/Project/Project', { ProjectName: 'Mine' })).toMatchObject({ StatusCode: 403 })
  await c.after(0)
  expect(c.mail.mails).toHaveLength(1)
  expect(c.mail.mails[0]!.to).toEqual(['vera@example.com'])
  expect(c.mail.mails[0]!.text).toContain(UserNO)
  expect(c.mail.mails[0]!.text).not.toContain(Pwd)

  moved += 7 * dayMs
  expect((await signIn(UserNO)).Succeeded).toBe(false)
})

it('a refused visitor is notified and gets no account', async () => {
  await offer(1)
  const { UserNO } = (await ask({ Email: 'nils@example.com', TrialName: 'Nils' })).Data!
  const [row] = await list('owner', '?Search=Nils')
  expect(await c.data('owner', 'POST', '/System/TrialUserLog/Refuse', { Id: row!.Id })).toMatchObject({ Status: 2, ExpireTime: null })
  expect(await c.call('owner', 'POST', '/System/TrialUserLog/Grant', { Id: row!.Id })).toMatchObject({ StatusCode: 409 })
  expect((await signIn(UserNO)).Succeeded).toBe(false)
  await c.after(0)
  expect(c.mail.mails.map((m) => m.to)).toEqual([['nils@example.com']])
  expect(await c.db.rows(sql`select 1 from trial_password`)).toEqual([])
})

it('the account is there at once where the tenant says so, of the tenant whose login link it is', async () => {
  await offer(2, c.enterprises.theirs)
  const [{ Slug }] = (await c.db.rows(sql`select "Slug" from enterprise where "Id" = ${c.enterprises.theirs}`)) as [{ Slug: string }]
  expect(await c.call(undefined, 'GET', '/System/TrialUser/Offer?Slug=nobodys')).toMatchObject({ Data: { Offered: false } })
  const { UserNO, ExpireTime } = (await ask({ Slug, TrialName: 'Olga' })).Data!
  expect(ExpireTime).toMatch(/^\d{4}-/)
  expect((await signIn(UserNO)).Succeeded).toBe(true)
  expect(await list('stranger')).toMatchObject([{ TrialName: 'Olga', Status: 1 }])
  expect(await list('owner', '?Search=Olga')).toEqual([])
  await offer(0, c.enterprises.theirs)
})

it('a poor password and fields that are none are refused; a phone asks once; an address only so often', async () => {
  await offer(1)
  const before = (await list()).length
  expect(await ask({ Pwd: 'short' })).toMatchObject({ StatusCode: 400 })
  expect(await ask({ Pwd: 'password' })).toMatchObject({ StatusCode: 400 })
  expect(await ask({ Phone: 'none' })).toMatchObject({ StatusCode: 400, Details: { Fields: { Phone: [expect.any(String)] } } })
  expect(await ask({ Email: 'a@b\r\nBcc: c' })).toMatchObject({ StatusCode: 400, Details: { Fields: { Email: [expect.any(String)] } } })
  expect((await ask({ Phone: '+49 171 5555' })).Succeeded).toBe(true)
  expect(await ask({ Phone: '+49 (171) 55-55' })).toMatchObject({ StatusCode: 409 })
  const rest = await Promise.all(Array.from({ length: trialLimits.addressAnHour + 3 }, () => ask()))
  expect(rest.filter((a) => a.Succeeded)).toHaveLength(trialLimits.addressAnHour - 1)
  expect(rest.filter((a) => a.StatusCode === 429)).toHaveLength(4)
  expect(await list()).toHaveLength(before + trialLimits.addressAnHour)
})
