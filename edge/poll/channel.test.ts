import { afterEach, expect, test } from 'vitest'
import { modbus } from '../drivers/modbus/driver.ts'
import { mbap, rtu } from '../drivers/modbus/frames.ts'
import { channelRow, pointRow, startPlc, startRaw } from '../testing/plc.ts'
import { Channel } from './channel.ts'
import type { Item } from './taking.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})
const opens = <T extends { close(): unknown }>(it: T) => {
  closing.push(() => it.close())
  return it
}

const run = (port: number, points: ReturnType<typeof pointRow>[], row: Partial<ReturnType<typeof channelRow>> = {}) => {
  const items: Item[] = []
  const channel = channelRow(port, row)
  const polled = opens(
    new Channel({
      channel,
      points,
      open: (changed) => modbus({ channel, changed }),
      now: Date.now,
      emit: (item) => items.push(item),
      onChannel: () => {},
      onDevice: () => {},
      onFirst: () => {},
      reconnectMs: { min: 5, max: 10 },
    }),
  )
  polled.start()
  const valuesOf = (id: number) => items.filter((i) => id in i.V).map((i) => i.V[id]!)
  return { polled, items, valuesOf }
}
const word = (value: number) => Buffer.of(3, 2, value >> 8, value & 255)

test('a unit that never answers is asked less and less, and its neighbours as often as before', async () => {
  const asked = { 1: 0, 2: 0 } as Record<number, number>
  const raw = opens(
    await startRaw((request, socket) => {
      const unit = request[6]!
      asked[unit]!++
      if (unit === 1) socket.write(mbap.wrap(1, word(7), request.readUInt16BE(0)))
    }),
  )
  const { polled, valuesOf } = run(raw.port, [
    pointRow(1, 0),
    pointRow(2, 0, { SlaveNumber: 2, DeviceId: 2, Timeout: 50 }),
    pointRow(3, 50, { SlaveNumber: 2, DeviceId: 2, Timeout: 50 }),
  ])
  await expect.poll(() => polled.health.rows.find((r) => r.DeviceId === 2)?.Status).toBe(2)
  const before = asked[2]!
  const good = valuesOf(1).length
  await expect.poll(() => valuesOf(1).length, { timeout: 60_000 }).toBeGreaterThan(good + 8)
  expect(asked[2]! - before).toBeLessThanOrEqual(2)
  expect(valuesOf(2)).toEqual([null])
  expect(valuesOf(3)).toEqual([null])
})

test('a lost answer is asked for again as often as the channel says, and nobody notices', async () => {
  let count = 0
  const raw = opens(
    await startRaw((request, socket) => {
      if (count++ % 3 === 2) socket.write(mbap.wrap(1, word(7), request.readUInt16BE(0)))
    }),
  )
  const { items, valuesOf } = run(raw.port, [pointRow(1, 0, { Timeout: 50 })], { RetryCount: 2 })
  await expect.poll(() => valuesOf(1).length).toBeGreaterThan(2)
  expect(items.every((i) => i.Q === undefined)).toBe(true)
})

test('a loop is scanned again and again, and each scan has a time of its own', async () => {
  const plc = opens(await startPlc())
  const { items } = run(plc.port, [pointRow(1, 0, { CollectType: 1, CollectPeriod: 60_000 })])
  await expect.poll(() => items.length).toBeGreaterThan(20)
  expect(new Set(items.map((i) => i.T)).size).toBe(items.length)
})

test('points that can only be written are not read', async () => {
  const plc = opens(await startPlc())
  const { valuesOf } = run(plc.port, [pointRow(1, 0), pointRow(2, 300, { ReadWriteType: 2 })])
  await expect.poll(() => valuesOf(1).length).toBeGreaterThan(1)
  expect(plc.asked.every((a) => a.start === 0)).toBe(true)
  expect(valuesOf(2)).toEqual([])
})

test('over RTU, after an answer that was too late, the next value is the right one', async () => {
  let count = 0
  const raw = opens(
    await startRaw((_, socket) => {
      const value = ++count
      // Every third answer comes after the timeout of its request.
      setTimeout(() => socket.writable && socket.write(rtu.wrap(1, word(value), 0)), value % 3 === 0 ? 90 : 0)
    }),
  )
  const { items, valuesOf } = run(raw.port, [pointRow(1, 0, { Timeout: 60 })], { ProtocolType: 1 })
  await expect.poll(() => valuesOf(1).filter((v) => v !== null).length, { timeout: 60_000 }).toBeGreaterThan(5)
  const values = valuesOf(1).filter((v): v is number => v !== null)
  expect(values.every((v) => v % 3 !== 0)).toBe(true)
  expect(values).toEqual([...values].sort((a, b) => a - b))
  expect(items.some((i) => i.Q?.[1] === 2)).toBe(true)
})

test('a command waits for no scan', async () => {
  const plc = opens(await startPlc())
  const point = pointRow(1, 0, { CollectPeriod: 86_400_000, ReadWriteType: 1 })
  const { polled, valuesOf } = run(plc.port, [point])
  await expect.poll(() => valuesOf(1).length).toBe(1)
  expect(await polled.write(point, 5, true)).toEqual({ value: 5, quality: 0 })
  expect(plc.words[0]).toBe(5)
})

test('commands to a device that is away fail, and do not wait for it', async () => {
  const plc = await startPlc()
  await plc.close()
  const point = pointRow(1, 0, { ReadWriteType: 1 })
  const { polled } = run(plc.port, [point])
  await expect(polled.write(point, 5, false)).rejects.toMatchObject({ kind: 'down' })
})
