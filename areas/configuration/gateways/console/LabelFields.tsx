import { Form, Input } from 'antd'
import { useWords } from '../../../../console/words/words.ts'

/** The serial number and code on the label of a gateway. */
export const LabelFields = ({ needed = false }: { needed?: boolean }) => {
  const t = useWords()
  const plain = { autoComplete: 'off', autoCapitalize: 'characters', spellCheck: false, className: 'mono' } as const
  const required = (field: string) => ({ required: true, message: t('form.required', { field }) })
  return (
    <>
      <Form.Item
        name="SN"
        label={t('gateway.SN')}
        rules={[required(t('gateway.SN')), { pattern: /^\s*[0-9A-Za-z]{8,32}\s*$/, message: t('gateway.label.SN') }]}
      >
        <Input maxLength={40} {...plain} />
      </Form.Item>
      <Form.Item
        name="Code"
        label={t('gateway.label.Code')}
        {...(needed ? { rules: [required(t('gateway.label.Code'))] } : {})}
        extra={t(needed ? 'gateway.label.Code.help' : 'gateway.label.Code.spare')}
      >
        <Input maxLength={12} {...plain} />
      </Form.Item>
    </>
  )
}
