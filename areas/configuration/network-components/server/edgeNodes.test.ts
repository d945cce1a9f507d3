import { get } from 'sparkplug-payload'
import type { UPayload } from 'sparkplug-payload/lib/sparkplugbpayload.js'
import { expect, it } from 'vitest'
import type { Door } from './doors.ts'
import { EdgeNodes } from './edgeNodes.ts'

const { encodePayload, decodePayload } = get('spBv1.0')!
const door = { Id: 1, EnterpriseId: 1, SparkplugGroup: 'G', SparkplugNode: 'E' } as Door

const bench = (most?: { ofTenant: number; ofAll: number }) => {
  let now = 1_000_000
  const nodes = new EdgeNodes(() => now, most)
  const asked: string[] = []
  const send = (topic: string, payload: string | Buffer) => {
    asked.push(`${topic} ${decodePayload(Buffer.from(payload)).metrics![0]!.name}`)
    return true
  }
  const say = (kind: string, seq: number | undefined, metrics: object[], of = door, by: typeof send = send) =>
    nodes.follow(
      of,
      `spBv1.0/${kind
        .replace('/', '/E/')
        .replace(/^(\w+)/, 'G/$1')
        .replace(/^G\/(N\w+)$/, 'G/$1/E')}`,
      payload(seq, metrics),
      by,
    )
  const payload = (seq: number | undefined, metrics: object[]) =>
    Buffer.from(encodePayload({ timestamp: now, ...(seq !== undefined && { seq }), metrics } as UPayload))
  return { nodes, asked, say, send, pass: (ms: number) => (now += ms), now: () => now }
}
const born = (name: string, alias: number, value = 1) => ({ name, alias, type: 'Double', value })
const told = (alias: number, value: number, more: object = {}) => ({ alias, type: 'Double', value, ...more })
const bdSeq = (value: number) => ({ name: 'bdSeq', type: 'UInt64', value })
const rebirth = 'spBv1.0/G/NCMD/E Node Control/Rebirth'

it('data follows a birth by alias, a gap is told and asked about, and a number that runs backwards is one', () => {
  const { say, asked, pass } = bench()
  expect(say('NDATA', 5, [told(1, 2)])).toMatchObject({ heard: { values: [], fault: 'NDATA before a birth' } })
  expect(asked).toEqual([rebirth])
  expect(say('NBIRTH', 0, [bdSeq(3), born('speed', 1, 7)])).toMatchObject({
    born: '',
    heard: { values: [{ device: '', key: 'speed', value: 7 }] },
  })
  expect(say('DBIRTH/Pump', 1, [born('flow', 2, 8)])).toMatchObject({
    born: 'Pump',
    heard: { values: [{ device: 'Pump', key: 'flow', value: 8 }] },
  })
  expect(say('DDATA/Pump', 2, [told(2, 9)]).heard).toEqual({
    values: [{ device: 'Pump', key: 'flow', time: expect.any(Number), value: 9 }],
  })
  expect(say('NDATA', 4, [told(1, 10)]).heard).toMatchObject({ values: [{ value: 10 }], fault: 'seq 4 where 3 follows' })
  expect(asked).toHaveLength(2)
  // A rebirth is requested once in ten seconds.
  expect(say('NDATA', 2, [told(1, 11)]).heard?.fault).toBe('seq 2 where 5 follows')
  expect(asked).toHaveLength(2)
  pass(10_000)
  expect(say('NDATA', 3, [told(99, 1), told(1, 12)]).heard).toMatchObject({
    values: [{ value: 12 }],
    fault: 'an alias without a birth: 99',
  })
  expect(asked).toHaveLength(3)
  expect(say('NDATA', 4, [{ name: 'unborn', type: 'Double', value: 1 }]).heard?.fault).toBe('a metric without a birth: unborn')
  // An alias belongs to the device whose birth defined it.
  expect(say('DDATA/Pump', 5, [told(1, 1)]).heard).toMatchObject({ values: [], fault: 'an alias without a birth: 1' })
  expect(say('NBIRTH', 1, []).heard?.fault).toBe('seq 1 where 0 follows')
})

it('a sequence goes on from 255 with 0', () => {
  const { say } = bench()
  say('NBIRTH', 0, [born('a', 1)])
  for (let i = 1; i <= 600; i++) expect(say('NDATA', i % 256, [told(1, i)]).heard?.fault).toBeUndefined()
})

it('a death is that of the life it names, a dead device says nothing until it is born, and a node that is born again forgets its devices', () => {
  const { say, asked, nodes, send } = bench()
  say('NBIRTH', 0, [bdSeq(4), born('a', 1)])
  say('DBIRTH/D', 1, [born('b', 2)])
  expect(say('NDEATH', undefined, [bdSeq(3)]).heard?.fault).toBe('a death of another life: bdSeq 3')
  expect(say('DDEATH/D', 2, [])).toEqual({ dead: 'D' })
  expect(say('DDATA/D', 3, [told(2, 1)]).heard?.fault).toBe('DDATA of a device without a birth: D')
  expect(asked).toEqual([rebirth])
  say('DBIRTH/D', 4, [born('b', 2)])
  say('NBIRTH', 0, [bdSeq(5), born('a', 2)])
  expect(say('DDATA/D', 1, [told(2, 1)]).heard?.fault).toContain('without a birth')
  expect(say('NDEATH', undefined, [bdSeq(5)])).toEqual({ dead: '' })
  expect(say('NDATA', 2, [told(2, 1)]).heard?.fault).toBe('NDATA before a birth')
  expect([nodes.leave(send), nodes.known]).toEqual([false, 0])
})

it('a token is of one edge node', () => {
  const { nodes, send } = bench()
  for (const topic of ['spBv1.0/G/NBIRTH/F', 'spBv1.0/H/NBIRTH/E', 'spBv1.0/G/NCMD/E', 'x'])
    expect(nodes.follow(door, topic, Buffer.alloc(0), send).heard?.fault).toMatch(/^(the token is of G\/E|no topic)/)
  expect(nodes.known).toBe(0)
})

it('values of a birth are of its time, back-fill of its own, null has no value, and what is not exact or not good is doubtful', () => {
  const { say, now } = bench()
  const old = now() - 100_000
  const birth = say('NBIRTH', 0, [
    { ...born('a', 1), timestamp: old },
    { ...born('b', 2), timestamp: old, isHistorical: true },
  ])
  expect(birth.heard?.values.map(({ time, isHistory }) => [time, isHistory])).toEqual([
    [now(), undefined],
    [old, true],
  ])
  const more = [
    told(1, 3, { timestamp: old, isHistorical: true }),
    { ...told(2, 0), value: null },
    { alias: 1, type: 'Int64', value: 2 ** 60 },
    told(1, 5, { properties: { Quality: { type: 'Int32', value: 0 } } }),
    { alias: 1, type: 'Bytes', value: Buffer.from([1]) },
  ]
  const { values, skipped } = say('NDATA', 1, more).heard!
  expect([values.map(({ value, quality, isHistory }) => [value, quality, isHistory]), skipped]).toEqual([
    [
      [3, undefined, true],
      [null, undefined, undefined],
      [2 ** 60, 1, undefined],
      [5, 1, undefined],
    ],
    1,
  ])
})

it('what is born is bounded: by edge node, by company, of all; one company leaves room for the next, and a refused birth is asked for seldom', () => {
  const { say, asked, nodes, pass } = bench({ ofTenant: 100, ofAll: 150 })
  const many = (count: number) => Array.from({ length: count }, (_, i) => born(`m${i}`, i))
  expect(say('NBIRTH', 0, many(101)).heard?.fault).toBe('more than 100 metrics of all edge nodes of a company')
  expect(nodes.known).toBe(0)
  say('NDATA', 1, [])
  pass(60_000)
  say('NDATA', 2, [])
  expect(asked).toHaveLength(1)
  expect(say('NBIRTH', 0, many(100)).heard?.fault).toBeUndefined()
  const other = () => true
  const its = { ...door, EnterpriseId: 2 }
  expect(say('NBIRTH', 0, many(51), its, other).heard?.fault).toBe('this server knows as many metrics as it can')
  expect(say('NBIRTH', 0, many(50), its, other).heard?.fault).toBeUndefined()
  expect(nodes.known).toBe(150)
  expect([nodes.leave(other), nodes.known]).toEqual([true, 100])
  for (const [metrics, fault] of [
    [[born('a', 1), born('b', 1)], 'alias 1 is given twice'],
    [[{ alias: 1, type: 'Double', value: 1 }], 'a birth of a metric without a name'],
    [[{ ...born('a', 1), alias: 2 ** 60 }], 'an alias above 2^53'],
  ] as const)
    expect(say('NBIRTH', 0, [...metrics]).heard?.fault).toBe(fault)
})

it('a name that no point can have costs its value, and no birth', () => {
  const { say } = bench()
  expect(say('NBIRTH', 0, [born('x'.repeat(300), 1), born('a', 2)])).toMatchObject({ heard: { values: [{ key: 'a' }], skipped: 1 } })
  expect(say('NDATA', 1, [told(1, 5), told(2, 6)]).heard).toMatchObject({ values: [{ value: 6 }], skipped: 1 })
})
