import { type AddressInfo, createServer } from 'node:net'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { channelRow, pointRow, readAll } from '../../testing/rows.ts'
import { startS7 } from '../../testing/s7-plc.ts'
import { conformance, type Peer } from '../conformance.ts'
import type { PointRow } from '../driver.ts'
import { s7 } from './driver.ts'
import { Garbled, readAnswer, readItems, takePacket } from './frames.ts'
import { plan, requestsOf } from './plan.ts'

const timeout = 60
const startPeer = async (): Promise<Peer> => {
  const plc = await startS7({ lateMs: timeout * 1.5 })
  const block = Buffer.alloc(202)
  for (let n = 1; n <= 100; n++) block.writeUInt16BE(n, 2 * n)
  plc.area(0x84, 1, block)
  return {
    ...plc,
    channel: { ProtocolType: 70, Ip: '127.0.0.1', Port: plc.port },
    point: (n, change = {}) => pointRow(n, `DB1.DBW${2 * n}`, { ReadWriteType: 1, CollectPeriod: 20, Timeout: timeout, ...change }),
    value: (n) => block.readUInt16BE(2 * n),
  }
}
conformance('S7', s7, startPeer)

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})
const open = async (pdu?: number) => {
  const plc = await startS7(pdu === undefined ? {} : { pdu })
  closing.push(plc.close)
  const driver = s7({ channel: channelRow(plc.port, { ProtocolType: 70 }), devices: [], now: Date.now, changed: () => {} })
  closing.push(() => driver.close())
  const read = (...points: PointRow[]) => readAll(driver, points)
  return { plc, driver, read }
}

test('reads bits, bytes, words, double words and numbers of 8 bytes of every area', async () => {
  const { plc, driver, read } = await open()
  const block = Buffer.alloc(40)
  block.writeFloatBE(21.7, 4)
  block.writeInt16BE(-5, 8)
  block.writeDoubleBE(1.25, 16)
  block[0] = 0b1000
  block[30] = 0xfe
  plc.area(0x84, 10, block)
  plc.area(0x83, 0, Buffer.of(0, 7, 0, 9))
  plc.area(0x81, 0, Buffer.of(1))
  plc.area(0x82, 0, Buffer.of(200))
  await driver.connect()
  const rows = [
    pointRow(1, 'DB10.DBD4', { ParaDataType: 7 }),
    pointRow(2, 'DB10.DBW8', { ParaDataType: 1 }),
    pointRow(3, 'DB10.DBX0.3', { ParaDataType: 0 }),
    pointRow(4, 'DB10.DBX0.2', { ParaDataType: 0 }),
    pointRow(5, 'DB10.DBL16', { ParaDataType: 101 }),
    pointRow(6, 'MW2', { ParaDataType: 2 }),
    pointRow(7, 'I0.0', { ParaDataType: 0 }),
    pointRow(8, 'QB0', { ParaDataType: 2 }),
    pointRow(9, 'DB10.DBB30', { ParaDataType: 1 }),
    pointRow(10, 'DB11.DBW0'),
  ]
  const good = [21.7, -5, 1, 0, 1.25, 9, 1, 200, -2].map((value) => [value, 0])
  expect(await read(...rows)).toEqual([...good, [null, 4]])
  expect(plc.asked).toHaveLength(1)
})

test('writes one bit without its neighbours, a byte within its range, and numbers', async () => {
  const { plc, driver } = await open()
  const block = Buffer.alloc(20, 0xff)
  plc.area(0x84, 1, block)
  await driver.connect()
  await driver.write(pointRow(1, 'DB1.DBX0.4', { ParaDataType: 0 }), 0)
  await driver.write(pointRow(1, 'DB1.DBD4', { ParaDataType: 7 }), 12.5)
  await driver.write(pointRow(1, 'DB1.DBB9', { ParaDataType: 2 }), 200)
  expect(block.subarray(0, 12).toString('hex')).toBe('efffffff41480000ffc8ffff')
  await expect(driver.write(pointRow(1, 'DB1.DBB9', { ParaDataType: 2 }), 256)).rejects.toThrow(RangeError)
  await expect(driver.write(pointRow(1, 'DB2.DBW0'), 1)).rejects.toMatchObject({ kind: 'address' })
  plc.behave('refused')
  await expect(driver.write(pointRow(1, 'DB1.DBW0'), 1)).rejects.toThrow(/PUT\/GET/)
})

test('questions keep to the PDU that was negotiated, and one of no size is no connection', async () => {
  const { plc, driver, read } = await open(240)
  plc.area(0x84, 1, Buffer.alloc(4000))
  await driver.connect()
  await read(...Array.from({ length: 60 }, (_, i) => pointRow(i + 1, `DB1.DBW${i * 50}`)))
  expect(plc.asked.length).toBeGreaterThan(2)
  for (const { bytes, items } of plc.asked) {
    expect(bytes).toBeLessThanOrEqual(240)
    expect(items).toBeLessThanOrEqual(20)
  }
  const none = await open(0)
  await expect(none.driver.connect()).rejects.toMatchObject({ kind: 'down', message: expect.stringContaining('PDU of 0') })
})

test('blocks cover each point once, with holes of at most 16 bytes, and requests fit', () => {
  const points = fc
    .uniqueArray(fc.record({ byte: fc.integer({ min: 0, max: 3000 }), db: fc.integer({ min: 1, max: 2 }) }), {
      maxLength: 150,
      selector: ({ byte, db }) => `${db}/${byte}`,
    })
    .map((rows) => rows.map(({ byte, db }, i) => pointRow(i + 1, `DB${db}.DBD${byte}`, { ParaDataType: 7 })))
  fc.assert(
    fc.property(points, fc.integer({ min: 240, max: 960 }), (rows, pdu) => {
      const blocks = plan(rows)
      expect(blocks.flatMap((b) => b.points.map((p) => p.Id)).sort((a, b) => a - b)).toEqual(rows.map((p) => p.Id))
      const runs = blocks.flatMap((b) => b.runs)
      for (const { range } of runs) expect(range.length).toBeLessThanOrEqual(200)
      for (const request of requestsOf(runs, pdu)) {
        expect(12 + 12 * request.length).toBeLessThanOrEqual(pdu)
        expect(14 + request.reduce((sum, { range }) => sum + 4 + range.length + (range.length & 1), 0)).toBeLessThanOrEqual(pdu)
      }
    }),
  )
})

test('bytes of any kind are a packet, none yet, or garbage', () => {
  const range = { area: 'DB' as const, db: 1, byte: 0, length: 2 }
  const head = Buffer.from('0300001902f080320300000001000200040000', 'hex')
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), fc.boolean(), (bytes, isHeaded) => {
      const given = isHeaded ? Buffer.concat([head, bytes]) : Buffer.from(bytes)
      try {
        const packet = takePacket(given)
        if (packet) readItems(readAnswer(packet.payload), [range])
      } catch (error) {
        expect(error).toBeInstanceOf(Garbled)
      }
    }),
    { numRuns: 2000 },
  )
})

test('a controller that answers what nobody asked, without end, loses its connection', async () => {
  const inTransport = (pdu: Buffer) => {
    const head = Buffer.of(3, 0, 0, 0, 2, 0xf0, 0x80)
    head.writeUInt16BE(head.length + pdu.length, 2)
    return Buffer.concat([head, pdu])
  }
  const answer = (id: number) => inTransport(Buffer.of(0x32, 3, 0, 0, id >> 8, id & 255, 0, 8, 0, 0, 0, 0, 0xf0, 0, 0, 1, 0, 1, 0, 240))
  const replies = [
    Buffer.of(3, 0, 0, 11, 6, 0xd0, 0, 1, 0, 1, 0),
    answer(1),
    Buffer.concat(Array.from({ length: 300 }, () => answer(9999))),
  ]
  const server = createServer((socket) => void socket.on('error', () => {}).on('data', () => socket.write(replies.shift() ?? '')))
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready))
  closing.push(() => server.close())
  const { port } = server.address() as AddressInfo
  const driver = s7({ channel: channelRow(port, { ProtocolType: 70 }), devices: [], now: Date.now, changed: () => {} })
  closing.push(() => driver.close())
  await driver.connect()
  const [block] = driver.plan([pointRow(1, 'DB1.DBW2', { Timeout: 20_000 })])
  await expect(driver.read(block!)).rejects.toMatchObject({ kind: 'garbled' })
  expect(driver.connected).toBe(false)
})
