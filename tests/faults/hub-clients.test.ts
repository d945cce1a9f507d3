// Consoles that stop reading, and consoles that come and go by the hundred.
import mqtt from 'mqtt'
import { expect, test } from 'vitest'
import WebSocket from 'ws'
import type { Page } from '../../contract/call.ts'
import { until } from '../front-door.ts'
import { connectHub } from '../hub.ts'
import { visit } from './console-client.ts'
import { ownServer } from './own-server.ts'
import { enter } from './tally.ts'
import { inTime, pause, rounds } from './tiers.ts'

const own = ownServer()
const visitor = (points: readonly number[]) => visit(own.process.origin, own.door.admin, points)

const clients = rounds(200, 1000)
test('memory stays bounded, readers are not delayed, and late subscribers see the current state', {
  skip: process.platform !== 'linux',
  ...inTime(4),
}, async ({ task }) => {
  const made = await own.door.newGateway('HUBCLIENTS01', 1)
  const Items = Array.from({ length: 500 }, (_, i) => ({ ParaName: `P${i}`, Address: String(i), IsStore: 1 }))
  await own.door.data('POST', '/Project/DevPara/BatchAdd', { DeviceId: made.device, Items })
  const list = await own.door.data<Page<{ Id: number }>>('GET', `/V2/Project/DevPara/List?DeviceIds=${made.device}&PageSize=1000`)
  const points = list.Items.map((p) => p.Id)
  const gateway = await mqtt.connectAsync(`mqtt://127.0.0.1:${own.process.mqttPort}`, {
    clientId: made.SN,
    username: made.SN,
    password: made.Key,
  })
  let round = 0
  const say = () => {
    const V = Object.fromEntries(points.map((id, i) => [id, round * 1000 + i]))
    const payload = JSON.stringify({ MsgId: `${++round}`, Ts: Date.now(), Data: { Items: [{ D: made.device, T: Date.now(), V }] } })
    return gateway.publishAsync(`iot/v1/${made.SN}/up/data`, payload, { qos: 1 })
  }
  await say()
  const timer = setInterval(() => void say(), 50)

  const reader = await connectHub(own.process.origin, own.door.admin)
  await reader.connection.invoke('Subscribe', points)
  const stalled = await Promise.all(Array.from({ length: 5 }, () => visitor(points)))
  for (const { socket } of stalled) socket.pause()
  await pause(1500)
  const before = own.resident()
  const heardBefore = reader.values.length
  const from = performance.now()
  const areGone = async () => (await own.figure('hub_connections')) <= stalled.length + 1
  for (let i = 0; i < clients; i += 40) {
    // A session has at most 50 connections; those who left the last time may still be among them.
    await until('the last ones to be forgotten', areGone)
    const wave = await Promise.all(Array.from({ length: 40 }, () => visitor(points.slice(0, 50))))
    // Half leave in order, half are gone without a word.
    for (const [n, { socket }] of wave.entries()) n % 2 ? socket.terminate() : socket.close()
  }
  await pause(rounds(3000, 70_000))
  const lasted = performance.now() - from
  const grown = own.resident() - before
  const pushes = (reader.values.length - heardBefore) / points.length
  clearInterval(timer)
  await say()
  await until('those who went to be forgotten', areGone)
  const late = await visitor(points)
  const right = (of: { latest: Map<number, number | null> }) => points.every((id, i) => of.latest.get(id) === (round - 1) * 1000 + i)
  await until('the right picture for one who comes now', () => right(late))
  let resumed = 0
  for (const client of stalled) {
    client.socket.resume()
    // It continues to read, or was disconnected and reconnects.
    await until('the right picture for one who reads again', () => right(client) || client.socket.readyState === WebSocket.CLOSED)
    if (right(client)) resumed++
    else expect(right(await visitor(points))).toBe(true)
  }
  for (const { socket } of [...stalled, late]) socket.terminate()
  await reader.connection.stop()
  await gateway.endAsync(true)
  const note = `${Math.round(grown / 1024 ** 2)} MiB more; ${(pushes / (lasted / 1000)).toFixed(1)} pushes/s to a reader; ${resumed} of ${stalled.length} read on`
  enter(task, {
    fault: 'consoles stall, come and go',
    rounds: clients,
    sent: 0,
    acked: 0,
    stored: 0,
    lost: 0,
    duplicated: 0,
    torn: 0,
    wrong: 0,
    note,
  })
  expect(grown).toBeLessThan(150 * 1024 ** 2)
  expect(pushes).toBeGreaterThan(lasted / 1000)
})
