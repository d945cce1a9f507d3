import './senders.css'
import { useState } from 'react'
import { useCall } from '../../../../console/kernel/api.ts'
import { parts } from '../../../../console/kernel/plainScreens.ts'
import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { useOwner, useTenant } from '../../../../console/session/useTenant.ts'
import { lazyScreen } from '../../../../console/shell/lazyScreen.tsx'
import { Page } from '../../../../console/shell/Page.tsx'
import { State } from '../../../../console/theme/State.tsx'
import { agoText, none, numberText } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import { componentCalls, type DoorState, networkComponent } from '../contract.ts'
import { keepToken } from './freshTokens.ts'
import { TokenOnce } from './TokenOnce.tsx'

const AddSender = lazyScreen(() => import('./AddSender.tsx'), null)

/** The sender was heard, and how long ago; a light for eyes. */
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

/** Who sends in another language than ours, and whether messages come. */
const SendersScreen = () => {
  const t = useWords()
  const tenant = useTenant()
  const owner = useOwner(networkComponent)
  const [isAdding, setAdding] = useState(false)
  const [made, setMade] = useState<{ Id: number; ComponentName: string; Token: string }>()
  const { data } = useCall(componentCalls.states, { of: [networkComponent.name], refetchInterval: 3000 })
  const stateOf = (id: number) => data?.find(({ Id }) => Id === id)
  const page = ({ Id }: { Id: number }) => `/protocolManagement/networkPlugin?Id=${Id}`
  return (
    <Page title={t('menu.m10501')}>
      <ResourceList
        of={networkComponent}
        columns={['ComponentName', 'Language', 'GatewayId', 'Status', 'DeviceLevel', 'Remark']}
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
          DeviceLevel: (row) => (row.DeviceLevel === null ? none : numberText(row.DeviceLevel, 0)),
        }}
        form={{ refine: (values) => ({ hidden: values.Language === 2 ? [] : ['DeviceLevel'] }) }}
        onAdd={() => setAdding(true)}
        onActed={{
          resetKey: (row) => {
            const { Id, ComponentName, Token } = row as unknown as NonNullable<typeof made>
            keepToken(Id, Token)
            setMade({ Id, ComponentName, Token })
          },
        }}
      />
      {isAdding && <AddSender tenant={owner?.EnterpriseId} close={() => setAdding(false)} />}
      {made && <TokenOnce name={made.ComponentName} token={made.Token} close={() => setMade(undefined)} />}
    </Page>
  )
}
export default SendersScreen
