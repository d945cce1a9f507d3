// Devices of described protocols dial a port of the server: plain sockets that say who they are, answer, and send by themselves.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { freePort } from '../main/testing/freePort.ts'
import { until } from './house.ts'
import { type Made, path, type Row, useSenders } from './sender-house.ts'

const [tcp, udp] = [await freePort(), await freePort()]
const senders = useSenders({ PENSTOCK_UPLINK_PORTS: `${tcp},${udp}/udp` })
const { adopt, seen, stateOf, pointsOf, latest } = senders

/** Four bytes: AA, the function, the address, a value. */
const Frame = { By: 'length', Length: 4, Start: 'AA' }
const Requests = [
  { Send: 'AA 01 {addr} 00', Answer: 'AA 02 {addr}', Fields: [{ Key: 'level', Type: 'u8', At: 3, Scale: 0.5 }] },
  { Send: 'AA 0A {addr} 00', Answer: 'AA 09 {addr}', Listen: true, Fields: [{ Key: 'event', Type: 'u8', At: 3 }] },
  { Send: 'AA 06 {addr} {value}', Answer: 'AA 07 {addr} {value}', Fields: [], Write: { Key: 'level', Type: 'u8', Scale: 0.5 } },
]
let description: Promise<Row> | undefined
const describe = () =>
  (description ??= senders.house().data<Row>('POST', '/Protocol/Custom', { CustomName: 'Four bytes', Frame, Requests }))
const door = async (Registration: string, more: object = {}) => {
  const { Id: SelfParseId } = await describe()
  return senders.door(6, { SelfParseId, Registration, Port: tcp, AskPeriod: 1, HeartbeatPeriod: 5, ...more })
}
/** Answers each read with twice the address, and each write with an echo. */
const answerTo = (bytes: Buffer) => {
  const answers: number[] = []
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const [, kind, unit, value] = bytes.subarray(at, at + 4) as unknown as [number, number, number, number]
    if (kind === 1) answers.push(0xaa, 2, unit, 2 * unit)
    if (kind === 6) answers.push(0xaa, 7, unit, value)
  }
  return Buffer.from(answers)
}
const dial = async (registration: string | Buffer, isDumb = false) => {
  const socket: Socket = await until('a connection', async () => {
    const attempt = connect(tcp, '127.0.0.1')
    return once(attempt, 'connect').then(
      () => attempt,
      () => undefined,
    )
  })
  socket.on('error', () => undefined)
  let heard = ''
  let isOver = false
  socket.on('close', () => {
    isOver = true
  })
  socket.on('data', (bytes: Buffer) => {
    heard += bytes.toString('hex')
    if (!isDumb) socket.write(answerTo(bytes))
  })
  socket.write(registration)
  return { socket, heard: () => heard, end: () => until('the end', () => isOver), isOver: () => isOver }
}

it('a device is asked, adopted and written to, and what it sends by itself is acknowledged once it is stored', async () => {
  const house = senders.house()
  const made = await door('IMEI-0001', { Units: '1, 2', Heartbeat: 'ping' })
  const { socket, heard } = await dial('IMEI-0001')
  // A heartbeat within a frame, in two pieces, and an event.
  socket.write(Buffer.of(0xaa, 9))
  socket.write('pi')
  socket.write(Buffer.concat([Buffer.from('ng'), Buffer.of(2, 77)]))
  await until('three keys', async () => (await seen(made.Id)).length === 3)
  expect((await seen(made.Id)).map(({ Device, Key, LastValue }) => [Device, Key, LastValue]).sort()).toEqual([
    ['1', 'level', 1],
    ['2', 'event', 77],
    ['2', 'level', 2],
  ])
  expect(await adopt(made.Id)).toEqual({ Devices: 2, Points: 3 })
  await until('the acknowledgement', () => heard().includes('aa0a0200'))
  const points = await pointsOf(made)
  await until('both levels', () => latest(points['1/level'])?.value === 1 && latest(points['2/level'])?.value === 2)
  socket.write(Buffer.of(0xaa, 9, 2, 78))
  await until('the second acknowledgement', () => heard().split('aa0a0200').length === 3)
  // Acknowledged is stored.
  expect(latest(points['2/event'])).toMatchObject({ value: 78, quality: 0 })
  const ParaId = points['2/level']!
  await house.data('PUT', '/Project/DevPara', { Id: ParaId, ReadWriteType: 1 })
  await house.registry.settled()
  const write = (Value: number) => house.data<{ Code: number }>('POST', '/Project/DevPara/Write', { ParaId, Value })
  expect([(await write(7.5)).Code, heard().includes('aa06020f')]).toEqual([0, true])
  expect((await write(1000)).Code).toBe(201)
  const gateway = () => house.data<Row>('GET', `/Project/Gateway?Id=${made.GatewayId}`)
  await until('online', async () => (await gateway()).OnlineStatus === 1)
  expect(await gateway()).toMatchObject({ GatewayTypeId: 2, GatewaySubTypeId: 26 })
  const [message] = await house.data<{ Payload: string }[]>('GET', `${path}/MessageList?Id=${made.Id}`)
  expect(message!.Payload).toMatch(/^AA 0[29] 0[12] [0-9A-F]{2}$/)
  // Its description is in use; a change of it is a new connection.
  const { Id } = await describe()
  expect((await house.call(house.admin, 'DELETE', '/Protocol/Custom', { Id })).StatusCode).toBe(409)
  socket.end()
  await until('offline', async () => (await gateway()).OnlineStatus === 0)
})

it('a second connection waits until the first is silent, and who is unknown is closed and counted', async () => {
  const made = await door('494d4549000000ff', { RegistrationForm: 2, Networks: '127.0.0.0/8' })
  const identity = Buffer.from('494d4549000000ff', 'hex')
  let first = await dial(identity)
  await until('it is heard', async () => {
    // A registration that is not known yet is closed; devices dial again.
    if (first.isOver()) first = await dial(identity)
    return (await stateOf(made.Id)).Messages > 0
  })
  const second = await dial(identity)
  await second.end()
  expect(await stateOf(made.Id)).toMatchObject({ Connections: 1, LastFault: expect.stringContaining('that is connected') })
  expect([second.heard(), first.isOver()]).toEqual(['', false])
  const { Strangers } = await stateOf(made.Id)
  for (const wrong of ['GET / HTTP/1.1\r\n', 'x'.repeat(3000), '##0101nothing of HJ 212']) {
    const stranger = await dial(wrong)
    await stranger.end()
    expect(stranger.heard()).toBe('')
  }
  expect((await stateOf(made.Id)).Strangers).toBe(Strangers + 3)
  // Garbage is refused where its owner can see it, and affects no one else.
  first.socket.write(Buffer.of(0xaa, 0xee, 0, 0))
  await until('the fault', async () => (await stateOf(made.Id)).LastFault === 'it is no answer to a question')
  await senders.house().data('PUT', path, { Id: made.Id, Networks: '10.0.0.0/8' })
  await first.end()
  const elsewhere = await dial(identity)
  await elsewhere.end()
  expect((await stateOf(made.Id)).LastFault).toContain('is not in its networks')
})

it('over UDP it is answered where it registered; a port may be shared with stations of HJ 212', async () => {
  const made = await door('METER-UDP-1', { Port: udp, Transport: 2, Networks: '127.0.0.1' })
  const device = createSocket('udp4')
  device.on('message', (bytes) => {
    const answer = answerTo(bytes)
    if (answer.length) device.send(answer, udp, '127.0.0.1')
  })
  await until('a value', async () => {
    device.send('METER-UDP-1', udp, '127.0.0.1')
    return (await seen(made.Id))[0]?.LastValue === 1
  })
  expect((await stateOf(made.Id)).Connections).toBe(1)
  device.close()
})

it('fields are refused by name, and no registration begins as another one', async () => {
  const house = senders.house()
  await door('SHARED-0001')
  const { Id: SelfParseId } = await describe()
  const company = await house.data('POST', '/System/Enterprise', { Name: 'Second', ManagerNO: 'second_manager', ManagerName: 'Manager' })
  const project = await house.data('POST', '/Project/Project', { ProjectName: 'Theirs', EnterpriseId: company.Id })
  const theirs = await house.data<Row>('POST', '/Protocol/Custom', { CustomName: 'Theirs', EnterpriseId: company.Id, Frame, Requests })
  const body = { ComponentName: 'X', Language: 6, ProjectId: senders.project(), SelfParseId, Registration: 'FRESH-0001', Port: tcp }
  for (const [more, field] of [
    [{ Registration: 'SHARED-00012' }, 'Registration'],
    [{ Registration: 'SHARED' }, 'Registration'],
    [{ Registration: 'SHARED-0001', ProjectId: project.Id, SelfParseId: theirs.Id }, 'Registration'],
    [{ Registration: 'short' }, 'Registration'],
    [{ Registration: null }, 'Registration'],
    [{ Registration: 'not hex', RegistrationForm: 2 }, 'Registration'],
    [{ Registration: 'x'.repeat(257) }, 'Registration'],
    [{ Heartbeat: 'x'.repeat(257) }, 'Heartbeat'],
    [{ SelfParseId: undefined }, 'SelfParseId'],
    [{ SelfParseId: theirs.Id }, 'SelfParseId'],
    [{ Port: undefined }, 'Port'],
    [{ Port: udp, Transport: 2 }, 'Networks'],
    [{ Units: '1, 256' }, 'Units'],
  ] as const)
    expect([more, (await house.call(house.admin, 'POST', path, { ...body, ...more })).Details?.Fields]).toEqual([
      more,
      { [field]: expect.anything() },
    ])
  const made = await house.data<Made>('POST', path, body)
  for (const [more, field] of [
    [{ SelfParseId: null }, 'SelfParseId'],
    [{ SelfParseId: theirs.Id }, 'SelfParseId'],
    [{ Units: null }, 'Units'],
  ] as const)
    expect((await house.call(house.admin, 'PUT', path, { Id: made.Id, ...more })).Details?.Fields).toHaveProperty(field)
  expect((await house.call(house.admin, 'POST', `${path}/ResetKey`, { Id: made.Id })).StatusCode).toBe(409)
  // Of other languages these fields are nothing.
  const json = await senders.door(2, { SelfParseId, Registration: 'NOTHING-01', Port: tcp })
  expect(json).toMatchObject({ SelfParseId: null, Registration: null, Port: null })
})
