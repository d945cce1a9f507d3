import { AutoComplete, Form } from 'antd'
import { useRows } from '../../../../console/kernel/api.ts'
import { useMay } from '../../../../console/session/session.ts'
import { shiftPlan } from '../../../analysis/shifts/contract.ts'

type Props = { id?: string; value?: unknown; onChange?: (value: unknown) => void }
/** Name of a shift, offered from the project's shift plans. Users without access to the plans type it. */
const ShiftNameInput = ({ id, value, onChange }: Props) => {
  const ProjectId = Form.useWatch<number | null>('ProjectId', { preserve: true })
  const mayPlans = useMay(shiftPlan.permission)
  const asked = { PageIndex: 1, PageSize: 100, ...(ProjectId && { ProjectId }) }
  const { data } = useRows(shiftPlan, asked, { enabled: Boolean(ProjectId) && mayPlans })
  const names = [...new Set(data?.Items.flatMap(({ Times }) => Times.map(({ Name }) => Name)))]
  return (
    <AutoComplete
      {...(id && { id })}
      value={String(value ?? '')}
      maxLength={40}
      options={names.map((name) => ({ value: name }))}
      onChange={(name) => onChange?.(name)}
    />
  )
}
export const inputs = { ShiftName: ShiftNameInput }
