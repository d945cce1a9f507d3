import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decode, decodeParsed } from './decode.ts'
import { scan } from './scan.ts'
import { point, registryOf } from './telemetry.fixture.ts'

const now = Date.UTC(2026, 10, 20, 12)
const registry = registryOf([point(1), point(2), point(12), point(3, { SN: 'OTHER' }), point(4, { IsStore: 1 })])
const both = (payload: Buffer) => [
  decode('GATEWAY1', 'data', payload, registry, now),
  decodeParsed('GATEWAY1', 'data', payload, registry, now),
]
const isScanned = (text: string) => scan('GATEWAY1', Buffer.from(text), registry, 0, now) !== undefined

const value = fc.oneof(
  fc.double({ noNaN: true }).map((n) => JSON.stringify(n)),
  fc.tuple(fc.integer(), fc.nat({ max: 9999 })).map(([a, b]) => `${a}.${b}`),
  fc.constantFrom(
    '0',
    '-0',
    '-0.0',
    '01',
    '1.',
    '.5',
    '-',
    '1e5',
    '1E-3',
    '+1',
    'null',
    'true',
    '"1"',
    '{}',
    '0.1',
    '100000000000000000000',
    '12345.678901234567',
  ),
)
const key = fc.constantFrom('1', '2', '12', '4', '3', '9', '01', '0', '-1', '1.0', '')
const blank = fc.constantFrom('', '', '', ' ', '\n', '\t', '\r\n ')
const text = fc
  .tuple(
    fc.array(fc.tuple(key, value), { maxLength: 5 }),
    fc.constantFrom(now, now - 1, 1, now * 10, 1.5),
    blank,
    fc.constantFrom('', '"Ver":1,'),
  )
  .map(
    ([pairs, T, b, ver]) =>
      `{${b}"MsgId":${b}"m-1",${b}"Ts":${now},${ver}"Data":{"Items":${b}[{"D":1,"T":${T},${b}"V":{${pairs.map(([k, v]) => `"${k}"${b}:${v}`).join(`${b},`)}${b}}}]}}${b}`,
  )

test('what is scanned is what JSON.parse and a look at every field would have found', () => {
  fc.assert(
    fc.property(text, (message) => {
      const [scanned, parsed] = both(Buffer.from(message))
      expect(scanned).toEqual(parsed)
    }),
    { numRuns: 2000 },
  )
})

test('a message with a byte changed, added or cut off is read the same way by both', () => {
  const whole = `{"MsgId":"m-1","Ts":${now},"Data":{"Items":[{"D":1,"T":${now},"V":{"1":21.5,"2":-3,"12":0.25}},{"D":1,"T":${now},"V":{"4":7}}]}}`
  fc.assert(
    fc.property(fc.nat({ max: whole.length - 1 }), fc.nat({ max: 255 }), fc.constantFrom('change', 'add', 'cut'), (at, byte, what) => {
      const bytes = Buffer.from(whole)
      const changed =
        what === 'cut'
          ? bytes.subarray(0, at)
          : Buffer.concat([bytes.subarray(0, at), Buffer.of(byte), bytes.subarray(what === 'add' ? at : at + 1)])
      const [scanned, parsed] = both(changed)
      expect(scanned).toEqual(parsed)
    }),
    { numRuns: 3000 },
  )
})

test('ordinary messages are scanned, with or without blanks', () => {
  const message = { MsgId: 'm', Ts: now, Ver: 1, Data: { Items: [{ D: 1, T: now, V: { 1: 1.25, 12: -4 } }] } }
  expect([JSON.stringify(message), JSON.stringify(message, null, 1).replaceAll(/\n */g, ' ')].map(isScanned)).toEqual([true, true])
})
