import { Button, type TableColumnsType, type TableProps } from 'antd'
import { type ReactNode, useMemo, useState } from 'react'
import type { Page } from '../../../contract/call.ts'
import { isStructured } from '../../../contract/field.ts'
import type { Resource } from '../../../contract/resource.ts'
import { type ListKeys, useListKeys } from '../../keys/useListKeys.tsx'
import type { Fault } from '../../session/request.ts'
import { Waiting } from '../../shell/Waiting.tsx'
import { noHover, usePhone } from '../../theme/useWidth.ts'
import { useWords, type Words } from '../../words/words.ts'
import { CardList } from '../CardList.tsx'
import { Failure } from '../Empty.tsx'
import { numeric } from '../fields.tsx'
import { type Action, RowActions } from '../RowActions.tsx'
import { virtualWidth } from './arrange.ts'
import { inSections } from './columnGroups.ts'
import { FarPager } from './FarPager.tsx'
import { LineTable } from './LineTable.tsx'
import { pageSizes, standardSize } from './listState.ts'
import { useIsLeaving } from './undo.tsx'
import type { Arrangement } from './useArrangement.ts'
import { useRowSelection } from './useRowSelection.tsx'

const none: never[] = []

type RowBase = { Id: number }
/** Bulk actions on the selected rows. `done` clears the selection. */
export type Bulk<T> = { key: string; label: string; icon?: ReactNode; danger?: boolean; run: (rows: T[], done: () => void) => void }
type Paging = { current: number; pageSize: number; total: number | undefined; hideOnSinglePage: boolean; simple: boolean }

type Props<T extends RowBase> = {
  of: Resource
  arrangement: Arrangement
  answer: {
    data: Pick<Page<T>, 'Items' | 'TotalCount' | 'TotalMore' | 'NextCursor' | 'PrevCursor'> | undefined
    error: Fault | null
    refetch: () => unknown
  }
  cell: (row: T, name: string) => ReactNode
  titleOf: (row: T) => string
  empty: ReactNode
  actions?: ((row: T) => Action[]) | undefined
  /** Without bulk actions, rows have no checkboxes. */
  bulk?: Bulk<T>[]
  /** Fields with a custom cell. They are not right-aligned as numbers are. */
  special?: (name: string) => boolean
  /** Cells hold no state of their row, so that scrolling may reuse them. */
  stay?: boolean
  /** More columns to right-align. */
  right?: readonly string[]
  /** Groups columns by the section of their field. */
  sections?: boolean
  className?: string
  /** More keys while the focus is in the list. */
  keys?: ListKeys<T>
  /** The card of a row on phones, by default its columns as a list. */
  card?: (row: T) => ReactNode
  /** Cards at any width. */
  cards?: boolean | undefined
  /** Replaces the cards on a phone. */
  lines?: (rows: T[], loading: boolean, paging: Paging & { onChange: (page: number, size: number) => void }) => ReactNode
}

const orderOf = (order: string, name: string) =>
  order.replace(/^-/, '') === name ? (order.startsWith('-') ? ('descend' as const) : ('ascend' as const)) : null

/** The columns as antd takes them. */
const columnsOf = <T extends RowBase>(
  { of: r, arrangement: { columns, virtual, state }, cell, titleOf, actions, sections }: Props<T>,
  isRight: (name: string) => boolean,
  t: Words,
): TableColumnsType<T> => {
  const column = ({ Field: name, Width, Fixed }: (typeof columns)[number]) => ({
    key: name,
    title: t(`${r.name}.${name}`),
    align: isRight(name) ? ('right' as const) : ('left' as const),
    ...(Width || virtual || r.fields[name]?.kind === 'long' ? { ellipsis: { showTitle: true } } : {}),
    ...(Fixed ? { fixed: Fixed } : {}),
    ...(Width || virtual ? { width: Width ?? virtualWidth } : {}),
    sorter: name in r.fields && !isStructured(r.fields[name]!),
    sortOrder: orderOf(state.sort || r.order, name),
    render: (_: unknown, row: T) => cell(row, name),
  })
  const drawn: TableColumnsType<T> = sections
    ? inSections(columns, (name) => r.fields[name]?.section ?? '').map(({ section, members, span }) => ({
        key: `${section}/${members[0]!.Field}`,
        colSpan: span,
        title: section && t(`section.${section}`),
        ...(members[0]!.Fixed ? { fixed: members[0]!.Fixed } : {}),
        children: members.map(column),
      }))
    : columns.map(column)
  if (actions)
    drawn.push({
      key: 'actions',
      fixed: 'right',
      width: noHover ? 88 : 48,
      align: 'right',
      title: <span className="sr-only">{t('list.actions')}</span>,
      render: (_, row) => <RowActions of={row.Id} actions={actions(row)} title={titleOf(row)} />,
    })
  return drawn
}

type BulkProps<T> = { bulk: Bulk<T>[]; selected: T[]; clear: () => void }
const BulkBar = <T,>({ bulk, selected, clear }: BulkProps<T>) => {
  const t = useWords()
  return (
    <div className="bulk-bar" role="status">
      <span>{t('list.selected', { count: selected.length })}</span>
      {bulk.map(({ key, label, icon, danger = false, run }) => (
        <Button key={key} size="small" danger={danger} icon={icon} onClick={() => run(selected, clear)}>
          {label}
        </Button>
      ))}
      <Button type="link" size="small" onClick={clear}>
        {t('list.unselect')}
      </Button>
    </div>
  )
}

/** A table with sorting, paging and selection; cards on a phone. */
export const RowTable = <T extends RowBase>(props: Props<T>) => {
  const { of: r, arrangement, answer, cell, titleOf, empty, actions, bulk = [], special, right = [], lines } = props
  const { data, error, refetch } = answer
  const isLeaving = useIsLeaving(r)
  const rows = useMemo(() => data?.Items.filter((row) => !isLeaving(row.Id)), [data, isLeaving])
  const { state, set, columns, virtual } = arrangement
  const t = useWords()
  const phone = usePhone()
  const [selected, setSelected] = useState<T[]>([])
  const { ids, box } = useRowSelection(rows ?? none, selected, setSelected, titleOf)
  const list = useListKeys(rows ?? none, props.keys)
  if (error && !data) return <Failure fault={error} retry={refetch} />

  const isRight = (name: string) => right.includes(name) || (numeric(r.fields[name]) && !special?.(name))
  const far = data?.TotalMore === true && data.NextCursor !== undefined
  const paging = {
    current: state.page,
    pageSize: state.size,
    total: data?.TotalCount,
    showSizeChanger: true,
    pageSizeOptions: pageSizes,
    hideOnSinglePage: (data?.TotalCount ?? 0) <= standardSize,
    simple: phone,
    showTotal: (count: number) => t(data?.TotalMore ? 'list.totalMore' : 'list.total', { count }),
    onChange: (page: number, size: number) => set({ page: size === state.size ? page : 1, size: size === standardSize ? null : size }),
  }
  const table: TableProps<T> & { dataSource: T[] } = {
    rowKey: 'Id',
    size: 'small',
    dataSource: rows ?? none,
    columns: columnsOf(props, isRight, t),
    // A style marks the hovered row. antd's hover would render every cell.
    rowHoverable: false,
    ...arrangement.table,
    className: `${arrangement.table.className} ${actions && columns.at(-1) && isRight(columns.at(-1)!.Field) ? 'rows-crowded' : ''} ${props.className ?? ''}`,
    locale: { emptyText: empty },
    pagination: far ? false : paging,
    ...(bulk.length
      ? {
          rowSelection: {
            columnWidth: 40,
            fixed: true,
            selectedRowKeys: [...ids],
            // Rows of other pages stay selected. antd no longer knows them, so their state is here.
            onChange: (keys, found) =>
              setSelected((held) => keys.flatMap((key, i) => found[i] ?? held.find((row) => row.Id === key) ?? [])),
            preserveSelectedRowKeys: true,
            getTitleCheckboxProps: () => ({ 'aria-label': t('list.selectAll') }),
            renderCell: (_, row) => box(row),
          },
        }
      : {}),
    onChange: (_, __, sorter, { action }) => {
      const s = Array.isArray(sorter) ? sorter[0] : sorter
      if (action === 'sort') set({ sort: s?.order ? `${s.order === 'descend' ? '-' : ''}${String(s.columnKey)}` : null })
    },
  }
  return (
    <div className="row-list" ref={list}>
      {selected.length > 0 && <BulkBar bulk={bulk} selected={selected} clear={() => setSelected([])} />}
      {phone && lines ? (
        lines(rows ?? [], !data, paging)
      ) : phone || props.cards ? (
        <CardList
          rows={rows}
          // Without data the list is loading, even when its query is disabled.
          loading={!data}
          title={(row) => cell(row, columns[0]!.Field)}
          lines={(row) => columns.slice(1).map(({ Field }) => ({ key: Field, label: t(`${r.name}.${Field}`), content: cell(row, Field) }))}
          actions={(row) => actions && <RowActions actions={actions(row)} title={titleOf(row)} icons={1} />}
          empty={empty}
          card={props.card}
          {...(far ? {} : { pagination: paging })}
        />
      ) : !data ? (
        // Otherwise the table would render without rows first, and again with them.
        <Waiting />
      ) : (
        <LineTable<T> {...table} ids={ids} box={bulk.length ? box : undefined} stay={props.stay} virtual={virtual} />
      )}
      {far && <FarPager page={data} state={state} set={set} />}
    </div>
  )
}
