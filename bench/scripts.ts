// Scripted frames: the sandbox against in-process QuickJS, a server with scripted senders, and ingest beside hostile scripts.
import { setTimeout as wait } from 'node:timers/promises'
import mqtt from 'mqtt'
import { hashOfScript, openSandbox } from '../sandbox/sandbox.ts'
import { openModule, openWorld } from '../sandbox/world.ts'
import { publishRate } from './beside.ts'
import { type Figure, figure, quantile } from './figures.ts'
import { startLoader } from './load/job.ts'
import type { Published, PublishJob } from './load/publisher.ts'
import { openCalls, type Sender } from './senders.ts'
import { seedPlant, seedTenants, startWorld, type World } from './world.ts'

const seconds = Number(process.env.BENCH_SECONDS ?? 8)
/** Frames of a sender that wait. */
const window = 800
const input = 'bytes'

/** A frame as meters send them: two values behind a checksum. */
const code = `
function parse(topic, payload, meta) {
  if (crc.crc16Modbus(payload, 0, 6) !== read.u16(payload, 6, 'DCBA')) throw new Error('checksum')
  return { Items: [{ V: { level: read.u16(payload, 2) / 10, flow: read.u16(payload, 4) / 10 } }] }
}`
const crcOf = (bytes: Buffer) => {
  let crc = 0xffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ 0xa001 : crc >> 1
  }
  return crc
}
const frameOf = (n: number) => {
  const frame = Buffer.from([1, 3, 0, 0, 0, 0, 0, 0])
  frame.writeUInt16BE(n % 1000, 2)
  frame.writeUInt16BE((n * 7) % 1000, 4)
  frame.writeUInt16LE(crcOf(frame.subarray(0, 6)), 6)
  return frame
}
const frames = Array.from({ length: 1000 }, (_, n) => frameOf(n))
const meta = { time: Date.now(), gateway: 'F1', device: '' }

/** Frames a second by the worker, and in this thread with nothing between. */
const alone = async (): Promise<Figure> => {
  const sandbox = openSandbox()
  const script = { tenant: 1, hash: hashOfScript(code), code }
  let [done, isOver] = [0, false]
  const work = Array.from({ length: window }, async (_, n) => {
    for (let i = n; !isOver; i += window) {
      const { fault } = await sandbox.parse(script, { input, topic: 'a', payload: frames[i % 1000]!, meta })
      if (fault) throw new Error(`${fault.reason} ${fault.text}`)
      done++
    }
  })
  await wait(1000)
  const [first, began] = [done, performance.now()]
  await wait(seconds * 1000)
  const perSecond = (1000 * (done - first)) / (performance.now() - began)
  isOver = true
  await Promise.all(work)
  await sandbox.close()

  const world = openWorld(await openModule(), code)
  if (!('run' in world)) throw new Error(world.fault?.text)
  const run = (n: number) =>
    world.run({ id: 1, tenant: 1, script: script.hash, call: { do: 'parse', input, topic: 'a', payload: frames[n % 1000]!, meta } })
  for (let n = 0; n < 2000; n++) run(n)
  const from = performance.now()
  let ran = 0
  for (; performance.now() - from < seconds * 1000; ran++) run(ran)
  const bare = (1000 * ran) / (performance.now() - from)
  world.close()
  return figure('scripted frames by the worker (bare: QuickJS in place)', perSecond, 'frames/s', bare)
}

/** Senders of JSON whose messages a script reads, and their connections. */
const openScripted = async (world: World, user: string, count: number, Script: (n: number) => string) => {
  const calls = await openCalls(world, user)
  const made: { sender: Sender; client: mqtt.MqttClient }[] = []
  for (let n = 0; n < count; n++) {
    const sender = await calls.open(2)
    const draft = { ParseName: `Frames ${n}`, Kind: 2, Input: 3, Script: Script(n) }
    const { Id: DataParseId } = await calls.call<{ Id: number }>('POST', '/Protocol/DataParse', draft)
    await calls.call('POST', '/Protocol/DataParse/Gateway', { DataParseId, GatewayIds: [sender.GatewayId] })
    const to = { username: 'sender', password: sender.Token, reconnectPeriod: 0 }
    made.push({ sender, client: await mqtt.connectAsync(`mqtt://127.0.0.1:${world.mqttPort}`, to) })
  }
  return { made, adopt: calls.adopt }
}
const lag = 'penstock_nodejs_eventloop_lag_p99_seconds'

const throughServer = async (): Promise<Figure[]> => {
  const world = await startWorld((database) => seedTenants(database, 1))
  try {
    const { made, adopt } = await openScripted(world, 'manager1', 4, () => code)
    const publish = (client: mqtt.MqttClient, n: number) => client.publishAsync('frames', frames[n % 1000]!, { qos: 1 })
    for (const { sender, client } of made) {
      await publish(client, 0)
      await adopt(sender)
      client.setMaxListeners(0)
    }
    await wait(1000)
    let [acked, isOver] = [0, false]
    const work = made.flatMap(({ client }) =>
      Array.from({ length: window }, async (_, n) => {
        for (; !isOver; n++) {
          await publish(client, n)
          acked++
        }
      }),
    )
    await wait(2000)
    await world.metric(lag)
    const [first, began] = [acked, performance.now()]
    await wait(seconds * 1000)
    const perSecond = (1000 * (acked - first)) / (performance.now() - began)
    const late = 1000 * (await world.metric(lag))
    isOver = true
    await Promise.all(work)
    for (const { client } of made) await client.endAsync(true)
    return [figure('scripted frames through a server, stored', perSecond, 'frames/s'), figure('its event loop late, p99', late, 'ms')]
  } finally {
    await world.close()
  }
}

/** Each in turn, until it is switched off. */
const harm = ['for (;;);', 'const all = []; for (;;) all.push(new Uint8Array(1 << 20))', 'let text = "x"; for (;;) text += text']
const [turns, gateways, points] = [3, 20, 100]

const besideHarm = async (): Promise<Figure> => {
  const publisher = startLoader<PublishJob, Published>('publisher.ts')
  const world = await startWorld(seedPlant({ gateways: gateways + 1, points, ofOther: 1 }))
  try {
    const { made } = await openScripted(world, 'manager2', 9, (n) => `function parse() { /* ${n} */ ${harm[n % harm.length]} }`)
    const job = { port: world.mqttPort, gateways: world.seeded.slice(0, gateways), values: 10, window: 192, seconds, warmUp: 2 }
    const [without, beside]: [number[], number[]] = [[], []]
    for (let turn = 0; turn < turns; turn++) {
      without.push(await publishRate(publisher, job))
      let isOver = false
      const work = made.map(async ({ client }) => {
        while (!isOver) await Promise.race([client.publishAsync('frames', frames[0]!, { qos: 1 }), wait(1000)])
      })
      beside.push(await publishRate(publisher, job))
      isOver = true
      await Promise.all(work)
    }
    for (const { client } of made) await client.endAsync(true)
    return figure(
      'ingest while scripts of another tenant loop and swell (bare: without)',
      quantile(beside, 0.5),
      'samples/s',
      quantile(without, 0.5),
    )
  } finally {
    await publisher.end()
    await world.close()
  }
}

export const scripts = async (): Promise<Figure[]> => [await alone(), ...(await throughServer())]
export const hostile = async (): Promise<Figure[]> => [await besideHarm()]
