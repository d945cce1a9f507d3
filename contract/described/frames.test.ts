import fc from 'fast-check'
import { expect, it } from 'vitest'
import { byteOrders, type Description, descriptionFaults, framings, valueTypes } from './description.ts'
import { cutFrame, readFrames } from './frames.ts'
import { readValue, writeValue } from './numbers.ts'
import { descriptionTemplates } from './templates.ts'

it('numbers come back as they were written, in every type and order', () => {
  for (const Type of valueTypes.filter((type) => type !== 'bit'))
    for (const Order of byteOrders) {
      const form = { Key: 'k', At: 0, Type, Order, Bytes: 3, Scale: 0.5, Offset: -1 }
      for (const value of [-1, 0, 1.5, 60]) expect([Type, Order, readValue(form, writeValue(form, value))]).toEqual([Type, Order, value])
    }
  const of = (Order: (typeof byteOrders)[number], Type: 'u16' | 'u32' = 'u32') => [
    ...writeValue({ Type, Order }, Type === 'u32' ? 0x0a0b0c0d : 0x0a0b),
  ]
  expect(byteOrders.map((order) => of(order))).toEqual([
    [0x0a, 0x0b, 0x0c, 0x0d],
    [0x0d, 0x0c, 0x0b, 0x0a],
    [0x0b, 0x0a, 0x0d, 0x0c],
    [0x0c, 0x0d, 0x0a, 0x0b],
  ])
  expect(byteOrders.map((order) => of(order, 'u16')[0])).toEqual([0x0a, 0x0b, 0x0b, 0x0a])
  expect(() => writeValue({ Type: 'u8' }, 256)).toThrow(RangeError)
  expect(readValue({ Key: 'k', Type: 'u64', At: 0 }, new Uint8Array(8).fill(255))).toBeNull()
  expect(readValue({ Key: 'k', Type: 'bcd', Bytes: 1, At: 0 }, Uint8Array.of(0xa0))).toBeNull()
})

it('any bytes end in frames and rest, within their bounds, and ready descriptions are sound', () => {
  for (const template of descriptionTemplates) expect(descriptionFaults(template)).toEqual([])
  const frames = framings.map((By) => ({
    By,
    Length: 5,
    Start: By === 'length' ? '' : 'AA',
    End: '03',
    LengthAt: 1,
    LengthAdd: 2,
    Checksum: 'sum' as const,
  }))
  const byte = fc.oneof(fc.constantFrom(0xaa, 3, 5, 0), fc.integer({ min: 0, max: 255 }))
  fc.assert(
    fc.property(fc.constantFrom(...frames), fc.array(byte, { maxLength: 60 }), (Frame, bytes) => {
      const description: Description = { Frame, Requests: descriptionTemplates[0]!.Requests }
      const { frames, rest } = readFrames(description, 1, [Uint8Array.from(bytes)])
      const all = frames.reduce((sum, one) => sum + one.bytes.length, rest.length)
      expect(all).toBeLessThanOrEqual(bytes.length)
      const cut = cutFrame(Frame, Uint8Array.from(bytes), true)
      if (cut) expect(cut.frame.length).toBeGreaterThan(0)
    }),
    { numRuns: 2000 },
  )
})

it('what is described and sent to take long is read in no time', () => {
  const request = (Answer: string) => ({ Send: '01', Answer, Fields: [{ Key: 'a', Type: 'u8' as const, At: 0 }] })
  const zeros = new Uint8Array(25_000)
  const began = performance.now()
  // At each byte, an end that is almost complete.
  const nearly: Description = { Frame: { By: 'delimiter', End: `${'00'.repeat(15)}01` }, Requests: [request('01')] }
  expect(readFrames(nearly, 1, [zeros])).toMatchObject({ frames: [], rest: { length: 25_000 } })
  // Each frame is nearly the answer to each request.
  const answers = Array.from({ length: 32 }, (_, i) => request(`${'00'.repeat(1000)}${(i + 16).toString(16)}`))
  const { frames } = readFrames({ Frame: { By: 'length', Length: 12 }, Requests: answers }, 1, [zeros], 2000)
  expect(frames.every(({ fault }) => fault === 'unknown')).toBe(true)
  expect(performance.now() - began).toBeLessThan(2000)
})
