import { type ReactNode, useRef } from 'react'
import { useCursorDraw } from './cursor.ts'
import { useBoard } from './useBoardData.ts'

type Margins = { marginLeft?: number; marginRight?: number }

/** Vertical line at the pointer's time. */
export const CursorLine = ({ marginLeft = 0, marginRight = 0 }: Margins) => {
  const { cursor, range } = useBoard()
  const line = useRef<HTMLDivElement>(null)
  useCursorDraw(cursor, (at) => {
    const part = at === undefined ? -1 : (at - range.start) / (range.end - range.start)
    const isShown = part >= 0 && part <= 1
    line.current!.hidden = !isShown
    if (isShown) line.current!.style.left = `calc(${marginLeft}px + (100% - ${marginLeft + marginRight}px) * ${part})`
  })
  return <div ref={line} className="board-cursor" hidden />
}

/** Area that spans the board's time range from left to right: moves and shows the cursor. */
export const TimeArea = ({ children }: { children: ReactNode }) => {
  const { cursor, range } = useBoard()
  return (
    <div
      className="board-time"
      onPointerMove={({ currentTarget, clientX }) => {
        const { left, width } = currentTarget.getBoundingClientRect()
        cursor.move(range.start + ((clientX - left) / width) * (range.end - range.start))
      }}
      onPointerLeave={() => cursor.move(undefined)}
    >
      {children}
      <CursorLine />
    </div>
  )
}
