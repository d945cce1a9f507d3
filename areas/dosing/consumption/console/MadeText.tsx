import { useWords } from '../../../../console/words/words.ts'
import type { Figure } from '../contract.ts'
import { amountText } from './texts.ts'

/** What a figure is made of, in words. */
export const MadeText = ({ of: { Shares, Known, Unpriced } }: { of: Figure }) => {
  const t = useWords()
  const parts = Shares
    ? (['Measured', 'Entered', 'Missing'] as const).flatMap((name) =>
        Shares[name] > 0 ? [`${t(`dosing.made.${name}`)} ${amountText(Shares[name])} %`] : [],
      )
    : []
  if (Known < 99.5) parts.push(t('dosing.knownPart', { share: amountText(Known) }))
  if (Unpriced) parts.push(t('dosing.unpriced', { amount: amountText(Unpriced) }))
  return <>{parts.join(' · ')}</>
}
