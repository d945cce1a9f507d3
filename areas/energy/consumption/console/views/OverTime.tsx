import { lengthOf } from '../../../../../console/chart/calendarSpans.ts'
import { useWords } from '../../../../../console/words/words.ts'
import type { Cell } from '../../../../../contract/cell.ts'
import { ChartPanel } from '../../../../analysis/data-analysis/console/charts/ChartPanel.tsx'
import { costText, energyText, signed } from '../amounts.ts'
import { Choose } from '../EnergyPage.tsx'
import { type Comparison, comparisons, earlierOf } from '../earlier.ts'
import { MadeLegend, MadeOf, madeText } from '../MadeOf.tsx'
import { paintGhosted } from '../paint.ts'
import { divisionOf, partText, wholePartText } from '../parts.ts'
import type { Energy } from '../useEnergy.ts'
import { Answered } from './Answered.tsx'
import { useChart } from './useChart.ts'

/** Below this share of known time a bar is pale, percent. */
const enough = 95

/** A circuit over the period, with an earlier one as a ghost behind it. */
export const OverTime = ({ energy: { address, put, period, circuit, maySeeCost } }: { energy: Energy }) => {
  const t = useWords()
  const { of, days } = period
  const comparison = comparisons.find((one) => one === address.get('with')) ?? 'before'
  const earlier = earlierOf(of, days, comparison)
  const by = divisionOf(days)
  const now = useChart(circuit?.EnergyInfoId, days, by)
  const before = useChart(circuit?.EnergyInfoId, earlier, by)
  const rangeText = (range: { from: string; to: string }) => (lengthOf(range) === 1 ? range.from : `${range.from} – ${range.to}`)
  return (
    <Answered of={now}>
      {({ Series: { Parts, Unit, EnergyName, EnergyInfoId, Energy, Cost, ...figure }, Currency, Zone }) => {
        const ghost = earlier && before.data ? before.data.Series : undefined
        const asked = { name: EnergyName, figure, circuit: EnergyInfoId, ...days }
        const names = [rangeText(days), earlier ? rangeText(earlier) : ''] as const
        const withCost = maySeeCost && Parts.some(({ Cost }) => Cost != null)
        return (
          <ChartPanel
            title={`${EnergyName} · ${energyText(Energy, Unit)}${Cost == null ? '' : ` · ${costText(Cost, Currency)}`}`}
            height={280}
            paint={(look) =>
              paintGhosted(
                {
                  ...{ labels: Parts.map(({ Start }) => partText(Start, by, Zone)), unit: Unit, names },
                  now: Parts.map(({ Energy }) => Energy),
                  ...(ghost ? { before: ghost.Parts.map(({ Energy }) => Energy) } : {}),
                  nameOf: (i, isBefore) => {
                    const part = (isBefore ? ghost! : { Parts }).Parts[i]!
                    return `${wholePartText(part.Start, by, Zone)} · ${madeText(part, t)}`
                  },
                  pale: Parts.map(({ Known }) => Known < enough),
                },
                look,
              )
            }
            table={[
              [
                ...[t('explore.period'), `${t('energy.amount')} (${Unit})`],
                ...(withCost ? [`${t('energy.cost')} (${Currency})`] : []),
                ...[t('energy.made.title'), ...(ghost ? [`${rangeText(earlier!)} (${Unit})`] : [])],
              ],
              ...Parts.map((part, i): Cell[] => [
                ...[wholePartText(part.Start, by, Zone), part.Energy ?? ''],
                ...(withCost ? [part.Cost ?? ''] : []),
                ...[madeText(part, t), ...(ghost ? [ghost.Parts[i]?.Energy ?? ''] : [])],
              ]),
            ]}
            tools={
              <Choose<Comparison>
                value={comparison}
                choose={(next) => put({ with: next === 'before' ? undefined : next })}
                options={comparisons.map((value) => ({ value, label: t(`energy.with.${value}`) }))}
                label={t('energy.with')}
              />
            }
            help={
              <>
                <span className="energy-made">
                  <MadeOf of={asked} />
                </span>
                <MadeLegend />
                {ghost && t('energy.ghost', { before: energyText(ghost.Energy, Unit), period: rangeText(earlier!) })}{' '}
                {t('energy.pale', { share: enough })}{' '}
                {figure.Late ? t('energy.lateInChart', { amount: signed(energyText(figure.Late, Unit), figure.Late) }) : ''}
              </>
            }
          />
        )
      }}
    </Answered>
  )
}
