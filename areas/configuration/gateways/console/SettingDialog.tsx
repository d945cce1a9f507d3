import { App, Form } from 'antd'
import { type Shown, useSave } from '../../../../console/kernel/api.ts'
import { FieldInput } from '../../../../console/kernel/fields.tsx'
import { FormDialog } from '../../../../console/kernel/form/FormDialog.tsx'
import { useWords, type Words } from '../../../../console/words/words.ts'
import { choice, number, text } from '../../../../contract/field.ts'
import { gatewaySettings, type SettingName } from '../../../../contract/gateway-settings.ts'
import { type Gateway, gatewayPara } from '../contract.ts'

const fieldOf = (name: SettingName) => {
  const setting = gatewaySettings[name]
  if (setting.kind === 'number') return number({ integer: true, min: setting.min, max: setting.max, unit: setting.unit })
  return setting.kind === 'choice' ? choice(setting.of, { required: true }) : text({ max: 253 })
}

/** Display text of a setting's value. */
export const settingText = (t: Words, name: SettingName, value: string | number | null | undefined) => {
  const setting = gatewaySettings[name]
  if (value === null || value === undefined) return t('setting.none')
  if (setting.kind === 'choice') return t(`setting.${name}.${value}`)
  return setting.kind === 'number' ? `${Number(value).toLocaleString()} ${setting.unit}` : String(value)
}

type Props = { gateway: Gateway; name: SettingName; wanted: Shown<typeof gatewayPara> | undefined; close: () => void }
/** Sets one setting of a gateway. The next push sends it. */
export const SettingDialog = ({ gateway, name, wanted, close }: Props) => {
  const t = useWords()
  const { message } = App.useApp()
  const save = useSave(gatewayPara)
  const setting = gatewaySettings[name]
  const label = t(`gatewayPara.ParaCode.${name}`)
  const start = wanted ? (setting.kind === 'number' ? Number(wanted.ParaValue) : wanted.ParaValue) : setting.default
  const submit = ({ ParaValue }: { ParaValue: string | number }) =>
    save.mutate(
      {
        ...(wanted ? { Id: wanted.Id, UpdateStamp: wanted.UpdateStamp } : { GatewayId: gateway.Id, ParaCode: name }),
        ParaValue: String(ParaValue),
      } as never,
      {
        onSuccess: () => {
          message.success(t('setting.saved', { name: label }))
          close()
        },
      },
    )
  return (
    <FormDialog<{ ParaValue: string | number }>
      title={label}
      start={{ ParaValue: start as string | number }}
      sending={save}
      submit={submit}
      close={close}
    >
      <Form.Item
        name="ParaValue"
        label={label}
        rules={[{ required: true, message: t('form.required', { field: label }) }]}
        extra={t(`setting.${name}.help`, setting.kind === 'number' ? { min: setting.min, max: setting.max.toLocaleString() } : {})}
      >
        <FieldInput field={fieldOf(name)} name={`setting.${name}`} />
      </Form.Item>
    </FormDialog>
  )
}
