import { useColours, useMode } from '../../../../console/theme/mode.ts'
import { lines as palette } from '../../../../console/theme/tokens.ts'
import { useWords } from '../../../../console/words/words.ts'
import { overlapsOf, type ShiftEntry, spansOf } from '../contract.ts'
import './shifts.css'
import { weekdays, weekdayText } from '../../../../console/words/weekdays.ts'

const day = 24 * 60
const clock = (minutes: number) => `${String(Math.floor(minutes / 60) % 24).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

type Bar = { key: string; start: number; end: number; text: string; colour: string }
/** The parts of bars that lie on a day of the week, in minutes of that day; Saturday's night goes on on Sunday. */
const onDay = (bars: readonly Bar[], weekday: number) =>
  [0, -7 * day].flatMap((shift) =>
    bars.flatMap((bar) => {
      const start = Math.max(0, bar.start + shift - (weekday - 1) * day)
      const end = Math.min(day, bar.end + shift - (weekday - 1) * day)
      return end > start ? [{ ...bar, start, end, key: `${bar.key} ${shift}` }] : []
    }),
  )

/** The shifts of each day of the week along a line of 24 hours; where two take the same time it is marked. */
export const DayLine = ({ entries }: { entries: readonly ShiftEntry[] }) => {
  const t = useWords()
  const { alarm } = useColours()
  const mode = useMode((s) => s.mode)
  const valid = entries.filter(({ Start, End }) => Start && End)
  // Shifts of one name have one colour.
  const names = [...new Set(valid.map(({ Name }) => Name))]
  const bars = spansOf(valid).map((span, i): Bar => {
    const { Name } = valid[span.of]!
    const colour = palette[mode][names.indexOf(Name) % palette[mode].length]!
    return { ...span, key: String(i), colour, text: `${Name} ${clock(span.start % day)} – ${clock(span.end % day)}` }
  })
  const crossed = overlapsOf(valid).map((span, i): Bar => ({ ...span, key: `x${i}`, colour: alarm, text: t('shift.overlap') }))
  return (
    <div className="shift-lines">
      {weekdays.map((weekday) => (
        <div key={weekday} className="shift-day">
          <span className="soft">{weekdayText(weekday)}</span>
          <span
            className="shift-line"
            role="img"
            aria-label={onDay([...bars, ...crossed], weekday)
              .map(({ text }) => text)
              .join(', ')}
          >
            {onDay(bars, weekday).map(({ key, start, end, text, colour }) => (
              <span
                key={key}
                title={text}
                style={{ insetInlineStart: `${(100 * start) / day}%`, width: `${(100 * (end - start)) / day}%`, background: colour }}
              />
            ))}
            {onDay(crossed, weekday).map(({ key, start, end, text }) => (
              <span
                key={key}
                className="shift-crossed"
                title={text}
                style={{ insetInlineStart: `${(100 * start) / day}%`, width: `${(100 * (end - start)) / day}%` }}
              />
            ))}
          </span>
        </div>
      ))}
      <div className="shift-day faint figures">
        <span />
        <span className="shift-hours">
          {[0, 6, 12, 18, 24].map((hour) => (
            <span key={hour}>{hour}</span>
          ))}
        </span>
      </div>
    </div>
  )
}
