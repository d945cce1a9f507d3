import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { trialUser } from '../../../people/trial-users/contract.ts'

/** Visitors who asked for a read-only account of some days, and what became of it. */
const TrialUsers = () => (
  <Page title={useWords()('menu.m10455')}>
    <ResourceList
      of={trialUser}
      columns={['TrialName', 'Phone', 'Email', 'Status', 'UserNO', 'ExpireTime', 'Ip']}
      filters={['Status']}
      readOnly
    />
  </Page>
)
export default TrialUsers
