import './board.css'
import { type ReactNode, useMemo } from 'react'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { usePhone } from '../../../../console/theme/useWidth.ts'
import { useWords } from '../../../../console/words/words.ts'
import type { ParaInfo } from '../../../../contract/telemetry.ts'
import type { BoardContent, Widget as Of } from '../contract.ts'
import { useCursor } from './cursor.ts'
import { heightOf, inOrder, repeatedRows } from './grid.ts'
import { BoardProvider, DeviceOfRow, type Shown, useBoard, useBoardData, useSeries } from './useBoardData.ts'
import type { useBoardView } from './useBoardView.ts'
import { Widget } from './Widget.tsx'

type Props = {
  id: number
  /** The stored content, which the server uses to read data. */
  stored: BoardContent
  view: ReturnType<typeof useBoardView>
  /** In the editor: points that the stored board does not contain yet. */
  points?: readonly ParaInfo[]
  children: ReactNode
}

const union = (some: readonly ParaInfo[], more: readonly ParaInfo[]) => {
  const there = new Set(some.map((p) => p.ParaId))
  return [...some, ...more.filter((p) => !there.has(p.ParaId))]
}

/** State shared by the widgets of a board: the server's data, the time range, and the cursor. */
export const BoardShown = ({ id, stored, view: { range, live, span, show, choice }, points, children }: Props) => {
  const { now, past, pictures } = useBoardData(id, stored, range, live, choice)
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
      pictures: pictures.data?.Pictures,
    }),
    [now.data, points, series, step, past.data, range, show, cursor, rangeQuery, pictures.data],
  )
  const failed = [now, past].find(({ error, data }) => error && !data)
  if (failed?.error) return <Failure fault={failed.error} retry={() => failed.refetch()} />
  return <BoardProvider value={shown}>{children}</BoardProvider>
}

export const placeOf = ({ X, Y, W, H }: Of) => ({ gridColumn: `${X + 1} / span ${W}`, gridRow: `${Y + 1} / span ${H}` })

/** In a single column, text widgets take the height of their content. */
const columnOf = (widget: Of) => (widget.Kind === 'text' ? {} : { height: heightOf(widget) })

/** Heading of a repeated row: the name of its device. */
const RowHead = ({ at, name }: { at: number; name: string }) => (
  <h2 className="board-row" style={usePhone() ? {} : { gridColumn: '1 / -1', gridRow: at + 1 }}>
    {name}
  </h2>
)

/** The widgets on the grid, or in one column on a phone. Rows of the selected device are repeated for each of several devices. */
export const BoardGrid = ({ widgets }: { widgets: readonly Of[] }) => {
  const t = useWords()
  const phone = usePhone()
  const { data, pictures } = useBoard()
  const { Chosen = [], Left = 0 } = data ?? {}
  const names = new Map(Chosen.map(({ Id, DeviceName }) => [Id, DeviceName]))
  const isOfDevice = ({ PointNames, Flowchart }: Of) =>
    !!PointNames?.length || !!pictures?.some(({ Id, Shown }) => Id === Flowchart && Shown.some(({ DeviceId }) => DeviceId !== null))
  const rows = repeatedRows(
    widgets,
    Chosen.map(({ Id }) => Id),
    isOfDevice,
  )
  return (
    <>
      {Left > 0 && <p className="board-row soft">{t('board.devicesLeft', { count: Left })}</p>}
      {rows.map(({ key, device, head, widgets: row }) => (
        <DeviceOfRow key={key} value={device}>
          {device !== undefined && <RowHead at={head + (Left > 0 ? 1 : 0)} name={names.get(device) ?? ''} />}
          {inOrder(row).map((widget) => (
            <div key={widget.Id} style={phone ? columnOf(widget) : placeOf(Left > 0 ? { ...widget, Y: widget.Y + 1 } : widget)}>
              <Widget widget={widget} height={heightOf(widget) - 10} />
            </div>
          ))}
        </DeviceOfRow>
      ))}
    </>
  )
}
