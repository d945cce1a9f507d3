import { TableOutlined } from '@ant-design/icons'
import { Button, Input, Modal, Space, Table } from 'antd'
import { useState } from 'react'
import type { Resource } from '../../../contract/resource.ts'
import { useWords } from '../../words/words.ts'
import { useRows } from '../api.ts'
import { EmptyList } from '../Empty.tsx'
import { Cell } from '../fields.tsx'
import { RefInput } from '../RefInput.tsx'
import { ReuseFilter } from './ReuseFilter.tsx'

type Props = { to: Resource; label: string; value: number | undefined; onChange: (value: number | null) => void }
const [pageSize, shownColumns] = [10, 4]

const Choice = ({ to, label, value, onChange, close }: Props & { close: () => void }) => {
  const t = useWords()
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  const { data, isLoading } = useRows(to, { PageIndex: page, PageSize: pageSize, ...(search ? { Search: search } : {}) })
  const names = [to.title, ...Object.keys(to.fields).filter((name) => name !== to.title && to.fields[name]!.search)].slice(0, shownColumns)
  const choose = (id: number) => {
    onChange(id)
    close()
  }
  return (
    <Modal open width={720} title={t('list.choose', { thing: label })} onCancel={close} footer={null}>
      <div className="stack">
        <Input.Search
          allowClear
          maxLength={40}
          placeholder={t('list.search')}
          aria-label={t('list.search')}
          onSearch={(text) => {
            setSearch(text.trim())
            setPage(1)
          }}
        />
        <Table
          size="small"
          rowKey="Id"
          loading={isLoading}
          dataSource={data?.Items ?? []}
          locale={{ emptyText: data ? <EmptyList text={t('list.nothingFound')} /> : ' ' }}
          rowSelection={{
            type: 'radio',
            selectedRowKeys: value === undefined ? [] : [value],
            onChange: ([id]) => choose(Number(id)),
            getCheckboxProps: (row) => ({ 'aria-label': String((row as Record<string, unknown>)[to.title] ?? row.Id) }) as object,
          }}
          onRow={(row) => ({ onClick: () => choose(row.Id), style: { cursor: 'pointer' } })}
          scroll={{ x: 'max-content' }}
          pagination={{
            current: page,
            pageSize,
            total: data?.TotalCount ?? 0,
            onChange: setPage,
            showSizeChanger: false,
            hideOnSinglePage: true,
          }}
          columns={names.map((name) => ({
            key: name,
            title: t(`${to.name}.${name}`),
            render: (_: unknown, row: Record<string, unknown>) => <Cell of={to} field={name} row={row} short />,
          }))}
        />
      </div>
    </Modal>
  )
}

/** Picks a record from a long list: by typing, or in a dialog with more columns. */
export const DialogField = (props: Props) => {
  const t = useWords()
  const [open, setOpen] = useState(false)
  const { to, label, value, onChange } = props
  return (
    <>
      <Space.Compact block>
        <RefInput to={to} value={value ?? null} onChange={onChange} placeholder={label} aria-label={label} />
        <Button
          icon={<TableOutlined />}
          aria-haspopup="dialog"
          aria-label={t('list.choose', { thing: label })}
          title={t('list.choose', { thing: label })}
          onClick={() => setOpen(true)}
        />
        {open && <Choice {...props} close={() => setOpen(false)} />}
      </Space.Compact>
      <ReuseFilter to={to} value={value} onChange={onChange} />
    </>
  )
}
