import fc from 'fast-check'
import { expect, it } from 'vitest'
import { clientIdOf, matchesFilter, publishOf, tokenOf } from '../../../../../server/mqtt/foreign.ts'
import { mostValues } from './heard.ts'
import { isPrecision, readLines, readLinesInSlices } from './influx.ts'
import { maySubscribe, readGatewayTelemetry, readTelemetry, readTopic } from './thingsBoard.ts'

const bytes = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))

it('telemetry of ThingsBoard has three shapes, and what is none of them is said', () => {
  const values = (message: unknown) => readTelemetry(bytes(message)).values.map(({ key, time, value }) => [key, time, value])
  expect(values({ a: 1, b: null })).toEqual([['a', null, 1]])
  expect(values({ ts: 5, values: { a: 1 } })).toEqual([['a', 5, 1]])
  expect(values([{ a: 1 }, { ts: 6, values: { a: 2 } }])).toEqual([
    ['a', null, 1],
    ['a', 6, 2],
  ])
  for (const wrong of ['[1]', '7', 'null', '{"ts":"x","values":{}}', '{', '[[]]'])
    expect([wrong, readTelemetry(bytes(wrong)).fault !== undefined]).toEqual([wrong, true])
  expect(readGatewayTelemetry(bytes({ A: [{ x: 1 }], B: 'no', C: { y: 2 } }))).toMatchObject({
    values: [{ device: 'A' }, { device: 'C' }],
    fault: expect.stringContaining('B'),
  })
})

it('a line of Influx may have escapes, quotes and types, and a wrong one does not take the others along', () => {
  const { values, faults, wrong } = readLines(
    [
      'we\\ ather,a=b\\,c x=1i,y="a b,c=d",z=t 1000',
      '# comment',
      '',
      'm x=1 2 3',
      'm',
      ',a=b x=1',
      'm x=abc',
      'm,a x=1',
      'm x=-2.5e3',
    ].join('\n'),
    'ms',
  )
  expect(values.map(({ device, key, time, value }) => [device, key, time, value])).toEqual([
    ['we ather,a=b,c', 'x', 1000, 1],
    ['we ather,a=b,c', 'y', 1000, 'a b,c=d'],
    ['we ather,a=b,c', 'z', 1000, 1],
    ['m', 'x', null, -2500],
  ])
  expect([faults.map(({ line }) => line), wrong]).toEqual([[4, 5, 6, 7, 8], 5])
  expect(readLines('m x=1 1763596800000000000', 'ns').values[0]?.time).toBe(1_763_596_800_000)
  expect([isPrecision('s'), isPrecision('constructor')]).toEqual([true, false])
  expect(readLines(Array.from({ length: mostValues + 5 }, () => 'm x=1').join('\n'), 's')).toMatchObject({ wrong: 5 })
})

it('no bytes make a decoder throw or hang', () => {
  const topics = fc.constantFrom(
    'v1/devices/me/telemetry',
    'v1/gateway/telemetry',
    'v1/gateway/connect',
    'v1/gateway/rpc',
    'v1/devices/me/rpc/response/1',
    'x',
  )
  fc.assert(
    fc.property(topics, fc.oneof(fc.json(), fc.string()), (topic, text) => typeof readTopic(topic, Buffer.from(text)) === 'object'),
    { numRuns: 2000 },
  )
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), (text) => readLines(text, 'ns').values.every(({ key }) => key.length > 0)),
    { numRuns: 2000 },
  )
  fc.assert(
    fc.property(fc.nat(255), fc.uint8Array({ maxLength: 60 }), (first, body) => publishOf(first, Buffer.from(body)) !== null),
    { numRuns: 2000 },
  )
  expect(readTopic('v1/gateway/telemetry', bytes(`${'['.repeat(10_000)}${']'.repeat(10_000)}`))).toMatchObject({ heard: { values: [] } })
})

it('who logs in with a serial number and a key is a gateway of ours, all others have a token', () => {
  expect(tokenOf('SN00000001', Buffer.from('key'))).toBeUndefined()
  expect(tokenOf('SN00000001', undefined)).toBe('SN00000001')
  expect(tokenOf('penstock', Buffer.from('a token'))).toBe('a token')
  expect(tokenOf(undefined, undefined)).toBeUndefined()
  expect(clientIdOf('a')).toHaveLength(21)
})

it('only topics of the language can be subscribed to', () => {
  for (const [filter, may] of [
    ['v1/devices/me/rpc/request/+', true],
    ['v1/gateway/rpc', true],
    ['#', false],
    ['v1/devices/+/telemetry', false],
    ['iot/v1/SN00000001/down/#', false],
    ['$SYS/#', false],
  ] as const)
    expect([filter, maySubscribe(filter)]).toEqual([filter, may])
  expect([matchesFilter('a/+/c', 'a/b/c'), matchesFilter('a/#', 'a/b/c'), matchesFilter('a/+', 'a/b/c')]).toEqual([true, true, false])
})

it('what is written to cost time costs little: long numbers, many wrong lines, objects without a text', () => {
  const within = (ms: number, work: () => void) => {
    const began = performance.now()
    work()
    expect(performance.now() - began).toBeLessThan(ms)
  }
  within(5000, () => {
    const { wrong } = readLines(Array.from({ length: 16 }, () => `m f=${'1'.repeat(65_000)}x`).join('\n'), 'ms')
    expect(wrong).toBe(16)
  })
  within(5000, () => expect(readLines('x\n'.repeat(2_000_000), 'ms')).toMatchObject({ values: [], wrong: 2_000_000 }))
  expect(readTopic('v1/gateway/rpc', bytes({ id: { toString: 1 }, data: { error: { toString: 1 } } }))).toEqual({
    answered: '{…}',
    error: '{…}',
  })
})

it('other work comes in between while megabytes of lines are read', async () => {
  let turns = 0
  const count = () => {
    turns++
    timer = setImmediate(count)
  }
  let timer = setImmediate(count)
  const fields = Array.from({ length: 3000 }, (_, i) => `f${i}=1`).join()
  for (const line of ['m x=1', `m ${fields}`, `m,${fields} x=1`]) {
    turns = 0
    const text = `${line}\n`.repeat(Math.floor((4 * 1024 * 1024) / (line.length + 1)))
    expect(await readLinesInSlices(text, 'ns')).toEqual(readLines(text, 'ns'))
    expect(turns).toBeGreaterThan(40)
  }
  clearImmediate(timer)
})
