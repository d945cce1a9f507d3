// Consoles that stop reading, and consoles that come and go by the hundred.
import { readFileSync } from 'node:fs'
import mqtt from 'mqtt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import WebSocket from 'ws'
import type { Page } from '../../contract/base/call.ts'
import { freshDatabase } from '../../server/testing/database.ts'
import { type FrontDoor, until } from '../front-door.ts'
import { connectHub } from '../house.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'
import { enter } from './tally.ts'
import { pause, rounds } from './tiers.ts'

let fresh: Awaited<ReturnType<typeof freshDatabase>>
let server: ServerProcess
let door: FrontDoor
beforeAll(async () => {
  fresh = await freshDatabase()
  server = await startServerProcess({ DATABASE_URL: fresh.adminUrl })
  door = await server.door()
})
afterAll(async () => {
  await server?.stop()
  server?.remove()
  await fresh?.drop()
})

const mark = '\x1e'
const residentBytes = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid()}/status`, 'utf8'))?.[1]) * 1024
const figure = async (name: string) => {
  const text = await (await fetch(`${server.origin}/metrics`)).text()
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`penstock_${name} `))
      ?.split(' ')[1] ?? 0,
  )
}
/** A client that greets, subscribes, and has heard its first values. */
const visit = async (points: readonly number[]) => {
  const hub = `${server.origin}/api/hubs/sysmsghub`
  const answer = await fetch(`${hub}/negotiate?negotiateVersion=1`, { method: 'POST', headers: { authorization: `Bearer ${door.admin}` } })
  const { connectionToken } = (await answer.json()) as { connectionToken: string }
  const socket = new WebSocket(`${hub.replace('http', 'ws')}?id=${connectionToken}`)
  socket.on('error', () => undefined)
  await new Promise((done, failed) => socket.once('open', done).once('close', failed))
  socket.send(`${JSON.stringify({ protocol: 'json', version: 1 })}${mark}`)
  socket.send(`${JSON.stringify({ type: 1, invocationId: '1', target: 'Subscribe', arguments: [points] })}${mark}`)
  const latest = new Map<number, number | null>()
  let answered = false
  socket.on('message', (data) => {
    for (const text of String(data).split(mark).filter(Boolean)) {
      const frame = JSON.parse(text) as {
        type?: number
        target?: string
        result?: { Values: number[][] }
        arguments?: { Values: number[][] }[]
      }
      if (frame.type === 3) answered = true
      const values = frame.type === 3 ? frame.result?.Values : frame.target === 'Values' ? frame.arguments?.[0]?.Values : undefined
      for (const [id, , value] of values ?? []) latest.set(id!, value!)
    }
  })
  await until('the subscription', () => answered)
  return { socket, latest }
}

const clients = rounds(200, 1000)
test('memory stays bounded, those who read are not held up, and whoever comes afterwards sees what is', {
  skip: process.platform !== 'linux',
  timeout: 240_000,
}, async ({ task }) => {
  const made = await door.newGateway('HUBCLIENTS01', 1)
  const Items = Array.from({ length: 500 }, (_, i) => ({ ParaName: `P${i}`, Address: String(i), IsStore: 1 }))
  await door.data('POST', '/Project/DevPara/BatchAdd', { DeviceId: made.device, Items })
  const list = await door.data<Page<{ Id: number }>>('GET', `/V2/Project/DevPara/List?DeviceIds=${made.device}&PageSize=1000`)
  const points = list.Items.map((p) => p.Id)
  const gateway = await mqtt.connectAsync(`mqtt://127.0.0.1:${server.mqttPort}`, {
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

  const reader = await connectHub(server.origin, door.admin)
  await reader.connection.invoke('Subscribe', points)
  const stalled = await Promise.all(Array.from({ length: 5 }, () => visit(points)))
  for (const { socket } of stalled) socket.pause()
  await pause(1500)
  const before = residentBytes()
  const heardBefore = reader.values.length
  const from = performance.now()
  for (let i = 0; i < clients; i += 40) {
    const wave = await Promise.all(Array.from({ length: 40 }, () => visit(points.slice(0, 50))))
    // Half leave in order, half are gone without a word.
    for (const [n, { socket }] of wave.entries()) n % 2 ? socket.terminate() : socket.close()
  }
  await pause(rounds(3000, 70_000))
  const lasted = performance.now() - from
  const grown = residentBytes() - before
  const pushes = (reader.values.length - heardBefore) / points.length
  clearInterval(timer)
  await say()
  await until('those who went to be forgotten', async () => (await figure('hub_connections')) <= stalled.length + 1)
  const late = await visit(points)
  const right = (of: { latest: Map<number, number | null> }) => points.every((id, i) => of.latest.get(id) === (round - 1) * 1000 + i)
  await until('the right picture for one who comes now', () => right(late))
  let resumed = 0
  for (const client of stalled) {
    client.socket.resume()
    // It reads on, or has been cut and comes again.
    await until('the right picture for one who reads again', () => right(client) || client.socket.readyState === WebSocket.CLOSED)
    if (right(client)) resumed++
    else expect(right(await visit(points))).toBe(true)
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
