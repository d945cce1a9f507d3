import { CloudUploadOutlined } from '@ant-design/icons'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import { useRow } from '../../../../console/kernel/api.ts'
import { useMay } from '../../../../console/session/session.ts'
import { useWords } from '../../../../console/words/words.ts'
import { gateway as gatewayOf } from '../../gateways/contract.ts'
import PushDialog from './PushDialog.tsx'

const [pushing, failed, online] = [2, 3, 1]

/** Warns that a gateway runs another configuration, and offers the push. Empty if it is in sync. */
export const PushBar = ({ gatewayId }: { gatewayId: number }) => {
  const t = useWords()
  const [maySee, mayPush] = [useMay('m10102'), useMay('m10102.push')]
  const { data: gateway } = useRow(gatewayOf, maySee ? gatewayId : undefined)
  const [isOpen, setOpen] = useState(false)
  if (!gateway) return null
  const { ConfigStatus, ConfigVersion, GatewayName, OnlineStatus } = gateway
  const state = ConfigStatus === pushing ? 'pushing' : ConfigStatus === failed ? 'refused' : ConfigVersion ? 'changed' : 'never'
  const offline = OnlineStatus !== online && ConfigStatus !== pushing && t('push.bar.offline')
  return (
    <>
      {ConfigStatus !== 0 && (
        <Alert
          className="form-summary"
          type={ConfigStatus === failed ? 'error' : 'warning'}
          showIcon
          title={[t(`push.bar.${state}`, { name: GatewayName }), offline].filter(Boolean).join(' ')}
          action={
            mayPush && (
              <Button
                size="small"
                type="primary"
                icon={<CloudUploadOutlined />}
                disabled={ConfigStatus === pushing}
                onClick={() => setOpen(true)}
              >
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
