import { Select } from 'antd'
import { useCall } from '../../../../console/kernel/api.ts'
import { useWords } from '../../../../console/words/words.ts'
import { orderCalls } from '../contract.ts'

type Whom = { UserId?: number; TeamId?: number; DepartmentId?: number }
const fields = { u: 'UserId', t: 'TeamId', d: 'DepartmentId' } as const
/** `u12` is a person, `t3` a team on call, `d4` a department. */
export const whomOf = (value: string | null | undefined): Whom =>
  value ? { [fields[value[0] as keyof typeof fields]]: Number(value.slice(1)) } : {}
export const whomText = ({ UserId, TeamId, DepartmentId }: Whom) =>
  UserId ? `u${UserId}` : TeamId ? `t${TeamId}` : DepartmentId ? `d${DepartmentId}` : undefined

type Props = {
  of: { OrderId: number } | { ProjectId: number | undefined }
  /** Only people, for hand-overs. */
  people?: boolean
  id?: string
  value?: string | undefined
  onChange?: (value: string | undefined) => void
}
/** Selects an assignee: a person with access to the project, or a team. */
export const WhomSelect = ({ of, people, id, value, onChange }: Props) => {
  const t = useWords()
  const { data, isLoading } = useCall(orderCalls.people, { query: of as never, of: ['user', 'alarmRoster', 'department'] })
  const group = (word: string, key: keyof typeof fields, rows: readonly { Id: number; name: string }[] = []) =>
    rows.length ? [{ label: t(word), options: rows.map((row) => ({ value: `${key}${row.Id}`, label: row.name })) }] : []
  const options = [
    ...group(
      'order.people',
      'u',
      data?.People.map(({ Id, UserName }) => ({ Id, name: UserName })),
    ),
    ...(people
      ? []
      : group(
          'order.teams',
          't',
          data?.Teams.map(({ Id, Name }) => ({ Id, name: Name })),
        )),
    ...(people
      ? []
      : group(
          'order.departments',
          'd',
          data?.Departments.map(({ Id, Name }) => ({ Id, name: Name })),
        )),
  ]
  return (
    <Select<string>
      {...(id ? { id } : {})}
      allowClear
      loading={isLoading}
      showSearch={{ optionFilterProp: 'label' }}
      value={value as never}
      placeholder={t('order.nobody')}
      aria-label={t('order.whom')}
      options={options}
      onChange={(next?: string) => onChange?.(next)}
    />
  )
}
