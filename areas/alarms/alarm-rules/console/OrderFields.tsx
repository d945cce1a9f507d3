import { Select } from 'antd'
import { useCall } from '../../../../console/kernel/api.ts'
import { useWords } from '../../../../console/words/words.ts'
import { alarmRuleCalls } from '../contract.ts'
import type { Effects } from './ActionFields.tsx'
import { peopleOptions } from './pushDraft.ts'

type Action = Effects['ActionExecution'][number]
type Props = { value: Action; onChange: (next: Action) => void; project: number | undefined }

/** Assignee and urgency of an order that a rule opens. Without an assignee, the order waits for a planner. */
export const OrderFields = ({ value, onChange, project }: Props) => {
  const t = useWords()
  const query = project ? { ProjectId: project } : {}
  const users = useCall(alarmRuleCalls.users, { query, of: ['user'] })
  const known = useCall(alarmRuleCalls.audience, { query, of: ['alarmRoster'] })
  const chosen = value.UserId ? `u${value.UserId}` : value.TeamId ? `t${value.TeamId}` : undefined
  const people = peopleOptions(users.data, value.UserId ? [value.UserId] : []).map((o) => ({ ...o, value: `u${o.value}` }))
  const teams = known.data?.Rosters.map(({ Id, Name }) => ({ value: `t${Id}`, label: Name })) ?? []
  const choose = (next: string | undefined) => {
    const { UserId: _, TeamId: __, DepartmentId: ___, ...rest } = value
    const id = Number(next?.slice(1))
    onChange({ ...rest, ...(next ? (next.startsWith('u') ? { UserId: id } : { TeamId: id }) : {}) })
  }
  return (
    <>
      <Select<string>
        allowClear
        showSearch={{ optionFilterProp: 'label' }}
        value={chosen as never}
        placeholder={t('rules.orderWhom')}
        aria-label={t('rules.orderWhom')}
        options={[...people, ...teams]}
        onChange={(next?: string) => choose(next)}
        style={{ minWidth: 200 }}
      />
      <Select<1 | 2 | 3>
        allowClear
        value={value.Urgency as never}
        placeholder={t('rules.orderUrgency')}
        aria-label={t('mtnMaintenanceOrder.Urgency')}
        options={([1, 2, 3] as const).map((v) => ({ value: v, label: t(`mtnMaintenanceOrder.Urgency.${v}`) }))}
        onChange={(Urgency?: 1 | 2 | 3) => {
          const { Urgency: _, ...rest } = value
          onChange({ ...rest, ...(Urgency ? { Urgency } : {}) })
        }}
        style={{ minWidth: 160 }}
      />
    </>
  )
}
