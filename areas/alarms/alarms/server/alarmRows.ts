// Events of the engines as changes of alarm rows.

import type { PointMeta } from '../../../../server/telemetry/sample.ts'
import type { AlarmEvent } from './alarming/engine.ts'
import type { RuleEvent } from './alarming/rules/engine.ts'

export type AlarmRow = {
  EnterpriseId: number
  ProjectId: number | null
  GatewayId: number | null
  DeviceId: number | null
  ParaId: number | null
  Limit: string | null
  RuleName: string
  RuleType: number
  /** 1 device, 2 gateway. */
  AlarmType: number
  AlarmLevel: number
  /** 1 first, 2 in turn, 3 last. */
  Priority: number
  AlmRuleId: number | null
  AlmPlanId: number | null
  /** Of an alarm of a gateway: 1 offline, 2 power, 3 storage, 4 firmware. */
  GatewayFault: number | null
  Snapshot: unknown
  LimitValue: number | null
  TriggerValue: number | null
}

export type AlarmChange = {
  kind: 'raised' | 'recovered' | 'level'
  /** What the alarm is about; it has at most one active alarm. */
  subject: string
  /** Epoch ms. */
  time: number
  value: number | null
  level: number
  /** The row of a raised alarm; missing when its point or rule was removed in between. */
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
  ...{ RuleType: 1, AlarmType: 1, AlarmLevel: 2, Priority: 2, AlmRuleId: null, AlmPlanId: null },
  ...{ GatewayFault: null, Snapshot: null, Limit: null },
}

/** Language-neutral name of a limit: `Outlet pressure > 8.5`. */
export const ofLimit = (e: AlarmEvent, metaOf: MetaOf): AlarmChange => {
  const meta = e.kind === 'raised' ? metaOf(e.point) : undefined
  const RuleName = `${meta?.ParaName} ${e.limit === 'high' ? '>' : '<'} ${e.limitValue}`
  return {
    ...{ kind: e.kind, subject: `l${e.point} ${e.limit}`, time: e.time, value: e.value, level: standard.AlarmLevel },
    row: meta && { ...standard, ...placeColumns(meta), RuleName, Limit: e.limit, LimitValue: e.limitValue, TriggerValue: e.value },
  }
}

/** What an alarm takes from its rule. */
export type RuleMeta = {
  Id: number
  EnterpriseId: number
  RuleName: string
  RuleType: number
  Priority: number
  AlmPlanId: number | null
  LimitValue: number | null
}

export const ofRule = (e: RuleEvent, rule: RuleMeta | undefined, metaOf: MetaOf): AlarmChange => {
  const meta = e.kind === 'raised' && rule ? metaOf(e.point) : undefined
  return {
    ...{ kind: e.kind, subject: `r${e.rule} ${e.key}`, time: e.time, value: e.value, level: e.level },
    row: meta &&
      rule && {
        ...standard,
        ...placeColumns(meta),
        ...{ RuleName: rule.RuleName, RuleType: rule.RuleType, LimitValue: rule.LimitValue, AlmRuleId: rule.Id, AlmPlanId: rule.AlmPlanId },
        ...{ AlarmLevel: e.level, Priority: rule.Priority, Snapshot: e.snapshot.slice(0, 100), TriggerValue: e.value },
      },
  }
}

/** A fault of a gateway. Being offline replaces the alarms of its devices. */
export const ofGateway = (
  { Id, EnterpriseId, ProjectId, GatewayName }: { Id: number; EnterpriseId: number; ProjectId: number; GatewayName: string },
  GatewayFault: number,
  fault: string,
  kind: 'raised' | 'recovered',
  time: number,
  { level = 2, value = null as number | null, limit = null as number | null } = {},
): AlarmChange => ({
  ...{ kind, subject: `g${Id} ${fault}`, time, value, level },
  row:
    kind === 'raised'
      ? {
          ...standard,
          ...{ EnterpriseId, ProjectId, GatewayId: Id, DeviceId: null, ParaId: null, GatewayFault },
          ...{ RuleName: `${GatewayName}: ${fault}`, AlarmType: 2, AlarmLevel: level, LimitValue: limit, TriggerValue: value },
        }
      : undefined,
})
