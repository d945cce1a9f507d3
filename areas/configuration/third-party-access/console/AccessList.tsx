import { useState } from 'react'
import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { Page } from '../../../../console/shell/Page.tsx'
import { State } from '../../../../console/theme/State.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { Secret } from '../../../system/open-api/console/Secret.tsx'
import { thirdPartyAccess } from '../contract.ts'

type WithSecret = { AccessName: string; Secret: string }
const looks = { 0: 'offline', 1: 'normal', 2: 'alarm' } as const

/** Systems of others that get readings, and whether they take them. */
const AccessList = () => {
  const t = useWords()
  const [secret, setSecret] = useState<WithSecret>()
  return (
    <Page title={t('menu.m10137')}>
      <ResourceList
        of={thirdPartyAccess}
        columns={['AccessName', 'SendStatus', 'ProjectId', 'Url', 'Format', 'Period', 'LastTime', 'Enabled', 'Remark']}
        cells={{
          Url: (row) => <span className="mono">{row.Url}</span>,
          Enabled: (row) => <State is={row.Enabled === 1 ? 'normal' : 'offline'}>{t(`thirdPartyAccess.Enabled.${row.Enabled}`)}</State>,
          SendStatus: (row) => (
            <>
              <State is={looks[row.SendStatus as 0 | 1 | 2]}>{t(`thirdPartyAccess.SendStatus.${row.SendStatus}`)}</State>
              {row.LastFault && <div className="soft">{row.LastFault}</div>}
            </>
          ),
        }}
        onActed={{ resetKey: (made) => setSecret(made as unknown as WithSecret) }}
      />
      {secret && <Secret of={secret.AccessName} secret={secret.Secret} close={() => setSecret(undefined)} />}
    </Page>
  )
}
export default AccessList
