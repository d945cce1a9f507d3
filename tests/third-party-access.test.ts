// Readings go on to a system of others: a receiver that is a plain HTTP server.
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, it } from 'vitest'
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

const senders = useSenders({ PENSTOCK_OUTBOUND: `127.0.0.1/32:${port}` })
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
  const { LastFault } = await sendStatus(Id, 2)
  expect([String(LastFault).includes('500'), String(LastFault).includes('stranger')]).toEqual([true, false])
  status = 204
  await house.data('PUT', path, { Id, Remark: 'up' })
  expect(await sendStatus(Id, 1)).toMatchObject({ LastFault: null })

  // Another receiver does not get what the one before can verify, and no address of the server's own network is asked.
  inbox.length = 0
  await house.data('PUT', path, { Id, Url: `http://127.0.0.1:${port}/other` })
  expect((await until('the new address', () => inbox[0])).headers['webhook-signature']).toBeUndefined()
  await house.data('PUT', path, { Id, Url: `http://127.0.0.1:${house.port}/api` })
  expect((await sendStatus(Id, 2)).LastFault).toContain('not allowed')
  for (const wrong of [{ Url: 'ftp://x' }, { Period: 9 }, { Format: 3 }])
    expect([wrong, (await house.call(house.admin, 'PUT', path, { Id, ...wrong })).StatusCode]).toEqual([wrong, 400])
  expect((await house.call(house.admin, 'DELETE', path, { Id })).StatusCode).toBe(200)
})
