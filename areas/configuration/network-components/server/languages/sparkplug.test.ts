// The counterpart is the Sparkplug project's own encoder.
import fc from 'fast-check'
import { get } from 'sparkplug-payload'
import type { UPayload } from 'sparkplug-payload/lib/sparkplugbpayload.js'
import { expect, it } from 'vitest'
import { describe, maySubscribe, mostMetrics, placeOf, readPayload, rebirthCommand, valueIn, writeCommand } from './sparkplug.ts'

const { encodePayload, decodePayload } = get('spBv1.0')!
const encode = (payload: UPayload) => Buffer.from(encodePayload(payload))
const read = (payload: UPayload) => {
  const found = readPayload(encode(payload))
  if ('fault' in found) throw new Error(found.fault)
  return found
}
const metric = (type: string, value: unknown, more: object = {}) =>
  ({ name: type, type, value, ...more }) as NonNullable<UPayload['metrics']>[0]

it('each type of a value is read as its makers write it; tables, templates and bytes are none', () => {
  const given: [string, unknown, unknown][] = [
    ...([
      ['Int8', -5, -5],
      ['Int16', -30_000, -30_000],
      ['Int32', -2_000_000_000, -2_000_000_000],
    ] as [string, unknown, unknown][]),
    ...([
      ['Int64', -7, -7],
      ['Int64', -(2 ** 60), -(2 ** 60)],
    ] as [string, unknown, unknown][]),
    ...([
      ['UInt8', 255, 255],
      ['UInt16', 65_535, 65_535],
      ['UInt32', 4_294_967_295, 4_294_967_295],
    ] as [string, unknown, unknown][]),
    ['UInt64', 2 ** 63, 2 ** 63],
    ...([
      ['Float', 1.5, 1.5],
      ['Double', 0.1, 0.1],
      ['Boolean', true, 1],
      ['Boolean', false, 0],
    ] as [string, unknown, unknown][]),
    ...([
      ['String', 'on', 'on'],
      ['Text', 'off', 'off'],
      ['DateTime', 1_763_596_800_000, 1_763_596_800_000],
    ] as [string, unknown, unknown][]),
    ...([
      ['Bytes', Buffer.from([1]), undefined],
      ['Int32', null, null],
    ] as [string, unknown, unknown][]),
    ['DataSet', { numOfColumns: 1, columns: ['a'], types: ['Int32'], rows: [[1]] }, undefined],
    ['Template', { isDefinition: true, metrics: [], parameters: [] }, undefined],
  ]
  const { metrics, time, seq } = read({ timestamp: 5, seq: 7, metrics: given.map(([type, value]) => metric(type, value)) })
  expect([time, seq]).toEqual([5, 7])
  expect(metrics.map((one) => valueIn(one, one.datatype!))).toEqual(given.map(([, , value]) => value))
})

it('alias, time, history and quality of a metric are read', () => {
  const quality = (value: number) => ({ properties: { other: { type: 'String', value: 'x' }, Quality: { type: 'Int32', value } } })
  const more = { alias: 3, timestamp: 9, isHistorical: true }
  const { metrics } = read({
    metrics: [metric('Int32', 1, { ...more, ...quality(500) }), metric('Int32', 1, quality(192)), metric('Int32', 1)],
  } as UPayload)
  expect(metrics.map(({ alias, time, isHistorical, isDoubtful }) => [alias, time, isHistorical, isDoubtful])).toEqual([
    [3, 9, true, true],
    [undefined, null, false, false],
    [undefined, null, false, false],
  ])
})

it('a command is read by the makers as it was meant, and a value that a type cannot have is none', () => {
  expect(decodePayload(rebirthCommand(4)).metrics).toMatchObject([{ name: 'Node Control/Rebirth', type: 'Boolean', value: true }])
  const sent = (type: number, value: number) => {
    const command = writeCommand({ key: 'a', alias: undefined, datatype: type }, value, 4)
    return command && Number(decodePayload(command.payload).metrics![0]!.value)
  }
  expect([sent(1, -5), sent(3, -7), sent(8, 7), sent(9, 0.5), sent(10, 0.1), sent(11, 1), sent(12, 3)]).toEqual([-5, -7, 7, 0.5, 0.1, 1, 3])
  const long = decodePayload(writeCommand({ key: 'a', alias: undefined, datatype: 4 }, -7, 4)!.payload).metrics![0]!.value
  expect(Number((long as { toSigned(): unknown }).toSigned())).toBe(-7)
  expect([sent(1, 200), sent(5, -1), sent(3, 0.5), sent(11, 2), sent(16, 1)]).toEqual(Array(5).fill(undefined))
  const aliased = decodePayload(writeCommand({ key: 'a', alias: 12, datatype: 10 }, 1, 4)!.payload).metrics![0]!
  expect([Number(aliased.alias), aliased.name ?? '']).toEqual([12, ''])
})

it('topics are those of an edge node and its devices, and it hears its own commands only', () => {
  expect(placeOf('spBv1.0/G/DDATA/E/D')).toEqual({ group: 'G', kind: 'DDATA', edge: 'E', device: 'D' })
  for (const wrong of [
    'spBv1.0/G/DDATA/E',
    'spBv1.0/G/NDATA/E/D',
    'spBv1.0/G/NCMD/E',
    'spAv1.0/G/NDATA/E',
    'spBv1.0//NDATA/E',
    'spBv1.0/G/DDATA/E/D/x',
  ])
    expect([wrong, placeOf(wrong)]).toEqual([wrong, undefined])
  const node = { group: 'G', edge: 'E' }
  for (const [filter, may] of [
    ...([
      ['spBv1.0/G/NCMD/E', true],
      ['spBv1.0/G/NCMD/E/#', true],
      ['spBv1.0/G/DCMD/E/#', true],
    ] as const),
    ...([
      ['spBv1.0/G/DCMD/E/D', true],
      ['spBv1.0/STATE/penstock', true],
      ['STATE/+', true],
      ['#', false],
    ] as const),
    ...([
      ['spBv1.0/#', false],
      ['spBv1.0/G/NCMD/+', false],
      ['spBv1.0/H/NCMD/E', false],
      ['spBv1.0/G/DCMD/F/#', false],
    ] as const),
    ['iot/v1/SN00000001/down/#', false],
  ] as const)
    expect([filter, maySubscribe(filter, node)]).toEqual([filter, may])
})

it('no bytes make the decoder throw or hang, and what is left of a broken message is still shown', () => {
  const whole = encode({
    timestamp: 1,
    seq: 0,
    metrics: [metric('Int64', 5), metric('String', 'x'), metric('Double', 2)],
  } as UPayload)
  const sane = (bytes: Buffer) => {
    const found = readPayload(bytes)
    if ('fault' in found) return found.fault.length < 300
    return found.metrics.length <= bytes.length && found.metrics.every((one) => ['number', 'string'].includes(typeof one.value))
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => sane(Buffer.from(bytes)) && describe(Buffer.from(bytes)).length > 1),
    {
      numRuns: 3000,
    },
  )
  // Whole messages with some bytes changed, removed or duplicated.
  const change = fc.tuple(fc.nat(whole.length - 1), fc.nat(255), fc.constantFrom('set', 'cut', 'twice'))
  const changed = (bytes: Buffer, [at, value, how]: [number, number, string]) => {
    if (how === 'cut') return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)])
    if (how === 'twice') return Buffer.concat([bytes.subarray(0, at), bytes])
    return Buffer.concat([bytes.subarray(0, at), Buffer.from([value]), bytes.subarray(at + 1)])
  }
  fc.assert(
    fc.property(fc.array(change, { maxLength: 6 }), (changes) => sane(changes.reduce(changed, whole))),
    { numRuns: 3000 },
  )
  expect(describe(whole.subarray(0, -3))).toContain('"String"')
})

it('what is written to cost much costs little: groups in groups, endless lengths, more metrics than there may be', () => {
  const faultOf = (bytes: Buffer) => (readPayload(bytes) as { fault?: string }).fault
  const deep = Buffer.alloc(1_000_000, 0x0b)
  expect(faultOf(deep)).toContain('wire type 3')
  expect(faultOf(Buffer.from([0x12, 0xff, 0xff, 0xff, 0xff, 0x0f]))).toContain('longer')
  expect(faultOf(Buffer.from([0x12, 0x02, 0x0a, 0x7f]))).toBeDefined()
  const began = performance.now()
  expect(faultOf(Buffer.alloc(1_000_000, Buffer.from([0x12, 0x00])))).toContain(`more than ${mostMetrics} metrics`)
  const properties = Buffer.concat([Buffer.from([0x4a, 0xc0, 0x3e]), Buffer.alloc(8000, Buffer.from([0x0a, 0x00]))])
  expect(faultOf(Buffer.concat([Buffer.from([0x12, 0xc3, 0x3e]), properties]))).toContain('more than 100 properties')
  expect(performance.now() - began).toBeLessThan(3000)
})
