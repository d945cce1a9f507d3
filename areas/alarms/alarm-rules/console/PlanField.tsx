import { Select } from 'antd'
import { useCall } from '../../../../console/kernel/api.ts'
import { useWords } from '../../../../console/words/words.ts'
import { alarmRuleCalls } from '../contract.ts'
import { Field } from './Field.tsx'

type Props = { value: number | null; onChange: (value: number | null) => void; project: number | undefined }

/** The response plan of the rule's alarms; hidden if the tenant has no plans. */
export const PlanField = ({ value, onChange, project }: Props) => {
  const t = useWords()
  const { data } = useCall(alarmRuleCalls.plans, { query: project ? { ProjectId: project } : {}, of: ['alarmPlan'] })
  if (!data?.length && value === null) return null
  return (
    <Field label={t('alarmRule.AlmPlanId')}>
      {(id) => (
        <Select<number>
          id={id}
          allowClear
          showSearch={{ optionFilterProp: 'label' }}
          value={value ?? undefined}
          placeholder={t('rules.noPlan')}
          options={(data ?? []).map((p) => ({ value: p.Id, label: p.PlanName }))}
          onChange={(plan?: number) => onChange(plan ?? null)}
        />
      )}
    </Field>
  )
}
