import type { DialogProps } from '../../../../console/kernel/plainScreens.ts'
import { ResourceForm } from '../../../../console/kernel/ResourceForm.tsx'
import { builtIn, protocolPlugin } from '../contract.ts'

/** The name of a built-in one is not theirs to change. */
const EditDialog = ({ row, close }: DialogProps<typeof protocolPlugin>) => (
  <ResourceForm
    of={protocolPlugin}
    row={row}
    close={close}
    refine={() => ({ hidden: (builtIn as readonly number[]).includes(row.Kind) ? ['PluginName'] : [] })}
  />
)
export default EditDialog
