import { To } from '../../../../console/shell/To.tsx'
import { Facts } from '../../../../console/theme/Facts.tsx'
import { State } from '../../../../console/theme/State.tsx'
import { costText, none } from '../../../../console/words/formats.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import type { ChemicalStock } from '../contract.ts'
import { amountText } from './texts.ts'

/** Below the lowest dose, within the limits, or above the highest. */
const doseState = ({ Today: { Dose }, DoseLow, DoseHigh }: ChemicalStock) =>
  Dose === null ? undefined : DoseLow !== null && Dose < DoseLow ? 'low' : DoseHigh !== null && Dose > DoseHigh ? 'high' : undefined

/** The chosen chemical: stock by ledger and tank, today's dose against its limits, and its cost. */
export const StockFacts = ({ of, currency }: { of: ChemicalStock; currency: string | null | undefined }) => {
  const t = useWords()
  const { DrugInfoId, DrugName, Unit, StockQty, UsedSince, TankQty, Difference, DailyUse, Proposed, Today, DoseLow, DoseHigh, TargetDose } =
    of
  const outside = doseState(of)
  const limits =
    DoseLow !== null && DoseHigh !== null
      ? t('dosing.within', { low: amountText(DoseLow), high: amountText(DoseHigh) })
      : TargetDose !== null
        ? t('dosing.target', { dose: amountText(TargetDose) })
        : ''
  const money = (value: number | null | undefined) => costText(value, currency, language())
  return (
    <section className="panel" aria-label={DrugName}>
      <h2>
        <To to={`/drugManagement/drugRecord?Id=${DrugInfoId}`}>{DrugName}</To>
      </h2>
      {Proposed > 0 && (
        <p>
          <State is="warning">
            <To to={`/drugManagement/deliveries?DrugInfoId=${DrugInfoId}&Status=0`}>{t('dosing.proposed', { count: Proposed })}</To>
          </State>
        </p>
      )}
      <Facts
        of={[
          { key: 'stock', label: t('dosing.ledger'), value: amountText(StockQty, Unit) },
          ...(UsedSince === null ? [] : [{ key: 'since', label: t('dosing.usedSince'), value: amountText(UsedSince, Unit) }]),
          ...(TankQty === null
            ? []
            : [
                { key: 'tank', label: t('dosing.tank'), value: amountText(TankQty, Unit) },
                { key: 'difference', label: t('dosing.difference'), value: amountText(Difference, Unit) },
              ]),
          { key: 'use', label: t('dosing.dailyUse'), value: amountText(DailyUse, Unit) },
          {
            key: 'dose',
            label: t('dosing.doseToday'),
            value: (
              <>
                {outside ? (
                  <State is="warning">
                    {amountText(Today.Dose, 'mg/L')} · {t(`dosing.${outside}`)}
                  </State>
                ) : (
                  amountText(Today.Dose, 'mg/L')
                )}
                {limits && <span className="soft"> {limits}</span>}
              </>
            ),
          },
          { key: 'today', label: t('dosing.usedToday'), value: amountText(Today.Qty, Unit) },
          ...(Today.Cost === undefined
            ? []
            : [
                {
                  key: 'cost',
                  label: t('dosing.costToday'),
                  value:
                    Today.Cost === null
                      ? none
                      : `${money(Today.Cost)}${Today.CostPerM3 == null ? '' : ` · ${money(Today.CostPerM3 * 1000)} / 1000 m³`}`,
                },
              ]),
        ]}
      />
    </section>
  )
}
