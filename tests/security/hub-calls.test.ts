// One person calls the live hub over many sockets as fast as he can (finding N5 of the security review).
import type { Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import { ownServer } from '../faults/own-server.ts'
import { until } from '../front-door.ts'
import { connectHub } from '../house.ts'

const own = ownServer()
const mark = '\x1e'
const password = 'one of many sockets'

/** A person who sees live values; another one each time. */
const newViewer = async (UserNO: string) => {
  const { data, login } = own.door
  const { Id } = await data('POST', '/System/Role', { RoleName: UserNO })
  await data('POST', '/System/Role/AuthorizationMenu', { RoleId: Id, MenuCodes: ['m101', 'm10108'] })
  const { OneTimePwd } = await data<{ OneTimePwd: string }>('POST', '/System/User', { UserNO, UserName: UserNO, RoleIds: [Id] })
  await data('POST', '/System/User/SetPwd', { OldPwd: OneTimePwd, NewPwd: password }, await login(UserNO, OneTimePwd))
  return () => login(UserNO, password)
}

const openSocket = async (token: string) => {
  const hub = `${own.process.origin}/api/hubs/sysmsghub`
  const answer = await fetch(`${hub}/negotiate?negotiateVersion=1`, { method: 'POST', headers: { authorization: `Bearer ${token}` } })
  const { connectionToken } = (await answer.json()) as { connectionToken: string }
  const socket = new WebSocket(`${hub.replace('http', 'ws')}?id=${connectionToken}`)
  socket.on('error', () => undefined)
  await new Promise((done) => socket.once('open', done))
  const seen = { served: 0, refused: 0, cut: '' }
  socket.on('message', (data) => {
    for (const text of String(data).split(mark).filter(Boolean)) {
      const frame = JSON.parse(text) as { type?: number; error?: string }
      if (frame.type === 7) seen.cut = frame.error ?? ''
      if (frame.type !== 3) continue
      if (frame.error === undefined) seen.served++
      else {
        expect(frame.error).toBe('tooMany')
        seen.refused++
      }
    }
  })
  const say = (frame: object) => socket.send(JSON.stringify(frame) + mark)
  say({ protocol: 'json', version: 1 })
  return { socket, seen, say }
}

const ids = Array.from({ length: 2000 }, (_, i) => i + 1e6)
const subscribe = { type: 1, invocationId: '1', target: 'Subscribe', arguments: [ids] }

test('what one person asks over many sockets of several sessions is one share: the rest waits or is refused, and others are served', async () => {
  const login = await newViewer('many_sockets')
  const tokens = [await login(), await login()]
  const sockets = await Promise.all(Array.from({ length: 40 }, (_, i) => openSocket(tokens[i % 2]!)))
  const other = await connectHub(own.process.origin, await (await newViewer('one_socket'))())
  const refused = () => sockets.reduce((n, { seen }) => n + seen.refused, 0)
  for (const { say } of sockets) for (let n = 0; n < 5; n++) say(subscribe)
  // Of 400,000 ids, 20,000 are sent together and 100,000 wait.
  await until('what is over to be refused', () => refused() >= 100)
  expect(await other.connection.invoke('Subscribe', ids)).toMatchObject({ Values: [] })
  await other.connection.stop()
  expect(sockets.map(({ seen }) => seen.cut)).toEqual(sockets.map(() => ''))
  // Waiting calls of sockets that went cost nothing, so a call after them has its turn.
  for (const { socket } of sockets) socket.terminate()
  const back = await openSocket(tokens[0]!)
  back.say({ ...subscribe, arguments: [[1]] })
  await until('the share to be open again', () => back.seen.served === 1)
  back.socket.terminate()
})

test('who sends more than anybody needs is cut, whatever the messages are', async () => {
  const token = await (await newViewer('many_bytes'))()
  const sockets = await Promise.all(Array.from({ length: 40 }, () => openSocket(token)))
  // Each socket stays within its own calls; a frame is 60 KB of nothing that the hub knows.
  for (const { say } of sockets) for (let n = 0; n < 5; n++) say({ type: 9, filler: 'x'.repeat(60_000) })
  await until('the offender to be cut', () => sockets.some(({ seen }) => seen.cut === 'Too many calls.'))
  for (const { socket } of sockets) socket.terminate()
  const other = await connectHub(own.process.origin, own.door.admin)
  expect(await other.connection.invoke('Subscribe', [1])).toMatchObject({ Values: [] })
  await other.connection.stop()
})

describe('one person with a hundred sockets', () => {
  let token: string
  let sockets: Awaited<ReturnType<typeof openSocket>>[]
  const commits = async () => {
    const [row] = await own.query<{ n: string }>('select xact_commit as n from pg_stat_database where datname = current_database()')
    return Number(row!.n)
  }
  /** The database's work for calls and their consequences. */
  const costOf = async (calls: number, body: (n: number) => object) => {
    const before = await commits()
    for (let n = 0; n < calls; n++) await own.door.data('PUT', '/System/User/Account', body(n), token)
    // Backends report their statistics a second later.
    await new Promise((done) => setTimeout(done, 2500))
    return ((await commits()) - before) / calls
  }
  beforeAll(async () => {
    const { device } = await own.door.newGateway('HUBPOINTS1', 1)
    const points: number[] = []
    for (let n = 0; n < 5; n++)
      points.push((await own.door.data('POST', '/Project/DevPara', { ParaName: `P${n}`, DeviceId: device, Address: `${n}` })).Id)
    const login = await newViewer('saves_account')
    const tokens = [await login(), await login()]
    token = tokens[0]!
    sockets = await Promise.all(Array.from({ length: 100 }, (_, i) => openSocket(tokens[i % 2]!)))
    for (const { say } of sockets) say({ ...subscribe, arguments: [points] })
    await until('all to be subscribed', () => sockets.every(({ seen }) => seen.served === 1))
    expect(await own.figure('hub_connections')).toBeGreaterThan(99)
  })
  afterAll(() => {
    for (const { socket } of sockets) socket.terminate()
  })

  test('who saves his account and changes nothing has no session read again', async () => {
    const before = await own.figure('hub_rechecks_total')
    expect(await costOf(50, () => ({}))).toBeLessThan(20)
    // The first check of each connection is automatic.
    expect((await own.figure('hub_rechecks_total')) - before).toBeLessThan(8)
  })

  test('who changes his language again and again is checked now and then, with one question for all sockets', async () => {
    expect(await costOf(50, (n) => ({ Language: n % 2 ? 'en' : 'es' }))).toBeLessThan(30)
    expect(await own.figure('hub_rechecks_waiting')).toBeLessThan(2)
    expect(sockets.every(({ seen }) => seen.cut === '')).toBe(true)
  })
})

/** A raw socket, and whether the server closed it. */
const openRaw = async (token: string) => {
  const opened = await openSocket(token)
  const raw = (opened.socket as unknown as { _socket: Socket })._socket
  const seen = { isClosed: false }
  opened.socket.once('close', () => {
    seen.isClosed = true
  })
  return { ...opened, raw, state: seen }
}
const frame = (first: number, ...payload: number[]) => Buffer.from([first, 0x80 | payload.length, 0, 0, 0, 0, ...payload])

test.each([
  ['empty texts', frame(0x81)],
  ['pings', frame(0x89)],
  ['pongs', frame(0x8a)],
])('a flood of frames is not parsed beyond a person’s share: %s', async (kind, one) => {
  const token = await (await newViewer(`floods_${kind.replace(' ', '_')}`))()
  const { raw, state } = await openRaw(token)
  const flood = Buffer.concat(Array(1000).fill(one))
  let sent = 0
  // Without an end: who is cut is no longer read, too.
  const more = () => {
    while (raw.writable && sent++ < 3000) if (!raw.write(flood)) return void raw.once('drain', more)
  }
  more()
  await until('the offender to be cut', () => state.isClosed)
  expect(sent).toBeLessThan(3000)
  const back = await openRaw(token)
  await until('the next socket of the person to be cut', () => back.state.isClosed)
})

test('fragments of a message are few, and count before the message is whole', async () => {
  const token = await (await newViewer('fragments'))()
  const few = await openRaw(token)
  few.raw.write(Buffer.concat([frame(0x01, 123), ...Array(14).fill(frame(0x00, 32))]))
  const many = await openRaw(token)
  many.raw.write(Buffer.concat([frame(0x01, 123), ...Array(100).fill(frame(0x00, 32))]))
  await until('the offender to be cut', () => many.state.isClosed)
  expect(few.state.isClosed).toBe(false)
  few.socket.terminate()
})
