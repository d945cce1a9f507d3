import { type ComponentProps, type ReactNode, useContext } from 'react'
import { saysCut } from './cut.ts'
import { Line, RowsContext } from './Line.tsx'

/** A body for antd's table with plain rows. antd's own cells are components with many subscriptions each. */
export const WholeBody = ({ children, ...rest }: ComponentProps<'tbody'>) => {
  const { rows, columns, selected } = useContext(RowsContext)
  // antd's own children that remain: the row that measures columns, and the empty text.
  const [measure, otherwise] = children as unknown as [ReactNode, ReactNode]
  return (
    <tbody {...rest} {...saysCut}>
      {measure}
      {rows.length ? rows.map((row) => <Line key={row.Id} row={row} columns={columns} selected={selected.has(row.Id)} />) : otherwise}
    </tbody>
  )
}
