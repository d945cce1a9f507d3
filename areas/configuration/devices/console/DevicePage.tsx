import { LineChartOutlined } from '@ant-design/icons'
import { Button, Skeleton, Tabs } from 'antd'
import { Link, useSearchParams } from 'react-router'
import { useRow } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { DetailHead } from '../../../../console/shell/DetailHead.tsx'
import { Ago } from '../../../../console/words/Ago.tsx'
import { none, numberText, shortText, wallToEpoch } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import { isGone } from '../../../../contract/telemetry.ts'
import { LiveTable } from '../../../analysis/telemetry/console/LiveTable.tsx'
import { PointTable } from '../../points/console/PointTable.tsx'
import { device } from '../contract.ts'
import { type Device, DeviceState } from './states.tsx'
import { WhyNoData } from './WhyNoData.tsx'

const tabs = ['points', 'live', 'why'] as const

/** Counts of a device that is gone are those of the past. */
const successRate = ({ OkCount, ErrCount, Status }: Device) => {
  if (isGone(Status)) return none
  const tries = (OkCount ?? 0) + (ErrCount ?? 0)
  return tries ? `${numberText((100 * (OkCount ?? 0)) / tries, 1, language())} %` : none
}

/** One device: its points, what they say now, and where its data stops when it does. */
const DevicePage = () => {
  const t = useWords()
  const [params, setParams] = useSearchParams()
  const id = Number(params.get('Id')) || undefined
  const { data, error, refetch } = useRow(device, id)
  if (error || id === undefined) return <Failure fault={error ?? new Error(t('device.none'))} retry={id ? () => refetch() : undefined} />
  if (!data)
    return (
      <article className="page">
        <Skeleton active />
      </article>
    )
  const row: Device = data
  const content = {
    points: <PointTable deviceId={row.Id} />,
    live: <LiveTable deviceIds={[row.Id]} />,
    why: <WhyNoData deviceId={row.Id} />,
  }
  return (
    <article className="page">
      <DetailHead
        name={row.DeviceName}
        state={<DeviceState of={row} />}
        belongs={
          <>
            <Link to={`/projectManagement/gatewayPreView?Id=${row.GatewayId}&tab=devices`}>{String(row.GatewayName ?? '')}</Link> ·{' '}
            {row.ModelName ? `${row.ModelName} · ` : ''}
            {String(row.NetProtocolName ?? row.SerialProtocolName ?? '')} · {t('device.SlaveNumber')} {row.SlaveNumber}
          </>
        }
        figures={[
          { label: t('device.LastDataTime'), value: row.LastDataTime ? <Ago time={wallToEpoch(row.LastDataTime)} /> : none },
          { label: t('device.successRate'), value: successRate(row) },
          { label: t('device.ErrCount'), value: row.ErrCount === null ? none : shortText(row.ErrCount, language()) },
        ]}
        actions={
          <Link to={`/dataAnalysis/realTimeData?devices=${row.Id}`}>
            <Button icon={<LineChartOutlined />}>{t('device.trend')}</Button>
          </Link>
        }
      />
      <Tabs
        activeKey={tabs.find((tab) => tab === params.get('tab')) ?? 'points'}
        onChange={(tab) => setParams({ Id: String(row.Id), tab }, { replace: true })}
        destroyOnHidden
        items={tabs.map((key) => ({ key, label: t(`device.tab.${key}`), children: content[key] }))}
      />
    </article>
  )
}
export default DevicePage
