import './senders.css'
import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import { useCall } from '../../../../console/kernel/api.ts'
import { parts } from '../../../../console/kernel/plainScreens.ts'
import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { useTenant } from '../../../../console/session/useTenant.ts'
import { lazyScreen } from '../../../../console/shell/lazyScreen.tsx'
import { Page } from '../../../../console/shell/Page.tsx'
import { State } from '../../../../console/theme/State.tsx'
import { agoText } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import { componentCalls, type DoorState, described, dialling, networkComponent } from '../contract.ts'
import { keepToken } from './freshTokens.ts'
import { TokenOnce } from './TokenOnce.tsx'

const AddSender = lazyScreen(() => import('./AddSender.tsx'), null)

/** The age of the last message, with a light. */
export const LastMessage = ({ of }: { of: DoorState | undefined }) => {
  const t = useWords()
  if (!of?.LastMessage)
    return (
      <span className="sender-light">
        <i aria-hidden /> {t('sender.waiting')}
      </span>
    )
  return (
    <span className="sender-light sender-heard">
      <i aria-hidden /> {agoText(Date.now() - of.LastMessage, language())}
    </span>
  )
}

type Made = { Id: number; ComponentName: string; Token?: string; Secret?: string }
/** List of external senders and whether they are sending. */
const SendersScreen = () => {
  const t = useWords()
  const tenant = useTenant()
  const mayAdd = useMay(`${networkComponent.permission}.add`)
  const [isAdding, setAdding] = useState(false)
  const [made, setMade] = useState<Made>()
  const { data } = useCall(componentCalls.states, { of: [networkComponent.name], refetchInterval: 3000 })
  const stateOf = (id: number) => data?.find(({ Id }) => Id === id)
  const keep = (row: object) => {
    const answer = row as Made
    keepToken(answer.Id, answer.Secret ?? answer.Token ?? '')
    setMade(answer)
  }
  const page = ({ Id }: { Id: number }) => `/protocolManagement/networkPlugin?Id=${Id}`
  return (
    <Page
      title={t('menu.m10501')}
      actions={
        mayAdd && (
          <Button type="primary" icon={<PlusOutlined />} onClick={() => setAdding(true)}>
            {t('sender.add')}
          </Button>
        )
      }
    >
      <ResourceList
        of={networkComponent}
        columns={['ComponentName', 'Language', 'GatewayId', 'Status', 'Remark']}
        fixed={tenant}
        extra={<parts.TenantSelect />}
        filters={['Language', 'Status']}
        link={page}
        links={{ GatewayId: (row) => `/projectManagement/gatewayManagement?Id=${row.GatewayId}` }}
        cells={{
          Status: (row) => (
            <>
              <State is={row.Status === 1 ? 'normal' : 'offline'}>{t(`networkComponent.Status.${row.Status}`)}</State>
              {row.Status === 1 && (
                <>
                  {' '}
                  <LastMessage of={stateOf(row.Id)} />
                </>
              )}
            </>
          ),
        }}
        form={{
          refine: ({ Language }) => ({
            hidden: [
              ...(Language === 2 ? [] : ['DeviceLevel']),
              ...(dialling.includes(Number(Language)) ? [] : ['Port', 'Networks']),
              ...(Language === described ? [] : ['SelfParseId', 'Heartbeat', 'HeartbeatPeriod', 'AskPeriod', 'Units']),
            ],
          }),
        }}
        onActed={{ resetKey: keep, sign: keep }}
      />
      {isAdding && <AddSender tenant={tenant?.EnterpriseId} close={() => setAdding(false)} />}
      {made && (
        <TokenOnce
          name={made.ComponentName}
          token={made.Secret ?? made.Token ?? ''}
          isSecret={made.Secret !== undefined}
          close={() => setMade(undefined)}
        />
      )}
    </Page>
  )
}
export default SendersScreen
