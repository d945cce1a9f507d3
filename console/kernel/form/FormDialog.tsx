import { Alert, Form, type FormInstance, Modal } from 'antd'
import { type ReactNode, useEffect, useId } from 'react'
import type { Fault } from '../../session/request.ts'
import { useWords } from '../../words/words.ts'

type Props<V> = {
  title: ReactNode
  /** Label of the submit button; `save` by default. */
  okText?: string
  cancelText?: string
  /** The form instance, for dialogs that read or set values. */
  form?: FormInstance<V>
  start?: { [K in keyof V]?: V[K] | null | undefined }
  requiredMark?: boolean
  /** The mutation that the form submits to. */
  sending: { isPending: boolean; error: Fault | null }
  submit: (values: V) => void
  close: () => void
  /** Details of an error, in place of the errors of fields that this form does not have. */
  refused?: ReactNode
  /** Content below the form, such as the result. */
  below?: ReactNode
  children: ReactNode
}

/** A form in a dialog. Errors show above the fields and at each field. */
export const FormDialog = <V extends object>({ title, okText, cancelText, start, sending, submit, close, below, ...props }: Props<V>) => {
  const t = useWords()
  const id = useId()
  const [form] = Form.useForm<V>(props.form)
  const { error } = sending
  const fields = Object.entries(error?.details.Fields ?? {})
  const here = (name: string) => Object.hasOwn(form.getFieldsValue(), name)
  const elsewhere = error ? fields.filter(([name]) => !here(name)).flatMap(([, texts]) => texts) : []
  useEffect(() => {
    form.setFields(Object.entries(error?.details.Fields ?? {}).map(([name, errors]) => ({ name: name as never, errors })))
  }, [form, error])
  return (
    <Modal
      open
      title={title}
      okText={okText ?? t('save')}
      cancelText={cancelText ?? t('cancel')}
      confirmLoading={sending.isPending}
      // Enter in a field submits the form.
      okButtonProps={{ htmlType: 'submit', form: id }}
      onCancel={close}
    >
      <Form<V>
        form={form}
        name={id}
        layout="vertical"
        requiredMark={props.requiredMark ?? false}
        initialValues={start as Record<string, unknown>}
        onFinish={submit}
      >
        {error && (
          <Alert
            type="error"
            showIcon
            role="alert"
            className="form-summary"
            title={error.message}
            description={props.refused ?? (elsewhere.length > 0 && elsewhere.join(' '))}
          />
        )}
        {props.children}
      </Form>
      {below}
    </Modal>
  )
}
