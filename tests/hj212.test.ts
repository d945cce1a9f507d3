// Stations that speak HJ 212: plain sockets with the frames of the standard.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import type { Page } from '../contract/call.ts'
import { createFrameReader, frameOf } from '../server/hj212/frame.ts'
import { wallText } from '../server/hj212/wallTime.ts'
import { until } from './house.ts'
import { type Made, path, type Row, useSenders } from './sender-house.ts'

const freePort = () =>
  new Promise<number>((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => done(port))
    })
  })
const [tcp, udp, closed] = [await freePort(), await freePort(), await freePort()]
const senders = useSenders({ PENSTOCK_UPLINK_PORTS: `${tcp},${udp}/udp` })
const { adopt, seen, stateOf, pointsOf, latest } = senders

const MN = '010000A8900016F000169DC0'
const stations: Socket[] = []
/** A station with its received messages, and a way to wait for the end of its connection. */
const dial = async (port = tcp) => {
  // A port opens a moment after its first door.
  const socket = await until('a connection', async () => {
    const attempt = connect(port, '127.0.0.1')
    return once(attempt, 'connect').then(
      () => attempt,
      () => undefined,
    )
  })
  stations.push(socket)
  const heard: string[] = []
  const reader = createFrameReader()
  let ended = false
  socket.on('data', (bytes: Buffer) => {
    for (const frame of reader.take(bytes)) heard.push('text' in frame ? frame.text.toString() : frame.fault)
  })
  socket.on('error', () => undefined)
  socket.on('close', () => {
    ended = true
  })
  return { socket, heard, end: () => until('the end', () => ended), isOver: () => ended }
}
type Said = { CN?: number; PW?: string; MN?: string; Flag?: number; QN?: string; more?: string }
let nextQn = 1
const said = (
  CP: string,
  { CN = 2011, PW = '123456', MN: mn = MN, Flag = 5, QN = `2026010100000${String(nextQn++).padStart(4, '0')}`, more = '' }: Said = {},
) => `QN=${QN};ST=32;CN=${CN};PW=${PW};MN=${mn};Flag=${Flag};${more}CP=&&${CP}&&`
const at = (ms: number) => wallText(ms, 'UTC')
const door = (more: object = {}) => senders.door(5, { MN, Password: '123456', Port: tcp, ...more })
/** Whole seconds: HJ 212 has no other. */
const second = (ms = Date.now()) => Math.floor(ms / 1000) * 1000

it('a station is heard, adopted and answered once its data is stored; flags are qualities, older data is history', async () => {
  const house = senders.house()
  const made = await door()
  expect([made.Token, JSON.stringify(await house.data('GET', `${path}?Id=${made.Id}`)).includes('123456')]).toEqual(['123456', false])
  const { socket, heard } = await dial()
  const now = second()
  const real = (time: number, value: number, flag = 'N') =>
    `DataTime=${at(time)};w01018-Rtd=${value},w01018-Flag=${flag};w01001-Rtd=7.1,w01001-Flag=T`
  socket.write(frameOf(said(real(now, 12.5), { QN: '20260101000000001' })))
  await until('the answer', () => heard.length === 1)
  expect(heard[0]).toBe(`QN=20260101000000001;ST=91;CN=9014;PW=123456;MN=${MN};Flag=4;CP=&&&&`)
  const hour = now - (now % 3_600_000) - 3_600_000
  socket.write(frameOf(said(`DataTime=${at(hour)};w01018-Min=1,w01018-Avg=2,w01018-Max=3,w01018-Cou=40,w01018-Flag=N`, { CN: 2061 })))
  await until('the second', () => heard.length === 2)
  expect((await seen(made.Id)).map(({ Key }) => Key).sort()).toEqual(
    ['w01001-Rtd', 'w01018-Avg.hour', 'w01018-Cou.hour', 'w01018-Max.hour', 'w01018-Min.hour', 'w01018-Rtd'].sort(),
  )
  expect(await adopt(made.Id)).toEqual({ Devices: 1, Points: 6 })
  for (const CN of [2051, 2061, 2031]) socket.write(frameOf(said(`DataTime=${at(hour)};w01018-Avg=${CN},w01018-Flag=N`, { CN })))
  socket.write(frameOf(said(real(now, 13))))
  socket.write(frameOf(said(real(now - 60_000, 11))))
  await until('all answers', () => heard.length === 7)
  const points = await pointsOf(made)
  const of = (key: string) => latest(points[`${made.ComponentName}/${key}`])
  expect(of('w01018-Rtd')).toMatchObject({ value: 13, time: now, quality: 0 })
  expect(of('w01001-Rtd')).toMatchObject({ value: 7.1, quality: 1 })
  expect(of('w01018-Avg.hour')).toMatchObject({ value: 2061, time: hour })
  const rows = await house.telemetry.read([points[`${made.ComponentName}/w01018-Rtd`]!], now - 120_000, now + 1000)
  expect(rows.map(({ value }) => value)).toEqual([11, 13])
  // Out of order, and not reachable: no value.
  socket.write(frameOf(said(real(now + 1000, 99, 'D'))))
  await until('a broken instrument', () => of('w01018-Rtd')?.quality === 3)
  expect(of('w01018-Rtd')?.value).toBeNull()
  // A notice has its own answer, an answer of the station has none, and a message without the flag gets none.
  socket.write(frameOf(said('PolId=w01018', { CN: 1013 })))
  socket.write(frameOf(said('ExeRtn=1', { CN: 9012 })))
  socket.write(frameOf(said(real(now + 2000, 14), { Flag: 4 })))
  await until('the value that asked for no answer', () => of('w01018-Rtd')?.value === 14)
  expect([heard.length, heard.at(-1)?.includes('CN=9013')]).toEqual([9, true])
  const gateway = () => house.data<Row>('GET', `/Project/Gateway?Id=${made.GatewayId}`)
  await until('online', async () => (await gateway()).OnlineStatus === 1)
  socket.end()
  await until('offline', async () => (await gateway()).OnlineStatus === 0)
})

it('packets are put together, closed ones one by one, others once all are there', async () => {
  const made = await door({ MN: 'PACKETS00000000000000001' })
  const own = { MN: 'PACKETS00000000000000001', Flag: 7 }
  const { socket, heard } = await dial()
  const time = at(second())
  const part = (PNO: number, CP: string, QN: string) => frameOf(said(CP, { ...own, QN, more: `PNUM=2;PNO=${PNO};` }))
  socket.write(part(1, `DataTime=${time};a1-Rtd=1`, '1'))
  socket.write(part(2, 'a2-Rtd=2', '1'))
  await until('both', () => heard.length === 2)
  const cut = (PNO: number, text: string) => {
    const [head] = said('', { ...own, QN: '2', more: `PNUM=2;PNO=${PNO};` }).split('CP=&&')
    return frameOf(`${head}CP=&&${text}`)
  }
  socket.write(cut(2, '3;a4-Rtd=4&&'))
  socket.write(cut(1, `DataTime=${time};a3-Rtd=`))
  await until('one for the whole', () => heard.length === 3)
  expect((await seen(made.Id)).map(({ Key, LastValue }) => [Key, LastValue]).sort()).toEqual([
    ['a1-Rtd', 1],
    ['a2-Rtd', 2],
    ['a3-Rtd', 3],
    ['a4-Rtd', 4],
  ])
})

it('the PW of a station is in no message that people look at, neither in those that were read nor in those that were refused', async () => {
  const house = senders.house()
  const own = { MN: 'HIDDEN000000000000000001', PW: 'hidden01' }
  const made = await door({ MN: own.MN, Password: own.PW })
  const { socket, heard } = await dial()
  socket.write(frameOf(said(`DataTime=${at(second())};a1-Rtd=1`, own)))
  socket.write(frameOf(said('DataTime=yesterday;a1-Rtd=2', own)))
  await until('both answers', () => heard.length === 2)
  const messages = await house.data<Row[]>('GET', `${path}/MessageList?Id=${made.Id}`)
  expect(messages.map(({ Payload }) => String(Payload).includes(`PW=******;MN=${own.MN};`))).toEqual([true, true])
  const refused = await until('the refused one', async () => {
    const { Items } = await house.data<Page<Row>>('GET', `/Project/Gateway/RejectedList?GatewayId=${made.GatewayId}`)
    return Items.length > 0 && Items
  })
  expect(JSON.stringify([messages, refused])).toContain('yesterday')
  expect(JSON.stringify([messages, refused])).not.toContain(own.PW)
})

it('two companies with one MN are blind to each other, and who is unknown is closed and counted', async () => {
  const house = senders.house()
  const mine = await door({ MN: 'SHARED000000000000000001', Password: 'mine01' })
  const company = await house.data('POST', '/System/Enterprise', { Name: 'Second', ManagerNO: 'second_manager', ManagerName: 'Manager' })
  const project = await house.data('POST', '/Project/Project', { ProjectName: 'Theirs', EnterpriseId: company.Id })
  const shared = { ComponentName: 'Theirs', Language: 5, ProjectId: project.Id, MN: 'SHARED000000000000000001', Port: tcp }
  const theirs = await house.data<Made>('POST', path, { ...shared, Password: 'their1' })
  const ask = (body: object) => house.call(house.admin, 'POST', path, body)
  expect((await ask({ ...shared, ComponentName: 'Again', Password: 'mine01' })).Details?.Fields).toHaveProperty('MN')
  const [a, b] = [await dial(), await dial()]
  const own = { MN: 'SHARED000000000000000001' }
  a.socket.write(frameOf(said(`DataTime=${at(second())};x-Rtd=1`, { ...own, PW: 'mine01' })))
  b.socket.write(frameOf(said(`DataTime=${at(second())};x-Rtd=2`, { ...own, PW: 'their1' })))
  await until('both answers', () => a.heard.length + b.heard.length === 2)
  expect([(await seen(mine.Id))[0]?.LastValue, (await seen(theirs.Id))[0]?.LastValue]).toEqual([1, 2])
  const before = (await stateOf(mine.Id)).Strangers
  for (const other of [{ ...own, PW: 'wrong1' }, { MN: 'NOBODY000000000000000001' }]) {
    const stranger = await dial()
    stranger.socket.write(frameOf(said('DataTime=20260101000000;x-Rtd=3', other)))
    await stranger.end()
    expect(stranger.heard).toEqual([])
  }
  expect(await stateOf(mine.Id)).toMatchObject({ Strangers: before + 2, LastFault: 'another PW', Connections: 1 })
  // A new PW, or a stop, ends open connections.
  const { Token } = await house.data<Made>('POST', `${path}/ResetKey`, { Id: mine.Id })
  expect(Token).toMatch(/^[0-9A-Z]{6}$/)
  await a.end()
  await house.data('POST', `${path}/Stop`, { Id: theirs.Id })
  await b.end()
  // Its key is no token of the other languages.
  expect((await senders.send('/api/uplink', '{}', { authorization: `Bearer ${Token}` })).status).toBe(401)
  await expect(senders.connect(`hj212 SHARED000000000000000001 ${Token}`)).rejects.toThrow()
})

it('only ports of the settings open; UDP names its networks, and answers where it was asked', async () => {
  const house = senders.house()
  const ask = (more: object) =>
    house.call(house.admin, 'POST', path, {
      ComponentName: 'Port',
      Language: 5,
      ProjectId: senders.project(),
      MN: 'PORT00000000000000000001',
      ...more,
    })
  for (const [more, field] of [
    [{ Port: closed }, 'Port'],
    [{ Port: udp }, 'Port'],
    [{}, 'Port'],
    [{ Port: udp, Transport: 2 }, 'Networks'],
    [{ Port: tcp, Networks: '10.0.0.0/33' }, 'Networks'],
    [{ Port: tcp, MN: undefined }, 'MN'],
  ] as const)
    expect([more, (await ask(more)).Details?.Fields]).toEqual([more, { [field]: expect.anything() }])
  expect(await house.data('GET', `${path}/PortList`)).toEqual([
    { Port: tcp, Transport: 1 },
    { Port: udp, Transport: 2 },
  ])
  const made = await door({ MN: 'DATAGRAM0000000000000001', Port: udp, Transport: 2, Networks: '127.0.0.0/8, 10.1.2.3' })
  const socket = createSocket('udp4')
  const heard: string[] = []
  socket.on('message', (bytes) => void heard.push(bytes.toString()))
  const frame = frameOf(said(`DataTime=${at(second())};x-Rtd=1`, { MN: 'DATAGRAM0000000000000001' }))
  await until('an answer', () => {
    socket.send(frame, udp, '127.0.0.1')
    return heard.length > 0
  })
  expect(heard[0]).toMatch(/^##\d{4}QN=\d+;ST=91;CN=9014;/)
  await house.data('PUT', path, { Id: made.Id, Networks: '10.0.0.0/8' })
  const rejected = async () => (await stateOf(made.Id)).Rejected
  await until('a datagram from elsewhere', async () => {
    socket.send(frame, udp, '127.0.0.1')
    return (await rejected()) > 0
  })
  socket.close()
})

it('hostile bytes end their connection and disturb nobody; a frame that is not stored has no answer', async () => {
  await door({ MN: 'HOSTILE00000000000000001' })
  const own = { MN: 'HOSTILE00000000000000001' }
  const good = await dial()
  const ask = async () => {
    const before = good.heard.length
    good.socket.write(frameOf(said(`DataTime=${at(second())};x-Rtd=1`, own)))
    await until('an answer', () => good.heard.length > before)
  }
  await ask()
  const hostile = [
    '##9999'.repeat(40_000),
    '\0'.repeat(100_000),
    `##0010${'x'.repeat(10)}0000`.repeat(50),
    frameOf('no message').toString(),
  ]
  for (const bytes of hostile) {
    const { socket, isOver } = await dial()
    socket.write(bytes)
    await ask()
    if (bytes !== hostile[1]) await until(`the end after ${bytes.slice(0, 20)}`, isOver)
    socket.destroy()
  }
  // A wrong time is kept as refused, and acknowledged: sending it again would not mend it.
  const { heard } = good
  const before = heard.length
  good.socket.write(frameOf(said('DataTime=20269901000000;x-Rtd=1', own)))
  await until('the answer', () => heard.length > before)
  const { Items } = await senders.house().data<Page<Row>>('GET', `${path}/List?PageSize=100`)
  const { Id } = Items.find((row) => row.MN === own.MN)!
  expect(await stateOf(Id)).toMatchObject({ LastFault: 'DataTime 20269901000000' })
})

it('a sender whose bytes come in many pieces leaves nothing behind with each of them', async () => {
  const warnings: string[] = []
  const hear = ({ name }: Error) => void warnings.push(name)
  process.on('warning', hear)
  await door({ MN: '010000A8900016F000169DC9' })
  const { socket } = await dial()
  socket.setNoDelay(true)
  for (let n = 0; n < 40; n++) {
    socket.write('noise')
    await new Promise((next) => setTimeout(next, 2))
  }
  process.off('warning', hear)
  expect(warnings).toEqual([])
})
