import { type Condition, State } from '../../../../console/theme/State.tsx'
import { useWords } from '../../../../console/words/words.ts'
import type { ChemicalStock } from '../contract.ts'
import { amountText, bandText, daysText } from './texts.ts'

const conditions: readonly Condition[] = ['offline', 'normal', 'warning', 'alarm']

/** The band on a scale of days, with the delivery time before which nothing can come. */
const Band = ({ of: { DaysLow, DaysHigh, DaysLeft, LeadDays }, most }: { of: ChemicalStock; most: number }) => {
  const t = useWords()
  if (DaysLow === null || DaysHigh === null || DaysLeft === null) return null
  const at = (days: number) => `${Math.min(100, (100 * days) / most)}%`
  return (
    <span className="stock-scale" title={t('dosing.scale')} aria-hidden="true">
      {LeadDays !== null && LeadDays > 0 && <span className="stock-lead" style={{ width: at(LeadDays) }} />}
      <span className="stock-band" style={{ insetInlineStart: at(DaysLow), width: `calc(${at(DaysHigh)} - ${at(DaysLow)})` }} />
      <span className="stock-mark" style={{ insetInlineStart: at(DaysLeft) }} />
    </span>
  )
}

const Card = ({ of, most, isChosen, choose }: { of: ChemicalStock; most: number; isChosen: boolean; choose: () => void }) => {
  const t = useWords()
  const { DrugName, DaysLeft, DaysLow, DaysHigh, RunOutLow, RunOutHigh, OrderBy, OrderQty, State: state, Unit } = of
  const band = bandText(DaysLow, DaysHigh, t)
  const isBand = band !== daysText(DaysLeft, t)
  return (
    <li>
      <button type="button" className="stock-card" aria-pressed={isChosen} onClick={choose}>
        <span className="soft">{DrugName}</span>
        <strong>{daysText(DaysLeft, t)}</strong>
        {isBand && <span className="figures">{band}</span>}
        <Band of={of} most={most} />
        {RunOutLow && RunOutHigh && (
          <span className="soft figures">
            {RunOutLow === RunOutHigh
              ? t('dosing.runsOutOn', { day: RunOutLow })
              : t('dosing.runsOut', { from: RunOutLow, to: RunOutHigh })}
          </span>
        )}
        <State is={conditions[state]!}>
          {state === 0 || OrderBy === null ? t('dosing.state.0') : t(`dosing.state.${state}`, { day: OrderBy })}
        </State>
        {state > 1 && OrderQty !== null && <span className="soft figures">{t('dosing.fits', { amount: amountText(OrderQty, Unit) })}</span>}
      </button>
    </li>
  )
}

/** The scale of all cards: the longest band that still can be compared. */
const longest = 90
export const StockCards = ({ of, chosen, choose }: { of: readonly ChemicalStock[]; chosen: number; choose: (id: number) => void }) => {
  const most = Math.min(longest, Math.max(7, ...of.map(({ DaysHigh, LeadDays }) => Math.max(DaysHigh ?? 0, LeadDays ?? 0)))) * 1.1
  return (
    <ul className="stock-cards">
      {of.map((one) => (
        <Card key={one.DrugInfoId} of={one} most={most} isChosen={one.DrugInfoId === chosen} choose={() => choose(one.DrugInfoId)} />
      ))}
    </ul>
  )
}
