import { Link } from 'react-router'
import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { type Condition, State } from '../../../../console/theme/State.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { gatewayEvent } from '../contract.ts'

const conditions: Record<number, Condition> = { 0: 'normal', 1: 'warning', 2: 'warning', 3: 'alarm' }

/** What gateways have reported about themselves, newest first; of all, or of one. */
export const EventTable = ({ gatewayId }: { gatewayId?: number }) => {
  const t = useWords()
  return (
    <ResourceList
      of={gatewayEvent}
      columns={gatewayId ? ['Time', 'Type', 'Level', 'Text'] : ['Time', 'GatewayId', 'Type', 'Level', 'Text']}
      {...(gatewayId ? { fixed: { GatewayId: gatewayId } } : {})}
      cells={{
        Type: (row) => t(`gatewayEvent.Type.${row.Type}`),
        Level: (row) => <State is={conditions[row.Level] ?? 'normal'}>{t(`gatewayEvent.Level.${row.Level}`)}</State>,
        GatewayId: (row) => (
          <Link to={`/projectManagement/gatewayPreView?Id=${row.GatewayId}&tab=events`}>{String(row.GatewayName ?? '')}</Link>
        ),
        Text: (row) => <span className="wrap">{row.Text}</span>,
      }}
      readOnly
    />
  )
}
