import { ApiOutlined } from '@ant-design/icons'
import { Alert, AutoComplete, Button, Form } from 'antd'
import type { ReactNode } from 'react'
import { useCall, useRow } from '../../../../console/kernel/api.ts'
import { FieldInput } from '../../../../console/kernel/fields.tsx'
import { rules } from '../../../../console/kernel/form/rules.ts'
import { SecretInput } from '../../../../console/kernel/form/SecretInput.tsx'
import type { FormProps, Refinement } from '../../../../console/kernel/ResourceForm.tsx'
import { hasWords, useWords } from '../../../../console/words/words.ts'
import type { Answer } from '../../../../contract/call.ts'
import { channelFields } from '../../../../contract/protocols/dialled.ts'
import { dialled, dials, protocolOf, targetOf } from '../../../../contract/protocols/index.ts'
import type { SettingField } from '../../../../contract/protocols/protocol.ts'
import { secretsOf } from '../../../../contract/protocols/settings.ts'
import { described } from '../../../../contract/protocols/sources.ts'
import { gateway } from '../../gateways/contract.ts'
import { netProtocol, protocolCalls, serialProtocol } from '../contract.ts'
import { plugChoice } from './PlugChoice.tsx'
import { targetOfLine, useLineTest } from './useLineTest.ts'

type Values = Record<string, unknown>
type Choices = Answer<typeof protocolCalls.select>
type Inputs = NonNullable<FormProps['inputs']>

const settingsOf = (row: Values | undefined) => (row?.Settings ?? {}) as Values
const heldIn = (row: Values | undefined) => (row?.Secrets as { Names?: readonly string[] } | null | undefined)?.Names ?? []
const wordOf = (name: string) => `setting.${name}`

/** Input for a protocol setting. A secret can be replaced or removed, but not read. */
type SettingProps = { name: string; field: SettingField; row: Values | undefined; example: string | undefined }
const Setting = ({ name, field, row, example }: SettingProps) => {
  const t = useWords()
  const isHeld = heldIn(row).includes(name)
  const isNeeded = field.required === true && !isHeld
  const other: unknown = Form.useWatch(['Settings', field.when?.[0] ?? name])
  if (field.when && !field.when[1].some((value) => value === other)) return null
  return (
    <Form.Item
      name={['Settings', name]}
      label={t(wordOf(name))}
      tooltip={hasWords(`help.${wordOf(name)}`) ? t(`help.${wordOf(name)}`) : undefined}
      initialValue={field.secret ? undefined : (settingsOf(row)[name] ?? field.default ?? null)}
      rules={rules(field, wordOf(name), isNeeded, t)}
      extra={example && t('address.example', { example })}
    >
      {field.secret ? <SecretInput held={isHeld} /> : <FieldInput field={field} name={wordOf(name)} />}
    </Form.Item>
  )
}

/** Note that a copied channel has no secrets. */
const NoSecrets = () => <Alert type="info" showIcon className="form-summary" title={useWords()('line.noSecrets')} />

/** Protocol settings next to the target. Changing the protocol resets them. */
export const LineSettings = ({
  fields,
  row,
  kind,
  example,
}: {
  fields: Readonly<Record<string, SettingField>>
  row: Values | undefined
  kind: string
  /** An example address of the protocol, if it uses addresses. */
  example?: string | undefined
}) =>
  Object.entries(fields).map(([name, field]) => (
    <Setting key={`${kind}/${name}`} name={name} field={field} row={row} example={name === 'Url' ? example : undefined} />
  ))

/** Shows the description picker only for described protocols. */
const describedOnly = ({ ProtocolType }: Values) =>
  ProtocolType === described.number ? { hidden: [], required: ['SelfParseId'] } : { hidden: ['SelfParseId'], required: [] }

/** Shows only the fields that the protocol and direction of a network channel use. */
const refineNet =
  (choices: Choices) =>
  (values: Values): Refinement => {
    const protocol = protocolOf(Number(values.ProtocolType))
    const directions = new Set(choices.filter((c) => c.ProtocolType === values.ProtocolType).map((c) => c.Mode))
    const target = targetOf({ CommType: 0, ProtocolType: Number(values.ProtocolType), Mode: Number(values.Mode ?? dials) })
    const isAt = target === 'dials' && protocol?.port !== undefined
    return {
      hidden: [
        ...describedOnly(values).hidden,
        ...(directions.size < 2 && !values.Mode ? ['Mode'] : []),
        ...(isAt ? [] : ['Ip']),
        ...(isAt || target === 'dialled' ? [] : ['Port']),
      ],
      required: [...describedOnly(values).required, ...(isAt ? ['Ip', 'Port'] : target === 'dialled' ? ['Port'] : [])],
    }
  }

/** Tests a connection before the channel is saved. */
const TestLine = ({ gatewayId, values }: { gatewayId: number; values: Values }) => {
  const t = useWords()
  const line = useLineTest(gatewayId)
  const target = targetOfLine(values)
  if (!line.may) return null
  return (
    <Button
      icon={<ApiOutlined />}
      disabled={!target}
      loading={line.isPending}
      onClick={() => target && line.test(String(values.ProtocolName || t('channel.this')), target)}
    >
      {t('line.test')}
    </Button>
  )
}

const belowOf =
  (CommType: 0 | 1, gatewayId: number | undefined): FormProps['below'] =>
  (values, row): ReactNode => {
    const protocol = protocolOf(Number(values.ProtocolType))
    if (!protocol) return null
    const target = targetOf({ CommType, ProtocolType: protocol.number, Mode: Number(values.Mode ?? dials) })
    const fields = channelFields(protocol, target)
    const own = row?.ProtocolType === protocol.number ? row : undefined
    return (
      <>
        {own && secretsOf(fields).length > 0 && heldIn(own).length === 0 && <NoSecrets />}
        <LineSettings fields={fields} row={own} kind={`${protocol.name}/${target}`} example={protocol.url} />
        {gatewayId !== undefined && target !== 'dialled' && <TestLine gatewayId={gatewayId} values={values} />}
      </>
    )
  }
const none: never[] = []
/** Channel forms of a gateway, limited to its capabilities. */
export const useChannelForms = (gatewayId: number | undefined) => {
  const { data = none } = useCall(protocolCalls.select, {
    query: { GatewayId: gatewayId ?? 0 },
    of: ['gateway'],
    enabled: gatewayId !== undefined,
  })
  const { data: row } = useRow(gateway, gatewayId)
  const ports = portsOf(row?.Capabilities)
  const [net, serial] = [0, 1].map((CommType) => data.filter((c) => c.CommType === CommType)) as [Choices, Choices]
  return {
    /** Default protocol of a device that dials in. */
    dialled: net.find(({ Mode }) => Mode === dialled)?.ProtocolType ?? 1,
    net: { inputs: { ProtocolType: inputOf(net, netProtocol.name) }, refine: refineNet(net), below: belowOf(0, gatewayId) },
    serial: {
      inputs: { ProtocolType: inputOf(serial, serialProtocol.name), SerialPort: portInputOf(ports) },
      refine: describedOnly,
      below: belowOf(1, gatewayId),
    },
  }
}

/** Serial ports that the gateway announced at connect. */
const portsOf = (capabilities: unknown): readonly string[] =>
  Array.isArray(capabilities)
    ? capabilities.flatMap((word) => (typeof word === 'string' && word.startsWith(portWord) ? [word.slice(portWord.length)] : []))
    : none
const portWord = 'serial:'

const portInput = (ports: readonly string[]): Inputs[string] =>
  function PortInput({ value, onChange, ...rest }) {
    return (
      <AutoComplete
        {...rest}
        value={String(value ?? '')}
        onChange={(next: string) => onChange?.(next || null)}
        options={ports.map((port) => ({ value: port }))}
        maxLength={190}
      />
    )
  }
const portInputs = new Map<string, Inputs[string]>()
const portInputOf = (ports: readonly string[]) => {
  const key = ports.join('\n')
  const input = portInputs.get(key) ?? portInput(ports)
  portInputs.set(key, input)
  return input
}

/** Caches the component for the same options, so that the input is not remounted. */
const inputs = new Map<string, Inputs[string]>()
const inputOf = (choices: Choices, r: string) => {
  const key = `${r}/${choices.map((c) => c.ProtocolType)}`
  const input = inputs.get(key) ?? plugChoice([...new Set(choices.map((c) => c.ProtocolType))], r)
  inputs.set(key, input)
  return input
}
