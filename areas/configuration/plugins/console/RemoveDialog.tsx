import { useEffect } from 'react'
import { useConfirmRemove } from '../../../../console/kernel/list/useConfirmRemove.ts'
import type { DialogProps } from '../../../../console/kernel/plainScreens.ts'
import { protocolPlugin } from '../contract.ts'

/** Opens one confirmation, which belongs to the page. */
const RemoveDialog = ({ row, close }: DialogProps<typeof protocolPlugin>) => {
  const ask = useConfirmRemove<typeof row>(protocolPlugin, ({ PluginName }) => PluginName)
  useEffect(() => {
    ask([row], () => undefined)
    close()
  }, [])
  return null
}
export default RemoveDialog
