import { Form, Input } from 'antd'
import { useCommand } from '../../../../console/kernel/api.ts'
import { FormDialog } from '../../../../console/kernel/form/FormDialog.tsx'
import { dayText, wallToEpoch } from '../../../../console/words/formats.ts'
import { useWords } from '../../../../console/words/words.ts'
import { dayNumber, dayOf } from '../../../../contract/days.ts'
import { DayInput } from '../../tariffs/console/DayInput.tsx'
import { modelCalls, powerForecast } from '../contract.ts'
import { modelSources } from './useModels.ts'

export type RangeValues = { Name: string; DateFrom: string; DateTo: string }
const quiet = { meta: { quiet: true } }

/** The days up to yesterday. */
export const lastDays = (count: number) => {
  const today = dayNumber(dayText(Date.now()))
  return { DateFrom: dayOf(today - count), DateTo: dayOf(today - 1) }
}
export const rangeOf = ({ DateFrom, DateTo }: RangeValues) => ({
  Start: wallToEpoch(`${DateFrom} 00:00:00`),
  End: wallToEpoch(`${dayOf(dayNumber(DateTo) + 1)} 00:00:00`),
})
export const useTrain = () => useCommand(modelCalls.train, modelSources, quiet)

/** Name and training period of a model. */
export const RangeFields = () => {
  const t = useWords()
  const required = (field: string) => [{ required: true, message: t('form.required', { field }) }]
  return (
    <>
      <Form.Item name="Name" label={t('models.Name')} rules={required(t('models.Name'))}>
        <Input maxLength={60} />
      </Form.Item>
      <div className="form-two">
        <Form.Item name="DateFrom" label={t('energyBill.StartDate')} rules={required(t('energyBill.StartDate'))}>
          <DayInput />
        </Form.Item>
        <Form.Item name="DateTo" label={t('energyBill.EndDate')} rules={required(t('energyBill.EndDate'))}>
          <DayInput />
        </Form.Item>
      </div>
    </>
  )
}

type Props = { circuit: { EnergyInfoId: number; EnergyName: string }; close: () => void }
/** Starts the training of a power forecast. */
export const TrainForm = ({ circuit: { EnergyInfoId, EnergyName }, close }: Props) => {
  const t = useWords()
  const train = useTrain()
  return (
    <FormDialog<RangeValues>
      title={t('models.trainOf', { name: EnergyName })}
      okText={t('models.train')}
      start={{ Name: EnergyName, ...lastDays(365) }}
      sending={train}
      submit={(values) =>
        train.mutate({ body: { Type: powerForecast, Name: values.Name, EnergyInfoId, Range: rangeOf(values) } }, { onSuccess: close })
      }
      close={close}
    >
      <p className="soft">{t('models.train.help')}</p>
      <RangeFields />
    </FormDialog>
  )
}
