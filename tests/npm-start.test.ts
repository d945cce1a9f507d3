// What people type: npm start, Ctrl-C, npm start again, and the ways in which it all can be killed.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, test, vi } from 'vitest'
import { openFrontDoor } from './front-door.ts'
import { until } from './house.ts'

// The first launch may have to build the console.
vi.setConfig({ testTimeout: 240_000 })

const folder = mkdtempSync(join(tmpdir(), 'penstock-npm-start-'))
const data = join(folder, 'data')
const launched: ChildProcess[] = []
afterAll(async () => {
  for (const child of launched) child.kill('SIGKILL')
  await until(
    'everything has stopped',
    () => !existsSync(join(data, 'server.lock')) && !existsSync(join(data, 'postgres/cluster/postmaster.pid')),
  )
  rmSync(folder, { recursive: true, force: true })
})

const launch = (more: Record<string, string> = {}) => {
  const env = { ...process.env, PENSTOCK_DATA: data, PENSTOCK_PORT: '0', PENSTOCK_MQTT_PORT: '0', PENSTOCK_LOG: 'error', ...more }
  const child = spawn(process.execPath, [join(import.meta.dirname, '../tools/start.mjs')], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  launched.push(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const told = (pattern: RegExp) => until(`${pattern} in what it prints`, () => pattern.exec(output) ?? undefined, 150_000)
  return { child, told, printed: () => output, ended: once(child, 'exit') as Promise<[number | null]> }
}
/** Notices of gateways, and of alarms before this start. The plant may have a fault or need a chemical while the test runs. */
const notices = async () => {
  const [, , , port] = readFileSync(join(data, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n')
  const password = readFileSync(join(data, 'postgres/password'), 'utf8').trim()
  const client = new pg.Client(`postgres://penstock:${password}@127.0.0.1:${port}/penstock`)
  await client.connect()
  try {
    return (
      await client.query(`
        select n."PushTitle" from notice n left join alarm_info a on n."ObjectType" = 'alarmInfo' and a."Id" = n."ObjectId"
        where coalesce(n."Source", '') not like 'chemicalOrder/%' and (a."DeviceId" is null or a."StartTime" < now() - interval '1 hour')`)
    ).rows
  } finally {
    await client.end()
  }
}
const serverOf = () => Number(readFileSync(join(data, 'server.lock'), 'utf8').split(' ')[0])

test('it prints address and first password once, stops cleanly at a signal, and keeps its data', async () => {
  const first = launch({ LC_ALL: 'es_ES.UTF-8' })
  const [, address] = await first.told(/ready:\s+(http:\/\/\S+)/)
  const [, password] = await first.told(/admin \/ (\S{8,})/)
  const [box] = await first.told(/Penstock is ready: [\s\S]*Ctrl-C stops Penstock/)
  expect(box).toMatch(/First sign-in: +admin[\s\S]*Open first: +Home/)
  // Progress is lines of text, and no tool warns a newcomer.
  expect(first.printed()).toMatch(/Database +started in [\s\S]*Server +started in [\s\S]*Plant +18 simulated devices/)
  expect(first.printed()).not.toMatch(/warn|deprecat|\(!\)|INEFFECTIVE/i)
  const page = await fetch(address!)
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('<div id="root">')

  // Ruling 51: the demo company speaks the language of the machine.
  const door = await openFrontDoor(address!, password)
  const companies = await door.data<{ Items: { Name: string; Language: string | null }[] }>('GET', '/System/Enterprise/List')
  expect(companies.Items.map((e) => [e.Name, e.Language])).toEqual(
    expect.arrayContaining([
      ['Platform', null],
      ['Riverside Waterworks', 'es'],
    ]),
  )

  await first.told(/Gateway +connected/)

  const rival = launch()
  await rival.told(/already running on \S+ \(process \d+.*\)\. Stop it, or choose another folder with PENSTOCK_DATA/)
  expect(await rival.ended).toEqual([1, null])
  const beside = launch({ PENSTOCK_DATA: join(folder, 'beside'), PENSTOCK_PORT: new URL(address!).port, PENSTOCK_DEMO: 'off' })
  await beside.told(/Port \d+ is taken by another program: stop it, or choose another port with PENSTOCK_PORT\./)
  expect(await beside.ended).toEqual([1, null])

  first.child.kill('SIGINT')
  expect(await first.ended).toEqual([0, null])
  expect(existsSync(join(data, 'server.lock'))).toBe(false)
  expect(existsSync(join(data, 'postgres/cluster/postmaster.pid'))).toBe(false)

  const second = launch()
  await second.told(/ready:/)
  // A stop on purpose is no news of the demo's gateway.
  expect(await notices()).toEqual([])
  await expect(Promise.race([second.told(/First sign-in/), second.told(/Ctrl-C stops/)])).resolves.toMatchObject({ 0: 'Ctrl-C stops' })
  expect(second.printed()).toMatch(/Sign in: +admin, with the one-time password printed before\nPassword lost: +npm run reset-password/)
  second.child.kill('SIGTERM')
  expect(await second.ended).toEqual([0, null])
})

test.each([
  ['18.20.4', /^Penstock needs Node 20 or newer, and this is 18\.20\.4: install a newer one/],
  ['9.11.2', /^Penstock needs Node 20 or newer/],
])('on Node %s it says in one sentence what to do', (version, sentence) => {
  const start = join(import.meta.dirname, '../tools/start.mjs')
  const as = `Object.defineProperty(process.versions, 'node', { value: '${version}' }); import(${JSON.stringify(start)})`
  const { status, stderr, stdout } = spawnSync(process.execPath, ['--eval', as], { encoding: 'utf8' })
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(sentence)
})

test('when npm start is killed, the server stops by itself; when the server is, the next takes its PostgreSQL over', async () => {
  const first = launch()
  await first.told(/ready:/)
  first.child.kill('SIGKILL')
  await until('the server has gone, too', () => !existsSync(join(data, 'server.lock')))

  const second = launch()
  await second.told(/ready:/)
  process.kill(serverOf(), 'SIGKILL')
  expect((await second.ended)[0]).not.toBe(0)
  expect(existsSync(join(data, 'postgres/cluster/postmaster.pid'))).toBe(true)

  const third = launch()
  await third.told(/ready:/)
  third.child.kill('SIGTERM')
  expect(await third.ended).toEqual([0, null])
})
