// Prototype pollution (security review F1): no name given from outside reaches what all objects inherit.
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import mqtt from 'mqtt'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { topic, up } from '../../contract/gateway-protocol.ts'
import { permissions } from '../../contract/menus.ts'
import { freezePrototypes } from '../../contract/prototypes.ts'
import { startMailServer } from '../../main/testing/providers.ts'
import { writeSheet } from '../../server/files/xlsx.ts'
import { hashPassword } from '../../server/identity/passwords.ts'
import { type House, password, startHouse, until } from '../house.ts'
import { type Hostile, hostileRequests, inheritedValues, inParallel, operationsOf } from './hostile.ts'

let house: House
let mail: Awaited<ReturnType<typeof startMailServer>>
let viewer: string
let gateway: Awaited<ReturnType<House['newGateway']>>
let point: number
const reading = permissions.filter((p) => !p.includes('.'))
const atStart = inheritedValues()

beforeAll(async () => {
  mail = await startMailServer()
  house = await startHouse({ PENSTOCK_OUTBOUND: `127.0.0.1/32:${mail.port}`, PENSTOCK_CALLS_PER_SECOND: '0' })
  await house.data('PUT', '/System/User/Account', { Email: 'somebody@example.com', Pwd: password })
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
  gateway = await house.newGateway('POLLUTION001', 1)
  point = (await house.data('POST', '/Project/DevPara', { DeviceId: gateway.device, ParaName: 'P', Address: '0' })).Id
  await until('the point to be known', () => house.registry.get(point))
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

const send = async ({ method, path, body }: Hostile) => {
  const headers: Record<string, string> = { authorization: `Bearer ${house.admin}`, 'accept-language': 'en' }
  if (body !== undefined) headers['content-type'] = 'application/json'
  const answer = await fetch(`${house.origin}/api${path}`, { method, headers, ...(body === undefined ? {} : { body }) })
  const text = await answer.text()
  return text.startsWith('{') ? ((JSON.parse(text) as { StatusCode?: number }).StatusCode ?? answer.status) : answer.status
}

const everyName = ['__proto__', 'constructor', 'prototype', 'toString']
const hostileObject = `{${everyName.map((name) => `"${name}":{"polluted":1}`).join(',')}}`

/** A csv text whose cells are the names, or a workbook whose titles are. */
const importSheet = async (path: string, asXlsx: boolean) => {
  const headers = { authorization: `Bearer ${house.admin}` }
  const template = await (await fetch(`${house.origin}/api${path.replace(/Import$/, 'Template?Format=csv')}`, { headers })).text()
  const titles = template.split('\r\n')[0]!
  const cells = titles.split(',').map((_, i) => everyName[i % everyName.length])
  const body = new FormData()
  body.append('__proto__', 'polluted')
  body.append('file', new Blob([asXlsx ? new Uint8Array(await writeSheet(everyName, [everyName])) : `${titles}\r\n${cells}\r\n`]), 'list')
  const answer = await fetch(`${house.origin}/api${path}`, { method: 'POST', headers, body })
  const { StatusCode } = (await answer.json()) as { StatusCode: number }
  expect([200, 400], path).toContain(StatusCode)
  if (asXlsx) expect(StatusCode, path).toBe(400)
}

/** What a gateway sends, of every kind, and then an ordinary reading that must arrive. */
const publishHostile = async () => {
  const login = { clientId: gateway.SN, username: gateway.SN, password: gateway.Key, reconnectPeriod: 0 }
  const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${house.mqttPort}`, login)
  const value = Math.random()
  const item = (V: string, D = String(gateway.device)) =>
    `{"MsgId":"${crypto.randomUUID()}","Ts":1,"Data":{"Items":[{"D":${D},"T":${Date.now()},"V":${V}}]}}`
  const envelopes = [hostileObject, `{"MsgId":"m","Ts":1,"Data":${hostileObject}}`, `{"__proto__":{"MsgId":"m"},"Ts":1,"Data":{}}`]
  const payloads = [...envelopes, item(hostileObject), item('{"1":1}', '"__proto__"'), item(`{"${point}":${hostileObject}}`)]
  for (const kind of Object.keys(up))
    for (const payload of payloads) await client.publishAsync(topic(gateway.SN, 'up', kind), payload, { qos: 1 })
  await client.publishAsync(topic(gateway.SN, 'up', 'data'), item(`{"${point}":${value}}`), { qos: 1 })
  const latest = () => house.data<{ Value: number }[]>('POST', '/DataCenter/ReportData/LastDataFromCache_APP_Common', { ParaIds: [point] })
  await until('the reading', async () => (await latest())[0]?.Value === value)
  await client.endAsync(true)
}

/** Messages of a console's connection that are no client's of ours; each call is answered. */
const invokeHostile = async () => {
  const address = `${house.origin}/api/hubs/sysmsghub`
  const headers = { authorization: `Bearer ${house.admin}` }
  const ticket = (await (await fetch(`${address}/negotiate?negotiateVersion=1`, { method: 'POST', headers })).json()) as {
    connectionToken: string
  }
  const socket = new WebSocket(`${address.replace('http', 'ws')}?id=${ticket.connectionToken}`)
  let heard = ''
  socket.on('message', (data) => (heard += data))
  await once(socket, 'open')
  const say = (text: string) => socket.send(`${text}\u001e`)
  say('{"protocol":"json","version":1}')
  const targets = [...everyName, 'Subscribe', 'Unsubscribe', 'LoginConnect']
  for (const [i, target] of targets.entries())
    say(`{"type":1,"invocationId":"${i}","target":"${target}","arguments":[${hostileObject},["__proto__"]],"__proto__":{"polluted":1}}`)
  await until('an answer to each call', () => targets.every((_, i) => heard.includes(`"invocationId":"${i}"`)))
  socket.terminate()
}

describe.each([
  ['as it started', 0],
  ['with frozen prototypes', 1],
])('a server %s', (_, turn) => {
  beforeAll(() => {
    if (turn) freezePrototypes()
  })
  afterEach(() => expect(inheritedValues()).toEqual(atStart))

  it('refuses hostile names in every call, and answers', { timeout: 1_800_000 }, async () => {
    const operations = await operationsOf(house)
    const requests = hostileRequests(operations, turn)
    const codes = new Map<number, string[]>()
    await inParallel(requests, async (request) => {
      const code = await send(request)
      codes.set(code, [...(codes.get(code) ?? []), `${request.method} ${request.path} ${request.body ?? ''}`])
    })
    expect([...codes].filter(([code]) => code >= 500 || code === 205)).toEqual([])
    expect(operations.length).toBeGreaterThan(400)
    expect(codes.get(400)!.length).toBeGreaterThan(requests.length / 2)
  })

  it('takes no name from a sheet', async () => {
    const imports = (await operationsOf(house)).filter((o) => o.path.endsWith('/Import'))
    expect(imports.length).toBeGreaterThan(10)
    // One reader takes the titles of all workbooks, in a thread that costs a tenth of a second; texts go to every call.
    for (const { path } of turn ? imports.slice(0, 3) : imports) await importSheet(path, turn === 1)
  })

  it('takes no hostile message of a gateway', publishHostile)
  it('takes no hostile call over the hub', invokeHostile)
})

it('frozen prototypes take nothing, and objects may still have own properties of inherited names', () => {
  freezePrototypes()
  for (const prototype of [Object.prototype, Array.prototype, Function.prototype]) {
    expect(Object.isFrozen(prototype)).toBe(true)
    expect(() => Object.assign(prototype, { toString: () => 'x' })).toThrow(TypeError)
  }
  const own: object = {}
  Object.assign(own, { toString: () => 'own', constructor: 1, hasOwnProperty: 2 })
  expect([String(own), Object.keys(own)]).toEqual(['own', ['toString', 'constructor', 'hasOwnProperty']])
  expect(Object.assign([1], { push: 3 }).push).toBe(3)
  expect(Object.assign(() => 1, { call: 4 }).call).toBe(4)
  expect(Object.isFrozen(Error.prototype)).toBe(false)
  expect(inheritedValues()).toEqual(atStart)
})
