import './orders.css'
import { Form, Input, InputNumber, Rate, Select } from 'antd'
import { FilesInput } from '../../../../console/files/FilesInput.tsx'
import { useCall, useSettings } from '../../../../console/kernel/api.ts'
import { FieldInput } from '../../../../console/kernel/fields.tsx'
import { FormDialog } from '../../../../console/kernel/form/FormDialog.tsx'
import { useWords } from '../../../../console/words/words.ts'
import type { Attachment } from '../../../../contract/field.ts'
import { type Found, foundOf, ResultsInput, resultsOf } from '../../job-sheets/console/ResultsInput.tsx'
import type { Item, Result } from '../../job-sheets/contract.ts'
import { type HoldReason, orderClocks } from '../clocks.ts'
import { mtnMaintenanceOrder, orderCalls } from '../contract.ts'
import { orderSteps, type StepName } from '../steps.ts'
import { OrderItems } from './OrderItems.tsx'
import { type Asked, useSendStep } from './useSteps.tsx'
import { WhomSelect, whomOf } from './WhomSelect.tsx'

type Values = {
  Desc?: string
  Files?: Attachment[]
  Whom?: string
  PlanFinishTime?: string | null
  CauseType?: number
  Solution?: string
  StopHours?: number
  LaborHours?: number
  Score?: number
  Reason?: string
  Items?: Item[] | null
  Results?: Found[]
}
const fields = mtnMaintenanceOrder.fields
const named = (name: string) => `mtnMaintenanceOrder.${name}`
const descWord: Partial<Record<StepName, string>> = {
  finish: named('HandleDesc'),
  check: named('CheckDesc'),
  comment: 'order.comment',
  handOver: 'order.note',
  dispatch: 'order.note',
}

/** Optional fields of finishing an order, besides the report. */
const Finishing = () => {
  const t = useWords()
  const hours = (name: 'StopHours' | 'LaborHours') => (
    <Form.Item name={name} label={t(named(name))} extra={name === 'StopHours' && t('order.stoodHelp')}>
      <InputNumber min={0} max={10_000} step={0.5} suffix="h" style={{ width: '100%' }} />
    </Form.Item>
  )
  return (
    <>
      <Form.Item name="CauseType" label={t(named('CauseType'))}>
        <Select allowClear options={fields.CauseType.of.map((value) => ({ value, label: t(named(`CauseType.${value}`)) }))} />
      </Form.Item>
      <Form.Item name="Solution" label={t(named('Solution'))}>
        <Input.TextArea maxLength={500} autoSize={{ minRows: 2, maxRows: 6 }} />
      </Form.Item>
      <div className="order-hours">
        {hours('StopHours')}
        {hours('LaborHours')}
      </div>
    </>
  )
}

/** One of the tenant's hold reasons; some pause the clocks. */
const Reason = () => {
  const t = useWords()
  const { data } = useSettings(orderClocks)
  const reasons = (data?.HoldReasons ?? []) as HoldReason[]
  if (!reasons.length) return null
  return (
    <Form.Item name="Reason" label={t('order.reason')}>
      <Select
        allowClear
        options={reasons.map(({ Name, Pauses }) => ({ value: Name, label: Pauses ? t('clock.withPause', { name: Name }) : Name }))}
      />
    </Form.Item>
  )
}

type SheetProps = { order: Asked['order']; value?: Found[]; onChange?: (next: Found[]) => void; faults: Readonly<Record<string, string[]>> }
/** The checklist in the finish dialog. */
const Sheet = ({ order, value, onChange, faults }: SheetProps) => {
  const items = (order.Items ?? []) as Item[]
  const { data } = useCall(orderCalls.readings, {
    query: { OrderId: order.Id },
    enabled: items.some(({ ValueType }) => ValueType === 6),
  })
  return <ResultsInput items={items} found={value ?? []} change={onChange ?? ignore} readings={data} faults={faults} />
}
const ignore = () => undefined

/** Form for a step of an order. */
const StepDialog = ({ asked: { order, step, key }, close }: { asked: Asked; close: () => void }) => {
  const t = useWords()
  const send = useSendStep(true)
  const needsDesc = 'desc' in orderSteps[step]
  const withWhom = step === 'dispatch' || step === 'handOver'
  const items = (order.Items ?? []) as Item[]
  const hasSheet = step === 'finish' && items.length > 0
  const submit = ({ Whom, Items, Results, ...values }: Values) => {
    const given = Object.fromEntries(Object.entries(values).filter(([, v]) => v !== undefined && v !== null && v !== ''))
    const sheet = { ...(hasSheet && { Results: resultsOf(Results ?? []) }), ...(step === 'dispatch' && Items !== undefined && { Items }) }
    send.mutate({ order, step, key, ...given, ...sheet, ...(withWhom ? whomOf(Whom) : {}) }, { onSuccess: close })
  }
  return (
    <FormDialog<Values>
      title={`${t(`order.step.${step}`)}: ${order.Title}`}
      okText={t(`order.step.${step}`)}
      start={{
        PlanFinishTime: order.PlanFinishTime ?? null,
        ...(step === 'dispatch' && { Items: items }),
        ...(hasSheet && { Results: foundOf(items, (order.Results ?? []) as Result[]) }),
      }}
      sending={send}
      submit={submit}
      close={close}
    >
      {withWhom && (
        <Form.Item name="Whom" label={t('order.whom')} rules={[{ required: true, message: t('fault.field.required') }]}>
          <WhomSelect of={{ OrderId: order.Id }} people={step === 'handOver'} />
        </Form.Item>
      )}
      {step === 'dispatch' && (
        <Form.Item name="PlanFinishTime" label={t(named('PlanFinishTime'))}>
          <FieldInput field={fields.PlanFinishTime} name={named('PlanFinishTime')} />
        </Form.Item>
      )}
      {hasSheet && (
        <Form.Item name="Results" label={t('checklist.title')}>
          <Sheet order={order} faults={send.error?.details.Fields ?? {}} />
        </Form.Item>
      )}
      {step === 'suspend' && <Reason />}
      <Form.Item
        name="Desc"
        label={t(descWord[step] ?? (step === 'suspend' ? 'order.note' : 'order.reason'))}
        rules={needsDesc ? [{ required: true, whitespace: true, message: t('fault.field.required') }] : []}
      >
        <Input.TextArea maxLength={500} showCount autoSize={{ minRows: 3, maxRows: 8 }} />
      </Form.Item>
      {step === 'finish' && <Finishing />}
      {step === 'dispatch' && (
        <Form.Item name="Items" label={t('checklist.title')}>
          <OrderItems project={order.ProjectId} />
        </Form.Item>
      )}
      {step === 'check' && (
        <Form.Item name="Score" label={t(named('Score'))}>
          <Rate />
        </Form.Item>
      )}
      {step !== 'dispatch' && step !== 'cancel' && (
        <Form.Item name="Files" label={t(named('Files'))}>
          <FilesInput most={10} photos />
        </Form.Item>
      )}
    </FormDialog>
  )
}
export default StepDialog
