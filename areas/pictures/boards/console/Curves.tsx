import { useCallback, useEffect, useMemo, useRef } from 'react'
import { assemble, valueAt } from '../../../../console/chart/assemble.ts'
import { namesOf } from '../../../../console/chart/names.ts'
import { plotMargins } from '../../../../console/chart/options.ts'
import { Plot } from '../../../../console/chart/Plot.tsx'
import { useSize } from '../../../../console/chart/useSize.ts'
import { valueText } from '../../../../console/live/valueText.ts'
import { useMode } from '../../../../console/theme/mode.ts'
import { lines as palette } from '../../../../console/theme/tokens.ts'
import { useWords } from '../../../../console/words/words.ts'
import { CursorLine } from './CursorLine.tsx'
import { useMoment } from './cursor.ts'
import { useBoard, usePoints } from './useBoardData.ts'
import type { WidgetProps } from './Widget.tsx'

const legendHeight = 28

/** Trends over the board's time range. Dragging zooms the whole board; the wheel scrolls the page. */
const Curves = ({ widget, height }: WidgetProps) => {
  const t = useWords()
  const { series, step, range, show, cursor, isPastThere } = useBoard()
  const points = usePoints(widget)
  const mode = useMode((s) => s.mode)
  const [box, width] = useSize()
  const outer = useRef<HTMLDivElement>(null)
  const { drawn, lines } = useMemo(() => {
    const drawn = points.filter((p) => series.has(p.ParaId))
    return { drawn, lines: drawn.map((p) => assemble(series.get(p.ParaId)!, p, step)) }
  }, [points, series, step])
  const names = namesOf(drawn)
  const at = useMoment(cursor)
  const onCursor = useCallback((moment: number | undefined) => cursor.move(moment), [cursor])
  useEffect(() => {
    const element = outer.current!
    const pass = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.shiftKey) event.stopPropagation()
    }
    element.addEventListener('wheel', pass, { capture: true })
    return () => element.removeEventListener('wheel', pass, { capture: true })
  }, [])
  const colourOf = (i: number) => palette[mode][i % palette[mode].length]
  return (
    <div ref={outer} className="board-past">
      <ul className="board-legend">
        {drawn.map((p, i) => (
          <li key={p.ParaId}>
            <i style={{ background: colourOf(i) }} />
            <span className="soft" title={names[i]}>
              {names[i]}
            </span>
            <strong className="figures">
              {valueText(valueAt(lines[i]!, at ?? range.end), p, t)}
              <span className="unit"> {p.ParaUnitName}</span>
            </strong>
          </li>
        ))}
      </ul>
      <div ref={box} className="board-plot">
        {isPastThere && width > 0 && (
          <>
            <Plot
              points={drawn}
              lines={lines}
              range={range}
              width={width}
              height={Math.max(80, height - legendHeight)}
              onRange={show}
              onCursor={onCursor}
            />
            <CursorLine {...plotMargins(width, drawn)} />
          </>
        )}
      </div>
    </div>
  )
}
export default Curves
