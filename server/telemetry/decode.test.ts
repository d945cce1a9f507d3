import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decode } from './decode.ts'
import { message, point, registryOf } from './telemetry.fixture.ts'

const now = Date.UTC(2026, 10, 20, 12)
const registry = registryOf([point(1), point(2), point(3, { SN: 'OTHER' }), point(4, { IsStore: 1 })])
const read = (payload: Buffer | string, kind: 'data' | 'history' = 'data') => decode('GATEWAY1', kind, Buffer.from(payload), registry, now)
const reasons = (payload: Buffer | string, kind?: 'data' | 'history') => read(payload, kind).refusals.map((r) => `${r.reason}: ${r.detail}`)

describe('decoding a message', () => {
  test('gives one sample a value, live-only points apart, quality from Q', () => {
    expect(read(message(now, { 1: 1.5, 2: null, 4: 1 }, { MsgId: 'a1', Q: { 2: 3 } }))).toEqual({
      MsgId: 'a1',
      samples: [
        { point: 1, time: now, value: 1.5, quality: 0, n: 0, live: true },
        { point: 2, time: now, value: null, quality: 3, n: 0, live: true },
      ],
      liveOnly: [{ point: 4, time: now, value: 1, quality: 0, n: 0, live: true }],
      ...{ refusals: [], refused: 0, unknown: [] },
    })
  })
  test('keeps an uncertain value and drops the value of a bad quality', () => {
    expect(read(message(now, { 1: 5, 2: 6 }, { Q: { 1: 1, 2: 2 } })).samples.map((s) => [s.value, s.quality])).toEqual([
      [5, 1],
      [null, 2],
    ])
  })
  test('rejects a bad reading alone, with its reason and enough to replay it', () => {
    const values = { 1: 1, 9: 1, 3: 1, 2: 'on', constructor: 1, '01': 1, '1e0': 1 }
    expect(read(message(now, values)).samples).toHaveLength(1)
    expect(reasons(message(now, values))).toEqual([
      'notANumber: string',
      'foreignPoint: 3',
      'unknownPoint: 9',
      'unknownPoint: constructor',
      'unknownPoint: 01',
      'unknownPoint: 1e0',
    ])
    expect(read(message(now, { 2: 'on' })).refusals[0]!.payload).toBe(`{"D":1,"T":${now},"V":{"2":"on"},"Q":{"2":0}}`)
  })
  test.each([
    ['null', 'notANumber: null'],
    ['1e999', 'notANumber: infinite'],
    ['{"a":1}', 'notANumber: object'],
    ['[1]', 'notANumber: object'],
    ['true', 'notANumber: boolean'],
  ])('rejects the value %s', (value, reason) => {
    expect(reasons(`{"MsgId":"a","Ts":1,"Data":{"Items":[{"D":1,"T":${now},"V":{"1":${value}}}]}}`)).toEqual([reason])
  })
  test.each([
    [Date.UTC(2000, 0, 1) - 1, 'tooOld'],
    [0, 'tooOld'],
    [now + 86_400_001, 'tooFarAhead'],
    [Date.UTC(2099, 0, 1), 'tooFarAhead'],
    [1.5, 'malformed'],
  ])('rejects both readings of an item of time %d', (time, reason) => {
    expect(read(message(time, { 1: 1, 2: 2 })).refusals.map((r) => r.reason)).toEqual([reason, reason])
  })
  test.each([Date.UTC(2000, 0, 1), now + 86_400_000])('takes the time %d, on the border', (time) => {
    expect(read(message(time, { 1: 1 })).samples).toHaveLength(1)
  })
  test.each([
    ['{"MsgId":"a","Ts":1,"Data":{"Items":[]},"Extra":1}', 'unknownField: Extra'],
    ['{"MsgId":"a","Ts":1,"Data":{"Items":[],"Backfill":1}}', 'unknownField: Data.Backfill'],
    ['{"MsgId":"a","Ts":1,"Data":{"Items":[{"D":1,"T":1,"V":{},"X":1}]}}', 'unknownField: X'],
    ['{"MsgId":"a","Ts":1,"Data":{"Items":[{"D":1,"T":1,"V":{},"__proto__":1}]}}', 'unknownField: __proto__'],
    ['{"MsgId":"a","Ts":1,"Data":{"Items":[7]}}', 'malformed: Item'],
    ['{"MsgId":"a","Ts":1,"Data":{"Items":[{"T":1,"V":{"1":1}}]}}', 'malformed: D'],
    ['{"MsgId":"a","Ts":1,"Data":{"Items":[{"D":1,"T":1,"V":[1]}]}}', 'malformed: V'],
    ['{"MsgId":"a","Ts":1,"Data":{"Items":{}}}', 'malformed: Data.Items'],
    ['{"MsgId":"a","Ts":1,"Data":[]}', 'malformed: Data'],
    ['{"MsgId":"a","Ts":"1","Data":{"Items":[]}}', 'malformed: Ts'],
    ['{"MsgId":"","Ts":1,"Data":{"Items":[]}}', 'malformed: MsgId'],
    ['[]', 'malformed: not an object'],
    [`{"MsgId":"a","Ts":1,"Data":{"Items":[{"D":1,"T":${now},"V":{"1":1},"Q":{"1":9}}]}}`, 'malformed: Q'],
    [`{"MsgId":"a","Ts":1,"Data":{"Items":[{"D":1,"T":${now},"V":{},"Q":{"1":2}}]}}`, 'malformed: Q without V'],
  ])('rejects %s', (text, reason) => {
    expect(reasons(text)).toEqual([reason])
  })
  test('reports the MsgId of a rejected message if it is readable', () => {
    expect(read('{"MsgId":"a","Ts":1,"Data":{},"X":1}').MsgId).toBe('a')
    expect(read('{"MsgId":"a"').MsgId).toBeUndefined()
    expect(read('{"MsgId":"a"').refusals).toMatchObject([{ reason: 'malformed', payload: '{"MsgId":"a"' }])
    expect(read(Buffer.alloc(200_000)).refusals).toMatchObject([{ reason: 'malformed', payload: '\0'.repeat(4096) }])
  })
  test('asks history for its mark', () => {
    expect(reasons(message(now, { 1: 1 }), 'history')).toEqual(['malformed: Data.Backfill'])
    expect(read(message(now, { 1: 1 }, { history: true }), 'history').samples).toHaveLength(1)
  })
  test('survives values nested a hundred thousand deep', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    expect(reasons(`{"MsgId":"a","Ts":1,"Data":{"Items":[{"D":1,"T":${now},"V":{"1":${deep}}}]}}`)).toEqual(['notANumber: object'])
    expect(reasons(`{"MsgId":"a","Ts":1,"Data":{"Items":[{"D":${deep},"T":${now},"V":{"1":1}}]}}`)).toEqual(['malformed: D'])
    expect(reasons('['.repeat(250_000))).toHaveLength(1)
  })
  test('makes few rows of much junk: the first ones of each reason, and one that counts the others', () => {
    const unknown = Array.from({ length: 300 }, (_, i) => `"${1000 + i}":1`).join(',')
    const junk = `{},${'{},'.repeat(80_000)}{"D":1,"T":${now},"V":{${unknown}}}`
    const out = read(`{"MsgId":"a","Ts":1,"Data":{"Items":[${junk}]}}`)
    const of = (reason: string) => out.refusals.filter((r) => r.reason === reason).map(({ count = 1 }) => count)
    expect(of('malformed')).toEqual([...Array(20).fill(1), 79_981])
    expect(of('unknownPoint')).toEqual([...Array(20).fill(1), 280])
    expect(out.refused).toBe(80_301)
    // All of them may be new points.
    expect(out.unknown).toHaveLength(300)
  })
  test('never throws, and every value of a readable item is a sample or a refusal', () => {
    const key = fc.oneof(fc.constantFrom('1', '2', '3', '4', '__proto__', 'toString'), fc.string())
    const item = fc.record({
      D: fc.oneof(fc.constant(1), fc.jsonValue()),
      T: fc.constantFrom(now, 0, null, 'x'),
      V: fc.dictionary(key, fc.jsonValue()),
    })
    fc.assert(
      fc.property(fc.array(item), (Items) => {
        const out = read(JSON.stringify({ MsgId: 'a', Ts: 1, Data: { Items } }))
        const values = Items.reduce((sum, { V }) => sum + Math.max(Object.keys(V).length, 0), 0)
        const empty = Items.filter(({ D, T, V }) => Object.keys(V).length === 0 && (T !== now || !Number.isSafeInteger(D))).length
        expect(out.samples.length + out.liveOnly.length + out.refused).toBe(values + empty)
        expect(out.refusals.reduce((sum, { count = 1 }) => sum + count, 0)).toBe(out.refused)
      }),
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.jsonValue().map((v) => JSON.stringify(v)),
        ),
        (text) => void expect(read(text).samples).toEqual([]),
      ),
    )
  })
})
