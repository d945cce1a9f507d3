import type { ReactNode } from 'react'
import { type Asked, MadeOf } from './MadeOf.tsx'

export type AmountRow = {
  key: string
  name: string
  value: number | null
  text: string
  /** Bars of one unit have one scale. */
  unit?: string
  /** Beside the amount: money, a share. */
  note?: ReactNode
  /** What is not accounted for, or not seen. */
  hatched?: boolean
  asked?: Asked
  choose?: (() => void) | undefined
  isChosen?: boolean
}

/** Amounts as horizontal bars on one scale, each with its make-up. */
export const AmountRows = ({ rows, label }: { rows: readonly AmountRow[]; label: string }) => {
  const most = (of: string | undefined) => Math.max(1e-9, ...rows.map(({ value, unit }) => (unit === of ? Math.abs(value ?? 0) : 0)))
  return (
    <ol className="amount-rows" aria-label={label}>
      {rows.map(({ key, name, value, text, unit, note, hatched, asked, choose, isChosen }) => (
        <li key={key} className={isChosen ? 'amount-chosen' : undefined}>
          <span className="amount-name">
            {choose ? (
              <button type="button" onClick={choose}>
                {name}
              </button>
            ) : (
              name
            )}
          </span>
          <span className="amount-figures figures">
            <strong>{text}</strong>
            {note && <span className="soft">{note}</span>}
          </span>
          <span className="amount-track" aria-hidden="true">
            <span
              className={hatched ? 'amount-bar amount-hatched' : 'amount-bar'}
              style={{ width: `${(100 * Math.max(0, value ?? 0)) / most(unit)}%` }}
            />
          </span>
          {asked ? <MadeOf of={asked} /> : <span />}
        </li>
      ))}
    </ol>
  )
}
