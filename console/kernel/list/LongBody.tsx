import { type ComponentProps, type ReactNode, useContext, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { saysCut } from './cut.ts'
import { Line, RowsContext } from './Line.tsx'
import { type Lines, linesNext } from './lines.ts'

/** Overscan: rows rendered beyond each edge, because the browser scrolls before its event. */
const beyond = 2
/** Row height before the first measurement, px. */
const usualHeight = 33

const keyOf = (element: Element) => element.closest<HTMLElement>('.ant-table-row')?.dataset.rowKey

const Gap = ({ rows, height }: { rows: number; height: number }) =>
  rows > 0 && (
    <tr aria-hidden className="gap">
      <td style={{ height: rows * height }} />
    </tr>
  )

/** The visible range in rows, and the height of a row. `fits`: the table does not scroll horizontally. */
type Seen = { height: number; inSight: number; first: number; fits: boolean }
const same = (a: Seen, b: Seen) => a.height === b.height && a.inSight === b.inSight && a.first === b.first && a.fits === b.fits

const nothing: Lines = { ids: [], keys: [] }

/**
 * A virtual body for antd's table. All rows have the same height, so it measures one, where antd's own measures each.
 * Scrolling renders only the rows that come into view.
 */
export const LongBody = ({ children, className, ...rest }: ComponentProps<'tbody'>) => {
  const { rows, columns, selected } = useContext(RowsContext)
  const body = useRef<HTMLTableSectionElement>(null)
  const [{ height, inSight, first, fits }, setSeen] = useState<Seen>({ height: usualHeight, inSight: 20, first: 0, fits: false })

  useLayoutEffect(() => {
    const scroller = body.current!.closest<HTMLElement>('.ant-table-content')!
    const look = () => {
      const one = body.current?.querySelector<HTMLElement>('.ant-table-row')?.offsetHeight
      setSeen((was) => {
        const height = one || was.height
        const now: Seen = {
          height,
          inSight: Math.ceil(scroller.clientHeight / height),
          first: Math.floor(scroller.scrollTop / height),
          fits: scroller.scrollWidth <= scroller.clientWidth,
        }
        return same(was, now) ? was : now
      })
    }
    const onScroll = () => flushSync(look)
    const resized = new ResizeObserver(look)
    look()
    resized.observe(scroller)
    // Columns may grow while the table does not.
    resized.observe(body.current!.closest('table')!)
    scroller.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      resized.disconnect()
      scroller.removeEventListener('scroll', onScroll)
    }
  }, [])

  const from = Math.max(0, Math.min(first, rows.length - inSight) - beyond)
  const seen = rows.slice(from, from + inSight + 2 * beyond + 1)
  const lines = useRef(nothing)
  // Idempotent, so a second render is harmless.
  lines.current = linesNext(
    lines.current,
    seen.map(({ Id }) => Id),
  )
  // The focused button must not be recycled for another row.
  const focused = useRef<string>(undefined)
  useLayoutEffect(() => {
    const held = document.activeElement
    if (held instanceof HTMLElement && body.current!.contains(held) && keyOf(held) !== focused.current) held.blur()
  })
  // antd's own children that remain: the row that measures columns, and the empty text.
  const [measure, otherwise] = children as unknown as [ReactNode, ReactNode]
  return (
    <tbody
      {...rest}
      {...saysCut}
      className={fits ? `${className} fits` : className}
      ref={body}
      onFocus={({ target }) => {
        focused.current = keyOf(target)
      }}
    >
      {measure}
      {rows.length === 0 && otherwise}
      <Gap rows={from} height={height} />
      {seen.map((row, i) => (
        <Line key={lines.current.keys[i]} row={row} place={from + i + 2} columns={columns} selected={selected.has(row.Id)} />
      ))}
      <Gap rows={rows.length - from - seen.length} height={height} />
    </tbody>
  )
}
