import { useSearchParams } from 'react-router'
import { lazyScreen } from '../../../../console/shell/lazyScreen.tsx'
import { gateways } from './gateways.ts'

const List = lazyScreen(gateways)
const ConnectMachine = lazyScreen(() => import('./ConnectMachine.tsx'))

/** The gateways, and the guide that connects a machine, which begins with them. */
const GatewaysScreen = () => (useSearchParams()[0].has('connect') ? <ConnectMachine /> : <List />)
export default GatewaysScreen
