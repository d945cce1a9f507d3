import { useRows } from '../../../../console/kernel/api.ts'
import type { ToolProps } from '../../../../console/kernel/plainScreens.ts'
import { LabelSheet } from '../../../../console/labels/LabelSheet.tsx'
import { mtnComponent } from '../contract.ts'
import { labelOf } from './PartLabel.tsx'

/** Ten sheets at a time. */
const PartLabels = ({ tenant, close }: ToolProps) => {
  const { data } = useRows(mtnComponent, { PageIndex: 1, PageSize: 240, EnterpriseId: tenant, Status: 1 })
  return <LabelSheet of={(data?.Items ?? []).map(labelOf)} close={close} />
}
export default PartLabels
