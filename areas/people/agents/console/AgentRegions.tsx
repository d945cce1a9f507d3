import { Table } from 'antd'
import { useCall } from '../../../../console/kernel/api.ts'
import { EmptyList, Failure } from '../../../../console/kernel/Empty.tsx'
import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { agentCalls } from '../contract.ts'
import { AreaMap } from './AreaMap.tsx'

/** Regions with their agents, and the positions of gateways. */
const AgentRegions = () => {
  const t = useWords()
  const { data, error, refetch } = useCall(agentCalls.regions, { body: {}, of: ['agent'] })
  const { data: counts } = useCall(agentCalls.positions, { of: ['snAgent', 'gatewayPosition'] })
  return (
    <Page title={t('menu.m12002')}>
      <AreaMap counts={counts ?? []} />
      {error && !data ? (
        <Failure fault={error} retry={() => refetch()} />
      ) : (
        <Table
          rowKey={(r) => `${r.AgentId} ${r.AreaCode}`}
          size="small"
          loading={!data}
          dataSource={data ?? []}
          locale={{ emptyText: <EmptyList text={t('agent.noRegions')} /> }}
          scroll={{ x: 'max-content' }}
          pagination={{ pageSize: 20, hideOnSinglePage: true }}
          columns={[
            { key: 'agent', title: t('agent'), dataIndex: 'AgentName' },
            { key: 'code', title: t('gatewayPosition.AreaCode'), dataIndex: 'AreaCode' },
            { key: 'area', title: t('agent.region'), dataIndex: 'AreaName' },
            { key: 'exclusive', title: t('agent.exclusive'), render: (_, r) => t(r.Exclusive ? 'flag.yes' : 'flag.no') },
          ]}
        />
      )}
    </Page>
  )
}
export default AgentRegions
