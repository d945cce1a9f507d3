// Edge nodes of Sparkplug B with 100 aliases each, until what they send is on disk; the bare limit decodes the same messages and no more.
import { setTimeout as wait } from 'node:timers/promises'
import mqtt from 'mqtt'
import { readPayload } from '../areas/configuration/network-components/server/languages/sparkplug.ts'
import { figure, quantile } from './figures.ts'
import { seedTenants, startWorld } from './world.ts'

const [nodes, aliases, window] = [4, 100, 48]
const seconds = Number(process.env.BENCH_SECONDS ?? 8)

const varint = (value: number): number[] => (value < 128 ? [value] : [(value % 128) | 128, ...varint(Math.floor(value / 128))])
const part = (tag: number, bytes: Buffer) => Buffer.concat([Buffer.from([tag, ...varint(bytes.length)]), bytes])
/** A metric of a birth names itself; one of data is its alias and a double. */
const metricOf = (alias: number, isBirth: boolean) => {
  const value = Buffer.alloc(9, 0x69)
  value.writeDoubleLE(alias + 0.5, 1)
  const name = isBirth ? part(10, Buffer.from(`metric ${alias}`)) : Buffer.alloc(0)
  return part(18, Buffer.concat([name, Buffer.from([16, ...varint(alias), 32, 10]), value]))
}
const bodies = [true, false].map((isBirth) => Buffer.concat(Array.from({ length: aliases }, (_, alias) => metricOf(alias, isBirth))))
const payloadOf = (isBirth: boolean, time: number, seq: number) =>
  Buffer.concat([Buffer.from([8, ...varint(time), 24, ...varint(seq)]), bodies[isBirth ? 0 : 1]!])

const decoding = () => {
  const payload = payloadOf(false, Date.now(), 1)
  for (let i = 0; i < 2000; i++) readPayload(payload)
  const began = performance.now()
  let done = 0
  for (; performance.now() - began < 2000; done++) readPayload(payload)
  return (1000 * done * aliases) / (performance.now() - began)
}

export const sparkplug = async () => {
  const world = await startWorld((database) => seedTenants(database, 1))
  try {
    const token = await world.login('manager1')
    const call = <T>(method: string, path: string, body?: unknown) => world.call<T>(token, method, path, body)
    const { Items } = await call<{ Items: { Id: number }[] }>('GET', '/Project/Project/List')
    const open = async (n: number) => {
      const draft = { ComponentName: `Line ${n}`, Language: 4, ProjectId: Items[0]!.Id, SparkplugGroup: 'G', SparkplugNode: `E${n}` }
      const made = await call<{ Id: number; Token: string }>('POST', '/Protocol/NetworkComponents', draft)
      const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${world.mqttPort}`, { username: made.Token, reconnectPeriod: 0 })
      let [time, seq, acknowledged] = [Date.now() - 3_600_000, 0, 0]
      const times: number[] = []
      const send = async (isBirth = false) => {
        seq = isBirth ? 0 : (seq + 1) % 256
        const began = performance.now()
        await client.publishAsync(`spBv1.0/G/${isBirth ? 'NBIRTH' : 'NDATA'}/E${n}`, payloadOf(isBirth, time++, seq), { qos: 1 })
        times.push(performance.now() - began)
        acknowledged++
      }
      await send(true)
      await call('POST', '/Protocol/NetworkComponents/Adopt', { Id: made.Id })
      return { client, send, times, acknowledged: () => acknowledged }
    }
    const all: Awaited<ReturnType<typeof open>>[] = []
    for (let n = 0; n < nodes; n++) all.push(await open(n))
    await wait(1000)
    let isOver = false
    const work = all.flatMap(({ send }) =>
      Array.from({ length: window }, async () => {
        while (!isOver) await send()
      }),
    )
    await wait(2000)
    const count = () => all.reduce((sum, { acknowledged }) => sum + acknowledged(), 0)
    const stored = await world.metric('penstock_readings_stored_total')
    const [first, began] = [count(), performance.now()]
    await wait(seconds * 1000)
    const perSecond = (1000 * aliases * (count() - first)) / (performance.now() - began)
    isOver = true
    await Promise.all(work)
    const kept = (await world.metric('penstock_readings_stored_total')) - stored
    if (kept < (count() - first) * aliases * 0.9)
      throw new Error(`${(count() - first) * aliases} values were acknowledged and ${kept} stored`)
    for (const { client, times } of all) {
      times.length = 0
      client.setMaxListeners(0)
    }
    const pause = (1000 * nodes * aliases) / (perSecond / 2)
    const paced: Promise<void>[] = []
    for (const end = performance.now() + seconds * 1000; performance.now() < end; await wait(Math.max(1, pause)))
      for (const { send } of all) for (let i = 0; i < Math.max(1, 1 / pause); i++) paced.push(send())
    await Promise.all(paced)
    for (const { client } of all) await client.endAsync(true)
    const p99 = quantile(
      all.flatMap(({ times }) => times),
      0.99,
    )
    return [
      figure(`sparkplug, ${nodes} edge nodes, ${aliases} aliases a message, stored`, perSecond, 'values/s', decoding()),
      figure('sparkplug, publish to acknowledge at about half of it, p99', p99, 'ms'),
    ]
  } finally {
    await world.close()
  }
}
