import { Form, Modal, Select } from 'antd'
import { useWords } from '../../../../console/words/words.ts'
import { pointTableTypes } from '../contract.ts'

/** Selects the type of point table for an export. Only one type exists. */
export const ExportDialog = ({ start, close }: { start: () => void; close: () => void }) => {
  const t = useWords()
  const [form] = Form.useForm<{ Type: number }>()
  const submit = () => {
    start()
    close()
  }
  return (
    <Modal open title={t('list.export')} okText={t('list.export')} cancelText={t('cancel')} onOk={form.submit} onCancel={close}>
      <Form form={form} layout="vertical" requiredMark={false} onFinish={submit}>
        <Form.Item
          name="Type"
          label={t('point.tableType')}
          validateTrigger="onBlur"
          rules={[{ required: true, message: t('point.tableType.missing') }]}
        >
          <Select autoFocus options={pointTableTypes.map((value) => ({ value, label: t(`point.tableType.${value}`) }))} />
        </Form.Item>
      </Form>
    </Modal>
  )
}
