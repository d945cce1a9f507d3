import { LineChartOutlined, UnorderedListOutlined } from '@ant-design/icons'
import type { Refinement } from '../../../../console/kernel/ResourceForm.tsx'
import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { device } from '../contract.ts'
import { DeviceState } from './states.tsx'

/** A device hangs on one channel of its gateway: a network one or a serial one. */
const refine = (values: Record<string, unknown>): Refinement => {
  const where = { GatewayId: (values.GatewayId as number | null) ?? undefined }
  const serial = values.CommType === 1
  return {
    hidden: [serial ? 'NetProtocolId' : 'SerialProtocolId', ...(where.GatewayId ? [] : [serial ? 'SerialProtocolId' : 'NetProtocolId'])],
    where: { NetProtocolId: where, SerialProtocolId: where, ModelId: { EnterpriseId: values.EnterpriseId as number | undefined } },
  }
}

export const devicePath = (id: number) => `/projectManagement/devicePointList?Id=${id}`

/** Devices, of all gateways or of the one that the place gives. */
export const DeviceTable = ({ fixed = {} }: { fixed?: { GatewayId?: number } }) => {
  const t = useWords()
  return (
    <ResourceList
      of={device}
      secondary={fixed.GatewayId !== undefined}
      columns={[
        'DeviceName',
        'Status',
        ...(fixed.GatewayId ? [] : ['GatewayId' as const]),
        'ModelId',
        'SlaveNumber',
        'LastDataTime',
        'ErrCount',
      ]}
      cells={{ Status: (row) => <DeviceState of={row} /> }}
      filters={['GatewayId', 'ModelId']}
      fixed={fixed.GatewayId ? { GatewayId: fixed.GatewayId } : {}}
      link={(row) => devicePath(row.Id)}
      form={{ refine }}
      actions={(row) => [
        {
          key: 'points',
          label: t('device.points'),
          icon: <UnorderedListOutlined />,
          to: `/projectManagement/pointManagement?DeviceId=${row.Id}`,
        },
        { key: 'trend', label: t('device.trend'), icon: <LineChartOutlined />, to: `/dataAnalysis/realTimeData?devices=${row.Id}` },
      ]}
    />
  )
}
