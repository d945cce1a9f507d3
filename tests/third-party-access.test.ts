// Readings go on to a system of others: a receiver that is a plain HTTP server.
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { createServer as createSecure } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls'
import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { certificate } from '../main/testing/certificate.ts'
import { freePort } from '../main/testing/freePort.ts'
import { webhookSign } from '../server/channels/webhook.ts'
import { until } from './house.ts'
import { type Row, useSenders } from './sender-house.ts'

const inbox: { headers: IncomingHttpHeaders; text: string }[] = []
let status = 204
const receiver = createServer((request, reply) => {
  let text = ''
  request.on('data', (part) => {
    text += part
  })
  request.on('end', () => {
    inbox.push({ headers: request.headers, text })
    reply.writeHead(status).end('what a stranger says')
  })
})
await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
const { port } = receiver.address() as AddressInfo
afterAll(() => void receiver.close())

const [theirs, ours] = [await certificate(), await certificate()]
const known = getCACertificates('default')
setDefaultCACertificates([...known, theirs.cert])
const subjects: (string | undefined)[] = []
const secure = createSecure({ ...theirs, requestCert: true, rejectUnauthorized: false }, (request, reply) => {
  subjects.push((request.socket as TLSSocket).getPeerX509Certificate()?.toString())
  reply.writeHead(204).end()
})
await new Promise<void>((done) => secure.listen(0, '127.0.0.1', done))
const { port: securePort } = secure.address() as AddressInfo
afterAll(() => {
  secure.close()
  setDefaultCACertificates(known)
})

const [mqttPort, stationPort, closedPort] = [await freePort(), await freePort(), await freePort()]
const senders = useSenders({
  PENSTOCK_OUTBOUND: [port, securePort, mqttPort, stationPort, closedPort].map((p) => `127.0.0.1/32:${p}`).join(','),
  PENSTOCK_MQTT_PORT: String(mqttPort),
  PENSTOCK_UPLINK_PORTS: String(stationPort),
})
const path = '/Project/ThirdPartyAccess'
const rowOf = async (Id: number) =>
  (await senders.house().data<{ Items: Row[] }>('GET', `${path}/List`)).Items.find((row) => row.Id === Id)!
const sendStatus = (Id: number, wanted: number) =>
  until(`status ${wanted}`, async () => {
    const row = await rowOf(Id)
    return row.SendStatus === wanted && row
  })

it('latest values go out as JSON or lines, signed once there is a secret, and a failure says why and is mended', async () => {
  const [house, made] = [senders.house(), await senders.door(3)]
  const headers = { authorization: `Token ${made.Token}` }
  const send = (value: number) => senders.send('/api/v2/write?precision=s', `big\\ tank,side=a level=${value}`, headers)
  await send(1)
  await senders.adopt(made.Id)
  await send(2.5)

  const [{ Id }] = [
    await house.data<Row>('POST', path, { AccessName: 'Authority', ProjectId: senders.project(), Url: `http://127.0.0.1:${port}/in` }),
  ]
  expect(await sendStatus(Id, 1)).toMatchObject({ LastFault: null, Period: 60, Format: 1 })
  expect(JSON.parse(inbox[0]!.text)).toMatchObject({
    AccessId: Id,
    Project: 'Foreign',
    Readings: [{ Name: 'level', Value: 2.5, Quality: 0 }],
  })
  expect(inbox[0]!.headers['webhook-signature']).toBeUndefined()

  const { Secret } = await house.data<{ Secret: string }>('POST', `${path}/ResetKey`, { Id })
  expect(JSON.stringify(await rowOf(Id))).not.toContain(Secret)
  inbox.length = 0
  await house.data('PUT', path, { Id, Format: 2 })
  const lines = await until('signed lines', () => inbox[0])
  const [id, seconds] = [String(lines.headers['webhook-id']), Number(lines.headers['webhook-timestamp'])]
  expect(lines.headers['webhook-signature']).toBe(webhookSign(Secret, id, seconds, lines.text))
  expect(lines.text).toMatch(/^penstock,project=Foreign,device=big\\ tank\\,side\\=a,point=level,id=\d+ value=2.5,quality=0i \d{19}$/)

  status = 500
  await house.data('PUT', path, { Id, Remark: 'down' })
  expect(await sendStatus(Id, 2)).toMatchObject({ LastFault: 'status', FaultStatus: 500 })
  status = 204
  await house.data('PUT', path, { Id, Remark: 'up' })
  expect(await sendStatus(Id, 1)).toMatchObject({ LastFault: null })

  // Another receiver does not get what the one before can verify, and no address of the server's own network is asked.
  inbox.length = 0
  await house.data('PUT', path, { Id, Url: `http://127.0.0.1:${port}/other` })
  expect((await until('the new address', () => inbox[0])).headers['webhook-signature']).toBeUndefined()
  await house.data('PUT', path, { Id, Url: `http://127.0.0.1:${house.port}/api` })
  expect((await sendStatus(Id, 2)).LastFault).toBe('notAllowed')
  const wrongs = [{ Url: 'ftp://x' }, { Url: 'mqtt://x' }, { Url: 'http://a:b@x' }, { Target: 2 }, { Target: 3, Url: 'tcp://x:1' }]
  for (const wrong of [...wrongs, { Period: 9 }, { Format: 3 }])
    expect([wrong, (await house.call(house.admin, 'PUT', path, { Id, ...wrong })).StatusCode]).toEqual([wrong, 400])
  expect((await house.call(house.admin, 'DELETE', path, { Id })).StatusCode).toBe(200)
})

type Item = { ParaId: number; Name: string; Time: number; Value: number | null }
const itemsIn = (text: string) => (JSON.parse(text) as { Readings: Item[] }).Readings
const second = Math.floor(Date.now() / 1000)
/** A sender of lines with these keys as points, and their Ids. */
const lineSender = async (...keys: string[]) => {
  const made = await senders.door(3)
  const headers = { authorization: `Token ${made.Token}` }
  const send = async (lines: string) => {
    const answer = await senders.send('/api/v2/write?precision=s', lines, headers)
    if (answer.status !== 204) throw new Error(`${answer.status}`)
  }
  await send(`d ${keys.map((key) => `${key}=0`).join(',')} ${second - 3600}`)
  await senders.adopt(made.Id)
  const points = await senders.pointsOf(made)
  return { send, id: (key: string) => points[`d/${key}`] ?? points[`${made.ComponentName}/${key}`]! }
}
/** Makes what failed due again, as its next attempt would. */
const soon = (Id: number, n: number) => senders.house().data('PUT', path, { Id, Remark: `again ${n}` })
const begun = (Id: number) =>
  until('its place', async () => {
    const [row] = await senders
      .house()
      .database.system.rows<{ Cursor: number | null }>(sql`select "Cursor" from third_party_access where "Id" = ${Id}`)
    return row?.Cursor !== null
  })

it('each reading goes out once it is stored, in order, with what comes late, after a failure, too; what retention took is lost', async () => {
  const house = senders.house()
  const { send, id } = await lineSender('a', 'b')
  inbox.length = 0
  const body = {
    AccessName: 'Each',
    ProjectId: senders.project(),
    Url: `http://127.0.0.1:${port}/each`,
    Mode: 2,
    NameRule: '{device}.{point}#{id}',
  }
  const { Id } = await house.data<Row>('POST', path, body)
  await begun(Id)
  await house.data('POST', `${path}/DevPara`, { ThirdPartyAccessId: Id, PointIds: [id('a')] })
  status = 500
  await send(`d a=1,b=1 ${second}\nd a=2 ${second + 1}\nd a=1.5 ${second - 600}`)
  await soon(Id, 1)
  expect(await sendStatus(Id, 2)).toMatchObject({ LastFault: 'status', Waiting: 3, Sent: 0, Lost: 0 })
  await send(`d a=3 ${second + 2}`)
  status = 204
  inbox.length = 0
  await soon(Id, 2)
  const row = await until('all four', async () => {
    const found = await rowOf(Id)
    return found.Sent === 4 && found.SendStatus === 1 && found
  })
  expect(row).toMatchObject({ Waiting: 0, WaitingSince: null, LastFault: null })
  const readings = inbox.flatMap(({ text }) => itemsIn(text))
  expect(readings.map(({ Value, Time, ParaId }) => [Value, Time / 1000 - second, ParaId === id('a')])).toEqual([
    [1, 0, true],
    [2, 1, true],
    [1.5, -600, true],
    [3, 2, true],
  ])
  expect(readings[0]!.Name).toBe(`d.a#${id('a')}`)
  // Nothing is sent twice, and what retention takes before it was sent is counted.
  await house.data('PUT', path, { Id, Enabled: 0 })
  const days = (n: number) => second - n * 86_400
  await send(`d a=7 ${days(20)}\nd a=8 ${days(3)}\nd a=9 ${second + 3}`)
  const company = (await house.data<Row>('GET', `${path}?Id=${Id}`)).EnterpriseId
  await house.data('PUT', '/System/Enterprise', { Id: company, RetentionDays: 7 })
  await until('retention', async () => {
    await house.telemetry.retain()
    return (await rowOf(Id)).Lost === 1
  })
  await house.telemetry.retain()
  inbox.length = 0
  await house.data('PUT', path, { Id, Enabled: 1 })
  await until('the rest', async () => (await rowOf(Id)).Sent === 6)
  expect([inbox.flatMap(({ text }) => itemsIn(text).map(({ Value }) => Value)), (await rowOf(Id)).Lost]).toEqual([[8, 9], 1])
})

it('a broker and an authority get them as well, with a password that nobody reads', async () => {
  const house = senders.house()
  const { send } = await lineSender('w01018', 'other')
  const add = (AccessName: string, more: object) =>
    house.data<Row>('POST', path, { AccessName, ProjectId: senders.project(), Mode: 2, Period: 10, ...more })
  const json = await senders.door(2)
  const broker = await add('Broker', { Target: 2, Url: `mqtt://127.0.0.1:${mqttPort}`, Topic: 'plant/out', UserName: 'penstock' })
  const station = { MN: 'AUTHORITY000000000000001', Password: 'secret' }
  const authority = await senders.door(5, { ...station, Port: stationPort })
  const hj = await add('Bureau', { Target: 3, Url: `tcp://127.0.0.1:${stationPort}`, MN: station.MN, SystemCode: '22' })
  await begun(broker.Id)
  await begun(hj.Id)
  await send(`d w01018=12.5,other=1 ${second}\nd w01018=13.5 ${second + 1}`)
  await soon(broker.Id, 1)
  await soon(hj.Id, 1)
  expect([(await sendStatus(broker.Id, 2)).LastFault, (await sendStatus(hj.Id, 2)).LastFault]).toEqual(['signIn', 'noAnswer'])
  for (const [{ Id }, Password] of [
    [broker, json.Token],
    [hj, station.Password],
  ] as const) {
    const answer = await house.data('POST', `${path}/SetPassword`, { Id, Password })
    expect(JSON.stringify(answer)).not.toContain(Password)
  }
  expect((await house.call(house.admin, 'POST', `${path}/ResetKey`, { Id: hj.Id })).StatusCode).toBe(409)
  await until('both', async () => (await rowOf(broker.Id)).Sent === 3 && (await rowOf(hj.Id)).Sent === 3)
  const messages = await house.data<{ Topic: string; Payload: string }[]>('GET', `/Protocol/NetworkComponents/MessageList?Id=${json.Id}`)
  expect([messages[0]!.Topic, itemsIn(messages[0]!.Payload).map(({ Name, Value }) => [Name, Value])]).toEqual([
    'plant/out',
    [
      ['w01018', 12.5],
      ['other', 1],
      ['w01018', 13.5],
    ],
  ])
  const heard = await house.data<{ Payload: string }[]>('GET', `/Protocol/NetworkComponents/MessageList?Id=${authority.Id}`)
  expect(heard.map(({ Payload }) => /ST=22;CN=2011;.*&&DataTime=\d{14};(.*)&&/.exec(Payload)?.[1]).reverse()).toEqual([
    'w01018-Rtd=12.5,w01018-Flag=N;other-Rtd=1,other-Flag=N',
    'w01018-Rtd=13.5,w01018-Flag=N',
  ])
  const away = await add('Away', { Target: 2, Url: `mqtt://127.0.0.1:${closedPort}`, Mode: 1 })
  expect((await sendStatus(away.Id, 2)).LastFault).toBe('unreachable')
  await house.data('PUT', path, { Id: away.Id, Url: `mqtt://127.0.0.1:${house.port}` })
  await until('the guard', async () => (await rowOf(away.Id)).LastFault === 'notAllowed')
})

it('statistics of each interval that is over go out with a token, and to an authority as minute data; a certificate is checked', async () => {
  const house = senders.house()
  const { send } = await lineSender('w01019', 'idle')
  const station = { MN: 'AUTHORITY000000000000002', Password: 'secret' }
  const authority = await senders.door(5, { ...station, Port: stationPort })
  const add = (AccessName: string, more: object) =>
    house.data<Row>('POST', path, { AccessName, ProjectId: senders.project(), Mode: 3, Period: 60, NameRule: '{address}', ...more })
  const http = await add('Means', { Url: `http://127.0.0.1:${port}/means` })
  const hj = await add('Bureau of means', { Target: 3, Url: `tcp://127.0.0.1:${stationPort}`, MN: station.MN })
  await begun(http.Id)
  await begun(hj.Id)
  await house.data('POST', `${path}/SetPassword`, { Id: http.Id, Password: 'a.bearer~token' })
  await house.data('POST', `${path}/SetPassword`, { Id: hj.Id, Password: station.Password })
  const minute = second - (second % 60) - 300
  await send(`d w01019=1 ${minute}\nd w01019=3 ${minute + 59}\nd w01019=5 ${minute + 60}`)
  inbox.length = 0
  await house.database.system.rows(
    sql`update third_party_access set "Cursor" = ${minute * 1000}, "NextTime" = now() where "Id" in (${http.Id}, ${hj.Id})`,
  )
  for (const { Id } of [http, hj]) await until('both minutes', async () => (await rowOf(Id)).Sent === 2)
  expect(inbox.map(({ headers, text }) => [headers.authorization, headers['webhook-signature'], JSON.parse(text).Readings])).toEqual(
    [
      { Time: minute * 1000, Value: 2, Min: 1, Max: 3 },
      { Time: (minute + 60) * 1000, Value: 5, Min: 5, Max: 5 },
    ].map((reading) => ['Bearer a.bearer~token', undefined, [expect.objectContaining({ Name: 'w01019', Quality: 0, ...reading })]]),
  )
  const heard = await house.data<{ Payload: string }[]>('GET', `/Protocol/NetworkComponents/MessageList?Id=${authority.Id}`)
  expect(heard.map(({ Payload }) => /CN=2051;.*&&DataTime=\d{12}00;(.*)&&/.exec(Payload)?.[1]).reverse()).toEqual([
    'w01019-Min=1,w01019-Avg=2,w01019-Max=3,w01019-Flag=N',
    'w01019-Min=5,w01019-Avg=5,w01019-Max=5,w01019-Flag=N',
  ])
  const faultsOf = async (method: string, to: string, body: object) =>
    Object.keys((await house.call(house.admin, method, to, { Id: http.Id, ...body })).Details?.Fields ?? {})
  expect(await faultsOf('PUT', path, { Period: 90 })).toEqual(['Period'])
  expect(await faultsOf('POST', `${path}/SetPassword`, { Password: 'two\nlines' })).toEqual(['Password'])
  const setCertificate = `${path}/SetCertificate`
  expect(await faultsOf('POST', setCertificate, { Certificate: 'none', PrivateKey: 'none' })).toEqual(['Certificate'])
  expect(await faultsOf('POST', setCertificate, { Certificate: ours.cert, PrivateKey: theirs.key })).toEqual(['PrivateKey'])
  await house.data('PUT', path, { Id: http.Id, Mode: 1, Url: `https://127.0.0.1:${securePort}/in` })
  await until('a request without one', () => subjects.length)
  const answer = await house.data('POST', setCertificate, { Id: http.Id, Certificate: ours.cert, PrivateKey: ours.key })
  expect(JSON.stringify(answer)).not.toContain('PRIVATE')
  await until('a request with it', () => subjects.at(-1))
  expect([subjects[0], subjects.at(-1)]).toEqual([undefined, ours.cert])
})
