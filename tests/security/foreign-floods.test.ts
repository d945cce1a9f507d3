// An external sender sends data that is expensive to read: a few kilobytes that unpack to millions of empty objects.
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { ownServer } from '../faults/own-server.ts'

const own = ownServer()
type Made = { Id: number; GatewayId: number; Token: string }
const doors: Made[] = []
beforeAll(async () => {
  await own.door.ensureCompany()
  const { Id: ProjectId } = await own.door.data('POST', '/Project/Project', { ProjectName: 'Foreign' })
  for (const Language of [1, 2, 3])
    doors.push(await own.door.data<Made>('POST', '/Protocol/NetworkComponents', { ComponentName: `Door ${Language}`, Language, ProjectId }))
  const Mapping = [{ Value: '*', Key: { From: 'name' } }]
  const { Id } = await own.door.data('POST', '/Protocol/DataParse', { ParseName: 'Any', Mapping })
  await own.door.data('POST', '/Protocol/DataParse/Gateway', { DataParseId: Id, GatewayIds: [doors[1]!.GatewayId] })
})

const senders = {
  thingsBoard: () => [`/api/v1/${doors[0]!.Token}/telemetry`, {}] as const,
  json: () => ['/api/uplink', { authorization: `Bearer ${doors[1]!.Token}` }] as const,
  influx: () => ['/api/v2/write', { authorization: `Token ${doors[2]!.Token}` }] as const,
}
type Sender = keyof typeof senders
const send = async (sender: Sender, text: string) => {
  const [url, headers] = senders[sender]()
  const body = new Uint8Array(gzipSync(text))
  const answer = await fetch(`${own.process.origin}${url}`, { method: 'POST', body, headers: { 'content-encoding': 'gzip', ...headers } })
  return [answer.status, await answer.text()] as const
}
const listOf = (part: string, count: number) => `[${Array(count).fill(part).join()}]`
test('JSON with more parts than a message has values is not even parsed, and no more is unpacked than may come unpacked', async () => {
  for (const sender of ['thingsBoard', 'json'] as const) {
    const [status, text] = await send(sender, listOf('{}', 40_000))
    expect([sender, status, text]).toEqual([sender, 400, expect.stringContaining('more than 30000 parts')])
    expect([sender, (await send(sender, '['.repeat(100_000)))[1]]).toEqual([sender, expect.stringContaining('more than 30000 parts')])
    expect([sender, (await send(sender, listOf('{}', 2_500_000)))[0]]).toEqual([sender, 413])
  }
  expect((await send('thingsBoard', `{"a":"${'[{,\\"'.repeat(20_000)}"}`))[0]).toBe(200)
})

test('a sender that sends faster than it is read is told to wait', async () => {
  const statuses = await Promise.all(Array.from({ length: 100 }, async () => (await send('influx', 'm x=1\n'.repeat(10_000)))[0]))
  expect(statuses).toContain(429)
})
