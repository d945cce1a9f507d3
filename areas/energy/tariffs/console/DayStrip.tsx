import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { useWords } from '../../../../console/words/words.ts'
import { clockOf } from '../prices.ts'
import { levels, quartersOfDay } from '../quarterHours.ts'
import { type Quarter, runsOf } from './painting.ts'
import './tariffs.css'

type Selection = { from: number; to: number }
type Props = {
  quarters: readonly Quarter[]
  label: string
  /** The level that a drag paints. */
  brush: number
  paint: (from: number, to: number, level: number) => void
}

const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1, PageDown: -4, PageUp: 4 }
const within = (quarter: number) => Math.max(0, Math.min(quartersOfDay - 1, quarter))

/** A day of 24 hours that is painted by dragging, with a finger, or by keyboard. Levels differ in colour, pattern and letter. */
export const DayStrip = ({ quarters, label, brush, paint }: Props) => {
  const t = useWords()
  const strip = useRef<HTMLDivElement>(null)
  const [selection, setSelection] = useState<Selection>({ from: 0, to: 0 })
  const [isDragging, setDragging] = useState(false)

  const quarterAt = (event: PointerEvent) => {
    const { left, width } = strip.current!.getBoundingClientRect()
    const share = (event.clientX - left) / width
    const isRight = getComputedStyle(strip.current!).direction === 'rtl'
    return within(Math.floor((isRight ? 1 - share : share) * quartersOfDay))
  }
  const begin = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    const at = quarterAt(event)
    setSelection({ from: at, to: at })
    setDragging(true)
  }
  const move = (event: PointerEvent) => isDragging && setSelection(({ from }) => ({ from, to: quarterAt(event) }))
  const end = (event: PointerEvent) => {
    if (!isDragging) return
    setDragging(false)
    paint(selection.from, quarterAt(event), brush)
  }
  const press = (event: KeyboardEvent) => {
    const level = levels.find((one) => String(one) === event.key)
    const step = steps[event.key]
    const edge = { Home: 0, End: quartersOfDay - 1 }[event.key]
    if (level) paint(selection.from, selection.to, level)
    else if (event.key === ' ') paint(selection.from, selection.to, brush)
    else if (step !== undefined || edge !== undefined) {
      const to = within(edge ?? selection.to + step!)
      setSelection(({ from }) => ({ from: event.shiftKey ? from : to, to }))
    } else return
    event.preventDefault()
  }

  const [first, last] = [Math.min(selection.from, selection.to), Math.max(selection.from, selection.to)]
  const levelText = (level: number) => (level ? t(`tariff.level.${level}`) : t('tariff.none'))
  const place = (from: number, to: number) => ({
    insetInlineStart: `${(100 * from) / quartersOfDay}%`,
    width: `${(100 * (to - from)) / quartersOfDay}%`,
  })
  return (
    <div className="tariff-day">
      <div
        ref={strip}
        className="tariff-strip"
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={quartersOfDay - 1}
        aria-valuenow={selection.to}
        aria-valuetext={`${clockOf(first)} – ${clockOf(last + 1)}, ${levelText(quarters[selection.to]!.level)}`}
        onPointerDown={begin}
        onPointerMove={move}
        onPointerUp={end}
        onPointerCancel={() => setDragging(false)}
        onKeyDown={press}
      >
        {runsOf(quarters).map(({ from, to, level }) => (
          <span
            key={from}
            className={`tariff-level tariff-level-${level}`}
            style={place(from, to)}
            title={`${clockOf(from)} – ${clockOf(to)} ${levelText(level)}`}
          >
            {level > 0 && to - from > 3 && <b>{t(`tariff.letter.${level}`)}</b>}
          </span>
        ))}
        <span className={`tariff-selection ${isDragging ? `tariff-level-${brush}` : ''}`} style={place(first, last + 1)} />
      </div>
      <div className="tariff-hours faint figures" aria-hidden="true">
        {[0, 6, 12, 18, 24].map((hour) => (
          <span key={hour}>{hour}</span>
        ))}
      </div>
      <div className="tariff-selected faint figures" aria-hidden="true">
        {clockOf(first)} – {clockOf(last + 1)}
      </div>
    </div>
  )
}
