import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { allowedBy } from '../../../../server/channels/outbound.ts'
import { openVault } from '../../../../server/identity/vault.ts'
import type { TileProblem, TileSource } from '../contract.ts'
import { tileRoutes } from './routes.ts'
import { openTileCache } from './tileCache.ts'
import { openTiles } from './tiles.ts'

/** Only the first bytes of a PNG matter here. */
const png = (width = 256, text = '') => {
  const bytes = Buffer.alloc(64 + text.length)
  bytes.write('\x89PNG\r\n\x1a\n', 'latin1')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(width, 20)
  bytes.write(text, 64)
  return bytes
}
const hour = 3_600_000
let kit: Kit
let folder = ''
let now = Date.UTC(2026, 0, 1)
let asked: string[] = []
let answer = (_: IncomingMessage, reply: ServerResponse): void => void reply.end(png())
const upstream = createServer((request, reply) => {
  asked.push(request.url!)
  answer(request, reply)
})
let port = 0
const steady = () => now
beforeAll(async () => {
  upstream.listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  port = (upstream.address() as AddressInfo).port
  folder = mkdtempSync(join(tmpdir(), 'penstock-tiles-'))
  const cache = await openTileCache({ folder, clock: () => now, mostBytes: 64 * 4096 })
  kit = await startKit({
    areas: (database) => {
      const vault = openVault(database, Buffer.alloc(32, 7))
      const tiles = openTiles({ database, vault, cache, allowed: allowedBy([`127.0.0.1/32:${port}`]), clock: () => now, steady })
      return [(api) => tileRoutes(api, tiles)]
    },
  })
  await kit.person('someone', kit.enterprises.ours, { menus: [] })
})
afterAll(async () => {
  await kit?.close()
  upstream.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => {
  now += 24 * hour
  asked = []
  answer = (_, reply) => void reply.end(png())
})

const config = (TileUrl: string, more: object = {}, as = 'owner') =>
  kit.call(as, 'PUT', '/System/Map/TileConfig', { TileUrl, TileKey: 'very secret', ...more })
const use = async (MapProvider: string | null, company = kit.enterprises.ours) =>
  void (await kit.db.rows(sql`update enterprise set "MapProvider" = ${MapProvider} where "Id" = ${company}`))
/** A template that no other test uses, so that nothing is cached. */
const fresh = async (path: string, more: object = {}) => {
  await use('tiles')
  expect(await config(`http://127.0.0.1:${port}/${path}/{z}/{x}/{y}.png?key={key}`, more)).toMatchObject({ Succeeded: true })
}
const tile = (place: string, as = 'owner') => kit.request(as, 'GET', `/System/Map/Tile?${place}`)
const test = async () => (await kit.data<{ Problem: TileProblem | null }>('owner', 'POST', '/System/Map/TileTest', {})).Problem
const source = (as = 'owner') => kit.data<TileSource | null>(as, 'GET', '/System/Map/Tiles')

it('the server fetches a tile with the key, answers it from its disk afterwards, and shows the key to nobody', async () => {
  await fresh('cached', { TileSystem: 'gcj02', TileZoom: 12, Attribution: '© Maps' })
  expect(await source('someone')).toEqual({ System: 'gcj02', MaxZoom: 12, Attribution: '© Maps', Mark: expect.any(String) })
  const first = await tile('Z=3&X=4&Y=2', 'someone')
  expect([first.statusCode, first.rawPayload.equals(png())]).toEqual([200, true])
  expect(first.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'private, max-age=3600' })
  expect((await tile('Z=3&X=4&Y=2')).statusCode).toBe(200)
  expect(asked).toEqual(['/cached/3/4/2.png?key=very%20secret'])
  const stored = await kit.request('owner', 'GET', '/System/Map/TileConfig')
  expect(stored.json().Data).toMatchObject({ HasTileKey: 1, TileZoom: 12 })
  expect(stored.body + JSON.stringify(await source())).not.toContain('very secret')
  const log = await kit.db.rows(sql`select * from change where "Resource" = ${'mapTiles'}`)
  expect(JSON.stringify(log)).not.toContain('very secret')
})

it('a cached map works without a line, also when its tiles are old', async () => {
  await fresh('line')
  await tile('Z=1&X=0&Y=0')
  answer = (request) => void request.socket.destroy()
  now += 30 * 24 * hour
  asked = []
  expect((await tile('Z=1&X=0&Y=0')).statusCode).toBe(200)
  expect(await kit.call('owner', 'GET', '/System/Map/Tile?Z=1&X=1&Y=0')).toMatchObject({ StatusCode: 404 })
  expect((await tile('Z=1&X=0&Y=0')).statusCode).toBe(200)
})

it('a map server that does not answer is left alone for half a minute', async () => {
  await fresh('silent')
  answer = (request) => void request.socket.destroy()
  const ask = (X: number) => kit.call('owner', 'GET', `/System/Map/Tile?Z=4&X=${X}&Y=0`)
  expect(await ask(0)).toMatchObject({ StatusCode: 404 })
  expect(await ask(1)).toMatchObject({ StatusCode: 404 })
  expect(asked).toHaveLength(1)
  answer = (_, reply) => void reply.end(png())
  now += 31_000
  expect((await tile('Z=4&X=1&Y=0')).statusCode).toBe(200)
})

it.each([
  [
    'HTML',
    'noImage',
    (reply: ServerResponse) => reply.setHeader('content-type', 'image/png').end('<html><script>alert(1)</script></html>'.repeat(3)),
  ],
  ['50 MB', 'tooLarge', (reply: ServerResponse) => reply.end(Buffer.concat([png(), Buffer.alloc(50 * 2 ** 20)]))],
  ['100,000 pixels wide', 'tooLarge', (reply: ServerResponse) => reply.end(png(100_000))],
  [
    'a redirect to an inner address',
    'status',
    (reply: ServerResponse) => reply.writeHead(302, { location: `http://127.0.0.1:${port}/inner` }).end(),
  ],
  [
    'an SVG',
    'noImage',
    (reply: ServerResponse) => reply.end(`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">${' '.repeat(40)}</svg>`),
  ],
] as const)('a tile that is %s is refused', async (name, problem, send) => {
  await fresh(encodeURIComponent(name))
  answer = (_, reply) => void send(reply)
  expect(await test()).toBe(problem)
  expect(await kit.call('owner', 'GET', '/System/Map/Tile?Z=2&X=0&Y=0')).toMatchObject({ StatusCode: 404 })
  expect(asked.some((path) => path === '/inner')).toBe(false)
})

it('a template that leads to an inner address is not followed', async () => {
  await use('tiles')
  for (const host of ['127.0.0.1:1', '10.0.0.8', '169.254.169.254', '[::1]:5432', '[::ffff:10.0.0.1]', 'localhost', '2130706433']) {
    expect(await config(`http://${host}/{z}/{x}/{y}.png`)).toMatchObject({ Succeeded: true })
    expect(await test(), host).toBe('refused')
  }
  expect(asked).toEqual([])
})

it.each([
  'https://tiles.example.com/{z}/{x}.png',
  'https://{key}.example.com/{z}/{x}/{y}.png',
  'https://user@tiles.example.com/{z}/{x}/{y}.png',
  'file:///{z}/{x}/{y}',
  'https://tiles.example.com/{z}/{x}/{y}/{other}',
  'https://tiles.example.com/{z} {x}/{y}',
])('the template %s is refused by its field', async (template) => {
  expect(await config(template)).toMatchObject({ StatusCode: 400, Details: { Fields: { TileUrl: [expect.any(String)] } } })
})

it('a key goes to no other server than the one it was entered for', async () => {
  await fresh('own')
  const moved = await kit.call('owner', 'PUT', '/System/Map/TileConfig', { TileUrl: 'https://elsewhere.example/{z}/{x}/{y}/{key}' })
  expect(moved).toMatchObject({ StatusCode: 400, Details: { Fields: { TileKey: [expect.any(String)] } } })
})

it('a company has no tiles of another company, and the platform’s where it has set nothing', async () => {
  await fresh('ours')
  expect(await source('stranger')).toBeNull()
  expect(await kit.call('stranger', 'GET', '/System/Map/Tile?Z=0&X=0&Y=0')).toMatchObject({ StatusCode: 404 })
  const platform = kit.people.get('platform')!.enterprise
  await use('tiles', platform)
  expect(await config(`http://127.0.0.1:${port}/platform/{z}/{x}/{y}`, {}, 'platform')).toMatchObject({ Succeeded: true })
  const theirs = (await source('stranger'))!
  expect(theirs.Mark).not.toBe((await source())!.Mark)
  await tile('Z=0&X=0&Y=0', 'stranger')
  expect(asked.at(-1)).toBe('/platform/0/0/0')
  await use('offline', kit.enterprises.theirs)
  expect(await source('stranger')).toBeNull()
})

it('places beyond the map, people without a session, and people who ask too fast get no tile', async () => {
  await fresh('bounds', { TileZoom: 5 })
  const code = async (place: string, as?: string) => {
    const { headers, json } = await kit.request(as, 'GET', `/System/Map/Tile?${place}`)
    return headers['content-type']?.includes('json') ? json().StatusCode : 200
  }
  expect(await code('Z=6&X=0&Y=0', 'owner')).toBe(404)
  expect(await code('Z=2&X=4&Y=0', 'owner')).toBe(404)
  expect(await code('Z=2&X=-1&Y=0', 'owner')).toBe(400)
  expect(await code('Z=2&X=1&Y=0')).toBe(401)
  for (let i = 0; i < 400; i++) await tile('Z=0&X=0&Y=0', 'viewer')
  expect(await code('Z=0&X=0&Y=0', 'viewer')).toBe(429)
  expect(await code('Z=0&X=0&Y=0', 'owner')).toBe(200)
  expect(await kit.call('viewer', 'PUT', '/System/Map/TileConfig', { TileZoom: 4 })).toMatchObject({ StatusCode: 403 })
})

it('many people who want the same tile ask for it once', async () => {
  await fresh('together')
  const all = await Promise.all(Array.from({ length: 10 }, () => tile('Z=5&X=3&Y=3')))
  expect(all.map((a) => a.statusCode)).toEqual(Array(10).fill(200))
  expect(asked).toHaveLength(1)
})

it('the disk keeps to its bound: the company with most tiles loses its oldest, and a restart finds the others', async () => {
  const own = mkdtempSync(join(tmpdir(), 'penstock-tiles-'))
  const needs = { folder: own, clock: () => now, mostBytes: 4 * 4096 }
  const name = (n: number) => String(n).padStart(32, '0')
  const cache = await openTileCache(needs)
  await cache.put(2, name(0), png())
  for (let n = 1; n <= 8; n++) await cache.put(1, name(n), png())
  expect(readdirSync(join(own, '1'))).toEqual([6, 7, 8].map(name))
  expect((await cache.get(2, name(0)))?.body.equals(png())).toBe(true)
  const again = await openTileCache(needs)
  expect([again.bytes(), (await again.get(1, name(8)))?.body.length]).toEqual([4 * 4096, 64])
  rmSync(own, { recursive: true })
})

it('one company does not take all places at the platform’s map server', async () => {
  await use(null)
  await use(null, kit.enterprises.theirs)
  await use('tiles', kit.people.get('platform')!.enterprise)
  await kit.data('owner', 'PUT', '/System/Map/TileConfig', { TileUrl: null, TileKey: null })
  expect(await config(`http://127.0.0.1:${port}/shared/{z}/{x}/{y}.png`, {}, 'platform')).toMatchObject({ Succeeded: true })
  const waiting: ServerResponse[] = []
  answer = (_, reply) => void waiting.push(reply)
  const flood = Array.from({ length: 12 }, (_, X) => tile(`Z=5&X=${X}&Y=0`))
  await vi.waitFor(() => expect(waiting).toHaveLength(6))
  const theirs = tile('Z=5&X=30&Y=0', 'stranger')
  await vi.waitFor(() => expect(waiting).toHaveLength(7))
  for (const reply of waiting) reply.end(png())
  expect((await theirs).statusCode).toBe(200)
  const codes = (await Promise.all(flood)).map((r) => r.statusCode)
  expect(codes.filter((code) => code === 200)).toHaveLength(6)
})
