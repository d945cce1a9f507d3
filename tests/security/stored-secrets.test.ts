// A stored secret goes only to the host that it was entered for: changing an address does not send it there.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { settings } from '../../areas/index.ts'
import { languages } from '../../contract/languages.ts'
import type { Settings } from '../../contract/settings.ts'
import { startMailServer } from '../../main/testing/providers.ts'
import { hashPassword } from '../../server/identity/passwords.ts'
import { type House, password, startHouse, until } from '../house.ts'

const push = '/System/WechatConfig/MessagePush'
const robots = '/System/WechatConfig/DD'
let house: House
let [ours, theirs]: Awaited<ReturnType<typeof startMailServer>>[] = []
let editor: string
const change = (path: string, body: object) => house.call(editor, 'PUT', path, body)
const mailbox = () => ({ EmailHost: '127.0.0.1', EmailPort: ours!.port, EmailTls: 'none', EmailUser: 'mailer' })

beforeAll(async () => {
  ;[ours, theirs] = [await startMailServer(), await startMailServer()]
  house = await startHouse({ PENSTOCK_OUTBOUND: [ours, theirs].map((m) => `127.0.0.1/32:${m.port}`).join() })
  const db = house.database.system
  await db.rows(sql`
    with made as (insert into "user" ("EnterpriseId", "UserNO", "UserName", "Email", "PasswordHash")
      values (1, 'editor', 'editor', 'editor@example.com', ${await hashPassword(password)}) returning "Id"),
      edits as (insert into role ("EnterpriseId", "RoleName", "MenuCodes") values (1, 'Channels', '{m10432,m10432.edit,m10231,m10231.edit,m10406,m10406.edit}') returning "Id")
    insert into user_role ("EnterpriseId", "UserId", "RoleId") select 1, made."Id", edits."Id" from made, edits`)
  editor = await house.login('editor')
  await house.data('PUT', push, { ...mailbox(), EmailOn: 1, EmailFrom: 'Penstock <alarms@example.com>', EmailPassword: 'mail secret' })
})
afterAll(async () => {
  await house?.close()
  await Promise.all([ours?.close(), theirs?.close()])
})

it('the mail password goes to no other host, and the answer says where to enter it again', async () => {
  const test = () => house.data('POST', `${push}/Test`, { Method: 'email' }, editor)
  const refused = await change(push, { EmailHost: '127.0.0.1', EmailPort: theirs!.port, EmailTls: 'none' })
  await test()
  await until('the mail', () => ours!.mails.length + theirs!.offered.length > 0)
  expect(theirs!.offered).toEqual([])
  expect(refused).toMatchObject({ StatusCode: 400, Details: { Fields: { EmailPassword: [expect.stringContaining('Enter this again')] } } })
  const words = languages.map(async (language) => {
    const headers = { authorization: `Bearer ${editor}`, 'accept-language': language, 'content-type': 'application/json' }
    const answer = await fetch(`${house.origin}/api${push}`, { method: 'PUT', headers, body: '{"EmailUser":"somebody"}' })
    return (await answer.json()).Details.Fields.EmailPassword[0] as string
  })
  expect(new Set(await Promise.all(words)).size).toBe(languages.length)
  // Changes that keep the target need no secret. With a new secret, or without any, everything may change.
  expect(await change(push, { ...mailbox(), EmailFrom: 'Plant <plant@example.com>' })).toMatchObject({ Succeeded: true })
  expect(await change(push, { EmailPort: theirs!.port, EmailPassword: 'his own' })).toMatchObject({ Succeeded: true })
  expect(await change(push, { EmailPort: ours!.port, EmailPassword: null })).toMatchObject({ Succeeded: true })
  expect(await change(push, { EmailPort: theirs!.port })).toMatchObject({ Succeeded: true })
})

const other = (c: Settings, field: string, now: unknown) => {
  const f = c.fields[field]!
  if (f.kind === 'choice') return f.of.find((v) => v !== now)
  if (field === 'TileUrl') return 'https://elsewhere.example/{z}/{x}/{y}.png'
  return f.kind === 'number' ? 4711 : field.endsWith('Url') ? 'https://elsewhere.example/x' : 'elsewhere.example'
}

const all = settings.flatMap((c) => Object.keys(c.secrets).map((secret) => ({ name: c.name, secret, c })))
it.each(all)('$secret of $name stays with what it is bound to', async ({ c, secret }) => {
  await house.data('PUT', c.path, { [secret]: 'planted secret' })
  const now = await house.data<Record<string, unknown>>('GET', c.path)
  for (const field of c.secrets[secret]!) {
    const given = { [field]: other(c, field, now[field]) }
    expect(await change(c.path, given), field).toMatchObject({ StatusCode: 400, Details: { Fields: { [secret]: [expect.any(String)] } } })
  }
  expect(await house.data('GET', c.path)).toEqual(now)
  await house.data('PUT', c.path, { [secret]: null })
})

it('changes at the same moment do not slip past: an address without a secret never gets one saved concurrently', async () => {
  for (let i = 0; i < 10; i++) {
    await house.data('PUT', push, { ...mailbox(), EmailPassword: null })
    const owner = house.data('PUT', push, { ...mailbox(), EmailPassword: 'mail secret' })
    await Promise.all([owner, change(push, { EmailHost: 'elsewhere.example' })])
    expect(await house.data('GET', push)).toMatchObject({ HasEmailPassword: 1, EmailHost: '127.0.0.1' })
  }
})

it('the signing secret of a robot or a webhook does not sign for another address', async () => {
  const robot = await house.data('POST', robots, { Name: 'Shift', AccessToken: 'the token', Secret: 'SEC of the group' })
  expect(await change(robots, { Id: robot.Id, AccessToken: 'another group' })).toMatchObject({
    StatusCode: 400,
    Details: { Fields: { Secret: [expect.any(String)] } },
  })
  expect(await change(robots, { Id: robot.Id, Name: 'Night shift' })).toMatchObject({ Succeeded: true })
  type Hook = { Id: number; Secret?: string; HookName: string }
  const hook = await house.data<Hook>('POST', '/Alarm/AlarmWebhook', { HookName: 'Incidents', Url: 'https://incidents.example/hook' })
  const signing = () => house.database.system.rows(sql`select "Value" from sealed_secret where "Name" = ${`alarmWebhook.${hook.Id}`}`)
  const before = await signing()
  const renamed = await change('/Alarm/AlarmWebhook', { Id: hook.Id, HookName: 'Incident desk', Url: 'https://incidents.example/hook' })
  expect(renamed.Data).not.toHaveProperty('Secret')
  expect(await signing()).toEqual(before)
  const moved = await change('/Alarm/AlarmWebhook', { Id: hook.Id, Url: 'https://elsewhere.example/hook' })
  expect(await signing()).not.toEqual(before)
  expect((moved.Data as Hook).Secret).toMatch(/^whsec_/)
  expect((moved.Data as Hook).Secret).not.toBe(hook.Secret)
})
