import { Alert, App, Checkbox, Form, Input, Table } from 'antd'
import { useDeferredValue } from 'react'
import { useCall, useCommand } from '../../../../console/kernel/api.ts'
import { FormDialog } from '../../../../console/kernel/form/FormDialog.tsx'
import type { ToolProps } from '../../../../console/kernel/plainScreens.ts'
import { RefInput } from '../../../../console/kernel/RefInput.tsx'
import { useWords } from '../../../../console/words/words.ts'
import type { Answer } from '../../../../contract/call.ts'
import { productSeries } from '../../product-series/contract.ts'
import { mostTargets } from '../../tasks/contract.ts'
import { isNameRule, numbersIn, productTask, productTaskCalls, rulePlaces } from '../contract.ts'

type Entered = { SeriesId: number; TaskName?: string; NameRule: string; SNs: string; SkipBad: boolean }
type Preview = Answer<typeof productTaskCalls.add>
const standardRule = '{Series}-{SN:last4}'

const BadNumbers = ({ bad }: { bad: Preview['Bad'] }) => {
  const t = useWords()
  return (
    <>
      <Alert type="warning" showIcon title={t('product.bad', { count: bad.length })} />
      <Table
        size="small"
        rowKey="Line"
        dataSource={bad}
        pagination={{ pageSize: 5, hideOnSinglePage: true, showSizeChanger: false }}
        scroll={{ x: 'max-content' }}
        columns={[
          { title: t('product.line'), dataIndex: 'Line' },
          { title: 'SN', dataIndex: 'SN' },
          { title: t('product.reason'), dataIndex: 'Reason' },
        ]}
      />
    </>
  )
}

/** Creates a project for each serial number of a pasted list. Shows bad ones before anything is written. */
const AddProducts = ({ tenant, close }: ToolProps) => {
  const t = useWords()
  const { message } = App.useApp()
  const [form] = Form.useForm<Entered>()
  const add = useCommand(productTaskCalls.add, [productTask.name], { meta: { quiet: true } })
  const SeriesId = Form.useWatch('SeriesId', form)
  const NameRule = useDeferredValue(Form.useWatch('NameRule', form) ?? '')
  const SNs = numbersIn(useDeferredValue(Form.useWatch('SNs', form)))
  const isComplete = Boolean(SeriesId) && SNs.length > 0 && SNs.length <= mostTargets && NameRule.trim() !== '' && isNameRule(NameRule)
  const { data } = useCall(productTaskCalls.add, {
    body: { SeriesId: SeriesId ?? 0, NameRule, SNs: SNs.slice(0, mostTargets), Preview: 1 },
    of: [productSeries.name],
    enabled: isComplete,
  })
  const preview = isComplete ? data : undefined
  const needed = (name: string) => [{ required: true, message: t('form.required', { field: name }) }]
  return (
    <FormDialog<Entered>
      title={t('product.add')}
      okText={preview ? t('product.start', { count: preview.Total }) : t('product.add')}
      form={form}
      start={{ NameRule: standardRule, SkipBad: false }}
      sending={add}
      submit={({ SNs: text, SkipBad, ...more }) =>
        add.mutate(
          { body: { ...more, SNs: numbersIn(text), SkipBad: SkipBad ? 1 : 0 } },
          {
            onSuccess: () => {
              message.success(t('product.started'))
              close()
            },
          },
        )
      }
      close={close}
    >
      <Form.Item name="SeriesId" label={t('productSeries')} rules={needed(t('productSeries'))}>
        <RefInput to={productSeries} where={{ EnterpriseId: tenant, Enabled: 1 }} />
      </Form.Item>
      <Form.Item name="SNs" label={t('product.SNs')} rules={needed(t('product.SNs'))} extra={t('product.SNs.help', { max: mostTargets })}>
        <Input.TextArea rows={8} maxLength={60_000} className="mono" spellCheck={false} />
      </Form.Item>
      <Form.Item
        name="NameRule"
        label={t('productTask.NameRule')}
        rules={needed(t('productTask.NameRule'))}
        extra={t('product.rule.help', { ...rulePlaces, example: preview?.Names[0] ?? '…' })}
      >
        <Input maxLength={100} spellCheck={false} />
      </Form.Item>
      <Form.Item name="TaskName" label={t('productTask.TaskName')}>
        <Input maxLength={100} />
      </Form.Item>
      {preview && <p className="soft">{t('product.each', { devices: preview.Devices, points: preview.Points })}</p>}
      {preview && preview.Bad.length > 0 && (
        <div className="stack" aria-live="polite">
          <BadNumbers bad={preview.Bad} />
          <Form.Item name="SkipBad" valuePropName="checked">
            <Checkbox>{t('product.skip')}</Checkbox>
          </Form.Item>
        </div>
      )}
    </FormDialog>
  )
}
export default AddProducts
