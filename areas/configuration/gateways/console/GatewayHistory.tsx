import { History } from './History.tsx'

/** The history of one gateway, as a tab of its page. */
const GatewayHistory = ({ row }: { row: { Id: number } }) => <History of={{ GatewayId: row.Id }} />
export default GatewayHistory
