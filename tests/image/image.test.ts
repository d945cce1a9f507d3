// The image as deploy/compose.yaml runs it: read-only, without capabilities, as an ordinary user, with 1 GiB.
import { execFile, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../front-door.ts'

const run = promisify(execFile)
const engine = ['podman', 'docker'].find((name) => spawnSync(name, ['image', 'inspect', 'penstock']).status === 0)
if (!engine) throw new Error('There is no image "penstock" in podman or docker. Build it with: npm run image')

const name = `penstock-test-${randomBytes(4).toString('hex')}`
const volume = `${name}-data`
const hardened = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', '--memory', '1g']
const settings = ['-e', 'PENSTOCK_DEMO=off', '-e', 'PENSTOCK_ADMIN_PASSWORD=not-the-real-one-42']
const ports = ['-p', '127.0.0.1::8420', '-p', '127.0.0.1::8421']

const container = (...args: string[]) => run(engine, args, { maxBuffer: 1 << 24 })
const inside = async (...command: string[]) => (await container('exec', name, ...command)).stdout
const start = (as: string, ...args: string[]) =>
  container('run', '-d', '--init', '--name', as, ...hardened, ...settings, ...ports, '-v', `${volume}:/data`, ...args, 'penstock')
const address = async () => `http://${(await container('port', name, '8420/tcp')).stdout.trim().split('\n')[0]}`
const isReady = async () => {
  const url = await address().catch(() => '')
  return fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
}
const ready = () => until('the server in the container is ready', isReady, 120_000)
/** Exit status and complete output of a container that exits. */
const ended = async (as: string) => {
  const code = Number((await container('wait', as)).stdout)
  const { stdout, stderr } = await container('logs', as)
  return { code, output: stdout + stderr }
}

beforeAll(async () => {
  await container('volume', 'create', volume)
  await start(name)
  await ready()
})
afterAll(async () => {
  for (const each of [name, `${name}-second`, `${name}-wrong`]) await container('rm', '-f', '-v', each).catch(() => undefined)
  await container('volume', 'rm', '-f', volume).catch(() => undefined)
})

test('it serves the console, as an ordinary user without capabilities, on a file system that it cannot write', async () => {
  expect(await (await fetch(await address())).text()).toContain('<div id="root">')
  expect(Number(await inside('id', '-u'))).toBeGreaterThan(0)
  expect(await inside('cat', '/proc/1/status')).toMatch(/CapEff:\s+0{16}/)
  await expect(inside('touch', '/app/written')).rejects.toThrow('Read-only file system')
})

test('its memory is bounded below that of the container, and its health is checked', async () => {
  expect(await inside('sh', '-c', 'cat /proc/[0-9]*/cmdline')).toContain('--max-old-space-size=')
  await expect(inside('node', 'tools/healthcheck.mjs')).resolves.toBe('')
  const [{ Config }] = JSON.parse((await container('inspect', name)).stdout)
  expect(Config.Healthcheck.Test).toEqual(['CMD', 'node', 'tools/healthcheck.mjs'])
})

test('it holds the licence, and no tests', async () => {
  expect(await inside('cat', 'LICENSE')).toContain('Apache License')
  expect(await inside('sh', '-c', "find . -name node_modules -prune -o -name '*.test.ts' -print")).toBe('')
})

test('an administrator who lost the password gets a new one inside the container', async () => {
  expect(await inside('npm', 'run', '--silent', 'reset-password')).toMatch(/New password of admin: \S+/)
})

test('a second container on the same volume is refused by name, and the first goes on', async () => {
  await start(`${name}-second`)
  const { code, output } = await ended(`${name}-second`)
  expect(code).not.toBe(0)
  expect(output).toContain('already running')
  expect(await isReady()).toBe(true)
  expect(await inside('npm', 'run', '--silent', 'reset-password')).toMatch(/New password of admin: \S+/)
})

test('killed hard, it starts again on its data', async () => {
  await container('kill', '--signal', 'KILL', name)
  await container('start', name)
  await ready()
  expect(await inside('npm', 'run', '--silent', 'reset-password')).toMatch(/New password of admin: \S+/)
})

test('a wrong setting ends it with status 78, which the systemd unit does not restart', async () => {
  await start(`${name}-wrong`, '-e', 'PENSTOCK_PORTT=1')
  const { code, output } = await ended(`${name}-wrong`)
  expect(code).toBe(78)
  expect(output).toContain('PENSTOCK_PORTT is not a setting')
})
