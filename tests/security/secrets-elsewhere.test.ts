// Searches for every secret that is entered or shown once: in all tables, the log, files of the server, and answers.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { calls, resources, settings } from '../../areas/index.ts'
import { protocols } from '../../contract/protocols/index.ts'
import { secretsOf } from '../../contract/protocols/settings.ts'
import { type House, startHouse } from '../house.ts'

let count = 0
const planted: string[] = []
/** A secret that occurs nowhere else. `digits`: eight, as a meter's. */
const secret = (digits = false) => {
  const made = digits ? String(83_104_771 + 1_234_567 * ++count).slice(0, 8) : `Canary${++count}xQ7vZ2kL9pW4`
  planted.push(made)
  return made
}

const lines: string[] = []
const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) })
/** Answers of calls, without secrets that are shown once. */
const answers: string[] = []
let house: House
let project: number
let gateway: number
let device: number
beforeAll(async () => {
  house = await startHouse({ PENSTOCK_OUTBOUND: '127.0.0.1/32:9' }, Date.now, log)
  const made = await house.newGateway('SECRETS00001', 9)
  planted.push(made.Key)
  ;({ project, gateway, device } = made)
  await house.data('POST', '/Project/DevPara', { DeviceId: device, ParaName: 'Level', Address: '0' })
  await house.data('PUT', '/Project/Protocol/Policy', { SecretsInTheOpen: 1 })
  house.startEdge(made)
  await house.online(gateway)
})
afterAll(() => house?.close())

const call = async (method: string, path: string, body?: object, token = house.admin) => {
  const answer = await house.call<Record<string, unknown> & { Id: number }>(token, method, path, body)
  answers.push(JSON.stringify(answer))
  return answer
}
const data = async (method: string, path: string, body: object) => {
  const answer = await call(method, path, body)
  expect(answer.Succeeded ? [] : [path, answer.Details]).toEqual([])
  return answer.Data
}
/** A call whose answer contains secrets by these names, once. */
const given = async (names: string[], method: string, path: string, body: object) => {
  const made = await house.data<Record<string, string> & { Id: never }>(method, path, body)
  for (const name of names) planted.push(made[name]!)
  return made as unknown as { Id: number }
}
/** Changes a record, is refused with a secret in the same call, and removes it. */
const live = async (path: string, made: { Id: number }, fresh: () => object, wrong: object) => {
  await data('PUT', path, { Id: made.Id, ...fresh() })
  expect((await call('PUT', path, { Id: made.Id, ...fresh(), ...wrong })).StatusCode).toBe(400)
  expect((await call('PUT', path, { Id: 4711_0000, ...fresh() })).StatusCode).toBe(404)
}

/** What settings of channels need besides, by protocol. A new protocol with a secret is added here. */
const needed: Record<string, object> = {
  dlt645: {},
  'dlt645-1997': {},
  opcua: { Url: 'opc.tcp://127.0.0.1:9' },
  'mqtt-source': { Url: 'mqtt://127.0.0.1:9', User: 'reader' },
  'http-source': { Url: 'http://127.0.0.1:9/v', HttpSignIn: 'bearer', User: 'reader' },
  snmp: { Version: '2c' },
}
const closed = { Ip: '127.0.0.1', Port: 9 }

/** Plants by the calls that take or give a secret; `METHOD path`, or the act of a resource. */
const plants: Record<string, () => Promise<unknown>> = {
  'POST /System/WechatConfig/DD': async () => {
    const path = '/System/WechatConfig/DD'
    const both = () => ({ AccessToken: secret(), Secret: secret() })
    await live(path, await data('POST', path, { Name: 'Shift', ...both() }), both, { Name: 1 })
    await call('POST', path, { Name: 'Shift', ...both() })
  },
  'PUT /System/WechatConfig/DD': async () => undefined,
  'PUT /System/Backup/Passphrase': () => data('PUT', '/System/Backup/Passphrase', { Passphrase: secret() }),
  'POST /System/Backup/DB': () => data('POST', '/System/Backup/DB', { Passphrase: secret() }),
  'POST /System/Restore/DB': () => call('POST', '/System/Restore/DB', { FileName: 'none', Confirm: 'none', Passphrase: secret() }),
  'POST /Project/DeviceVnc': async () => {
    const Password = () => ({ Password: secret().slice(0, 20) })
    const made = await data('POST', '/Project/DeviceVnc', { VncName: 'Panel', DeviceId: device, Host: '127.0.0.1', Port: 9, ...Password() })
    await live('/Project/DeviceVnc', made, Password, { Port: -1 })
  },
  'POST /Project/Gateway/ResetKey': async () => {
    const { Id } = await data('POST', '/Project/Gateway', { GatewayName: 'Other', SN: 'SECRETS00002', ProjectId: project })
    await given(['Key'], 'POST', '/Project/Gateway/ResetKey', { Id })
  },
  'POST /Protocol/NetworkComponents': async () => {
    const path = '/Protocol/NetworkComponents'
    const made = await given(['Token'], 'POST', path, { ComponentName: 'One', Language: 1, ProjectId: project })
    await given(['Token'], 'POST', path, { ComponentName: 'Two', Language: 1, ProjectId: project, Token: secret() })
    await call('POST', path, { ComponentName: 'Two', Language: 1, ProjectId: project, Token: secret() })
    await given(['Token'], 'POST', `${path}/ResetKey`, made)
    const json = await given(['Token'], 'POST', path, { ComponentName: 'Three', Language: 2, ProjectId: project })
    await given(['Secret'], 'POST', `${path}/Sign`, { Id: json.Id })
  },
  '/Alarm/AlarmWebhook resetKey': async () => {
    const made = await given(['Secret'], 'POST', '/Alarm/AlarmWebhook', { HookName: 'Hook', Url: 'http://127.0.0.1:9/hook' })
    await given(['Secret'], 'POST', '/Alarm/AlarmWebhook/ResetKey', { Id: made.Id })
    await call('POST', '/Alarm/AlarmWebhook/Test', { Id: made.Id })
  },
  '/System/Api resetKey': async () => {
    const made = await given(['Secret'], 'POST', '/System/Api', { ApiName: 'Program' })
    await given(['Secret'], 'POST', '/System/Api/ResetKey', { Id: made.Id })
  },
  '/Project/ThirdPartyAccess setPassword': async () => {
    const path = '/Project/ThirdPartyAccess'
    const access = { ProjectId: project, Mode: 1, Period: 10 }
    const http = await data('POST', path, { AccessName: 'HTTP', Target: 1, Url: 'http://127.0.0.1:9/in', ...access })
    await given(['Secret'], 'POST', `${path}/ResetKey`, { Id: http.Id })
    const mqtt = await data('POST', path, {
      AccessName: 'MQTT',
      Target: 2,
      Url: 'mqtt://127.0.0.1:9',
      Topic: 'a',
      UserName: 'u',
      ...access,
    })
    await data('POST', `${path}/SetPassword`, { Id: mqtt.Id, Password: secret() })
    await call('POST', `${path}/SetPassword`, { Id: http.Id, Password: secret() })
  },
  'POST /Project/Ddt/Share': async () => {
    const made = await given(['Token'], 'POST', '/Project/Ddt/Share', { ShareName: 'Map', Kind: 3, Hours: 24, WithPin: 1 })
    await call('DELETE', '/Project/Ddt/Share', made)
  },
  'POST /Auth/Login': async () => {
    await given(['Token'], 'POST', '/Auth/Login', { UserNO: 'admin', Pwd: 'a password of tests' })
    await call('POST', '/Auth/Login', { UserNO: 'admin', Pwd: secret() })
    await call('POST', '/Auth/Login', { UserNO: secret(), Pwd: secret() }, '')
    planted.splice(-2, 1)
  },
  'POST /System/User/SetPwd': async () => {
    const made = await given(['OneTimePwd'], 'POST', '/System/User', { UserNO: 'person', UserName: 'Person' })
    await given(['OneTimePwd'], 'POST', '/System/User/ResetPwd', { Id: made.Id })
    const first = planted.at(-1)!
    const { Token } = (await house.call<{ Token: string }>(undefined, 'POST', '/Auth/Login', { UserNO: 'person', Pwd: first })).Data
    planted.push(Token)
    await call('POST', '/System/User/SetPwd', { OldPwd: secret(), NewPwd: secret() }, Token)
    await house.call(Token, 'POST', '/System/User/SetPwd', { OldPwd: first, NewPwd: secret() })
  },
  'PUT /System/User/Account': () => call('PUT', '/System/User/Account', { Phone: '13800000000', Pwd: secret() }),
  'POST /Share/ReportFault': async () => {
    await data('PUT', '/Maintenance/OrderClocks', { PublicReports: 1 })
    const { Id } = await data('POST', '/Maintenance/MtnEquipment', { EquipmentName: 'Boiler', ProjectId: project })
    const { Path } = await house.data<{ Path: string }>('GET', `/Maintenance/MtnEquipment/Label?Id=${Id}`)
    const Label = Path.split('#')[1]!
    planted.push(Label.split('.')[1]!)
    await given(['Token'], 'POST', '/Share/ReportFault', { Label, Desc: 'It hums' })
    await call('POST', '/Share/ReportState', { Token: planted.at(-1) })
    await given(['Token'], 'POST', '/Maintenance/MtnEquipment/ReportByLabel', { Label, Desc: 'It hums at night' })
  },
  'POST /Maintenance/MtnEquipment/ReportByLabel': async () => undefined,
  'POST /Share/ReportState': async () => undefined,
  'POST /Share/Open': () => call('POST', '/Share/Open', { Token: secret().padEnd(32, 'x').slice(0, 32) }),
}
/** Calls that take the same as one above, or a password of which only a hash is compared. */
const alike = [
  ...['POST /Auth/LoginConfirm', 'POST /Auth/ActAs', 'POST /Auth/PwdQuestion/Set', 'POST /System/User/Import', 'POST /System/Enterprise'],
  ...['POST /System/Backup/Resource', 'POST /System/Restore/Resource', 'POST /System/Backup/Brought', 'POST /System/TrialUser'],
  ...['POST /Share/Report', 'POST /Share/ReportFile', 'POST /Tv/Open', 'POST /Tv/Begin', 'POST /Tv/Claim'],
]
const isSecret = (name: string) =>
  /^(?!Has|Must)\w*(Secret|Passw|Pwd|Token|Passphrase|AesKey)\w*$|^Pin$/.test(name) && !/^(SecretQ|PasswordM|SecretsIn)/.test(name)
const namesIn = (schema: unknown): string[] =>
  Object.entries(Object(schema) as object).flatMap(([key, value]) => [
    ...(key === 'properties' ? Object.keys(value).filter(isSecret) : []),
    ...(typeof value === 'object' ? namesIn(value) : []),
  ])

it('each call that takes or gives a secret is planted below', () => {
  const paths = settings.map(({ path }) => `PUT ${path}`)
  const known = [...Object.keys(plants), ...alike, ...paths]
  const found = calls.filter(({ body, answer }) => namesIn([body, answer]).length).map(({ method, path }) => `${method} ${path}`)
  expect(found.filter((name) => !known.includes(name))).toEqual([])
  const withSecrets = protocols.filter(({ channel }) => secretsOf(channel).length).map(({ name }) => name)
  expect(withSecrets.sort()).toEqual(Object.keys(needed).sort())
})

it.each(Object.entries(plants))('planted: %s', async (_, plant) => void (await plant()))

it.each(settings.filter((s) => Object.keys(s.secrets).length))('planted: the secrets of $name', async ({ path, secrets }) => {
  const all = () => Object.fromEntries(Object.keys(secrets).map((name) => [name, secret()]))
  await data('PUT', path, all())
  await call('PUT', path, { ...all(), UpdateStamp: 1 })
  await call('PUT', path, { ...all(), Nonsense: 1 })
})

it.each(protocols.filter(({ name }) => needed[name]))(
  'planted: the secrets of channels of $name',
  async ({ number, name, channel, targets }) => {
    const path = `/Project/Protocol/${targets.dials ? 'NetProtocol' : 'SerialProtocol'}`
    const place = needed[name] && 'Url' in needed[name] ? {} : targets.dials ? closed : { SerialPort: '/dev/none' }
    const Settings = () => ({
      ...needed[name],
      ...Object.fromEntries(secretsOf(channel).map((key) => [key, secret(name.startsWith('dlt'))])),
    })
    const made = await data('POST', path, { ProtocolName: name, GatewayId: gateway, ProtocolType: number, ...place, Settings: Settings() })
    await live(path, made, () => ({ Settings: Settings() }), { RetryCount: -1 })
    const other = { ...Settings(), ...(place === closed ? {} : { Url: 'http://127.0.0.1:10/other' }), Nonsense: 1 }
    await call('PUT', path, { Id: made.Id, Settings: other })
  },
)

it('no secret is found anywhere', async () => {
  expect(await house.push(gateway)).toEqual({ Code: 0, Msg: expect.any(String) })
  for (const { path, name } of resources) {
    await call('GET', `${path}/List?PageIndex=1&PageSize=100`)
    expect(name).toBeTruthy()
  }
  await call('GET', '/System/Log/List?PageIndex=1&PageSize=1000')
  const forms = planted.flatMap((text) => [text, Buffer.from(text).toString('hex'), Buffer.from(text).toString('base64').slice(0, -4)])
  const foundIn = (text: string) => forms.filter((form) => text.includes(form))
  expect(answers.flatMap((text) => foundIn(text).map((form) => [form, text.slice(0, 300)]))).toEqual([])
  expect(lines.flatMap(foundIn)).toEqual([])
  const client = new pg.Client(house.databaseUrl)
  await client.connect()
  const { rows: tables } = await client.query<{ name: string }>(`select tablename as name from pg_tables where schemaname = 'public'`)
  const stored: unknown[] = []
  const whole: string[] = []
  for (const { name } of tables) {
    const { rows } = await client.query<{ text: string }>(`select t::text as text from "${name}" t`)
    whole.push(...rows.map(({ text }) => text))
    stored.push(...rows.flatMap(({ text }) => foundIn(text).map((form) => [name, form, text.slice(0, 200)])))
  }
  await client.end()
  expect(stored).toEqual([])
  // Values that are not secret are found, so the search works.
  expect(whole.filter((text) => text.includes('Project of SECRETS00001')).length).toBeGreaterThan(1)
  const files = readdirSync(house.folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
  const inFiles = files
    .map((file) => join(file.parentPath, file.name))
    .flatMap((file) => foundIn(readFileSync(file, 'latin1')).map((form) => [file, form]))
  expect(inFiles).toEqual([])
  expect([planted.length > 60, tables.length > 100]).toEqual([true, true])
})
