import { namesOf } from '../../../../console/chart/names.ts'
import { useSize } from '../../../../console/chart/useSize.ts'
import { valueText } from '../../../../console/live/valueText.ts'
import { useMode } from '../../../../console/theme/mode.ts'
import { lines as palette } from '../../../../console/theme/tokens.ts'
import { numberText, timeText } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import { TimeArea } from './CursorLine.tsx'
import { binned, extentOf } from './past.ts'
import { useBoard, usePoints } from './useBoardData.ts'
import type { WidgetProps } from './Widget.tsx'

const legendHeight = 44

/** Means of equal parts of the board's time range. Bars start at zero, unless all values are far from it on one side. */
const Bars = ({ widget, height }: WidgetProps) => {
  const t = useWords()
  const { series, range } = useBoard()
  const points = usePoints(widget).filter((p) => series.has(p.ParaId))
  const mode = useMode((s) => s.mode)
  const [box, width] = useSize()
  const count = Math.max(4, Math.min(31, Math.floor(width / (10 * Math.max(1, points.length)))))
  const rows = points.map((p) => binned(series.get(p.ParaId)!, range, count))
  const [low = 0, high = 1] = extentOf(rows.flat()) ?? []
  const [bottom, top] = [widget.Min ?? Math.min(0, low), widget.Max ?? Math.max(0, high, low + 1e-9)]
  const tall = Math.max(40, height - legendHeight)
  const y = (value: number) => tall - ((Math.min(top, Math.max(bottom, value)) - bottom) / (top - bottom || 1)) * tall
  const zero = y(Math.min(top, Math.max(bottom, 0)))
  const names = namesOf(points)
  const slot = width / count
  const wide = Math.max(2, (slot - 2) / Math.max(1, points.length))
  return (
    <div className="board-past">
      <ul className="board-legend">
        {points.map((p, i) => (
          <li key={p.ParaId}>
            <i style={{ background: palette[mode][i % palette[mode].length] }} />
            <span className="soft">
              {names[i]} {p.ParaUnitName && `(${p.ParaUnitName})`}
            </span>
          </li>
        ))}
        <li className="soft figures board-scale">
          {numberText(bottom, 0, language(), 2)} – {numberText(top, 0, language(), 2)}
        </li>
      </ul>
      <div ref={box}>
        <TimeArea>
          <svg width={width} height={tall} role="img" aria-label={t('board.barsOf', { names: names.join(', ') })}>
            <line x1={0} x2={width} y1={zero} y2={zero} className="board-axis" />
            {rows.flatMap((bins, r) =>
              bins.map(({ start, end, value }, i) =>
                value === null ? null : (
                  <rect
                    key={`${points[r]!.ParaId} ${start}`}
                    x={i * slot + 1 + r * wide}
                    width={wide - 0.5}
                    y={Math.min(y(value), zero)}
                    height={Math.max(1, Math.abs(y(value) - zero))}
                    fill={palette[mode][r % palette[mode].length]}
                  >
                    <title>
                      {`${timeText(start).slice(5, 16)} – ${timeText(end).slice(5, 16)}: ${valueText(value, points[r]!, t)} ${points[r]!.ParaUnitName}`}
                    </title>
                  </rect>
                ),
              ),
            )}
          </svg>
        </TimeArea>
        <div className="board-ends faint figures">
          <span>{timeText(range.start).slice(5, 16)}</span>
          <span>{timeText(range.end).slice(5, 16)}</span>
        </div>
      </div>
    </div>
  )
}
export default Bars
