import { ApiOutlined } from '@ant-design/icons'
import { App } from 'antd'
import { useState } from 'react'
import { useCommand } from '../../../../console/kernel/api.ts'
import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { useWords } from '../../../../console/words/words.ts'
import { gatewayCalls } from '../../gateways/contract.ts'
import { netProtocol, serialProtocol } from '../contract.ts'
import { type Channel, TraceDialog, useChannelForms } from './index.ts'

/** The ways a gateway has to its devices: over the network and over serial buses. */
const ChannelLists = ({ row: gateway }: { row: { Id: number } }) => {
  const t = useWords()
  const forms = useChannelForms(gateway.Id)
  const mayTrace = useMay('m10106.trace')
  const mayTest = useMay('m10102.command')
  const { message } = App.useApp()
  const test = useCommand(gatewayCalls.netTest, ['command'])
  const [traced, trace] = useState<{ name: string; channel: Channel }>()
  const reach = (name: string, target: { Ip: string; Port: number } | { Serial: string }) =>
    test.mutate(
      { body: { Id: gateway.Id, ...target } },
      {
        onSuccess: ({ Code, Msg }) =>
          Code === 0 ? message.success(t('line.reached', { name })) : message.error(t('line.notReached', { name, why: Msg })),
      },
    )
  const testOf = (row: { ProtocolName: string; Ip?: string | null; Port?: number | null; SerialPort?: string }) => {
    const target = row.SerialPort ? { Serial: row.SerialPort } : row.Ip && row.Port ? { Ip: row.Ip, Port: row.Port } : undefined
    if (!mayTest || !target) return []
    return [{ key: 'test', label: t('line.test'), icon: <ApiOutlined />, run: () => reach(row.ProtocolName, target) }]
  }
  const actions = (of: (Id: number) => Channel) => (row: Parameters<typeof testOf>[0] & { Id: number }) => [
    ...testOf(row),
    ...(mayTrace ? [{ key: 'trace', label: t('trace.open'), run: () => trace({ name: row.ProtocolName, channel: of(row.Id) }) }] : []),
  ]
  return (
    <div className="stack">
      <section className="panel">
        <h2>{t('channel.net')}</h2>
        <ResourceList
          of={netProtocol}
          secondary
          prefix="net."
          columns={['ProtocolName', 'ProtocolType', 'Ip', 'Port', 'InterFrameMs', 'RetryCount']}
          fixed={{ GatewayId: gateway.Id }}
          form={forms.net}
          actions={actions((NetProtocolId) => ({ NetProtocolId }))}
        />
      </section>
      <section className="panel">
        <h2>{t('channel.serial')}</h2>
        <ResourceList
          of={serialProtocol}
          secondary
          prefix="serial."
          form={forms.serial}
          actions={actions((SerialProtocolId) => ({ SerialProtocolId }))}
          columns={[
            'ProtocolName',
            'ProtocolType',
            'SerialPort',
            'BaudRate',
            'DataBits',
            'Parity',
            'StopBits',
            'InterFrameMs',
            'RetryCount',
          ]}
          fixed={{ GatewayId: gateway.Id }}
        />
      </section>
      {traced && <TraceDialog {...traced} close={() => trace(undefined)} />}
    </div>
  )
}
export default ChannelLists
