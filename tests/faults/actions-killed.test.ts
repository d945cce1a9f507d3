// The server is killed between the reading that raises an alarm and what the alarm sets going: a register of the device, an outside
// webhook receiver and a mail server each see one action an alarm; one repair order counts each alarm once.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from '../../contract/call.ts'
import { startGateway } from '../../edge/agent.ts'
import { startMailServer, startProviders } from '../../main/testing/providers.ts'
import { type FrontDoor, password, temporary, until } from '../front-door.ts'
import { startDevice } from '../modbus-device.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'
import { inTime, isLong, pause, rounds } from './tiers.ts'

const [levelAt, valveAt] = [0, 10]
let server: ServerProcess
let door: FrontDoor
let edge: Awaited<ReturnType<typeof startGateway>>
let device: Awaited<ReturnType<typeof startDevice>>
let providers: Awaited<ReturnType<typeof startProviders>>
let mail: Awaited<ReturnType<typeof startMailServer>>
beforeAll(async () => {
  providers = await startProviders()
  mail = await startMailServer()
  providers.signHooksWith('hook secret')
  server = await startServerProcess({ PENSTOCK_OUTBOUND: `127.0.0.1/32:${providers.port},127.0.0.1/32:${mail.port}` })
  door = await server.door()
  device = await startDevice()
  const plant = await door.newGateway('ACTIONS00001', device.port)
  const point = (more: object) =>
    door.data('POST', '/Project/DevPara', { DeviceId: plant.device, CollectPeriod: 100, ParaDataType: 2, ReadWriteType: 1, ...more })
  const level = await point({ ParaName: 'Level', Address: String(levelAt) })
  const valve = await point({ ParaName: 'Valve', Address: String(valveAt), UploadMode: 3 })
  edge = await startGateway({
    ...{ server: `mqtt://127.0.0.1:${server.mqttPort}`, sn: plant.SN, key: plant.Key, data: temporary() },
    reconnectMs: { min: 50, max: 400 },
  })
  await door.online(plant.gateway)
  expect(await door.push(plant.gateway)).toMatchObject({ Code: 0 })
  await door.data('PUT', '/System/User/Account', { Email: 'somebody@example.com', Pwd: password })
  await door.data('PUT', '/System/WechatConfig/MessagePush', {
    ...{ EmailOn: 1, EmailHost: '127.0.0.1', EmailPort: mail.port, EmailTls: 'none', EmailUser: 'mailer', EmailPassword: 'mail secret' },
    ...{ EmailFrom: 'Penstock <alarms@example.com>', WebhookSecret: 'hook secret' },
  })
  const { Id } = await door.data('GET', '/System/User/UserInfo')
  const above = { TriggerStyle: 1, TriggerCondition: 1, OperateSymbol: 3, ParamValue: 10, AlarmParams: [{ ParaId: level.Id }] }
  await door.data('POST', '/Alarm/AlarmRule', {
    ...{ RuleName: 'Overflow', Status: 1, IsSend: 1, AlarmPush: { PushUsers: [Id], PushMethods: [{ Method: 3 }] } },
    RuleConfigure: { LogicSymbol: 1, EnableType: 0, RuleList: [{ LogicSymbol: 1, Conditions: [above] }] },
    DeviceControl: [{ ParaId: valve.Id, Value: 1 }],
    ActionExecution: [
      { Type: 3, Url: `${providers.url}/hook` },
      { Type: 1, UserId: Id },
    ],
  })
  await until('polling', () => device.state.reads > 2)
})
afterAll(async () => {
  await edge?.close()
  await device?.close()
  await server?.stop()
  server?.remove()
  await providers?.close()
  await mail?.close()
})

type Alarm = { Id: number; IsActive: number; AckStatus: number; IsShelved: number; HandleStatus: number }
const alarms = async () => (await door.data<Page<Alarm>>('GET', '/Alarm/AlarmInfo/List?PageSize=1000&AlarmType=1')).Items
type Entry = { Method: string; SendStatus: number; ErrorText: string }
const timeline = (id: number) => door.data<Entry[]>('GET', `/Alarm/AlarmInfo/PushTimeline?Id=${id}`)
const isOver = (entries: Entry[]) => entries.length === 3 && entries.every((e) => e.SendStatus === 1 || e.SendStatus === 3)

const kills = rounds(2, 15)
test('each alarm has its action once, wherever between raise and action the server is killed', inTime(kills), async () => {
  for (let i = 0; i < kills; i++) {
    device.registers[levelAt] = 50
    await pause(Math.random() * 900)
    await server.kill()
    await server.start()
    door = await server.door()
    const standing = await until('the alarm', async () => (await alarms()).find((a) => a.IsActive === 1), 60_000)
    await until('its actions', async () => isOver(await timeline(standing.Id)), 90_000)
    device.registers[levelAt] = 5
    await until('its end', async () => (await alarms()).every((a) => a.IsActive === 0), 60_000)
  }
  // Whatever might still come a second time has had time to.
  await pause(3000)
  const all = await alarms()
  const entries = (await Promise.all(all.map((a) => timeline(a.Id)))).flat()
  expect(all).toHaveLength(kills)
  expect(entries.filter((e) => e.Method === 'write' && e.SendStatus === 1)).toHaveLength(kills)
  expect(device.writes.filter((w) => w.address === valveAt)).toHaveLength(kills)
  // A webhook that was in progress is sent again with the same id; a mail is not.
  expect(new Set(providers.inbox.map((r) => r.headers['webhook-id'])).size).toBe(kills)
  const mails = entries.filter((e) => e.Method === 'email')
  const sent = mails.filter((e) => e.SendStatus === 1).length
  expect(mail.mails.length).toBeGreaterThanOrEqual(sent)
  expect(mail.mails.length).toBeLessThanOrEqual(kills)
  expect(mails).toHaveLength(kills)
  expect(mails.filter((e) => e.SendStatus !== 1 && e.ErrorText !== 'unknownOutcome')).toEqual([])
  const [order, ...others] = (await door.data<Page<{ Id: number }>>('GET', '/Maintenance/MtnMaintenanceOrder/List')).Items
  expect(order).toMatchObject({ AlarmCount: kills, Status: 1 })
  expect(others).toEqual([])
  const { History } = await door.data<{ History: { Step: string }[] }>('GET', `/Maintenance/MtnMyOrder/OrderHistory?OrderId=${order!.Id}`)
  expect(History.map(({ Step }) => Step)).toEqual(['open', 'dispatch'])
})

/** The server is killed a moment after something was begun; answers whether it had said that it is done. */
const killedAt = async (begin: () => unknown, withinMs: number) => {
  let said = false
  const done = Promise.resolve(begin()).then(
    (answer) => {
      said = answer !== undefined
    },
    () => {},
  )
  await pause(Math.random() * withinMs)
  await server.kill()
  await done
  await server.start()
  door = await server.door()
  return said
}

// Half a minute a cycle on a busy machine: too much for every day.
const cycles = 10
test.skipIf(!isLong)(
  'an alarm is raised once and its end is not missed, wherever in its life the server is killed',
  inTime(4 * cycles),
  async () => {
    const before = (await alarms()).length
    const set = (level: number) => {
      device.registers[levelAt] = level
    }
    const standing = () => until('the alarm', async () => (await alarms()).find((a) => a.IsActive === 1))
    for (let i = 1; i <= cycles; i++) {
      await killedAt(() => set(50), 900)
      const { Id } = await standing()
      const one = async () => {
        const all = await alarms()
        expect(all.map((a) => a.IsActive).reduce((sum, n) => sum + n)).toBe(1)
        expect(all).toHaveLength(before + i)
        return all.find((a) => a.Id === Id)!
      }
      const acknowledge = () => door.data('POST', '/Alarm/AlarmInfo/Acknowledge', { Ids: [Id] })
      if (!(await killedAt(acknowledge, 50))) await acknowledge()
      expect(await one()).toMatchObject({ IsActive: 1, AckStatus: 1 })
      const shelve = () => door.data('POST', '/Alarm/AlarmInfo/Shelve', { Ids: [Id], Hours: 1, Reason: 'Pump is being changed' })
      if (!(await killedAt(shelve, 50))) await shelve()
      expect(await one()).toMatchObject({ IsActive: 1, AckStatus: 1, IsShelved: 1 })
      await killedAt(() => set(5), 900)
      const ended = await until('its end', async () => (await alarms()).find((a) => a.Id === Id && a.IsActive === 0))
      expect(ended).toMatchObject({ AckStatus: 1, HandleStatus: 1 })
      expect(await alarms()).toHaveLength(before + i)
    }
  },
)
