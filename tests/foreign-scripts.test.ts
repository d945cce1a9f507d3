// Scripts that read the messages of external senders, through the doors that senders use.
import { beforeAll, expect, it } from 'vitest'
import type { Page } from '../contract/call.ts'
import { checksum } from '../contract/parsing/checksum.ts'
import { type House, until } from './house.ts'
import { type Made, path, type Row, useSenders } from './sender-house.ts'

const minute = 60_000
const senders = useSenders()
const { door, connect, publish, seen, adopt, stateOf, pointsOf, latest, send } = senders
let house: House
beforeAll(() => {
  house = senders.house()
})

it('messages that were refused are replayed through the mended parser into history, once', async () => {
  const made = await door(2)
  const stranger = await door(2)
  const began = Date.now()
  const headers = { authorization: `Bearer ${made.Token}` }
  const post = (device: string, body: string | Buffer) => send(`/api/uplink?topic=a/b&device=${device}`, body, headers)
  const script = (text: string) => ({ ParseName: 'Mended', Kind: 2, Input: 3, Script: `function parse(topic, payload, meta) { ${text} }` })
  const parser = await house.data<Row>('POST', '/Protocol/DataParse', {
    ...script('throw new Error("not yet")'),
    EnterpriseId: made.EnterpriseId,
  })
  await house.data('POST', '/Protocol/DataParse/Gateway', { DataParseId: parser.Id, GatewayIds: [made.GatewayId] })
  for (const byte of [200, 201]) expect((await post('Tank', Buffer.from([byte, 255]))).status).toBe(400)
  const replay = (Id: number) => house.data<Record<string, number>>('POST', `${path}/Replay`, { Id })
  expect(await replay(made.Id)).toEqual({ Messages: 0, Readings: 0, Left: 2, More: 0 })
  await house.data('PUT', '/Protocol/DataParse', {
    Id: parser.Id,
    Script: script('return { Items: [{ V: { level: payload[0] } }] }').Script,
  })
  await until('the mended script to be known', async () => (await post('Tank', Buffer.from([9]))).status === 200)
  // Values without a point wait for one.
  expect(await replay(made.Id)).toMatchObject({ Messages: 0, Left: 2 })
  await adopt(made.Id)
  expect((await post('Tank', Buffer.from([10]))).status).toBe(200)
  const point = (await pointsOf(made))['Tank/level']
  expect(await replay(stranger.Id)).toMatchObject({ Messages: 0, Left: 0 })
  expect(await replay(made.Id)).toEqual({ Messages: 2, Readings: 2, Left: 0, More: 0 })
  expect(await replay(made.Id)).toEqual({ Messages: 0, Readings: 0, Left: 0, More: 0 })
  expect(latest(point)?.value).toBe(10)
  const history = JSON.stringify([...((await house.telemetry.read([point!], began - minute, Date.now() + minute)) as Iterable<unknown>)])
  expect([history.includes('200'), history.includes('201')]).toEqual([true, true])
})

it('a script reads bytes of a sender, takes a write down, and is switched off with an event when it hangs; others are heard all the while', async () => {
  const [made, loops] = [await door(2), await door(2)]
  const Script = `function parse(topic, payload) {
      if (crc.crc16Modbus(payload, 0, 6) !== read.u16(payload, 6, 'DCBA')) throw new Error('checksum')
      return { Items: [{ V: { level: read.u16(payload, 2) / 10, flow: read.u16(payload, 4) } }], Events: read.u16(payload, 4) > 999 ? [{ Text: 'overflow', Level: 2 }] : [] }
    }
    function encode({ Key, Value }) { return { topic: 'down/' + Key, payload: new Uint8Array([6, Value]) } }`
  const parser = (ParseName: string, text: string, Input: number) =>
    house.call<Row>(house.admin, 'POST', '/Protocol/DataParse', {
      ParseName,
      Kind: 2,
      Input,
      Script: text,
      EnterpriseId: made.EnterpriseId,
    })
  expect(await parser('Broken', 'function parse( {', 3)).toMatchObject({
    StatusCode: 400,
    Details: { Fields: { Script: expect.anything() } },
  })
  const [bytes, endless] = [(await parser('Frames', Script, 3)).Data, (await parser('Endless', 'function parse() { for (;;); }', 1)).Data]
  expect(bytes).toMatchObject({ Kind: 2, Mapping: null, Version: 1, Hash: expect.stringMatching(/^[0-9a-f]{64}$/) })
  await house.data('POST', '/Protocol/DataParse/Gateway', { DataParseId: bytes.Id, GatewayIds: [made.GatewayId] })
  await house.data('POST', '/Protocol/DataParse/Gateway', { DataParseId: endless.Id, GatewayIds: [loops.GatewayId] })
  const [client, other] = [await connect('meter', { password: made.Token }), await connect('loop', { password: loops.Token })]
  await client.subscribeAsync('down/#')
  await expect(client.subscribeAsync('iot/v1/#')).rejects.toThrow()
  const frame = (level: number, flow: number) => {
    const head = Buffer.from([1, 3, level >> 8, level & 255, flow >> 8, flow & 255])
    const sum = checksum('crc16Modbus', head)
    return Buffer.from([...head, sum & 255, sum >> 8])
  }
  const sendFrame = (level: number, flow: number) => client.publishAsync('up', frame(level, flow), { qos: 1 })
  await until('the script to be known', async () => {
    await sendFrame(215, 7)
    return (await seen(made.Id)).length > 0
  })
  await adopt(made.Id)
  const hung = Promise.all([1, 2, 3, 4].map(() => publish(other, 'up', {})))
  await sendFrame(216, 1000)
  const points = await pointsOf(made)
  expect([latest(points[`${made.ComponentName}/level`])?.value, latest(points[`${made.ComponentName}/flow`])?.value]).toEqual([21.6, 1000])
  await hung
  expect(await stateOf(loops.Id)).toMatchObject({ Messages: 4, Rejected: 4, LastFault: expect.stringContaining('script') })
  const events = async (of: Made) =>
    (await house.data<Page<Row>>('GET', `/Events/Events/List?GatewayId=${of.GatewayId}&PageSize=50`)).Items.map(({ Type, Text }) => [
      Type,
      Text,
    ])
  await until('both events', async () => JSON.stringify([await events(made), await events(loops)]).match(/15,"overflow.*14,"Endless/))
  // A write is what the script makes of it.
  await house.data('PUT', '/Project/DevPara', { Id: points[`${made.ComponentName}/flow`], ReadWriteType: 1 })
  await house.registry.settled()
  const down = new Promise((done) => client.once('message', (topic, payload) => done([topic, payload.toString('hex')])))
  expect(await house.data('POST', '/Project/DevPara/Write', { ParaId: points[`${made.ComponentName}/flow`], Value: 9 })).toMatchObject({
    Code: 0,
  })
  expect(await down).toEqual(['down/flow', '0609'])
})

it('what was received is what was stored, replaced, rejected or live only', async () => {
  for (const { received, stored, replaced, rejected, liveOnly } of house.telemetry.counters.values())
    expect(received).toBe(stored + replaced + rejected + liveOnly)
})
