import { snAgentLog } from '../../../contract/areas/agents.ts'
import { Page } from '../../app/Page.tsx'
import { ResourceList } from '../../resource/ResourceList.tsx'
import { useWords } from '../../words/words.ts'

/** What happened to serial numbers, diversions among it. */
const History = () => {
  const t = useWords()
  return (
    <Page title={t('menu.m12003')}>
      <ResourceList
        of={snAgentLog}
        columns={['SN', 'OpType', 'AgentId', 'FromText', 'ToText', 'UserId', 'OpTime']}
        filters={['OpTime']}
        readOnly
      />
    </Page>
  )
}
export default History
