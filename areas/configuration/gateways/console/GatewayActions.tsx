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
import ReplaceDialog from './ReplaceDialog.tsx'
import UnbindDialog from './UnbindDialog.tsx'

type Dialog = 'push' | 'key' | 'nettest' | 'replace' | 'unbind'

/** Actions of a gateway: push first, the others in a menu. A gateway without a box can only get another box. */
export const GatewayActions = ({ row: gateway }: { row: Gateway }) => {
  const t = useWords()
  const { message } = App.useApp()
  const [dialog, setDialog] = useState<Dialog>()
  const [mayPush, mayCommand, mayReset] = [useMay('m10102.push'), useMay('m10102.command'), useMay('m10102.resetKey')]
  const [mayReplace, mayUnbind] = [useMay('m10102.replace'), useMay('m10102.unbind')]
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
    { key: 'replace', label: t('button.replace'), disabled: !mayReplace },
    { key: 'key', label: t('button.resetKey'), danger: true, disabled: !mayReset },
    { key: 'unbind', label: t('button.unbind'), danger: true, disabled: !mayUnbind },
  ]
  const close = () => setDialog(undefined)
  const dialogs = (
    <>
      {dialog === 'push' && <PushDialog row={gateway} close={close} />}
      {dialog === 'key' && <Enrolment row={gateway} close={close} />}
      {dialog === 'nettest' && <NetTest gateway={gateway} close={close} />}
      {dialog === 'replace' && <ReplaceDialog row={gateway} close={close} />}
      {dialog === 'unbind' && <UnbindDialog row={gateway} close={close} />}
    </>
  )
  if (gateway.SN === null)
    return (
      <>
        {mayReplace && (
          <Button type="primary" onClick={() => setDialog('replace')}>
            {t('button.replace')}
          </Button>
        )}
        {dialogs}
      </>
    )
  return (
    <>
      {mayPush && (
        <Button type="primary" icon={<CloudUploadOutlined />} onClick={() => setDialog('push')}>
          {t('button.push')}
        </Button>
      )}
      <Dropdown autoFocus trigger={['click']} menu={{ items, onClick: ({ key }) => (key === 'sync' ? sync() : setDialog(key as Dialog)) }}>
        <Button icon={<MoreOutlined />} aria-label={t('list.more', { title: gateway.GatewayName })} />
      </Dropdown>
      {dialogs}
    </>
  )
}
