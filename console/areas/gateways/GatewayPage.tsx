import { Skeleton, Tabs } from 'antd'
import { Link, useSearchParams } from 'react-router'
import { gateway } from '../../../contract/areas/gateways.ts'
import { DetailHead } from '../../app/DetailHead.tsx'
import { useRow } from '../../resource/api.ts'
import { Failure } from '../../resource/Empty.tsx'
import { Ago } from '../../words/Ago.tsx'
import { none, shortText, wallToEpoch } from '../../words/formats.ts'
import { language, useWords } from '../../words/words.ts'
import { ChannelLists } from '../channels/ChannelLists.tsx'
import { DeviceTable } from '../devices/DeviceTable.tsx'
import { EventTable } from '../events/EventTable.tsx'
import { CommandHistory } from './CommandHistory.tsx'
import { GatewayActions } from './GatewayActions.tsx'
import { Overview } from './Overview.tsx'
import { Rejected } from './Rejected.tsx'
import { ConfigState, type Gateway, OnlineState } from './states.tsx'

const tabs = ['overview', 'channels', 'devices', 'commands', 'events', 'rejected'] as const

/** One gateway: what it is, how it is, and everything that hangs on it. */
const GatewayPage = () => {
  const t = useWords()
  const [params, setParams] = useSearchParams()
  const id = Number(params.get('Id')) || undefined
  const { data, error, refetch } = useRow(gateway, id)
  if (error || id === undefined) return <Failure fault={error ?? new Error(t('gateway.none'))} retry={id ? () => refetch() : undefined} />
  if (!data)
    return (
      <article className="page">
        <Skeleton active />
      </article>
    )
  const row: Gateway = data
  const content = {
    overview: <Overview gateway={row} />,
    channels: <ChannelLists gatewayId={row.Id} />,
    devices: <DeviceTable fixed={{ GatewayId: row.Id }} />,
    commands: <CommandHistory gatewayId={row.Id} />,
    events: <EventTable gatewayId={row.Id} />,
    rejected: <Rejected gatewayId={row.Id} />,
  }
  return (
    <article className="page">
      <DetailHead
        name={row.GatewayName}
        state={
          <>
            <OnlineState of={row} />
            <ConfigState of={row} />
          </>
        }
        belongs={
          <>
            <Link to={`/projectManagement/gatewayManagement?ProjectId=${row.ProjectId}`}>{String(row.ProjectName ?? '')}</Link> ·{' '}
            <span className="mono">{row.SN}</span>
          </>
        }
        figures={[
          {
            label: t('gateway.LastHeartbeatTime'),
            value: row.LastHeartbeatTime ? <Ago time={wallToEpoch(row.LastHeartbeatTime)} /> : none,
          },
          { label: t('gateway.CacheCount'), value: row.CacheCount === null ? none : shortText(row.CacheCount, language()) },
          { label: t('gateway.ConfigVersion'), value: `${row.ConfigVersion ?? none} / ${row.TargetConfigVersion}` },
        ]}
        actions={<GatewayActions gateway={row} />}
      />
      <Tabs
        activeKey={tabs.find((tab) => tab === params.get('tab')) ?? 'overview'}
        onChange={(tab) => setParams({ Id: String(row.Id), tab }, { replace: true })}
        destroyOnHidden
        items={tabs.map((key) => ({ key, label: t(`gateway.tab.${key}`), children: content[key] }))}
      />
    </article>
  )
}
export default GatewayPage
