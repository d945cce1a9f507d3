import { Alert, Button, Form, Input, Select } from 'antd'
import { useCommand } from '../../../../console/kernel/api.ts'
import { useFormRefusal } from '../../../../console/kernel/form/refusal.tsx'
import { useWords } from '../../../../console/words/words.ts'
import type { Answer } from '../../../../contract/call.ts'
import { sessionCalls } from '../../../../contract/session.ts'

type Entered = { Question: number; Answer: string }
type Props = { questions: Answer<typeof sessionCalls.pwdQuestion>['Items']; done: () => void }

/** Asks users who sign in with a one-time password after losing theirs for a secret answer. */
export const AnswerFirst = ({ questions, done }: Props) => {
  const t = useWords()
  const confirm = useCommand(sessionCalls.confirmPwdQuestion, [], { meta: { quiet: true } })
  const [form] = Form.useForm<Entered>()
  const refusal = useFormRefusal(form, confirm.error)
  const options = questions.map(({ Question, QuestionName }) => ({ value: Question, label: QuestionName }))
  return (
    <Form<Entered>
      form={form}
      layout="vertical"
      className="narrow"
      requiredMark={false}
      initialValues={{ Question: options[0]?.value }}
      onFinish={(body) => confirm.mutate({ body }, { onSuccess: done })}
      onFinishFailed={refusal.look}
    >
      <Alert type="warning" showIcon title={t('question.first')} className="form-summary" />
      {refusal.summary}
      <Form.Item name="Question" label={t('question.which')}>
        <Select options={options} />
      </Form.Item>
      <Form.Item name="Answer" label={t('question.answer')} rules={[{ required: true, message: t('question.none') }]}>
        <Input maxLength={100} autoComplete="off" />
      </Form.Item>
      <Button type="primary" htmlType="submit" loading={confirm.isPending}>
        {t('question.confirm')}
      </Button>
      {refusal.count}
    </Form>
  )
}
