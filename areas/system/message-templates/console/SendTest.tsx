import { Alert, Form, Input } from 'antd'
import { useState } from 'react'
import { useCommand } from '../../../../console/kernel/api.ts'
import { FormDialog } from '../../../../console/kernel/form/FormDialog.tsx'
import { useWords } from '../../../../console/words/words.ts'
import type { Body, Call } from '../../../../contract/call.ts'
import type { messageCalls } from '../contract.ts'
import { Outcome } from './Outcome.tsx'
import { sampleOf } from './Preview.tsx'

type Share = typeof messageCalls.shareEmail
const parts = ['title', 'content', 'source', 'remark'] as const
type Entered = { [K in (typeof parts)[number]]?: string }

/** Sends a template with the specification's sample fields to the user, and waits for the result. */
export const SendTest = ({ by, template, close }: { by: Call; template: { Id: number; TemplateName: string }; close: () => void }) => {
  const t = useWords()
  const [sent, setSent] = useState<{ Id: number; Target: string }>()
  const share = useCommand(by as Share, ['almPushRecord'], { meta: { quiet: true } })
  const sample = sampleOf(t)
  const submit = (entered: Entered) => share.mutate({ body: { Id: template.Id, ...entered } as Body<Share> }, { onSuccess: setSent })
  return (
    <FormDialog<Entered>
      title={t('template.testOf', { title: template.TemplateName })}
      okText={t(sent ? 'template.again' : 'button.test')}
      cancelText={t('close')}
      start={Object.fromEntries(parts.map((k) => [k, sample[k]]))}
      sending={share}
      submit={submit}
      close={close}
      below={sent && <Outcome key={sent.Id} of={sent} />}
    >
      <Alert type="info" showIcon title={t('template.toYou')} className="form-summary" />
      {parts.map((name) => (
        <Form.Item key={name} name={name} label={t(`blank.${name}`)}>
          <Input maxLength={500} autoComplete="off" />
        </Form.Item>
      ))}
    </FormDialog>
  )
}
