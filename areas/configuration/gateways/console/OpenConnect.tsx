import { useEffect } from 'react'
import { useGo } from '../../../../console/shell/To.tsx'

/** A button of a list leads to the guide. */
const OpenConnect = ({ close }: { close: () => void }) => {
  const go = useGo()
  useEffect(() => {
    close()
    go('/projectManagement/gatewayManagement?connect')
  })
  return null
}
export default OpenConnect
