import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import type { Description, Request } from '../../../contract/described/description.ts'
import { descriptionTemplates } from '../../../contract/described/templates.ts'
import { checksum } from '../../../contract/parsing/checksum.ts'
import { check } from '../../config/check.ts'
import { tableOf } from '../../testing/plc.ts'
import { type Behaviour, startRaw } from '../../testing/raw.ts'
import { channelRow, pointRow, readAll } from '../../testing/rows.ts'
import { conformance, type Peer } from '../conformance.ts'
import { described } from './driver.ts'

const timeout = 120
const hex = (byte: number) => byte.toString(16).padStart(2, '0')
/** Ten requests of ten values each, and one that writes v5. */
const reads = Array.from(
  { length: 10 },
  (_, k): Request => ({
    Send: `AA 06 {addr} ${hex(k)} {crc}`,
    Answer: `AA 1A {addr} ${hex(k)}`,
    Fields: Array.from({ length: 10 }, (_, i) => ({ Key: `v${k * 10 + i + 1}`, Type: 'u16' as const, At: 4 + 2 * i })),
  }),
)
const write: Request = {
  ...{ Send: 'AA 08 {addr} 80 {value} {crc}', Answer: 'AA 08 {addr} 80 {value} {crc}' },
  ...{ Fields: [], Write: { Key: 'v5', Type: 'u16' } },
}
const description: Description = {
  Frame: { By: 'lengthField', Start: 'AA', LengthAt: 1, Checksum: 'crc16Modbus' },
  Requests: [...reads, write],
}
const guarded = (bytes: number[]) => {
  const sum = checksum('crc16Modbus', bytes)
  return Buffer.from([...bytes, sum & 255, sum >> 8])
}
const channelOf = (port: number, Description: Description) =>
  channelRow(port, { ProtocolType: 200, Description: { Frame: Description.Frame, Requests: [...Description.Requests] } })

const startPeer = async (): Promise<Peer> => {
  const values = Array.from({ length: 101 }, (_, n) => n)
  const sockets = new Set<Socket>()
  let how: Behaviour = 'good'
  const answer = ([, , unit, code, high, low]: Buffer) => {
    if (code === 0x80) {
      values[5] = high! * 256 + low!
      return guarded([0xaa, 8, unit!, 0x80, high!, low!])
    }
    const own = values.slice(code! * 10 + 1, code! * 10 + 11)
    return guarded([0xaa, 26, unit!, code!, ...own.flatMap((value) => [value >> 8, value & 255])])
  }
  const raw = await startRaw((bytes, socket) => {
    if (!sockets.has(socket)) socket.on('close', () => sockets.delete(socket))
    sockets.add(socket)
    if (how === 'silent' || bytes[2] !== 1) return
    const frame = how === 'refused' ? guarded([0xaa, 7, 1, 0xff, 2]) : answer(bytes)
    if (how === 'late') return void setTimeout(() => socket.writable && socket.write(frame), timeout * 1.5)
    if (how === 'cut') return void socket.end(frame.subarray(0, frame.length - 1))
    if (how === 'garbled') frame[frame.length - 1]! ^= 0x55
    // What comes before a frame is noise.
    socket.write(Buffer.concat([Buffer.of(0, 1), frame]))
  })
  const point: Peer['point'] = (n, change = {}) =>
    pointRow(n, `v${n}`, { ReadWriteType: 1, CollectPeriod: 20, Timeout: timeout, ...change })
  return {
    ...{ channel: channelOf(raw.port, description), close: raw.close, point },
    devices: [1, 2].map((Id) => ({ Id, DeviceName: `Unit ${Id}`, CommType: 0, ChannelId: 1, SlaveNumber: Id })),
    hung: (n) => point(n, { DeviceId: 2, SlaveNumber: 2 }),
    behave: (next) => {
      how = next
    },
    value: (n) => values[n]!,
    cut: () => {
      for (const socket of sockets) socket.destroy()
    },
    connections: () => sockets.size,
  }
}
conformance('A described protocol', described, startPeer)

test('frames that silence ends come in pieces behind an echo, and a value is written as the description scales it', async () => {
  const [registers] = descriptionTemplates
  const sent: string[] = []
  const raw = await startRaw((bytes, socket) => {
    sent.push(bytes.toString('hex'))
    socket.write(bytes)
    if (bytes[1] === 6) return
    setTimeout(() => socket.write(Buffer.from('01030441', 'hex')), 5)
    setTimeout(() => socket.write(Buffer.from('C800006FF1', 'hex')), 12)
  })
  const driver = described({ channel: channelOf(raw.port, registers!), devices: [], now: Date.now, changed: () => {} })
  await driver.connect()
  const points = [pointRow(1, 'temperature'), pointRow(2, 'none')]
  expect(await readAll(driver, points)).toEqual([
    [25, 0],
    [null, 4],
  ])
  await driver.write(pointRow(3, 'setpoint', { ReadWriteType: 1 }), 21.5)
  expect(sent.at(-1)).toMatch(/^0106001000d7/)
  await expect(driver.write(pointRow(3, 'setpoint'), 7000)).rejects.toThrow(RangeError)
  await expect(driver.write(points[0]!, 1)).rejects.toThrow(RangeError)
  driver.close()
  await raw.close()
})

test('what a device sends by itself is heard, between questions and amid one, and is acknowledged', async () => {
  const sent: string[] = []
  let device: Socket | undefined
  const raw = await startRaw((bytes, socket) => {
    device = socket
    sent.push(bytes.toString('hex'))
    // An event comes before the answer.
    if (bytes[0] === 0xaa && bytes[1] === 1) socket.write(Buffer.of(0xaa, 9, 1, 5, 0xaa, 2, 1, 7))
  })
  const Description: Description = {
    Frame: { By: 'length', Length: 4, Start: 'AA' },
    Requests: [
      { Send: 'AA 01 {addr} 00', Answer: 'AA 02 {addr}', Fields: [{ Key: 'asked', Type: 'u8', At: 3 }] },
      { Send: 'AA 0A {addr} 00', Answer: 'AA 09 {addr}', Listen: true, Fields: [{ Key: 'event', Type: 'u8', At: 3 }] },
    ],
  }
  const driver = described({ channel: channelOf(raw.port, Description), devices: [], now: Date.now, changed: () => {} })
  await driver.connect()
  const [asked, event] = [pointRow(1, 'asked'), pointRow(2, 'event')]
  expect([driver.listens?.(asked), driver.listens?.(event)]).toEqual([false, true])
  const heard: (number | null)[] = []
  await driver.listen?.([event], (readings) => void heard.push(...readings.map(({ reading }) => reading.value)))
  expect(await readAll(driver, [asked])).toEqual([[7, 0]])
  device!.write(Buffer.of(0xaa, 9))
  device!.write(Buffer.of(1, 6, 0xaa, 9, 2, 9))
  await expect.poll(() => heard).toEqual([5, 6])
  await expect.poll(() => sent.join('').split('aa0a0100').length - 1).toBe(2)
  driver.close()
  await raw.close()
})

test('a gateway refuses a channel whose protocol is not described, or wrongly', () => {
  const own = channelOf(1, description)
  expect(check(tableOf(1, [pointRow(1, 'v1')], own))).toBeUndefined()
  const { Description: _, ...without } = own
  expect(check(tableOf(1, [pointRow(1, 'v1')], { ...without }))?.Code).toBe(15)
  const wrong = { Frame: { By: 'length' as const }, Requests: [...description.Requests] }
  expect(check(tableOf(1, [pointRow(1, 'v1')], { ...own, Description: wrong }))?.Msg).toContain('Frame.Length')
})
