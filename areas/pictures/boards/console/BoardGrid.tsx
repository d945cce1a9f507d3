import './board.css'
import { type ReactNode, useMemo } from 'react'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { usePhone } from '../../../../console/theme/useWidth.ts'
import type { ParaInfo } from '../../../../contract/telemetry.ts'
import type { BoardContent, Widget as Of } from '../contract.ts'
import { useCursor } from './cursor.ts'
import { heightOf, inOrder } from './grid.ts'
import { BoardProvider, type Shown, useBoardData, useSeries } from './useBoardData.ts'
import type { useBoardView } from './useBoardView.ts'
import { Widget } from './Widget.tsx'

type Props = {
  id: number
  /** As it is stored: the server reads what this names. */
  stored: BoardContent
  view: ReturnType<typeof useBoardView>
  /** While it is edited: points that the stored board does not name yet. */
  points?: readonly ParaInfo[]
  children: ReactNode
}

const union = (some: readonly ParaInfo[], more: readonly ParaInfo[]) => {
  const there = new Set(some.map((p) => p.ParaId))
  return [...some, ...more.filter((p) => !there.has(p.ParaId))]
}

/** What the widgets of a board share: one answer of the server, one time, one cursor. */
export const BoardShown = ({ id, stored, view: { range, live, span, show, choice }, points, children }: Props) => {
  const { now, past } = useBoardData(id, stored, range, live, choice)
  const { series, step } = useSeries(past.data)
  const cursor = useCursor()
  const rangeQuery = live ? `&range=${span}` : `&from=${range.start}&to=${range.end}`
  const shown = useMemo(
    (): Shown => ({
      data: now.data && points ? { ...now.data, Points: union(now.data.Points, points) } : now.data,
      isEdited: points !== undefined,
      series,
      step,
      isPastThere: past.data !== undefined,
      range,
      show,
      cursor,
      rangeQuery,
    }),
    [now.data, points, series, step, past.data, range, show, cursor, rangeQuery],
  )
  const failed = [now, past].find(({ error, data }) => error && !data)
  if (failed?.error) return <Failure fault={failed.error} retry={() => failed.refetch()} />
  return <BoardProvider value={shown}>{children}</BoardProvider>
}

export const placeOf = ({ X, Y, W, H }: Of) => ({ gridColumn: `${X + 1} / span ${W}`, gridRow: `${Y + 1} / span ${H}` })

/** In one column, text is as high as it is long. */
const columnOf = (widget: Of) => (widget.Kind === 'text' ? {} : { height: heightOf(widget) })

/** The widgets on the grid, in one column on a phone. */
export const BoardGrid = ({ widgets }: { widgets: readonly Of[] }) => {
  const phone = usePhone()
  return inOrder(widgets).map((widget) => (
    <div key={widget.Id} style={phone ? columnOf(widget) : placeOf(widget)}>
      <Widget widget={widget} height={heightOf(widget) - 10} />
    </div>
  ))
}
