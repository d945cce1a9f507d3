import { Table, type TableColumnType, type TableProps } from 'antd'
import type { ReactNode } from 'react'
import { type LineColumn, RowsContext } from './Line.tsx'
import { LongBody } from './LongBody.tsx'
import { WholeBody } from './WholeBody.tsx'

const long = { components: { body: { wrapper: LongBody } }, styles: { content: { maxHeight: 600, overflowY: 'auto' } } } as const
const whole = { components: { body: { wrapper: WholeBody } }, sticky: true }

type Props<T> = TableProps<T> & {
  dataSource: readonly T[]
  ids: ReadonlySet<number>
  /** The checkbox of a row, in tables with selection. */
  box: ((row: T) => ReactNode) | undefined
  /** Cells hold no state of their row. */
  stay?: boolean | undefined
  /** Virtual: renders only the rows in view. */
  virtual: boolean
}
type Columns<T> = TableColumnType<T>[]

const leaves = <T,>(columns: NonNullable<TableProps<T>['columns']>): Columns<T> =>
  columns.flatMap((column) => ('children' in column ? leaves(column.children) : [column]))

const isLeft = <T,>({ fixed }: TableColumnType<T>) => fixed === 'left' || fixed === true
const isRight = <T,>({ fixed }: TableColumnType<T>) => fixed === 'right'
const sum = <T,>(some: Columns<T>) => some.reduce((all, { width }) => all + Number(width), 0)
const before = <T,>(columns: Columns<T>, i: number) => sum(columns.slice(0, i).filter(isLeft))
const after = <T,>(columns: Columns<T>, i: number) => sum(columns.slice(i + 1).filter(isRight))

const toLine = <T,>(columns: Columns<T>, stay: boolean): LineColumn<T>[] =>
  columns.map((column, i) => {
    const { key, align, fixed, ellipsis, sortOrder, render } = column
    const [left, right] = [isLeft(column), isRight(column)]
    const isLast = left && !columns[i + 1]?.fixed
    const isTools = key === 'select' || key === 'actions'
    const isFirst = right && !(columns[i - 1] && isRight(columns[i - 1]!))
    return {
      key: String(key),
      className: `ant-table-cell ${ellipsis ? 'ant-table-cell-ellipsis' : ''} ${sortOrder ? 'ant-table-column-sort' : ''} ${isTools ? 'line-tools' : ''} ${fixed ? `line-fixed ${isLast ? 'line-left' : isFirst ? 'line-right' : ''}` : ''}`,
      style: {
        ...(align ? { textAlign: align } : {}),
        ...(left ? { left: before(columns, i) } : right ? { right: after(columns, i) } : {}),
      },
      stays: stay || isTools,
      render: (row) => render?.(undefined, row, 0) as ReactNode,
    }
  })

/** The offset of a frozen column needs the widths of its neighbours. */
const placed = <T,>(columns: Columns<T>) =>
  columns.every((column, i) => (isLeft(column) ? before(columns, i) : isRight(column) ? after(columns, i) : 0) >= 0)

/** antd's table with our own body of plain cells. Its header sorts, selects all and sticks. */
export const LineTable = <T extends { Id: number }>({ ids, box, virtual, stay = false, columns = [], ...rest }: Props<T>) => {
  const rows = rest.dataSource
  const tick: Columns<T> = box
    ? [{ key: 'select', width: 40, fixed: 'left', align: 'center', render: (_: unknown, row: T) => box(row) }]
    : []
  const all = [...tick, ...leaves(columns)]
  if (!placed(all)) return <Table<T> {...rest} columns={columns} sticky />
  return (
    <RowsContext value={{ rows, columns: toLine(all, stay), selected: ids } as never}>
      <Table<T> {...rest} columns={columns} {...(virtual ? { ...long, 'aria-rowcount': rows.length + 1 } : whole)} />
    </RowsContext>
  )
}
