// Every field of a rule's configuration has an effect: a change of any field changes the result on the same readings, or is refused.
import { expect, test } from 'vitest'
import type { Stored } from '../../../../../../server/telemetry/sample.ts'
import { configureFaults, RuleConfigure } from '../../../../alarm-rules/alarm-configure.ts'
import { compile } from './compile.ts'
import { Rules } from './engine.ts'
import { configure, plant } from './rules.fixture.ts'

const base = Date.UTC(2026, 5, 1, 12)
const minute = 60_000
/** Two in three values are multiples of 5, so that they equal limits exactly. */
const drawn = (random: number) => (random % 3 ? (random % 10) * 5 : (random % 95) / 2)
const readings: Stored[] = []
for (let m = 0, seed = 7, n = 0; m < 8 * 1440; m += 5 + (seed % 16)) {
  seed = (seed * 1103515245 + 12345) % 2147483648
  if (m % 1440 < 200) continue
  for (const point of [1, 2, 11])
    readings.push({ point, time: base + m * minute, value: drawn(Math.floor(seed / (1 + point * 37))), quality: 0, n: ++n })
}

const works = {
  ...plant,
  projectOf: () => 4,
  devicesOfProject: (project: number) => (project === 4 ? [1, 2] : []),
  devicesOfModel: (project: number, model: number) => (project === 4 && model === 6 ? [1] : []),
}
const found = (config: RuleConfigure) => {
  const engine = new Rules()
  const events = engine.put(compile(5, 1, config, works), base)
  for (const row of readings) events.push(...engine.tick(row.time - 1), ...engine.judge([row]))
  return JSON.stringify(events.map((e) => [e.kind, e.time, e.key, e.level, e.point]))
}
const isBool = ({ ParaId }: { ParaId?: number | null }) => (ParaId ?? 1) % 10 === 9
const isRefused = (config: RuleConfigure) => configureFaults(config, { level: 1, isBool }).length > 0

const window = {
  TimeZone: 'Europe/Berlin',
  StartDate: '2026-06-02',
  EndDate: '2026-06-07',
  Weeks: [2, 3, 4, 6],
  StartTime: '08:00',
  EndTime: '18:00',
}
const twice = [
  { LogicSymbol: 1 as const, Conditions: configure([{ ParamValue: 20 }, { AlarmParams: [{ ParaId: 2 }] }]).RuleList[0]!.Conditions },
]
const bases: Record<string, RuleConfigure> = {
  lasting: configure([{ TriggerCondition: 2, Duration: 1800, ParamValue: 15, Deadband: 3 }]),
  often: configure([{ TriggerCondition: 3, Duration: 7200, Frequency: 3, ParamValue: 20 }]),
  between: configure([{ OperateSymbol: 7, ParamValue: 10, ParamValue2: 30, Deadband: 2 }]),
  changing: configure([{ TriggerStyle: 2, ParamValue: 10 }]),
  silent: configure([{ TriggerStyle: 3, Duration: 900 }]),
  timed: configure([{ TriggerStyle: 4, Duration: 3600, ParamValue: 20 }]),
  stepped: configure([{ ParamValue: 10 }], {
    Severity: [
      { AlarmLevel: 2, ParamValue: 25 },
      { AlarmLevel: 3, ParamValue: 40 },
    ],
  }),
  windowed: configure([{ ParamValue: 20 }], { EnableType: 1, EnableRule: window }),
  cron: configure([{ ParamValue: 20 }], { EnableType: 2, EnableRule: { TimeZone: 'Asia/Kolkata', Cron: '0 0 0/2 * * ?' } }),
  heldOff: configure([{ ParamValue: 20 }], { HoldOff: 1800 }),
  grouped: {
    ...configure([]),
    RuleList: [...twice, { LogicSymbol: 2, Conditions: twice[0]!.Conditions.map((c) => ({ ...c, OperateSymbol: 5, ParamValue: 5 })) }],
  },
  selected: configure([{ AlarmParams: [{ ParaName: 'P1' }], DeviceSelection: { Type: 1, DeviceIds: [1] } }]),
  modelled: configure([{ AlarmParams: [{ ParaName: 'P1' }], DeviceSelection: { Type: 2, ModelId: 6, ProjectId: 4 } }]),
  everywhere: configure([{ AlarmParams: [{ ParaName: 'P1' }], DeviceSelection: { Type: 3, ProjectId: 4 } }]),
}

/** Taken from the point when a rule is saved, regardless of the request. */
const derived = new Set(['DeviceId', 'ParaDataType'])
/** A single group or condition has nothing to combine. */
const isIdle = (path: string, config: RuleConfigure) =>
  path.endsWith('LogicSymbol') &&
  (path === 'LogicSymbol' ? config.RuleList.length : config.RuleList[Number(path.split('.')[1])]!.Conditions.length) < 2

const others: Record<string, readonly unknown[]> = {
  TimeZone: ['America/Lima', 'Nowhere/None'],
  Cron: ['0 30 1/3 * * ?', 'never'],
  StartDate: ['2026-06-04', '2026-06-09'],
  EndDate: ['2026-06-04', '2026-06-01'],
  StartTime: ['11:00', '19:00'],
  EndTime: ['13:00', '08:00'],
  Weeks: [[2], [1, 7]],
  ParaName: ['P2', ''],
  ParaId: [2, 11],
  DeviceIds: [[2], [1, 2], []],
  EnableType: [0, 1, 2],
  OperateSymbol: [1, 2, 3, 4, 5, 6, 7, 8],
  TriggerStyle: [1, 2, 3, 4],
  TriggerCondition: [1, 2, 3],
  LogicSymbol: [1, 2],
  Type: [1, 2, 3],
  AlarmLevel: [2, 3],
}
const changesOf = (name: string, value: unknown): readonly unknown[] =>
  (others[name] ?? [Number(value) * 2 + 1, null]).filter((other) => JSON.stringify(other) !== JSON.stringify(value))

type Leaf = { path: string; name: string; value: unknown }
const leavesOf = (value: unknown, path: string[] = []): Leaf[] => {
  const name = path.at(-1) ?? ''
  if (value === null || typeof value !== 'object' || name === 'Weeks' || name === 'DeviceIds')
    return [{ path: path.join('.'), name, value }]
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]))
}
const changed = (config: RuleConfigure, path: string, value: unknown): RuleConfigure => {
  const copy = structuredClone(config)
  const keys = path.split('.')
  const holder = keys.slice(0, -1).reduce<Record<string, unknown>>((at, key) => at[key] as Record<string, unknown>, copy as never)
  holder[keys.at(-1)!] = value
  return copy
}

const cases = Object.entries(bases).flatMap(([base, config]) =>
  leavesOf(config)
    .filter(({ name, path }) => !derived.has(name) && !isIdle(path, config))
    .map(({ path, name, value }) => ({ base, path, name, value })),
)

test.each(cases)('$base: $path', ({ base, path, name, value }) => {
  const config = bases[base]!
  expect(isRefused(config)).toBe(false)
  const before = found(config)
  expect(before).not.toBe('[]')
  for (const other of changesOf(name, value)) {
    const next = changed(config, path, other)
    if (!isRefused(next)) expect(found(next), `${path} = ${JSON.stringify(other)}`).not.toBe(before)
  }
})

test('every field of the schema is among them', () => {
  type Schema = { properties?: Record<string, Schema>; items?: Schema; anyOf?: Schema[] }
  const fields = (s: Schema): string[] => [
    ...Object.entries(s.properties ?? {}).flatMap(([name, inner]) => {
      const own = fields(inner)
      return own.length ? own : [name]
    }),
    ...(s.items ? fields(s.items) : []),
    ...(s.anyOf ?? []).flatMap(fields),
  ]
  const tried = new Set(cases.map((c) => c.name))
  expect(fields(RuleConfigure as never).filter((name) => !tried.has(name) && !derived.has(name))).toEqual([])
})
