// Converts engine events to changes of alarm rows.

import { limitLevel } from '../../../../contract/telemetry.ts'
import type { PointMeta } from '../../../../server/telemetry/sample.ts'
import { Operator, type RuleConfigure, Style } from '../../alarm-rules/alarm-configure.ts'
import type { AlarmEvent } from './alarming/engine.ts'
import type { RuleEvent } from './alarming/rules/engine.ts'

/** The comparison of an alarm, as in a rule condition; all null without a single comparison. */
export type Terms = {
  TriggerStyle: number | null
  OperateSymbol: number | null
  /** The limit or the lower end of the band, and the upper end. */
  LimitValue: number | null
  LimitValue2: number | null
}
const noTerms: Terms = { TriggerStyle: null, OperateSymbol: null, LimitValue: null, LimitValue2: null }

export type AlarmRow = {
  EnterpriseId: number
  ProjectId: number | null
  GatewayId: number | null
  DeviceId: number | null
  ParaId: number | null
  Limit: string | null
  RuleName: string
  RuleType: number
  /** 1 device, 2 gateway, 4 cold room. */
  AlarmType: number
  AlarmLevel: number
  /** 1 first, 2 in turn, 3 last. */
  Priority: number
  AlmRuleId: number | null
  AlmPlanId: number | null
  /** For a gateway alarm: 1 offline, 2 power, 3 storage, 4 firmware. */
  GatewayFault: number | null
  Snapshot: unknown
  TriggerValue: number | null
} & Terms

export type AlarmChange = {
  /** `joined`: another alarm replaces it from this time. */
  kind: 'raised' | 'recovered' | 'level' | 'joined'
  /** Subject of the alarm; it has at most one active alarm. */
  subject: string
  /** Epoch ms. */
  time: number
  value: number | null
  level: number
  /** The extreme value; null if unknown. */
  extreme: number | null
  /** For a level change: the new comparison. */
  terms?: Terms | undefined
  /** The row of a raised alarm; undefined if its point or rule has been removed. */
  row?: AlarmRow | undefined
}

type MetaOf = (point: number) => PointMeta | undefined
const placeColumns = ({ EnterpriseId, ProjectId, GatewayId, DeviceId, Id }: PointMeta) => ({
  EnterpriseId,
  ProjectId,
  GatewayId,
  DeviceId,
  ParaId: Id,
})
const standard = {
  ...{ RuleType: 1, AlarmType: 1, AlarmLevel: limitLevel, Priority: 2, AlmRuleId: null, AlmPlanId: null },
  ...{ GatewayFault: null, Snapshot: null, Limit: null, ...noTerms },
}

/** Language-neutral name of a limit: `Outlet pressure > 8.5`. */
export const ofLimit = (e: AlarmEvent, metaOf: MetaOf): AlarmChange => {
  const meta = e.kind === 'raised' ? metaOf(e.point) : undefined
  const RuleName = `${meta?.ParaName} ${e.limit === 'high' ? '>' : '<'} ${e.limitValue}`
  const terms = { TriggerStyle: Style.value, OperateSymbol: e.limit === 'high' ? Operator.above : Operator.below, LimitValue: e.limitValue }
  return {
    ...{
      kind: e.kind,
      subject: `l${e.point} ${e.limit}`,
      time: e.time,
      value: e.value,
      level: standard.AlarmLevel,
      extreme: e.extreme ?? null,
    },
    row: meta && { ...standard, ...placeColumns(meta), ...terms, RuleName, Limit: e.limit, TriggerValue: e.value },
  }
}

/** Fields that an alarm copies from its rule. */
export type RuleMeta = {
  Id: number
  EnterpriseId: number
  RuleName: string
  RuleType: number
  AlarmType: number
  Priority: number
  AlmPlanId: number | null
  RuleConfigure: RuleConfigure
}

/** For a rule with a single condition, at a level: each level has its own limit. */
export const termsOf = ({ RuleList, Severity }: RuleConfigure, level: number): Terms => {
  const only = RuleList.length === 1 && RuleList[0]!.Conditions.length === 1 ? RuleList[0]!.Conditions[0]! : undefined
  if (!only) return noTerms
  if (only.TriggerStyle === Style.noData) return { ...noTerms, TriggerStyle: Style.noData }
  const step = Severity?.find((s) => s.AlarmLevel === level)
  return {
    ...{
      TriggerStyle: only.TriggerStyle,
      OperateSymbol: only.OperateSymbol ?? null,
      LimitValue: step?.ParamValue ?? only.ParamValue ?? null,
    },
    LimitValue2: (only.OperateSymbol ?? 0) >= Operator.between ? (only.ParamValue2 ?? null) : null,
  }
}

export const ofRule = (e: RuleEvent, rule: RuleMeta | undefined, metaOf: MetaOf): AlarmChange => {
  const meta = e.kind === 'raised' && rule ? metaOf(e.point) : undefined
  return {
    ...{ kind: e.kind, subject: `r${e.rule} ${e.key}`, time: e.time, value: e.value, level: e.level, extreme: e.extreme ?? null },
    terms: e.kind === 'level' && rule ? termsOf(rule.RuleConfigure, e.level) : undefined,
    row: meta &&
      rule && {
        ...standard,
        ...placeColumns(meta),
        ...{ RuleName: rule.RuleName, RuleType: rule.RuleType, AlarmType: rule.AlarmType, AlmRuleId: rule.Id, AlmPlanId: rule.AlmPlanId },
        ...termsOf(rule.RuleConfigure, e.level),
        ...{ AlarmLevel: e.level, Priority: rule.Priority, Snapshot: e.snapshot.slice(0, 100), TriggerValue: e.value },
      },
  }
}

/** A gateway fault. An offline alarm replaces the alarms of the gateway's devices. */
export const ofGateway = (
  { Id, EnterpriseId, ProjectId, GatewayName }: { Id: number; EnterpriseId: number; ProjectId: number; GatewayName: string },
  GatewayFault: number,
  fault: string,
  kind: 'raised' | 'recovered',
  time: number,
  { level = 2, value = null as number | null, limit = null as number | null } = {},
): AlarmChange => ({
  ...{ kind, subject: `g${Id} ${fault}`, time, value, level, extreme: null },
  row:
    kind === 'raised'
      ? {
          ...standard,
          ...{ EnterpriseId, ProjectId, GatewayId: Id, DeviceId: null, ParaId: null, GatewayFault },
          ...{ RuleName: `${GatewayName}: ${fault}`, AlarmType: 2, AlarmLevel: level, TriggerValue: value },
          ...(limit === null ? {} : { TriggerStyle: Style.value, OperateSymbol: Operator.atLeast, LimitValue: limit }),
        }
      : undefined,
})
