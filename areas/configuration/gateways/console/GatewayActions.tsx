import { CloudUploadOutlined, MoreOutlined } from '@ant-design/icons'
import { App, Button, Dropdown } from 'antd'
import { useState } from 'react'
import { useCommand } from '../../../../console/kernel/api.ts'
import { useMay } from '../../../../console/session/session.ts'
import { useWords } from '../../../../console/words/words.ts'
import PushDialog from '../../points/console/PushDialog.tsx'
import { type Gateway, gatewayCalls } from '../contract.ts'
import Enrolment from './Enrolment.tsx'
import { NetTest } from './NetTest.tsx'

/** What can be done with a gateway: push first, the rest in a menu. */
export const GatewayActions = ({ row: gateway }: { row: Gateway }) => {
  const t = useWords()
  const { message } = App.useApp()
  const [dialog, setDialog] = useState<'push' | 'key' | 'nettest'>()
  const [mayPush, mayCommand, mayReset] = [useMay('m10102.push'), useMay('m10102.command'), useMay('m10102.resetKey')]
  const timeSync = useCommand(gatewayCalls.timeSync, ['gateway', 'command'])
  const sync = () =>
    timeSync.mutate(
      { body: { Id: gateway.Id } },
      {
        onSuccess: ({ Code, Msg }) => (Code === 0 ? message.success(t('gateway.synced')) : message.error(Msg, 4)),
      },
    )
  const items = [
    { key: 'sync', label: t('gateway.timeSync'), disabled: !mayCommand || timeSync.isPending },
    { key: 'nettest', label: t('gateway.netTest'), disabled: !mayCommand },
    { key: 'key', label: t('button.resetKey'), danger: true, disabled: !mayReset },
  ]
  const close = () => setDialog(undefined)
  return (
    <>
      {mayPush && (
        <Button type="primary" icon={<CloudUploadOutlined />} onClick={() => setDialog('push')}>
          {t('button.push')}
        </Button>
      )}
      <Dropdown
        autoFocus
        trigger={['click']}
        menu={{ items, onClick: ({ key }) => (key === 'sync' ? sync() : setDialog(key as 'key' | 'nettest')) }}
      >
        <Button icon={<MoreOutlined />} aria-label={t('list.more', { title: gateway.GatewayName })} />
      </Dropdown>
      {dialog === 'push' && <PushDialog row={gateway} close={close} />}
      {dialog === 'key' && <Enrolment row={gateway} close={close} />}
      {dialog === 'nettest' && <NetTest gateway={gateway} close={close} />}
    </>
  )
}
