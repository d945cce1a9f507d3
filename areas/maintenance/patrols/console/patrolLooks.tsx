import { Form } from 'antd'
import { RefsInput } from '../../../../console/kernel/form/RefsInput.tsx'
import { proRfidInfo } from '../../cards/contract.ts'
import { mostPoints } from '../contract.ts'
import { StopsInput } from './StopsInput.tsx'

type Props = { id?: string; value?: unknown; onChange?: (value: unknown) => void }
/** Tags of the points, in the order of selection. */
const PointsInput = ({ id, value, onChange }: Props) => {
  const ProjectId = Form.useWatch<number | null>('ProjectId', { preserve: true })
  return (
    <RefsInput
      {...(id && { id })}
      to={proRfidInfo}
      value={(value as number[] | null) ?? []}
      most={mostPoints}
      where={{ CardType: 1, ProjectId: ProjectId ?? undefined }}
      onChange={(ids) => onChange?.(ids.length ? ids : null)}
    />
  )
}
/** The form of a plan with its route. */
export const withRoute = ({ inputs }: { inputs?: object | undefined }) => ({
  inputs: { ...inputs, Points: PointsInput, Stops: StopsInput },
})
