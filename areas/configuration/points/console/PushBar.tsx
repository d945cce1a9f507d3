import { CloudUploadOutlined } from '@ant-design/icons'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import { useRow } from '../../../../console/kernel/api.ts'
import { useMay } from '../../../../console/session/session.ts'
import { useWords } from '../../../../console/words/words.ts'
import { type Gateway, gateway as gatewayOf } from '../../gateways/contract.ts'
import PushDialog from './PushDialog.tsx'
import { useUnpushedCount } from './useUnpushed.ts'

const [inSync, pushing, failed, online] = [0, 2, 3, 1]

const stateOf = ({ ConfigStatus, ConfigVersion }: Gateway) => {
  if (ConfigStatus === inSync || ConfigStatus === pushing) return ConfigStatus === inSync ? 'inSync' : 'pushing'
  if (ConfigStatus === failed) return 'refused'
  return ConfigVersion ? 'changed' : 'never'
}

/** Shows how many changes a gateway does not run yet, and pushes them. Renders nothing if there are none. */
export const PushBar = ({ gatewayId }: { gatewayId: number }) => {
  const t = useWords()
  const [maySee, mayPush] = [useMay('m10102'), useMay('m10102.push')]
  const { data: gateway } = useRow(gatewayOf, maySee ? gatewayId : undefined)
  const [isOpen, setOpen] = useState(false)
  const state = gateway && stateOf(gateway)
  const count = useUnpushedCount(state === 'changed' ? gatewayId : undefined)
  if (!gateway) return null
  const name = gateway.GatewayName
  const isPushing = state === 'pushing'
  const offline = gateway.OnlineStatus !== online && !isPushing && t('push.bar.offline')
  return (
    <>
      {state !== 'inSync' && (
        <Alert
          className="form-summary"
          type={state === 'refused' ? 'error' : 'warning'}
          showIcon
          title={[count ? t('push.bar.count', { count, name }) : t(`push.bar.${state}`, { name }), offline].filter(Boolean).join(' ')}
          action={
            mayPush && (
              <Button size="small" type="primary" icon={<CloudUploadOutlined />} disabled={isPushing} onClick={() => setOpen(true)}>
                {t('button.push')}
              </Button>
            )
          }
        />
      )}
      {isOpen && <PushDialog row={gateway} now close={() => setOpen(false)} />}
    </>
  )
}
