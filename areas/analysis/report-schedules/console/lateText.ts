import { none, numberText } from '../../../../console/words/formats.ts'
import type { Words } from '../../../../console/words/words.ts'
import type { LateFigure } from '../contract.ts'

const shown = (value: number | null, { Digits, Unit }: LateFigure) =>
  value === null ? none : [numberText(value, Digits), Unit].filter(Boolean).join(' ')

/** Those that differ in the digits that the report shows. */
export const movedFigures = (all: readonly LateFigure[]) => all.filter((of) => shown(of.Before, of) !== shown(of.After, of))

/** `Level: 12.3 → 12.9 m³ (+0.6)` */
export const lateText = (of: LateFigure, t: Words) => {
  const values = { name: of.Name, before: shown(of.Before, { ...of, Unit: '' }), after: shown(of.After, of) }
  if (of.Before === null || of.After === null) return t('reportRun.lateNew', values)
  const by = of.After - of.Before
  return t('reportRun.lateFigure', { ...values, by: `${by > 0 ? '+' : ''}${numberText(by, of.Digits)}` })
}
