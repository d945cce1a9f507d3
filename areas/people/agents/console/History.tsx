import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { snAgentLog } from '../contract.ts'

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
