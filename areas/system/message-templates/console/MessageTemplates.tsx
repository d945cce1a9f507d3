import { SendOutlined } from '@ant-design/icons'
import { Tabs } from 'antd'
import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router'
import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { useTenant } from '../../../../console/session/useTenant.ts'
import { lazyScreen } from '../../../../console/shell/lazyScreen.tsx'
import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import type { Call } from '../../../../contract/call.ts'
import { TenantSelect } from '../../../people/enterprises/console/TenantSelect.tsx'
import { almEmailTemplate, almSmsTemplate, almWechatTemplate, messageCalls } from '../contract.ts'
import { sent } from './index.ts'
import { MapInput } from './MapInput.tsx'
import { EmailPreview, SmsPreview, WechatPreview } from './Preview.tsx'
import { SendTest } from './SendTest.tsx'

const Sent = lazyScreen(sent)
type Template = { Id: number; TemplateName: string }

/** Templates by channel, and the messages sent with them. */
const MessageTemplates = () => {
  const t = useWords()
  const [params, setParams] = useSearchParams()
  const tenant = useTenant()
  const mayTest = useMay('m10431.test')
  const [testing, setTesting] = useState<{ by: Call; template: Template }>()
  const shared = (by: Call) => ({
    extra: <TenantSelect />,
    ...(tenant ? { fixed: tenant } : {}),
    actions: (template: Template) =>
      mayTest ? [{ key: 'test', label: t('button.test'), icon: <SendOutlined />, run: () => setTesting({ by, template }) }] : [],
  })
  const tab = (key: string, label: string, children: ReactNode) => ({ key, label, children })
  return (
    <Page title={t('menu.m10431')}>
      <Tabs
        activeKey={params.get('tab') ?? 'email'}
        onChange={(tab) => setParams({ tab }, { replace: true })}
        destroyOnHidden
        items={[
          tab(
            'email',
            t('almPushRecord.Method.email'),
            <ResourceList
              of={almEmailTemplate}
              prefix="email."
              columns={['TemplateName', 'BizType', 'Title', 'Enabled', 'IsDefault']}
              form={{ below: (values) => <EmailPreview of={values} /> }}
              {...shared(messageCalls.shareEmail)}
            />,
          ),
          tab(
            'sms',
            t('almPushRecord.Method.sms'),
            <ResourceList
              of={almSmsTemplate}
              prefix="sms."
              columns={['TemplateName', 'BizType', 'TemplateId', 'SignName', 'Enabled', 'IsDefault']}
              form={{ inputs: { FieldMap: MapInput }, below: (values) => <SmsPreview of={values} /> }}
              {...shared(messageCalls.shareSms)}
            />,
          ),
          tab(
            'wechat',
            t('almPushRecord.Method.wechat'),
            <ResourceList
              of={almWechatTemplate}
              prefix="wechat."
              columns={['TemplateName', 'BizType', 'TemplateId', 'Enabled', 'IsDefault']}
              form={{ inputs: { FieldMap: MapInput }, below: (values) => <WechatPreview of={values} /> }}
              {...shared(messageCalls.shareWechat)}
            />,
          ),
          tab('log', t('template.log'), <Sent prefix="log." />),
        ]}
      />
      {testing && <SendTest {...testing} close={() => setTesting(undefined)} />}
    </Page>
  )
}
export default MessageTemplates
