import { Table } from 'antd'
import { useState } from 'react'
import { useCall } from '../../../../console/kernel/api.ts'
import { CardList } from '../../../../console/kernel/CardList.tsx'
import { EmptyList, Failure } from '../../../../console/kernel/Empty.tsx'
import { usePhone } from '../../../../console/theme/useWidth.ts'
import { timeText } from '../../../../console/words/formats.ts'
import { hasWords, useWords } from '../../../../console/words/words.ts'
import type { Page } from '../../../../contract/call.ts'
import { gatewayCalls } from '../contract.ts'

type Item = { Id: number; reason: string; detail: string; received: number; payload: string }

/** Readings that were not stored, with reason and content, newest first. */
const Rejected = ({ row: gateway }: { row: { Id: number } }) => {
  const t = useWords()
  const phone = usePhone()
  const [page, setPage] = useState(1)
  const { data, error, refetch, isFetching } = useCall(gatewayCalls.rejected, {
    query: { GatewayId: gateway.Id, PageIndex: page, PageSize: 20 },
    refetchInterval: 30_000,
  })
  if (error && !data) return <Failure fault={error} retry={() => refetch()} />
  const rows = data as unknown as Page<Item> | undefined
  const pagination = {
    current: page,
    pageSize: 20,
    total: rows?.TotalCount,
    onChange: setPage,
    hideOnSinglePage: (rows?.TotalCount ?? 0) <= 20,
    showSizeChanger: false,
  }
  const empty = rows ? <EmptyList text={t('rejected.none')} /> : ' '
  const reason = (r: Item) => (
    <>
      {hasWords(`rejection.${r.reason}`) ? t(`rejection.${r.reason}`) : r.reason} <span className="soft">{r.detail}</span>
    </>
  )
  const content = (r: Item) => <span className="code">{r.payload.slice(0, 300)}</span>
  if (phone)
    return (
      <CardList
        rows={rows?.Items}
        loading={isFetching && !data}
        title={(r) => <span className="figures">{timeText(r.received)}</span>}
        lines={(r) => [
          { key: 'reason', label: t('sheet.reason'), content: reason(r) },
          { key: 'payload', label: t('rejected.what'), content: content(r) },
        ]}
        actions={() => null}
        empty={empty}
        pagination={pagination}
      />
    )
  return (
    <Table<Item>
      size="small"
      rowKey="Id"
      loading={{ spinning: isFetching && !data, delay: 150 }}
      dataSource={rows?.Items}
      locale={{ emptyText: empty }}
      pagination={pagination}
      columns={[
        {
          key: 'received',
          title: t('rejected.received'),
          width: 180,
          render: (_, r) => <span className="figures">{timeText(r.received)}</span>,
        },
        {
          key: 'reason',
          title: t('sheet.reason'),
          render: (_, r) => reason(r),
        },
        {
          key: 'payload',
          title: t('rejected.what'),
          width: '45%',
          render: (_, r) => content(r),
        },
      ]}
    />
  )
}
export default Rejected
