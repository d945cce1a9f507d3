import { Tabs } from 'antd'
import { useSearchParams } from 'react-router'
import { SettingsForm } from '../../../../console/kernel/SettingsForm.tsx'
import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { type Method, pushConfig, wechatConfig } from '../../../../contract/channel-settings.ts'
import { reportDelivery } from '../../../analysis/report-schedules/contract.ts'
import { shareConfig, wxConfig } from '../contract.ts'
import { Robots } from './Robots.tsx'
import { TestButton } from './TestButton.tsx'

const testOf = (section: string) => <TestButton method={section as Method} />

/** Settings of WeChat and the tenant's other channels. */
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
          {
            key: 'wechat',
            label: t('wechatConfig'),
            children: <SettingsForm of={wechatConfig} after={() => <TestButton method="wechat" />} />,
          },
          { key: 'push', label: t('channel.others'), children: <SettingsForm of={pushConfig} after={testOf} /> },
          { key: 'ding', label: t('channel.robots'), children: <Robots /> },
          { key: 'wx', label: t('wxConfig'), children: <SettingsForm of={wxConfig} /> },
          { key: 'share', label: t('shareConfig'), children: <SettingsForm of={shareConfig} /> },
          { key: 'reports', label: t('reportDelivery'), children: <SettingsForm of={reportDelivery} /> },
        ]}
      />
    </Page>
  )
}
export default ChannelConfig
