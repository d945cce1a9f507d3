import { randomBytes } from 'node:crypto'
import { get, type IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Kit, startKit } from '../../main/testing/kit.ts'

const config = { permission: 'public' as const }
const schema = { hide: true }
/** 64 MB that hardly shrink: more than a connection and a compressor hold between them. */
const pieces = 1000
const piece = () => randomBytes(48_000).toString('base64')
/** 2 MB of figures. */
const large = JSON.stringify(Array.from({ length: 60_000 }, (_, i) => ({ Start: 1.7e12 + i * 3_600_000, Energy: (i * 7919) % 1000 })))
let [read, ended] = [0, false]
let kit: Kit
beforeAll(async () => {
  kit = await startKit({
    areas: () => [
      (api) => {
        api.get('/test/csv', { schema, config }, (_request, reply) => {
          const text = function* () {
            try {
              for (read = 0; read < pieces; read++) yield piece()
            } finally {
              ended = true
            }
          }
          return reply.type('text/csv; charset=utf-8').send(Readable.from(text()))
        })
        api.get('/test/large', { schema, config }, (_request, reply) => reply.type('application/json; charset=utf-8').send(large))
        api.get('/test/archive', { schema, config }, (_request, reply) =>
          reply.type('application/octet-stream').send(Readable.from([Buffer.alloc(100_000)])),
        )
      },
    ],
  })
  const project = await kit.data<{ Id: number }>('owner', 'POST', '/Project/Project', { ProjectName: 'Mill' })
  for (let i = 0; i < 20; i++)
    await kit.data('owner', 'POST', '/Project/Gateway', { GatewayName: `Gateway ${i}`, SN: `COMPRESS${i}`, ProjectId: project.Id })
})
afterAll(() => kit?.close())

const list = (accepted?: string) =>
  kit.request('owner', 'POST', '/Project/Gateway/List', { PageSize: 20 }, accepted === undefined ? {} : { 'accept-encoding': accepted })

const decoders: Record<string, (content: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync }
if (zstdDecompressSync) decoders.zstd = zstdDecompressSync

test('a list comes as the client accepts it, and says the same', async () => {
  const plain = await list()
  expect(plain.headers).not.toHaveProperty('content-encoding')
  expect(plain.rawPayload.length).toBeGreaterThan(1024)
  for (const [encoding, decode] of Object.entries(decoders)) {
    const sent = await list(`${encoding};q=1, identity;q=0.1`)
    expect(sent.headers).toMatchObject({ 'content-encoding': encoding, vary: 'accept-encoding' })
    expect(Number(sent.headers['content-length'])).toBe(sent.rawPayload.length)
    expect(sent.rawPayload.length).toBeLessThan(plain.rawPayload.length / 4)
    expect(decode(sent.rawPayload).toString()).toBe(plain.body)
  }
  expect((await list('gzip, deflate, br')).headers['content-encoding']).toBe('br')
})

test('a large answer is compressed, and says the same', async () => {
  for (const [encoding, decode] of Object.entries(decoders)) {
    const sent = await kit.request('owner', 'GET', '/test/large', undefined, { 'accept-encoding': encoding })
    expect(sent.headers['content-encoding']).toBe(encoding)
    expect(sent.rawPayload.length).toBeLessThan(large.length / 4)
    expect(decode(sent.rawPayload).toString() === large).toBe(true)
  }
})

test.each(['identity', 'deflate', 'br;q=0', 'nonsense', ''])('nothing is compressed for who accepts "%s"', async (accepted) => {
  const answer = await list(accepted)
  expect(answer.headers).not.toHaveProperty('content-encoding')
  expect(answer.headers.vary).toBe('accept-encoding')
  expect(answer.json()).toMatchObject({ Succeeded: true })
})

test('short answers and what is no text stay as they are', async () => {
  const short = await kit.request('owner', 'POST', '/Project/Gateway/List', { PageSize: 1 }, { 'accept-encoding': 'br' })
  expect(short.rawPayload.length).toBeLessThan(1024)
  expect(short.headers).not.toHaveProperty('content-encoding')
  const archive = await kit.request(undefined, 'GET', '/test/archive', undefined, { 'accept-encoding': 'br' })
  expect(archive.headers).not.toHaveProperty('content-encoding')
  expect(archive.rawPayload.length).toBe(100_000)
})

test('a stream stays a stream: nobody reads ahead of a slow client, and a client that leaves ends it', async () => {
  const url = await kit.app.listen({ port: 0, host: '127.0.0.1' })
  const answer = await new Promise<IncomingMessage>((done, fail) =>
    get(`${url}/api/test/csv`, { headers: { 'accept-encoding': 'br' } }, done).on('error', fail),
  )
  expect(answer.headers).toMatchObject({ 'content-encoding': 'br', 'transfer-encoding': 'chunked' })
  let before = -1
  while (read > before) {
    before = read
    await new Promise((done) => setTimeout(done, 300))
  }
  expect(read).toBeGreaterThan(0)
  expect(read).toBeLessThan(pieces / 2)
  answer.destroy()
  await expect.poll(() => ended).toBe(true)
  expect(read).toBeLessThan(pieces)
})
