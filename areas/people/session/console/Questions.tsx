import { Alert, App, Button, Form, Input, Tag } from 'antd'
import { useState } from 'react'
import { useCall, useCommand } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { useFormRefusal } from '../../../../console/kernel/form/refusal.tsx'
import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { sessionCalls } from '../../../../contract/session.ts'

type Entered = { Pwd: string } & Record<`answer${number}`, string | undefined>

/** The user's secret questions: an additional factor for a lost password, never a replacement (ruling 35). */
const Questions = () => {
  const t = useWords()
  const { message } = App.useApp()
  const [form] = Form.useForm<Entered>()
  const [fault, setFault] = useState('')
  const { data, error, refetch } = useCall(sessionCalls.pwdQuestion, { of: ['question'] })
  const save = useCommand(sessionCalls.setPwdQuestion, ['question'], { meta: { quiet: true } })
  const refusal = useFormRefusal(form, save.error, { note: fault })
  const submit = (entered: Entered) => {
    const Answers = (data?.Items ?? []).flatMap(({ Question }) => {
      const Answer = entered[`answer${Question}`]?.trim()
      return Answer ? [{ Question, Answer }] : []
    })
    if (!Answers.length) return setFault(t('question.none'))
    setFault('')
    save.mutate(
      { body: { Pwd: entered.Pwd, Answers } },
      {
        onSuccess: () => {
          form.resetFields()
          message.success(t('question.saved'))
        },
      },
    )
  }
  if (error && !data) return <Failure fault={error} retry={() => refetch()} />
  return (
    <Page title={t('menu.m10407')}>
      {data && !data.Enabled && <Alert type="info" showIcon title={t('question.off')} description={t('question.offText')} />}
      {data?.Enabled && (
        <Form<Entered>
          form={form}
          layout="vertical"
          className="narrow"
          requiredMark={false}
          onFinish={submit}
          onFinishFailed={refusal.look}
        >
          <p className="soft form-summary">{t('question.text')}</p>
          {refusal.summary}
          {data.Items.map(({ Question, QuestionName, IsSet }) => (
            <Form.Item
              key={Question}
              name={`answer${Question}`}
              label={
                <>
                  {QuestionName} {IsSet && <Tag>{t('question.set')}</Tag>}
                </>
              }
            >
              <Input maxLength={100} autoComplete="off" />
            </Form.Item>
          ))}
          <Form.Item name="Pwd" label={t('password.old')} rules={[{ required: true, message: t('password.oldMissing') }]}>
            <Input.Password autoComplete="current-password" maxLength={200} />
          </Form.Item>
          <Button type="primary" htmlType="submit" loading={save.isPending}>
            {t('save')}
          </Button>
          {refusal.count}
        </Form>
      )}
    </Page>
  )
}
export default Questions
