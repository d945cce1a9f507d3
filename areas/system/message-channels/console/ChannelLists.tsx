import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { useChannelForms } from '../../../configuration/channels/console/index.ts'
import { netProtocol, serialProtocol } from '../../../configuration/channels/contract.ts'

/** The ways a gateway has to its devices: over the network and over serial buses. */
const ChannelLists = ({ row: gateway }: { row: { Id: number } }) => {
  const t = useWords()
  const forms = useChannelForms(gateway.Id)
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
        />
      </section>
      <section className="panel">
        <h2>{t('channel.serial')}</h2>
        <ResourceList
          of={serialProtocol}
          secondary
          prefix="serial."
          form={forms.serial}
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
    </div>
  )
}
export default ChannelLists
