import { ApiOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { ResourceForm } from '../../../../console/kernel/ResourceForm.tsx'
import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { useWords } from '../../../../console/words/words.ts'
import { dialled, protocolOf } from '../../../../contract/protocols/index.ts'
import { netProtocol, serialProtocol } from '../contract.ts'
import { ChannelCards, registrationOf } from './ChannelCards.tsx'
import { type Channel, TraceDialog, useChannelForms } from './index.ts'
import { targetOfLine, useLineTest } from './useLineTest.ts'

type Begin = Parameters<typeof ResourceForm<typeof netProtocol>>[0]['begin']

/** Channels of a gateway: over the network and over serial buses. */
const ChannelLists = ({ row: gateway }: { row: { Id: number } }) => {
  const t = useWords()
  const forms = useChannelForms(gateway.Id)
  const mayTrace = useMay('m10106.trace')
  const line = useLineTest(gateway.Id)
  const [traced, trace] = useState<{ name: string; channel: Channel }>()
  const [adopted, adopt] = useState<Begin>()
  const testOf = (row: { ProtocolName: string } & Parameters<typeof targetOfLine>[0]) => {
    const target = targetOfLine(row)
    if (!line.may || !target) return []
    return [{ key: 'test', label: t('line.test'), icon: <ApiOutlined />, run: () => line.test(row.ProtocolName, target) }]
  }
  const actions = (of: (Id: number) => Channel) => (row: Parameters<typeof testOf>[0] & { Id: number }) => [
    ...testOf(row),
    ...(mayTrace ? [{ key: 'trace', label: t('trace.open'), run: () => trace({ name: row.ProtocolName, channel: of(row.Id) }) }] : []),
  ]
  return (
    <div className="stack">
      <ChannelCards
        gatewayId={gateway.Id}
        trace={mayTrace ? trace : undefined}
        adopt={(caller) =>
          adopt({
            ...{ ProtocolName: caller.From, ProtocolType: forms.dialled, Mode: dialled, Port: caller.Port },
            Settings: {
              Transport: caller.Transport,
              ...registrationOf(caller),
              ...(caller.Transport === 'udp' ? { Networks: caller.From } : {}),
            },
          })
        }
      />
      <section className="panel">
        <h2>{t('channel.net')}</h2>
        <ResourceList
          of={netProtocol}
          secondary
          prefix="net."
          columns={['ProtocolName', 'ProtocolType', 'Ip', 'Port', 'InterFrameMs', 'RetryCount']}
          // Protocols addressed by URL have no port.
          cells={{ Port: (row) => (row.Mode === dialled || protocolOf(row.ProtocolType)?.port ? undefined : '—') }}
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
      {adopted && (
        <ResourceForm
          of={netProtocol}
          fixed={{ GatewayId: gateway.Id }}
          begin={adopted}
          {...forms.net}
          below={(values) => forms.net.below?.(values, adopted)}
          close={() => adopt(undefined)}
        />
      )}
    </div>
  )
}
export default ChannelLists
