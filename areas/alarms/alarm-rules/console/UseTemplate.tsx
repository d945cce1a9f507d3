import type { DialogProps } from '../../../../console/kernel/plainScreens.ts'
import type { almTemplate } from '../../alarm-settings/contract.ts'
import { fromTemplate } from './draft.ts'
import { RuleEditor } from './RuleEditor.tsx'

/** Creates a rule from a template. */
const UseTemplate = ({ row, close }: DialogProps<typeof almTemplate>) => (
  <RuleEditor row={undefined} begin={fromTemplate(row)} close={close} />
)
export default UseTemplate
