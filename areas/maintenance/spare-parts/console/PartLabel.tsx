import type { Shown } from '../../../../console/kernel/api.ts'
import type { DialogProps } from '../../../../console/kernel/plainScreens.ts'
import { LabelSheet } from '../../../../console/labels/LabelSheet.tsx'
import type { mtnComponent } from '../contract.ts'

type Part = typeof mtnComponent
export const labelOf = ({ Id, ComponentName, ComponentNo }: Shown<Part>) => ({
  ...{ key: Id, name: ComponentName, more: ComponentNo },
  code: `${location.origin}/maintenanceCenter/parts/archives?Id=${Id}`,
})
const PartLabel = ({ row, close }: DialogProps<Part>) => <LabelSheet of={[labelOf(row)]} close={close} />
export default PartLabel
