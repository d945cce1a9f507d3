import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import type { Allowed } from '../contract/networks.ts'
import { startClock } from './clock.ts'
import { handlers } from './handlers.ts'
import { startPoller } from './poll/poller.ts'
import { readSettings } from './settings.ts'
import { channelRow, pointRow } from './testing/rows.ts'
import { startTracing } from './tracing.ts'

const start = (reach?: Allowed) => {
  const clock = startClock()
  const poller = startPoller({ now: clock.now, emit: () => {}, onEvent: () => {}, onFirst: () => {} })
  const tracing = startTracing({ poller, now: clock.now, publish: () => {} })
  return { clock, does: handlers({ reach, folder: '', clock, poller, tracing, onApplied: async () => {} }) }
}
const off = (clock: ReturnType<typeof startClock>) => Math.round((clock.now() - Date.now()) / 100) * 100

test('the answer to a question for the time moves the clock by the offset without the way there and back', async () => {
  const { clock, does } = start()
  const now = Date.now()
  // Asked 400 ms ago; the server, an hour ahead, took the question in and answered 200 ms later.
  const T2 = now - 200 + 3_600_000
  expect(await does.timesync({ T1: now - 400, T2, T3: T2 }, now)).toBeUndefined()
  expect(off(clock)).toBe(3_600_000)
})

test('small offsets, half answers and impossible times leave the clock alone', async () => {
  const { clock, does } = start()
  const now = Date.now()
  await does.timesync({ T1: now, T2: now + 300, T3: now + 300 }, now)
  await does.timesync({ T1: now, T2: now + 9000 }, now)
  const old = Date.UTC(2020, 0, 1)
  await does.timesync({ T1: now, T2: old, T3: old }, now)
  expect(off(clock)).toBe(0)
})

test('a command sets the clock, unless it cannot be right', async () => {
  const { clock, does } = start()
  expect(await does.timesync({ Ts: Date.now() - 60_000 }, 0)).toMatchObject({ Code: 0 })
  expect(off(clock)).toBe(-60_000)
  expect(await does.timesync({ Ts: Date.now() + 2 * 86_400_000 }, 0)).toMatchObject({ Code: 5 })
  expect(off(clock)).toBe(-60_000)
})

test('with EDGE_OUTBOUND, net tests and drivers reach of this machine what it names, the networks around it, and nothing link-local', async () => {
  const servers = [createServer((socket) => socket.destroy()), createServer((socket) => socket.destroy())]
  const [named, other] = await Promise.all(
    servers.map(async (server) => {
      await once(server.listen(0, '127.0.0.1'), 'listening')
      return (server.address() as AddressInfo).port
    }),
  )
  const env = { EDGE_SN: 'SOFT0001', EDGE_KEY: 'k' }
  expect(readSettings(env).reach).toBeUndefined()
  const reach = readSettings({ ...env, EDGE_OUTBOUND: `127.0.0.1/32:${named}` }).reach!
  expect([reach('10.1.2.3', 502), reach('169.254.169.254', 80), reach('fe80::1', 502), reach('::1', 502)]).toEqual([
    true,
    false,
    false,
    false,
  ])
  const { does } = start(reach)
  const tried = async (Ip: string, Port: number) => (await does.nettest({ Ip, Port }, 0))?.Code
  expect([await tried('127.0.0.1', named!), await tried('localhost', other!), await tried('127.1', other!)]).toEqual([0, 301, 301])

  const told: string[] = []
  let connections = 0
  for (const server of servers) server.on('connection', () => connections++)
  const poller = startPoller({ now: Date.now, emit: () => {}, onEvent: (_type, _level, text) => told.push(text), onFirst: () => {}, reach })
  const rows = [channelRow(other!), channelRow(0, { Id: 2, ProtocolType: 60, Settings: { Url: `opc.tcp://localhost:${other}` } })]
  await poller.apply({
    ...{ ConfigVersion: 1, HeartbeatPeriod: 60, Channels: rows.map(({ Ip, ...row }) => (row.Id === 2 ? row : { ...row, Ip: Ip! })) },
    Devices: rows.map(({ Id }) => ({ Id, DeviceName: 'd', CommType: 0, ChannelId: Id, SlaveNumber: 1 })),
    Points: [pointRow(1, 0), pointRow(2, 'nsu=urn:a;s=b', { DeviceId: 2 })],
  })
  await expect.poll(() => told.filter((text) => text.includes('may reach')).length, { timeout: 60_000 }).toBeGreaterThanOrEqual(2)
  expect(connections).toBe(0)
  await poller.close()
  for (const server of servers) server.close()
})
