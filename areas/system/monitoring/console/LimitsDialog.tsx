import { App, Form, InputNumber } from 'antd'
import { useCommand } from '../../../../console/kernel/api.ts'
import { FormDialog } from '../../../../console/kernel/form/FormDialog.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { type MachineLimits, monitoringCalls } from '../contract.ts'

const fields = [
  ['Cpu', '%', 100],
  ['Memory', '%', 100],
  ['Disk', '%', 100],
  ['Minutes', 'min', 1440],
] as const

/** From when on those who run the installation get a notice. */
export const LimitsDialog = ({ limits, close }: { limits: MachineLimits; close: () => void }) => {
  const t = useWords()
  const { message } = App.useApp()
  const save = useCommand(monitoringCalls.setLimits, [], { meta: { quiet: true } })
  const submit = (body: MachineLimits) =>
    save.mutate(
      { body },
      {
        onSuccess: () => {
          message.success(t('monitor.saved'))
          close()
        },
      },
    )
  return (
    <FormDialog title={t('monitor.limits')} start={limits} sending={save} submit={submit} close={close}>
      <p className="soft">{t('monitor.limitsHelp')}</p>
      {fields.map(([name, unit, max]) => (
        <Form.Item
          key={name}
          name={name}
          label={t(`machineLimits.${name}`)}
          rules={[{ required: true, message: t('form.required', { field: t(`machineLimits.${name}`) }) }]}
        >
          <InputNumber min={1} max={max} precision={0} suffix={unit} controls={false} style={{ width: '100%' }} />
        </Form.Item>
      ))}
    </FormDialog>
  )
}
