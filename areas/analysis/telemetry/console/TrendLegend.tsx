import { type Line, valueAt } from '../../../../console/chart/assemble.ts'
import { namesOf, onlyDevice } from '../../../../console/chart/names.ts'
import { valueText } from '../../../../console/live/valueText.ts'
import { useMode } from '../../../../console/theme/mode.ts'
import { lines as palette } from '../../../../console/theme/tokens.ts'
import { timeText } from '../../../../console/words/formats.ts'
import { useWords } from '../../../../console/words/words.ts'
import type { ParaInfo } from '../../../../contract/telemetry.ts'

export type Cursor = { at: number; id: number | undefined }
type Props = {
  points: readonly ParaInfo[]
  lines: readonly Line[]
  /** The moment whose values are shown where the pointer is on no curve. */
  end: number
  cursor: Cursor | undefined
  pinned: number | undefined
  pin: (id: number | undefined) => void
}

/** The curves with their values; pressed, one shows its limits. */
export const TrendLegend = ({ points, lines, end, cursor, pinned, pin }: Props) => {
  const t = useWords()
  const mode = useMode((s) => s.mode)
  const names = namesOf(points)
  const device = onlyDevice(points)
  return (
    <div className="trend-labels">
      {device !== undefined && <strong className="trend-device">{device}</strong>}
      {points.map((p, i) => (
        <button
          key={p.ParaId}
          type="button"
          className={`trend-label${p.ParaId === cursor?.id ? ' trend-label-near' : ''}`}
          title={t('trend.pin')}
          aria-pressed={p.ParaId === pinned}
          onClick={() => pin(p.ParaId === pinned ? undefined : p.ParaId)}
        >
          <i style={{ background: palette[mode][i % palette[mode].length] }} />
          <span className="soft">{names[i]}</span>
          <strong className="figures">
            {valueText(valueAt(lines[i]!, cursor?.at ?? end), p, t)}
            <span className="unit"> {p.ParaUnitName}</span>
          </strong>
        </button>
      ))}
      {cursor && <span className="soft figures trend-moment">{timeText(cursor.at)}</span>}
    </div>
  )
}
