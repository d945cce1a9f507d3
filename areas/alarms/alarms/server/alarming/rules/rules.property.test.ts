import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Stored } from '../../../../../../server/telemetry/sample.ts'
import type { RuleCondition, RuleConfigure } from '../../../../alarm-rules/alarm-configure.ts'
import { judgeBehind } from '../passing.fixture.ts'
import { compile } from './compile.ts'
import { type RuleEvent, Rules } from './engine.ts'
import { plant } from './rules.fixture.ts'
import type { WatchState } from './watch.ts'

const base = Date.UTC(2026, 5, 1, 11, 59)
const end = base + 600_000

const conditionOf = fc.record({
  style: fc.constantFrom(1, 1, 1, 2, 3, 4),
  trigger: fc.constantFrom(1, 2, 3),
  op: fc.integer({ min: 1, max: 8 }),
  a: fc.integer({ min: 0, max: 6 }),
  band: fc.constantFrom(0, 0, 1, 2),
  seconds: fc.integer({ min: 1, max: 8 }),
  times: fc.integer({ min: 2, max: 3 }),
  points: fc.uniqueArray(fc.constantFrom(1, 2), { minLength: 1, maxLength: 2 }),
})
const made = ({
  style,
  trigger,
  op,
  a,
  band,
  seconds,
  times,
  points,
}: typeof conditionOf extends fc.Arbitrary<infer T> ? T : never): RuleCondition => ({
  TriggerStyle: style as 1,
  TriggerCondition: (style === 1 || (style === 2 && trigger === 3) ? trigger : 1) as 1,
  Duration: seconds,
  Frequency: times,
  OperateSymbol: op as 1,
  AlarmParams: points.map((ParaId) => ({ ParaId })),
  ParamValue: a,
  ParamValue2: a + 3,
  Deadband: band,
})
const gates: Pick<RuleConfigure, 'EnableType' | 'EnableRule'>[] = [
  { EnableType: 0 },
  { EnableType: 0 },
  { EnableType: 1, EnableRule: { TimeZone: 'UTC', StartTime: '12:00', EndTime: '12:01' } },
  { EnableType: 2, EnableRule: { TimeZone: 'UTC', Cron: '0/7 * * * * ?' } },
]
const rule = fc
  .record({
    gate: fc.constantFrom(...gates),
    outer: fc.constantFrom(1, 2),
    groups: fc.array(fc.record({ logic: fc.constantFrom(1, 2), conditions: fc.array(conditionOf, { minLength: 1, maxLength: 2 }) }), {
      minLength: 1,
      maxLength: 2,
    }),
    severe: fc.boolean(),
    // Fractions, so that nothing coincides with the whole seconds of all other times.
    hold: fc.constantFrom(null, null, 1.5, 4.5, 9.5),
  })
  .map(
    ({ gate, outer, groups, severe, hold }): RuleConfigure => ({
      ...gate,
      HoldOff: gate.EnableType === 2 ? null : hold,
      LogicSymbol: outer as 1,
      RuleList: groups.map((g) => ({ LogicSymbol: g.logic as 1, Conditions: g.conditions.map(made) })),
      Severity: severe && groups.length === 1 && groups[0]!.conditions.length === 1 ? [{ AlarmLevel: 3, ParamValue: 5 }] : null,
    }),
  )
const reading = fc.record({
  point: fc.constantFrom(1, 2),
  step: fc.integer({ min: 0, max: 9 }),
  value: fc.integer({ min: 0, max: 8 }),
  quality: fc.constantFrom(0, 0, 0, 0, 2),
})
const scenario = fc.record({ rule, readings: fc.array(reading, { maxLength: 40 }), cut: fc.nat(40) })
type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never

const samplesOf = ({ readings }: Scenario): Stored[] => {
  let time = base
  return readings.map((r, i) => {
    time += r.step * 1000
    return { point: r.point, time, value: r.quality > 1 ? null : r.value, quality: r.quality, n: i + 1 }
  })
}
const applied = (s: Scenario) => compile(1, 1, s.rule, plant)
const plain = (events: RuleEvent[]) =>
  events.map(({ kind, key, time, level }) => ({ kind, key, time, level })).sort((a, b) => a.time - b.time || a.key.localeCompare(b.key))
const check = (property: (s: Scenario) => void) => fc.assert(fc.property(scenario, property), { numRuns: 150 })

const whole = (s: Scenario) => {
  const engine = new Rules()
  return [...engine.put(applied(s), base), ...engine.judge(samplesOf(s)), ...engine.tick(end)]
}

test('a rule and subject has at most one active alarm: raised and recovered alternate, levels only rise between', () => {
  check((s) => {
    for (const own of Map.groupBy(whole(s), (e) => e.key).values()) {
      const turns = own.filter((e) => e.kind !== 'level').map((e) => e.kind)
      expect(turns).toEqual(turns.map((_, i) => (i % 2 ? 'recovered' : 'raised')))
      own.forEach((e, i) => {
        expect(e.time).toBeGreaterThanOrEqual(own[i - 1]?.time ?? 0)
        if (e.kind === 'level') expect(e.level).toBeGreaterThan(own[i - 1]!.level)
      })
    }
  })
})

test('with a hold-off an alarm begins as it would without, unless the one before it has not ended, and ends that much later', () => {
  check((s) => {
    const without = whole({ ...s, rule: { ...s.rule, HoldOff: null } })
    const holdOffMs = (s.rule.HoldOff ?? 0) * 1000
    for (const [key, own] of Map.groupBy(without, (e) => e.key)) {
      const spans: [number, number][] = []
      for (const e of own) {
        if (e.kind === 'raised' && !(spans.length && spans.at(-1)![1] > e.time)) spans.push([e.time, Number.POSITIVE_INFINITY])
        else if (e.kind === 'raised') spans.at(-1)![1] = Number.POSITIVE_INFINITY
        if (e.kind === 'recovered') spans.at(-1)![1] = e.time + holdOffMs
      }
      const expected = spans.map(([start, stop]) => [start, stop > end ? undefined : stop])
      const turns = whole(s).filter((e) => e.key === key && e.kind !== 'level')
      const found = turns.flatMap((e, i) => (e.kind === 'raised' ? [[e.time, turns[i + 1]?.time]] : []))
      if (!s.rule.EnableType) expect(found).toEqual(expected)
    }
  })
})

test('how often one asks what time has brought changes nothing', () => {
  check((s) => {
    const engine = new Rules()
    const events = engine.put(applied(s), base)
    let at = base
    for (const sample of samplesOf(s)) {
      for (; at < sample.time; at += 500) events.push(...engine.tick(at))
      events.push(...engine.judge([sample]))
    }
    events.push(...engine.tick(end))
    expect(plain(events)).toEqual(plain(whole(s)))
  })
})

test('a restart anywhere, from what was saved at each turn, raises nothing twice and misses no recovery', () => {
  check((s) => {
    const samples = samplesOf(s)
    const cut = Math.min(s.cut, samples.length)
    const first = new Rules()
    const events = [...first.put(applied(s), base)]
    const saved = new Map<string, WatchState>()
    const keep = () => {
      for (const id of first.take()) saved.set(id, first.state(id)!)
    }
    for (const sample of samples.slice(0, cut)) {
      events.push(...first.judge([sample]))
      keep()
    }
    keep()
    const second = new Rules()
    second.import(cut, JSON.parse(JSON.stringify([...saved.values()])))
    events.push(...second.put(applied(s), base))
    // The newest reading of each point is equivalent to all readings.
    if (s.cut % 2) second.witness(samples.slice(0, cut))
    else for (const point of first.takeTouched()) second.witness([{ point, quality: 0, n: cut, ...first.newest(point)! }])
    events.push(...second.orphans(end), ...second.judge(samples.slice(cut)), ...second.tick(end))
    expect(plain(events)).toEqual(plain(whole(s)))
  })
})

test('readings that change nothing may be passed over before those that wait are judged', () => {
  let passed = 0
  fc.assert(
    fc.property(scenario, fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 40, maxLength: 40 }), (s, cuts) => {
      const engine = new Rules()
      const begun = engine.put(applied(s), base)
      const { events, passed: more } = judgeBehind(engine, samplesOf(s), cuts, 2)
      passed += more
      expect(plain([...begun, ...events, ...engine.tick(end)])).toEqual(plain(whole(s)))
    }),
    { numRuns: 400 },
  )
  expect(passed).toBeGreaterThan(400)
})

/** The values of the alarm's point while it was active, by the kind of its only condition; undefined if it has no extreme. */
const extremesOf = ({ rule }: Scenario, samples: readonly Stored[], events: readonly RuleEvent[]) => {
  const only = rule.RuleList.length === 1 && rule.RuleList[0]!.Conditions.length === 1 ? rule.RuleList[0]!.Conditions[0]! : undefined
  const { OperateSymbol: op = 0, ParamValue: a = 0, ParamValue2: b = 0, TriggerStyle: style = 0 } = only ?? {}
  const isCompared = (style === 1 || style === 4) && [3, 4, 5, 6, 8].includes(op!)
  const distance = (value: number) => (op === 8 ? Math.max(a! - value, value - b!) : op! <= 4 ? value : -value)
  return events.flatMap((end, i) => {
    if (end.kind !== 'recovered') return []
    if (!isCompared) return [undefined]
    const start = events.findLast((e, at) => at < i && e.key === end.key && e.kind === 'raised')!
    const between = samples.filter((r) => r.point === start.point && r.quality < 2 && r.n >= start.n && r.n < end.n).map((r) => r.value!)
    return [Math.max(...[start.value!, end.value!, ...between].map(distance))]
  })
}

test('the extreme of an alarm is that of all readings while it was active, whatever has passed', () => {
  let count = 0
  const compared = fc.record({
    style: fc.constantFrom(1, 4),
    op: fc.constantFrom(3, 4, 5, 6, 8),
    a: fc.integer({ min: 2, max: 4 }),
    seconds: fc.integer({ min: 1, max: 3 }),
  })
  const single = fc
    .record({ of: compared, rule, readings: fc.array(reading, { minLength: 20, maxLength: 40 }), cut: fc.nat(40) })
    .map(({ of, ...s }): Scenario => {
      const { AlarmParams, ...other } = s.rule.RuleList[0]!.Conditions[0]!
      const { style, op, a, seconds } = of
      const Conditions = [
        { ...other, AlarmParams, TriggerStyle: style as 1, OperateSymbol: op as 3, ParamValue: a, ParamValue2: a + 1, Duration: seconds },
      ]
      return {
        ...s,
        rule: {
          LogicSymbol: 1,
          EnableType: 0,
          HoldOff: s.rule.EnableType ? null : s.rule.HoldOff,
          Severity: s.rule.Severity,
          RuleList: [
            { LogicSymbol: 1, Conditions: style === 4 ? Conditions.map((c) => ({ ...c, TriggerCondition: 1 as const })) : Conditions },
          ],
        },
      }
    })
  fc.assert(
    fc.property(
      fc.oneof(scenario, single, single),
      fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 40, maxLength: 40 }),
      (s, cuts) => {
        const samples = samplesOf(s)
        const engine = new Rules()
        const events = [...engine.put(applied(s), base), ...engine.judge(samples)]
        const behind = new Rules()
        const begun = behind.put(applied(s), base)
        const passed = [...begun, ...judgeBehind(behind, samples, cuts, 2).events]
        const expected = extremesOf(s, samples, events)
        const condition = s.rule.RuleList[0]!.Conditions[0]!
        const distance = ({ extreme }: RuleEvent) =>
          extreme === undefined
            ? undefined
            : condition.OperateSymbol === 8
              ? Math.max(condition.ParamValue! - extreme, extreme - condition.ParamValue2!)
              : condition.OperateSymbol! <= 4
                ? extreme
                : -extreme
        for (const list of [events, passed]) expect(list.filter((e) => e.kind === 'recovered').map(distance)).toEqual(expected)
        count += expected.filter((e) => e !== undefined).length
      },
    ),
    { numRuns: 600 },
  )
  expect(count).toBeGreaterThan(150)
})

test('what is judged together with a reading that waits waits too, so that an alarm bears the time of its own reading', () => {
  const over = (ParaId: number): RuleCondition => ({
    ...{ TriggerStyle: 1, TriggerCondition: 1, OperateSymbol: 3, ParamValue: 5 },
    AlarmParams: [{ ParaId }],
  })
  const engine = new Rules()
  engine.put(compile(1, 1, { LogicSymbol: 2, EnableType: 0, RuleList: [{ LogicSymbol: 2, Conditions: [over(1), over(2)] }] }, plant), base)
  const reading = (n: number, point: number, value: number): Stored => ({ point, time: base + n, value, quality: 0, n })
  engine.judge([reading(1, 1, 0), reading(2, 2, 0), reading(3, 3, 0)])
  const rows = [reading(4, 1, 9), reading(5, 2, 1), reading(6, 3, 9), reading(7, 1, 9)]
  const waiting = rows.filter((row) => !engine.passes(row))
  expect(waiting.map((row) => row.n)).toEqual([4, 5, 7])
  expect(engine.judge(waiting).map((e) => [e.kind, e.time])).toEqual([['raised', base + 4]])
  engine.advance(waiting.length, 7)
  expect([engine.passes(reading(8, 2, 1)), engine.judged]).toEqual([true, 7])
})

test('two conditions that share no point do not see each other', () => {
  check((s) => {
    const engine = new Rules()
    const other = compile(
      2,
      1,
      {
        LogicSymbol: 1,
        EnableType: 0,
        RuleList: [
          {
            LogicSymbol: 1,
            Conditions: [{ TriggerStyle: 1, TriggerCondition: 1, OperateSymbol: 3, ParamValue: 4, AlarmParams: [{ ParaId: 3 }] }],
          },
        ],
      },
      plant,
    )
    const events = [...engine.put(applied(s), base), ...engine.put(other, base), ...engine.judge(samplesOf(s)), ...engine.tick(end)]
    expect(plain(events)).toEqual(plain(whole(s)))
  })
})
