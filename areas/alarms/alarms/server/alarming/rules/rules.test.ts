import { describe, expect, it, test } from 'vitest'
import { compile } from './compile.ts'
import { Rules } from './engine.ts'
import { base, condition, configure, one, plant, run, stored, summarize } from './rules.fixture.ts'

describe('operators', () => {
  test.each([
    ['=', { OperateSymbol: 1 }, [10], [9, 11]],
    ['≠', { OperateSymbol: 2 }, [9, 11], [10]],
    ['>', { OperateSymbol: 3 }, [10.1], [10, 9]],
    ['≥', { OperateSymbol: 4 }, [10, 11], [9.9]],
    ['<', { OperateSymbol: 5 }, [9.9], [10, 11]],
    ['≤', { OperateSymbol: 6 }, [10, 9], [10.1]],
    ['between', { OperateSymbol: 7, ParamValue2: 20 }, [10, 15, 20], [9.9, 20.1]],
    ['outside', { OperateSymbol: 8, ParamValue2: 20 }, [9.9, 20.1], [10, 15, 20]],
  ] as const)('%s', (_, c, yes, no) => {
    for (const value of yes) expect(summarize(configure([c as object]), one([value])), String(value)).toEqual([['raised', 0]])
    for (const value of no) expect(summarize(configure([c as object]), one([value])), String(value)).toEqual([])
  })

  test.each([
    ['>', { OperateSymbol: 3, Deadband: 2 }, [11, 9, 8.1, 8], 3],
    ['≥', { OperateSymbol: 4, Deadband: 2 }, [10, 8.5, 8, 7.9], 3],
    ['<', { OperateSymbol: 5, Deadband: 2 }, [9, 11, 11.9, 12], 3],
    ['≤', { OperateSymbol: 6, Deadband: 2 }, [10, 12, 12.1], 2],
    ['between', { OperateSymbol: 7, ParamValue2: 20, Deadband: 2 }, [15, 21, 8, 22.1], 3],
    ['outside', { OperateSymbol: 8, ParamValue2: 20, Deadband: 2 }, [21, 19, 18.1, 18], 3],
  ] as const)('%s ends only beyond its deadband', (_, c, values, ends) => {
    expect(summarize(configure([c as object]), one([...values]))).toEqual([
      ['raised', 0],
      ['recovered', ends],
    ])
  })

  it('bad quality, nothing and older readings neither raise nor clear', () => {
    expect(
      summarize(configure([{}]), [
        [1, 0, 5],
        [1, 1, null, 2],
        [1, 2, 99, 2],
        [1, 3, 11],
        [1, 4, null, 3],
        [1, 2, 5],
      ]),
    ).toEqual([['raised', 3]])
  })
})

describe('triggers', () => {
  const lasting = { TriggerCondition: 2 as const, Duration: 10 }
  it('lasting: raised when the condition was met for the duration, at that moment', () => {
    expect(summarize(configure([lasting]), one([11, 12, 13], 4), 30)).toEqual([['raised', 10]])
    expect(
      summarize(
        configure([lasting]),
        [
          [1, 0, 11],
          [1, 9, 5],
          [1, 10, 11],
          [1, 25, 5],
        ],
        30,
      ),
    ).toEqual([
      ['raised', 20],
      ['recovered', 25],
    ])
  })

  const times = { TriggerCondition: 3 as const, Duration: 10, Frequency: 3 }
  it('times: each time the condition comes to hold counts, within a window that slides', () => {
    const flapping = one([11, 5, 11, 5, 11, 5])
    expect(summarize(configure([times]), flapping, 60)).toEqual([
      ['raised', 4],
      // The first of the three leaves the window.
      ['recovered', 10],
    ])
    expect(summarize(configure([times]), one([11, 5, 11, 5, 11, 5], 6), 60)).toEqual([])
    expect(summarize(configure([times]), one([11, 12, 13, 14, 15]), 60)).toEqual([])
  })

  it('change: by how much the value moved since the reading before', () => {
    const change = { TriggerStyle: 2 as const, ParamValue: 5 }
    expect(summarize(configure([change]), one([0, 4, 10, 10.5, 2]))).toEqual([
      ['raised', 2],
      ['recovered', 3],
      ['raised', 4],
    ])
  })

  it('change of a two-valued point: to which value it turned', () => {
    const change = { TriggerStyle: 2 as const, OperateSymbol: 1 as const, ParamValue: 1, AlarmParams: [{ ParaId: 9 }] }
    const rows = [0, 1, 1, 0, 1].map((v, i): [number, number, number] => [9, i, v])
    expect(summarize(configure([change]), rows)).toEqual([
      ['raised', 1],
      ['recovered', 2],
      ['raised', 4],
    ])
  })

  it('changes so many times in a window', () => {
    const change = { TriggerStyle: 2 as const, TriggerCondition: 3 as const, Frequency: 3, Duration: 10, ParamValue: 0 }
    expect(summarize(configure([change]), one([1, 2, 3, 4, 4]), 30)).toEqual([
      ['raised', 3],
      ['recovered', 11],
    ])
  })

  it('no data: silence raises at the moment it is long enough, a reading ends it', () => {
    const silent = { TriggerStyle: 3 as const, Duration: 10 }
    expect(
      summarize(
        configure([silent]),
        [
          [1, 3, 1],
          [1, 20, 1],
        ],
        25,
      ),
    ).toEqual([
      ['raised', 13],
      ['recovered', 20],
    ])
    // No reading since the rule was added.
    expect(summarize(configure([silent]), [], 25)).toEqual([['raised', 10]])
    // A bad reading does not count as data.
    expect(
      summarize(
        configure([silent]),
        [
          [1, 0, 1],
          [1, 5, null, 2],
        ],
        12,
      ),
    ).toEqual([['raised', 10]])
  })

  it('timer: looked at every so often, not between', () => {
    const timed = { TriggerStyle: 4 as const, Duration: 60 }
    expect(
      summarize(
        configure([timed]),
        [
          [1, 10, 11],
          [1, 70, 5],
          [1, 100, 11],
          [1, 110, 5],
        ],
        300,
      ),
    ).toEqual([
      ['raised', 60],
      ['recovered', 120],
    ])
  })
})

describe('groups', () => {
  const a = { AlarmParams: [{ ParaId: 1 }] }
  const b = { AlarmParams: [{ ParaId: 2 }] }
  const rows: [number, number, number][] = [
    [1, 0, 11],
    [2, 1, 11],
    [1, 2, 5],
    [2, 3, 5],
  ]
  it('and', () =>
    expect(summarize(configure([a, b]), rows)).toEqual([
      ['raised', 1],
      ['recovered', 2],
    ]))
  it('or', () => {
    const either = configure([], { RuleList: [{ LogicSymbol: 2, Conditions: [condition(a), condition(b)] }] })
    expect(summarize(either, rows)).toEqual([
      ['raised', 0],
      ['recovered', 3],
    ])
  })
  const groups = (LogicSymbol: 1 | 2) =>
    configure([], {
      LogicSymbol,
      RuleList: [
        { LogicSymbol: 1, Conditions: [condition(a), condition(b)] },
        { LogicSymbol: 1, Conditions: [condition({ AlarmParams: [{ ParaId: 3 }] })] },
      ],
    })
  it('and between groups', () =>
    expect(summarize(groups(1), [...rows.slice(0, 2), [3, 2, 11], [3, 3, 5]])).toEqual([
      ['raised', 2],
      ['recovered', 3],
    ]))
  it('or between groups', () =>
    expect(
      summarize(groups(2), [
        [3, 0, 11],
        ...rows.slice(0, 2).map(([p, s, v]): [number, number, number] => [p, s + 1, v]),
        [3, 5, 5],
        [1, 6, 5],
      ]),
    ).toEqual([
      ['raised', 0],
      ['recovered', 6],
    ]))

  it('one condition over several points raises for each of them; several conditions once', () => {
    const many = configure([{ AlarmParams: [{ ParaId: 1 }, { ParaId: 2 }] }])
    expect(run(many, rows).map((e) => [e.kind, e.key])).toEqual([
      ['raised', 'p1'],
      ['raised', 'p2'],
      ['recovered', 'p1'],
      ['recovered', 'p2'],
    ])
    const any = configure([{ AlarmParams: [{ ParaId: 1 }, { ParaId: 2 }] }, { AlarmParams: [{ ParaId: 3 }] }])
    expect(
      run(any, [
        [3, 0, 11],
        [2, 1, 11],
        [1, 2, 11],
        [2, 3, 5],
        [1, 4, 5],
      ]).map((e) => [e.kind, e.time - base]),
    ).toEqual([
      ['raised', 1000],
      ['recovered', 4000],
    ])
  })

  it('a selection of devices raises for each device, by the names of its points', () => {
    const chosen = (s: object) => configure([{ AlarmParams: [{ ParaName: 'P1' }], DeviceSelection: { Type: 1, DeviceIds: [2, 3], ...s } }])
    expect(
      run(chosen({}), [
        [1, 0, 11],
        [11, 1, 11],
        [21, 2, 11],
      ]).map((e) => e.key),
    ).toEqual(['d2', 'd3'])
    expect(
      run(chosen({ Type: 3, ProjectId: 1, DeviceIds: null }), [
        [1, 0, 11],
        [11, 1, 11],
        [21, 2, 11],
      ]).map((e) => e.key),
    ).toEqual(['d1', 'd2'])
  })
})

it('after a restart, a reading from before the device’s clock was set back no longer counts', () => {
  const applied = compile(5, 1, configure([{ TriggerCondition: 2, Duration: 60 }]), plant)
  const first = new Rules()
  first.put(applied, base)
  const hour = 3600
  const [ahead, back, next] = stored([
    [1, hour, 5],
    [1, 1, 11],
    [1, 2, 11],
  ])
  first.judge([ahead!], base)
  const settled = { point: 1, quality: 0, n: 1, ...first.newest(1)! }
  first.take()
  first.judge([back!], base + 1000)
  const second = new Rules()
  second.import(
    2,
    first.take().map((id) => first.state(id)!),
  )
  second.put(applied, base)
  second.witness([settled])
  expect(second.judge([next!], base + 2000)).toEqual([])
  expect([...second.tick(base + 60_000), ...second.tick(base + 61_000)].map((e) => [e.kind, e.time - base])).toEqual([['raised', 61_000]])
})
