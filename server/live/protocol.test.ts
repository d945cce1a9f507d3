import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Malformed, readHandshake, readMessage, separator, valuesFrame } from './protocol.ts'

const survives = (read: (text: string) => unknown, text: string) => {
  try {
    read(text)
  } catch (error) {
    expect(error).toBeInstanceOf(Malformed)
  }
}

test('whatever a client sends is read or refused, and nothing else happens', () => {
  const odd = fc.oneof(
    fc.string(),
    fc.json(),
    fc.json().map((json) => `{"type":1,"target":${json},"arguments":${json}}`),
    fc
      .record({ type: fc.constantFrom(1, 4, 6, 7, '1', null), target: fc.anything(), arguments: fc.anything() })
      .map((o) => JSON.stringify(o, (_k, v) => (typeof v === 'bigint' ? String(v) : v))),
  )
  fc.assert(
    fc.property(odd, (text) => {
      survives(readMessage, text)
      survives(readHandshake, text)
    }),
    { numRuns: 1000 },
  )
  survives(readMessage, '['.repeat(60_000))
})

test('an invocation is read as it was meant', () => {
  expect(readMessage('{"type":1,"target":"Subscribe","arguments":[[1,2]],"invocationId":"7","headers":{}}')).toEqual({
    kind: 'invocation',
    target: 'Subscribe',
    args: [[1, 2]],
    id: '7',
  })
  expect(readMessage('{"type":6}')).toEqual({ kind: 'ping' })
  expect(readMessage('{"type":3,"invocationId":"1"}')).toEqual({ kind: 'other' })
})

test('values put together from parts are the JSON that the whole would be', () => {
  fc.assert(
    fc.property(
      fc.nat(),
      fc.array(fc.tuple(fc.nat(), fc.nat(), fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })), fc.nat(4))),
      (seq, values) => {
        const frame = valuesFrame(
          seq,
          values.map((v) => JSON.stringify(v)),
        )
        expect(frame.endsWith(separator)).toBe(true)
        expect(frame.slice(0, -1)).toBe(JSON.stringify({ type: 1, target: 'Values', arguments: [{ Seq: seq, Values: values }] }))
      },
    ),
  )
})
