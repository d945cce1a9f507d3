import { expect, test } from 'vitest'
import type { Stored } from '../../../../../server/telemetry/sample.ts'
import type { Watch } from './condition.ts'
import { Engine } from './engine.ts'

const watch: Watch = { point: 1, low: 10, high: 90, range: 100 }
let n = 0
const at = (time: number, value: number | null, quality = 0): Stored => ({ point: 1, time, value, quality, n: ++n })
const engineWith = (more: Partial<Watch> = {}) => {
  const engine = new Engine()
  engine.configure({ ...watch, ...more }, 0)
  return engine
}
const summary = (events: { kind: string; limit: string; time: number }[]) => events.map((e) => `${e.kind} ${e.limit} ${e.time}`)

test('a value on the limit is no alarm, one beyond it is', () => {
  const engine = engineWith()
  expect(engine.judge([at(1, 90), at(2, 10)])).toEqual([])
  expect(engine.judge([at(3, 90.01)])).toEqual([
    { kind: 'raised', point: 1, limit: 'high', value: 90.01, limitValue: 90, extreme: 90.01, time: 3, n },
  ])
  expect(summary(engine.judge([at(4, 5)]))).toEqual(['raised low 4', 'recovered high 4'])
})

test('an alarm recovers when the value is back by 1 % of the engineering range', () => {
  const engine = engineWith()
  expect(summary(engine.judge([at(1, 95), at(2, 89.5), at(3, 90.5), at(4, 89), at(5, 89.9)]))).toEqual([
    'raised high 1',
    'recovered high 4',
  ])
})

test.each([
  ['the range is not known: 1 % of the limit', { range: null, low: null, high: 200 }, 201, 198.1, 198],
  ['the limit is zero and the range is not known: none', { range: null, low: null, high: 0 }, 1, 0.1, 0],
  ['a limit below zero', { range: null, low: -50, high: null }, -51, -49.6, -49.5],
  ['limits lie close together: half the way', { low: 50, high: 50.5, range: 1000 }, 51, 50.3, 50.25],
  ['a binary point: none', { binary: true, range: null, low: 1, high: null }, 0, 0, 1],
])('hysteresis when %s', (_name, more, over, between, back) => {
  const engine = engineWith(more)
  expect(engine.judge([at(1, over)])).toHaveLength(1)
  expect(engine.judge([at(2, between)])).toHaveLength(0)
  expect(engine.judge([at(3, back)])).toMatchObject([{ kind: 'recovered' }])
})

test('bad quality neither raises nor clears, uncertain quality counts', () => {
  const engine = engineWith()
  expect(engine.judge([at(1, null, 2), at(2, 99, 3), at(3, null, 4)])).toEqual([])
  expect(summary(engine.judge([at(4, 99, 1)]))).toEqual(['raised high 4'])
  expect(engine.judge([at(5, null, 2), at(6, 50, 3)])).toEqual([])
  expect(summary(engine.judge([at(7, 50)]))).toEqual(['recovered high 7'])
})

test('a reading older than the newest is passed over, one of the same time replaces it', () => {
  const engine = engineWith()
  expect(summary(engine.judge([at(10, 50), at(9, 99), at(10, 99)]))).toEqual(['raised high 10'])
})

test('a clock that was further ahead than clocks are believed, and is back, is followed; what was pending goes on', () => {
  const [hour, now] = [3_600_000, 5_000_000]
  const engine = engineWith({ raiseMs: 100 })
  expect(engine.judge([at(now + hour, 50), at(now + hour + 10, 95), at(now + hour + 30, 95)], now)).toEqual([])
  expect(summary(engine.judge([at(now + 5, 95), at(now + 60, 95), at(now + 85, 95)], now))).toEqual([`raised high ${now + 85}`])
  expect(summary(engine.judge([at(now + 84, 50), at(now + 86, 50)], now))).toEqual([`recovered high ${now + 86}`])
})

test('a condition must hold for its duration, and be gone for its hold-off', () => {
  const engine = engineWith({ raiseMs: 100, clearMs: 50 })
  expect(engine.judge([at(0, 95), at(50, 50), at(60, 95)])).toEqual([])
  expect(engine.tick(159)).toEqual([])
  expect(summary(engine.tick(500))).toEqual(['raised high 160'])
  expect(engine.judge([at(600, 50), at(620, 95), at(640, 50)])).toEqual([])
  expect(summary(engine.judge([at(700, 95)]))).toEqual(['recovered high 690'])
  expect(engine.tick(799)).toEqual([])
  expect(summary(engine.tick(800))).toEqual(['raised high 800'])
})

test('an alarm whose limit is removed recovers immediately, and a pending one is dropped', () => {
  const engine = engineWith()
  engine.judge([at(1, 95)])
  expect(engine.configure({ ...watch, high: null }, 77)).toEqual([
    { kind: 'recovered', point: 1, limit: 'high', value: 95, limitValue: 90, extreme: 95, time: 77, n },
  ])
  const pending = engineWith({ raiseMs: 100 })
  pending.judge([at(1, 95)])
  expect(pending.configure({ ...watch, high: null }, 20)).toEqual([])
  expect(pending.tick(1e6)).toEqual([])
})

test('a point that is removed takes its alarm with it and leaves nothing behind', () => {
  const engine = engineWith()
  engine.judge([at(1, 5)])
  expect(summary(engine.configure({ point: 1, removed: true }, 9))).toEqual(['recovered low 9'])
  expect(engine.export().points).toEqual([])
  expect(engine.take('turned')).toEqual([1])
  expect(engine.judge([at(20, 5)])).toEqual([])
})

test('a limit that is moved judges the next reading, and the alarm keeps the limit it was raised by', () => {
  const engine = engineWith()
  engine.judge([at(1, 95)])
  expect(engine.configure({ ...watch, high: 99 }, 5)).toEqual([])
  expect(engine.judge([at(6, 95)])).toMatchObject([{ kind: 'recovered', limitValue: 90 }])
})

test('only what changed has to be saved', () => {
  const engine = engineWith()
  engine.configure({ ...watch, point: 2 }, 0)
  engine.judge([at(1, 50), at(2, 51), { ...at(2, 99), point: 2 }])
  expect(engine.take('turned')).toEqual([2])
  expect(engine.take('turned')).toEqual([])
  expect(engine.take('touched')).toEqual([1, 2])
})
