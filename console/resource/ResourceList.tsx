import { DeleteOutlined, EditOutlined, PlusOutlined } from '@ant-design/icons'
import { App, Button, Table, type TableColumnsType } from 'antd'
import { type ReactNode, useMemo, useState } from 'react'
import { Link } from 'react-router'
import type { Resource } from '../../contract/base/resource.ts'
import { virtualWidth } from '../list/arrange.ts'
import { ListTools } from '../list/ListTools.tsx'
import { filterFields, standardSize, toQuery } from '../list/listState.ts'
import { SearchBar } from '../list/SearchBar.tsx'
import { useArrangement } from '../list/useArrangement.ts'
import { useMay } from '../session/session.ts'
import { usePhone } from '../theme/useWidth.ts'
import { lower, useWords } from '../words/words.ts'
import { type Shown, useRemove, useRows } from './api.ts'
import { CardList } from './CardList.tsx'
import { EmptyList, Failure } from './Empty.tsx'
import { Cell, numeric } from './fields.tsx'
import { type FormProps, ResourceForm } from './ResourceForm.tsx'
import { type Action, RowActions } from './RowActions.tsx'

export type ListProps<R extends Resource> = {
  of: R
  columns: (keyof R['fields'] & string)[]
  /** How one field is shown specially. */
  cells?: { [K in keyof R['fields']]?: (row: Shown<R>) => ReactNode }
  /** What can be done with a row, before edit and remove. */
  actions?: (row: Shown<R>) => Action[]
  /** Fields in the search bar beside the searchable ones. */
  filters?: readonly (keyof R['fields'] & string)[]
  /** Conditions that the place gives; new rows get them too. */
  fixed?: Record<string, string | number>
  /** In front of the names in the address, where several lists share a page. */
  prefix?: string
  /** Where the title of a row leads. */
  link?: (row: Shown<R>) => string
  form?: Pick<FormProps<R>, 'refine' | 'onSaved' | 'inputs' | 'below'>
  /** Instead of the form that adds a row. */
  onAdd?: () => void
  /** Beside the button that adds. */
  extra?: ReactNode
  readOnly?: boolean
  /** Adding is not what the page is about: its button is a plain one. */
  secondary?: boolean
  emptyText?: string
}

const nothing: readonly string[] = []

/** A list of a resource: search, sort, pages and selection, all in the address; rows are read from the server. */
export const ResourceList = <R extends Resource>(props: ListProps<R>) => {
  const {
    of: r,
    columns,
    cells = {} as NonNullable<typeof props.cells>,
    actions,
    fixed = {},
    prefix = '',
    link,
    form,
    extra,
    readOnly,
  } = props
  const t = useWords()
  const phone = usePhone()
  const { modal } = App.useApp()
  const [mayAdd, mayEdit, mayRemove] = [useMay(`${r.permission}.add`), useMay(`${r.permission}.edit`), useMay(`${r.permission}.remove`)]
  const given = props.filters ?? (nothing as typeof columns)
  const filters = useMemo(() => filterFields(r, given).filter((f) => !(f in fixed)), [r, given, fixed])
  const arrangement = useArrangement(r, { columns, filters, fixed, prefix })
  const { state, set } = arrangement
  const { data, error, isFetching, refetch } = useRows(r, toQuery(r, state, fixed), { enabled: !arrangement.waits })
  const remove = useRemove(r)
  const [editing, setEditing] = useState<Shown<R> | 'new'>()
  const [selected, setSelected] = useState<number[]>([])
  const add = !readOnly && mayAdd ? (props.onAdd ?? (() => setEditing('new'))) : undefined

  const titleOf = (row: Shown<R>) => String((row as Record<string, unknown>)[r.title] ?? row.Id)
  const confirmRemove = (rows: { Id: number }[], title: string) =>
    modal.confirm({
      title: rows.length === 1 ? t('list.removeOne', { title }) : t('list.removeMany', { count: rows.length, thing: lower(t(r.name)) }),
      content: t(`remove.${r.name}`),
      okText: t('button.remove'),
      okButtonProps: { danger: true },
      cancelText: t('cancel'),
      onOk: () =>
        remove
          .mutateAsync(rows.map((row) => row.Id))
          .then(() => setSelected((ids) => ids.filter((id) => !rows.some((row) => row.Id === id))))
          .catch(() => undefined),
    })

  const actionsOf = (row: Shown<R>): Action[] => [
    ...(actions?.(row) ?? []),
    ...(!readOnly && mayEdit ? [{ key: 'edit', label: t('button.edit'), icon: <EditOutlined />, run: () => setEditing(row) }] : []),
    ...(!readOnly && mayRemove
      ? [
          {
            key: 'remove',
            label: t('button.remove'),
            icon: <DeleteOutlined />,
            danger: true,
            run: () => confirmRemove([row], titleOf(row)),
          },
        ]
      : []),
  ]

  const show = (row: Shown<R>, name: string) => {
    const special = cells[name]?.(row)
    const content = special === undefined ? <Cell of={r} field={name} row={row} /> : special
    return link && name === columns[0] ? <Link to={link(row)}>{content}</Link> : content
  }

  const order = state.sort || r.order
  const table: TableColumnsType<Shown<R>> = arrangement.columns.map(({ Field: name, Width, Fixed }) => ({
    key: name,
    dataIndex: name,
    title: t(`${r.name}.${name}`),
    align: numeric(r.fields[name]) && !cells[name] ? 'right' : 'left',
    ellipsis: Width || arrangement.virtual || r.fields[name]?.kind === 'long' ? { showTitle: true } : undefined,
    fixed: Fixed ?? undefined,
    width: Width ?? (arrangement.virtual ? virtualWidth : undefined),
    sorter: r.fields[name]?.kind !== 'json',
    sortOrder: order.replace(/^-/, '') === name ? (order.startsWith('-') ? 'descend' : 'ascend') : null,
    render: (_: unknown, row: Shown<R>) => show(row, name),
  }))
  const hasActions = Boolean(actions) || (!readOnly && (mayEdit || mayRemove))
  if (hasActions)
    table.push({
      key: 'actions',
      fixed: 'right',
      width: 104,
      align: 'right',
      title: <span className="sr-only">{t('list.actions')}</span>,
      render: (_, row) => <RowActions actions={actionsOf(row)} title={titleOf(row)} />,
    })

  const narrowed = state.search !== '' || Object.keys(state.filters).length > 0
  const empty = (
    <EmptyList
      text={narrowed ? t('list.nothingFound') : (props.emptyText ?? t(`empty.${r.name}`))}
      action={
        narrowed
          ? { label: t('list.clear'), run: () => set({ q: null, ...Object.fromEntries(filters.map((f) => [f, null])) }) }
          : add && { label: t('list.add', { thing: lower(t(r.name)) }), run: add }
      }
    />
  )
  const pagination = {
    current: state.page,
    pageSize: state.size,
    total: data?.TotalCount,
    showSizeChanger: true,
    pageSizeOptions: [20, 50, 100, 200, 1000],
    hideOnSinglePage: (data?.TotalCount ?? 0) <= standardSize,
    simple: phone,
    showTotal: (total: number) => t(data?.TotalMore ? 'list.totalMore' : 'list.total', { count: total }),
    onChange: (page: number, size: number) => set({ page: size === state.size ? page : 1, size: size === standardSize ? null : size }),
  }

  return (
    <section aria-label={t(r.name)}>
      <SearchBar of={r} filters={filters} state={state} set={set}>
        {extra}
        <ListTools of={r} arrangement={arrangement} />
        {add && (
          <Button type={props.secondary ? 'default' : 'primary'} icon={<PlusOutlined />} onClick={add}>
            {t('list.add', { thing: lower(t(r.name)) })}
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
            onClick={() =>
              confirmRemove(
                selected.map((Id) => ({ Id })),
                titleOf(data?.Items.find((row) => row.Id === selected[0]) ?? ({ Id: selected[0] } as Shown<R>)),
              )
            }
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
          title={(row) => show(row, columns[0] as string)}
          lines={(row) =>
            arrangement.columns
              .filter(({ Field }) => Field !== columns[0])
              .map(({ Field: name }) => ({ key: name, label: t(`${r.name}.${name}`), content: show(row, name) }))
          }
          actions={(row) => (hasActions ? <RowActions actions={actionsOf(row)} title={titleOf(row)} icons={1} /> : null)}
          empty={empty}
          pagination={pagination}
        />
      ) : (
        <Table<Shown<R>>
          rowKey="Id"
          size="small"
          loading={{ spinning: isFetching && !data, delay: 150 }}
          dataSource={data?.Items}
          columns={table}
          sticky={!arrangement.virtual}
          {...arrangement.table}
          locale={{ emptyText: data ? empty : ' ' }}
          pagination={pagination}
          rowSelection={
            !readOnly && mayRemove
              ? {
                  columnWidth: 40,
                  selectedRowKeys: selected,
                  onChange: (keys) => setSelected(keys.map(Number)),
                  preserveSelectedRowKeys: true,
                }
              : undefined
          }
          onChange={(_, __, sorter, { action }) => {
            const s = Array.isArray(sorter) ? sorter[0] : sorter
            if (action === 'sort') set({ sort: s?.order ? `${s.order === 'descend' ? '-' : ''}${String(s.columnKey)}` : null })
          }}
        />
      )}
      {editing && (
        <ResourceForm of={r} row={editing === 'new' ? undefined : editing} fixed={fixed} {...form} close={() => setEditing(undefined)} />
      )}
    </section>
  )
}
