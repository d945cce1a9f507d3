// Prototype pollution (security review F1): no name given from outside reaches what all objects inherit.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { permissions } from '../../contract/areas/menus.ts'
import { hashPassword } from '../../server/identity/passwords.ts'
import { startMailServer } from '../../server/testing/providers.ts'
import { type House, password, startHouse, until } from '../house.ts'
import { inheritedValues } from './hostile.ts'

let house: House
let mail: Awaited<ReturnType<typeof startMailServer>>
let viewer: string
const reading = permissions.filter((p) => !p.includes('.'))
const atStart = inheritedValues()

beforeAll(async () => {
  mail = await startMailServer()
  house = await startHouse({ PENSTOCK_OUTBOUND: `127.0.0.1/32:${mail.port}`, PENSTOCK_CALLS_PER_SECOND: '0' })
  await house.data('PUT', '/System/User/Account', { Email: 'somebody@example.com' })
  await house.data('PUT', '/System/WechatConfig/MessagePush', {
    ...{ EmailOn: 1, EmailHost: '127.0.0.1', EmailPort: mail.port, EmailTls: 'none', EmailUser: 'mailer', EmailPassword: 'mail secret' },
    EmailFrom: 'Penstock <alarms@example.com>',
  })
  const db = house.database.system
  await db.rows(sql`
    with made as (insert into "user" ("EnterpriseId", "UserNO", "UserName", "PasswordHash")
      values (1, 'looker', 'looker', ${await hashPassword(password)}) returning "Id"),
      viewing as (insert into role ("EnterpriseId", "RoleName", "MenuCodes") values (1, 'Looks', ${reading}::text[]) returning "Id")
    insert into user_role ("EnterpriseId", "UserId", "RoleId") select 1, made."Id", viewing."Id" from made, viewing`)
  viewer = await house.login('looker')
})
afterAll(async () => {
  await house?.close()
  await mail?.close()
})

const list = '/Project/Project/List'

it('a viewer’s list call does not run a program at the next mail', async () => {
  const proof = join(house.folder, 'proof')
  const script = { sendmail: true, path: '/bin/sh', args: ['-c', `id > ${proof}`] }
  const named = Object.fromEntries(Object.entries(script).map(([key, value]) => [`QueryInfo.__proto__.${key}`, value]))
  const sendMail = () => house.data('POST', '/System/WechatConfig/MessagePush/Test', { Method: 'email' })
  await sendMail()
  await until('a mail', () => mail.mails.length === 1)
  const answer = await house.call(viewer, 'POST', list, { QueryInfo: {}, ...named })
  await sendMail()
  await until('the mail or the program', () => mail.mails.length === 2 || existsSync(proof))
  expect(existsSync(proof)).toBe(false)
  expect(answer.StatusCode).toBe(400)
  expect(inheritedValues()).toEqual(atStart)
})

it('a viewer’s list call neither ends sessions nor breaks other calls', async () => {
  for (const name of ['x=1', 'ended=displaced'])
    expect(await house.call(viewer, 'GET', `${list}?A=1&A=2&A.__proto__.__proto__.${name}`)).toMatchObject({ StatusCode: 400 })
  expect(inheritedValues()).toEqual(atStart)
})
