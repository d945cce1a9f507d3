import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { dialledFaults } from '../../contract/protocols/dialled.ts'
import { withoutHeartbeats } from '../../contract/protocols/heartbeats.ts'
import { check } from '../config/check.ts'
import type { ChannelRow } from '../drivers/driver.ts'
import { cjt188Layout, dlt645Layout, frameOf, type Layout } from '../drivers/meters/frames.ts'
import { rtu } from '../drivers/modbus/frames.ts'
import { startPoller } from '../poll/poller.ts'
import type { Item } from '../poll/taking.ts'
import { readAsked } from '../testing/meters.ts'
import { channelRow, pointRow } from '../testing/rows.ts'
import { hostOf, readPlaces } from './allowed.ts'
import { openDoors } from './doors.ts'
import { identityOf } from './identity.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})
const within = { timeout: 60_000, interval: 10 }
const freePort = async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((closed) => server.close(closed))
  return port
}

/** Answers of a Modbus device behind a DTU: register 7 is 42. */
const modbusAnswer = () => rtu.wrap(1, Buffer.of(3, 2, 0, 42), 0)
const meterAnswer = (layout: Layout, value: (di: Buffer) => Buffer) => (bytes: Buffer) => {
  const { address, type, control, data } = readAsked(layout, bytes)
  return frameOf(layout, { address, type, control: control | 0x80, data: value(data) })
}
const energy = meterAnswer(dlt645Layout, (di) => Buffer.concat([di, Buffer.from('26000000', 'hex')]))
const flow = meterAnswer(cjt188Layout, (di) =>
  Buffer.concat([di, Buffer.from('00120000' + '2c00120000' + '2c' + '31012211051520' + '2184', 'hex')]),
)

/** A device that connects and answers each request. */
const dial = async (port: number, registration: Buffer | string, answer: (bytes: Buffer) => Buffer = modbusAnswer) => {
  const socket: Socket = connect({ port, host: '127.0.0.1' })
  closing.push(() => socket.destroy())
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(registration)
  const heard: Buffer[] = []
  socket.on('data', (bytes) => {
    heard.push(bytes)
    socket.write(answer(bytes))
  })
  return { socket, heard, closed: () => socket.closed || socket.destroyed }
}

const listen = async (rows: (Partial<ChannelRow> & { address: string; meter?: string })[], places = '127.0.0.1:1-65535') => {
  const port = await freePort()
  const reports: string[] = []
  const items: Item[] = []
  const doors = openDoors(readPlaces(places)!, (text) => void reports.push(text))
  const poller = startPoller({
    ...{ now: Date.now, emit: (item) => void items.push(item), onEvent: () => {}, onFirst: () => {}, reconnectMs: { min: 50, max: 100 } },
    doors,
  })
  closing.push(() => poller.close())
  const Channels = rows.map(({ address: _, meter: __, ...row }, i) => channelRow(row.Port ?? port, { ...row, Id: i + 1, Mode: 1 }))
  await poller.apply({
    ...{ ConfigVersion: 1, HeartbeatPeriod: 60, Channels },
    Devices: rows.map(({ meter }, i) => ({
      ...{ Id: i + 1, DeviceName: `Device ${i}`, CommType: 0, ChannelId: i + 1, SlaveNumber: 1 },
      ...(meter ? { Settings: { MeterAddress: meter } } : {}),
    })),
    Points: rows.map(({ address }, i) => pointRow(i + 1, address, { DeviceId: i + 1, CollectPeriod: 100 })),
  })
  return { port, reports, doors, Channels, items, last: (n: number) => items.findLast(({ V }) => n in V)?.V[n] }
}

describe('devices that dial', () => {
  test('say who they are, and Modbus, DL/T 645 and CJ/T 188 are read over one port', async () => {
    const { port, last } = await listen([
      { ProtocolType: 1, address: '7', Settings: { Registration: 'DTU-1', Heartbeat: 'ping' } },
      { ProtocolType: 20, address: '00010000', meter: '000000000161', Settings: { RegistrationForm: 'hex', Registration: '02 00 16' } },
      {
        ProtocolType: 30,
        address: '901F',
        meter: '78330011223344',
        Settings: { RegistrationForm: 'pattern', Registration: 'ICCID:8986*' },
      },
    ])
    const modbus = await dial(port, 'DTU-1')
    await dial(port, Buffer.of(2, 0, 0x16), energy)
    await dial(port, 'ICCID:898601234567\r\n', flow)
    await expect.poll(() => [last(1), last(2), last(3)], within).toEqual([42, 0.26, 12])
    // A heartbeat between two answers, in two chunks.
    modbus.socket.write('pi')
    modbus.socket.write('ngping')
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(last(1)).toBe(42)
    modbus.socket.destroy()
    await expect.poll(() => last(1), within).toBeNull()
    await dial(port, 'DTU-1')
    await expect.poll(() => last(1), within).toBe(42)
  })

  test('a second one of the same registration is refused while the first answers, and wins once that is silent', async () => {
    const { port, last, doors } = await listen([
      { ProtocolType: 1, address: '7', Settings: { Registration: 'DTU-1', HeartbeatPeriod: 0.1 } },
    ])
    const first = await dial(port, 'DTU-1')
    await expect.poll(() => last(1), within).toBe(42)
    const second = await dial(port, 'DTU-1')
    await expect.poll(second.closed, within).toBe(true)
    expect([first.closed(), doors.counts()[0]!.refused]).toEqual([false, 1])
    first.socket.removeAllListeners('data')
    await new Promise((resolve) => setTimeout(resolve, 350))
    const third = await dial(port, 'DTU-1')
    await expect.poll(() => third.heard.length, within).toBeGreaterThan(0)
    expect(third.closed()).toBe(false)
    await expect.poll(() => last(1), within).toBe(42)
  })

  test('unknown ones are closed, counted and listed, and so is who comes from elsewhere', async () => {
    const { port, doors, reports } = await listen([
      { ProtocolType: 1, address: '7', Settings: { Registration: 'DTU-1', Networks: '10.9.0.0/16, 127.0.0.1' } },
      { ProtocolType: 1, address: '8', Settings: { Registration: 'DTU-2', Networks: '10.9.0.0/16' } },
    ])
    for (const registration of ['GET / HTTP/1.1\r\n', 'x'.repeat(3000), 'DTU-2']) {
      const stranger = await dial(port, registration)
      await expect.poll(stranger.closed, within).toBe(true)
      expect(stranger.heard).toEqual([])
    }
    expect(doors.counts()).toEqual([
      { port, refused: 0, unknown: [{ from: '127.0.0.1', count: 3, said: Buffer.from('DTU-2').toString('hex') }] },
    ])
    // Once a minute.
    expect(reports).toEqual([expect.stringContaining('127.0.0.1 is unknown')])
  })

  test('over UDP, the answer goes to the address that registered', async () => {
    const Settings = { Transport: 'udp', Registration: 'DTU-1', Networks: '127.0.0.0/8' }
    const { port, last } = await listen([{ ProtocolType: 1, address: '7', Settings }])
    const device = createSocket('udp4')
    closing.push(() => device.close())
    device.on('message', () => device.send(modbusAnswer(), port, '127.0.0.1'))
    device.send('DTU-1', port, '127.0.0.1')
    await expect.poll(() => last(1), within).toBe(42)
  })

  test('nothing listens where the gateway was not told to', async () => {
    const { port, doors, Channels, reports } = await listen([{ ProtocolType: 1, address: '7', Settings: { Registration: 'DTU-1' } }], '')
    expect(doors.missing(Channels[0]!)).toContain('EDGE_LISTEN')
    await expect(dial(port, 'DTU-1')).rejects.toThrow('ECONNREFUSED')
    expect(reports).toEqual([])
  })
})

test('a configuration says which port, who comes and, over UDP, from where', () => {
  const verdict = (Settings: ChannelRow['Settings'], Port = 9000, more: Partial<ChannelRow>[] = []) =>
    check({
      Channels: [{ Settings, Port }, ...more].map((row, i) => channelRow(9000, { ProtocolType: 1, Mode: 1, ...row, Id: i + 1 })),
      Devices: [],
      Points: [],
    })
  expect(verdict({ Registration: 'a' })).toBeUndefined()
  expect(verdict({ Registration: 'a' }, 0)).toMatchObject({ Code: 13 })
  expect(verdict({})).toMatchObject({ Code: 15, Msg: expect.stringContaining('Registration required') })
  expect(verdict({ Registration: 'abc', RegistrationForm: 'hex' })).toMatchObject({ Code: 15 })
  expect(verdict({ Registration: 'a', Transport: 'udp' })).toMatchObject({ Code: 15, Msg: expect.stringContaining('Networks') })
  expect(verdict({ Registration: 'a' }, 9000, [{ Settings: { Registration: 'a' } }])).toMatchObject({ Code: 14 })
  expect(verdict({ Registration: 'a' }, 9000, [{ Settings: { Registration: 'b' } }])).toBeUndefined()
  expect(dialledFaults({ Registration: 'é'.repeat(129) })).toEqual([{ name: 'Registration', rule: 'pattern' }])
})

test('the owner says where a gateway listens', () => {
  const places = readPlaces('9000-9010, 10.0.0.5:7000, [::1]:7001')!
  expect([9000, 9010, 9011, 7000, 7001].map((port) => hostOf(places, port))).toEqual(['0.0.0.0', '0.0.0.0', undefined, '10.0.0.5', '::1'])
  expect(readPlaces('')).toEqual([])
  for (const wrong of ['all', '0', '70000', '10-5', 'host:', '::1:9000-']) expect(readPlaces(wrong)).toBeUndefined()
})

test('patterns take no longer than their lengths, and networks know both ways to write an address', () => {
  const of = (Settings: ChannelRow['Settings']) => identityOf(channelRow(1, { Settings }))
  const hostile = of({ RegistrationForm: 'pattern', Registration: '*a'.repeat(120) })
  const started = performance.now()
  expect(hostile.registered(Buffer.from(`${'a'.repeat(255)}b`))).toBe(0)
  expect(performance.now() - started).toBeLessThan(3000)
  expect(of({ RegistrationForm: 'pattern', Registration: 'A?C*' }).registered(Buffer.from('ABCdef'))).toBe(6)
  const { mayComeFrom } = of({ Registration: 'a', Networks: '10.9.0.0/16,2001:db8::/32' })
  expect(['::ffff:10.9.1.2', '10.9.255.1', '2001:db8::7', '10.10.0.1', '::1', ''].map(mayComeFrom)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ])
})

test('heartbeats go, in whatever pieces they come, and nothing else does', () => {
  const data = fc.uint8Array({ max: 100, maxLength: 20 }).map(Buffer.from)
  fc.assert(
    fc.property(
      fc.array(data, { maxLength: 8 }),
      fc.uint8Array({ min: 101, minLength: 1, maxLength: 5 }),
      fc.array(fc.nat(30)),
      (parts, beat, cuts) => {
        const heartbeat = Buffer.from(beat)
        const out: Buffer[] = []
        const stream = withoutHeartbeats(heartbeat, (bytes) => void out.push(Buffer.from(bytes)))
        const whole = Buffer.concat(parts.flatMap((part) => [part, heartbeat]))
        let at = 0
        for (const cut of [...cuts, whole.length]) {
          if (at < whole.length) stream.take(whole.subarray(at, at + cut))
          at += cut
        }
        stream.close()
        expect(Buffer.concat(out)).toEqual(Buffer.concat(parts))
      },
    ),
    { numRuns: 2000 },
  )
})
