// State of the rule editor. Pure.
import { Enable, fieldsNeeded, Operator, type RuleCondition, type RuleConfigure, Style, Trigger } from '../alarm-configure.ts'

export const emptyCondition: RuleCondition = { TriggerStyle: 1, TriggerCondition: 1, OperateSymbol: 3, ParamValue: null, AlarmParams: [] }

export const emptyConfigure: RuleConfigure = {
  LogicSymbol: 1,
  EnableType: 0,
  RuleList: [{ LogicSymbol: 1, Conditions: [emptyCondition] }],
}

/** Initial conditions to choose from, without points. */
export const templates: Record<string, Partial<RuleCondition>> = {
  tooHigh: { TriggerStyle: 1, TriggerCondition: 2, Duration: 60, OperateSymbol: Operator.above },
  tooLow: { TriggerStyle: 1, TriggerCondition: 2, Duration: 60, OperateSymbol: Operator.below },
  outOfRange: { TriggerStyle: 1, TriggerCondition: 1, OperateSymbol: Operator.outside },
  switchedOn: { TriggerStyle: 1, TriggerCondition: 1, OperateSymbol: Operator.equal, ParamValue: 1 },
  flapping: { TriggerStyle: 2, TriggerCondition: 3, Duration: 600, Frequency: 10, OperateSymbol: Operator.above, ParamValue: 0 },
  noData: { TriggerStyle: 3, TriggerCondition: 1, Duration: 300 },
}

const triggers: Record<number, readonly (1 | 2 | 3)[]> = { 1: [1, 2, 3], 2: [1, 3], 3: [1], 4: [1] }
export const triggersOf = ({ TriggerStyle }: RuleCondition) => triggers[TriggerStyle]!
export const isBool = (c: RuleCondition) => c.AlarmParams.some((p) => p.ParaDataType === 0)
export const operatorsOf = (c: RuleCondition): readonly number[] => (isBool(c) ? [1, 2] : [3, 4, 5, 6, 1, 2, 7, 8])
export const hasDeadband = (c: RuleCondition) => c.TriggerStyle === Style.value && (c.OperateSymbol ?? 0) >= Operator.above

/** A condition after a change: clears fields that the new choice does not use, and initializes those it needs. */
export const settled = (c: RuleCondition): RuleCondition => {
  const next: RuleCondition = { ...c }
  if (!triggersOf(next).includes(next.TriggerCondition)) next.TriggerCondition = Trigger.once
  if (next.TriggerStyle !== Style.noData && !next.OperateSymbol) next.OperateSymbol = Operator.above
  if (next.OperateSymbol && next.TriggerStyle !== Style.noData && !operatorsOf(next).includes(next.OperateSymbol))
    next.OperateSymbol = Operator.equal
  const needed = fieldsNeeded(next)
  for (const name of ['Duration', 'Frequency', 'OperateSymbol', 'ParamValue', 'ParamValue2'] as const)
    if (!needed.includes(name)) next[name] = null
  if (!hasDeadband(next)) next.Deadband = null
  if (needed.includes('Duration')) next.Duration ??= 60
  if (needed.includes('Frequency')) next.Frequency ??= 3
  if (isBool(next) && needed.includes('ParamValue') && next.ParamValue !== 0) next.ParamValue = 1
  return next
}

/** Severity steps require a single condition on a value with a direction. */
export const mayStep = ({ RuleList }: RuleConfigure) => {
  const only = RuleList.length === 1 && RuleList[0]!.Conditions.length === 1 ? RuleList[0]!.Conditions[0]! : undefined
  const op = only?.TriggerStyle === Style.value ? (only.OperateSymbol ?? 0) : 0
  return op >= Operator.above && op <= Operator.atMost
}

/** The rule as sent to the server: without empty fields and ineffective parts. */
export const cleaned = (c: RuleConfigure): RuleConfigure => ({
  ...c,
  EnableRule: c.EnableType === 0 ? null : (c.EnableRule ?? null),
  HoldOff: c.EnableType === Enable.cron ? null : (c.HoldOff ?? null),
  Severity: mayStep(c) && c.Severity?.length ? c.Severity : null,
})

type Template = { TemplateName: string; RuleType: 1 | 2; AlarmLevel: 1 | 2 | 3; RuleConfigure: unknown }
/** Initial values of a rule from a template, without points. */
export const fromTemplate = ({ TemplateName, RuleType, AlarmLevel, RuleConfigure }: Template) => {
  const configure = RuleConfigure as RuleConfigure
  const RuleList = configure.RuleList.map((g) => ({ ...g, Conditions: g.Conditions.map((c) => ({ ...c, AlarmParams: [] })) }))
  return { RuleName: TemplateName.slice(0, 50), RuleType, AlarmLevel, RuleConfigure: { ...configure, RuleList } }
}
