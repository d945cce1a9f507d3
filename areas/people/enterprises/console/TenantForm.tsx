import { App, Button, Form } from 'antd'
import type { ReactNode } from 'react'
import { PictureInput } from '../../../../console/files/PictureInput.tsx'
import type { Shown } from '../../../../console/kernel/api.ts'
import { FieldInput } from '../../../../console/kernel/fields.tsx'
import { useFormRefusal } from '../../../../console/kernel/form/refusal.tsx'
import { rules } from '../../../../console/kernel/form/rules.ts'
import type { Fault } from '../../../../console/session/request.ts'
import { hasWords, useWords } from '../../../../console/words/words.ts'
import { enterprise } from '../contract.ts'

type Field = keyof typeof enterprise.fields
type Values = Partial<Record<Field, unknown>>
type Props = {
  fields: readonly Field[]
  row: Shown<typeof enterprise>
  disabled: boolean
  save: { mutate: (body: Values, done: { onSuccess: () => void }) => void; error: Fault | null; isPending: boolean }
  children?: ReactNode
}

/** Edits some fields of a tenant on a separate page; other fields stay unchanged. */
export const TenantForm = ({ fields, row, disabled, save, children }: Props) => {
  const t = useWords()
  const { message } = App.useApp()
  const [form] = Form.useForm<Values>()
  const refusal = useFormRefusal(form, save.error)
  const submit = (entered: Values) => {
    const values = Object.fromEntries(fields.map((name) => [name, entered[name] ?? null]))
    save.mutate(values, { onSuccess: () => message.success(t('tenant.saved')) })
  }
  return (
    <Form<Values>
      form={form}
      layout="vertical"
      className="form-page"
      requiredMark={false}
      initialValues={row}
      disabled={disabled}
      onFinish={submit}
      onFinishFailed={refusal.look}
    >
      {refusal.summary}
      {children && <div className="panel">{children}</div>}
      {[...Map.groupBy(fields, (name) => enterprise.fields[name].section ?? '')].map(([section, members]) => (
        <fieldset key={section} className="form-section">
          {section && <legend>{t(`section.${section}`)}</legend>}
          <div className="form-two">
            {members.map((name) => (
              <Form.Item
                key={name}
                name={name}
                label={t(`enterprise.${name}`)}
                extra={hasWords(`help.enterprise.${name}`) ? t(`help.enterprise.${name}`) : undefined}
                rules={rules(enterprise.fields[name], `enterprise.${name}`, false, t)}
              >
                {name === 'Logo' ? (
                  <PictureInput purpose="logo" absolute disabled={disabled} />
                ) : (
                  <FieldInput field={enterprise.fields[name]} name={`enterprise.${name}`} />
                )}
              </Form.Item>
            ))}
          </div>
        </fieldset>
      ))}
      <div className="form-save">
        {!disabled && (
          <Button type="primary" htmlType="submit" loading={save.isPending}>
            {t('save')}
          </Button>
        )}
        {refusal.count}
      </div>
    </Form>
  )
}
