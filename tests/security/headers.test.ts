// Security headers: every kind of response has those of the table in server/http/headers.ts.
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { commonHeaders, headersOf } from '../../server/http/headers.ts'
import { type House, startHouse } from '../house.ts'

const common = commonHeaders(false)
const root = join(import.meta.dirname, '../..')
let house: House
beforeAll(async () => {
  house = await startHouse()
})
afterAll(() => house?.close())

const get = (path: string, init: RequestInit = {}, token = house.admin) =>
  fetch(house.origin + path, { ...init, headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), ...init.headers } })
const json = { 'content-type': 'application/json' }

it('an answer of every kind has the headers of all', async () => {
  const answers: [what: string, status: number, answer: Response][] = [
    ['health', 200, await get('/healthz', {}, '')],
    ['readiness', 200, await get('/readyz', {}, '')],
    ['figures', 200, await get('/metrics', {}, '')],
    ['documentation', 200, await get('/api/docs', {}, '')],
    ['style of the documentation', 200, await get('/api/docs.css', {}, '')],
    ['script of the documentation', 200, await get('/api/docs.js', {}, '')],
    ['description of the calls', 200, await get('/api/openapi.json')],
    ['a list', 200, await get('/api/Project/Project/List')],
    ['an exported list', 200, await get('/api/Project/Project/Output?Format=csv')],
    ['a template', 200, await get('/api/Project/Project/Template')],
    ['a refused list', 200, await get('/api/Project/Project/List?PageIndex=x')],
    ['no session', 401, await get('/api/Project/Project/List', {}, '')],
    ['no such call', 404, await get('/api/nothing')],
    ['no such page', 404, await get('/assets/nothing.js')],
    ['an address that cannot be read', 404, await get('/%00%zz')],
    ['a body that cannot be read', 200, await get('/api/Auth/Login', { method: 'POST', headers: json, body: '{' })],
    ['a body that is too large', 413, await get('/api/Auth/Login', { method: 'POST', headers: json, body: `"${'x'.repeat(2e6)}"` })],
    ['another method', 404, await get('/api/docs', { method: 'PATCH' })],
    ['a head alone', 200, await get('/api/docs', { method: 'HEAD' })],
    ['negotiation of the hub', 200, await get('/api/hubs/sysmsghub/negotiate?negotiateVersion=1', { method: 'POST' })],
    ['a hub without a session', 401, await get('/api/hubs/sysmsghub/negotiate?negotiateVersion=1', { method: 'POST' }, '')],
  ]
  for (const [what, status, answer] of answers) {
    expect(Object.fromEntries(answer.headers), what).toMatchObject(common)
    expect(answer.headers.get('x-request-id'), what).toBeTruthy()
    expect([what, answer.status]).toEqual([what, status])
    await answer.body?.cancel()
  }
})

it('a person’s file is in a sandbox, and the console’s pages are asked for again', async () => {
  const form = new FormData()
  form.append('file', new Blob(['a text']), 'notes.txt')
  const upload = await get('/api/System/File/Upload', { method: 'POST', body: form })
  const { Data } = (await upload.json()) as { Data: { Url: string } }
  const file = await get(Data.Url.startsWith('/') ? Data.Url : `/${Data.Url}`)
  expect(Object.fromEntries(file.headers)).toMatchObject({ ...common, ...headersOf.ownFile })
  expect(await file.text()).toBe('a text')
  const page = await get('/', {}, '')
  if (page.status !== 404) expect(Object.fromEntries(page.headers)).toMatchObject({ ...common, ...headersOf.page })
  const asset = /assets\/[\w.-]+\.js/.exec(await page.text())?.[0]
  if (asset) expect(Object.fromEntries((await get(`/${asset}`)).headers)).toMatchObject({ ...common, ...headersOf.asset })
})

/** Sends bytes and returns the response. */
const say = async (text: string) => {
  const socket = connect(Number(new URL(house.origin).port), '127.0.0.1')
  let heard = ''
  socket.on('data', (data) => (heard += data)).write(text)
  await once(socket, 'close')
  return heard
}

it('what reaches no route has them, too', async () => {
  const upgrade = 'Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13\r\n\r\n'
  const answers = [
    ['400', await say('no HTTP\r\n\r\n')],
    ['431', await say(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)],
    ['404', await say(`GET /api/hubs/sysmsghub?id=none HTTP/1.1\r\n${upgrade}`)],
    ['404', await say(`GET /elsewhere HTTP/1.1\r\n${upgrade}`)],
    ['417', await say('GET / HTTP/1.1\r\nHost: x\r\nExpect: more\r\nConnection: close\r\n\r\n')],
  ] as const
  for (const [status, text] of answers) {
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    for (const [name, value] of Object.entries(common)) expect(text.toLowerCase()).toContain(`${name}: ${value}`.toLowerCase())
  }
})

it('no other file of the server sets such a header', () => {
  const names = new Set([...Object.keys(common), ...Object.values(headersOf).flatMap(Object.keys)])
  const sources = readdirSync(join(root, 'server'), { recursive: true, encoding: 'utf8' }).filter(
    (f) => /\.ts$/.test(f) && !/test\.ts$|^testing\//.test(f),
  )
  const others = sources.filter(
    (f) =>
      f !== 'http/headers.ts' &&
      [...names].some((n) =>
        readFileSync(join(root, 'server', f), 'utf8')
          .toLowerCase()
          .includes(`'${n}'`),
      ),
  )
  expect(others).toEqual([])
})

it('without a token, /metrics answers programs of this machine only, whatever a proxy leaves out', async () => {
  const status = async (host: string, version = '1.1') =>
    (await say(`GET /metrics HTTP/${version}\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).split(' ')[1]
  for (const host of ['LocalHost:8420', '[::1]:8420', '127.0.0.1']) expect(await status(host), host).toBe('200')
  for (const host of ['plant.example', '127.0.0.1.plant.example', 'localhost_']) expect(await status(host), host).toBe('404')
  // nginx with its former defaults: HTTP/1.0, and the upstream's address as Host.
  expect(await status('127.0.0.1:8420', '1.0')).toBe('404')
})

it('no address is made of a Host header', async () => {
  const put = (path: string, body: object) => house.data('PUT', path, body)
  await put('/System/WechatConfig', { AppId: 'wx0123456789abcdef', AppSecret: 'secret of tests', Status: 1 })
  await put('/System/WechatConfig/WxConfig', { WxAppId: 'wx0123456789abcdef', WxAppSecret: 'secret of tests', WxStatus: 1 })
  for (const path of ['/WeChat/WeiXinGrant/GrantUrl', '/WeiXin/WXCode']) {
    const headers = {
      'x-forwarded-host': 'evil.example',
      host: 'evil.example',
      'accept-language': 'en',
      authorization: `Bearer ${house.admin}`,
    }
    const answer = await house.app.inject({ url: `/api${path}`, headers })
    expect(answer.body).not.toContain('evil.example')
    expect(answer.json()).toMatchObject({ StatusCode: 400, Details: { Fault: 'noAddress' } })
  }
})
