import { Tabs } from 'antd'
import { useSearchParams } from 'react-router'
import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { pushConfig, wechatConfig } from '../../../../contract/channel-settings.ts'
import { shareConfig, wxConfig } from '../contract.ts'
import { ConfigForm } from './ConfigForm.tsx'
import { Robots } from './Robots.tsx'

/** WeChat and the other channels of the tenant. */
const ChannelConfig = () => {
  const t = useWords()
  const [params, setParams] = useSearchParams()
  return (
    <Page title={t('menu.m10432')}>
      <Tabs
        activeKey={params.get('tab') ?? 'wechat'}
        onChange={(tab) => setParams({ tab }, { replace: true })}
        destroyOnHidden
        items={[
          { key: 'wechat', label: t('wechatConfig'), children: <ConfigForm of={wechatConfig} test="wechat" /> },
          { key: 'push', label: t('channel.others'), children: <ConfigForm of={pushConfig} /> },
          { key: 'ding', label: t('channel.robots'), children: <Robots /> },
          { key: 'wx', label: t('wxConfig'), children: <ConfigForm of={wxConfig} /> },
          { key: 'share', label: t('shareConfig'), children: <ConfigForm of={shareConfig} /> },
        ]}
      />
    </Page>
  )
}
export default ChannelConfig
