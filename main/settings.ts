import { resolve } from 'node:path'
import { languageOfTag } from '../contract/languages.ts'
import { allowedBy } from '../server/channels/outbound.ts'
import { parseNatsUrl } from '../server/fleet/natsUrl.ts'
import { trustProxy } from '../server/http/addresses.ts'
import { parseVaultKey } from '../server/identity/vault.ts'
import { problemsOfRoles, roles } from './roles.ts'

/** Every environment variable of the server, parsed once. Unknown or malformed ones are refused by name. */
export type Settings = ReturnType<typeof readSettings>

type Environment = Record<string, string | undefined>

const problems: string[] = []
const text = (env: Environment, name: string, standard = '') => env[name] ?? standard
const port = (env: Environment, name: string, standard: number) => {
  const value = Number(env[name] ?? standard)
  if (!Number.isInteger(value) || value < 0 || value > 65535) problems.push(`${name} must be a port, 0 to 65535; it is "${env[name]}".`)
  return value
}
const amount = (env: Environment, name: string, standard: number) => {
  const value = Number(env[name] ?? standard)
  if (!(value >= 0)) problems.push(`${name} must be a number from 0; it is "${env[name]}".`)
  return value
}
const oneOf = <T extends string>(env: Environment, name: string, of: readonly T[], standard: T): T => {
  const value = (env[name] ?? standard) as T
  if (!of.includes(value)) problems.push(`${name} must be one of ${of.join(', ')}; it is "${value}".`)
  return value
}
const url = (env: Environment, name: string, schemes: readonly string[]) => {
  const value = env[name]
  if (value && !schemes.some((s) => value.startsWith(`${s}://`)))
    problems.push(`${name} must begin with ${schemes.map((s) => `${s}://`).join(' or ')}.`)
  return value || undefined
}

const servers = (env: Environment, name: string) => {
  const given = env[name]
  if (given && !given.split(/[,|]/).every((server) => /^https?:\/\//.test(server.trim()) && URL.canParse(server.trim())))
    problems.push(`${name} must be addresses of servers, such as http://a:8123|http://b:8123,http://c:8123.`)
  return given || undefined
}

const provider = (env: Environment, name: string, standard: string) =>
  (url({ [name]: env[name] || standard }, name, ['http', 'https']) ?? standard).replace(/\/+$/, '')
const span = (env: Environment, name: string, standard: string) => {
  const [, from = 0, to = 0] = (/^(\d{4,5})-(\d{4,5})$/.exec(env[name] ?? standard) ?? []).map(Number)
  if (from < 1024 || to > 65_535 || from > to) problems.push(`${name} must be two ports, 1024 to 65535, such as ${standard}.`)
  return { from, to }
}
const networks = (env: Environment, name: string, options?: Parameters<typeof allowedBy>[1]) => {
  try {
    return allowedBy(
      (env[name] ?? '')
        .split(',')
        .map((n) => n.trim())
        .filter(Boolean),
      options,
    )
  } catch (error) {
    problems.push((error as Error).message)
    return allowedBy([])
  }
}

/** `9212,9213/udp`; without a word it is TCP. */
const uplinkPorts = (env: Environment, name: string) =>
  (env[name] ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => {
      const [, port, transport = 'tcp'] = /^(\d{1,5})(?:\/(tcp|udp))?$/.exec(part) ?? []
      if (!port || Number(port) < 1 || Number(port) > 65_535)
        problems.push(`${name} must be ports such as 9212,9213/udp; it holds "${part}".`)
      return { Port: Number(port), Transport: transport === 'udp' ? (2 as const) : (1 as const) }
    })

const proxies = (env: Environment, name: string) => {
  try {
    return trustProxy(env[name] ?? 'off')
  } catch (error) {
    problems.push(`${name} ${(error as Error).message}`)
    return false
  }
}

const proxyProtocol = (env: Environment, name: string) => {
  const is = oneOf(env, name, ['on', 'off'], 'off') === 'on'
  // Hops match every address. Every caller could then name another one.
  if (is && !/[.:]/.test(env.PENSTOCK_TRUST_PROXY ?? ''))
    problems.push(`${name} needs the networks of the load balancers in PENSTOCK_TRUST_PROXY.`)
  return is
}

const secretKey = (env: Environment, name: string) => {
  const given = env[name] || undefined
  if (given && !parseVaultKey(given)) problems.push(`${name} must be 256 bits in base64: openssl rand -base64 32`)
  return given
}
const natsUrl = (env: Environment, name: string) => {
  const given = env[name] || undefined
  try {
    if (given) parseNatsUrl(given)
  } catch (error) {
    problems.push(`${name} ${(error as Error).message}`)
  }
  return given
}

const ours = [
  'DATA',
  'PORT',
  'HOST',
  'MQTT_PORT',
  'DEMO',
  'DEMO_HISTORY',
  'ADMIN_PASSWORD',
  'TLS_CERT',
  'TLS_KEY',
  'TRUST_PROXY',
  'PROXY_PROTOCOL',
  'LOG',
  'DISK_GB',
  'METRICS_TOKEN',
  'REPORT_FONT',
  'CALLS_PER_SECOND',
  'URL',
  'OUTBOUND',
  'FIREWALL',
  'FRP_PORTS',
  'UPLINK_PORTS',
  'VAULT_KEY',
  'OFFLINE',
]

export const readSettings = (env: Environment) => {
  problems.length = 0
  for (const name of Object.keys(env))
    if (name.startsWith('PENSTOCK_') && !ours.includes(name.slice('PENSTOCK_'.length)))
      problems.push(`${name} is not a setting. Known: ${ours.map((o) => `PENSTOCK_${o}`).join(', ')}.`)
  const settings = {
    /** Everything that must survive lies here. */
    data: resolve(text(env, 'PENSTOCK_DATA', './data')),
    host: text(env, 'PENSTOCK_HOST', '127.0.0.1'),
    /** Console, API and hub. */
    port: port(env, 'PENSTOCK_PORT', 8420),
    mqttPort: port(env, 'PENSTOCK_MQTT_PORT', 8421),
    /** Simulated plant with its soft gateway. */
    demo: oneOf(env, 'PENSTOCK_DEMO', ['on', 'off'], 'on') === 'on',
    /** Days of a past that the demo company gets at its first start. */
    demoHistory: amount(env, 'PENSTOCK_DEMO_HISTORY', 396),
    /** The machine's language, for the demo company of the first start. */
    language: languageOfTag(env.LC_ALL || env.LANG) ?? ('en' as const),
    adminPassword: env.PENSTOCK_ADMIN_PASSWORD || undefined,
    tlsCert: env.PENSTOCK_TLS_CERT || undefined,
    tlsKey: env.PENSTOCK_TLS_KEY || undefined,
    /** Which peers are proxies whose X-Forwarded-For is believed; false = none. */
    trustProxy: proxies(env, 'PENSTOCK_TRUST_PROXY'),
    /** Whether the load balancers in front of MQTT, which `trustProxy` names by network, send the PROXY protocol. */
    proxyProtocol: proxyProtocol(env, 'PENSTOCK_PROXY_PROTOCOL'),
    log: oneOf(env, 'PENSTOCK_LOG', ['trace', 'debug', 'info', 'warn', 'error', 'silent'], 'info'),
    /** Space the data folder may take, GB; 0 = what the disk has. A warning is raised at 80 %. */
    diskGb: amount(env, 'PENSTOCK_DISK_GB', 0),
    /** Of one person, in the long run; a tenant may make four times as many. */
    callsPerSecond: amount(env, 'PENSTOCK_CALLS_PER_SECOND', 500),
    /** The vault key of all servers of one database, base64; otherwise that of the data folder. */
    vaultKey: secretKey(env, 'PENSTOCK_VAULT_KEY'),
    /** Bearer that /metrics asks for; without one, only direct connections from this machine. */
    metricsToken: env.PENSTOCK_METRICS_TOKEN || undefined,
    /** Whether phones may cache orders for offline work. */
    offline: oneOf(env, 'PENSTOCK_OFFLINE', ['on', 'off'], 'on') === 'on',
    /** A font file for Chinese and Japanese in PDFs. */
    reportFont: env.PENSTOCK_REPORT_FONT || undefined,
    /** Address under which people reach the console; without it no grant can lead back to it. */
    url: url(env, 'PENSTOCK_URL', ['http', 'https'])?.replace(/\/+$/, ''),
    /** Networks beside the public internet that webhooks and mail servers may lie in: `10.1.0.0/16,127.0.0.1/32:8025`. */
    outbound: networks(env, 'PENSTOCK_OUTBOUND'),
    /** As it was given, for the demo gateway. */
    outboundList: text(env, 'PENSTOCK_OUTBOUND', ''),
    /** The same networks for panels of tenants. */
    panels: networks(env, 'PENSTOCK_OUTBOUND', { thisMachine: 'named' }),
    /** Whether ports are opened in this machine's firewall, or only recorded; and which may be: those of the tunnels. */
    firewall: { driver: oneOf(env, 'PENSTOCK_FIREWALL', ['none', 'nft'], 'none'), ...span(env, 'PENSTOCK_FRP_PORTS', '20001-29999') },
    /** Ports on which senders of other languages may dial in; none without it. */
    uplinkPorts: uplinkPorts(env, 'PENSTOCK_UPLINK_PORTS'),
    wechatUrl: provider(env, 'WECHAT_URL', 'https://api.weixin.qq.com'),
    dingtalkUrl: provider(env, 'DINGTALK_URL', 'https://oapi.dingtalk.com'),
    aliyunSmsUrl: provider(env, 'ALIYUN_SMS_URL', 'https://dysmsapi.aliyuncs.com'),
    tencentSmsUrl: provider(env, 'TENCENT_SMS_URL', 'https://sms.tencentcloudapi.com'),
    baiduMapUrl: provider(env, 'BAIDU_MAP_URL', 'https://api.map.baidu.com'),
    databaseUrl: url(env, 'DATABASE_URL', ['postgres', 'postgresql']),
    /** A pooler in transaction mode in front of the same database, for all but migrations, the owner's lock, backup and restore. */
    databasePoolUrl: url(env, 'DATABASE_POOL_URL', ['postgres', 'postgresql']),
    /** A replica of the same database that answers lists. */
    databaseReplicaUrl: url(env, 'DATABASE_REPLICA_URL', ['postgres', 'postgresql']),
    clickhouseUrl: url(env, 'CLICKHOUSE_URL', ['http', 'https']),
    /** `,` between shards, `|` between servers that hold the same: `http://a:8123|http://b:8123,http://c:8123|http://d:8123`. */
    clickhouseCluster: servers(env, 'CLICKHOUSE_CLUSTER'),
    /** When a reading is stored: one server of its shard has it, or two of at least three. */
    clickhouseQuorum: oneOf(env, 'CLICKHOUSE_STORED', ['one', 'quorum'], 'one') === 'quorum',
    /** `https://key:secret@host/bucket`: files that people send lie there instead of in the data folder. */
    s3Url: url(env, 'S3_URL', ['http', 'https']),
    mqttUrl: url(env, 'MQTT_URL', ['mqtt', 'mqtts', 'tcp', 'ssl', 'ws', 'wss']),
    /** `nats://user:password@a:4222,nats://b:4222/fleet`: carries messages between gateway processes and the owner of the database. */
    natsUrl: natsUrl(env, 'NATS_URL'),
    roles: text(env, 'ROLES', roles.join(','))
      .split(',')
      .map((r) => r.trim()),
  }
  problems.push(...problemsOfRoles(settings))
  for (const name of ['DATABASE_POOL_URL', 'DATABASE_REPLICA_URL'])
    if (env[name] && !settings.databaseUrl) problems.push(`${name} needs DATABASE_URL, the PostgreSQL server's own address.`)
  if (settings.clickhouseCluster && settings.clickhouseUrl)
    problems.push('CLICKHOUSE_CLUSTER and CLICKHOUSE_URL name two stores: give one of them.')
  if (!settings.tlsCert !== !settings.tlsKey) problems.push('PENSTOCK_TLS_CERT and PENSTOCK_TLS_KEY go together.')
  if (problems.length) throw new Error(`Settings:\n  ${problems.join('\n  ')}`)
  return settings
}
