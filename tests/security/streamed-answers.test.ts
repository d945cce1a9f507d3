// A list that is sent as csv ends after its reader was locked (finding M6).
import { connect } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type House, startHouse, until } from '../house.ts'
import { person } from '../two-tenants.ts'

let house: House
let tenant: number
let manager: string
beforeAll(async () => {
  house = await startHouse()
  tenant = (await house.data('POST', '/System/Enterprise', { Name: 'Works', ManagerNO: 'WorksManager', ManagerName: 'M' })).Id
  manager = await person(house, tenant, 'worksBoss', 'Boss', 'Company manager')
  const { Id: organ } = await house.data('POST', '/System/Organ', { OrganName: 'Organ' }, manager)
  // 20 MB: more than the sockets of both sides hold.
  await house.database.system.rows(sql`
    insert into post ("EnterpriseId", "BelongOrganId", "PostName", "Remark")
    select ${tenant}, ${organ}, 'post ' || to_char(n, '000000'), repeat('x', 1000) from generate_series(1, 20000) n`)
})
afterAll(() => house?.close())

const slowReader = async (token: string) => {
  const socket = connect({ port: Number(new URL(house.origin).port), host: '127.0.0.1' })
  const of = { closed: false, text: '', socket }
  const first = new Promise((done) => socket.once('data', done))
  socket.once('data', () => socket.pause())
  socket.on('data', (data) => {
    of.text = (of.text + data.toString('latin1')).slice(-400_000)
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    of.closed = true
  })
  socket.write(`GET /api/System/Post/Output?Format=csv&OrderColumn=PostName HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`)
  await first
  return of
}
const ends: [string, (of: { Id: number; role: number }) => Promise<unknown>][] = [
  ['is locked', ({ Id }) => house.data('POST', '/System/User/Lock', { Id }, manager)],
  ['loses the right', ({ role }) => house.data('POST', '/System/Role/AuthorizationMenu', { RoleId: role, MenuCodes: ['m101'] }, manager)],
]
let made = 0
test.each(ends)('a csv ends where its reader %s', async (_name, end) => {
  const name = `reader${++made}`
  const role = (await house.data('POST', '/System/Role', { RoleName: name }, manager)).Id
  await house.data('POST', '/System/Role/AuthorizationMenu', { RoleId: role, MenuCodes: ['m10413'] }, manager)
  const token = await person(house, tenant, name, name, name)
  const [row] = await house.database.system.rows<{ Id: number }>(sql`select "Id" from "user" where "UserNO" = ${name}`)
  const reader = await slowReader(token)
  await end({ Id: row!.Id, role })
  await house.database.system.rows(sql`update post set "Remark" = 'made after the end' where "PostName" = 'post  020000'`)
  // Nobody needs to read on for the answer to end.
  await new Promise((done) => setTimeout(done, 2500))
  reader.socket.resume()
  await until('the end of the answer', () => reader.closed || reader.text.endsWith('0\r\n\r\n'), 15_000)
  expect(reader.text).not.toContain('made after the end')
  expect(reader.closed).toBe(true)
})
