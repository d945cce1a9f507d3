import { SafetyOutlined } from '@ant-design/icons'
import { Button, Modal } from 'antd'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { EmptyList } from '../../../../console/kernel/Empty.tsx'
import { RefInput } from '../../../../console/kernel/RefInput.tsx'
import { SettingsForm } from '../../../../console/kernel/SettingsForm.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { gateway } from '../../gateways/contract.ts'
import { protocolPolicy } from '../contract.ts'
import ChannelLists from './ChannelLists.tsx'

/** Channels of the gateway selected at the top. */
const ChannelPage = () => {
  const t = useWords()
  const mayEdit = useMay('m10106.edit')
  const [isOpen, open] = useState(false)
  const [params, setParams] = useSearchParams()
  const id = Number(params.get('GatewayId')) || null
  return (
    <Page
      title={t('menu.m10106')}
      actions={
        mayEdit && (
          <Button icon={<SafetyOutlined />} onClick={() => open(true)}>
            {t('protocolPolicy.open')}
          </Button>
        )
      }
    >
      <div className="search-bar">
        <RefInput
          to={gateway}
          value={id}
          onChange={(next) => setParams(next ? { GatewayId: String(next) } : {}, { replace: true })}
          placeholder={t('choose.gateway')}
          aria-label={t('choose.gateway')}
          style={{ width: 280 }}
        />
      </div>
      {isOpen && (
        <Modal open title={t('protocolPolicy.open')} footer={null} onCancel={() => open(false)}>
          <SettingsForm of={protocolPolicy} onSaved={() => open(false)} />
        </Modal>
      )}
      {id ? <ChannelLists key={id} row={{ Id: id }} /> : <EmptyList text={t('choose.gateway')} />}
    </Page>
  )
}
export default ChannelPage
