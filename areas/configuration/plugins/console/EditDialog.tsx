import type { DialogProps } from '../../../../console/kernel/plainScreens.ts'
import { ResourceForm } from '../../../../console/kernel/ResourceForm.tsx'
import { builtIn, protocolPlugin } from '../contract.ts'

/** Companies cannot rename a built-in plugin. */
const EditDialog = ({ row, close }: DialogProps<typeof protocolPlugin>) => (
  <ResourceForm
    of={protocolPlugin}
    row={row}
    close={close}
    refine={() => ({ hidden: (builtIn as readonly number[]).includes(row.Kind) ? ['PluginName'] : [] })}
  />
)
export default EditDialog
