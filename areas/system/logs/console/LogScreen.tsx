import { DiffOutlined, SafetyCertificateOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import type { Shown } from '../../../../console/kernel/api.ts'
import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { useTenant } from '../../../../console/session/useTenant.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { State } from '../../../../console/theme/State.tsx'
import { hasWords, useWords } from '../../../../console/words/words.ts'
import { TenantSelect } from '../../../people/enterprises/console/TenantSelect.tsx'
import { log } from '../contract.ts'
import { Items } from './Items.tsx'
import { Verification } from './Verification.tsx'

/** Who did what, when and from where; what it changed; whether the log itself is whole. */
const LogScreen = () => {
  const t = useWords()
  const tenant = useTenant()
  const mayVerify = useMay('m10454.verify')
  const [open, setOpen] = useState<Shown<typeof log>>()
  const [verifying, setVerifying] = useState(false)
  const thing = (name: string) => (hasWords(name) ? t(name) : name)
  return (
    <Page
      title={t('menu.m10454')}
      actions={
        mayVerify && (
          <Button icon={<SafetyCertificateOutlined />} onClick={() => setVerifying(true)}>
            {t('log.verify')}
          </Button>
        )
      }
    >
      <ResourceList
        of={log}
        columns={['Time', 'UserNO', 'Verb', 'Resource', 'ObjectName', 'Ip']}
        filters={['Kind', 'Verb', 'Time', 'UserNO', 'Ip']}
        extra={<TenantSelect />}
        fixed={tenant}
        cells={{
          UserNO: (row) => row.UserNO ?? <span className="soft">{t('log.server')}</span>,
          Verb: (row) => <State is={row.Verb === 'loginFailed' ? 'warning' : 'normal'}>{t(`log.Verb.${row.Verb}`)}</State>,
          Resource: (row) => thing(row.Resource ?? ''),
        }}
        actions={(row) => [{ key: 'items', label: t('log.items'), icon: <DiffOutlined />, run: () => setOpen(row) }]}
        readOnly
      />
      {open && <Items entry={open} close={() => setOpen(undefined)} />}
      {verifying && <Verification tenant={tenant?.EnterpriseId} close={() => setVerifying(false)} />}
    </Page>
  )
}
export default LogScreen
