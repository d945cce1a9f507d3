import { Form, Input, InputNumber, Select } from 'antd'
import { useCommand } from '../../../../console/kernel/api.ts'
import { FormDialog } from '../../../../console/kernel/form/FormDialog.tsx'
import type { ToolProps } from '../../../../console/kernel/plainScreens.ts'
import { RefInput } from '../../../../console/kernel/RefInput.tsx'
import { useGo } from '../../../../console/shell/To.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { foreignLanguages, gateway } from '../../gateways/contract.ts'
import { project } from '../../projects/contract.ts'
import { componentCalls, described, hj212, inText, levelPattern, networkComponent, sparkplug } from '../contract.ts'
import { DescribedFields, type Names, StationFields } from './DiallingFields.tsx'
import { keepToken } from './freshTokens.ts'

type Values = {
  ComponentName: string
  Language: (typeof foreignLanguages)[number]
  ProjectId: number
  DeviceLevel: number | null
  Token?: string
  SparkplugGroup?: string
  SparkplugNode?: string
  MN?: string
  Password?: string
  /** From the list of open ports. */
  Door?: string
  Networks?: string
  SelfParseId?: number
  RegistrationForm?: 1 | 2
  Registration?: string
  Heartbeat?: string
  HeartbeatPeriod?: number
  AskPeriod?: number
  Units?: string
}
const start = { Language: 1, RegistrationForm: inText, HeartbeatPeriod: 60, AskPeriod: 60, Units: '1' } as const
/** Asks for the sender's language and project. Its page then shows how to connect it. */
const AddSender = ({ tenant, close }: ToolProps) => {
  const t = useWords()
  const go = useGo()
  const [form] = Form.useForm<Values>()
  const add = useCommand(componentCalls.create, [networkComponent.name, gateway.name], { meta: { quiet: true } })
  const language = Form.useWatch('Language', form) ?? 1
  const needed = (label: string) => [{ required: true, message: t('form.required', { field: label }) }]
  const submit = ({ Token, DeviceLevel, Password, Door, Networks, ...values }: Values) => {
    const [Port, Transport] = (Door ?? '').split('/').map(Number)
    const station = {
      ...(Password && { Password }),
      ...(Networks && { Networks }),
      ...(Port && { Port, Transport: Transport === 2 ? (2 as const) : (1 as const) }),
    }
    add.mutate(
      { body: { ...values, ...station, ...(Token && { Token }), ...(DeviceLevel && { DeviceLevel }) } },
      {
        onSuccess: (made) => {
          keepToken(made.Id, made.Token)
          close()
          go(`/protocolManagement/networkPlugin?Id=${made.Id}`)
        },
      },
    )
  }
  const names: Names = (field) => t(`networkComponent.${field}`)
  return (
    <FormDialog<Values> title={t('sender.add')} form={form} start={start} sending={add} submit={submit} close={close}>
      <Form.Item name="Language" label={names('Language')} extra={t(`sender.about.${language}`)}>
        <Select options={foreignLanguages.map((value) => ({ value, label: t(`networkComponent.Language.${value}`) }))} />
      </Form.Item>
      <Form.Item name="ComponentName" label={names('ComponentName')} rules={needed(names('ComponentName'))}>
        <Input maxLength={50} autoComplete="off" />
      </Form.Item>
      <Form.Item name="ProjectId" label={t('project')} rules={needed(t('project'))}>
        <RefInput to={project} where={{ EnterpriseId: tenant }} />
      </Form.Item>
      {language === 2 && (
        <Form.Item name="DeviceLevel" label={names('DeviceLevel')} tooltip={t('help.networkComponent.DeviceLevel')}>
          <InputNumber min={1} max={16} precision={0} />
        </Form.Item>
      )}
      {language === sparkplug &&
        (['SparkplugGroup', 'SparkplugNode'] as const).map((name) => (
          <Form.Item
            key={name}
            name={name}
            label={names(name)}
            rules={[...needed(names(name)), { pattern: new RegExp(levelPattern, 'u'), message: t('sender.level') }]}
          >
            <Input maxLength={100} autoComplete="off" />
          </Form.Item>
        ))}
      {language === hj212 && <StationFields names={names} />}
      {language === described && <DescribedFields names={names} tenant={tenant} />}
      {language !== hj212 && language !== described && (
        <Form.Item
          name="Token"
          label={t('sender.ownToken')}
          extra={t('sender.ownToken.help')}
          rules={[{ min: 16, message: t('sender.tokenShort') }]}
        >
          <Input maxLength={100} autoComplete="off" />
        </Form.Item>
      )}
    </FormDialog>
  )
}
export default AddSender
