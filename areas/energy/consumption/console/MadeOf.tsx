import { createContext, useContext } from 'react'
import { useWords, type Words } from '../../../../console/words/words.ts'
import type { Figure, Shares } from '../contract.ts'
import { amountText, percentText, signed } from './amounts.ts'
import './energy.css'

/** How an amount is known, the best first. */
export const qualities = ['Measured', 'Interpolated', 'Entered', 'Corrected', 'Missing'] as const satisfies readonly (keyof Shares)[]

export type Made = Pick<Figure, 'Shares' | 'Known' | 'OpenEvents' | 'Unpriced' | 'Late'>
/** A figure whose make-up can be opened. A sum of several circuits has no circuit. */
export type Asked = { name: string; figure: Made; circuit?: number; from: string; to: string }
export const AskContext = createContext<(asked: Asked) => void>(() => undefined)

/** As `Measured 96 %, missing 4 %; known for 98 % of the time`. */
export const madeText = ({ Shares, Known, OpenEvents, Late }: Made, t: Words): string => {
  const parts = qualities.flatMap((name) => {
    const share = Shares?.[name] ?? 0
    return share > 0 ? [`${t(`energy.quality.${name}`)} ${percentText(share)}`] : []
  })
  if (Known < 99.95) parts.push(t('energy.made.known', { share: percentText(Known) }))
  if (OpenEvents) parts.push(t('energy.made.events', { count: OpenEvents }))
  if (Late) parts.push(t('energy.made.late', { amount: signed(amountText(Late), Late) }))
  return parts.join(', ') || t('energy.made.nothing')
}

/** The parts of an amount as a line of colours; what is not known at all stays empty. */
export const MadeStrip = ({ of: { Shares, Known } }: { of: Made }) => (
  <span className="made-strip" aria-hidden="true">
    {Shares &&
      qualities.map((name) => (
        <span key={name} className={`made made-${name}`} style={{ width: `${(Shares[name] * Math.min(100, Known)) / 100}%` }} />
      ))}
  </span>
)

/** What a figure is made of; a click leads to the readings behind it. */
export const MadeOf = ({ of }: { of: Asked }) => {
  const t = useWords()
  const ask = useContext(AskContext)
  const text = madeText(of.figure, t)
  return (
    <button
      type="button"
      className="made-button"
      title={text}
      aria-label={t('energy.made.of', { name: of.name, text })}
      onClick={() => ask(of)}
    >
      <MadeStrip of={of.figure} />
    </button>
  )
}

/** What the colours mean. */
export const MadeLegend = () => {
  const t = useWords()
  return (
    <p className="made-legend faint">
      {qualities.map((name) => (
        <span key={name}>
          <span className={`made made-${name}`} aria-hidden="true" />
          {t(`energy.quality.${name}`)}
        </span>
      ))}
      <span>{t('energy.made.help')}</span>
    </p>
  )
}
