// The server's clock jumps an hour forward and back under it.
import { sql } from 'kysely'
import mqtt from 'mqtt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from '../../contract/call.ts'
import { until } from '../front-door.ts'
import { type House, startHouse } from '../house.ts'
import { connectHub } from '../hub.ts'
import { makePlant } from './plant.ts'
import { startSenders } from './senders.ts'
import { byApi, enter, flawless, perfect, tally } from './tally.ts'
import { inTime, isLong, pause } from './tiers.ts'

let offset = 0
let house: House
beforeAll(async () => {
  house = await startHouse({}, () => Date.now() + offset)
})
afterAll(() => house?.close())

const hour = 3_600_000
const jumps = isLong ? [hour, 0, -hour, 0, 24 * hour, 0] : [hour, 0]

type Alarm = { StartTime: string; RecoverTime: string | null; IsActive: number }
test('a gateway whose clock jumps an hour ahead and back is followed at once, and its alarms with it', inTime(jumps.length), async () => {
  const [source] = await makePlant(house, 1, 2, 'AHEADS', { AlarmHigh: 100 })
  const { SN, Key, points, device, gateway } = source!
  const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${house.mqttPort}`, { clientId: SN, username: SN, password: Key })
  const hub = await connectHub(house.origin, house.admin)
  await hub.connection.invoke('Subscribe', points)
  const base = Date.now()
  const said: { time: number; value: number }[] = []
  const say = (ahead: number, value: number) => {
    const time = base + ahead + said.length
    said.push({ time, value })
    const Items = [{ D: device, T: time, V: { [points[0]!]: value } }]
    return client.publishAsync(`iot/v1/${SN}/up/data`, JSON.stringify({ MsgId: `${time}`, Ts: time, Data: { Items } }), { qos: 1 })
  }
  const last = async () =>
    (await house.data<{ Value: number }[]>('POST', '/DataCenter/ReportData/LastDataFromCache_APP_Common', { ParaIds: [points[0]] }))[0]
      ?.Value
  const alarms = async () => (await house.data<Page<Alarm>>('GET', `/Alarm/AlarmInfo/List?ParaId=${points[0]}`)).Items
  const shown = (value: number) => until(`${value} on a console`, () => hub.values.at(-1)?.[2] === value)
  let value = 1
  for (let i = 0; i < (isLong ? 5 : 2); i++) {
    for (const ahead of [0, hour, 0]) {
      // Ahead it is beyond its limit, back again it is within.
      await say(ahead, ahead ? 100 + ++value : ++value)
      expect(await last()).toBe(ahead ? 100 + value : value)
      await shown(ahead ? 100 + value : value)
      await until('the alarm to be right', async () => (await alarms()).filter((a) => a.IsActive).length === (ahead ? 1 : 0))
    }
  }
  for (const { StartTime, RecoverTime } of await alarms()) expect(RecoverTime! >= StartTime).toBe(true)
  const stored = (await byApi(house)([points[0]!], base - hour, base + 2 * hour)).get(points[0]!)
  expect(stored).toEqual(said.toSorted((a, b) => a.time - b.time))
  const events = await house.database.system.rows<{ Text: string }>(
    sql`select "Text" from gateway_event where "GatewayId" = ${gateway} and "Type" = 12`,
  )
  expect(events).toEqual([{ Text: expect.stringMatching(/differ from the server's clock by 3\d\d\d s/) }])
  await Promise.all([client.endAsync(true), hub.connection.stop()])
})

test(
  'readings keep their order, gateways and consoles stay, a session that ended stays ended, alarms come and go once',
  inTime(jumps.length),
  async ({ task }) => {
    const [watched, ...sources] = await makePlant(house, 3, 10, 'CLOCKS', { AlarmHigh: 16 * 10_000 })
    const sending = startSenders(sources, { port: house.mqttPort, messagesPerSecond: 50 })
    // A gateway whose values cross their limits, and go back, once between two jumps.
    const base = Date.now()
    let seq = 0
    const hub = await connectHub(house.origin, house.admin)
    await hub.connection.invoke('Subscribe', watched!.points)
    let closed = 0
    hub.connection.onclose(() => closed++)
    const login = { clientId: watched!.SN, username: watched!.SN, password: watched!.Key }
    const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${house.mqttPort}`, login)
    const say = (value: number) => {
      const Items = [{ D: watched!.device, T: base + ++seq, V: { [watched!.points[0]!]: value } }]
      const payload = JSON.stringify({ MsgId: `${seq}`, Ts: Date.now(), Data: { Items } })
      return client.publishAsync(`iot/v1/${watched!.SN}/up/data`, payload, { qos: 1 })
    }
    const offline = async () => {
      const { Items } = await house.data<Page<{ SN: string; OnlineStatus: number }>>('GET', '/Project/Gateway/List')
      return Items.filter((g) => g.OnlineStatus !== 1).map((g) => g.SN)
    }
    const alarms = async () =>
      (await house.data<Page<{ IsActive: number }>>('GET', `/Alarm/AlarmInfo/List?ParaId=${watched!.points[0]}`)).Items.map(
        (a) => a.IsActive,
      )

    await say(1)
    await until('the gateways to be online', async () => (await offline()).length === 0)
    const expected: number[] = []
    for (const to of jumps) {
      const other = await house.login()
      expect(await house.call(other, 'GET', '/System/User/UserInfo')).toMatchObject({ Succeeded: true })
      offset = to
      await say(16 * 10_000 + 1)
      await until('the alarm', async () => (await alarms()).filter((is) => is).length === 1)
      await say(1)
      expected.push(0)
      await until('its recovery', async () => (await alarms()).every((is) => !is))
      expect(await alarms()).toEqual(expected)
      // Longer than presence and the hub take to look again.
      await pause(2500)
      expect(await offline()).toEqual([])
      // A session that is ended in the database is not believed for an hour longer.
      await house.database.system.rows(
        sql`update session set "EndTime" = now(), "EndReason" = 'logout' where "Id" = ${other.split('.')[0]}`,
      )
      await until(
        'the end of a session that was ended elsewhere',
        async () => !(await house.call(other, 'GET', '/System/User/UserInfo')).Succeeded,
        8000,
      )
      expect(await house.call(house.admin, 'GET', '/System/User/UserInfo')).toMatchObject({ Succeeded: true })
    }
    expect(closed).toBe(0)
    expect(hub.alarms.filter((a) => a.ParaId === watched!.points[0]).map((a) => a.Event)).toEqual(
      expected.flatMap(() => ['raised', 'recovered']),
    )
    await sending.finish()
    const counts = await tally(sending, byApi(house))
    await Promise.all([sending.stop(), client.endAsync(true), hub.connection.stop()])
    enter(task, {
      fault: 'clock jumps an hour',
      rounds: jumps.length,
      ...counts,
      note: `${expected.length} alarms raised and recovered once each`,
    })
    expect(flawless(counts)).toEqual(perfect)
  },
)
