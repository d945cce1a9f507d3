import { Tabs } from 'antd'
import { useSearchParams } from 'react-router'
import { lazyScreen } from '../../../../console/shell/lazyScreen.tsx'
import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { tenants, versions } from './index.ts'

const [Tenants, Versions] = [lazyScreen(tenants), lazyScreen(versions)]

/** Tenants of the platform, and the available versions. */
const EnterpriseList = () => {
  const t = useWords()
  const [params, setParams] = useSearchParams()
  return (
    <Page title={t('menu.m10404')}>
      <Tabs
        activeKey={params.get('tab') ?? 'tenants'}
        onChange={(tab) => setParams(tab === 'tenants' ? {} : { tab }, { replace: true })}
        destroyOnHidden
        items={[
          { key: 'tenants', label: t('menu.m10404'), children: <Tenants prefix="" /> },
          { key: 'versions', label: t('tenant.versions'), children: <Versions prefix="version." /> },
        ]}
      />
    </Page>
  )
}
export default EnterpriseList
