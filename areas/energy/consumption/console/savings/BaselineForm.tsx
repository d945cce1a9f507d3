import { Checkbox, Form, InputNumber, Select } from 'antd'
import { useState } from 'react'
import { useCommand } from '../../../../../console/kernel/api.ts'
import { FormDialog } from '../../../../../console/kernel/form/FormDialog.tsx'
import { dayText } from '../../../../../console/words/formats.ts'
import { useWords } from '../../../../../console/words/words.ts'
import { dayNumber, dayOf } from '../../../../../contract/days.ts'
import { MeterInput } from '../../../circuits/console/MeterInput.tsx'
import { DayInput } from '../../../tariffs/console/DayInput.tsx'
import { type AskedBaseline, cooling, type Fitted, heating, savingsCalls } from '../../savings.ts'
import type { CircuitInfo } from '../useEnergy.ts'
import { FitFacts } from './Baselines.tsx'

type Values = {
  DateFrom: string
  DateTo: string
  ParaId: number | null
  Kind: typeof heating | typeof cooling
  Base: number | null
  ProductInfoId: number | null
  Weekday: boolean
}
const quiet = { meta: { quiet: true } }
const days = 364

type Props = { circuit: CircuitInfo; products: readonly CircuitInfo[]; close: () => void }
/** Shows how well a baseline would fit, and then accepts it. */
export const BaselineForm = ({ circuit: { EnergyInfoId, EnergyName, Unit }, products, close }: Props) => {
  const t = useWords()
  const [form] = Form.useForm<Values>()
  const [fitted, show] = useState<{ body: AskedBaseline; of: Fitted }>()
  const preview = useCommand(savingsCalls.preview, [], quiet)
  const accept = useCommand(savingsCalls.accept, ['energyBaseline'], quiet)
  const values = Form.useWatch([], form) as Values | undefined
  const today = dayText(Date.now())
  const start: Values = {
    ...{ DateFrom: dayOf(dayNumber(today) - 1 - days), DateTo: dayOf(dayNumber(today) - 1) },
    ...{ ParaId: null, Kind: heating, Base: 18, ProductInfoId: null, Weekday: true },
  }
  const bodyOf = ({ DateFrom, DateTo, ParaId, Kind, Base, ProductInfoId, Weekday }: Values): AskedBaseline => ({
    ...{ EnergyInfoId, DateFrom, DateTo },
    ...(ParaId === null || ParaId === undefined ? {} : { ParaId, Kind: Kind ?? heating, ...(Base == null ? {} : { Base }) }),
    ...(ProductInfoId == null ? {} : { ProductInfoId }),
    ...(Weekday ? { Weekday: 1 as const } : {}),
  })
  const isShown = fitted !== undefined && values !== undefined && JSON.stringify(bodyOf(values)) === JSON.stringify(fitted.body)
  const submit = (given: Values) => {
    const body = bodyOf(given)
    if (isShown) return accept.mutate({ body }, { onSuccess: close })
    preview.mutate({ body }, { onSuccess: (of) => show({ body, of }) })
  }
  const required = (field: string) => [{ required: true, message: t('form.required', { field }) }]
  return (
    <FormDialog<Values>
      title={t('energy.baseline.title', { name: EnergyName })}
      okText={t(isShown ? 'energy.baseline.accept' : 'energy.baseline.preview')}
      form={form}
      start={start}
      sending={{ isPending: preview.isPending || accept.isPending, error: accept.error ?? preview.error }}
      submit={submit}
      close={close}
      below={isShown && <FitFacts of={fitted.of} unit={Unit} />}
    >
      <p className="soft">{t('energy.baseline.help')}</p>
      <div className="form-two">
        <Form.Item name="DateFrom" label={t('energyBill.StartDate')} rules={required(t('energyBill.StartDate'))}>
          <DayInput />
        </Form.Item>
        <Form.Item name="DateTo" label={t('energyBill.EndDate')} rules={required(t('energyBill.EndDate'))}>
          <DayInput />
        </Form.Item>
      </div>
      <Form.Item name="ParaId" label={t('energy.baseline.point')}>
        <MeterInput any />
      </Form.Item>
      {values?.ParaId != null && (
        <div className="form-two">
          <Form.Item name="Kind" label={t('energy.baseline.degree')}>
            <Select options={[heating, cooling].map((value) => ({ value, label: t(`energy.baseline.kind.${value}`) }))} />
          </Form.Item>
          <Form.Item name="Base" label={t('energy.baseline.base')}>
            <InputNumber min={-50} max={60} suffix="°C" />
          </Form.Item>
        </div>
      )}
      <Form.Item name="ProductInfoId" label={t('energy.baseline.production')}>
        <Select
          allowClear
          options={products
            .filter((one) => one.EnergyInfoId !== EnergyInfoId)
            .map((one) => ({ value: one.EnergyInfoId, label: `${one.EnergyName} (${one.Unit})` }))}
          showSearch={{ optionFilterProp: 'label' }}
        />
      </Form.Item>
      <Form.Item name="Weekday" valuePropName="checked">
        <Checkbox>{t('energy.baseline.weekday')}</Checkbox>
      </Form.Item>
    </FormDialog>
  )
}
