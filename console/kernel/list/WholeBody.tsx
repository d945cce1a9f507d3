import { type ComponentProps, type ReactNode, useContext } from 'react'
import { saysCut } from './cut.ts'
import { Line, RowsContext } from './Line.tsx'

/** The body of a table of antd that draws all rows as plain ones: each cell of antd's is a component that listens to much. */
export const WholeBody = ({ children, ...rest }: ComponentProps<'tbody'>) => {
  const { rows, columns, selected } = useContext(RowsContext)
  // Of what antd would draw: the row that it measures its columns with, and what it says of no rows at all.
  const [measure, otherwise] = children as unknown as [ReactNode, ReactNode]
  return (
    <tbody {...rest} {...saysCut}>
      {measure}
      {rows.length ? rows.map((row) => <Line key={row.Id} row={row} columns={columns} selected={selected.has(row.Id)} />) : otherwise}
    </tbody>
  )
}
