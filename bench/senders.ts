// Foreign senders: ThingsBoard devices with one value a message, and InfluxDB's lines, until what they send is on disk.
import { readLinesInSlices } from '../areas/configuration/network-components/server/languages/influx.ts'
import { type Figure, figure } from './figures.ts'
import { batchOf } from './load/batch.ts'
import { startLoader } from './load/job.ts'
import type { LinesJob, Written } from './load/lines.ts'
import type { Gateway, Published, PublishJob } from './load/publisher.ts'
import { seedPlant, startWorld, type World } from './world.ts'

const seconds = Number(process.env.BENCH_SECONDS ?? 8)
/** What is promised: half of it is the load that its acknowledgement is promised for. */
const [wantedMessages, wantedValues] = [20_000, 200_000]
const stored = 'penstock_readings_stored_total'

export type Sender = { Id: number; GatewayId: number; Token: string }
/** Calls of the manager of a tenant. */
export const openCalls = async (world: World, user = 'manager1') => {
  const token = await world.login(user)
  const call = <T>(method: string, path: string, body?: unknown) => world.call<T>(token, method, path, body)
  const { Items } = await call<{ Items: { Id: number }[] }>('GET', '/Project/Project/List')
  const project = Items[0]!.Id
  let count = 0
  return {
    call,
    project,
    open: (Language: number, more: object = {}) =>
      call<Sender>('POST', '/Protocol/NetworkComponents', { ComponentName: `Sender ${++count}`, Language, ProjectId: project, ...more }),
    /** Makes points of the keys of a message that was sent. */
    adopt: ({ Id }: Sender) => call('POST', '/Protocol/NetworkComponents/Adopt', { Id }),
  }
}
const send = async (url: string, body: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(url, { method: 'POST', body, headers })
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`)
}

const agreed = async (world: World, before: number, acked: number) => {
  const kept = (await world.metric(stored)) - before
  if (kept < acked) throw new Error(`${acked} readings were acknowledged and ${kept} stored`)
}

/** Devices of ThingsBoard beside as many gateways of ours, which are the bare limit. */
export const thingsBoard = async (): Promise<Figure[]> => {
  const [devices, points] = [20, 10]
  const publisher = startLoader<PublishJob, Published>('publisher.ts')
  const world = await startWorld(seedPlant({ gateways: devices, points }))
  try {
    const calls = await openCalls(world)
    const senders: Gateway[] = []
    for (let n = 0; n < devices; n++) {
      const sender = await calls.open(1)
      const ids = Array.from({ length: points }, (_, i) => 100_001 + i)
      await send(`${world.origin}/api/v1/${sender.Token}/telemetry`, JSON.stringify(Object.fromEntries(ids.map((id) => [`k${id}`, 1]))))
      await calls.adopt(sender)
      senders.push({ sn: `sender ${n}`, key: sender.Token, device: 0, points: ids })
    }
    const load = (job: Pick<PublishJob, 'window' | 'rate'>, gateways = senders) =>
      publisher.run({ port: world.mqttPort, values: 1, seconds, warmUp: 2, thingsBoard: gateways === senders, gateways, ...job })
    const native = await load({ window: 256 }, world.seeded)
    const before = await world.metric(stored)
    const ours = await load({ window: 256 })
    await agreed(world, before, ours.acked)
    const half = await load({ window: 0, rate: wantedMessages / 2 })
    if (native.cut || ours.cut || half.cut) throw new Error('connections were cut')
    return [
      figure('ThingsBoard, 1 value a message (bare: our gateways)', ours.perSecond, 'values/s', native.perSecond),
      figure(`ThingsBoard, publish to acknowledge at ${wantedMessages / 2} a second, p99`, half.p99, 'ms'),
      figure('of it before this bench had sent the message, p99', half.late, 'ms'),
    ]
  } finally {
    await publisher.end()
    await world.close()
  }
}

const decoding = async (lines: number, fields: number) => {
  const text = batchOf(lines, fields, Date.now())
  for (let i = 0; i < 20; i++) await readLinesInSlices(text, 'ms')
  const began = performance.now()
  let done = 0
  for (; performance.now() - began < 2000; done++) await readLinesInSlices(text, 'ms')
  return (1000 * done * lines * fields) / (performance.now() - began)
}

/** Batches of lines from four clients; the bare limit decodes the same batches and no more. */
export const lines = async (): Promise<Figure[]> => {
  const shape = { lines: 1000, fields: 10 }
  const each = shape.lines * shape.fields
  const writer = startLoader<LinesJob, Written>('lines.ts')
  const world = await startWorld(seedPlant({ gateways: 1, points: 1 }))
  try {
    const calls = await openCalls(world)
    const tokens: string[] = []
    for (let n = 0; n < 4; n++) {
      const sender = await calls.open(3)
      await send(`${world.origin}/api/v2/write?precision=ms`, batchOf(1, shape.fields, Date.now() - 7_200_000), {
        authorization: `Token ${sender.Token}`,
      })
      await calls.adopt(sender)
      tokens.push(sender.Token)
    }
    const load = (more: Pick<LinesJob, 'connections' | 'rate'>) =>
      writer.run({ origin: world.origin, tokens, seconds, warmUp: 2, ...shape, ...more })
    const before = await world.metric(stored)
    const ours = await load({ connections: 2 })
    await agreed(world, before, ours.acked * each)
    const half = await load({ connections: 8, rate: wantedValues / 2 / each })
    const refused = [...ours.refused, ...half.refused]
    if (refused.length) throw new Error(`refused: ${refused.join(', ')}`)
    return [
      figure(
        `lines, ${shape.lines} of ${shape.fields} fields a request, stored`,
        ours.perSecond * each,
        'values/s',
        await decoding(shape.lines, shape.fields),
      ),
      figure(`lines, request to answer at ${wantedValues / 2} values a second, p99`, half.p99, 'ms'),
    ]
  } finally {
    await writer.end()
    await world.close()
  }
}
