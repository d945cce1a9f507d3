import { createContext, Fragment, memo, type ReactNode } from 'react'

type Row = { Id: number }
/** `stays`: its cells are reusable for another row, as checkboxes and buttons are. */
export type LineColumn<T> = { key: string; className: string; style: React.CSSProperties; stays: boolean; render: (row: T) => ReactNode }
type TableRows = { rows: readonly Row[]; columns: LineColumn<never>[]; selected: ReadonlySet<number> }
/** The rows and columns of a table's body. */
export const RowsContext = createContext<TableRows>({ rows: [], columns: [], selected: new Set() })

/** `place`: aria-rowindex, from 1 including the header, in virtual tables. */
type LineProps = { row: Row; place?: number; columns: LineColumn<never>[]; selected: boolean }
/** A row of plain cells. Virtual scrolling reuses the cells for other rows, but remounts their content, so that no state leaks. */
export const Line = memo(({ row, place, columns, selected }: LineProps) => (
  <tr className={selected ? 'ant-table-row ant-table-row-selected' : 'ant-table-row'} data-row-key={row.Id} aria-rowindex={place}>
    {columns.map(({ key, className, style, render, stays }) => (
      <td key={key} className={className} style={style}>
        <Fragment key={stays ? 0 : row.Id}>{render(row as never)}</Fragment>
      </td>
    ))}
  </tr>
))
