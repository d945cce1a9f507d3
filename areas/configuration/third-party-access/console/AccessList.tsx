import { useState } from 'react'
import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { Page } from '../../../../console/shell/Page.tsx'
import { State } from '../../../../console/theme/State.tsx'
import { numberText } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import { Secret } from '../../../system/open-api/console/Secret.tsx'
import { overHj212, overHttp, overMqtt, thirdPartyAccess } from '../contract.ts'

type WithSecret = { AccessName: string; Secret: string }
const looks = { 0: 'offline', 1: 'normal', 2: 'alarm' } as const

const fieldsOf: Record<number, readonly string[]> = {
  [overHttp]: ['Format'],
  [overMqtt]: ['Topic', 'UserName', 'Format'],
  [overHj212]: ['MN', 'SystemCode'],
}
/** Fields of other targets. */
const hiddenOf = (target: number) =>
  Object.values(fieldsOf)
    .flat()
    .filter((field) => !fieldsOf[target]?.includes(field))

/** External systems that get readings, with the state of their deliveries. */
const AccessList = () => {
  const t = useWords()
  const [secret, setSecret] = useState<WithSecret>()
  return (
    <Page title={t('menu.m10137')}>
      <ResourceList
        of={thirdPartyAccess}
        columns={[
          'AccessName',
          'SendStatus',
          'ProjectId',
          'Target',
          'Url',
          'Mode',
          'Period',
          'LastTime',
          'Sent',
          'Waiting',
          'Lost',
          'Enabled',
          'Remark',
        ]}
        filters={['Target', 'SendStatus']}
        form={{ refine: ({ Target }) => ({ hidden: hiddenOf(Number(Target ?? overHttp)) }) }}
        cells={{
          Url: (row) => <span className="mono">{row.Url}</span>,
          Waiting: (row) => (
            <>
              {numberText(row.Waiting, 0, language())}
              {row.WaitingSince && <div className="soft">{String(row.WaitingSince)}</div>}
            </>
          ),
          Enabled: (row) => <State is={row.Enabled === 1 ? 'normal' : 'offline'}>{t(`thirdPartyAccess.Enabled.${row.Enabled}`)}</State>,
          SendStatus: (row) => (
            <>
              <State is={looks[row.SendStatus as 0 | 1 | 2]}>{t(`thirdPartyAccess.SendStatus.${row.SendStatus}`)}</State>
              {row.LastFault && (
                <div className="soft">
                  {t(`thirdPartyAccess.LastFault.${row.LastFault}`)}
                  {row.FaultStatus !== null && ` (${row.FaultStatus})`}
                </div>
              )}
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
