import { describe, expect, it, test } from 'vitest'
import type { RuleConfigure } from '../../../../alarm-rules/alarm-configure.ts'
import { compile } from './compile.ts'
import { Rules } from './engine.ts'
import { base, configure, type EventSummary, one, plant, run, stored, summarize } from './rules.fixture.ts'

describe('hold-off', () => {
  const withHoldOff = (seconds: number, more: Partial<RuleConfigure> = {}) => configure([{}], { HoldOff: seconds, ...more })
  test.each([
    [
      'over for long enough: at the moment it has been',
      one([11, 5, 6, 7], 4),
      60,
      [
        ['raised', 0],
        ['recovered', 14],
      ],
    ],
    [
      'over at exactly the end of the hold-off',
      [
        [1, 0, 11],
        [1, 1, 5],
        [1, 11, 11],
      ],
      12,
      [
        ['raised', 0],
        ['recovered', 11],
        ['raised', 11],
      ],
    ],
    [
      'back before its end: the same alarm, and the hold-off begins anew',
      [
        [1, 0, 11],
        [1, 1, 5],
        [1, 10, 11],
        [1, 12, 5],
      ],
      60,
      [
        ['raised', 0],
        ['recovered', 22],
      ],
    ],
    ['not over yet', one([11, 5], 1), 10, [['raised', 0]]],
    [
      'a bad reading meanwhile is none',
      [
        [1, 0, 11],
        [1, 1, 5],
        [1, 5, 99, 2],
      ],
      60,
      [
        ['raised', 0],
        ['recovered', 11],
      ],
    ],
  ] as [string, [number, number, number | null, number?][], number, EventSummary[]][])('%s', (_, rows, end, expected) => {
    expect(summarize(withHoldOff(10), rows, end)).toEqual(expected)
  })

  it('restarts when the device’s clock is set back', () => {
    const engine = new Rules()
    const far = 86_400
    engine.put(compile(5, 1, withHoldOff(10), plant), base)
    const ahead = stored([
      [1, far, 11],
      [1, far + 1, 5],
      [1, far + 4, 6],
      [1, 5, 6],
    ])
    const events = [...engine.judge(ahead.slice(0, 3), base + far * 1000), ...engine.judge(ahead.slice(3), base + 5000)]
    events.push(...engine.tick(base + 14_999), ...engine.tick(base + 60_000))
    expect(events.map((e) => [e.kind, (e.time - base) / 1000])).toEqual([
      ['raised', far],
      ['recovered', 15],
    ])
  })

  it('waits for several conditions as a whole', () => {
    const rule = { ...configure([{}, { AlarmParams: [{ ParaId: 2 }] }], { HoldOff: 10 }) }
    const rows: [number, number, number][] = [
      [1, 0, 11],
      [2, 1, 11],
      [1, 5, 5],
      [2, 8, 5],
      [1, 12, 11],
      [2, 14, 11],
      [2, 20, 5],
    ]
    expect(summarize(rule, rows, 60)).toEqual([
      ['raised', 1],
      ['recovered', 30],
    ])
  })

  it('holds for each device on its own, and ends with the rule', () => {
    const rule = configure([{ AlarmParams: [{ ParaName: 'P1' }], DeviceSelection: { Type: 1, DeviceIds: [1, 2] } }], { HoldOff: 10 })
    const events = run(
      rule,
      [
        [1, 0, 11],
        [11, 1, 11],
        [1, 5, 5],
        [11, 9, 5],
      ],
      60,
    )
    expect(events.map((e) => [e.kind, e.key, (e.time - base) / 1000])).toEqual([
      ['raised', 'd1', 0],
      ['raised', 'd2', 1],
      ['recovered', 'd1', 15],
      ['recovered', 'd2', 19],
    ])
    const engine = new Rules()
    engine.put(compile(5, 1, withHoldOff(10), plant), base)
    engine.judge(
      stored([
        [1, 0, 11],
        [1, 1, 5],
      ]),
    )
    expect(engine.remove(5, base + 2000).map((e) => e.kind)).toEqual(['recovered'])
  })

  it('may end outside the window in which the rule watches', () => {
    const window = { EnableType: 1 as const, EnableRule: { TimeZone: 'UTC', StartTime: '12:00', EndTime: '12:01' } }
    expect(
      summarize(
        withHoldOff(30, window),
        [
          [1, 50, 11],
          [1, 55, 5],
          [1, 70, 5],
        ],
        120,
      ),
    ).toEqual([
      ['raised', 50],
      ['recovered', 85],
    ])
  })
})
