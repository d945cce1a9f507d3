import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'

let kit: Kit
let now = Date.now()
beforeAll(async () => {
  kit = await startKit({ clock: () => now })
  await kit.db.rows(sql`update enterprise set "SecretQuestions" = 1 where "Id" = ${kit.enterprises.ours}`)
})
afterAll(() => kit.close())

const ask = (as: string, path: string, body?: unknown) => kit.call(as, body ? 'POST' : 'GET', `/Auth/PwdQuestion${path}`, body)
const answers = [
  { Question: 1, Answer: '1961' },
  { Question: 3, Answer: 'San Sebastián' },
]

describe('secret questions', () => {
  it('[secret-questions] are birth year, household registration place and hometown, in the language of the caller', async () => {
    expect(await ask('owner', '')).toMatchObject({
      Data: {
        Enabled: true,
        Items: [
          { Question: 1, QuestionName: expect.stringMatching(/year.*born/) },
          { Question: 2, QuestionName: expect.stringMatching(/registered/) },
          { Question: 3, QuestionName: expect.stringMatching(/home town/) },
        ],
      },
    })
    const chinese = await kit.call('owner', 'GET', '/Auth/PwdQuestion', undefined, { 'accept-language': 'zh' })
    expect(JSON.stringify(chinese)).toMatch(/出生年份.*户籍所在地.*家乡/)
  })

  it('[login-pwd-question] are set with the password, kept as hashes, and confirmed whatever the case and spaces', async () => {
    expect(await ask('owner', '/Set', { Pwd: 'not it', Answers: answers })).toMatchObject({ Details: { Fault: 'wrongPassword' } })
    expect(await ask('owner', '/Set', { Pwd: kit.password, Answers: answers })).toMatchObject({ Succeeded: true, Data: null })
    const kept = await kit.db.rows<{ AnswerHash: string }>(sql`select "AnswerHash" from secret_answer`)
    expect(kept).toHaveLength(2)
    expect(kept.every((k) => k.AnswerHash.startsWith('$argon2id$'))).toBe(true)
    expect(await ask('owner', '')).toMatchObject({ Data: { Items: [{ IsSet: true }, { IsSet: false }, { IsSet: true }] } })
    expect(await ask('owner', '/Confirm', { Question: 3, Answer: 'san  SEBASTIÁN ' })).toMatchObject({ Succeeded: true })
    expect(await ask('owner', '/Confirm', { Question: 2, Answer: 'anything' })).toMatchObject({ Details: { Fault: 'wrongAnswer' } })
  })

  it('lock after five wrong answers for half an hour, also for the right one, and not the account', async () => {
    await kit.person('forgetful', kit.enterprises.ours)
    await ask('forgetful', '/Set', { Pwd: kit.password, Answers: answers })
    for (let i = 0; i < 5; i++) await ask('forgetful', '/Confirm', { Question: 1, Answer: String(1950 + i) })
    expect(await ask('forgetful', '/Confirm', answers[0])).toMatchObject({ StatusCode: 429, Details: { Fault: 'tooManyTries' } })
    expect(await kit.call(undefined, 'POST', '/Auth/Login', { UserNO: 'forgetful', Pwd: kit.password })).toMatchObject({ Succeeded: true })
    now += 31 * 60_000
    expect(await ask('forgetful', '/Confirm', answers[0])).toMatchObject({ Succeeded: true })
  })

  it('are off where the tenant has not asked for them', async () => {
    expect(await ask('stranger', '')).toMatchObject({ Data: { Enabled: false } })
    for (const [path, body] of [
      ['/Set', { Pwd: kit.password, Answers: answers }],
      ['/Confirm', answers[0]],
    ] as const)
      expect(await ask('stranger', path, body)).toMatchObject({ StatusCode: 400, Details: { Fault: 'questionsOff' } })
  })
})

describe('the map key', () => {
  const key = (as: string, query = '') => kit.call<{ BaiduKey: string }>(as, 'GET', `/System/Enterprise/MapKey${query}`)

  it('is the tenant’s own, else the installation’s, else empty', async () => {
    expect((await key('owner')).Data).toEqual({ BaiduKey: '' })
    await kit.db.rows(
      sql`insert into enterprise ("Id", "Name", "BaiduKey") values (1, 'The platform itself', 'of all') on conflict ("Id") do update set "BaiduKey" = 'of all'`,
    )
    const { ours, theirs } = kit.enterprises
    await kit.db.rows(sql`update enterprise set "BaiduKey" = 'our own' where "Id" = ${Math.max(ours, theirs)}`)
    const [with_, without] = ours > theirs ? ['owner', 'stranger'] : ['stranger', 'owner']
    expect((await key(with_!)).Data).toEqual({ BaiduKey: 'our own' })
    expect((await key(without!)).Data).toEqual({ BaiduKey: 'of all' })
  })

  it('[tenant-scope] of another tenant, or for an organisation elsewhere, does not exist', async () => {
    expect(await key('stranger', `?EnterpriseId=${kit.enterprises.ours}`)).toMatchObject({ StatusCode: 404 })
    const [organ] = await kit.db.rows<{ Id: number }>(
      sql`insert into organ ("EnterpriseId", "OrganName") values (${kit.enterprises.ours}, 'Works') returning "Id"`,
    )
    expect(await key('stranger', `?BelongOrganId=${organ!.Id}`)).toMatchObject({ StatusCode: 404 })
    expect(await key('owner', `?BelongOrganId=${organ!.Id}`)).toMatchObject({ Succeeded: true })
  })
})

it('[login-wxcode] sign-in by WeChat says that it is not set up, and counts nothing', async () => {
  expect(await kit.call(undefined, 'GET', '/WeiXin/WXCode')).toMatchObject({ StatusCode: 400, Details: { Fault: 'notConfigured' } })
  for (const path of ['Login', 'LoginConfirm'])
    expect(await kit.call(undefined, 'POST', `/Auth/${path}`, { UserNO: '1', Pwd: '1', Code: 'abc' })).toMatchObject({
      Details: { Fault: 'notConfigured' },
    })
})

it('the dashboard is everybody’s unless a picture replaces it', async () => {
  expect(await kit.call('viewer', 'GET', '/Auth/ShowIndexFlowchart')).toMatchObject({ Succeeded: true, Data: null })
})
