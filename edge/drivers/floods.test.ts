// Devices and brokers that say more than anybody asked for.
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import mqttPacket from 'mqtt-packet'
import { afterEach, expect, test } from 'vitest'
import { channelRow, pointRow } from '../testing/rows.ts'
import type { OpenDriver } from './driver.ts'
import { iec104 } from './iec104/driver.ts'
import { mqttSource } from './mqtt-source/driver.ts'
import { opcua } from './opcua/driver.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** A peer of our own making, and its connections. */
const startPeer = async (serve: (socket: Socket) => void) => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    serve(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, sockets }
}
const open = (openDriver: OpenDriver, port: number, type: number, Settings: Record<string, string | number>) => {
  let changes = 0
  const devices = [{ Id: 1, DeviceName: 'd', CommType: 0, ChannelId: 1, SlaveNumber: 1, Settings: { CommonAddress: 1 } }]
  const channel = channelRow(port, { ProtocolType: type, Settings })
  const folder = mkdtempSync(join(tmpdir(), 'floods-'))
  closing.push(() => rmSync(folder, { recursive: true, force: true }))
  const driver = openDriver({ channel, devices, folder, now: Date.now, changed: () => changes++ })
  closing.push(() => driver.close())
  return { driver, changes: () => changes }
}
/** Sends the same bytes until the other side takes no more. */
const flood = (socket: Socket, bytes: Buffer) => {
  const more = () => {
    while (!socket.destroyed && socket.write(bytes));
    socket.once('drain', more)
  }
  more()
}

test('a station that tests the line without an end and reads no answers is read no further', async () => {
  const tests = Buffer.concat(Array.from({ length: 5000 }, () => Buffer.from('680443000000', 'hex')))
  const { port, sockets } = await startPeer((socket) =>
    socket.once('data', () => {
      socket.write(Buffer.from('68040b000000', 'hex'))
      socket.pause()
      flood(socket, tests)
    }),
  )
  const { driver } = open(iec104, port, 50, {})
  await driver.connect()
  const sent = () => [...sockets].reduce((sum, socket) => sum + socket.bytesWritten - socket.writableLength, 0)
  await expect
    .poll(
      async () => {
        const before = sent()
        await pause(500)
        return sent() - before
      },
      { timeout: 240_000, interval: 0 },
    )
    .toBe(0)
  // What lies in the buffers of the system on both sides.
  expect(sent()).toBeLessThan(32 * 1024 * 1024)
})

const startBroker = (subscribed: (socket: Socket) => void) =>
  startPeer((socket) => {
    const parser = mqttPacket.parser({ protocolVersion: 4 })
    parser.on('packet', ({ cmd, messageId }) => {
      if (cmd === 'connect') socket.write(mqttPacket.generate({ cmd: 'connack', returnCode: 0, sessionPresent: false }))
      if (cmd !== 'subscribe') return
      socket.write(mqttPacket.generate({ cmd: 'suback', messageId: messageId!, granted: [1] }))
      subscribed(socket)
    })
    socket.on('data', (bytes) => parser.parse(bytes))
  })
const publish = (topic: string, payload: string | Buffer, more: object = {}) =>
  mqttPacket.generate({ cmd: 'publish', qos: 0, dup: false, retain: false, topic, payload, ...more })

test('messages of QoS 2, which would wait in memory to be released, end the connection', async () => {
  const body = Buffer.alloc(200_000)
  const { port } = await startBroker((socket) => {
    for (let messageId = 1; messageId <= 10; messageId++) socket.write(publish('a', body, { qos: 2, messageId }))
  })
  const { driver, changes } = open(mqttSource, 0, 80, { Url: `mqtt://127.0.0.1:${port}` })
  await driver.connect()
  await driver.listen!([pointRow(1, 'a')], () => {}).catch(() => undefined)
  await expect.poll(changes, { timeout: 60_000 }).toBe(1)
  expect(driver.connected).toBe(false)
})

test('a flood of messages leaves others their turns, and those that nobody asked for leave nothing', async () => {
  const wanted = publish('a', '1')
  const foreign = Buffer.concat(Array.from({ length: 20 }, (_, i) => publish(`b${i}${'x'.repeat(60_000)}`, '1')))
  const total = 200_000
  const { port } = await startBroker((socket) => {
    socket.write(foreign)
    for (let i = 0; i < total / 1000; i++) socket.write(Buffer.concat(Array.from({ length: 1000 }, () => wanted)))
  })
  const { driver } = open(mqttSource, 0, 80, { Url: `mqtt://127.0.0.1:${port}` })
  await driver.connect()
  let [heard, most, before, isOver] = [0, 0, 0, false]
  const turn = () => {
    most = Math.max(most, heard - before)
    before = heard
    if (!isOver) setImmediate(turn)
  }
  turn()
  const topics: string[] = []
  await driver.listen!([pointRow(1, 'a')], (arrived) => {
    heard += arrived.length
    for (const { point } of arrived) if (topics.length < 5 && !topics.includes(point.Address)) topics.push(point.Address)
  })
  await expect.poll(() => heard, { timeout: 60_000 }).toBe(total)
  isOver = true
  expect(topics).toEqual(['a'])
  expect(most).toBeLessThan(total / 4)
})

test('an answer of an OPC UA server that goes on and on ends the connection, whatever the server says that it may send', async () => {
  let taken = 0
  const { port } = await startPeer((socket) => {
    const serve = (request: Buffer) => {
      if (request.toString('latin1', 0, 3) === 'HEL') {
        const sizes = [0, 65_536, 65_536, 0xffffffff, 0xffffffff]
        const said = Buffer.alloc(28)
        said.write('ACKF')
        for (const [i, size] of [28, ...sizes].entries()) said.writeUInt32LE(size, 4 + i * 4)
        socket.write(said)
        return
      }
      // The head of its own request, with the numbers of a sequence, and more to follow.
      socket.off('data', serve)
      const sequenceAt = 16 + request.readUInt32LE(12) + 8
      const more = (number: number) => {
        const chunk = Buffer.alloc(65_536)
        request.copy(chunk, 0, 0, sequenceAt + 8)
        chunk.write('OPNC')
        chunk.writeUInt32LE(chunk.length, 4)
        chunk.writeUInt32LE(number, sequenceAt)
        taken = Math.max(taken, socket.bytesWritten - socket.writableLength)
        if (!socket.destroyed) socket.write(chunk, () => more(number + 1))
      }
      more(1)
    }
    socket.on('data', serve)
  })
  const { driver } = open(opcua, 0, 70, { Url: `opc.tcp://127.0.0.1:${port}`, SecurityMode: 'None' })
  await expect(driver.connect()).rejects.toMatchObject({ kind: 'down' })
  expect(taken).toBeLessThan(64 * 1024 * 1024)
}, 400_000)
