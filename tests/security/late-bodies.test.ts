// Requests whose body ends after their sender lost the rights: headers and ten bytes, then the account is locked, then the rest.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type House, startHouse } from '../house.ts'
import { person } from '../two-tenants.ts'

let house: House
let tenant: number
let manager: string
const roles: Record<string, number> = {}
const db = () => house.database.system

const openTenant = async (name: string) =>
  (await house.data('POST', '/System/Enterprise', { Name: name, ManagerNO: `${name}Manager`, ManagerName: name })).Id
beforeAll(async () => {
  house = await startHouse()
  tenant = await openTenant('Works')
  manager = await person(house, tenant, 'worksBoss', 'Boss', 'Company manager')
  for (const { Id, RoleName } of await db().rows<{ Id: number; RoleName: string }>(
    sql`select "Id", "RoleName" from role where "EnterpriseId" = ${tenant}`,
  ))
    roles[RoleName] = Id
})
const sockets: Socket[] = []
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await house?.close()
})

let made = 0
type Sender = { Id: number; name: string; token: string; tenant: number }
/** A manager of his own, so that each request can take one down. */
const newSender = async (of = tenant): Promise<Sender> => {
  const name = `sender${++made}`
  const token = await person(house, of, name, name, 'Company manager')
  const [row] = await db().rows<{ Id: number }>(sql`select "Id" from "user" where "UserNO" = ${name}`)
  return { Id: row!.Id, name, token, tenant: of }
}

/** Headers and ten bytes of a call; `finish` sends the rest and answers the fault, or `none`. */
const hold = async (token: string, method: string, path: string, body: string, type = 'application/json', sent = 10) => {
  const socket = connect(Number(new URL(house.origin).port), '127.0.0.1')
  sockets.push(socket)
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.on('error', () => {})
  const closed = once(socket, 'close')
  const head = [
    `${method} /api${path} HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${token}`,
    'Accept-Language: en',
    `Content-Type: ${type}`,
  ]
  socket.write([...head, `Content-Length: ${Buffer.byteLength(body)}`, 'Connection: close', '', ''].join('\r\n') + body.slice(0, sent))
  // Its headers are judged before its sender loses anything, and more than a moment before the rest.
  await new Promise((resolve) => setTimeout(resolve, 150))
  return async () => {
    socket.write(body.slice(sent))
    await closed
    return /"Fault":"(\w+)"/.exec(text)?.[1] ?? (text.includes('"Succeeded":true') ? 'none' : text)
  }
}
const account = (name: string) => JSON.stringify({ UserNO: name, UserName: name, RoleIds: [roles['Company manager']] })
const sheet = (name: string) =>
  [
    '--X\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n',
    `Account,Name,Phone,E-mail,Language,Time zone,Remark\r\n${name},By sheet,,,,,\r\n--X--\r\n`,
  ].join('\r\n')
const multipart = 'multipart/form-data; boundary=X'
const exists = async (name: string) => (await db().rows(sql`select 1 from "user" where "UserNO" = ${name}`)).length > 0

type Revocation = [string, string, (sender: Sender) => Promise<unknown>]
const byManager = (method: string, path: string, body?: object) => house.data(method, path, body, manager)
const revocations: Revocation[] = [
  ['locked', 'accountLocked', ({ Id }) => byManager('POST', '/System/User/Lock', { Id })],
  ['removed', 'sessionOver', ({ Id }) => byManager('DELETE', `/System/User?Id=${Id}`, {})],
  ['a viewer', 'forbidden', ({ Id }) => byManager('POST', '/System/User/SetRole', { UserId: Id, RoleIds: [roles.Viewer] })],
  ['signed out', 'sessionOver', ({ token }) => house.data('POST', '/Auth/Logout', {}, token)],
  ['given another password', 'passwordRenewed', ({ Id }) => byManager('POST', '/System/User/ResetPwd', { Id })],
  ['past his end', 'accountLocked', ({ Id }) => byManager('PUT', '/System/User', { Id, ValidTo: '2001-01-01 00:00:00' })],
  ['in a closed tenant', 'enterpriseClosed', ({ tenant }) => house.data('PUT', '/System/Enterprise', { Id: tenant, Status: 0 })],
]

it.each(revocations)(
  'a manager who is %s before his body ends makes no account, neither by a call nor by a sheet',
  async (_, fault, revoke) => {
    const sender = await newSender(fault === 'enterpriseClosed' ? await openTenant(`Mill${made}`) : tenant)
    const late = `late${sender.name}`
    const [byCall, bySheet, file, list] = await Promise.all([
      hold(sender.token, 'POST', '/System/User', account(`${late}Call`)),
      hold(sender.token, 'POST', '/System/User/Import', sheet(`${late}Sheet`), multipart),
      hold(sender.token, 'POST', '/System/File/Upload?Purpose=attachment', sheet('file'), multipart),
      hold(sender.token, 'POST', '/System/User/List', JSON.stringify({ PageSize: 10 })),
    ])
    await revoke(sender)
    expect(await byCall()).toBe(fault)
    expect(await bySheet()).toBe(fault)
    // A viewer's own files and lists stay his.
    if (fault !== 'forbidden') expect([await file(), await list()]).toEqual([fault, fault])
    expect([await exists(`${late}Call`), await exists(`${late}Sheet`)]).toEqual([false, false])
  },
)

it('a body that arrives late is served where nothing was taken away', async () => {
  const { token, name } = await newSender()
  const [byCall, bySheet] = await Promise.all([
    hold(token, 'POST', '/System/User', account(`fine${name}Call`)),
    hold(token, 'POST', '/System/User/Import', sheet(`fine${name}Sheet`), multipart),
  ])
  expect([await byCall(), await bySheet()]).toEqual(['none', 'none'])
  expect([await exists(`fine${name}Call`), await exists(`fine${name}Sheet`)]).toEqual([true, true])
})

it('a sheet is imported with the rows that its sender sees at its end', async () => {
  const { token, name, Id } = await newSender()
  const finish = await hold(
    token,
    'POST',
    '/Project/Project/Import',
    `--X\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nProject name\r\nLate ${name}\r\n--X--\r\n`,
    multipart,
  )
  const [editor] = await db().rows<{ Id: number }>(sql`
    insert into role ("EnterpriseId", "RoleName", "MenuCodes") select ${tenant}, ${`Reader of ${name}`}, array['m10101'] returning "Id"`)
  await byManager('POST', '/System/User/SetRole', { UserId: Id, RoleIds: [editor!.Id] })
  expect(await finish()).toBe('forbidden')
})

it('a sheet that is being written when its sender is locked leaves nothing', async () => {
  const { token, name, Id } = await newSender()
  const finish = await hold(
    ...([token, 'POST', '/Project/Project/Import'] as const),
    `--X\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nProject name\r\nFirst ${name}\r\nSecond ${name}\r\n--X--\r\n`,
    multipart,
  )
  // A project of the same name that is not committed yet makes the import wait in the middle of its transaction.
  let finished = Promise.resolve('')
  const undo = new Error('undo')
  await expect(
    db().tx(async (db) => {
      await db.rows(sql`insert into project ("EnterpriseId", "ProjectName") values (${tenant}, ${`Second ${name}`})`)
      finished = finish()
      await expect.poll(() => house.database.system.rows(sql`select 1 from pg_locks where not granted`)).toHaveLength(1)
      await byManager('POST', '/System/User/Lock', { Id })
      throw undo
    }),
  ).rejects.toBe(undo)
  expect(await finished).toBe('accountLocked')
  expect(await db().rows(sql`select 1 from project where "ProjectName" like ${`%${name}`}`)).toEqual([])
})

it('a call that waits for the others of its person is judged when its turn comes', async () => {
  const { token, name, Id } = await newSender()
  const held = await Promise.all(
    Array.from({ length: 6 }, () => hold(token, 'POST', '/System/User/List', JSON.stringify({ PageSize: 10 }))),
  )
  const whole = account(`queued${name}`)
  const waiting = await hold(token, 'POST', '/System/User', whole, 'application/json', whole.length)
  await byManager('POST', '/System/User/Lock', { Id })
  expect(await Promise.all(held.map((finish) => finish()))).toEqual(Array(6).fill('accountLocked'))
  expect(await waiting()).toBe('accountLocked')
  expect(await exists(`queued${name}`)).toBe(false)
})

it.each([
  ['disabled', 'credentialDisabled'],
  ['given a new key', 'signatureWrong'],
  ['of a locked owner', 'credentialDisabled'],
  ['left with fewer rights', 'forbidden'],
])('a program that is %s before its body ends makes nothing', async (how, fault) => {
  const { token, name, Id } = await newSender()
  const program = await house.data<{ Id: number; AccessKey: string; Secret: string }>('POST', '/System/Api', { ApiName: name }, token)
  const grant = (Permissions: string[]) => house.data('POST', '/System/Api/Auth', { Id: program.Id, Permissions }, token)
  await grant(['m10101', 'm10101.add'])
  const key = `${program.AccessKey}.${program.Secret}`
  const finish = await hold(key, 'POST', '/Project/Project', JSON.stringify({ ProjectName: `Late ${name}` }))
  if (how === 'disabled') await house.data('POST', '/System/Api/Disable', { Id: program.Id }, token)
  if (how === 'given a new key') await house.data('POST', '/System/Api/ResetKey', { Id: program.Id }, token)
  if (how === 'of a locked owner') await byManager('POST', '/System/User/Lock', { Id })
  if (how === 'left with fewer rights') await grant(['m10101'])
  expect(await finish()).toBe(fault)
  expect(await db().rows(sql`select 1 from project where "ProjectName" = ${`Late ${name}`}`)).toEqual([])
})

it('a late body renews no session that is over', async () => {
  const { token, Id } = await newSender()
  const finish = await hold(token, 'POST', '/Auth/ActAs', '{"RoleId": null}')
  await byManager('POST', '/System/User/Lock', { Id })
  await byManager('POST', '/System/User/UnLock', { Id })
  expect(await finish()).toBe('accountLocked')
  expect(await db().rows(sql`select 1 from session where "UserId" = ${Id} and "EndTime" is null`)).toEqual([])
})
