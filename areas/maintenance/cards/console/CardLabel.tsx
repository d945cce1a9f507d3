import type { Shown } from '../../../../console/kernel/api.ts'
import type { DialogProps } from '../../../../console/kernel/plainScreens.ts'
import { LabelSheet } from '../../../../console/labels/LabelSheet.tsx'
import type { proRfidInfo } from '../contract.ts'

type Card = typeof proRfidInfo
export const labelOf = ({ Id, CardName, CardNo, PositionName }: Shown<Card>) => ({
  ...{ key: Id, code: CardNo, name: CardName, more: [PositionName, CardNo].filter(Boolean).join(' · ') },
})
const CardLabel = ({ row, close }: DialogProps<Card>) => <LabelSheet of={[labelOf(row)]} close={close} />
export default CardLabel
