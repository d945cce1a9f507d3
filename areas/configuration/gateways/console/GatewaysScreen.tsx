import { useSearchParams } from 'react-router'
import { lazyScreen } from '../../../../console/shell/lazyScreen.tsx'
import { gateways } from './gateways.ts'

const List = lazyScreen(gateways)
const ConnectMachine = lazyScreen(() => import('./ConnectMachine.tsx'))
const Bind = lazyScreen(async () => ({ default: (await import('./BindDialog.tsx')).BindDialog }), null)

/** The list of gateways, with the guide that connects a machine and the form that binds a gateway. Labels link to the form. */
const GatewaysScreen = () => {
  const [params, setParams] = useSearchParams()
  if (params.has('connect')) return <ConnectMachine />
  const close = () => {
    const rest = new URLSearchParams(params)
    rest.delete('bind')
    setParams(rest, { replace: true })
  }
  return (
    <>
      <List />
      {params.has('bind') && <Bind close={close} />}
    </>
  )
}
export default GatewaysScreen
