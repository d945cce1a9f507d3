// The whole server on its engines, as npm start starts it, on a data folder of its own.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { calls, resources } from '../areas/index.ts'
import type { Wrapper } from '../contract/call.ts'
import { permissions } from '../contract/menus.ts'
import { guard } from '../server/http/serve.ts'
import { readSettings } from './settings.ts'
import { type Started, startServer } from './start.ts'
import { freshDatabase } from './testing/database.ts'

const folder = mkdtempSync(join(tmpdir(), 'penstock-start-'))
const password = 'lanterns over wet cobbles'
const settings = (database: string) =>
  readSettings({
    ...{ PENSTOCK_DATA: folder, PENSTOCK_PORT: '0', PENSTOCK_MQTT_PORT: '0', PENSTOCK_DEMO: 'off', DATABASE_URL: database },
    // All calls are made at once, and are more than an address may make in a second.
    PENSTOCK_CALLS_PER_SECOND: '0',
    PENSTOCK_ADMIN_PASSWORD: password,
  })
const log = pino({ level: 'silent' })
let database: Awaited<ReturnType<typeof freshDatabase>>
let server: Started
type Operation = { 'x-permission'?: string; responses?: Record<string, { content?: object }> }
let operations: { path: string; verb: string; operation: Operation }[]
beforeAll(async () => {
  database = await freshDatabase()
  server = await startServer(settings(database.adminUrl), log)
  const login = await server.app.inject({ method: 'POST', url: '/api/Auth/Login', payload: { UserNO: 'admin', Pwd: password } })
  const headers = { authorization: `Bearer ${login.json<Wrapper<{ Token: string }>>().Data.Token}` }
  const { paths } = (await server.app.inject({ url: '/api/openapi.json', headers })).json<{
    paths: Record<string, Record<string, Operation>>
  }>()
  operations = Object.entries(paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]) => ({ path, verb: verb.toUpperCase(), operation })),
  )
})
afterAll(async () => {
  await server?.close()
  await database?.drop()
  rmSync(folder, { recursive: true, force: true })
})

test('a machine that registers the calls slowly starts late, not never', () => {
  expect(server.app.initialConfig.pluginTimeout).toBe(0)
})

test('a route that names no permission, or no schema, does not start', async () => {
  const bare = Fastify()
  guard(bare)
  expect(() => bare.get('/open', async () => 1)).toThrow('names no known permission')
  expect(() => bare.get('/typo', { config: { permission: 'm99999' }, schema: {} }, async () => 1)).toThrow('names no known permission')
  expect(() => bare.get('/shapeless', { config: { permission: 'session' } }, async () => 1)).toThrow('has no schema')
})

test('every call has a permission of the contract and says what it answers', () => {
  const known = ['public', 'session', ...permissions]
  const found = operations
  expect(found.length).toBeGreaterThan(100)
  expect(
    found.filter(({ operation }) => !known.includes(operation['x-permission'] ?? '')).map(({ verb, path }) => `${verb} ${path}`),
  ).toEqual([])
  expect(found.filter(({ operation }) => !operation.responses?.['200']).map(({ verb, path }) => `${verb} ${path}`)).toEqual([])
})

test('every call of the contract is served, on every path it has', () => {
  const served = new Set(operations.map(({ path, verb }) => `${verb} ${path}`.toLowerCase()))
  const promised = calls.flatMap((c) => [c.path, ...(c.aliases ?? [])].map((path) => `${c.method} /api${path.replace(/:(\w+)/g, '{$1}')}`))
  const lists = resources
    .filter((r) => served.has(`get /api${r.path}`.toLowerCase()))
    .flatMap((r) => [r.path, ...r.aliases].map((path) => `GET /api${path}/List`))
  expect(lists.length).toBeGreaterThan(5)
  expect([...promised, ...lists].filter((call) => !served.has(call.toLowerCase()))).toEqual([])
})

test('every call that is not public requires a session', async () => {
  const closed = operations.filter(({ operation }) => operation['x-permission'] !== 'public')
  const answered = await Promise.all(
    closed.map(async ({ path, verb }) => {
      const answer = await server.app.inject({ method: verb as 'GET', url: path })
      return { call: `${verb} ${path}`, code: answer.json<Wrapper>().StatusCode, data: answer.json<Wrapper>().Data }
    }),
  )
  expect(answered.filter(({ code, data }) => code !== 401 || data !== null)).toEqual([])
})

test('a second server on the same folder is refused with a reason', async () => {
  await expect(startServer(settings(database.adminUrl), log)).rejects.toThrow('already running')
})

test('it says that it lives, that it can serve, and what it does', async () => {
  for (const path of ['/healthz', '/readyz']) expect((await fetch(`http://127.0.0.1:${server.port}${path}`)).status).toBe(200)
  const figures = await (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text()
  expect(figures).toContain('readings_received_total')
  expect(figures).toMatch(/penstock_telemetry_memory_bytes\{kind="\w+"\} [1-9]/)
})
