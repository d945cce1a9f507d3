import { UploadOutlined } from '@ant-design/icons'
import { App, Button, Form, Input, Select, Upload } from 'antd'
import { useCommand, useWrite } from '../../../../console/kernel/api.ts'
import { FormDialog } from '../../../../console/kernel/form/FormDialog.tsx'
import { request } from '../../../../console/session/request.ts'
import { useWords } from '../../../../console/words/words.ts'
import type { Answer } from '../../../../contract/call.ts'
import { gatewaySn, serialCalls } from '../contract.ts'
import type { Label } from './Labels.tsx'

type Entered = { List: string; GatewayTypeId: number; Batch?: string; ProduceDate?: string }
/** Parses one serial number per line, optionally followed by its code. */
const itemsIn = (text = '') =>
  text
    .split(/\r?\n/)
    .map((line) => line.split(/[\s,;，；]+/).filter(Boolean))
    .filter(([SN]) => SN)
    .map(([SN, Code]) => ({ SN: SN!, ...(Code ? { Code } : {}) }))

/** Adds a pasted list or a sheet of serial numbers to the stock. */
export const AddSerials = ({ close, onAdded }: { close: () => void; onAdded: (codes: readonly Label[]) => void }) => {
  const t = useWords()
  const { message } = App.useApp()
  const [form] = Form.useForm<Entered>()
  const add = useCommand(serialCalls.batchAdd, ['gatewaySn'], { meta: { quiet: true } })
  const read = useWrite<FormData, Answer<typeof serialCalls.readSheet>>([], (sheet) => request('POST', serialCalls.readSheet.path, sheet))
  const items = itemsIn(Form.useWatch('List', form))
  const wrong = Object.entries(add.error?.details.Fields ?? {}).map(([name, texts]) => {
    const at = Number(/^Items\.(\d+)\./.exec(name)?.[1] ?? -1)
    return `${add.variables?.body?.Items[at]?.SN ?? t('serial.list')}: ${texts.join(' ')}`
  })
  const submit = ({ List, GatewayTypeId, Batch, ProduceDate }: Entered) => {
    const of = { GatewayTypeId: GatewayTypeId as 1, ...(Batch ? { Batch } : {}), ...(ProduceDate ? { ProduceDate } : {}) }
    add.mutate(
      { body: { ...of, Items: itemsIn(List) } },
      {
        onSuccess: ({ Added, Codes }) => {
          message.success(t('serial.added', { count: Added }))
          onAdded(Codes)
        },
      },
    )
  }
  return (
    <FormDialog<Entered>
      title={t('serial.add')}
      okText={t('serial.addCount', { count: items.length })}
      form={form}
      start={{ GatewayTypeId: 1 }}
      sending={add}
      submit={submit}
      close={close}
      refused={wrong.length > 0 && wrong.slice(0, 20).map((line) => <div key={line}>{line}</div>)}
    >
      <Form.Item
        name="List"
        label={t('serial.list')}
        rules={[{ required: true, message: t('form.required', { field: t('serial.list') }) }]}
        extra={t('serial.list.help')}
      >
        <Input.TextArea rows={8} maxLength={60_000} className="mono" spellCheck={false} />
      </Form.Item>
      <Form.Item>
        <Upload
          accept=".xlsx,.csv"
          showUploadList={false}
          beforeUpload={(file) => {
            const sheet = new FormData()
            sheet.append('file', file)
            read.mutate(sheet, {
              onSuccess: ({ Items }) => form.setFieldValue('List', Items.map(({ SN, Code = '' }) => `${SN} ${Code}`.trim()).join('\n')),
            })
            return Upload.LIST_IGNORE
          }}
        >
          <Button icon={<UploadOutlined />} loading={read.isPending}>
            {t('serial.file')}
          </Button>
        </Upload>
      </Form.Item>
      <Form.Item name="GatewayTypeId" label={t('gatewaySn.GatewayTypeId')}>
        <Select options={gatewaySn.fields.GatewayTypeId.of.map((value) => ({ value, label: t(`gatewaySn.GatewayTypeId.${value}`) }))} />
      </Form.Item>
      <Form.Item name="Batch" label={t('gatewaySn.Batch')}>
        <Input maxLength={gatewaySn.fields.Batch.max} />
      </Form.Item>
      <Form.Item
        name="ProduceDate"
        label={t('gatewaySn.ProduceDate')}
        rules={[{ pattern: new RegExp(gatewaySn.fields.ProduceDate.pattern), message: t('serial.date') }]}
      >
        <Input maxLength={10} placeholder="2026-01-31" />
      </Form.Item>
    </FormDialog>
  )
}
