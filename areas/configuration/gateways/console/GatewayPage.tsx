import { Skeleton, Tabs } from 'antd'
import { Link, useSearchParams } from 'react-router'
import { useRow } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { DetailHead } from '../../../../console/shell/DetailHead.tsx'
import { Ago } from '../../../../console/words/Ago.tsx'
import { none, shortText, wallToEpoch } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import { EventTable } from '../../../alarms/events/console/EventTable.tsx'
import { ChannelLists } from '../../../system/message-channels/console/ChannelLists.tsx'
import { DeviceTable } from '../../devices/console/DeviceTable.tsx'
import { gateway } from '../contract.ts'
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
