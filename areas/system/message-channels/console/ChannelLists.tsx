import { EyeOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { useWords } from '../../../../console/words/words.ts'
import { type Channel, TraceDialog, useChannelForms } from '../../../configuration/channels/console/index.ts'
import { netProtocol, serialProtocol } from '../../../configuration/channels/contract.ts'

/** The ways a gateway has to its devices: over the network and over serial buses. */
const ChannelLists = ({ row: gateway }: { row: { Id: number } }) => {
  const t = useWords()
  const forms = useChannelForms(gateway.Id)
  const mayTrace = useMay('m10106.trace')
  const [traced, trace] = useState<{ name: string; channel: Channel }>()
  const actions = (of: (Id: number) => Channel) => (row: { Id: number; ProtocolName: string }) =>
    mayTrace
      ? [{ key: 'trace', label: t('trace.open'), icon: <EyeOutlined />, run: () => trace({ name: row.ProtocolName, channel: of(row.Id) }) }]
      : []
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
