import { CheckOutlined, StopOutlined } from '@ant-design/icons'
import { type Shown, useCommand } from '../../../../console/kernel/api.ts'
import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { useConfirm } from '../../../../console/shell/useConfirm.ts'
import { useWords } from '../../../../console/words/words.ts'
import { trialCalls, trialDays, trialUser } from '../../../people/trial-users/contract.ts'

type Trial = Shown<typeof trialUser>

/** Visitors who asked for a read-only account of some days, and what became of it. */
const TrialUsers = () => {
  const t = useWords()
  const confirm = useConfirm()
  const mayGrant = useMay('m10455.grant')
  const grant = useCommand(trialCalls.grant, ['trialUser'])
  const refuse = useCommand(trialCalls.refuse, ['trialUser'])
  const ask = (key: 'grant' | 'refuse', row: Trial) =>
    confirm({
      title: t(`trial.${key}Title`, { title: row.TrialName }),
      content: t(`trial.${key}Text`, { account: String(row.UserNO), days: trialDays }),
      okText: t(`trial.${key}`),
      danger: key === 'refuse',
      run: () => (key === 'grant' ? grant : refuse).mutateAsync({ body: { Id: row.Id } }),
    })
  return (
    <Page title={t('menu.m10455')}>
      <ResourceList
        of={trialUser}
        columns={['TrialName', 'Phone', 'Email', 'Status', 'UserNO', 'ExpireTime', 'Ip']}
        filters={['Status']}
        readOnly
        actions={(row) =>
          mayGrant && row.Status === 0
            ? [
                { key: 'grant', label: t('trial.grant'), icon: <CheckOutlined />, run: () => ask('grant', row) },
                { key: 'refuse', label: t('trial.refuse'), icon: <StopOutlined />, danger: true, run: () => ask('refuse', row) },
              ]
            : []
        }
      />
    </Page>
  )
}
export default TrialUsers
