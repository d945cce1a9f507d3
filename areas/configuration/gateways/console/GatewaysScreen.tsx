import { useSearchParams } from 'react-router'
import { lazyScreen } from '../../../../console/shell/lazyScreen.tsx'
import { gateways } from './gateways.ts'

const List = lazyScreen(gateways)
const ConnectMachine = lazyScreen(() => import('./ConnectMachine.tsx'))

/** The list of gateways, with the guide that connects a machine. */
const GatewaysScreen = () => (useSearchParams()[0].has('connect') ? <ConnectMachine /> : <List />)
export default GatewaysScreen
