import { namesOf } from '../../../../console/chart/names.ts'
import { useSize } from '../../../../console/chart/useSize.ts'
import { valueText } from '../../../../console/live/valueText.ts'
import { timeText } from '../../../../console/words/formats.ts'
import { useWords } from '../../../../console/words/words.ts'
import type { ParaInfo } from '../../../../contract/telemetry.ts'
import { TimeArea } from './CursorLine.tsx'
import { binned, extentOf, partOf } from './past.ts'
import { useBoard, usePoints } from './useBoardData.ts'
import type { WidgetProps } from './Widget.tsx'

const cell = 14

const Row = ({
  point,
  width,
  tall,
  ends,
}: {
  point: ParaInfo
  width: number
  tall: number
  ends: [number | undefined, number | undefined]
}) => {
  const t = useWords()
  const { series, range } = useBoard()
  const found = series.get(point.ParaId)
  const bins = found ? binned(found, range, Math.max(6, Math.floor(width / cell))) : []
  const [low = 0, high = 1] = extentOf(bins) ?? []
  const [from, to] = [ends[0] ?? low, ends[1] ?? high]
  const wide = width / (bins.length || 1)
  return (
    <svg width={width} height={tall} role="img" aria-label={t('board.heatOf', { name: point.ParaName })}>
      {bins.map(({ start, end, value }, i) =>
        value === null ? null : (
          <rect
            key={start}
            x={i * wide}
            width={Math.max(1, wide - 1)}
            height={tall}
            className="heat-cell"
            fillOpacity={0.1 + 0.9 * partOf(value, from, to)}
          >
            <title>{`${timeText(start).slice(5, 16)} – ${timeText(end).slice(5, 16)}: ${valueText(value, point, t)} ${point.ParaUnitName}`}</title>
          </rect>
        ),
      )}
    </svg>
  )
}

/** Means over the board's time range, one row per point. The shade is scaled between the minimum and maximum of the row. */
const Heat = ({ widget, height }: WidgetProps) => {
  const { range } = useBoard()
  const points = usePoints(widget)
  const [box, width] = useSize()
  const names = namesOf(points)
  const label = widget.Title || points.length > 1 ? 18 : 0
  const tall = Math.max(12, Math.min(40, (height - 24) / points.length - label - 4))
  return (
    <div ref={box} className="board-past">
      <TimeArea>
        {points.map((p, i) => (
          <div key={p.ParaId} className="board-row">
            {label > 0 && <span className="soft">{names[i]}</span>}
            <Row point={p} width={width} tall={tall} ends={[widget.Min, widget.Max]} />
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
export default Heat
