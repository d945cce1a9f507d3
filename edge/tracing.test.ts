import { afterEach, expect, test } from 'vitest'
import { startClock } from './clock.ts'
import type { Config } from './config/assembly.ts'
import { handlers } from './handlers.ts'
import { startPoller } from './poll/poller.ts'
import { dlt645Layout, startMeters } from './testing/meters.ts'
import { channelRow, pointRow } from './testing/rows.ts'
import { startTracing } from './tracing.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})
type Sent = { CommType: number; ChannelId: number; Frames: { Sent: number; Hex: string; Meaning: string }[] }

/** A gateway with one meter, whose answers are all 26. */
const start = async () => {
  const answer = ({ control, data }: { control: number; data: Buffer }) => ({
    control: control | 0x80,
    data: Buffer.concat([data, Buffer.from('26000000', 'hex')]),
  })
  const meter = await startMeters(dlt645Layout, answer, answer, 0)
  closing.push(meter.close)
  const clock = startClock()
  const poller = startPoller({ now: clock.now, emit: () => {}, onEvent: () => {}, onFirst: () => {} })
  closing.push(() => poller.close())
  const sent: Sent[] = []
  const tracing = startTracing({ poller, now: clock.now, publish: (data) => void sent.push(data as Sent) })
  closing.push(() => tracing.close())
  const config = (CollectPeriod: number): Config => ({
    ...{ ConfigVersion: 1, HeartbeatPeriod: 60 },
    Channels: [channelRow(meter.port, { ProtocolType: 20 })],
    Devices: [{ Id: 1, DeviceName: 'Meter', CommType: 0, ChannelId: 1, SlaveNumber: 1, Settings: { MeterAddress: '000000000161' } }],
    Points: [pointRow(1, '00010000', { CollectPeriod })],
  })
  await poller.apply(config(100))
  const does = handlers({ folder: '', clock, poller, tracing, onApplied: async () => {} })
  return { does, sent, poller, config }
}

test('frames of a channel go up while it is traced, also after it was configured anew', async () => {
  const { does, sent, poller, config } = await start()
  expect(await does.trace({ CommType: 0, ChannelId: 7, Seconds: 10 }, 0)).toMatchObject({ Code: 4 })
  expect(await does.trace({ CommType: 0, ChannelId: 1, Seconds: 10 }, 0)).toMatchObject({ Code: 0 })
  await expect.poll(() => sent.length, { timeout: 3000 }).toBeGreaterThan(0)
  expect(sent[0]).toMatchObject({ CommType: 0, ChannelId: 1 })
  expect(sent[0]!.Frames.find(({ Sent }) => Sent === 1)).toMatchObject({
    Hex: 'fefefefe6861010000000068110433333433' + '1416',
    Meaning: expect.stringContaining('read 00010000'),
  })
  await poller.apply(config(110))
  const before = sent.length
  await expect.poll(() => sent.length, { timeout: 3000 }).toBeGreaterThan(before)
  await does.trace({ CommType: 0, ChannelId: 1, Seconds: 0 }, 0)
  const ended = sent.length
  await new Promise((resolve) => setTimeout(resolve, 700))
  expect(sent).toHaveLength(ended)
})

test('a device is browsed: groups, and the values of one with address and unit', async () => {
  const { does } = await start()
  expect(await does.browse({ CommType: 1, ChannelId: 1 }, 0)).toMatchObject({ Code: 4 })
  const { Data } = (await does.browse({ CommType: 0, ChannelId: 1 }, 0))!
  expect(Data!.Nodes).toContainEqual({ Id: 'group/Present values', Name: 'Present values', HasMore: 1 })
  const values = (await does.browse({ CommType: 0, ChannelId: 1, Below: 'group/Present values' }, 0))!
  expect(values.Data!.Nodes).toContainEqual({ Id: '02010100', Name: 'Voltage A', HasMore: 0, Address: '02010100', Unit: 'V' })
})

test('a channel says how it does, and why not; a new configuration of it begins anew', async () => {
  const { does, poller, config } = await start()
  const state = async () => ((await does.channels({}, 0))!.Data!.Channels as Record<string, unknown>[])[0]!
  await expect.poll(state, { timeout: 3000 }).toMatchObject({ CommType: 0, ChannelId: 1, State: 1, Failed: 0, SlowestDevice: 1 })
  await expect.poll(async () => (await state()).Asked, { timeout: 3000 }).toBeGreaterThan(2)
  expect(await state()).toMatchObject({ PerSecond: expect.any(Number), SlowestMs: expect.any(Number) })
  const away = config(100)
  await poller.apply({ ...away, Channels: [{ ...away.Channels[0]!, Port: 1 }] })
  await expect.poll(state, { timeout: 3000 }).toMatchObject({ State: 2, Why: expect.stringContaining('ECONNREFUSED') })
  expect(await does.trust({ CommType: 0, ChannelId: 1, Thumbprint: 'AB'.repeat(20) }, 0)).toMatchObject({ Code: 3 })
})
