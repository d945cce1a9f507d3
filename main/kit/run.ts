// npm run kit: a Penstock of its own on an empty data folder, and the page in front of it.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serveKit } from './serve.ts'

/** No setting of another Penstock reaches this one: it fills its database. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^PENSTOCK_|_URL$/.test(name)))
const data = await mkdtemp(join(tmpdir(), 'penstock-kit-'))
const password = randomBytes(12).toString('base64url')
const server = spawn(process.execPath, [join(import.meta.dirname, '../server.ts')], {
  env: {
    ...env,
    PENSTOCK_DATA: data,
    PENSTOCK_PORT: '0',
    PENSTOCK_MQTT_PORT: '8432',
    PENSTOCK_ADMIN_PASSWORD: password,
    PENSTOCK_DEMO: 'off',
    PENSTOCK_LOG: 'warn',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const ended = once(server, 'exit')

const ready = new Promise<string>((done, failed) => {
  let printed = ''
  server.stdout.on('data', (chunk) => {
    printed += chunk
    const address = /ready:\s+(http:\/\/\S+)/.exec(printed)?.[1]
    if (address) done(address)
  })
  void ended.then(() => failed(new Error(`The server did not start.\n${printed}`)))
})

const kit = await serveKit({ penstock: await ready, password })
console.log(`\nThe kit is ready:  ${kit.address}\nCtrl-C stops.\n`)

const stop = async () => {
  await kit.close()
  server.kill('SIGTERM')
  await ended
  await rm(data, { recursive: true, force: true })
  process.exit(0)
}
process.once('SIGINT', stop)
process.once('SIGTERM', stop)
process.once('disconnect', stop)
