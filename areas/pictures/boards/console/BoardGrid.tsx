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

/** In one column, text is as high as it is long. */
const columnOf = (widget: Of) => (widget.Kind === 'text' ? {} : { height: heightOf(widget) })

/** Heading of a repeated row: the device it shows. */
const RowHead = ({ at, name }: { at: number; name: string }) => (
  <h2 className="board-row" style={usePhone() ? {} : { gridColumn: '1 / -1', gridRow: at + 1 }}>
    {name}
  </h2>
)

/** The widgets on the grid, in one column on a phone. Rows of the chosen device are repeated for each where there are several. */
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
