// Conditions under which a rule raises: groups of conditions, as data. Server and console share these checks.
import { type Static, type TSchema, Type } from 'typebox'
import { cronFault } from '../../../contract/cron.ts'
import { Id } from '../../../contract/resource.ts'
import type { Message } from '../../../contract/validators.ts'

const codes = <T extends number>(...of: T[]) => Type.Unsafe<T>(Type.Union(of.map((v) => Type.Literal(v))))
const maybe = <S extends TSchema>(schema: S) => Type.Optional(Type.Union([schema, Type.Null()]))
const Seconds = Type.Integer({ minimum: 1, maximum: 31_536_000 })
const date = '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$'
const time = '^([01]\\d|2[0-3]):[0-5]\\d$'

/** 1 and, 2 or. */
export const Logic = { and: 1, or: 2 } as const
/** 1 the value, 2 a change between two readings, 3 no reading for Duration, 4 the value, checked every Duration. */
export const Style = { value: 1, change: 2, noData: 3, timer: 4 } as const
/** 1 immediately, 2 lasting for Duration, 3 Frequency times within Duration. */
export const Trigger = { once: 1, lasting: 2, times: 3 } as const
/** = ≠ > ≥ < ≤, between (both ends count), outside. */
export const Operator = { equal: 1, notEqual: 2, above: 3, atLeast: 4, below: 5, atMost: 6, between: 7, outside: 8 } as const
/** 0 always, 1 in windows of date, weekday and time, 2 evaluated once at each time of a cron expression. */
export const Enable = { always: 0, window: 1, cron: 2 } as const
/** Limits of a condition, as lines on a curve. */
export const curveLimits = (op: number | null | undefined, a: number | null | undefined, b: number | null | undefined) => {
  const [first, second] = [a ?? null, b ?? null]
  const isLow = op === Operator.below || op === Operator.atMost || second !== null
  return isLow ? { AlarmLow: first, AlarmHigh: second } : { AlarmLow: null, AlarmHigh: first }
}
/** Devices: 1 chosen, 2 all of a model within the rule's project, 3 all of a project. */
export const Selection = { chosen: 1, model: 2, project: 3 } as const

const AlarmParam = Type.Object({
  /** With a device selection, the point is identified by its name. */
  ParaId: maybe(Id),
  DeviceId: maybe(Id),
  ParaName: maybe(Type.String({ maxLength: 50 })),
  ParaDataType: maybe(Type.Integer()),
})
const DeviceSelection = Type.Object({
  Type: codes(1, 2, 3),
  ModelId: maybe(Id),
  ProjectId: maybe(Id),
  DeviceIds: maybe(Type.Array(Id, { maxItems: 10_000 })),
})
const Condition = Type.Object({
  TriggerStyle: codes(1, 2, 3, 4),
  TriggerCondition: codes(1, 2, 3),
  /** s */
  Duration: maybe(Seconds),
  Frequency: maybe(Type.Integer({ minimum: 2, maximum: 1000 })),
  OperateSymbol: maybe(codes(1, 2, 3, 4, 5, 6, 7, 8)),
  AlarmParams: Type.Array(AlarmParam, { minItems: 1, maxItems: 1000 }),
  ParamValue: maybe(Type.Number()),
  ParamValue2: maybe(Type.Number()),
  /** Distance by which the value must return before the condition ends, in the point's unit. */
  Deadband: maybe(Type.Number({ minimum: 0 })),
  DeviceSelection: maybe(DeviceSelection),
})
const EnableRule = Type.Object({
  /** IANA name; windows and cron use this time zone. */
  TimeZone: Type.String({ maxLength: 64 }),
  StartDate: maybe(Type.String({ pattern: date })),
  EndDate: maybe(Type.String({ pattern: date })),
  /** 1 = Sunday to 7 = Saturday, as in cron. */
  Weeks: maybe(Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), { maxItems: 7 })),
  Cron: maybe(Type.String({ maxLength: 200 })),
  /** An end that is not after the start is on the next day. */
  StartTime: maybe(Type.String({ pattern: time })),
  EndTime: maybe(Type.String({ pattern: time })),
})
export const RuleConfigure = Type.Object({
  LogicSymbol: codes(1, 2),
  EnableType: codes(0, 1, 2),
  EnableRule: maybe(EnableRule),
  RuleList: Type.Array(Type.Object({ LogicSymbol: codes(1, 2), Conditions: Type.Array(Condition, { minItems: 1, maxItems: 20 }) }), {
    minItems: 1,
    maxItems: 10,
  }),
  /** Time without the condition before the alarm clears, s; immediately if empty. */
  HoldOff: maybe(Type.Integer({ minimum: 1, maximum: 86_400 })),
  /** Values from which the alarm has a higher level. */
  Severity: maybe(Type.Array(Type.Object({ AlarmLevel: codes(2, 3), ParamValue: Type.Number() }), { maxItems: 2 })),
})
export type RuleConfigure = Static<typeof RuleConfigure>
export type RuleCondition = Static<typeof Condition>

/** Maximum points over all conditions of a rule with several conditions: one reading may have to visit each of them. */
export const mostSlots = 500
export const slotsOf = ({ RuleList }: RuleConfigure): number => {
  const conditions = RuleList.flatMap((group) => group.Conditions)
  // A rule with a single condition evaluates each point separately.
  return conditions.length > 1 ? conditions.reduce((sum, c) => sum + c.AlarmParams.length, 0) : 0
}

/** A fault at `RuleList.0.Conditions.1.ParamValue`; words at its key. */
export type ConfigureFault = { Path: string } & Message

const missing = (v: unknown) => v === null || v === undefined || (Array.isArray(v) && !v.length)
/** Digits before and after the point, leading zeros aside (rule of the specification: at most 15). */
export const digitsOf = (value: number): number => {
  const [plain = ''] = Math.abs(value).toLocaleString('en', { useGrouping: false, maximumSignificantDigits: 21 }).split('e')
  return plain.replace('.', '').replace(/^0+/, '').length
}

/** Whether this machine knows the IANA name. */
export const zoneKnown = (zone: string) => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }))
  } catch {
    return false
  }
}

type Say = (path: string, key: string, values?: Message['values']) => void
const fieldsOfCondition = ['Duration', 'Frequency', 'OperateSymbol', 'ParamValue', 'ParamValue2', 'Deadband'] as const

/** The fields that a condition needs. Any other field is refused, because it would have no effect. */
export const fieldsNeeded = ({ TriggerStyle: style, TriggerCondition: trigger, OperateSymbol: op }: RuleCondition): string[] => [
  ...(style === Style.noData || style === Style.timer || trigger !== Trigger.once ? ['Duration'] : []),
  ...(trigger === Trigger.times ? ['Frequency'] : []),
  ...(style === Style.noData ? [] : ['OperateSymbol', 'ParamValue']),
  ...(style !== Style.noData && (op ?? 0) >= Operator.between ? ['ParamValue2'] : []),
]

const checkCondition = (c: RuleCondition, bool: boolean, addFault: Say) => {
  const needed = fieldsNeeded(c)
  const allowed = [...needed, ...(c.TriggerStyle === Style.value && (c.OperateSymbol ?? 0) >= Operator.above ? ['Deadband'] : [])]
  for (const name of fieldsOfCondition) {
    if (needed.includes(name) && missing(c[name])) addFault(name, 'fault.field.required')
    if (!allowed.includes(name) && !missing(c[name])) addFault(name, 'alarmRule.fault.unused')
  }
  const triggers: Record<number, readonly number[]> = { 1: [1, 2, 3], 2: [1, 3], 3: [1], 4: [1] }
  if (!triggers[c.TriggerStyle]!.includes(c.TriggerCondition)) addFault('TriggerCondition', 'alarmRule.fault.trigger')
  for (const name of ['ParamValue', 'ParamValue2', 'Deadband'] as const)
    if (typeof c[name] === 'number' && digitsOf(c[name]) > 15) addFault(name, 'alarmRule.fault.digits')
  if (typeof c.ParamValue === 'number' && typeof c.ParamValue2 === 'number' && c.ParamValue2 <= c.ParamValue)
    addFault('ParamValue2', 'alarmRule.fault.order')
  if (!bool || missing(c.OperateSymbol)) return
  if (c.OperateSymbol! > Operator.notEqual) addFault('OperateSymbol', 'alarmRule.fault.boolOperator')
  if (!missing(c.ParamValue) && c.ParamValue !== 0 && c.ParamValue !== 1) addFault('ParamValue', 'alarmRule.fault.boolValue')
}

const checkSelection = (c: RuleCondition, addFault: Say) => {
  const s = c.DeviceSelection
  for (const [i, p] of c.AlarmParams.entries()) {
    if (s ? !p.ParaName : missing(p.ParaId)) addFault(`AlarmParams.${i}.${s ? 'ParaName' : 'ParaId'}`, 'fault.field.required')
    if (s && !missing(p.ParaId)) addFault(`AlarmParams.${i}.ParaId`, 'alarmRule.fault.unused')
  }
  const named = c.AlarmParams.map((p) => (s ? p.ParaName : p.ParaId) ?? null)
  const again = named.findIndex((name, i) => name !== null && named.indexOf(name) < i)
  if (again >= 0) addFault(`AlarmParams.${again}.${s ? 'ParaName' : 'ParaId'}`, 'alarmRule.fault.repeated')
  if (!s) return
  const needs: readonly string[] = { 1: ['DeviceIds'], 2: ['ModelId', 'ProjectId'], 3: ['ProjectId'] }[s.Type]
  for (const name of ['DeviceIds', 'ModelId', 'ProjectId'] as const) {
    if (needs.includes(name) && missing(s[name])) addFault(`DeviceSelection.${name}`, 'fault.field.required')
    if (!needs.includes(name) && !missing(s[name])) addFault(`DeviceSelection.${name}`, 'alarmRule.fault.unused')
  }
}

const checkEnable = ({ EnableType, EnableRule: e }: RuleConfigure, addFault: Say) => {
  const all = ['StartDate', 'EndDate', 'Weeks', 'Cron', 'StartTime', 'EndTime'] as const
  if (EnableType === Enable.always) return void (e && addFault('EnableRule', 'alarmRule.fault.unused'))
  if (!e) return addFault('EnableRule', 'fault.field.required')
  if (!zoneKnown(e.TimeZone)) addFault('EnableRule.TimeZone', 'alarmRule.fault.zone')
  const used = EnableType === Enable.cron ? ['Cron'] : all.filter((name) => name !== 'Cron')
  for (const name of all) if (!used.includes(name) && !missing(e[name])) addFault(`EnableRule.${name}`, 'alarmRule.fault.unused')
  if (EnableType === Enable.cron) {
    const fault = e.Cron ? cronFault(e.Cron) : { key: 'fault.field.required', values: {} }
    if (fault) addFault('EnableRule.Cron', fault.key, fault.values)
    return
  }
  if (used.every((name) => missing(e[name as 'Weeks']))) addFault('EnableRule.StartTime', 'alarmRule.fault.window')
  if (missing(e.StartTime) !== missing(e.EndTime))
    addFault(`EnableRule.${missing(e.StartTime) ? 'StartTime' : 'EndTime'}`, 'fault.field.required')
  if (e.StartDate && e.EndDate && e.EndDate < e.StartDate) addFault('EnableRule.EndDate', 'alarmRule.fault.order')
}

const checkSeverity = (c: RuleConfigure, level: number, addFault: Say) => {
  if (missing(c.Severity)) return
  const only = c.RuleList.length === 1 && c.RuleList[0]!.Conditions.length === 1 ? c.RuleList[0]!.Conditions[0]! : undefined
  const op = only?.TriggerStyle === Style.value ? (only.OperateSymbol ?? 0) : 0
  if (op < Operator.above || op > Operator.atMost) return addFault('Severity', 'alarmRule.fault.severity')
  let before = { AlarmLevel: level, ParamValue: only!.ParamValue ?? 0 }
  for (const [i, step] of c.Severity!.entries()) {
    if (step.AlarmLevel <= before.AlarmLevel) addFault(`Severity.${i}.AlarmLevel`, 'alarmRule.fault.severityOrder')
    const further = op <= Operator.atLeast ? step.ParamValue > before.ParamValue : step.ParamValue < before.ParamValue
    if (!further) addFault(`Severity.${i}.ParamValue`, 'alarmRule.fault.severityOrder')
    before = step
  }
}

/**
 * Faults of a configuration that matches its schema. `isBool`: whether a point is two-valued, by id or, in a selection, by name.
 * Sources: business areas 5 (Bool, 15 digits, cron), design domain 4 (b).
 */
export const configureFaults = (
  configure: RuleConfigure,
  { level, isBool }: { level: number; isBool: (param: Static<typeof AlarmParam>) => boolean },
): ConfigureFault[] => {
  const faults: ConfigureFault[] = []
  const at =
    (prefix: string): Say =>
    (path, key, values = {}) =>
      void faults.push({ Path: prefix + path, key, values })
  checkEnable(configure, at(''))
  for (const [g, group] of configure.RuleList.entries())
    for (const [c, condition] of group.Conditions.entries()) {
      const addFault = at(`RuleList.${g}.Conditions.${c}.`)
      checkCondition(condition, condition.AlarmParams.some(isBool), addFault)
      checkSelection(condition, addFault)
    }
  checkSeverity(configure, level, at(''))
  // A rule that is evaluated only at cron times cannot detect a clear in between.
  if (configure.EnableType === Enable.cron && !missing(configure.HoldOff)) at('')('HoldOff', 'alarmRule.fault.unused')
  return faults
}
