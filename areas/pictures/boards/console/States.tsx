import { namesOf } from '../../../../console/chart/names.ts'
import { useSize } from '../../../../console/chart/useSize.ts'
import { valueText } from '../../../../console/live/valueText.ts'
import { useMode } from '../../../../console/theme/mode.ts'
import { lines as palette } from '../../../../console/theme/tokens.ts'
import { timeText } from '../../../../console/words/formats.ts'
import { useWords } from '../../../../console/words/words.ts'
import type { ParaInfo } from '../../../../contract/telemetry.ts'
import { TimeArea } from './CursorLine.tsx'
import { segmentsOf } from './past.ts'
import { useBoard, usePoints } from './useBoardData.ts'
import type { WidgetProps } from './Widget.tsx'

const charWidth = 7

/** States of a point over the board's time range. Off is hollow, to distinguish it from on and from a gap. */
const Row = ({ point, width, tall }: { point: ParaInfo; width: number; tall: number }) => {
  const t = useWords()
  const mode = useMode((s) => s.mode)
  const { series, step, range } = useBoard()
  const found = series.get(point.ParaId)
  const x = (at: number) => ((at - range.start) / (range.end - range.start)) * width
  const textOf = (value: number | 'mixed') => (value === 'mixed' ? t('board.mixed') : valueText(value, point, t))
  return (
    <svg width={width} height={tall} role="img" aria-label={t('board.statesOf', { name: point.ParaName })}>
      {(found ? segmentsOf(found, point, range, step) : []).map(({ start, end, value }) => {
        const [left, wide] = [x(start), Math.max(1, x(end) - x(start))]
        const text = textOf(value)
        const fill =
          value === 'mixed'
            ? 'url(#board-hatch)'
            : value === 0
              ? 'none'
              : palette[mode][Math.abs(Math.round(value) - 1) % palette[mode].length]
        return (
          <g key={start}>
            <rect x={left} y={1} width={wide} height={tall - 2} fill={fill} className={value === 0 ? 'state-hollow' : undefined}>
              <title>{`${text}: ${timeText(start)} – ${timeText(end)}`}</title>
            </rect>
            {wide > (text.length + 2) * charWidth && (
              <text x={left + 6} y={tall / 2 + 4} className={typeof value === 'number' && value !== 0 ? 'state-text-on' : 'state-text'}>
                {text}
              </text>
            )}
          </g>
        )
      })}
    </svg>
  )
}

const States = ({ widget, height }: WidgetProps) => {
  const points = usePoints(widget)
  const { range } = useBoard()
  const [box, width] = useSize()
  const names = namesOf(points)
  const label = widget.Title || points.length > 1 ? 18 : 0
  const tall = Math.max(16, Math.min(36, (height - 24) / points.length - label - 4))
  return (
    <div ref={box} className="board-past">
      <svg width={0} height={0} className="board-defs" aria-hidden="true">
        <pattern id="board-hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="6" height="6" className="hatch-ground" />
          <line x1="0" y1="0" x2="0" y2="6" className="hatch-line" />
        </pattern>
      </svg>
      <TimeArea>
        {points.map((p, i) => (
          <div key={p.ParaId} className="board-row">
            {label > 0 && <span className="soft">{names[i]}</span>}
            <Row point={p} width={width} tall={tall} />
          </div>
        ))}
      </TimeArea>
      <div className="board-ends faint figures">
        <span>{timeText(range.start).slice(5, 16)}</span>
        <span>{timeText(range.end).slice(5, 16)}</span>
      </div>
    </div>
  )
}
export default States
