import { Form, Input, InputNumber, Select } from 'antd'
import { useCall } from '../../../../console/kernel/api.ts'
import { RefInput } from '../../../../console/kernel/RefInput.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { selfParse } from '../../self-parse/contract.ts'
import { componentCalls, inHex, inText, type networkComponent, unitsPattern } from '../contract.ts'

export type Names = (field: keyof typeof networkComponent.fields) => string
type Props = { names: Names }
const doorOf = ({ Port, Transport }: { Port: number; Transport: 1 | 2 }) => `${Port}/${Transport}`

const useRequired = () => {
  const t = useWords()
  return (field: string) => ({ required: true, message: t('form.required', { field }) })
}

/** Port to connect to, and allowed networks. */
const PlaceFields = ({ names }: Props) => {
  const t = useWords()
  const required = useRequired()
  const { data } = useCall(componentCalls.ports)
  const door = Form.useWatch('Door') as string | undefined
  const options = data?.map((place) => ({
    value: doorOf(place),
    label: `${place.Port} ${t(`networkComponent.Transport.${place.Transport}`)}`,
  }))
  return (
    <>
      <Form.Item name="Door" label={names('Port')} rules={[required(names('Port'))]} extra={data?.length === 0 && t('sender.noPort')}>
        <Select options={options ?? []} disabled={!data?.length} />
      </Form.Item>
      <Form.Item
        name="Networks"
        label={names('Networks')}
        tooltip={t('help.networkComponent.Networks')}
        rules={door?.endsWith('/2') ? [required(names('Networks'))] : []}
      >
        <Input maxLength={500} autoComplete="off" />
      </Form.Item>
    </>
  )
}

/** Identification of an HJ 212 station, and the port to connect to. */
export const StationFields = ({ names }: Props) => {
  const t = useWords()
  const required = useRequired()
  return (
    <>
      <Form.Item
        name="MN"
        label={names('MN')}
        rules={[required(names('MN')), { pattern: /^[0-9A-Za-z]{14,24}$/, message: t('help.networkComponent.MN') }]}
      >
        <Input maxLength={24} autoComplete="off" className="mono" />
      </Form.Item>
      <Form.Item
        name="Password"
        label={t('sender.password')}
        extra={t('sender.password.help')}
        rules={[{ pattern: /^[0-9A-Za-z]{4,32}$/, message: t('sender.passwordShape') }]}
      >
        <Input maxLength={32} autoComplete="off" className="mono" />
      </Form.Item>
      <PlaceFields names={names} />
    </>
  )
}

/** Protocol, registration and polling of a device that speaks a described protocol. */
export const DescribedFields = ({ names, tenant }: Props & { tenant: number | undefined }) => {
  const t = useWords()
  const required = useRequired()
  const forms = [inText, inHex].map((value) => ({ value, label: t(`networkComponent.RegistrationForm.${value}`) }))
  return (
    <>
      <Form.Item name="SelfParseId" label={names('SelfParseId')} rules={[required(names('SelfParseId'))]}>
        <RefInput to={selfParse} where={{ EnterpriseId: tenant }} />
      </Form.Item>
      <Form.Item name="RegistrationForm" label={names('RegistrationForm')}>
        <Select options={forms} />
      </Form.Item>
      <Form.Item
        name="Registration"
        label={names('Registration')}
        extra={t('help.networkComponent.Registration')}
        rules={[required(names('Registration'))]}
      >
        <Input maxLength={512} autoComplete="off" className="mono" />
      </Form.Item>
      <Form.Item name="Heartbeat" label={names('Heartbeat')} tooltip={t('help.networkComponent.Heartbeat')}>
        <Input maxLength={512} autoComplete="off" className="mono" />
      </Form.Item>
      <Form.Item
        name="HeartbeatPeriod"
        label={names('HeartbeatPeriod')}
        tooltip={t('help.networkComponent.HeartbeatPeriod')}
        rules={[required(names('HeartbeatPeriod'))]}
      >
        <InputNumber min={5} max={86_400} precision={0} suffix="s" />
      </Form.Item>
      <Form.Item name="AskPeriod" label={names('AskPeriod')} rules={[required(names('AskPeriod'))]}>
        <InputNumber min={1} max={86_400} precision={0} suffix="s" />
      </Form.Item>
      <Form.Item
        name="Units"
        label={names('Units')}
        tooltip={t('help.networkComponent.Units')}
        rules={[required(names('Units')), { pattern: new RegExp(unitsPattern), message: t('help.networkComponent.Units') }]}
      >
        <Input maxLength={120} autoComplete="off" className="mono" />
      </Form.Item>
      <PlaceFields names={names} />
    </>
  )
}
