import { Table } from 'antd'
import { useState } from 'react'
import { gatewayCalls } from '../../../contract/areas/gateways.ts'
import type { Page } from '../../../contract/base/call.ts'
import { useCall } from '../../resource/api.ts'
import { EmptyList, Failure } from '../../resource/Empty.tsx'
import { timeText } from '../../words/formats.ts'
import { hasWords, useWords } from '../../words/words.ts'

type Item = { Id: number; reason: string; detail: string; received: number; payload: string }

/** Readings that were not stored, with the reason and what they held, newest first. */
export const Rejected = ({ gatewayId }: { gatewayId: number }) => {
  const t = useWords()
  const [page, setPage] = useState(1)
  const { data, error, refetch, isFetching } = useCall(gatewayCalls.rejected, {
    query: { GatewayId: gatewayId, PageIndex: page, PageSize: 20 },
    refetchInterval: 30_000,
  })
  if (error && !data) return <Failure fault={error} retry={() => refetch()} />
  const rows = data as unknown as Page<Item> | undefined
  return (
    <Table<Item>
      size="small"
      rowKey="Id"
      loading={{ spinning: isFetching && !data, delay: 150 }}
      dataSource={rows?.Items}
      scroll={{ x: 'max-content' }}
      locale={{ emptyText: rows ? <EmptyList text={t('rejected.none')} /> : ' ' }}
      pagination={{
        current: page,
        pageSize: 20,
        total: rows?.TotalCount,
        onChange: setPage,
        hideOnSinglePage: true,
        showSizeChanger: false,
      }}
      columns={[
        { key: 'received', title: t('rejected.received'), render: (_, r) => <span className="figures">{timeText(r.received)}</span> },
        {
          key: 'reason',
          title: t('sheet.reason'),
          render: (_, r) => (hasWords(`rejection.${r.reason}`) ? t(`rejection.${r.reason}`) : r.reason),
        },
        { key: 'detail', title: t('rejected.detail'), dataIndex: 'detail' },
        { key: 'payload', title: t('rejected.what'), render: (_, r) => <span className="mono soft">{r.payload.slice(0, 300)}</span> },
      ]}
    />
  )
}
