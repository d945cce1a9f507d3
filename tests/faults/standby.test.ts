// Two servers on the same PostgreSQL, ClickHouse and broker: one works, the other is on standby and takes over.
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import mqtt from 'mqtt'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Page } from '../../contract/call.ts'
import { topic } from '../../contract/gateway-protocol.ts'
import { hasMosquitto, startMosquitto } from '../../main/testing/mosquitto.ts'
import { startMailServer, startProviders } from '../../main/testing/providers.ts'
import { startPostgres } from '../../server/database/embedded.ts'
import { locks } from '../../server/database/locks.ts'
import { clickhouseServer, startClickHouse } from '../../server/telemetry/store/clickhouse/clickhouseServer.ts'
import { openClickHouseStore } from '../../server/telemetry/store/clickhouse/clickhouseStore.ts'
import { type FrontDoor, password, temporary, until } from '../front-door.ts'
import { makePlant } from './plant.ts'
import { type Senders, startSenders } from './senders.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'
import { byApi, byStore, enter, flawless, perfect, tally, worse } from './tally.ts'
import { inTime, pause, rounds, seconds } from './tiers.ts'

const watched = 'WATCHED00001'
const users = { [watched]: 'key', STANDBY000001: 'key', STANDBY000002: 'key', penstock: 'server' }
const log = { info: () => undefined, error: () => undefined }

describe.skipIf(!clickhouseServer || !hasMosquitto)('of two servers (skipped without ClickHouse or Mosquitto)', () => {
  const postgresFolder = mkdtempSync(join(tmpdir(), 'penstock-standby-postgres-'))
  let postgres: Awaited<ReturnType<typeof startPostgres>>
  let clickhouse: Awaited<ReturnType<typeof startClickHouse>>
  let broker: Awaited<ReturnType<typeof startMosquitto>>
  let providers: Awaited<ReturnType<typeof startProviders>>
  let mail: Awaited<ReturnType<typeof startMailServer>>
  let owner: ServerProcess
  let other: ServerProcess
  let door: FrontDoor
  let sending: Senders
  let level: { gateway: string; device: number; point: number }
  beforeAll(async () => {
    postgres = await startPostgres({ folder: postgresFolder, log })
    clickhouse = await startClickHouse(clickhouseServer!)
    broker = await startMosquitto(users, 'penstock')
    providers = await startProviders()
    mail = await startMailServer()
    const env = {
      DATABASE_URL: postgres.url,
      CLICKHOUSE_URL: clickhouse.url,
      MQTT_URL: `mqtt://penstock:server@127.0.0.1:${broker.port}`,
      PENSTOCK_OUTBOUND: `127.0.0.1/32:${providers.port},127.0.0.1/32:${mail.port}`,
    }
    owner = await startServerProcess(env)
    door = await owner.door()
    const folder = temporary()
    // As docs/standby.md describes.
    copyFileSync(join(owner.folder, 'vault.key'), join(folder, 'vault.key'))
    other = await startServerProcess(env, { folder, standby: true })

    const plant = await door.newGateway(watched, 1)
    const { Id } = await door.data('POST', '/Project/DevPara', { DeviceId: plant.device, ParaName: 'Level', Address: '0' })
    level = { gateway: watched, device: plant.device, point: Id }
    await door.data('PUT', '/System/User/Account', { Email: 'somebody@example.com', Pwd: password })
    providers.signHooksWith('hook secret')
    await door.data('PUT', '/System/WechatConfig/MessagePush', {
      ...{ EmailOn: 1, EmailHost: '127.0.0.1', EmailPort: mail.port, EmailTls: 'none', EmailUser: 'mailer', EmailPassword: 'mail secret' },
      ...{ EmailFrom: 'Penstock <alarms@example.com>', WebhookSecret: 'hook secret' },
    })
    const me = await door.data('GET', '/System/User/UserInfo')
    const above = { TriggerStyle: 1, TriggerCondition: 1, OperateSymbol: 3, ParamValue: 10, AlarmParams: [{ ParaId: Id }] }
    await door.data('POST', '/Alarm/AlarmRule', {
      ...{ RuleName: 'Overflow', Status: 1, IsSend: 1, AlarmPush: { PushUsers: [me.Id], PushMethods: [{ Method: 3 }] } },
      RuleConfigure: { LogicSymbol: 1, EnableType: 0, RuleList: [{ LogicSymbol: 1, Conditions: [above] }] },
      ActionExecution: [{ Type: 3, Url: `${providers.url}/hook` }],
    })
    const sources = await makePlant(door, 2, 5, 'STANDBY')
    sending = startSenders(sources, { port: broker.port, messagesPerSecond: 50, ackBy: 'down', password: () => 'key' })
  })
  afterAll(async () => {
    await sending?.stop()
    await other?.stop()
    await owner?.stop()
    for (const process of [owner, other]) process?.remove()
    await broker?.remove()
    await clickhouse?.remove()
    await postgres?.stop()
    await providers?.close()
    await mail?.close()
    rmSync(postgresFolder, { recursive: true, force: true })
  })

  /** Sends a level until the server has acknowledged it. */
  const say = async (value: number) => {
    const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${broker.port}`, { clientId: watched, username: watched, password: 'key' })
    const MsgId = crypto.randomUUID()
    const Data = { Items: [{ D: level.device, T: Date.now(), V: { [level.point]: value } }] }
    let isHeard = false
    client.on('message', (_topic, payload) => {
      isHeard ||= JSON.parse(payload.toString()).MsgId === MsgId
    })
    await client.subscribeAsync(topic(watched, 'down', 'ack'), { qos: 1 })
    const publish = () => client.publish(topic(watched, 'up', 'data'), JSON.stringify({ MsgId, Ts: Date.now(), Ver: 1, Data }), { qos: 1 })
    publish()
    const again = setInterval(publish, 1000)
    await until('the level to be acknowledged', () => isHeard).finally(() => clearInterval(again))
    await client.endAsync()
  }
  const goesOn = async () => {
    const before = sending.ackedCount()
    await until('acknowledgements', () => sending.ackedCount() > before + 50)
  }
  const swap = async () => {
    ;[owner, other] = [other, owner]
    door = await owner.door()
  }
  const expectStandby = async ({ origin, ...process }: ServerProcess) => {
    expect(await process.standsBy()).toBe(true)
    expect((await fetch(`${origin}/healthz`)).status).toBe(200)
    const answer = await fetch(`${origin}/api/Project/Project/List`, { headers: { 'accept-language': 'en' } })
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({ Succeeded: false, StatusCode: 503, Errors: expect.stringContaining('Try again') })
  }
  const expectOne = async () => {
    expect((await owner.ready()).ok).toBe(true)
    await expectStandby(other)
  }
  type Alarm = { Id: number; IsActive: number }
  const alarms = async () => (await door.data<Page<Alarm>>('GET', '/Alarm/AlarmInfo/List?PageSize=1000&AlarmType=1')).Items
  type Entry = { Method: string; SendStatus: number; ErrorText: string }
  const timeline = (id: number) => door.data<Entry[]>('GET', `/Alarm/AlarmInfo/PushTimeline?Id=${id}`)
  const isOver = (entries: Entry[]) => entries.length === 2 && entries.every((e) => e.SendStatus === 1 || e.SendStatus === 3)
  const countOf = async () => {
    const store = await openClickHouseStore({ url: clickhouse.url, clock: Date.now })
    const counts = worse(await tally(sending, byApi(door)), await tally(sending, byStore(store)))
    await store.close()
    return counts
  }
  const asAdmin = async <T>(work: (client: pg.Client) => Promise<T>) => {
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    return work(client).finally(() => client.end())
  }

  const kills = rounds(1, 6)
  test('the owner is killed: the other one goes on with readings, alarms and messages, each once', inTime(2 * kills), async ({ task }) => {
    let slowest = 0
    for (let i = 0; i < kills; i++) {
      await goesOn()
      await expectOne()
      const raised = say(50)
      // Anywhere until its messages are out; what is under way by then is waited for a minute, so seldom in the short tier.
      await pause(Math.random() * rounds(60, 900))
      await owner.kill()
      const killed = performance.now()
      await other.serving()
      slowest = Math.max(slowest, performance.now() - killed)
      await owner.stand()
      await swap()
      await raised
      const standing = await until('the alarm', async () => (await alarms()).find((a) => a.IsActive === 1))
      await until('its messages', async () => isOver(await timeline(standing.Id)), 90_000)
      await say(5)
      await until('its end', async () => (await alarms()).every((a) => a.IsActive === 0))
    }
    await expectOne()
    const all = await alarms()
    expect(all).toHaveLength(kills)
    const entries = (await Promise.all(all.map((a) => timeline(a.Id)))).flat()
    expect(new Set(providers.inbox.map((r) => r.headers['webhook-id'])).size).toBe(kills)
    expect(mail.mails.length).toBeLessThanOrEqual(kills)
    expect(mail.mails.length).toBeGreaterThanOrEqual(entries.filter((e) => e.Method === 'email' && e.SendStatus === 1).length)
    await sending.finish()
    const counts = await countOf()
    for (const sender of sending.senders) sender.resume()
    enter(task, { fault: 'owner killed, standby takes over', rounds: kills, ...counts, note: `serves within ${seconds(slowest)}` })
    expect(flawless(counts)).toEqual(perfect)
  })

  const restarts = rounds(1, 5)
  test('PostgreSQL is killed under both: the owner stays it, and nothing is lost', inTime(restarts), async ({ task }) => {
    const pid = owner.pid()
    for (let i = 0; i < restarts; i++) {
      await goesOn()
      process.kill(Number(readFileSync(join(postgresFolder, 'cluster/postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL')
      await until('the owner to see it', async () => !(await owner.ready()).ok)
      await owner.serving()
      await goesOn()
      // By then the other one would have tried.
      await pause(4000)
      await expectOne()
    }
    expect(owner.pid()).toBe(pid)
    await sending.finish()
    const counts = await countOf()
    for (const sender of sending.senders) sender.resume()
    enter(task, { fault: 'PostgreSQL killed under two servers', rounds: restarts, ...counts, note: '' })
    expect(flawless(counts)).toEqual(perfect)
  })

  const cuts = rounds(1, 4)
  test('an owner that was cut off until the other one has taken over ends, and has spoilt nothing', inTime(cuts), async ({ task }) => {
    const before = (await alarms()).length
    for (let i = 0; i < cuts; i++) {
      await goesOn()
      process.kill(owner.pid(), 'SIGSTOP')
      await asAdmin((admin) =>
        admin.query(`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted and objid = ${locks.owner}`),
      )
      await other.serving()
      const ended = owner.ends()
      process.kill(owner.pid(), 'SIGCONT')
      expect(await ended).toBe(1)
      await owner.stand()
      await swap()
      await say(50)
      await until('the alarm', async () => (await alarms()).some((a) => a.IsActive === 1))
      await say(5)
      await until('its end', async () => (await alarms()).every((a) => a.IsActive === 0))
      await expectOne()
    }
    expect(await alarms()).toHaveLength(before + cuts)
    await sending.finish()
    const counts = await countOf()
    enter(task, { fault: 'owner cut off and back', rounds: cuts, ...counts, note: '' })
    expect(flawless(counts)).toEqual(perfect)
  })

  test('a standby server stops on a signal, and takes over when the owner stops on one', async () => {
    await other.stop()
    expect(other.alive()).toBe(false)
    await other.stand()
    await owner.stop()
    await other.serving()
    expect((await other.ready()).ok).toBe(true)
  })
})
