import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Stored } from '../../../../../server/telemetry/sample.ts'
import { type Limit, sides, type Watch } from './condition.ts'
import { type AlarmEvent, Engine } from './engine.ts'
import { extremes, oracle } from './oracle.ts'
import { judgeBehind } from './passing.fixture.ts'

const limit = fc.option(fc.integer({ min: -5, max: 15 }), { nil: null })
const hold = fc.constantFrom(0, 0, 1, 3)
const watchOf = (point: number) =>
  fc.record<Watch>({
    point: fc.constant(point),
    low: limit,
    high: limit,
    range: fc.constantFrom(null, 10, 150),
    binary: fc.boolean(),
    raiseMs: hold,
    clearMs: hold,
  })
const reading = fc.record({
  point: fc.constantFrom(1, 2, 3),
  step: fc.integer({ min: -2, max: 4 }),
  // States are saved as JSON, which has no -0.
  value: fc.oneof(
    fc.integer({ min: -8, max: 18 }),
    fc.double({ min: -8, max: 18, noNaN: true }).map((n) => n + 0),
  ),
  quality: fc.constantFrom(0, 0, 0, 0, 1, 2, 3, 4),
})
const scenario = fc.record({ watches: fc.tuple(watchOf(1), watchOf(2)), readings: fc.array(reading, { maxLength: 60 }) })
type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never

const samplesOf = ({ readings }: Scenario): Stored[] => {
  let time = 10
  return readings.map((r, i) => {
    time = Math.max(0, time + r.step)
    return { point: r.point, time, value: r.quality > 1 ? null : r.value, quality: r.quality, n: i + 1 }
  })
}
const engineOf = ({ watches }: Scenario) => {
  const engine = new Engine()
  for (const w of watches) engine.configure(w, 0)
  return engine
}
const far = 400
const of = (events: AlarmEvent[], point: number, side: Limit) => events.filter((e) => e.point === point && e.limit === side)
const check = (property: (s: Scenario) => void) => fc.assert(fc.property(scenario, property), { numRuns: 400 })

test('a point and limit has at most one active alarm: raised and recovered alternate', () => {
  check((s) => {
    const engine = engineOf(s)
    const events = [...engine.judge(samplesOf(s)), ...engine.tick(far)]
    for (const w of s.watches)
      for (const side of sides)
        expect(of(events, w.point, side).map((e) => e.kind)).toEqual(
          of(events, w.point, side).map((_, i) => (i % 2 ? 'recovered' : 'raised')),
        )
  })
})

test('the events are those of the oracle', () => {
  let eventCount = 0
  check((s) => {
    const engine = engineOf(s)
    const samples = samplesOf(s)
    const events = [...engine.judge(samples), ...engine.tick(far)]
    eventCount += events.length
    for (const w of s.watches)
      for (const side of sides)
        expect(of(events, w.point, side).map(({ kind, limit, time }) => ({ kind, limit, time }))).toEqual(oracle(w, side, samples, far + 1))
  })
  expect(eventCount).toBeGreaterThan(400)
})

test('the extreme of an alarm is that of all readings while it was active, whatever has passed', () => {
  let count = 0
  const ofOne = {
    low: fc.integer({ min: 0, max: 3 }),
    high: fc.integer({ min: 7, max: 10 }),
    range: fc.constant(10),
    binary: fc.constant(false),
  }
  const lively = (point: number) => fc.record<Watch>({ point: fc.constant(point), ...ofOne, raiseMs: hold, clearMs: hold })
  const many = fc.record({ watches: fc.tuple(lively(1), lively(2)), readings: fc.array(reading, { minLength: 30, maxLength: 60 }) })
  fc.assert(
    fc.property(many, fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 60, maxLength: 60 }), (s, cuts) => {
      const samples = samplesOf(s)
      const one = engineOf(s)
      const all = one.judge(samples)
      const { events } = judgeBehind(engineOf(s), samples, cuts, 3)
      for (const w of s.watches)
        for (const side of sides) {
          const found = extremes(side, samples, w.point, of(all, w.point, side))
          count += found.length
          for (const list of [all, events])
            expect(of(list, w.point, side).flatMap((e) => (e.kind === 'recovered' ? [e.extreme] : []))).toEqual(found)
        }
    }),
    { numRuns: 400 },
  )
  expect(count).toBeGreaterThan(200)
})

test('how readings are cut into batches changes nothing', () => {
  fc.assert(
    fc.property(scenario, fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 60, maxLength: 60 }), (s, cuts) => {
      const samples = samplesOf(s)
      const engine = engineOf(s)
      const events: AlarmEvent[] = []
      for (let rest = samples, i = 0; rest.length; rest = rest.slice(cuts[i++]!)) events.push(...engine.judge(rest.slice(0, cuts[i])))
      const whole = engineOf(s)
      expect(events).toEqual(whole.judge(samples))
      expect(engine.export()).toEqual(whole.export())
    }),
    { numRuns: 300 },
  )
})

test('readings that change nothing may be passed over before those that wait are judged', () => {
  let passed = 0
  fc.assert(
    fc.property(scenario, fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 60, maxLength: 60 }), (s, cuts) => {
      const engine = engineOf(s)
      const { events, passed: more } = judgeBehind(engine, samplesOf(s), cuts, 3)
      passed += more
      const one = engineOf(s)
      const bare = (list: AlarmEvent[]) => list.map(({ n: _n, ...e }) => e)
      expect(bare([...events, ...engine.tick(far)])).toEqual(bare([...one.judge(samplesOf(s)), ...one.tick(far)]))
      engine.advance(0, one.judged)
      expect(engine.export()).toEqual(one.export())
    }),
    { numRuns: 400 },
  )
  expect(passed).toBeGreaterThan(800)
})

test('a tick between two readings changes when an event is emitted, not which events there are', () => {
  check((s) => {
    const samples = samplesOf(s)
    const ticked = engineOf(s)
    const events: AlarmEvent[] = []
    let newest = 0
    for (const sample of samples) {
      // Only up to the newest reading: after it, a late reading may still change the result.
      newest = Math.max(newest, sample.time)
      events.push(...ticked.judge([sample]), ...ticked.tick(Math.min(...[1, 2].map((p) => ticked.state(p)?.time ?? 0))))
    }
    events.push(...ticked.tick(far))
    const plain = engineOf(s)
    const expected = [...plain.judge(samples), ...plain.tick(far)]
    const bare = (list: AlarmEvent[]) =>
      s.watches.flatMap((w) =>
        sides.flatMap((side) => of(list, w.point, side).map(({ kind, time, limitValue }) => ({ kind, time, limitValue }))),
      )
    expect(bare(events)).toEqual(bare(expected))
  })
})

test('an engine that is saved and loaded at any moment goes on as if nothing had been', () => {
  fc.assert(
    fc.property(scenario, fc.nat(60), (s, at) => {
      const samples = samplesOf(s)
      const one = engineOf(s)
      const expected = [...one.judge(samples), ...one.tick(far)]
      const first = engineOf(s)
      const events = first.judge(samples.slice(0, at))
      const second = new Engine()
      second.import(JSON.parse(JSON.stringify(first.export())))
      for (const w of s.watches) second.configure(w, 0)
      events.push(...second.judge(samples.slice(at)), ...second.tick(far))
      expect(events).toEqual(expected)
      expect(second.judged).toBe(one.judged)
    }),
    { numRuns: 300 },
  )
})

test('with conditions saved when they turned and times witnessed again, nothing changes either', () => {
  fc.assert(
    fc.property(scenario, fc.nat(60), fc.nat(60), (s, a, b) => {
      const [settled, cut] = [Math.min(a, b), Math.max(a, b)]
      const samples = samplesOf(s)
      const first = engineOf(s)
      const events = first.judge(samples.slice(0, settled))
      const saved = new Map(first.export().points.map((p) => [p.point, p]))
      first.take('turned')
      events.push(...first.judge(samples.slice(settled, cut)))
      for (const point of first.take('turned')) saved.set(point, first.state(point)!)
      const second = new Engine()
      second.import(JSON.parse(JSON.stringify({ n: Math.min(cut, samples.length), points: [...saved.values()] })))
      for (const w of s.watches) second.configure(w, 0)
      second.witness(samples.slice(settled, cut))
      const middle = (cut + samples.length) >> 1
      events.push(...second.judge(samples.slice(cut, middle)))
      // The third engine gets the complete settled state, except for the newest readings since the last transition.
      for (const point of second.take('turned')) saved.set(point, second.state(point)!)
      const newest = second.take('touched').map((point) => ({ point, quality: 0, n: second.judged, ...second.newest(point)! }))
      const third = new Engine()
      third.import(JSON.parse(JSON.stringify({ n: second.judged, points: [...saved.values()] })))
      for (const w of s.watches) third.configure(w, 0)
      third.witness(newest)
      events.push(...third.judge(samples.slice(Math.max(cut, middle))), ...third.tick(far))
      const one = engineOf(s)
      expect(events).toEqual([...one.judge(samples), ...one.tick(far)])
    }),
    { numRuns: 300 },
  )
})
