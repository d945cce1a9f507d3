import { createHash, createHmac, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Page, Wrapper } from '../../../../contract/call.ts'
import { hmacScheme, signingLabel, stringToSign } from '../../../../contract/signature.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { project } from '../../../configuration/projects/contract.ts'
import type { RightsNode } from '../../../people/roles/contract.ts'

let now = Date.parse('2026-03-01T08:00:00Z')
let kit: Kit
beforeAll(async () => {
  kit = await startKit({ clock: () => now })
})
afterAll(() => kit.close())

type Credential = { Id: number; AccessKey: string; Secret: string } & Record<string, unknown>
let count = 0
const make = async (permissions: readonly string[], more: object = {}, as = 'owner') => {
  const made = await kit.data<Credential>(as, 'POST', '/System/Api', { ApiName: `Program ${++count}`, ...more })
  if (permissions.length) await kit.data(as, 'POST', '/System/Api/Auth', { Id: made.Id, Permissions: permissions })
  return made
}
const found = (Id: number) => kit.data<Credential>('owner', 'GET', `/System/Api?Id=${Id}`)

/** As a program of somebody else signs, from the documentation alone. */
const signed = (
  { AccessKey, Secret }: Credential,
  method: string,
  path: string,
  { body, at = now, nonce = randomUUID(), sent = body }: { body?: object; at?: number; nonce?: string; sent?: object | null } = {},
) => {
  const target = `/api${path}`
  const bodySha256 = createHash('sha256')
    .update(body ? JSON.stringify(body) : '')
    .digest('hex')
  const timestamp = String(Math.floor(at / 1000))
  const key = createHmac('sha256', Secret).update(signingLabel).digest()
  const Signature = createHmac('sha256', key).update(stringToSign({ method, target, timestamp, nonce, bodySha256 })).digest('hex')
  const fields = { AccessKey, Timestamp: timestamp, Nonce: nonce, ContentSha256: bodySha256, Signature }
  const authorization = `${hmacScheme} ${Object.entries(fields)
    .map(([k, v]) => `${k}=${v}`)
    .join(', ')}`
  return ask({ authorization }, method, path, sent ?? undefined)
}
const ask = async (headers: Record<string, string>, method: string, path: string, body?: object, remoteAddress = '127.0.0.1') => {
  const answer = await kit.app.inject({
    method: method as 'GET',
    url: `/api${path}`,
    remoteAddress,
    headers: { 'accept-language': 'en', ...(body ? { 'content-type': 'application/json' } : {}), ...headers },
    ...(body ? { payload: JSON.stringify(body) } : {}),
  })
  const wrapper = answer.json() as Wrapper<Record<string, unknown>>
  return { http: answer.statusCode, code: wrapper.StatusCode, fault: wrapper.Details?.Fault, data: wrapper.Data }
}
const bearing = ({ AccessKey, Secret }: Credential) => ({ authorization: `Bearer ${AccessKey}.${Secret}` })
const list = '/Project/Project/List'

it('[open-api-reset] credentials are listed, authorised, enabled, disabled, and get a new key that puts the old one out of use', async () => {
  const made = await make(['m10101'])
  expect((await kit.data<Page<Credential>>('owner', 'GET', `/System/Api/List?Id=${made.Id}`)).Items).toEqual([
    expect.objectContaining({ Id: made.Id, AccessKey: made.AccessKey, Status: 1, Calls: 0, UserName: 'owner' }),
  ])
  const tree = await kit.data<RightsNode[]>('owner', 'GET', `/System/Api/AuthList?Id=${made.Id}`)
  const flat = (nodes: RightsNode[]): RightsNode[] => nodes.flatMap((n) => [n, ...flat(n.MenuChildren)])
  expect(
    flat(tree)
      .filter((n) => n.Checked)
      .map((n) => n.MenuEncoding),
  ).toEqual(['m10101'])
  expect(await ask(bearing(made), 'GET', list)).toMatchObject({ http: 200, code: 200 })
  await kit.data('owner', 'POST', '/System/Api/Disable', { Id: made.Id })
  expect(await ask(bearing(made), 'GET', list)).toMatchObject({ http: 401, code: 401, fault: 'credentialDisabled' })
  await kit.data('owner', 'POST', '/System/Api/Enable', { Id: made.Id })
  expect(await ask(bearing(made), 'GET', list)).toMatchObject({ http: 200 })
  const renewed = await kit.data<Credential>('owner', 'POST', '/System/Api/ResetKey', { Id: made.Id })
  expect(renewed.Secret).not.toBe(made.Secret)
  expect(await ask(bearing(made), 'GET', list)).toMatchObject({ http: 401, fault: 'signatureWrong' })
  expect(await signed(made, 'GET', list)).toMatchObject({ http: 401, fault: 'signatureWrong' })
  expect(await ask(bearing(renewed), 'GET', list)).toMatchObject({ http: 200 })
  expect(await signed(renewed, 'GET', list)).toMatchObject({ http: 200 })
  expect(await found(made.Id)).toMatchObject({ Calls: 4, Refused: 3, LastUsedTime: '2026-03-01 08:00:00' })
})

it('a credential is changed and removed, and its secret is shown once only', async () => {
  const made = await make(['m10101'])
  const changed = await kit.data('owner', 'PUT', '/System/Api', { Id: made.Id, ApiName: 'Renamed', RatePerMinute: 7, Remark: 'of the MES' })
  expect(changed).toMatchObject({ ApiName: 'Renamed', RatePerMinute: 7 })
  const read = JSON.stringify([changed, await found(made.Id), await kit.data('owner', 'GET', '/System/Api/List')])
  expect(read).not.toContain(made.Secret)
  expect(await kit.data('owner', 'DELETE', '/System/Api', { Id: made.Id })).toEqual({ Removed: 1 })
  expect(await ask(bearing(made), 'GET', list)).toMatchObject({ http: 401, fault: 'signatureWrong' })
})

it('a signed call arrives once, whole and in time, or not at all', async () => {
  const program = await make(['m10101', 'm10101.add'])
  const body = { ProjectName: 'By a program' }
  const nonce = randomUUID()
  expect(await signed(program, 'POST', '/Project/Project', { body, nonce })).toMatchObject({
    http: 200,
    data: { ProjectName: 'By a program' },
  })
  expect(await signed(program, 'POST', '/Project/Project', { body, nonce })).toMatchObject({ http: 401, fault: 'signatureUsed' })
  expect(await signed(program, 'POST', '/Project/Project', { body, sent: { ProjectName: 'Another' } })).toMatchObject({
    http: 401,
    fault: 'signatureWrong',
  })
  expect(await signed(program, 'POST', '/Project/Project', { body, sent: null })).toMatchObject({ http: 401, fault: 'signatureWrong' })
  for (const at of [now - 301_000, now + 301_000])
    expect(await signed(program, 'GET', list, { at })).toMatchObject({ http: 401, fault: 'signatureStale' })
  expect(await signed({ ...program, Secret: 'another' }, 'GET', list)).toMatchObject({ http: 401, fault: 'signatureWrong' })
  expect(await signed({ ...program, AccessKey: 'PKAAAAAAAAAAAAAAAAAA' }, 'GET', list)).toMatchObject({ http: 401, fault: 'signatureWrong' })
  const { Items } = await kit.data<Page<{ ProjectName: string }>>('owner', 'GET', `${list}?Search=program`)
  expect(Items).toHaveLength(1)
  // The entry names the person whom the program acts for.
  const [entry] = await kit.db.rows<{ UserId: number }>(
    sql`select "UserId" from change where "Resource" = 'project' order by "Id" desc limit 1`,
  )
  expect(entry!.UserId).toBe(kit.people.get('owner')!.id)
})

it('what lies outside its permissions answers 403, and what is a person’s own too', async () => {
  const program = await make(['m10101'])
  expect(await ask(bearing(program), 'POST', '/Project/Project', { ProjectName: 'x' })).toMatchObject({
    http: 403,
    code: 403,
    fault: 'forbidden',
  })
  expect(await ask(bearing(program), 'GET', '/System/User/List')).toMatchObject({ http: 403 })
  for (const path of ['/System/User/Account', '/System/BasicData', '/System/ThemeSet'])
    expect(await ask(bearing(program), 'GET', path)).toMatchObject({ http: 403 })
  expect(await ask(bearing(await make([])), 'GET', list)).toMatchObject({ http: 403 })
})

it('a program manages no programs: neither its own limits nor another key of its owner', async () => {
  const strong = await make(['m10101', 'm10101.add'])
  const weak = await make(['m10433', 'm10433.edit', 'm10433.resetKey', 'm10433.add', 'm10433.authorise'])
  for (const [method, path, body] of [
    ['POST', '/System/Api/ResetKey', { Id: strong.Id }],
    ['PUT', '/System/Api', { Id: weak.Id, RatePerMinute: 6000, IpAllow: '' }],
    ['POST', '/System/Api/Auth', { Id: weak.Id, Permissions: ['m10101'] }],
    ['POST', '/System/Api', { ApiName: 'Another' }],
  ] as const)
    expect(await ask(bearing(weak), method, path, body), path).toMatchObject({ http: 403, fault: 'forbidden' })
  expect(await ask(bearing(strong), 'GET', list)).toMatchObject({ http: 200 })
})

it('faults of the business come as HTTP status, too', async () => {
  const program = await make(['m10101', 'm10101.add'])
  expect(await ask(bearing(program), 'GET', '/Project/Project?Id=999999')).toMatchObject({ http: 404, code: 404 })
  expect(await ask(bearing(program), 'POST', '/Project/Project', {})).toMatchObject({ http: 400, code: 400 })
  expect((await kit.request('owner', 'GET', '/Project/Project?Id=999999')).statusCode).toBe(200)
})

it('an expired one is refused, in the zone in which its end was entered', async () => {
  const program = await make(['m10101'], { ValidTo: '2026-03-01 09:00:00' })
  expect(await ask(bearing(program), 'GET', list)).toMatchObject({ http: 200 })
  now += 3_600_000
  expect(await ask(bearing(program), 'GET', list)).toMatchObject({ http: 401, fault: 'credentialExpired' })
  await kit.data('owner', 'PUT', '/System/Api', { Id: program.Id, ValidTo: null })
  expect(await ask(bearing(program), 'GET', list)).toMatchObject({ http: 200 })
})

it('calls beyond the rate are refused until time has passed', async () => {
  const program = await make(['m10101'], { RatePerMinute: 3 })
  const codes = []
  for (let i = 0; i < 5; i++) codes.push((await ask(bearing(program), 'GET', list)).http)
  expect(codes).toEqual([200, 200, 200, 429, 429])
  now += 20_000
  expect((await ask(bearing(program), 'GET', list)).http).toBe(200)
  expect((await ask(bearing(program), 'GET', list)).http).toBe(429)
})

it('it may call only from the networks it names', async () => {
  const program = await make(['m10101'], { IpAllow: '10.1.0.0/16, 192.0.2.7' })
  const from = async (ip: string) => (await ask(bearing(program), 'GET', list, undefined, ip)).http
  expect([
    await from('10.1.2.3'),
    await from('192.0.2.7'),
    await from('::ffff:10.1.9.9'),
    await from('10.2.0.1'),
    await from('127.0.0.1'),
  ]).toEqual([200, 200, 200, 403, 403])
  for (const IpAllow of ['10.0.0.0/33', '300.1.1.1', 'localhost'])
    expect(await kit.call('owner', 'POST', '/System/Api', { ApiName: `Bad ${IpAllow}`, IpAllow })).toMatchObject({
      StatusCode: 400,
      Details: { Fields: { IpAllow: [expect.any(String)] } },
    })
})

it('it sees its tenant, and of that what its person sees', async () => {
  const make1 = maker(kit)
  const [mine, other] = [await make1.create(project), await make1.create(project)]
  const theirs = await maker(kit, 'stranger').create(project)
  await kit.person('narrow', kit.enterprises.ours, { projects: [mine.Id] })
  const program = await make(['m10101'], {}, 'narrow')
  const { data } = await ask(bearing(program), 'GET', `${list}?PageSize=1000`)
  expect((data as unknown as Page<{ Id: number }>).Items.map((p) => p.Id)).toEqual([mine.Id])
  for (const { Id } of [other, theirs]) expect(await ask(bearing(program), 'GET', `/Project/Project?Id=${Id}`)).toMatchObject({ http: 404 })
})

it('it ends with the rights of its person, and nobody gives a program more than he has', async () => {
  await kit.person('giver', kit.enterprises.ours, {
    menus: ['m10101', 'm10433', 'm10433.add', 'm10433.authorise', 'm10433.edit', 'm10433.remove'],
  })
  const program = await make(['m10101'], {}, 'giver')
  expect(await kit.call('giver', 'POST', '/System/Api/Auth', { Id: program.Id, Permissions: ['m10402'] })).toMatchObject({
    StatusCode: 403,
    Details: { Fault: 'moreRights' },
  })
  // Neither does he take over one that does more.
  const strong = await make(['m10402'])
  for (const [method, path] of [
    ['POST', '/System/Api/Enable'],
    ['PUT', '/System/Api'],
    ['DELETE', '/System/Api'],
  ] as const)
    expect(await kit.call('giver', method, path, { Id: strong.Id })).toMatchObject({ StatusCode: 403 })
  expect(await ask(bearing(program), 'GET', list)).toMatchObject({ http: 200 })
  await kit.data('owner', 'POST', '/System/User/Lock', { Id: kit.people.get('giver')!.id })
  expect(await ask(bearing(program), 'GET', list)).toMatchObject({ http: 401, fault: 'credentialDisabled' })
})

it('credentials of another tenant do not exist, and viewers change none', async () => {
  const program = await make(['m10101'])
  for (const [method, path] of [
    ['GET', `/System/Api?Id=${program.Id}`],
    ['GET', `/System/Api/AuthList?Id=${program.Id}`],
  ] as const)
    expect(await kit.call('stranger', method, path)).toMatchObject({ StatusCode: 404 })
  for (const path of ['Enable', 'Disable', 'ResetKey']) {
    expect(await kit.call('stranger', 'POST', `/System/Api/${path}`, { Id: program.Id })).toMatchObject({ StatusCode: 404 })
    expect(await kit.call('viewer', 'POST', `/System/Api/${path}`, { Id: program.Id })).toMatchObject({ StatusCode: 403 })
  }
  expect(await kit.call('stranger', 'POST', '/System/Api/Auth', { Id: program.Id, Permissions: [] })).toMatchObject({ StatusCode: 404 })
  expect(await ask(bearing(program), 'GET', list)).toMatchObject({ http: 200 })
})
