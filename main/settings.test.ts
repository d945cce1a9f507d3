import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readSettings } from './settings.ts'

it('has a default for everything', () => {
  expect(readSettings({})).toMatchObject({ host: '127.0.0.1', port: 8420, mqttPort: 8421, demo: true, trustProxy: false })
})

it.each([
  [{ PENSTOCK_PROT: '1' }, /PENSTOCK_PROT is not a setting/],
  [{ PENSTOCK_PORT: 'http' }, /PENSTOCK_PORT must be a port/],
  [{ PENSTOCK_DEMO: 'yes' }, /PENSTOCK_DEMO must be one of on, off/],
  [{ DATABASE_URL: 'mysql://x' }, /DATABASE_URL must begin with postgres/],
  [{ CLICKHOUSE_CLUSTER: 'http://a:8123|b:8123' }, /CLICKHOUSE_CLUSTER must be addresses of servers/],
  [{ CLICKHOUSE_CLUSTER: 'http://a', CLICKHOUSE_URL: 'http://b' }, /two stores/],
  [{ DATABASE_POOL_URL: 'postgres://x' }, /DATABASE_POOL_URL needs DATABASE_URL/],
  [{ DATABASE_REPLICA_URL: 'postgres://x' }, /DATABASE_REPLICA_URL needs DATABASE_URL/],
  [{ PENSTOCK_TLS_CERT: 'a.pem' }, /go together/],
  [{ ROLES: 'api,web' }, /ROLES holds "web"/],
  [{ ROLES: 'api,ingest' }, /must name all of/],
  [{ ROLES: 'api' }, /ROLES=api needs NATS_URL/],
  [{ ROLES: 'api', NATS_URL: 'nats://a' }, /needs PENSTOCK_VAULT_KEY[\s\S]*needs DATABASE_URL[\s\S]*needs CLICKHOUSE_URL/],
  [{ PENSTOCK_VAULT_KEY: 'secret' }, /PENSTOCK_VAULT_KEY must be 256 bits in base64/],
  [{ ROLES: 'ingest', NATS_URL: 'nats://a' }, /needs DATABASE_URL[\s\S]*needs CLICKHOUSE_URL/],
  [{ ROLES: 'gateway,ingest', NATS_URL: 'nats://a' }, /must name all of/],
  [{ ROLES: 'gateway' }, /needs NATS_URL/],
  [{ PENSTOCK_PROXY_PROTOCOL: 'on', PENSTOCK_TRUST_PROXY: '1' }, /PENSTOCK_PROXY_PROTOCOL needs the networks/],
  [{ NATS_URL: 'http://a' }, /NATS_URL must be addresses of NATS servers/],
  [{ NATS_URL: 'nats://a:4222/two words' }, /names a fleet of letters/],
  [{ NATS_URL: 'nats://a,tls://b' }, /all of its servers, or for none/],
  [{ NATS_URL: 'nats://a', DATABASE_URL: 'postgres://x', CLICKHOUSE_URL: 'http://x' }, /NATS_URL needs S3_URL/],
  [{ NATS_URL: 'nats://a', S3_URL: 'http://x' }, /NATS_URL needs DATABASE_URL[\s\S]*NATS_URL needs CLICKHOUSE_URL/],
  [{ NATS_URL: 'nats://a', ROLES: 'gateway', MQTT_URL: 'mqtt://b' }, /two ways to gateways/],
])('refuses %j by name', (env, words) => {
  expect(() => readSettings(env)).toThrow(words)
})

it('a process that only takes gateways needs no engine but NATS', () => {
  expect(readSettings({ NATS_URL: 'nats://a:4222,nats://b:4222/plant', ROLES: 'gateway' })).toMatchObject({ roles: ['gateway'] })
})

it.each([
  [{ LC_ALL: 'es_ES.UTF-8', LANG: 'ja_JP.UTF-8' }, 'es'],
  [{ LANG: 'ja_JP.UTF-8' }, 'ja'],
  [{ LC_ALL: '', LANG: 'zh_CN' }, 'zh'],
  [{ LC_ALL: 'C.UTF-8', LANG: 'es_ES' }, 'en'],
  [{ LANG: 'fr_FR.UTF-8' }, 'en'],
  [{}, 'en'],
])('with %j the machine speaks %s', (env, language) => {
  expect(readSettings(env).language).toBe(language)
})

it('names every wrong setting at once', () => {
  expect(() => readSettings({ PENSTOCK_PORT: 'x', PENSTOCK_MQTT_PORT: 'y' })).toThrow(/PENSTOCK_PORT[\s\S]*PENSTOCK_MQTT_PORT/)
})

it('ends with status 78, which supervisors do not restart', () => {
  const env = { ...process.env, PENSTOCK_PROT: '1' }
  const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'server.ts')], { env, encoding: 'utf8' })
  expect(status).toBe(78)
  expect(stderr).toContain('PENSTOCK_PROT is not a setting')
})
