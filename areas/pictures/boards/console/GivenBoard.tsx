import './board.css'
import { useMemo } from 'react'
import type { BoardContent, BoardData } from '../contract.ts'
import { BoardGrid } from './BoardGrid.tsx'
import { useCursor } from './cursor.ts'
import { BoardProvider, useSeries } from './useBoardData.ts'

type Props = { content: BoardContent; data: BoardData; start: number; end: number; images?: Readonly<Record<string, string>> }
/** A board with data from the enclosing screen. */
export const GivenBoard = ({ content, data, start, end, images }: Props) => {
  const { series, step } = useSeries(data)
  const cursor = useCursor()
  const shown = useMemo(
    () => ({
      ...{ data, series, step, isPastThere: true, isEdited: false, pictures: data.Pictures, images },
      ...{ range: { start, end }, show: () => undefined, cursor, rangeQuery: '' },
    }),
    [data, series, step, start, end, cursor, images],
  )
  return (
    <BoardProvider value={shown}>
      <div className="board">
        <BoardGrid widgets={content.Widgets} />
      </div>
    </BoardProvider>
  )
}
