import { expect, it } from 'vitest'
import {
  enableText,
  type Named,
  type NamedCondition,
  type NamedRule,
  readEnable,
  readSeverity,
  readText,
  severityText,
  textOf,
  Unreadable,
} from './text.ts'

const p: Named = { device: 'Pump 1', point: 'Pressure' }
const c = (more: Partial<NamedCondition> = {}): NamedCondition => ({
  points: [p],
  TriggerStyle: 1,
  TriggerCondition: 1,
  OperateSymbol: 3,
  ParamValue: 10,
  ...more,
})
const rule = (...conditions: NamedCondition[]): NamedRule => ({ LogicSymbol: 1, groups: [{ LogicSymbol: 1, conditions }] })

it.each([
  ['{Pump 1 / Pressure} > 10', rule(c())],
  [
    '{Pump 1 / Pressure} <= -0.5 back 0.25 for 60 s',
    rule(c({ OperateSymbol: 6, ParamValue: -0.5, Deadband: 0.25, TriggerCondition: 2, Duration: 60 })),
  ],
  [
    '{Pump 1 / Pressure} changes != 0 3 times in 90 s',
    rule(c({ TriggerStyle: 2, OperateSymbol: 2, ParamValue: 0, TriggerCondition: 3, Frequency: 3, Duration: 90 })),
  ],
  ['{Pump 1 / Pressure} silent 300 s', rule({ points: [p], TriggerStyle: 3, TriggerCondition: 1, Duration: 300 })],
  [
    '{Pump 1 / Pressure} every 30 s not in 1..1e-7',
    rule(c({ TriggerStyle: 4, Duration: 30, OperateSymbol: 8, ParamValue: 1, ParamValue2: 1e-7 })),
  ],
  ['{#12} + {Pump 1 / Pressure} in 1..5', rule(c({ points: [{ id: 12 }, p], OperateSymbol: 7, ParamValue: 1, ParamValue2: 5 }))],
  ['{* / Level} > 10', rule(c({ points: [{ devices: [], point: 'Level' }] }))],
  [
    '{* Pump P-100 / Level} > 10 or {* "Pump 5/7, east" / Run} > 10',
    {
      LogicSymbol: 1,
      groups: [
        {
          LogicSymbol: 2,
          conditions: [
            c({ points: [{ model: 'Pump P-100', point: 'Level' }] }),
            c({ points: [{ model: 'Pump 5/7, east', point: 'Run' }] }),
          ],
        },
      ],
    },
  ],
  [
    '{A, B / Level} > 10 and {A, / Run} > 10',
    rule(c({ points: [{ devices: ['A', 'B'], point: 'Level' }] }), c({ points: [{ devices: ['A'], point: 'Run' }] })),
  ],
  ['{"Line 1/2, ""east""" / " P"} > 10', rule(c({ points: [{ device: 'Line 1/2, "east"', point: ' P' }] }))],
  [
    '({Pump 1 / Pressure} > 10 or {泵 / 压力} > 10) and ({#3} > 10)',
    {
      LogicSymbol: 1,
      groups: [
        { LogicSymbol: 2, conditions: [c(), c({ points: [{ device: '泵', point: '压力' }] })] },
        { LogicSymbol: 1, conditions: [c({ points: [{ id: 3 }] })] },
      ],
    },
  ],
] as [string, NamedRule][])('%s is written and read', (text, parsed) => {
  expect(textOf(parsed)).toBe(text)
  expect(readText(text)).toEqual(parsed)
  expect(readText(` ${text.replaceAll(' ', '  ')} `)).toEqual(readText(text.replaceAll(' ', '  ')))
})

it.each([
  ['{Pump 1 / Pressure} >', ''],
  ['{Pump 1 / Pressure} above 10', 'above 10'],
  ['{Pump 1 / Pressure} > 10 and {#1} < 2 or {#2} > 3', 'or {#2} > 3'],
  ['Pump 1 > 10', 'Pump 1 > 10'],
  ['{Pump 1} > 1', '} > 1'],
  ['', ''],
])('%s cannot be read, and the position is reported', (text, at) => {
  expect(() => readText(text)).toThrow(new Unreadable(at))
})

it.each([
  ['', { EnableType: 0 }],
  [
    '08:00-18:00 days 2,3 from 2026-01-01 to 2026-12-31 Europe/Berlin',
    {
      EnableType: 1,
      EnableRule: {
        TimeZone: 'Europe/Berlin',
        StartTime: '08:00',
        EndTime: '18:00',
        Weeks: [2, 3],
        StartDate: '2026-01-01',
        EndDate: '2026-12-31',
      },
    },
  ],
  ['days 1,7 UTC', { EnableType: 1, EnableRule: { TimeZone: 'UTC', Weeks: [1, 7] } }],
  ['cron 0 0 8 ? * 2-6 Asia/Shanghai', { EnableType: 2, EnableRule: { Cron: '0 0 8 ? * 2-6', TimeZone: 'Asia/Shanghai' } }],
] as const)('when it watches: %s', (text, parsed) => {
  expect(enableText(parsed as never)).toBe(text)
  expect(readEnable(text)).toEqual(parsed)
})

it('levels by value', () => {
  const steps = [
    { AlarmLevel: 2, ParamValue: 80 },
    { AlarmLevel: 3, ParamValue: -90.5 },
  ] as const
  expect(severityText([...steps])).toBe('2: 80, 3: -90.5')
  expect(readSeverity('2: 80, 3: -90.5')).toEqual(steps)
  expect(readSeverity('')).toEqual([])
  expect(() => readSeverity('4: 1')).toThrow(Unreadable)
})
