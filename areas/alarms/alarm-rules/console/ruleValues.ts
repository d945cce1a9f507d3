// Form values of the rule editor.
import type { Shown } from '../../../../console/kernel/api.ts'
import type { RuleConfigure } from '../alarm-configure.ts'
import type { AlarmPush } from '../alarm-push.ts'
import type { alarmRule } from '../contract.ts'
import type { Effects } from './ActionFields.tsx'
import { emptyConfigure } from './draft.ts'
import { emptyPush } from './pushDraft.ts'

export type Rule = Shown<typeof alarmRule>
export type RuleValues = {
  RuleName: string
  AlarmLevel: 1 | 2 | 3
  RuleType: 1 | 2
  Status: 0 | 1
  Remark: string
  RuleConfigure: RuleConfigure
  IsSend: 0 | 1
  Priority: 1 | 2 | 3
  AlmPlanId: number | null
  AlarmPush: AlarmPush
} & Effects

export const startOf = (row: Rule | undefined): RuleValues => ({
  RuleName: row?.RuleName ?? '',
  AlarmLevel: row?.AlarmLevel ?? 2,
  RuleType: row?.RuleType ?? 1,
  Status: row?.Status ?? 1,
  Remark: row?.Remark ?? '',
  IsSend: row?.IsSend ?? 0,
  Priority: row?.Priority ?? 2,
  AlmPlanId: row?.AlmPlanId ?? null,
  AlarmPush: (row?.AlarmPush as AlarmPush | null | undefined) ?? emptyPush,
  DeviceControl: (row?.DeviceControl as Effects['DeviceControl'] | null | undefined) ?? [],
  ActionExecution: (row?.ActionExecution as Effects['ActionExecution'] | null | undefined) ?? [],
  RuleConfigure: (row?.RuleConfigure as RuleConfigure | undefined) ?? emptyConfigure,
})
