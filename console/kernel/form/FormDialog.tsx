import { Form, type FormInstance, Modal } from 'antd'
import { type ReactNode, useId } from 'react'
import type { Fault } from '../../session/request.ts'
import { useWords } from '../../words/words.ts'
import { useFormRefusal } from './refusal.tsx'

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
  const refusal = useFormRefusal(form, sending.error, { elsewhere: props.refused })
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
      footer={(buttons) => (
        <div className="form-foot">
          {refusal.count}
          {buttons}
        </div>
      )}
    >
      <Form<V>
        form={form}
        name={id}
        layout="vertical"
        requiredMark={props.requiredMark ?? false}
        initialValues={start as Record<string, unknown>}
        onFinish={submit}
        onFinishFailed={refusal.look}
      >
        {refusal.summary}
        {props.children}
      </Form>
      {below}
    </Modal>
  )
}
