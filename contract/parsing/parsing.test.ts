import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Mapping, mappingFaults, mostReadings, openMapping, parseText } from './mapping.ts'
import { matches, parsePath, writePath } from './path.ts'
import { propertiesOf } from './properties.ts'
import { parseTemplates } from './templates.ts'

const read = (mapping: Mapping, message: unknown, topic?: string) => openMapping(mapping)(message, topic)
const name = { From: 'name' } as const
const text = (Is: string) => ({ From: 'text', Is }) as const

it('a path is read and written back, and a wrong one names the character', () => {
  for (const path of ['$', 'a', 'a.b', 'a[0].b', 'a[*].b', '*', 'a.*', '*[*].values.*', '$["a b"].c', '$[*]', '$[3]'])
    expect(writePath((parsePath(path) as { steps: never }).steps)).toBe(path)
  for (const [path, at] of [
    ['', 0],
    ['a..b', 2],
    ['a[', 1],
    ['a[x]', 1],
    ['a.', 2],
    ['.a', 0],
    ['a]', 1],
    ['a b.', 4],
  ] as const)
    expect([path, parsePath(path)]).toEqual([path, { at }])
})

it('values are found with their device, key and time, whatever the shape', () => {
  const mappings = parseTemplates.filter((template) => 'Mapping' in template)
  for (const { Name, Sample, Topic, Mapping } of mappings) {
    expect([Name, mappingFaults(Mapping)]).toEqual([Name, []])
    const { readings, faults } = read(Mapping, Sample, Topic)
    expect([Name, faults, readings.length > 0]).toEqual([Name, [], true])
  }
  const list = mappings.find(({ Name }) => Name === 'readingList')!
  expect(read(list.Mapping, list.Sample).readings).toEqual([
    { device: 'Pump 1', key: 'pressure', value: 4.2, time: Date.UTC(2025, 10, 20) },
    { device: 'Pump 2', key: 'pressure', value: 3.9, time: Date.UTC(2025, 10, 20) },
  ])
})

it('wildcards of device, key and time stand for what they stand for in the value', () => {
  const mapping: Mapping = [{ Value: 'a[*].b[*].v', Key: { From: 'path', Is: 'a[*].b[*].n' }, Device: { From: 'path', Is: 'a[*].id' } }]
  const message = {
    a: [
      {
        id: 'x',
        b: [
          { n: 'p', v: 1 },
          { n: 'q', v: 2 },
        ],
      },
      { id: 'y', b: [{ n: 'p', v: 3 }] },
    ],
  }
  expect(read(mapping, message).readings.map(({ device, key, value }) => [device, key, value])).toEqual([
    ['x', 'p', 1],
    ['x', 'q', 2],
    ['y', 'p', 3],
  ])
  const wrong: Mapping = [
    { Value: 'a[*].v', Key: { From: 'path', Is: 'b[*].n' } },
    { Value: 'a', Key: name },
    { Value: 'a[', Key: text('x') },
  ]
  expect(mappingFaults(wrong).map(({ rule, field, reason }) => [rule, field, reason])).toEqual([
    [0, 'Key', 'wildcard'],
    [1, 'Key', 'wildcard'],
    [2, 'Value', 'path'],
  ])
})

it('units of time, scale and offset are applied; texts are UTC unless they name a zone', () => {
  const at = (value: unknown, TimeUnit: never) =>
    read([{ Value: 'v', Key: text('k'), Time: 't', TimeUnit }], { v: 1, t: value }).readings[0]?.time
  expect([
    at(1.5, 's' as never),
    at(1500, 'ms' as never),
    at('1500000', 'us' as never),
    at(1_500_000_000, 'ns' as never),
    at('1970-01-01 00:00:01.5', 'text' as never),
    at('1970-01-01T01:00:01.5+01:00', 'text' as never),
  ]).toEqual([1500, 1500, 1500, 1500, 1500, 1500])
  expect(read([{ Value: 'v', Key: text('k'), Scale: 0.1, Offset: -40 }], { v: '650' }).readings).toEqual([
    { device: '', key: 'k', time: null, value: 25 },
  ])
})

it('what is no number, has no name or no time is a fault by itself, and null is nothing', () => {
  const mapping: Mapping = [{ Value: '*.v', Key: name, Time: '*.t' }]
  const { readings, faults } = read(mapping, {
    a: { v: 'on', t: 1 },
    b: { v: 2, t: 'soon' },
    c: { v: null },
    '': { v: 3, t: 1 },
    d: { v: true, t: 7 },
  })
  expect(readings).toEqual([{ device: '', key: 'd', time: 7, value: 1 }])
  expect(faults.map(({ reason }) => reason)).toEqual(['notANumber', 'noTime', 'noName'])
  const read1 = openMapping(mapping)
  expect(parseText(read1, '{').faults[0]).toMatchObject({ reason: 'notJson' })
  expect(parseText(read1, '[]').faults).toEqual([{ reason: 'nothing', rule: 0, text: '*.v' }])
  expect(parseText(read1, '{"a":{"v":1e400,"t":1}}').readings).toEqual([])
})

it('a message that is huge, deep or names the prototype costs a bounded time', () => {
  const many = Object.fromEntries(
    Array.from({ length: 300 }, (_, i) => [`d${i}`, Object.fromEntries(Array.from({ length: 300 }, (_, j) => [`k${j}`, j]))]),
  )
  const { readings, faults } = read([{ Value: '*.*', Key: name, Device: name }], many)
  expect([readings.length, faults.at(-1)?.reason]).toEqual([mostReadings, 'tooMany'])
  const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`
  expect(parseText(openMapping([{ Value: '$[*][*]', Key: text('k') }]), deep).readings).toEqual([])
  expect(
    read(
      [
        { Value: 'constructor.name', Key: text('k') },
        { Value: '__proto__.x', Key: text('k') },
      ],
      {},
    ).readings,
  ).toEqual([])
  expect(propertiesOf(JSON.parse(deep))).toEqual([])
  const budget = { left: 100 }
  expect(
    [
      ...matches(
        Array.from({ length: 1000 }, () => 1),
        [{ each: 'elements' }],
        budget,
      ),
    ].length,
  ).toBeLessThanOrEqual(100)
})

it('no message makes a mapping throw', () => {
  const run = openMapping([
    { Value: '*[*].*', Key: name, Device: name, Time: '*[*].t' },
    { Value: 'a[*]', Key: text('k'), Scale: 1e12 },
  ])
  fc.assert(
    fc.property(fc.jsonValue(), (message) => run(message).readings.every(({ value }) => Number.isFinite(value))),
    { numRuns: 2000 },
  )
  fc.assert(
    fc.property(fc.string(), (path) => typeof parsePath(path) === 'object'),
    { numRuns: 2000 },
  )
})

it('the paths of a message are listed once, with type and example, and lead back to their values', () => {
  const message = {
    id: 'x',
    data: [
      { t: 1, 'a b': true },
      { t: 2, 'a b': false },
    ],
    empty: null,
  }
  expect(propertiesOf(message)).toEqual([
    { Path: 'id', Type: 'text', Example: 'x', Count: 1 },
    { Path: 'empty', Type: 'null', Example: 'null', Count: 1 },
    { Path: 'data[*].t', Type: 'number', Example: '1', Count: 2 },
    { Path: 'data[*]["a b"]', Type: 'boolean', Example: 'true', Count: 2 },
  ])
  expect(read([{ Value: 'data[*]["a b"]', Key: text('k') }], message).readings.map(({ value }) => value)).toEqual([1, 0])
})

it('one long name of 10,000 readings, and a topic of as many levels, cost no time', () => {
  const message = { name: `${' '.repeat(2_000_000)}x`, v: Array.from({ length: mostReadings }, () => 1) }
  const key = { From: 'text', Is: 'k' } as const
  const began = performance.now()
  expect(read([{ Value: 'v[*]', Key: key, Device: { From: 'path', Is: 'name' } }], message).readings).toEqual([])
  expect(read([{ Value: 'v[*]', Key: { From: 'topic', Is: '1' } }], message, `a${'/'.repeat(65_000)}`).readings.length).toBe(mostReadings)
  expect(performance.now() - began).toBeLessThan(1000)
})
