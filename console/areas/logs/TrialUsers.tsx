import { trialUser } from '../../../contract/areas/logs.ts'
import { Page } from '../../app/Page.tsx'
import { ResourceList } from '../../resource/ResourceList.tsx'
import { useWords } from '../../words/words.ts'

/** Visitors who got a read-only account for some days. */
const TrialUsers = () => {
  const t = useWords()
  return (
    <Page title={t('menu.m10455')}>
      <ResourceList of={trialUser} columns={['TrialName', 'Phone', 'UserNO', 'Ip', 'ExpireTime']} readOnly />
    </Page>
  )
}
export default TrialUsers
