import type { DialogProps } from '../../../../console/kernel/plainScreens.ts'
import type { almTemplate } from '../../alarm-settings/contract.ts'
import { fromTemplate } from './draft.ts'
import { RuleEditor } from './RuleEditor.tsx'

/** A new rule that begins as a template says. */
const UseTemplate = ({ row, close }: DialogProps<typeof almTemplate>) => (
  <RuleEditor row={undefined} begin={fromTemplate(row)} close={close} />
)
export default UseTemplate
