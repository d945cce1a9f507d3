import type { ListProps } from '../../../../console/kernel/ResourceList.tsx'
import type { almTemplate } from '../../alarm-settings/contract.ts'
import type { RuleConfigure } from '../alarm-configure.ts'
import { ConditionsInput } from './ConditionsInput.tsx'
import { summaryOf } from './summary.ts'

export const inputs = { RuleConfigure: ConditionsInput }
export const cells: ListProps<typeof almTemplate>['cells'] = {
  RuleConfigure: (row, t) => <span className="rule-sentence">{summaryOf(row.RuleConfigure as RuleConfigure, t)}</span>,
}
