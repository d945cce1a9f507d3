import { useRows } from '../../../../console/kernel/api.ts'
import type { ToolProps } from '../../../../console/kernel/plainScreens.ts'
import { LabelSheet } from '../../../../console/labels/LabelSheet.tsx'
import { proRfidInfo } from '../contract.ts'
import { labelOf } from './CardLabel.tsx'

/** Prints labels of the cards in use, ten sheets at a time. */
const CardLabels = ({ tenant, close }: ToolProps) => {
  const { data } = useRows(proRfidInfo, { PageIndex: 1, PageSize: 240, EnterpriseId: tenant, Status: 1 })
  return <LabelSheet of={(data?.Items ?? []).map(labelOf)} close={close} />
}
export default CardLabels
