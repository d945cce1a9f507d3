// A hostile service answers a webhook, tile or channel with expensive data: endless interim responses, a body in tiny chunks. Mail servers,
// brokers and authorities answer with lines, packets and frames without end.
import { createServer, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { openStation } from '../../areas/configuration/third-party-access/server/hj212.ts'
import { HttpLink } from '../../edge/drivers/http-source/link.ts'
import { dial } from '../../server/channels/dial.ts'
import { sendEmail } from '../../server/channels/email.ts'
import { exchange } from '../../server/channels/outbound.ts'
import { openPublisher } from '../../server/channels/publisher.ts'
import { frameOf } from '../../server/hj212/frame.ts'

const interim = Buffer.from('HTTP/1.1 102 Processing\r\n\r\n'.repeat(2000))
const crumbs = Buffer.from('1\r\na\r\n'.repeat(10_000))
/** Sends the beginning, and then the same for ever; when it is asked, or at once. */
const flood = async (begin: string | Buffer, part: Buffer, isFirst = false) => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined))
    const begins = () => {
      socket.write(begin)
      const send = () => {
        while (!socket.destroyed && socket.write(part));
        socket.once('drain', send)
      }
      send()
    }
    if (isFirst) begins()
    else socket.once('data', begins)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  const close = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  const port = typeof address === 'object' && address ? address.port : 0
  return { url: `http://127.0.0.1:${port}/`, port, [Symbol.dispose]: close }
}
const channelOf = (Url: string): ConstructorParameters<typeof HttpLink>[0] => ({
  ...{ Id: 1, ProtocolType: 110, CommType: 0, InterFrameMs: 0, RetryCount: 0, Settings: { Url } },
})
/** What becomes of a request. */
const outcomeOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'answered',
    (error: Error) => error.message,
  )
const within = { allowed: () => true, tenant: 1 }

test('interim answers without end are cut, by the server and by a gateway', async () => {
  using service = await flood('', interim)
  const link = new HttpLink(channelOf(service.url), () => true)
  await link.open()
  for (const ask of [() => exchange(service.url, { within }), () => link.ask('', 10_000)])
    expect(await outcomeOf(ask())).toBe('interim answers without end')
  link.close()
})

test('a body in crumbs is cut long before it is as long as a body may be', async () => {
  using service = await flood('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', crumbs)
  const link = new HttpLink(channelOf(service.url), () => true)
  await link.open()
  const answer = await exchange(service.url, { within, most: 1024 * 1024 })
  expect([answer.cut, answer.body.length < 10_000]).toEqual([true, true])
  expect(await outcomeOf(link.ask('', 10_000))).toBe('the answer comes in crumbs')
  link.close()
})

const endless = 'The other end sends more than an answer.'

test('a mail server that answers with empty lines without end is left', async () => {
  using server = await flood('220 mail.example ESMTP\r\n', Buffer.from('\n'.repeat(65_536)), true)
  const mailbox = { host: '127.0.0.1', port: server.port, tls: 'none' as const, user: '', password: undefined, from: 'a@plant.example' }
  const outcome = await sendEmail(mailbox, within, { to: 'b@plant.example', subject: 'x', text: 'x', id: '1' })
  expect(outcome).toMatchObject({ error: expect.stringContaining(endless) })
})

test('a broker that answers with packets without end is left', async () => {
  const [connack, pingresp] = [Buffer.from([0x20, 2, 0, 0]), Buffer.from([0xd0, 0])]
  using broker = await flood(connack, Buffer.concat(Array.from({ length: 30_000 }, () => pingresp)))
  expect(await outcomeOf(openPublisher({ url: `mqtt://127.0.0.1:${broker.port}`, within }))).toBe(endless)
})

test('a broker that announces a packet of 256 MB is left', async () => {
  using broker = await flood(Buffer.from([0x20, 2, 0, 0, 0x30, 0xff, 0xff, 0xff, 0x7f]), Buffer.alloc(65_536))
  expect(await outcomeOf(openPublisher({ url: `mqtt://127.0.0.1:${broker.port}`, within }))).toBe(endless)
})

test('an authority that answers with frames without end is left', async () => {
  using authority = await flood('', Buffer.concat(Array.from({ length: 2000 }, () => frameOf('QN=1;CN=9013'))))
  const socket = await dial(`tcp://127.0.0.1:${authority.port}`, within, { port: 9212, most: 4096 })
  const to = {
    Id: 1,
    ProjectName: 'x',
    Format: 1,
    NameRule: null,
    Target: 3,
    Url: '',
    Topic: null,
    UserName: null,
    MN: '0'.repeat(24),
    SystemCode: '32',
  }
  const way = await openStation({ ...to, Zone: 'UTC', secret: undefined, certificate: undefined, within, clock: Date.now }, socket)
  const point = { Id: 1, DeviceName: 'x', ParaName: 'x', Address: 'a34004' }
  const outcome = await way.send([{ point, time: Date.now(), value: 1, quality: 0 }], 0)
  expect([outcome.fault, socket.errored?.message]).toEqual(['noAnswer', endless])
})
