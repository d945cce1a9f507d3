import { Alert, App, Button, Form, Input } from 'antd'
import { useState } from 'react'
import { useCall, useCommand } from '../../../../console/kernel/api.ts'
import { useFormRefusal } from '../../../../console/kernel/form/refusal.tsx'
import { browserMark, keepBrowserMark } from '../../../../console/session/browser.ts'
import { startSession, useMustChangePassword, useUser } from '../../../../console/session/session.ts'
import { setToken } from '../../../../console/session/token.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { useGo } from '../../../../console/shell/To.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { sessionCalls } from '../../../../contract/session.ts'
import { AnswerFirst } from './AnswerFirst.tsx'

type Entered = { OldPwd: string; NewPwd: string; Again: string }

/** Changes the password: 8 to 128 characters (ruling 17). The answer contains a new token; the old one is invalid. */
const Password = () => {
  const t = useWords()
  const user = useUser()
  const mustChange = useMustChangePassword()
  const go = useGo()
  const { message } = App.useApp()
  const [form] = Form.useForm<Entered>()
  const change = useCommand(sessionCalls.setPassword, [], { meta: { quiet: true } })
  const refusal = useFormRefusal(form, change.error)
  const [answered, setAnswered] = useState(false)
  const owed = useCall(sessionCalls.pwdQuestion, { enabled: mustChange }).data
  const questions = owed?.Enabled ? owed.Items.filter((q) => q.IsSet) : []
  const submit = ({ OldPwd, NewPwd }: Entered) => {
    change.mutate(
      { body: { OldPwd, NewPwd, Browser: browserMark() } },
      {
        onSuccess: ({ Token, Browser }) => {
          setToken(Token)
          keepBrowserMark(Browser)
          form.resetFields()
          message.success(t('password.changed'))
          // A one-time password gave access to this page only.
          void startSession().then(() => mustChange && go('/', { replace: true }))
        },
      },
    )
  }
  if (mustChange && questions.length && !answered)
    return (
      <Page title={t('menu.m10401')}>
        <AnswerFirst questions={questions} done={() => setAnswered(true)} />
      </Page>
    )
  return (
    <Page title={t('menu.m10401')}>
      <Form<Entered> form={form} layout="vertical" className="narrow" requiredMark={false} onFinish={submit} onFinishFailed={refusal.look}>
        {mustChange && <Alert type="warning" showIcon title={t('password.must')} className="form-summary" />}
        {refusal.summary}
        <input type="text" autoComplete="username" value={user?.UserNO ?? ''} readOnly hidden />
        <Form.Item name="OldPwd" label={t('password.old')} rules={[{ required: true, message: t('password.oldMissing') }]}>
          <Input.Password autoComplete="current-password" maxLength={200} />
        </Form.Item>
        <Form.Item
          name="NewPwd"
          label={t('password.new')}
          extra={t('password.rule')}
          rules={[
            { required: true, message: t('password.newMissing') },
            { min: 8, message: t('password.short') },
          ]}
        >
          <Input.Password autoComplete="new-password" maxLength={128} />
        </Form.Item>
        <Form.Item
          name="Again"
          label={t('password.again')}
          dependencies={['NewPwd']}
          rules={[
            { required: true, message: t('password.againMissing') },
            ({ getFieldValue }) => ({
              validator: (_, value) =>
                !value || value === getFieldValue('NewPwd') ? Promise.resolve() : Promise.reject(new Error(t('password.differs'))),
            }),
          ]}
        >
          <Input.Password autoComplete="new-password" maxLength={128} />
        </Form.Item>
        <Button type="primary" htmlType="submit" loading={change.isPending}>
          {t('password.change')}
        </Button>
        {refusal.count}
      </Form>
    </Page>
  )
}
export default Password
