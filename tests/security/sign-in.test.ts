// Guessed passwords, forged addresses and one-time passwords, starting with the printed password. The test runs where
// a proxy on this machine would run: it appends the caller's address to X-Forwarded-For.
import { rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Wrapper } from '../../contract/call.ts'
import { beforeOwnPassword } from '../../contract/session.ts'
import { readSettings } from '../../main/settings.ts'
import { type Started, startServer } from '../../main/start.ts'
import { freshDatabase } from '../../main/testing/database.ts'
import { resetPassword } from '../../server/identity/setup.ts'
import { temporary, until } from '../house.ts'

const own = 'a river runs through it'
const dayMs = 86_400_000
// Only tests advance the clock.
const began = Date.now()
let moved = 0
let server: Started
let first: Wrapper<SignedIn>
let admin: string
let fresh: Awaited<ReturnType<typeof freshDatabase>>
const folder = temporary()
const db = () => server.database.system

type Given = { method?: string; body?: unknown; token?: string | undefined; from?: string; headers?: Record<string, string> }
const ask = (path: string, { method = 'GET', body, token, from = '198.51.100.1', headers = {} }: Given = {}) =>
  fetch(`http://127.0.0.1:${server.port}${path}`, {
    method,
    headers: {
      'accept-language': 'en',
      'x-forwarded-for': from,
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
const call = async <T = unknown>(path: string, given?: Given) => (await (await ask(`/api${path}`, given)).json()) as Wrapper<T>
const post = <T = unknown>(path: string, body: unknown, given: Given = {}) => call<T>(path, { ...given, method: 'POST', body })
const faultOf = (answer: Wrapper) => (answer.Succeeded ? 'none' : answer.Details?.Fault)

type SignedIn = { Token: string; Menu: string[]; Browser?: string }
const signIn = (UserNO: string, Pwd: string, from?: string, more: object = {}) =>
  post<SignedIn>('/Auth/Login', { UserNO, Pwd, ...more }, from ? { from } : {})
const setPassword = (token: string, OldPwd: string, NewPwd: string, more: object = {}) =>
  post<SignedIn>('/System/User/SetPwd', { OldPwd, NewPwd, ...more }, { token })
let people = 0
/** A person of the platform's tenant with his own password and a unique address. */
const person = async () => {
  const user = { UserNO: `person_${++people}`, UserName: `Person ${people}` }
  const made = await post<{ Id: number; UserNO: string; OneTimePwd: string }>('/System/User', user, { token: admin })
  return { ...made.Data, from: `192.0.2.${people}` }
}
const settled = async () => {
  const made = await person()
  const { Token } = (await signIn(made.UserNO, made.OneTimePwd, made.from)).Data
  expect(faultOf(await setPassword(Token, made.OneTimePwd, own))).toBe('none')
  return made
}
const burst = async (count: number, UserNO: string, from: (i: number) => string, more: object = {}) =>
  Map.groupBy(await Promise.all(Array.from({ length: count }, (_, i) => signIn(UserNO, `wrong ${i}`, from(i), more))), faultOf)
const sizeOf = (groups: Map<unknown, unknown[]>, key: string) => groups.get(key)?.length ?? 0

beforeAll(async () => {
  fresh = await freshDatabase()
  const settings = readSettings({
    ...{ PENSTOCK_DATA: folder, PENSTOCK_PORT: '0', PENSTOCK_MQTT_PORT: '0', PENSTOCK_DEMO: 'off', DATABASE_URL: fresh.adminUrl },
    ...{ PENSTOCK_TRUST_PROXY: '127.0.0.1', PENSTOCK_CALLS_PER_SECOND: '150' },
  })
  server = await startServer(settings, pino({ level: 'silent' }), () => began + moved)
  moved += 8 * dayMs
  first = await signIn('admin', server.firstPassword!)
  admin = (await setPassword(first.Data.Token, server.firstPassword!, own)).Data.Token
})
afterAll(async () => {
  await server?.close()
  await fresh?.drop()
  rmSync(folder, { recursive: true, force: true })
})

it('the printed password is good after more than a week; a one-time password opens nothing but the way to one’s own', async () => {
  expect(first).toMatchObject({ Succeeded: true, Data: { Menu: ['m10401'] } })
  expect(faultOf(await call('/Project/Project/List', { token: admin }))).toBe('none')
  const { UserNO, OneTimePwd, from } = await person()
  const token = (await signIn(UserNO, OneTimePwd, from)).Data.Token
  const described = await ask('/api/openapi.json', { token: admin })
  const { paths } = (await described.json()) as { paths: Record<string, Record<string, { 'x-permission': string }>> }
  const doors = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, of]) => of['x-permission'] === 'session')
      .map(([method]) => ({ method: method.toUpperCase(), path: path.replace(/\{\w+\}/g, '1') })),
  )
  expect(doors.length).toBeGreaterThan(40)
  const allowed = new Set(beforeOwnPassword.map(([method, path]) => `${method} /api${path}`))
  const open: string[] = []
  for (const { method, path } of doors) {
    if (allowed.has(`${method} ${path}`)) continue
    const answer = await server.app.inject({ method: method as 'GET', url: path, headers: { authorization: `Bearer ${token}` } })
    if (!answer.body.includes('mustChangePassword')) open.push(`${method} ${path} ${answer.body.slice(0, 80)}`)
  }
  expect(open).toEqual([])
  const negotiated = await ask('/api/hubs/sysmsghub/negotiate?negotiateVersion=1', { method: 'POST', token })
  expect(await negotiated.text()).toContain('mustChangePassword')
  for (const path of [
    '/System/User/UserInfo',
    '/System/BasicData',
    '/System/Enterprise/List',
    '/System/ThemeSet',
    '/System/Enterprise/MapKey',
  ])
    expect(faultOf(await call(path, { token })), path).toBe('none')

  const changed = (await setPassword(token, OneTimePwd, own)).Data.Token
  expect(faultOf(await call('/System/User/Account', { token: changed }))).toBe('none')
  const again = await ask('/api/hubs/sysmsghub/negotiate?negotiateVersion=1', { method: 'POST', token: changed })
  expect(await again.text()).toContain('connectionToken')
})

it('of forty wrong passwords at once five are judged, also from many addresses of one /64', async () => {
  const { UserNO, from } = await settled()
  const answers = await burst(40, UserNO, () => from)
  expect(sizeOf(answers, 'wrongCredentials')).toBe(5)
  expect(sizeOf(answers, 'tooManyTries')).toBe(35)
  expect(await signIn(UserNO, own, from)).toMatchObject({ StatusCode: 429, Errors: 'Too many failed attempts. Try again in 30 min.' })
  // The lock is that address's, and ends.
  expect(faultOf(await signIn(UserNO, own, '203.0.113.50'))).toBe('none')
  moved += 31 * 60_000
  expect(faultOf(await signIn(UserNO, own, from))).toBe('none')

  const another = await settled()
  const ofOne = await burst(12, another.UserNO, (i) => `2001:db8:0:1:${i.toString(16)}::9`)
  expect(sizeOf(ofOne, 'wrongCredentials')).toBe(5)
  // Small and large letters are one account.
  expect(faultOf(await signIn(another.UserNO.toUpperCase(), own, '2001:db8:0:1::1'))).toBe('tooManyTries')
  const reset = await resetPassword(server.database, another.UserNO, () => began + moved)
  expect(faultOf(await signIn(another.UserNO, reset!, '2001:db8:0:1::1'))).toBe('none')
  // A name that no account has locks alike.
  expect(sizeOf(await burst(8, 'nobody_at_all', () => '192.0.2.200'), 'wrongCredentials')).toBe(5)
})

it('an attempt that read the clock earlier and is counted later is not refused', async () => {
  for (const Pwd of ['wrong', 'wrong', own]) {
    const { UserNO } = await settled()
    moved -= 60_000
    expect(faultOf(await signIn(UserNO, Pwd, '203.0.113.60'))).toBe(Pwd === own ? 'none' : 'wrongCredentials')
  }
  moved += 180_000
})

it('from forty addresses at once an account is slowed down, at most 30 s, and never locked', async () => {
  const { UserNO } = await settled()
  const answers = await burst(40, UserNO, (i) => `203.0.113.${100 + i}`)
  expect(sizeOf(answers, 'wrongCredentials')).toBe(6)
  expect(sizeOf(answers, 'triedTooFast')).toBe(34)
  for (let i = 0; i < 6; i++) {
    moved += 30_000
    expect(faultOf(await signIn(UserNO, 'wrong', `203.0.113.${150 + i}`))).toBe('wrongCredentials')
  }
  const late = await ask('/api/Auth/Login', { method: 'POST', body: { UserNO, Pwd: own }, from: '192.0.2.201' })
  expect(late.headers.get('retry-after')).toBe('30')
  expect(await late.json()).toMatchObject({ Errors: 'Failed attempts on this account. Try again in 30 s.' })
  moved += 30_000
  expect(faultOf(await signIn(UserNO, own, '192.0.2.201'))).toBe('none')
})

it('addresses that go on trying while the account is slowed down use up their own tries, and leave the next one to others', async () => {
  const { UserNO } = await settled()
  const strangers = Array.from({ length: 12 }, (_, i) => `203.0.113.${30 + i}`)
  const tries = (count: number) => burst(strangers.length * count, UserNO, (i) => strangers[i % strangers.length]!)
  const answers = await tries(6)
  expect(sizeOf(answers, 'wrongCredentials')).toBe(6)
  expect(sizeOf(answers, 'triedTooFast')).toBe(12 * 5 - 6)
  moved += 30_000
  // They are there first when the account may be tried again.
  expect(sizeOf(await tries(1), 'tooManyTries')).toBe(12)
  expect(faultOf(await signIn(UserNO, own, '192.0.2.203'))).toBe('none')
})

it('a browser that signed in before has a counter of its own, which ends with the password and with time', async () => {
  const { UserNO, from } = await settled()
  const mark = (await signIn(UserNO, own, from, { Browser: '' })).Data.Browser!
  expect(mark).toMatch(/^[\w-]{43}$/)
  expect(JSON.stringify(await db().rows(sql`select * from known_browser`))).not.toContain(mark)
  const strangers = () => burst(8, UserNO, (i) => `203.0.113.${10 + i}`)
  const other = (await signIn('admin', own, from, { Browser: '' })).Data.Browser!

  await strangers()
  await burst(6, UserNO, () => from)
  for (const Browser of [undefined, '', 'x'.repeat(43), other])
    expect(faultOf(await signIn(UserNO, own, '192.0.2.202', Browser === undefined ? {} : { Browser }))).toBe('triedTooFast')
  const again = await signIn(UserNO, own, from, { Browser: mark })
  expect(again.Data.Browser).toBe(mark)
  // The mark opens nothing: it is five tries more.
  expect(sizeOf(await burst(8, UserNO, () => from, { Browser: mark }), 'wrongCredentials')).toBe(5)
  expect(faultOf(await signIn(UserNO, own, from, { Browser: mark }))).toBe('tooManyTries')

  moved += 31 * 60_000
  const changed = (
    await setPassword((await signIn(UserNO, own, from, { Browser: mark })).Data.Token, own, `${own} twice`, { Browser: mark })
  ).Data.Browser!
  expect(changed).not.toBe(mark)
  await strangers()
  expect(faultOf(await signIn(UserNO, `${own} twice`, from, { Browser: mark }))).toBe('triedTooFast')
  expect(faultOf(await signIn(UserNO, `${own} twice`, from, { Browser: changed }))).toBe('none')
  moved += 181 * dayMs
  await strangers()
  expect(faultOf(await signIn(UserNO, `${own} twice`, from, { Browser: changed }))).toBe('triedTooFast')
})

it('the current password is asked for five times, from wherever the session is used', async () => {
  const { UserNO, from } = await settled()
  const { Token } = (await signIn(UserNO, own, from)).Data
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      post('/System/User/SetPwd', { OldPwd: `wrong ${i}`, NewPwd: 'another river' }, { token: Token, from: `203.0.113.${i}` }),
    ),
  )
  expect(sizeOf(Map.groupBy(answers, faultOf), 'wrongPassword')).toBe(5)
})

it('what a caller writes into X-Forwarded-For is not his address', async () => {
  const forged = (i: number) => `10.0.0.${i}, 203.0.113.9`
  await signIn('whoever', 'wrong', forged(0))
  await db().rows(sql`update login_attempt set "Failures" = 97 where "Account" = '' and "Source" = 'address 203.0.113.9'`)
  const faults: unknown[] = []
  for (let i = 1; i <= 5; i++) faults.push(faultOf(await signIn(`whoever_${i}`, 'wrong', forged(i))))
  expect(faults).toEqual([...Array(3).fill('wrongCredentials'), 'tooManyTries', 'tooManyTries'])
  expect((await ask('/metrics', { from: '127.0.0.1' })).status).toBe(404)
  expect((await ask('/metrics', { from: '127.0.0.1, 203.0.113.9' })).status).toBe(404)
  // A proxy of ours has nothing to ask for itself.
  expect((await fetch(`http://127.0.0.1:${server.port}/metrics`)).status).toBe(404)

  const { UserNO, from } = await settled()
  const { Token } = (await signIn(UserNO, own, `127.0.0.1, ${from}`)).Data
  const sessions = await db().rows<{ Ip: string }>(sql`select "Ip" from session where "Id" = ${Token.split('.')[0]}`)
  expect(sessions).toEqual([{ Ip: from }])
})

it('an Authorization header that names nobody is within the limit of its address; a session is not', async () => {
  for (const [i, [path, authorization]] of [
    ['/api/Auth/Login', 'x'],
    ['/api/System/User/UserInfo', 'Bearer x'],
    ['/api/No/Such/Call', 'Bearer x'],
  ].entries()) {
    const from = `203.0.113.${200 + i}`
    const statuses: number[] = []
    const once = async () => {
      const headers = { authorization: authorization!, 'x-forwarded-for': from }
      statuses.push((await server.app.inject({ method: 'POST', url: path!, payload: {}, headers })).statusCode)
    }
    while (!statuses.includes(429) && statuses.length < 3000) await Promise.all(Array.from({ length: 50 }, once))
    expect(statuses, path).toContain(429)
    expect((await ask('/api/System/User/UserInfo', { token: admin, from })).status).toBe(200)
  }
})

it('a thousand connections are all that one address may hold; a trusted proxy may hold more', async () => {
  const open = async (localAddress: string, count: number, most: number) => {
    const one = () =>
      new Promise<Socket>((done, failed) => {
        const socket = connect({ port: server.port, host: '127.0.0.1', localAddress }, () => done(socket)).resume()
        socket.once('error', failed)
      })
    const sockets: Socket[] = []
    // Node lets 511 wait to be accepted; the kernel may take a minute to offer one more again.
    while (sockets.length < count) sockets.push(...(await Promise.all(Array.from({ length: 50 }, one))))
    await until('those too many to be cut', () => sockets.filter((s) => s.destroyed).length >= count - most)
    const alive = sockets.filter((s) => !s.destroyed).length
    for (const socket of sockets) socket.destroy()
    return alive
  }
  expect(await open('127.0.0.2', 1050, 1000)).toBe(1000)
  expect(await open('127.0.0.1', 1050, 1050)).toBe(1050)
  expect((await ask('/healthz')).status).toBe(200)
})

it('a one-time password ends after seven days, also for a session that it opened', async () => {
  const [early, late] = [await person(), await person()]
  moved += 6 * dayMs
  const { Token } = (await signIn(late.UserNO, late.OneTimePwd, late.from)).Data
  expect(faultOf(await signIn(early.UserNO, early.OneTimePwd, early.from))).toBe('none')
  moved += 2 * dayMs
  expect(await signIn(early.UserNO, early.OneTimePwd, early.from)).toMatchObject({ StatusCode: 400, Details: { Fault: 'oneTimeOver' } })
  expect(faultOf(await signIn(early.UserNO, 'wrong', early.from))).toBe('wrongCredentials')
  expect(faultOf(await setPassword(Token, late.OneTimePwd, own))).toBe('oneTimeOver')
  const { OneTimePwd } = (await post<{ OneTimePwd: string }>('/System/User/ResetPwd', { Id: early.Id }, { token: admin })).Data
  expect(faultOf(await signIn(early.UserNO, OneTimePwd, early.from))).toBe('none')
})

it('nobody counts through the account names of others: thirty answers an hour, then none for free names either', async () => {
  const make = (UserNO: string) => post('/System/User', { UserNO, UserName: 'x' }, { token: admin })
  for (let i = 0; i < 30; i++) expect(faultOf(await make('admin'))).toBe('taken')
  for (const name of ['admin', 'nobody_has_it']) expect(faultOf(await make(name))).toBe('tooManyTaken')
  moved += 3_600_001
  expect(faultOf(await make('nobody_has_it'))).toBe('none')
})
