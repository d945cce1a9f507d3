import { CopyOutlined, DeleteOutlined, DownloadOutlined, EditOutlined, PlusOutlined, UploadOutlined } from '@ant-design/icons'
import { App, Button, Dropdown, Table } from 'antd'
import { useMemo, useState } from 'react'
import { point, pointCalls } from '../../../contract/areas/points.ts'
import { filterFields, toQuery, useListState } from '../../list/listState.ts'
import { SearchBar } from '../../list/SearchBar.tsx'
import { type Shown, useRemove, useRows } from '../../resource/api.ts'
import { CardList } from '../../resource/CardList.tsx'
import { EmptyList, Failure } from '../../resource/Empty.tsx'
import { Cell, numeric } from '../../resource/fields.tsx'
import { ResourceForm } from '../../resource/ResourceForm.tsx'
import { type Action, RowActions } from '../../resource/RowActions.tsx'
import { download } from '../../session/request.ts'
import { useMay } from '../../session/session.ts'
import { usePhone } from '../../theme/useWidth.ts'
import { lower, useWords } from '../../words/words.ts'
import { ColumnPicker } from './ColumnPicker.tsx'
import { columnGroups, fieldOf, storeColumns, storedColumns } from './columns.ts'
import { EditableCell } from './EditableCell.tsx'
import { ImportDialog } from './ImportDialog.tsx'

type Point = Shown<typeof point>
const filters = filterFields(point, ['RegisterType', 'ReadWriteType'])

/** The point table of a device: 27 columns by group, edited in place, imported from and exported to a sheet. */
export const PointTable = ({ deviceId }: { deviceId: number }) => {
  const t = useWords()
  const phone = usePhone()
  const { modal, message } = App.useApp()
  const [state, set] = useListState(filters)
  const fixed = useMemo(() => ({ DeviceId: deviceId }), [deviceId])
  const { data, error, isFetching, refetch } = useRows(point, toQuery(point, state, fixed))
  const remove = useRemove(point)
  const [visible, setVisible] = useState(storedColumns)
  const [editing, setEditing] = useState<Point | 'new'>()
  const [importing, setImporting] = useState(false)
  const [selected, setSelected] = useState<number[]>([])
  const [mayAdd, mayEdit, mayRemove] = [useMay('m10104.add'), useMay('m10104.edit'), useMay('m10104.remove')]
  const [mayImport, mayExport] = [useMay('m10104.import'), useMay('m10104.export')]

  const fetchSheet = (path: string, name: string) => download(path, name).catch((fault: Error) => message.error(fault.message, 4))
  const confirmRemove = (rows: { Id: number; ParaName?: string }[]) =>
    modal.confirm({
      title:
        rows.length === 1
          ? t('list.removeOne', { title: rows[0]?.ParaName ?? '' })
          : t('list.removeMany', { count: rows.length, thing: lower(t('point')) }),
      content: t('remove.point'),
      okText: t('button.remove'),
      okButtonProps: { danger: true },
      cancelText: t('cancel'),
      onOk: () =>
        remove
          .mutateAsync(rows.map((row) => row.Id))
          .then(() => setSelected([]))
          .catch(() => undefined),
    })
  const actionsOf = (row: Point): Action[] => [
    ...(mayEdit ? [{ key: 'edit', label: t('button.edit'), icon: <EditOutlined />, run: () => setEditing(row) }] : []),
    ...(mayRemove
      ? [{ key: 'remove', label: t('button.remove'), icon: <DeleteOutlined />, danger: true, run: () => confirmRemove([row]) }]
      : []),
  ]
  const choose = (columns: string[]) => {
    setVisible(columns)
    storeColumns(columns)
  }
  const order = state.sort || point.order
  const column = (name: string) => ({
    key: name,
    title: t(`point.${name}`),
    align: numeric(fieldOf(name)) ? ('right' as const) : ('left' as const),
    fixed: name === 'ParaName' ? ('left' as const) : undefined,
    sorter: true,
    sortOrder: order.replace(/^-/, '') === name ? (order.startsWith('-') ? ('descend' as const) : ('ascend' as const)) : null,
    render: (_: unknown, row: Point) => <EditableCell row={row} name={name} may={mayEdit} />,
  })
  const grouped = columnGroups()
    .map(([section, names]) => ({ section, names: names.filter((name) => visible.includes(name)) }))
    .filter(({ names }) => names.length)

  const narrowed = state.search !== '' || Object.keys(state.filters).length > 0
  const addAction = mayAdd ? { label: t('list.add', { thing: lower(t('point')) }), run: () => setEditing('new') } : undefined
  const empty = <EmptyList text={t(narrowed ? 'list.nothingFound' : 'empty.point')} action={narrowed ? undefined : addAction} />
  const pagination = {
    current: state.page,
    pageSize: state.size,
    total: data?.TotalCount,
    showSizeChanger: true,
    pageSizeOptions: [20, 50, 100, 200],
    hideOnSinglePage: (data?.TotalCount ?? 0) <= 20,
    simple: phone,
    showTotal: (count: number) => t('list.total', { count }),
    onChange: (page: number, size: number) => set({ page: size === state.size ? page : 1, size: size === 20 ? null : size }),
  }
  const sheetItems = [
    { key: 'import', icon: <UploadOutlined />, label: t('button.import'), disabled: !mayImport },
    { key: 'export', icon: <DownloadOutlined />, label: t('button.export'), disabled: !mayExport },
    { key: 'template', icon: <CopyOutlined />, label: t('point.template') },
  ]
  const sheet = (key: string) => {
    if (key === 'import') setImporting(true)
    if (key === 'export') void fetchSheet(`${pointCalls.output.path}?DeviceId=${deviceId}`, `points-${deviceId}.xlsx`)
    if (key === 'template') void fetchSheet(pointCalls.template.path, 'points.xlsx')
  }

  return (
    <section aria-label={t('point')}>
      <SearchBar of={point} filters={filters} state={state} set={set}>
        {!phone && <ColumnPicker visible={visible} choose={choose} />}
        <Dropdown trigger={['click']} menu={{ items: sheetItems, onClick: ({ key }) => sheet(key) }}>
          <Button icon={<DownloadOutlined />}>{t('point.sheet')}</Button>
        </Dropdown>
        {mayAdd && (
          <Button type="primary" icon={<PlusOutlined />} onClick={() => setEditing('new')}>
            {t('list.add', { thing: lower(t('point')) })}
          </Button>
        )}
      </SearchBar>
      {selected.length > 0 && (
        <div className="bulk-bar" role="status">
          <span>{t('list.selected', { count: selected.length })}</span>
          <Button
            danger
            size="small"
            icon={<DeleteOutlined />}
            onClick={() => confirmRemove(selected.map((Id) => ({ Id, ParaName: data?.Items.find((row) => row.Id === Id)?.ParaName })))}
          >
            {t('button.remove')}
          </Button>
          <Button type="link" size="small" onClick={() => setSelected([])}>
            {t('list.unselect')}
          </Button>
        </div>
      )}
      {error && !data ? (
        <Failure fault={error} retry={() => refetch()} />
      ) : phone ? (
        <CardList
          rows={data?.Items}
          loading={isFetching && !data}
          title={(row) => row.ParaName}
          lines={(row) =>
            visible
              .filter((name) => name !== 'ParaName')
              .map((name) => ({ key: name, label: t(`point.${name}`), content: <Cell of={point} field={name} row={row} /> }))
          }
          actions={(row) => <RowActions actions={actionsOf(row)} title={row.ParaName} icons={1} />}
          empty={empty}
          pagination={pagination}
        />
      ) : (
        <Table<Point>
          rowKey="Id"
          size="small"
          className="point-table"
          loading={{ spinning: isFetching && !data, delay: 150 }}
          dataSource={data?.Items}
          sticky
          scroll={{ x: 'max-content' }}
          locale={{ emptyText: data ? empty : ' ' }}
          pagination={pagination}
          rowSelection={
            mayRemove ? { selectedRowKeys: selected, onChange: (keys) => setSelected(keys.map(Number)), fixed: true } : undefined
          }
          onChange={(_, __, sorter, { action }) => {
            const s = Array.isArray(sorter) ? sorter[0] : sorter
            if (action === 'sort') set({ sort: s?.order ? `${s.order === 'descend' ? '-' : ''}${String(s.columnKey)}` : null })
          }}
          columns={[
            ...grouped.map(({ section, names }) =>
              names.includes('ParaName')
                ? { key: section, title: t(`section.${section}`), fixed: 'left' as const, children: names.map(column) }
                : { key: section, title: t(`section.${section}`), children: names.map(column) },
            ),
            {
              key: 'actions',
              fixed: 'right' as const,
              width: 80,
              title: <span className="sr-only">{t('list.actions')}</span>,
              render: (_: unknown, row: Point) => <RowActions actions={actionsOf(row)} title={row.ParaName} />,
            },
          ]}
        />
      )}
      {editing && (
        <ResourceForm
          of={point}
          row={editing === 'new' ? undefined : editing}
          fixed={{ DeviceId: deviceId }}
          close={() => setEditing(undefined)}
        />
      )}
      {importing && <ImportDialog deviceId={deviceId} close={() => setImporting(false)} />}
    </section>
  )
}
