import { Table, type TableColumnType, type TableProps } from 'antd'
import type { ReactNode } from 'react'
import { LongBody, type LongColumn, LongRows } from './LongBody.tsx'

const components = { body: { wrapper: LongBody } }
const styles = { content: { maxHeight: 600, overflowY: 'auto' } } as const

type Props<T> = TableProps<T> & {
  dataSource: readonly T[]
  ids: ReadonlySet<number>
  /** What selects a row, where rows can be selected. */
  box: ((row: T) => ReactNode) | undefined
}

const leaves = <T,>(columns: NonNullable<TableProps<T>['columns']>): TableColumnType<T>[] =>
  columns.flatMap((column) => ('children' in column ? leaves(column.children) : [column]))

const toLong = <T,>(columns: TableColumnType<T>[]): LongColumn<T>[] => {
  const widthOf = ({ width }: TableColumnType<T>) => Number(width)
  const sum = (some: TableColumnType<T>[]) => some.reduce((all, column) => all + widthOf(column), 0)
  const before = (i: number) => sum(columns.slice(0, i).filter(({ fixed }) => fixed === 'left' || fixed === true))
  const after = (i: number) => sum(columns.slice(i + 1).filter(({ fixed }) => fixed === 'right'))
  return columns.map(({ key, align, fixed, render }, i) => {
    const next = columns[i + 1]?.fixed
    const left = fixed === 'left' || fixed === true
    return {
      key: String(key),
      className: `ant-table-cell ${fixed ? `long-fixed ${left ? (next ? '' : 'long-left') : columns[i - 1]?.fixed === 'right' ? '' : 'long-right'}` : ''}`,
      style: { ...(align ? { textAlign: align } : {}), ...(left ? { left: before(i) } : fixed ? { right: after(i) } : {}) },
      stays: key === 'select' || key === 'actions',
      render: (row) => render?.(undefined, row, 0) as ReactNode,
    }
  })
}

/** A table of antd with a body of ours, for more rows than can be drawn at once: its head sorts, selects all and stays in sight. */
export const LongTable = <T extends { Id: number }>({ ids, box, columns = [], ...rest }: Props<T>) => {
  const rows = rest.dataSource
  const tick: TableColumnType<T>[] = box
    ? [{ key: 'select', width: 40, fixed: 'left', align: 'center', render: (_: unknown, row: T) => box(row) }]
    : []
  const long = { rows, columns: toLong([...tick, ...leaves(columns)]), selected: ids }
  return (
    <LongRows value={long as never}>
      <Table<T> {...rest} columns={columns} components={components} styles={styles} aria-rowcount={rows.length + 1} />
    </LongRows>
  )
}
