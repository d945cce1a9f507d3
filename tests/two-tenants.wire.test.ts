// The same over MQTT and the hub: every kind of topic, every method, every message.
import mqtt from 'mqtt'
import { get } from 'sparkplug-payload'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { down, topic, up } from '../contract/gateway-protocol.ts'
import { type HubMessages, hubMethods } from '../contract/hub.ts'
import { connectHub, until } from './house.ts'
import { connectGateway, reading, rowsOf, secret, startTwoTenants, type Tenant } from './two-tenants.ts'

let world: Awaited<ReturnType<typeof startTwoTenants>>
beforeAll(async () => {
  world = await startTwoTenants()
})
afterAll(() => world?.house.close())

const envelope = (Data: object, MsgId: string = crypto.randomUUID()) => JSON.stringify({ MsgId, Ts: Date.now(), Data })
/** One message of each kind that a gateway may send, about things of a tenant. A new kind does not compile without one. */
const messages: Record<keyof typeof up, (of: Tenant) => string> = {
  state: () => envelope({ Online: 0 }),
  heartbeat: ({ ids }) => envelope({ Cpu: 99, Devices: [{ DeviceId: ids.device, Status: 2, OkCount: 1, ErrCount: 99 }] }),
  data: ({ ids }) => reading(ids.device!, ids.point!, 77),
  history: ({ ids }) => reading(ids.device!, ids.point!, 77, 'history'),
  event: () => envelope({ Type: 8, Level: 3, Text: 'not mine' }),
  timesync: () => envelope({ T1: 1 }),
  trace: ({ ids }) => envelope({ CommType: 0, ChannelId: ids.netProtocol, Frames: [{ T: 1, Sent: 1, Hex: '00', Meaning: 'not mine' }] }),
  reply: ({ SN }) => JSON.stringify({ MsgId: `of ${SN}`, Ts: Date.now(), Code: 0, Msg: 'done' }),
}
const kinds = Object.keys(up) as (keyof typeof up)[]
const closed = (client: mqtt.MqttClient) => new Promise<void>((done) => client.once('close', () => done()))
const settled = () => new Promise((done) => setTimeout(done, 800))

describe('over MQTT', () => {
  it.each(kinds)('a gateway that publishes to another’s up/%s is cut, and the other has nothing of it', async (kind) => {
    const { house, ours, theirs } = world
    const before = await rowsOf(house, ours.EnterpriseId)
    const client = await connectGateway(house, theirs)
    const gone = closed(client)
    client.publish(topic(ours.SN, 'up', kind), messages[kind](ours), { qos: 1 })
    await gone
    await client.endAsync(true)
    expect(house.telemetry.latest.get(ours.ids.point!)?.value).toBe(9)
    expect(await rowsOf(house, ours.EnterpriseId)).toEqual(before)
  })

  it.each(kinds)('a gateway that speaks of another’s things in its own up/%s changes nothing there', async (kind) => {
    const { house, ours, theirs } = world
    const before = await rowsOf(house, ours.EnterpriseId)
    const client = await connectGateway(house, theirs)
    await client.publishAsync(topic(theirs.SN, 'up', kind), messages[kind](ours), { qos: 1 })
    await settled()
    await client.endAsync(true)
    expect(house.telemetry.latest.get(ours.ids.point!)?.value).toBe(9)
    expect(await rowsOf(house, ours.EnterpriseId)).toEqual(before)
  })

  it('readings for another’s points are refused and kept as such, in the own tenant', async () => {
    const { house, ours, theirs } = world
    const rejected = (of: Tenant) => house.telemetry.rejected.list({ EnterpriseId: of.EnterpriseId, serials: [of.SN], page: 1, size: 100 })
    expect(rejected(theirs).Items.map((r) => r.reason)).toContain('foreignPoint')
    expect(rejected(ours).Items).toEqual([])
  })

  it('two companies with the same group, edge node and device of Sparkplug are blind to each other', async () => {
    const { house, ours, theirs } = world
    const node = { Language: 4, SparkplugGroup: 'Plant', SparkplugNode: 'Line 1' }
    const open = async (of: Tenant) => {
      const draft = { ComponentName: `Line of ${of.SN}`, ProjectId: of.ids.project, ...node }
      const made = await house.data<{ Id: number; Token: string }>('POST', '/Protocol/NetworkComponents', draft, of.manager)
      const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${house.mqttPort}`, { username: made.Token, reconnectPeriod: 0 })
      const heard: string[] = []
      client.on('message', (topic) => heard.push(topic))
      await client.subscribeAsync(['spBv1.0/Plant/NCMD/Line 1/#', 'spBv1.0/Plant/DCMD/Line 1/#'])
      const say = (kind: string, seq: number, value: number) => {
        const metrics = [{ name: 'flow', alias: kind.startsWith('D') ? 2 : 1, type: 'Double', value }] as never
        const payload = Buffer.from(get('spBv1.0')!.encodePayload({ timestamp: Date.now(), seq, metrics }))
        return client.publishAsync(`spBv1.0/Plant/${kind}/Line 1${kind.startsWith('D') ? '/Pump' : ''}`, payload, { qos: 1 })
      }
      const seen = async () => {
        const { Items } = await house.data<{ Items: { Device: string; LastValue: number }[] }>(
          ...(['GET', `/Protocol/NetworkComponents/SeenList?Id=${made.Id}`, undefined, of.manager] as const),
        )
        return Items.map(({ Device, LastValue }) => [Device, LastValue])
      }
      return { made, client, heard, say, seen }
    }
    const [mine, other] = [await open(ours), await open(theirs)]
    await mine.say('NBIRTH', 0, 1)
    await mine.say('DBIRTH', 1, 2)
    // What one was born with the other was not, and only the other is asked.
    await other.say('DDATA', 2, 3)
    await until('the request', () => other.heard.length === 1)
    expect([mine.heard, await mine.seen(), await other.seen()]).toEqual([
      [],
      [
        ['', 1],
        ['Pump', 2],
      ],
      [],
    ])
    await other.client.endAsync()
    await mine.say('DDATA', 2, 4)
    expect(await mine.seen()).toEqual([
      ['Pump', 4],
      ['', 1],
    ])
    const stolen = await house.call(theirs.manager, 'GET', `/Protocol/NetworkComponents/SeenList?Id=${mine.made.Id}`)
    expect(stolen.StatusCode).toBe(404)
    await mine.client.endAsync()
  })

  it('a gateway hears its own topics only, whatever it subscribes to', async () => {
    const { house, ours, theirs } = world
    const [mine, other] = [await connectGateway(house, ours), await connectGateway(house, theirs)]
    const heard: string[] = []
    other.on('message', (name) => heard.push(name))
    const asked = [
      ...Object.keys(down).map((kind) => topic(ours.SN, 'down', kind)),
      'iot/v1/+/down/#',
      '#',
      'iot/#',
      '$SYS/#',
      '$share/x/#',
    ]
    for (const filter of asked) {
      const granted = await other.subscribeAsync(filter, { qos: 1 }).catch(() => undefined)
      expect(granted?.every((g) => g.qos < 128) ?? false, filter).toBe(false)
    }
    await other.subscribeAsync(topic(theirs.SN, 'down', '#'), { qos: 1 })
    await mine.subscribeAsync(topic(ours.SN, 'down', '#'), { qos: 1 })
    const answered = new Promise((done) => mine.once('message', done))
    await mine.publishAsync(topic(ours.SN, 'up', 'timesync'), envelope({ T1: 1 }), { qos: 1 })
    await answered
    await settled()
    expect(heard).toEqual([])
    await Promise.all([mine.endAsync(true), other.endAsync(true)])
  })

  it('nobody gets in as another, with his own key or with none', async () => {
    const { house, ours, theirs } = world
    for (const Key of [theirs.Key, '', 'guess']) await expect(connectGateway(house, { SN: ours.SN, Key })).rejects.toThrow()
  })
})

describe('over the hub', () => {
  it('nobody subscribes to, or unsubscribes, what is another’s, nor signs on as him', async () => {
    const { house, ours, theirs } = world
    const [mine, other] = [await connectHub(house.origin, ours.manager), await connectHub(house.origin, theirs.manager)]
    const point = ours.ids.point!
    await mine.connection.invoke('Subscribe', [point])
    const tries: Record<keyof typeof hubMethods, () => Promise<unknown>> = {
      Subscribe: async () => expect(await other.connection.invoke('Subscribe', [point])).toMatchObject({ Values: [] }),
      Unsubscribe: () => other.connection.invoke('Unsubscribe', [point]),
      SetLanguage: () => other.connection.invoke('SetLanguage', 'es'),
      Ask: async () => expect(await other.connection.invoke('Ask')).toBeNull(),
      LoginConnect: () => expect(other.connection.invoke('LoginConnect', ours.ids.user)).rejects.toThrow('forbidden'),
    }
    for (const method of Object.keys(hubMethods) as (keyof typeof hubMethods)[]) await tries[method]()
    const client = await connectGateway(house, ours)
    await client.publishAsync(topic(ours.SN, 'up', 'data'), reading(ours.ids.device!, point, 5), { qos: 1 })
    await until('the value where it belongs', () => mine.values.some(([id, , value]) => id === point && value === 5))
    await settled()
    expect(other.values).toEqual([])
    await client.endAsync(true)
    await Promise.all([mine.connection.stop(), other.connection.stop()])
  })

  it('no message of one tenant reaches the other', async () => {
    const { house, ours, theirs } = world
    const [mine, other] = [await connectHub(house.origin, ours.manager), await connectHub(house.origin, theirs.manager)]
    const point = ours.ids.point!
    await mine.connection.invoke('Subscribe', [point])
    await other.connection.invoke('Subscribe', [point])
    let ended = 0
    mine.connection.on('Ended', () => ended++)
    const client = await connectGateway(house, ours)
    const send = (value: number) => client.publishAsync(topic(ours.SN, 'up', 'data'), reading(ours.ids.device!, point, value), { qos: 1 })
    /** What makes the server send it to us. */
    const causes: Record<keyof HubMessages, () => Promise<unknown>> = {
      Values: async () => {
        await send(4)
        await until('values', () => mine.values.some(([, , value]) => value === 4))
      },
      // It says nothing about people, and only its caller gets it.
      Alive: () => mine.connection.invoke('Ask'),
      Changed: async () => {
        await house.data('PUT', '/Project/Project', { Id: ours.ids.project, Remark: secret }, ours.manager)
        await until('the change', () => mine.changes.some((c) => c.Resource === 'project' && c.Id === ours.ids.project))
      },
      Alarm: async () => {
        await send(9)
        await until('the alarm', () => mine.alarms.some((a) => a.ParaId === point))
      },
      Notice: async () => {
        await house.data('POST', '/System/Notice', { PushTitle: secret }, ours.manager)
        await until('the notice', () => mine.notices.some((n) => n.BizType === 7))
      },
      Ended: async () => {
        const again = await house.login(`manager${theirs.SN}`)
        await house.data('POST', '/Auth/Logout', {}, again)
      },
    }
    for (const cause of Object.values(causes)) await cause()
    await settled()
    expect({
      values: other.values,
      changes: other.changes.filter((c) => c.Id === ours.ids[c.Resource]),
      alarms: other.alarms,
      notices: other.notices,
    }).toEqual({
      values: [],
      changes: [],
      alarms: [],
      notices: [],
    })
    expect(ended).toBe(0)
    await client.endAsync(true)
    await Promise.all([mine.connection.stop(), other.connection.stop()])
  })
})
