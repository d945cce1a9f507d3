import { Alert, Form, type FormInstance, Modal } from 'antd'
import { type ReactNode, useEffect, useId } from 'react'
import type { Fault } from '../../session/request.ts'
import { useWords } from '../../words/words.ts'

type Props<V> = {
  title: ReactNode
  /** Of the button that sends it; `save` where nothing else is said. */
  okText?: string
  cancelText?: string
  /** Where the dialog itself looks at its fields. */
  form?: FormInstance<V>
  start?: { [K in keyof V]?: V[K] | null | undefined }
  requiredMark?: boolean
  /** The command that it sends. */
  sending: { isPending: boolean; error: Fault | null }
  submit: (values: V) => void
  close: () => void
  /** What a refusal says beside its summary, instead of the faults of fields that are not here. */
  refused?: ReactNode
  /** Below the form: what became of it. */
  below?: ReactNode
  children: ReactNode
}

/** A form in a dialog. What was refused stands above its fields, and beside each of them what is wrong with it. */
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
      // Enter in a field sends it.
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
