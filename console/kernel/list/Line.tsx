import { createContext, Fragment, memo, type ReactNode } from 'react'

type Row = { Id: number }
/** `stays`: what is in its cells serves another row as well, as boxes and buttons do. */
export type LineColumn<T> = { key: string; className: string; style: React.CSSProperties; stays: boolean; render: (row: T) => ReactNode }
type TableRows = { rows: readonly Row[]; columns: LineColumn<never>[]; selected: ReadonlySet<number> }
/** What a body draws. */
export const RowsContext = createContext<TableRows>({ rows: [], columns: [], selected: new Set() })

/** `place`: counted from 1 with the head, where not all rows are drawn. */
type LineProps = { row: Row; place?: number; columns: LineColumn<never>[]; selected: boolean }
/** A row of plain cells. They stay when another row is drawn in it; what is in them does not, lest anything of the other one is left. */
export const Line = memo(({ row, place, columns, selected }: LineProps) => (
  <tr className={selected ? 'ant-table-row ant-table-row-selected' : 'ant-table-row'} data-row-key={row.Id} aria-rowindex={place}>
    {columns.map(({ key, className, style, render, stays }) => (
      <td key={key} className={className} style={style}>
        <Fragment key={stays ? 0 : row.Id}>{render(row as never)}</Fragment>
      </td>
    ))}
  </tr>
))
